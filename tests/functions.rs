//! `#[differentiable]` on free functions: every construct against central differences, forward
//! against reverse, and the value bitwise against the plain function.
#![allow(missing_docs)]
// The language under test is that of assignments written out.
#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    clippy::ptr_arg
)]

use differentiable::ad::{DifferentiableFn, Tangent};
use differentiable::prelude::*;

/// Checks value, reverse, and forward mode of `F` at `args`.
fn check<F, A>(args: A)
where
    A: Differentiable + Clone,
    F: DifferentiableFn<A, Output = f64>,
{
    let value = F::call(&args);
    let gradient = F::vjp(&args, 1.0);
    let mut seed = 1u64;
    for _ in 0..4 {
        let mut next = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / (1u64 << 31) as f64 * 2.0 - 1.0
        };
        let direction = args.zero_tangent().fill_with(&mut next);
        let (forward, tangent) = F::jvp(&args, &direction);
        assert_eq!(
            forward.to_bits(),
            value.to_bits(),
            "value of the forward mode"
        );
        let slope = gradient.dot(&direction);
        assert!(
            (tangent - slope).abs() <= 1e-11 * (1.0 + slope.abs()),
            "forward {tangent}, reverse {slope}"
        );
        let at = |h: f64| {
            let mut moved = args.clone();
            moved.add_scaled(h, &direction);
            F::call(&moved)
        };
        let h = 1e-5;
        let difference = (at(h) - at(-h)) / (2.0 * h);
        assert!(
            (difference - slope).abs() <= 2e-7 * (1.0 + slope.abs()),
            "difference {difference}, reverse {slope}"
        );
    }
}

fn data(n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| 0.3 + (i as f64 * 0.7).sin().abs() + 0.01 * i as f64)
        .collect()
}

#[differentiable]
fn straight(x1: f64, x2: f64) -> f64 {
    x1.ln() + x1 * x2 - x2.sin()
}

#[differentiable]
fn shadow(x: f64) -> f64 {
    let x = x * x;
    let x = x.sin() + x;
    let y = {
        let x = x * 2.0;
        x * x
    };
    let x = -(x + y);
    x * y
}

#[differentiable]
fn same_twice(x: f64) -> f64 {
    x * x * x / (x + 1.0)
}

#[differentiable]
fn tuples(a: f64, b: f64) -> f64 {
    let (s, p) = (a + b, a * b);
    let t = (s * p, (p.sqrt(), s));
    let (u, (v, w)) = t;
    u * v - w * t.1.0
}

#[differentiable]
fn branches(x: f64, y: f64) -> f64 {
    let m = if x > y { x * x } else { y.exp() };
    let mut z = m;
    if x > 0.5 {
        z *= x;
    } else if y > 0.5 {
        z = z / y;
    } else {
        z -= x * y;
    }
    if z > 0.0 { z.sqrt() } else { z }
}

#[differentiable]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * y[i];
    }
    s
}

#[differentiable]
fn logsumexp(x: &[f64]) -> f64 {
    let mut m = x[0];
    for i in 1..x.len() {
        m = m.max(x[i]);
    }
    let m = stop_gradient(m);
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (x[i] - m).exp();
    }
    m + s.ln()
}

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() - 1 {
        let a = x[i + 1] - x[i] * x[i];
        let b = 1.0 - x[i];
        s += 100.0 * a * a + b * b;
    }
    s
}

#[differentiable]
fn overwritten(x: &[f64], n: usize) -> f64 {
    let mut s = 1.0;
    let mut t = 0.5;
    for i in 0..n {
        let old = s;
        s = s * x[i % x.len()] + t.sin();
        t = old * t + s;
        s /= 1.0 + t * t;
    }
    s * t
}

#[differentiable]
fn local_array(x: &[f64]) -> f64 {
    let n = x.len();
    let mut a = vec![0.0; n];
    for i in 0..n {
        a[i] = x[i] * x[i];
    }
    for i in 1..n {
        a[i] += a[i - 1] * x[i];
        a[i] *= 0.5;
    }
    let mut b = [0.0; 3];
    b[0] = a[n - 1];
    b[1] = b[0] * a[0];
    b[2] = b[0] - b[1];
    dot(&a, x) + b[0] * b[2]
}

