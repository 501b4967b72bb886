//! Generic structs and enums as arguments.

use differentiable::ad::Scalar;
use differentiable::ad::Tangent;
use differentiable::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Body<T> {
    at: [T; 2],
    mass: T,
    #[constant]
    name: String,
    #[constant]
    charge: T,
    index: usize,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct System<T: Scalar> {
    bodies: Vec<Body<T>>,
    stiffness: T,
}

fn system() -> System<f64> {
    let body = |k: usize, x: f64, y: f64| Body {
        at: [x, y],
        mass: 1.0 + 0.5 * k as f64,
        name: format!("body {k}"),
        charge: 0.3,
        index: k,
    };
    System {
        bodies: vec![body(0, 0.1, 0.7), body(1, 1.2, -0.3), body(2, -0.8, 0.2)],
        stiffness: 1.3,
    }
}

#[differentiable(higher_order)]
fn energy(s: &System<f64>, g: f64) -> f64 {
    let mut e = 0.0;
    for i in 0..s.bodies.len() {
        let b = &s.bodies[i];
        e += g * b.mass * b.at[1] * b.charge + b.index as f64 * b.at[0];
        for j in 0..i {
            let c = &s.bodies[j];
            let (dx, dy) = (b.at[0] - c.at[0], b.at[1] - c.at[1]);
            e += 0.5 * s.stiffness * (dx * dx + dy * dy).sqrt() + b.mass * c.mass / (1.0 + dx * dx);
        }
    }
    e
}

#[test]
fn of_a_system() {
    let s = system();
    let mut k = 0.0;
    let mut next = || {
        k += 1.0;
        f64::sin(3.0 * k)
    };
    let (v, u) = (
        s.zero_tangent().fill_with(&mut next),
        s.zero_tangent().fill_with(&mut next),
    );
    let (hv, hvg) = energy::hvp((&s, &v), (1.7, 0.4));
    let (hu, hug) = energy::hvp((&s, &u), (1.7, -0.9));
    // Symmetric.
    let (a, b) = (hv.dot(&u) - 0.9 * hvg, hu.dot(&v) + 0.4 * hug);
    assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()), "{a} {b}");
    // Central differences of the gradient.
    let at = |h: f64| {
        let mut moved = s.clone();
        moved.add_scaled(h, &v);
        let (gs, gg) = energy::grad(&moved, 1.7 + 0.4 * h);
        gs.dot(&u) - 0.9 * gg
    };
    let h = 1e-5;
    let difference = (at(h) - at(-h)) / (2.0 * h);
    assert!(
        (difference - a).abs() < 1e-7 * (1.0 + a.abs()),
        "{difference} {a}"
    );
}

/// Generic itself: nothing is written twice.
#[differentiable(higher_order)]
fn moment<T: Scalar>(b: &Body<T>, k: T) -> T {
    let r = b.at[0] * b.at[0] + b.at[1] * b.at[1];
    b.mass * r.sqrt() * k * b.charge
}

#[test]
fn a_generic_function() {
    let b = system().bodies[1].clone();
    let mut v = b.zero_tangent();
    v.mass = 1.0;
    let (h, by_k) = moment::hvp((&b, &v), (2.0, 0.0));
    let r = (b.at[0] * b.at[0] + b.at[1] * b.at[1]).sqrt();
    assert!((h.at[0] - 2.0 * 0.3 * b.at[0] / r).abs() < 1e-14);
    assert!((by_k - 0.3 * r).abs() < 1e-14);
    assert_eq!(h.mass, 0.0);
}

dim!(Batch);

/// A parameter inside of a path: nothing of second order, and no error.
#[derive(Clone, Differentiable)]
struct Weights<B: Dim, I: Iterator<Item = f64>> {
    w: Tensor<(B, Sz<2>), f64>,
    #[constant]
    last: Option<I::Item>,
}

#[differentiable]
fn total(w: &Weights<Batch, std::vec::IntoIter<f64>>) -> Tensor![f64;] {
    w.w.sum()
}

