//! `DifferentiableFn::pullback` against `call` and `vjp`, for every form of argument.

use differentiable::ad::{Differentiable, DifferentiableFn, On, Scalar, Tangent};
use differentiable::prelude::*;

/// The value and the cotangents of a pullback are those of `call` and `vjp`, bit for bit.
fn check<F, A>(args: A, ct: <F::Output as Differentiable>::Tangent)
where
    A: Differentiable + Clone,
    F: DifferentiableFn<A>,
{
    let (value, pullback) = F::pullback(&args);
    let mut sums = args.zero_adj(On);
    pullback(&args, F::Output::start(ct.clone()), &mut sums);
    let (found, expected) = (A::finish(&args.proto(), sums), F::vjp(&args, ct.clone()));
    let bits = |t: &A::Tangent| {
        let mut all = Vec::new();
        t.each(&mut |x| all.push(x.to_bits()));
        all
    };
    assert!(!bits(&expected).is_empty());
    assert_eq!(bits(&found), bits(&expected));
    // The value: its difference from that of a call is zero.
    let mut moved = false;
    F::call(&args)
        .difference(&value)
        .each(&mut |x| moved |= x != 0.0);
    assert!(!moved);
}

#[differentiable]
fn by_value(x: f64, y: f64) -> f64 {
    (x * y).sin() + x.exp()
}

#[differentiable]
fn of_slices(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * y[i].tanh();
    }
    s
}

#[differentiable]
fn with_constants(x: &[f64], #[constant] n: usize, #[constant] name: &str, k: f64) -> f64 {
    x[n] * k + x[0] * name.len() as f64
}

#[differentiable]
fn of_tensors(w: &Tensor![f64; 2, 3], #[constant] x: &Tensor![f64; 3]) -> Tensor![f64; 2] {
    w.matmul(x).tanh()
}

#[differentiable]
fn of_any<T: Scalar>(x: T, y: Vec<T>) -> T {
    let mut s = x;
    for v in &y {
        s = s * *v + x;
    }
    s
}

#[differentiable]
fn changes(x: &mut [f64], k: f64) -> f64 {
    x[0] *= k;
    x[1] += x[0] * k;
    x[0] + k
}

#[differentiable]
fn only_changes(x: &mut [f64], k: f64) {
    for v in x.iter_mut() {
        *v *= k;
    }
}

#[differentiable]
fn several(x: f64, y: f64) -> (f64, Vec<f64>) {
    (x * y, vec![x, y * y, x / y])
}

#[derive(Clone, Differentiable)]
struct Spring {
    k: f64,
    rest: f64,
}

#[differentiable]
fn energy(spring: &Spring, x: f64) -> f64 {
    0.5 * spring.k * (x - spring.rest).powi(2)
}

#[differentiable(higher_order)]
fn marked(x: &[f64], w: f64) -> f64 {
    x.iter().map(|v| (v * w).sin()).sum::<f64>()
}

/// Given a rule by hand: `DifferentiableFn` of it runs the rule.
struct Twice;
impl DifferentiableFn<(f64,)> for Twice {
    type Output = f64;
    fn call(&(x,): &(f64,)) -> f64 {
        2.0 * x
    }
    fn vjp(_: &(f64,), ct: f64) -> (f64,) {
        (2.0 * ct,)
    }
    fn jvp(&(x,): &(f64,), &(t,): &(f64,)) -> (f64, f64) {
        (2.0 * x, 2.0 * t)
    }
}

#[test]
fn pullbacks_are_vjps() {
    check::<by_value, _>((0.3, 1.7), 0.7);
    check::<of_slices, _>((vec![1.0, 2.0, -0.5], vec![0.1, 0.2, 0.3]), 1.5);
    check::<with_constants, _>((vec![1.0, 2.0], 1usize, "abc".to_owned(), 3.0), 2.0);
    let w = tensor([[0.1, 0.2, 0.3], [1.0, -1.0, 0.5]]);
    check::<of_tensors, _>((w, tensor([1.0, 2.0, 3.0])), tensor([1.0, -2.0]));
    check::<of_any, _>((0.5f64, vec![1.5, -0.2]), 1.0);
    check::<of_any, _>((0.5f32, vec![1.5, -0.2]), 1.0);
    check::<changes, _>((vec![1.0, 2.0], 0.5), (1.0, vec![0.3, 0.4]));
    check::<only_changes, _>((vec![1.0, 2.0], 0.5), vec![0.3, 0.4]);
    check::<several, _>((1.2, 0.4), (1.0, vec![0.5, -1.0, 2.0]));
    check::<energy, _>((Spring { k: 4.0, rest: 1.0 }, 1.5), 2.0);
    check::<marked, _>((vec![0.5, 1.0], 2.0), 1.0);
    check::<Twice, _>((3.0,), 5.0);
}

/// A cotangent is added to what is there.
#[test]
fn sums_go_on() {
    let args = (0.3, 1.7);
    let mut sums = (10.0, 20.0);
    <by_value as DifferentiableFn<_>>::pullback(&args).1(&args, 1.0, &mut sums);
    let (x, y) = by_value::grad(0.3, 1.7);
    assert!((sums.0 - 10.0 - x).abs() < 1e-14 && (sums.1 - 20.0 - y).abs() < 1e-14);
}