#[differentiable]
fn matvec(m: &[f64], x: &[f64]) -> f64 {
    let n = x.len();
    let mut total = 0.0;
    for i in 0..n {
        let row = &m[i * n..(i + 1) * n];
        let v = dot(row, x);
        total += v * v;
    }
    for i in (0..n).rev() {
        let mut acc = 0.0;
        for j in i..=n - 1 {
            let k = i * n + j;
            acc += m[k] * x[j].sin();
        }
        total += acc.tanh();
    }
    total
}

#[differentiable]
fn calls_before_a_write(x: &[f64]) -> f64 {
    let mut a = vec![0.0; x.len()];
    let mut s = 0.0;
    for k in 0..3 {
        for i in 0..x.len() {
            a[i] += x[i] * (k as f64 + 1.0);
        }
        s += dot(&a, &a) * dot(&a[..2], &x[1..3]);
    }
    s
}

#[differentiable]
fn counters(x: &[f64]) -> f64 {
    let mut p = 0;
    let mut s = 0.0;
    for i in 0..x.len() {
        for j in i + 1..x.len() {
            s += x[p] * x[j];
            p = (p + 3) % x.len();
        }
        p += 1;
        if p >= x.len() {
            p = 0;
        }
    }
    s
}

#[differentiable]
fn aliased(x: &[f64], w: f64) -> f64 {
    dot(x, x) + dot(&x[..2], &x[1..3]) + scaled(w, w) * scaled(w, x[0])
}

#[differentiable]
fn scaled(a: f64, b: f64) -> f64 {
    a * b.exp()
}

mod inner {
    use differentiable::prelude::*;
    pub mod deeper {
        use differentiable::prelude::*;
        #[differentiable]
        pub fn cube(x: f64) -> f64 {
            x * x * x
        }
    }
    #[differentiable]
    pub fn twice(x: f64) -> f64 {
        deeper::cube(x) + self::deeper::cube(2.0 * x) + super::scaled(x, 0.5)
    }
    pub use deeper::cube as renamed;
}
use inner::*;

#[differentiable]
fn paths(x: f64) -> f64 {
    twice(x) * inner::renamed(x) + crate::inner::deeper::cube(x)
}

#[differentiable]
fn arrays<const N: usize>(x: &[f64; N], y: [f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        s += x[i] * y[N - 1 - i];
    }
    let pair = [s, s * x[0]];
    pair[0] + pair[1] * y[0]
}

#[differentiable]
fn nested_vec(x: &Vec<Vec<f64>>) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        for j in 0..x[i].len() {
            s += x[i][j] * x[j % x.len()][0];
        }
    }
    s
}

#[differentiable]
fn constants(x: f64, #[constant] y: f64, k: usize) -> f64 {
    let half = 0.5 * k as f64;
    x * y * half + no_grad!(x.sin()) * 0.0 + y.powi(2) * x.powi(k as i32)
}

#[differentiable(wrt(b))]
fn only_b(a: f64, b: f64) -> f64 {
    a * b + b * b
}

#[differentiable]
fn mutable_param(mut x: f64, y: &mut_free::Alias) -> f64 {
    x *= 2.0;
    x = x + y.0;
    x * x
}
mod mut_free {
    pub type Alias = (f64, usize);
}

#[differentiable]
fn returns_array(x: f64, y: f64) -> [f64; 2] {
    [x * y, x + y]
}

#[differentiable]
fn returns_tuple(x: &[f64]) -> (f64, Vec<f64>) {
    let v = vec![x[0] * x[1], x[1].exp()];
    (x[0].sin(), v)
}

#[differentiable]
fn uses_tuple(x: &[f64]) -> f64 {
    let (a, v) = returns_tuple(x);
    let [p, q] = returns_array(a, v[1]);
    a * v[0] + p * q
}

#[differentiable]
fn asserted(x: f64) -> f64 {
    assert!(x > 0.0, "x is {x}");
    debug_assert!(x.is_finite());
    let label = "log";
    let _ = label;
    x.ln()
}

#[differentiable]
fn single(x: f32) -> f32 {
    (x * 2.0).exp() + x
}

#[differentiable]
fn widened(x: f64) -> f64 {
    let y = x as f32;
    let z = (y * y) as f64;
    z + x
}

