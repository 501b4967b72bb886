//! Products of matrices that are large enough for their values to be left out of products with Hessians
//! (`TensorAcc`): against differences of gradients, and against the products that are computed whole.

use super::tensors::far;
use differentiable::ad::{Differentiable, Tangent};
use differentiable::prelude::*;

type Square = Tensor![f64; 48, 48];

#[derive(Clone, Differentiable)]
#[differentiable(higher_order)]
struct Network {
    hidden: Tensor![f64; 60, 48],
    bias: Tensor![f64; 48],
    square: Square,
    /// Not used by every function.
    out: [Tensor![f64; 48, 40]; 2],
}

fn network(seed: u64) -> Network {
    Network {
        hidden: Tensor::randn(seed) * 0.2,
        bias: Tensor::randn(seed + 1),
        square: Tensor::randn(seed + 2) * 0.2,
        out: [Tensor::randn(seed + 3) * 0.2, Tensor::randn(seed + 4) * 0.2],
    }
}

/// Every weight once, and one matrix not at all.
#[differentiable(higher_order)]
fn once(net: &Network, #[constant] x: &Tensor![f64; 64, 60]) -> Tensor![f64;] {
    let h = (x.matmul(&net.hidden) + &net.bias).tanh();
    let h = h.matmul(&net.square).sigmoid();
    h.matmul(&net.out[1]).square().mean()
}

/// The same weights again and again, transposed, and beside their sum.
#[differentiable(higher_order)]
fn often(net: &Network, x: &Tensor![f64; 64, 60], steps: usize) -> Tensor![f64;] {
    let mut h = x.matmul(&net.hidden).tanh();
    for _ in 0..steps {
        h = h.matmul(&net.square).tanh();
    }
    let back = h.matmul(&net.square.transpose::<0, 1>());
    let flat = net.hidden.transpose::<0, 1>().matmul(&net.hidden);
    (back * &net.bias).sum()
        + (h.matmul(&net.out[0]) * h.matmul(&net.out[1])).sum()
        + 0.01 * flat.square().sum()
}

/// An argument that is another value from the first line on.
#[differentiable(higher_order(Tensor))]
fn rebound(
    mut w: Square,
    #[constant] x: &Tensor![f64; 48, 48],
    layers: &[Square],
) -> Tensor![f64;] {
    w = w.sin();
    let mut h = x.matmul(&w);
    w = w.matmul(&h.tanh());
    for layer in layers {
        h = h.matmul(layer).tanh();
    }
    (h * w).mean()
}

fn small(a: f64) {
    assert!(a < 1e-6, "{a}");
}

fn equal(a: &NetworkTangent, b: &NetworkTangent, bound: f64) {
    let errors = [
        far(&a.hidden, &b.hidden),
        far(&a.bias, &b.bias),
        far(&a.square, &b.square),
        far(&a.out[0], &b.out[0]),
        far(&a.out[1], &b.out[1]),
    ];
    assert!(errors.iter().all(|e| *e < bound), "{errors:?}");
}

fn direction(seed: u64) -> NetworkTangent {
    network(seed).difference(&network(seed + 20))
}

fn differences(at: impl Fn(f64) -> NetworkTangent) -> NetworkTangent {
    let h = 1e-5;
    Tangent::add(at(h), at(-h).scale(-1.0)).scale(0.5 / h)
}

#[test]
fn products_of_matrices_that_are_met_once() {
    let (net, along) = (network(1), direction(11));
    let x = Tensor::randn(7);
    let expected = differences(|h| {
        let mut moved = net.clone();
        moved.add_scaled(h, &along);
        once::grad(&moved, &x)
    });
    let product = once::hvp((&net, &along), &x);
    equal(&product, &expected, 1e-8);
    let (gradient, whole) = once::grad_and_hvp((&net, &along), &x);
    equal(&product, &whole, 1e-13);
    equal(&gradient, &once::grad(&net, &x), 1e-13);
    assert_eq!(product.out[0], Tensor::zeros());
}

#[test]
fn products_of_matrices_that_are_met_often() {
    let (net, along) = (network(2), direction(12));
    let x: Tensor![f64; 64, 60] = Tensor::randn(7);
    let t: Tensor![f64; 64, 60] = Tensor::randn(8);
    for steps in [0, 1, 3] {
        let moved = |h: f64| {
            let mut moved = net.clone();
            moved.add_scaled(h, &along);
            (moved, &x + &t * h)
        };
        let at = |h: f64| {
            let (net, x) = moved(h);
            often::grad(&net, &x, steps)
        };
        let ((up, x_up), (down, x_down)) = (at(1e-5), at(-1e-5));
        let expected = differences(|h| if h > 0.0 { up.clone() } else { down.clone() });
        let (product, by_x) = often::hvp((&net, &along), (&x, &t), steps);
        equal(&product, &expected, 1e-5);
        small(far(&by_x, &((x_up - x_down) / 2e-5)));
        let (_, (whole, whole_x)) = often::grad_and_hvp((&net, &along), (&x, &t), steps);
        equal(&product, &whole, 1e-11);
        assert!(far(&by_x, &whole_x) < 1e-12);
    }
}

