//! Functions that call themselves.

use crate::check;
use differentiable::ad;
use differentiable::prelude::*;

#[differentiable]
fn power(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[differentiable]
fn tree(x: f64, y: f64, depth: usize) -> f64 {
    if depth == 0 {
        return x.sin() * y;
    }
    tree(x * y, y, depth - 1) + tree(x + 0.1, y * 0.9, depth - 1)
}

#[differentiable]
fn halves(x: &[f64]) -> f64 {
    let n = x.len();
    if n == 0 {
        return 0.0;
    }
    if n == 1 {
        return x[0] * x[0];
    }
    halves(&x[..n / 2]) + 2.0 * halves(&x[n / 2..])
}

#[differentiable]
fn generic<const N: usize>(x: [f64; N], n: usize) -> f64 {
    if n == N {
        0.0
    } else {
        x[n] * x[n] + 0.5 * generic::<N>(x, n + 1)
    }
}

#[test]
fn recursion() {
    check::<power, _>(&(1.3, 5));
    assert_eq!(power::grad(2.0, 3), 12.0);
    check::<tree, _>(&(0.4, 1.1, 4));
    check::<halves, _>(&(vec![0.3, 1.2, 0.4, -0.7, 2.0],));
    assert_eq!(generic::grad([1.0, 2.0, 3.0], 0), [2.0, 2.0, 1.5]);
    assert_eq!(power::grad(1.0, 2000), 2000.0);
}

#[derive(Clone, Debug, Differentiable)]
enum Tree {
    Leaf(f64),
    Node {
        left: Box<Tree>,
        right: Box<Tree>,
        weight: f64,
    },
}

#[differentiable]
impl Tree {
    fn sum(&self, x: f64) -> f64 {
        match self {
            Tree::Leaf(v) => v * x,
            Tree::Node {
                left,
                right,
                weight,
            } => weight * left.sum(x * 0.9) + right.sum(x).sin(),
        }
    }

    fn through_path(&self, x: f64) -> f64 {
        match self {
            Tree::Leaf(v) => *v,
            Tree::Node { left, right, .. } => {
                Self::through_path(left, x) * Tree::through_path(right, x) + x
            }
        }
    }
}

#[differentiable]
fn tree_value(t: &Tree, x: f64) -> f64 {
    t.sum(x) * t.through_path(x)
}

#[derive(Clone, Debug, Differentiable)]
struct Inner<T> {
    gain: T,
}

#[differentiable]
impl<T: ad::Scalar> Inner<T> {
    fn forward(&self, x: T) -> T {
        self.gain * x
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Outer<T> {
    first: Inner<T>,
    second: Inner<T>,
}

#[differentiable]
impl<T: ad::Scalar> Outer<T> {
    fn forward(&self, x: T) -> T {
        let h = self.first.forward(x);
        self.second.forward(h * h)
    }
}

#[differentiable]
fn layered(net: &Outer<f64>, x: f64) -> f64 {
    net.forward(x) + net.first.forward(x)
}

#[test]
fn methods_of_the_same_name() {
    let leaf = |v| Box::new(Tree::Leaf(v));
    let tree = Tree::Node {
        left: Box::new(Tree::Node {
            left: leaf(0.3),
            right: leaf(1.2),
            weight: 0.7,
        }),
        right: leaf(-0.4),
        weight: 1.1,
    };
    check::<tree_value, _>(&(tree, 0.8));
    let net = Outer {
        first: Inner { gain: 0.7 },
        second: Inner { gain: 1.3 },
    };
    check::<layered, _>(&(net, 0.9));
}

#[differentiable(boxed)]
fn even(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { odd(x * 1.1, n - 1).sin() }
}

#[differentiable]
fn odd(x: f64, n: usize) -> f64 {
    if n == 0 { x * x } else { even(x, n - 1) * x }
}

#[test]
fn mutual_recursion() {
    check::<even, _>(&(0.7, 5));
    check::<odd, _>(&(0.7, 4));
}