#[differentiable]
fn guarded_log(x: f64) -> f64 {
    if x > 0.0 { x.ln() } else { 0.0 }
}

#[differentiable]
fn inactive_match(x: f64, k: usize) -> f64 {
    let factor = match k {
        0 => 1.0,
        1 => 2.5,
        _ => -1.0,
    };
    let mut n = 0;
    while n < k {
        n += 2;
    }
    x * factor * n as f64
}

#[differentiable]
fn lookup(x: f64, #[constant] table: &[f64]) -> f64 {
    let i = (x * 3.0) as usize;
    let fraction = x * 3.0 - x.floor() * 3.0;
    table[i] * (1.0 - fraction) + table[i + 1] * fraction
}

#[differentiable]
fn generic<T: differentiable::ad::Scalar>(x: &[T], y: T) -> T {
    let mut s = y * y;
    for i in 0..x.len() {
        s += x[i] * y;
        s = s.tanh();
    }
    s
}

#[differentiable]
fn unary(x: f64) -> f64 {
    let a =
        x.exp2() + x.log2() + x.log10() + x.exp_m1() + x.ln_1p() + x.sqrt() + x.cbrt() + x.recip();
    let b = x.sin() + x.cos() + x.tan() + x.sinh() + x.cosh() + x.tanh() + x.atan() + x.asinh();
    let c = (x / 4.0).asin()
        + (x / 4.0).acos()
        + (x / 4.0).atanh()
        + (x + 1.0).acosh()
        + (-x).abs()
        + x.fract();
    let d = x.to_degrees() * 1e-2
        + x.to_radians()
        + x.signum()
        + x.floor() * x
        + x.mul_add(a, b)
        + f64::sin(x);
    a * b + c * d
}

#[differentiable]
fn binary(x: f64, y: f64) -> f64 {
    x.atan2(y)
        + x.hypot(y)
        + x.powf(y)
        + x.max(y) * x.min(y)
        + x.clamp(0.1, 2.0)
        + y.clamp(1.0, x + 3.0)
        + f64::max(x, 1.0)
}

#[differentiable]
fn assigned_between(x: f64) -> f64 {
    let mut s = x;
    let mut n = 1.0;
    let y = s * {
        s = s * 2.0;
        n += 1.0;
        s
    };
    y + n * {
        n = 5.0;
        s + n
    }
}

#[differentiable]
fn nested_branches(x: &[f64], limit: f64) -> f64 {
    let mut s = x[0];
    for i in 0..x.len() {
        if x[i] > limit {
            let t = x[i] * s;
            if t > 0.3 {
                for j in 0..i {
                    s += t * x[j];
                }
            } else {
                s = t.exp() * s;
            }
        } else {
            s *= x[i];
        }
    }
    s
}

#[differentiable]
fn lengths_inside_a_loop(x: &[f64], y: &[f64], z: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..2 {
        s += x[i] * x[(i + 3) % x.len()] + y[i] * y.len() as f64;
        let last = z[z.len() - 1];
        s += z[i] * last;
    }
    for i in 0..y.len() - 1 {
        s += y[i] * x[i];
    }
    for i in (0..z.len() - 1).rev() {
        s = s.tanh() + z[i];
    }
    for i in 1..y.len() {
        s += dot(&y[..i], x) * y[i];
    }
    s
}

#[differentiable]
fn added_and_read(x: &[f64]) -> f64 {
    let mut a = vec![1.0; x.len() + 1];
    for i in 0..x.len() {
        a[i + 1] += a[i] * x[i];
    }
    let mut s = 0.5;
    for i in 0..x.len() {
        s += s * a[i];
    }
    s + a[x.len()]
}

#[differentiable]
fn empty_ranges(x: &[f64], from: usize, to: usize) -> f64 {
    let mut s = 1.0;
    for i in from..to {
        s += x[i] * x[i];
    }
    s
}

