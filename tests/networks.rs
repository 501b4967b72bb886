//! `#[differentiable]` over typed tensors.
#![allow(missing_docs)]

use differentiable::ad::Tangent;
use differentiable::prelude::*;

dim!(Batch);

#[derive(Clone, Debug, Differentiable)]
struct Mlp {
    w1: Tensor![f64; 5, 4],
    b1: Tensor![f64; 4],
    w2: Tensor![f64; 4, 3],
    b2: Tensor![f64; 3],
}

#[differentiable]
impl Mlp {
    fn forward(&self, x: &Tensor![f64; Batch, 5]) -> Tensor![f64; Batch, 3] {
        let h = (x.matmul(&self.w1) + &self.b1).tanh();
        let h = h.relu() * 0.5 + h.sigmoid();
        h.matmul(&self.w2) + &self.b2
    }

    fn loss(&self, x: &Tensor![f64; Batch, 5], t: &Tensor![i64; Batch]) -> Tensor![f64;] {
        self.forward(x).cross_entropy(t)
    }

    fn mse(&self, x: &Tensor![f64; Batch, 5], y: &Tensor![f64; Batch, 3]) -> Tensor![f64;] {
        let e = self.forward(x) - y;
        (&e * &e).mean()
    }
}

#[test]
fn mlp() {
    let m = Mlp {
        w1: Tensor::randn(1),
        b1: Tensor::randn(2),
        w2: Tensor::randn(3),
        b2: Tensor::randn(4),
    };
    let x: Tensor![f64; Batch, 5] = Tensor::randn_with((Batch(6), Sz), 5);
    let t: Tensor![i64; Batch] = Tensor::from_slice_with((Batch(6),), &[0, 1, 2, 0, 1, 2]).unwrap();
    let y: Tensor![f64; Batch, 3] = Tensor::randn_with((Batch(6), Sz), 6);
    let (v, (g, _gx)) = m.loss_value_and_grad(&x, &t);
    assert_eq!(v.item(), m.loss(&x, &t).item());
    let d = {
        let mut k = 0.0;
        g.fill_with(&mut || {
            k += 0.37;
            f64::sin(k)
        })
    };
    let at = |h: f64| {
        let mut n = m.clone();
        n.add_scaled(h, &d);
        (n.loss(&x, &t).item(), n.mse(&x, &y).item())
    };
    let h = 1e-5;
    let fd = (at(h).0 - at(-h).0) / (2.0 * h);
    assert!((g.dot(&d) - fd).abs() < 1e-8, "{} {fd}", g.dot(&d));
    let (gm, _, _) = m.mse_grad(&x, &y);
    let fd = (at(h).1 - at(-h).1) / (2.0 * h);
    assert!((gm.dot(&d) - fd).abs() < 1e-8, "{} {fd}", gm.dot(&d));
    let zero = x.zero_tangent();
    let (_, tangent) = m.loss_jvp(&d, (&x, &zero), &t);
    assert!((tangent.item() - g.dot(&d)).abs() < 1e-11);
}

#[differentiable]
fn constant_receiver(
    w: &Tensor![f64; 3, 2],
    #[constant] x: &Tensor![f64; Batch, 3],
) -> Tensor![f64;] {
    let y = x.matmul(w);
    (&y * &y).sum()
}

#[differentiable(wrt(w))]
fn without_data(w: &Tensor![f64; 3, 2], x: &Tensor![f64; Batch, 3]) -> Tensor![f64;] {
    x.matmul(w).tanh().sum()
}

#[test]
fn data_is_constant() {
    let w: Tensor![f64; 3, 2] = Tensor::randn(1);
    let x: Tensor![f64; Batch, 3] = Tensor::randn_with((Batch(4), Sz), 2);
    let g: Tensor![f64; 3, 2] = constant_receiver::grad(&w, &x);
    let expected = x.transpose::<0, 1>().matmul(&x.matmul(&w)) * 2.0;
    for (a, b) in g.to_vec().iter().zip(expected.to_vec()) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
    let (_, tangent) = without_data::jvp((&w, &g), &x);
    let slope = without_data::grad(&w, &x).dot(&g);
    assert!((tangent.item() - slope).abs() < 1e-11);
}

#[differentiable]
fn deep(w: &Tensor![f64; 3, 3], x: &Tensor![f64; Batch, 3], n: usize) -> Tensor![f64;] {
    let mut h = x.clone();
    for i in 0..n {
        h = h.matmul(w).tanh();
        if i % 2 == 0 {
            h = &h * 0.5 + x;
        }
    }
    h.mean()
}

#[test]
fn loops_over_tensors() {
    let w: Tensor![f64; 3, 3] = Tensor::randn(1);
    let x: Tensor![f64; Batch, 3] = Tensor::randn_with((Batch(4), Sz), 2);
    let (gw, gx) = deep::grad(&w, &x, 5);
    let h = 1e-5;
    let at = |h: f64| {
        let (mut w, mut x) = (w.clone(), x.clone());
        w.add_scaled(h, &gw);
        x.add_scaled(h, &gx);
        deep(&w, &x, 5).item()
    };
    let slope = (at(h) - at(-h)) / (2.0 * h);
    let expected = gw.dot(&gw) + gx.dot(&gx);
    assert!(
        (slope - expected).abs() < 1e-8 * (1.0 + expected),
        "{slope} {expected}"
    );
    let (_, t) = deep::jvp((&w, &gw), (&x, &gx), 5);
    assert!((t.item() - expected).abs() < 1e-11);
}
