//! Recursion over a tree of expressions with boxes.

use crate::{RECURSION, measure};
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
enum Node {
    Leaf {
        weight: f64,
    },
    Pair {
        left: Box<Node>,
        right: Box<Node>,
        gate: f64,
    },
}

#[differentiable]
impl Node {
    fn value(&self, x: f64) -> f64 {
        match self {
            Node::Leaf { weight } => weight * x,
            Node::Pair { left, right, gate } => {
                let (a, b) = (left.value(x), right.value(x * gate));
                a + gate * b / (1.0 + a * a)
            }
        }
    }
}

/// The value, and what the reverse needs, in the order of the calls.
fn forward(node: &Node, x: f64, kept: &mut Vec<[f64; 2]>) -> f64 {
    match node {
        Node::Leaf { weight } => weight * x,
        Node::Pair { left, right, gate } => {
            let a = forward(left, x, kept);
            let b = forward(right, x * gate, kept);
            kept.push([a, b]);
            a + gate * b / (1.0 + a * a)
        }
    }
}

fn by_hand(tree: &Node, x: f64) -> (f64, f64, Vec<f64>) {
    let mut kept = Vec::new();
    let value = forward(tree, x, &mut kept);
    let mut d = Vec::new();
    let d_x = reverse(tree, x, 1.0, &mut kept, &mut d);
    (value, d_x, d)
}

/// Adds the cotangents of the nodes to the end of `d`, right before left, and returns that of `x`.
fn reverse(node: &Node, x: f64, ct: f64, kept: &mut Vec<[f64; 2]>, d: &mut Vec<f64>) -> f64 {
    match node {
        Node::Leaf { weight } => {
            d.push(ct * x);
            ct * weight
        }
        Node::Pair { left, right, gate } => {
            let [a, b] = kept.pop().expect("as many as were kept");
            let below = 1.0 / (1.0 + a * a);
            let d_b = ct * gate * below;
            let d_a = ct * (1.0 - 2.0 * gate * a * b * below * below);
            let place = d.len();
            d.push(ct * b * below);
            let d_inner = reverse(right, x * gate, d_b, kept, d);
            d[place] += d_inner * x;
            d_inner * gate + reverse(left, x, d_a, kept, d)
        }
    }
}

/// The gradient in the order of [`reverse`].
fn flat(tangent: &NodeTangent, to: &mut Vec<f64>) {
    match tangent {
        NodeTangent::Leaf { weight } => to.push(*weight),
        NodeTangent::Pair { left, right, gate } => {
            to.push(*gate);
            flat(right, to);
            flat(left, to);
        }
    }
}

#[differentiable]
fn root(tree: &Node, x: f64) -> f64 {
    tree.value(x)
}

pub fn run() {
    fn grown(depth: usize, id: &mut f64) -> Node {
        *id += 1.0;
        let number = 0.6 + 0.3 * id.sin();
        match depth {
            0 => Node::Leaf { weight: number },
            _ => {
                let (left, right) = (grown(depth - 1, id), grown(depth - 1, id));
                Node::Pair {
                    left: Box::new(left),
                    right: Box::new(right),
                    gate: number,
                }
            }
        }
    }
    let tree = grown(10, &mut 0.0);
    measure(
        "a tree of 2047 nodes, recursion",
        RECURSION,
        || root(&tree, 1.3),
        || by_hand(&tree, 1.3),
        || root::value_and_grad(&tree, 1.3),
        |hand, (value, (d_tree, d_x))| {
            let mut ours = vec![*value, *d_x];
            flat(d_tree, &mut ours);
            ([&[hand.0, hand.1], &hand.2[..]].concat(), ours)
        },
    );
}