#[test]
fn of_first_order_only() {
    let w = Weights::<_, std::vec::IntoIter<f64>> {
        w: Tensor::from_slice_with((Batch(1), Sz), &[1.0, 2.0]).unwrap(),
        last: None,
    };
    assert_eq!(total::grad(&w).w.to_vec(), [1.0, 1.0]);
    assert!(w.last.is_none());
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Shape<T> {
    Circle { r: T },
    Rectangle(T, T),
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Unit {
    Metre,
    Foot,
}

#[differentiable(higher_order)]
fn area(s: &Shape<f64>, unit: Unit) -> f64 {
    let scale = match unit {
        Unit::Metre => 1.0,
        Unit::Foot => 0.3048,
    };
    match s {
        Shape::Circle { r } => std::f64::consts::PI * r * r * scale,
        Shape::Rectangle(a, b) => a * b * scale * scale,
    }
}

#[test]
fn enums() {
    let s = Shape::Rectangle(2.0, 3.0);
    let v = ShapeTangent::Rectangle(1.0, 0.0);
    let (h, ()) = area::hvp((&s, &v), (Unit::Metre, ()));
    assert_eq!(h, ShapeTangent::Rectangle(0.0, 1.0));
    let s = Shape::Circle { r: 2.0 };
    let (h, ()) = area::hvp((&s, &ShapeTangent::Circle { r: 1.0 }), (Unit::Foot, ()));
    assert_eq!(
        h,
        ShapeTangent::Circle {
            r: 2.0 * std::f64::consts::PI * 0.3048
        }
    );
}

#[differentiable(higher_order)]
impl<T: Scalar> Body<T> {
    fn speed(&self, k: T) -> T {
        self.mass * k * self.at[0].sin() * self.at[1] * self.charge
    }

    /// Calls a method, by which the derivative goes on.
    fn twice(&self, k: T, n: usize) -> T {
        let mut s = T::ZERO;
        for _ in 0..n {
            s += self.speed(k) * k;
        }
        s
    }
}

#[test]
fn methods() {
    let b = system().bodies[2].clone();
    let mut v = b.zero_tangent();
    v.at = [1.0, 0.0];
    let (h, by_k) = b.twice_hvp(&v, (1.5, 0.0), 2);
    // 2 m k² sin(x) y q
    let (x, y, m, q) = (b.at[0], b.at[1], b.mass, b.charge);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-14, "{a} {b}");
    near(h.at[0], -2.0 * m * 2.25 * x.sin() * y * q);
    near(h.at[1], 2.0 * m * 2.25 * x.cos() * q);
    near(h.mass, 2.0 * 2.25 * x.cos() * y * q);
    near(by_k, 2.0 * m * 3.0 * x.cos() * y * q);
}

#[differentiable(higher_order)]
fn of_methods(b: &Body<f64>, k: f64) -> f64 {
    b.twice(k, 3) + b.speed(k).exp()
}

#[test]
fn methods_inside() {
    let b = system().bodies[2].clone();
    let mut v = b.zero_tangent();
    v.at = [0.3, -0.5];
    v.mass = 0.2;
    let (h, by_k) = of_methods::hvp((&b, &v), (0.9, 0.1));
    let at = |h: f64| {
        let mut moved = b.clone();
        moved.add_scaled(h, &v);
        of_methods::grad(&moved, 0.9 + 0.1 * h)
    };
    let ((up, k_up), (down, k_down)) = (at(1e-5), at(-1e-5));
    assert!(((k_up - k_down) / 2e-5 - by_k).abs() < 1e-8);
    for i in 0..2 {
        assert!(((up.at[i] - down.at[i]) / 2e-5 - h.at[i]).abs() < 1e-8);
    }
    let rows = of_methods::hessian(&b, 0.9);
    assert_eq!(rows.0.len(), 3);
    assert!((rows.0[1].0.at[0] - rows.0[0].0.at[1]).abs() < 1e-14);
}
