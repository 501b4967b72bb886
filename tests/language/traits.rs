//! Traits: required and default methods, generic code, several types.

use crate::{check, check_outputs};
use differentiable::prelude::*;

#[differentiable]
trait Shape {
    fn area(&self) -> f64;

    fn scaled(&self, k: f64) -> f64 {
        k * k * self.area()
    }

    #[no_grad]
    fn name(&self) -> String;

    fn sides() -> usize {
        0
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Disc {
    r: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Rect {
    w: f64,
    h: f64,
}

#[differentiable]
impl Shape for Disc {
    fn area(&self) -> f64 {
        std::f64::consts::PI * self.r * self.r
    }
    #[no_grad]
    fn name(&self) -> String {
        "disc".into()
    }
}

#[differentiable]
impl Shape for Rect {
    fn area(&self) -> f64 {
        self.w * self.h
    }
    fn scaled(&self, k: f64) -> f64 {
        self.w * k * self.h * k
    }
    #[no_grad]
    fn name(&self) -> String {
        "rectangle".into()
    }
    fn sides() -> usize {
        4
    }
}

#[differentiable]
fn concrete(d: &Disc, r: &Rect, k: f64) -> f64 {
    let label = no_grad!(d.name().len() + r.name().len());
    d.scaled(k) * r.area() + r.scaled(k) * label as f64
}

#[differentiable]
fn total<S: Shape + Differentiable>(shapes: &[S], k: f64) -> f64 {
    let mut sum = 0.0;
    for s in shapes {
        sum += s.area() * s.scaled(k);
    }
    sum * (S::sides() as f64 + k)
}

#[differentiable]
fn both(discs: &[Disc], rects: &[Rect], k: f64) -> f64 {
    total(discs, k) * total::<Rect>(rects, k * k)
}

#[test]
fn trait_methods() {
    let (d, r) = (Disc { r: 0.7 }, Rect { w: 1.2, h: 0.4 });
    check::<concrete, _>(&(d.clone(), r.clone(), 1.3));
    check::<both, _>(&(vec![d.clone(), Disc { r: 1.1 }], vec![r.clone()], 1.3));
    let (g, gk) = r.scaled_grad(2.0);
    assert_eq!(
        (g.w, g.h, gk),
        (0.4 * 4.0, 1.2 * 4.0, 2.0 * 2.0 * 1.2 * 0.4)
    );
    assert_eq!(r.name(), "rectangle");
}

#[differentiable]
trait Layer<const N: usize> {
    fn forward(&self, x: [f64; N]) -> [f64; N];
    fn update(&mut self, by: f64);
    fn twice(&self, x: [f64; N]) -> [f64; N] {
        self.forward(self.forward(x))
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Scale<const N: usize> {
    w: [f64; N],
}

#[differentiable]
impl<const N: usize> Layer<N> for Scale<N> {
    fn forward(&self, x: [f64; N]) -> [f64; N] {
        let mut y = [0.0; N];
        for i in 0..N {
            y[i] = (self.w[i] * x[i]).tanh();
        }
        y
    }
    fn update(&mut self, by: f64) {
        for w in self.w.iter_mut() {
            *w -= by * *w;
        }
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Pair<A, B> {
    first: A,
    second: B,
}

#[differentiable]
impl<const N: usize, A: Layer<N> + Differentiable, B: Layer<N> + Differentiable> Layer<N>
    for Pair<A, B>
{
    fn forward(&self, x: [f64; N]) -> [f64; N] {
        let h = self.first.forward(x);
        self.second.forward(h)
    }
    fn update(&mut self, by: f64) {
        self.first.update(by);
        self.second.update(by * 0.5);
    }
}

#[differentiable]
fn stacked(net: &Pair<Scale<2>, Pair<Scale<2>, Scale<2>>>, x: [f64; 2], by: f64) -> [f64; 2] {
    let mut net = net.clone();
    let y = net.twice(x);
    net.update(by);
    net.forward(y)
}

#[test]
fn generic_traits_and_layers_of_layers() {
    let s = |a, b| Scale { w: [a, b] };
    let net = Pair {
        first: s(0.3, 1.2),
        second: Pair {
            first: s(-0.7, 0.5),
            second: s(1.1, 0.9),
        },
    };
    check_outputs::<stacked, _>(&(net, [0.4, -0.8], 0.3));
}

#[differentiable]
fn apply<L>(layer: &L, x: f64) -> f64
where
    L: Layer<1> + Differentiable,
{
    layer.forward([x])[0]
}

#[test]
fn a_trait_bound_in_a_where_clause() {
    check::<apply, _>(&(Scale { w: [0.7] }, 0.4));
}
