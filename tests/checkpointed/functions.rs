//! `#[checkpoint]` on functions.

use differentiable::prelude::*;

macro_rules! whole { ($($at:tt)*) => {
    #[differentiable]
    $($at)*
    pub fn inner(x: f64, w: Vec<f64>, u: &[f64], out: &mut Vec<f64>, n: usize) -> f64 {
        let mut s = x;
        for i in 0..n {
            s = (s * w[i % w.len()]).sin() + u[i % u.len()];
            out.push(s);
        }
        out[0] *= s;
        if s > 5.0 { return 2.0 * s; }
        s * w[0]
    }
    #[differentiable]
    pub fn f(x: f64, u: &[f64], n: usize) -> f64 {
        let mut out = vec![x, 2.0];
        let mut t = 0.0;
        for k in 0..3 {
            t += inner(x * t + 1.0, vec![x, 0.5 + 0.1 * k as f64], u, &mut out, n);
        }
        for i in 0..out.len() { t += out[i]; }
        t
    }
    #[differentiable]
    $($at)*
    pub fn fib(x: f64, n: usize) -> f64 {
        if n < 2 { return x; }
        fib(x, n - 1) * 0.9 + fib(x.sin(), n - 2)
    }
    #[differentiable]
    $($at)*
    pub fn unit(u: &mut [f64], c: f64) { for i in 1..u.len() { u[i] *= c * u[i - 1]; } }
    #[differentiable]
    $($at)*
    pub fn generic<T: differentiable::ad::Scalar>(x: T, y: &[T]) -> T { let mut s = x; for i in 0..y.len() { s = s.sin() * y[i]; } s }
} }

mod plain {
    use super::*;
    whole!();
}
mod kept {
    use super::*;
    whole!(#[checkpoint]);
}

#[test]
fn arguments_are_enough() {
    for n in [0, 1, 2, 5, 9] {
        let u = [0.5, -0.2];
        assert_eq!(
            kept::f::value_and_grad(0.3, &u, n),
            plain::f::value_and_grad(0.3, &u, n)
        );
        crate::assert_same(
            kept::fib::value_and_grad(0.3, n),
            plain::fib::value_and_grad(0.3, n),
            "fib",
        );
        assert_eq!(
            kept::generic::value_and_grad(0.3f32, &[0.2, 0.4]),
            plain::generic::value_and_grad(0.3f32, &[0.2, 0.4])
        );
    }
    differentiable::ad::check_grads::<kept::f, _>(&(0.3, vec![0.5, -0.2], 4)).expect("a gradient");
}

#[derive(Clone, Debug, Differentiable)]
pub struct Q {
    pub a: f64,
    pub b: Vec<f64>,
}
#[differentiable]
impl Q {
    #[checkpoint]
    pub fn change(&mut self, k: f64) -> f64 {
        self.a *= k;
        self.b[0] = self.a.sin() * self.b[1];
        self.b[0] + k
    }
    #[checkpoint]
    pub fn by_value(self, k: f64) -> f64 {
        self.a * k * self.b[0].sin()
    }
    #[checkpoint]
    pub fn by_ref(&self, k: f64) -> f64 {
        self.a * k * self.b[0].sin()
    }
}
#[differentiable]
impl Q {
    pub fn change2(&mut self, k: f64) -> f64 {
        self.a *= k;
        self.b[0] = self.a.sin() * self.b[1];
        self.b[0] + k
    }
    pub fn by_value2(self, k: f64) -> f64 {
        self.a * k * self.b[0].sin()
    }
    pub fn by_ref2(&self, k: f64) -> f64 {
        self.a * k * self.b[0].sin()
    }
}
#[differentiable]
fn with(x: f64) -> f64 {
    let mut q = Q {
        a: x,
        b: vec![x * 2.0, 3.0],
    };
    let r = q.change(x);
    let s = q.by_ref(r);
    r * s + q.by_value(r + s)
}
#[differentiable]
fn without(x: f64) -> f64 {
    let mut q = Q {
        a: x,
        b: vec![x * 2.0, 3.0],
    };
    let r = q.change2(x);
    let s = q.by_ref2(r);
    r * s + q.by_value2(r + s)
}

#[test]
fn methods() {
    assert_eq!(with::value_and_grad(0.4), without::value_and_grad(0.4));
}

#[differentiable(checkpoint)]
fn as_an_option(x: f64, n: usize) -> f64 {
    let mut s = x;
    // Both at once.
    #[checkpoint(every = 2)]
    for _ in 0..n {
        s = s.sin() * x;
    }
    s
}

#[test]
fn an_option() {
    let d = as_an_option::grad(0.4, 3);
    let h = 1e-6;
    let slope = (as_an_option(0.4 + h, 3) - as_an_option(0.4 - h, 3)) / (2.0 * h);
    assert!((d - slope).abs() < 1e-8, "{d} {slope}");
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Scaled(f64);

#[differentiable]
impl std::ops::Mul<f64> for Scaled {
    type Output = Scaled;
    #[checkpoint]
    fn mul(self, k: f64) -> Scaled {
        let mut x = self.0;
        for _ in 0..3 {
            x = x.sin() * k;
        }
        Scaled(x)
    }
}

#[differentiable]
fn by_operator(x: f64, k: f64) -> f64 {
    let y = Scaled(x) * k;
    y.0 * k
}

#[test]
fn an_operator_may_run_again() {
    differentiable::ad::check_grads::<by_operator, _>(&(0.4, 1.3)).unwrap();
}
