//! Calls inside of loops and functions that run again, at second order: the function that is called keeps its tangents.

use differentiable::prelude::*;

#[differentiable(higher_order)]
fn bend(u: f64) -> f64 {
    u * u.sin() + 0.3 * u
}

#[differentiable(higher_order)]
fn step(u: &mut [f64], h: f64) {
    for i in 0..u.len() {
        u[i] += h * u[(i + 1) % u.len()].sin();
    }
}

#[differentiable(higher_order)]
fn stepped(u: &[f64], h: f64) -> Vec<f64> {
    (0..u.len())
        .map(|i| u[i] + h * (u[i] * u[(i + 1) % u.len()]).sin())
        .collect()
}

#[differentiable]
fn any_scalar<T: differentiable::ad::Scalar>(u: T) -> T {
    u * u.cos() + T::lit(0.1)
}

#[derive(Clone, Copy, Differentiable)]
#[differentiable(higher_order)]
struct Phase {
    q: f64,
    p: f64,
}

#[differentiable(higher_order)]
impl Phase {
    fn next(&self, h: f64) -> Phase {
        Phase {
            q: self.q + h * self.p,
            p: self.p - h * self.q.sin(),
        }
    }
    fn kick(&mut self, h: f64) {
        self.p -= h * self.q * self.q;
    }
}

#[differentiable(higher_order)]
fn tensor_step(x: &Tensor![f64; 3]) -> Tensor![f64; 3] {
    x.sin() * x
}

/// The derivative at zero, by central differences with Richardson's extrapolation.
fn slope_at_zero(h: f64, f: impl Fn(f64) -> f64) -> f64 {
    let slope = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    (4.0 * slope(0.5 * h) - slope(h)) / 3.0
}

/// Gradients and products with Hessians against differences, for loops of no to six trips.
macro_rules! programs {
    ($($name:ident($x:ident, $n:ident) $body:block)*) => { $(
        #[test]
        fn $name() {
            #[differentiable(higher_order)]
            fn f($x: &[f64], $n: usize) -> f64 $body

            let (at, along) = ([0.7, 0.9, 0.8], [0.3, -0.5, 0.7]);
            let (h, moved) = (1e-3, |t: f64| [0, 1, 2].map(|i| at[i] + t * along[i]));
            for n in 0..7 {
                let (gradient, product) = (f::grad(&at, n), f::hvp((&at, &along), n));
                let slope: f64 = gradient.iter().zip(along).map(|(g, a)| g * a).sum();
                let found = slope_at_zero(h, |t| f(&moved(t), n));
                assert!((found - slope).abs() < 1e-7 * (1.0 + slope.abs()), "{n}: {found} {slope}");
                for k in 0..3 {
                    let found = slope_at_zero(h, |t| f::grad(&moved(t), n)[k]);
                    let close = (found - product[k]).abs() < 1e-7 * (1.0 + found.abs());
                    assert!(close, "{n}, entry {k}: {found} against {}", product[k]);
                }
            }
        }
    )* };
}

programs! {
    counted(x, n) {
        let mut u = x[0] + x[1];
        #[checkpoint]
        for _ in 0..n { u = bend(u) * x[2]; }
        u
    }
    uncounted(x, n) {
        let (mut u, mut k) = (x[0], 0);
        #[checkpoint]
        while k < n { u = bend(u) + x[1] * x[2]; k += 1; }
        u
    }
    left_early(x, n) {
        let (mut u, mut k) = (x[0], 0);
        #[checkpoint]
        'steps: loop { if k >= n { break 'steps; } u = any_scalar(u) * x[1] + x[2]; k += 1; }
        u
    }
    vectors(x, n) {
        let mut u = x.to_vec();
        #[checkpoint(every = 2)]
        for _ in 0..n { u = stepped(&u, 0.3); step(&mut u, 0.2); }
        u.iter().map(|a| a * a).sum()
    }
    methods(x, n) {
        let mut s = Phase { q: x[0], p: x[1] };
        #[checkpoint]
        for _ in 0..n { s = s.next(x[2]); s.kick(0.1); }
        s.q * s.p
    }
    nested(x, n) {
        let mut u = x[0];
        #[checkpoint]
        for i in 0..n {
            let mut w = u;
            #[checkpoint]
            for _ in 0..i { w = bend(w) * 0.9; }
            u = w + x[1] * bend(x[2]);
        }
        u
    }
    gradients(x, n) {
        let mut u = x[0];
        #[checkpoint]
        for _ in 0..n { u -= 0.1 * bend::grad(u) * x[1]; }
        u * x[2]
    }
    decisions(x, n) {
        let g = |a: f64| bend(a) * x[1];
        let mut u = x[0];
        #[checkpoint]
        for _ in 0..n { u = if bend(u) > 0.4 { g(u) * 0.5 } else { u + x[1] }; }
        u * x[2]
    }
    in_a_function(x, n) {
        #[differentiable(higher_order, checkpoint)]
        fn inner(x: &[f64], n: usize) -> f64 {
            let mut u = x[0];
            for _ in 0..n { u = bend(u) * x[1] + bend(x[2]); }
            u
        }
        inner(x, n) * x[0]
    }
}

#[differentiable(higher_order)]
fn of_tensors(x: &Tensor![f64; 3], n: usize) -> Tensor![f64;] {
    let mut u = x * 0.9;
    #[checkpoint]
    for _ in 0..n {
        u = tensor_step(&u);
    }
    u.sum()
}

#[test]
fn tensors() {
    let (at, along) = (tensor([0.7, 0.9, 0.8]), tensor([0.3, -0.5, 0.7]));
    for n in 0..5 {
        let product = of_tensors::hvp((&at, &along), n).to_vec();
        for k in 0..3 {
            let found = slope_at_zero(1e-3, |t| {
                of_tensors::grad(&(&at + &along * t), n).to_vec()[k]
            });
            let close = (found - product[k]).abs() < 1e-7 * (1.0 + found.abs());
            assert!(close, "{n}, entry {k}: {found} against {}", product[k]);
        }
    }
}