#[test]
fn language() {
    check::<lengths_inside_a_loop, _>((data(5), data(4), data(3)));
    check::<added_and_read, _>((data(5),));
    check::<empty_ranges, _>((data(3), 1, 3));
    check::<empty_ranges, _>((data(3), 9, 7));
    check::<assigned_between, _>((0.7,));
    check::<nested_branches, _>((data(6), 0.6));
    check::<straight, _>((2.0, 5.0));
    check::<shadow, _>((0.7,));
    check::<same_twice, _>((0.7,));
    check::<tuples, _>((0.7, 1.3));
    for (x, y) in [(0.7, 0.3), (0.2, 0.9), (0.2, 0.4), (0.6, 0.9)] {
        check::<branches, _>((x, y));
    }
    for n in [0, 1, 2, 7] {
        check::<dot, _>((data(n), data(n)));
    }
    check::<logsumexp, _>((data(5),));
    check::<rosenbrock, _>((data(9),));
    check::<overwritten, _>((data(3), 11));
    check::<local_array, _>((data(4),));
    check::<matvec, _>((data(9), data(3)));
    check::<calls_before_a_write, _>((data(4),));
    check::<counters, _>((data(5),));
    check::<aliased, _>((data(3), 0.4));
    check::<paths, _>((0.6,));
    check::<arrays, _>(([0.1, 0.2, 0.3], [1.0, 2.0, 3.0]));
    check::<nested_vec, _>((vec![data(2), data(3), data(1)],));
    check::<mutable_param, _>((0.6, (0.2, 3)));
    check::<uses_tuple, _>((data(2),));
    check::<asserted, _>((0.6,));
    check::<guarded_log, _>((0.6,));
    check::<guarded_log, _>((-0.6,));
    check::<inactive_match, _>((0.6, 1));
    check::<generic, _>((data(4), 0.3));
    check::<unary, _>((0.6,));
    check::<binary, _>((0.6, 1.2));
}

#[test]
fn constants_have_no_gradient() {
    let g: f64 = constants::grad(0.7, 1.5, 3);
    let expected = 1.5 * 1.5 + 1.5f64.powi(2) * 3.0 * 0.7f64.powi(2);
    assert!((g - expected).abs() < 1e-12, "{g} {expected}");
    assert_eq!(only_b::grad(2.0, 3.0), 2.0 + 6.0);
    let (v, t) = only_b::jvp(2.0, (3.0, 1.0));
    assert_eq!((v, t), (15.0, 8.0));
    let table = [0.0, 1.0, 4.0, 9.0];
    assert!((lookup::grad(0.5, &table) - 9.0).abs() < 1e-12);
}

#[test]
fn pullbacks() {
    let (v, pullback) = returns_array::vjp(2.0, 3.0);
    assert_eq!(v, [6.0, 5.0]);
    assert_eq!(pullback([1.0, 10.0]), (13.0, 12.0));
    let x = vec![0.5, 0.25];
    let ((a, w), pullback) = returns_tuple::vjp(&x);
    assert_eq!((a, w.len()), (0.5f64.sin(), 2));
    let g = std::thread::scope(|s| {
        s.spawn(move || pullback((1.0, vec![0.0, 0.0])))
            .join()
            .unwrap()
    });
    assert_eq!(g, vec![0.5f64.cos(), 0.0]);
    let (v, g) = single::value_and_grad(0.5);
    assert_eq!((v, g), ((1.0f32).exp() + 0.5, 2.0 * (1.0f32).exp() + 1.0));
    let (_, g) = widened::value_and_grad(0.5);
    assert_eq!(g, 2.0);
}

/// Copies of an array, a slice and a `Vec` lead back to their entries.
#[differentiable]
fn copied(array: [f64; 2], slice: &[f64], list: &Vec<f64>) -> f64 {
    let mut all = slice.to_vec();
    all[1] *= array.to_vec()[0];
    let some = slice[1..3].to_vec();
    let own = list.to_vec();
    let mut s = 0.0;
    for i in 0..all.len() {
        s += all[i] * own[i];
    }
    s + some[0] * some[1] * array[1]
}

#[test]
fn copies_of_sequences() {
    let args = ([0.5, -2.0], vec![1.0, 2.0, 3.0], vec![0.3, 0.2, 0.1]);
    check::<copied, _>(args.clone());
    let (of_array, of_slice, of_list) = copied::grad(args.0, &args.1, &args.2);
    assert_eq!(of_array, [2.0 * 0.2, 2.0 * 3.0]);
    assert_eq!(of_slice, [0.3, 0.5 * 0.2 + 3.0 * -2.0, 0.1 + 2.0 * -2.0]);
    assert_eq!(of_list, [1.0, 0.5 * 2.0, 3.0]);
}