#[test]
fn arguments_that_become_other_values_and_slices() {
    let (w, t, x): (Square, Square, Square) =
        (Tensor::randn(1), Tensor::randn(2), Tensor::randn(3) * 0.2);
    let layers: Vec<Square> = (4..6).map(|i| Tensor::randn(i) * 0.2).collect();
    let along: Vec<Square> = (6..8).map(Tensor::randn).collect();
    let at = |h: f64| {
        let moved: Vec<Square> = layers.iter().zip(&along).map(|(w, t)| w + t * h).collect();
        rebound::grad(&w + &t * h, &x, &moved)
    };
    let ((up, layers_up), (down, layers_down)) = (at(1e-5), at(-1e-5));
    let (by_w, by_layers) = rebound::hvp((w.clone(), t.clone()), &x, (&layers, &along));
    small(far(&by_w, &((up - down) / 2e-5)));
    assert_eq!(by_layers.len(), 2);
    for i in 0..2 {
        small(far(
            &by_layers[i],
            &((&layers_up[i] - &layers_down[i]) / 2e-5),
        ));
    }
    let (_, whole) = rebound::grad_and_hvp((w, t), &x, (&layers, &along));
    assert!(far(&by_w, &whole.0) < 1e-12 && far(&by_layers[1], &whole.1[1]) < 1e-12);
}

/// Where the left factor of the pullback does not change.
#[differentiable(higher_order(Tensor))]
fn linear(w: &Square, #[constant] x: &Square) -> Tensor![f64;] {
    x.matmul(w).square().sum()
}

#[test]
fn constant_factors() {
    let (w, t): (Square, Square) = (Tensor::randn(1), Tensor::randn(2));
    let x: Square = Tensor::randn(3);
    let expected = x.transpose::<0, 1>().matmul(&x.matmul(&t)) * 2.0;
    let product = linear::hvp((&w, &t), &x);
    assert!(far(&product, &expected) < 1e-11);
    let still = linear::hvp((&w, &Tensor::zeros()), &x);
    assert_eq!(still, Tensor::zeros());
}

/// How fast the loss grows along `v`: its product with a Hessian has third derivatives.
#[differentiable(higher_order(Tensor))]
fn slope(w: &Square, #[constant] x: &Square, #[constant] v: &Square) -> f64 {
    (cubic::grad(w, x) * v).sum().item()
}

#[differentiable(higher_order(Tensor))]
fn cubic(w: &Square, #[constant] x: &Square) -> Tensor![f64;] {
    let h = x.matmul(w);
    (&h * &h * &h).mean()
}

#[test]
fn third_derivatives() {
    let (w, x, v): (Square, Square, Square) =
        (Tensor::randn(1), Tensor::randn(2), Tensor::randn(3));
    let u: Square = Tensor::randn(4);
    let (h, k, m) = (x.matmul(&w), x.matmul(&v), x.matmul(&u));
    let turned = x.transpose::<0, 1>();
    let size = 48.0 * 48.0;
    let by_w = slope::grad(&w, &x, &v);
    assert!(far(&by_w, &(turned.matmul(&(&h * &k)) * (6.0 / size))) < 1e-12);
    let product = slope::hvp((&w, &u), &x, &v);
    assert!(far(&product, &(turned.matmul(&(&m * &k)) * (6.0 / size))) < 1e-12);
}

/// By methods, of layers that are generic over their element.
#[derive(Clone, Differentiable)]
struct Layers<T: Float = f64> {
    hidden: Linear<40, 64, T>,
    out: Linear<64, 3, T>,
}

#[differentiable(higher_order)]
impl<T: Float> Layers<T> {
    fn loss(&self, #[constant] x: &Tensor![T; 50, 40], y: &Tensor![i64; 50]) -> Tensor![T;] {
        self.out
            .forward(&self.hidden.forward(x).tanh())
            .cross_entropy(y)
    }
}

#[test]
fn methods() {
    let seeds = &mut Seeds::new(1);
    let net = Layers::<f64> {
        hidden: Linear::new(seeds),
        out: Linear::new(seeds),
    };
    let x = Tensor::randn(2);
    let y = Tensor::from_slice(&(0..50).map(|i| i % 3).collect::<Vec<_>>()).unwrap();
    let along = net.loss_grad(&x, &y);
    let product = net.loss_hvp(&along, &x, &y);
    let at = |h: f64| {
        let mut moved = net.clone();
        moved.add_scaled(h, &along);
        moved.loss_grad(&x, &y)
    };
    let expected = Tangent::add(at(1e-5), at(-1e-5).scale(-1.0)).scale(0.5e5);
    small(far(&product.hidden.weight, &expected.hidden.weight));
    small(far(&product.out.weight, &expected.out.weight));
    let (gradient, whole) = net.loss_grad_and_hvp(&along, &x, &y);
    assert!(far(&product.hidden.weight, &whole.hidden.weight) < 1e-13);
    assert!(far(&gradient.hidden.weight, &along.hidden.weight) < 1e-14);
}
