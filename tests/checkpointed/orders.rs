//! Forward mode, derivatives of higher order, pullbacks that are called again.

use differentiable::prelude::*;

#[differentiable(higher_order)]
fn ho(x: &[f64], n: usize) -> f64 {
    let mut s = x[0];
    let mut v = vec![x[1]; 2];
    #[checkpoint(snapshots = 3)]
    for i in 0..n {
        s = (s * x[1]).sin() + v[i % 2];
        v[i % 2] *= s;
    }
    s * v[0] * v[1]
}
#[differentiable(higher_order)]
fn ho_plain(x: &[f64], n: usize) -> f64 {
    let mut s = x[0];
    let mut v = vec![x[1]; 2];
    for i in 0..n {
        s = (s * x[1]).sin() + v[i % 2];
        v[i % 2] *= s;
    }
    s * v[0] * v[1]
}
#[differentiable(higher_order)]
#[checkpoint]
fn ho_fn(x: &[f64], n: usize) -> f64 {
    let mut s = x[0];
    let mut v = vec![x[1]; 2];
    for i in 0..n {
        s = (s * x[1]).sin() + v[i % 2];
        v[i % 2] *= s;
    }
    s * v[0] * v[1]
}
#[differentiable(higher_order)]
fn ho_mem(x: &[f64], n: usize) -> f64 {
    let mut s = x[0];
    let mut v = vec![x[1]; 2];
    #[checkpoint(memory = 400)]
    for i in 0..n {
        s = (s * x[1]).sin() + v[i % 2];
        v[i % 2] *= s;
    }
    s * v[0] * v[1]
}
#[differentiable(higher_order)]
fn sq(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint(every = 2)]
    for _ in 0..n {
        s = s.sin() * x;
    }
    s
}
#[differentiable]
fn nested_grad(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint(every = 2)]
    for k in 0..n {
        s += 0.3 * sq::grad(s, k);
    }
    s
}
#[differentiable(higher_order)]
fn sq_p(x: f64, n: usize) -> f64 {
    let mut s = x;
    for _ in 0..n {
        s = s.sin() * x;
    }
    s
}
#[differentiable]
fn nested_grad_p(x: f64, n: usize) -> f64 {
    let mut s = x;
    for k in 0..n {
        s += 0.3 * sq_p::grad(s, k);
    }
    s
}

#[test]
fn both_modes_and_second_derivatives() {
    for n in [0, 1, 2, 5, 9] {
        let x = [0.7, 0.9];
        assert_eq!(ho::value_and_grad(&x, n), ho_plain::value_and_grad(&x, n));
        assert_eq!(
            ho_fn::value_and_grad(&x, n),
            ho_plain::value_and_grad(&x, n)
        );
        assert_eq!(
            ho_mem::value_and_grad(&x, n),
            ho_plain::value_and_grad(&x, n)
        );
        assert_eq!(ho::hessian(&x, n), ho_plain::hessian(&x, n));
        assert_eq!(ho_fn::hessian(&x, n), ho_plain::hessian(&x, n));
        assert_eq!(ho_mem::hessian(&x, n), ho_plain::hessian(&x, n));
        let along = [1.0, 0.5];
        assert_eq!(ho::jvp((&x, &along), n), ho_plain::jvp((&x, &along), n));
        crate::assert_same(
            nested_grad::value_and_grad(0.4, n),
            nested_grad_p::value_and_grad(0.4, n),
            "nested",
        );
    }
}

#[test]
fn a_pullback_is_called_again() {
    let x = [0.7, 0.9];
    let (v, pullback) = ho::vjp(&x, 7);
    let (w, plain) = ho_plain::vjp(&x, 7);
    assert_eq!(v, w);
    let again = pullback.clone();
    assert_eq!(pullback(1.0), plain.clone()(1.0));
    let elsewhere = std::thread::scope(|s| s.spawn(|| again(2.0)).join().expect("a gradient"));
    assert_eq!(elsewhere, plain(2.0));
}
