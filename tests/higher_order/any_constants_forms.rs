//! Constants of any type over any scalar: by value, behind `Rc` and `Box<dyn ..>`, aliases, trees, type parameters.

use crate::any_constants::{slope, slopes};
use crate::near;
use differentiable::prelude::*;
use std::collections::HashMap;
use std::rc::Rc;

type Vec3 = [f64; 3];
#[derive(Clone, Copy, Debug, PartialEq)]
struct Plain(f64, usize);
#[derive(Clone, Debug)]
struct Node {
    value: f64,
    children: Vec<Node>,
    tag: Option<Plain>,
}
trait Profile {
    fn at(&self, t: f64) -> f64;
}
struct Lin(f64);
impl Profile for Lin {
    fn at(&self, t: f64) -> f64 {
        self.0 * t
    }
}
#[differentiable(higher_order)]
fn tree(x: f64, #[constant] n: &Node) -> f64 {
    let mut s = n.value * x;
    if let Some(Plain(k, m)) = &n.tag {
        s += k * x * x * *m as f64;
    }
    for c in &n.children {
        s += tree(x * 0.5, c) * x;
    }
    s
}
#[differentiable(higher_order)]
fn byvalue(
    x: f64,
    #[constant] p: Plain,
    #[constant] o: Option<Plain>,
    #[constant] r: &Rc<Node>,
    #[constant] b: &Box<dyn Profile>,
    #[constant] centre: &Vec3,
) -> f64 {
    let mut w = p.0;
    w *= 2.0;
    let f = |y: f64| y * y * p.0 + centre[1] * y;
    let mut s = f(x) + w * x;
    if matches!(o, Some(Plain(k, _)) if k > 0.5) {
        s += x.exp();
    }
    let k = o.map(|q| q.0).unwrap_or(1.5);
    s += k * x * x + r.value * x.sin();
    let t = b.at(0.5);
    s += t * x * x;
    if p.1 > 3 {
        return s * centre[0];
    }
    let mut copy = centre.to_vec();
    copy[1] = x * copy[0];
    s += copy[1] * copy[2] * x;
    let mut stack = vec![r.as_ref()];
    while let Some(node) = stack.pop() {
        s += node.value * x * x * x;
        for c in &node.children {
            stack.push(c);
        }
    }
    s
}
#[differentiable(higher_order)]
fn generic<P: Profile>(x: f64, #[constant] p: &P, n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += p.at(i as f64 * 0.1) * x * x + p.at(0.7) * x;
    }
    s
}
#[differentiable(higher_order)]
fn parts(x: &[f64], #[constant] list: &[Plain], #[constant] m: &HashMap<usize, Vec<f64>>) -> f64 {
    let mut s = 0.0;
    for (i, Plain(k, j)) in list.iter().enumerate() {
        s += k * x[*j] * x[i];
    }
    for (p, v) in list.iter().zip(x) {
        s += p.0 * v * v * v;
    }
    let total: f64 = list.iter().map(|p| p.0).sum();
    let best = list.iter().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
    if let Some(ws) = m.get(&1) {
        for (w, v) in ws.iter().zip(x) {
            s += w * v * v;
        }
    }
    let ws = &m[&2];
    s += ws.iter().zip(x).map(|(w, v)| w * v.sin()).sum::<f64>();
    let idx = list.iter().position(|p| p.0 < 0.0).unwrap_or(0);
    s * total + best * x[idx]
}

fn node() -> Node {
    let leaf = Node {
        value: 0.4,
        children: vec![],
        tag: Some(Plain(0.7, 2)),
    };
    let inner = Node {
        value: -0.3,
        children: vec![leaf.clone()],
        tag: None,
    };
    Node {
        value: 1.1,
        children: vec![leaf, inner],
        tag: Some(Plain(0.2, 1)),
    }
}

#[test]
fn trees() {
    let n = node();
    near(tree::grad(0.8, &n), slope(|d| tree(0.8 + d, &n)), 1e-8);
    near(
        tree::hessian(0.8, &n),
        slope(|d| tree::grad(0.8 + d, &n)),
        1e-8,
    );
}

#[test]
fn of_every_form() {
    let (r, b) = (Rc::new(node()), Box::new(Lin(0.6)) as Box<dyn Profile>);
    let (o, c) = (Some(Plain(0.6, 2)), [0.3, 0.5, 0.7]);
    for p in [Plain(0.9, 1), Plain(0.9, 5)] {
        let g = |x| byvalue::grad(x, p, o, &r, &b, &c);
        near(g(0.8), slope(|d| byvalue(0.8 + d, p, o, &r, &b, &c)), 1e-8);
        near(
            byvalue::hessian(0.8, p, o, &r, &b, &c),
            slope(|d| g(0.8 + d)),
            1e-8,
        );
    }
    let g = |x| generic::grad(x, &Lin(0.6), 3);
    near(
        generic::hessian(0.8, &Lin(0.6), 3),
        slope(|d| g(0.8 + d)),
        1e-8,
    );
}

#[test]
fn sequences() {
    let l = [Plain(0.4, 1), Plain(-0.7, 0)];
    let m = HashMap::from([(1, vec![0.2, 0.3]), (2, vec![1.2, -0.3])]);
    slopes(
        &[0.4, 0.9],
        |x| parts(x, &l, &m),
        |x| parts::grad(x, &l, &m),
        |x| parts::hessian(x, &l, &m),
    );
}
