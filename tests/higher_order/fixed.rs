//! Structs and enums whose numbers are `f64` or `f32`, with `#[differentiable(higher_order)]`.

use crate::near;
use differentiable::ad::{Tangent, check_grads};
use differentiable::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
pub struct Damper {
    pub rate: f64,
    #[constant]
    pub label: String,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
pub struct Spring {
    pub k: f64,
    pub rest: f64,
    pub masses: Vec<f64>,
    pub at: [f64; 2],
    pub damper: Damper,
    pub others: Vec<Damper>,
    pub pair: (f64, usize),
    pub maybe: Option<f64>,
    #[constant]
    pub weights: [f64; 2],
    pub index: usize,
    #[constant]
    pub name: String,
}

pub fn damper(rate: f64) -> Damper {
    Damper {
        rate,
        label: "oil".into(),
    }
}

pub fn spring() -> Spring {
    Spring {
        k: 1.3,
        rest: 0.4,
        masses: vec![0.5, 1.5, 0.7],
        at: [0.3, -0.8],
        damper: damper(0.6),
        others: vec![damper(0.2), damper(-0.9)],
        pair: (1.1, 2),
        maybe: Some(0.8),
        weights: [0.9, 1.7],
        index: 1,
        name: "first".into(),
    }
}

#[differentiable(higher_order)]
pub fn energy(s: &Spring, x: f64) -> f64 {
    let mut e = 0.5 * s.k * (x - s.rest).powi(2) + s.masses.iter().sum::<f64>() * s.at[0] * s.at[1];
    for i in 0..s.others.len() {
        let d = &s.others[i];
        e += d.rate * d.rate * s.weights[i] * s.damper.rate.exp() * s.masses[i];
    }
    if let Some(m) = s.maybe {
        e += m.sin() * s.pair.0 * s.pair.1 as f64;
    }
    e + s.masses[s.index].powi(3) * x
}

/// Two directions that have nothing to do with one another.
pub fn directions<T: differentiable::ad::Differentiable>(value: &T) -> [T::Tangent; 2] {
    let mut k = 0.0;
    let mut next = || {
        k += 1.0;
        f64::sin(3.0 * k)
    };
    [0, 1].map(|_| value.zero_tangent().fill_with(&mut next))
}

#[test]
fn products_with_the_hessian() {
    let s = spring();
    let [v, u] = directions(&s);
    let (hv, hvx) = energy::hvp((&s, &v), (1.7, 0.4));
    let (hu, hux) = energy::hvp((&s, &u), (1.7, -0.9));
    // Symmetric.
    let (a, b) = (hv.dot(&u) - 0.9 * hvx, hu.dot(&v) + 0.4 * hux);
    near(a, b, 1e-12);
    // Central differences of the gradient.
    let at = |h: f64| {
        let mut moved = s.clone();
        moved.add_scaled(h, &v);
        let (gs, gx) = energy::grad(&moved, 1.7 + 0.4 * h);
        gs.dot(&u) - 0.9 * gx
    };
    near((at(1e-5) - at(-1e-5)) / 2e-5, a, 1e-7);
    // By hand: e = k (x - r)² / 2.
    let mut along_k = s.zero_tangent();
    along_k.k = 1.0;
    let (h, by_x) = energy::hvp((&s, &along_k), (1.7, 0.0));
    near(h.rest, -(1.7 - 0.4), 1e-14);
    near(by_x, 1.7 - 0.4, 1e-14);
    near(h.k, 0.0, 0.0);
    check_grads::<energy, _>(&(s, 1.7)).unwrap();
}

#[test]
fn rows_of_a_hessian() {
    let s = spring();
    let (rows, last) = energy::hessian(&s, 1.7);
    // k, rest, three masses, at, the damper, two others, the pair, maybe.
    assert_eq!(rows.len(), 2 + 3 + 2 + 1 + 2 + 1 + 1);
    near(rows[0].0.rest, -1.3, 1e-14);
    near(rows[1].0.k, -1.3, 1e-14);
    near(last.0.k, 1.3, 1e-14);
    let (gradient, product) = energy::grad_and_hvp((&s, &s.zero_tangent()), (1.7, 1.0));
    assert_eq!(gradient, energy::grad(&s, 1.7));
    assert_eq!(product, last);
    let (value, along) = energy::linearize(&s, 1.7);
    near(value, energy(&s, 1.7), 0.0);
    let [v, _] = directions(&s);
    near(along(&v, 0.3), gradient.0.dot(&v) + 0.3 * gradient.1, 1e-13);
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
pub struct Point(pub f64, pub f64);

/// The types have no scalar in their names.
#[differentiable(higher_order)]
fn turned(p: Point, by: &Point) -> Point {
    Point(p.0 * by.0 - p.1 * by.1, p.0 * by.1 + p.1 * by.0)
}

#[differentiable(higher_order)]
fn squared(p: Point) -> f64 {
    let q = turned(p, &p);
    let Point(x, y) = q;
    x * x + y
}

#[test]
fn structs_out_of_functions() {
    let p = Point(0.7, -0.4);
    // x = a² - b², y = 2 a b: x² + y.
    let (a, b) = (p.0, p.1);
    let rows = squared::hessian(p);
    near(rows[0].0, 12.0 * a * a - 4.0 * b * b, 1e-13);
    near(rows[0].1, -8.0 * a * b + 2.0, 1e-13);
    near(rows[1].0, -8.0 * a * b + 2.0, 1e-13);
    near(rows[1].1, 12.0 * b * b - 4.0 * a * a, 1e-13);
    let by = Point(1.2, 0.3);
    for rows in [
        turned::jacobian(p, &by),
        turned::jacobian_fwd(p, &by),
        turned::jacobian_rev(p, &by),
    ] {
        assert_eq!(rows.len(), 2);
        assert_eq!(
            rows[0],
            (PointTangent(by.0, -by.1), PointTangent(p.0, -p.1))
        );
        assert_eq!(rows[1], (PointTangent(by.1, by.0), PointTangent(p.1, p.0)));
    }
}

/// Named nowhere as a type.
#[differentiable(higher_order)]
fn made_inside(k: f64, x: f64) -> f64 {
    let s = Damper {
        rate: k * x,
        label: String::from("x"),
    };
    let t = Damper {
        rate: s.rate * x,
        ..s
    };
    t.rate * t.rate
}

#[test]
fn literals() {
    // k² x⁴
    let ((kk, kx), (_, xx)) = made_inside::hessian(0.7, 1.3);
    near(kk, 2.0 * 1.3_f64.powi(4), 1e-14);
    near(kx, 8.0 * 0.7 * 1.3_f64.powi(3), 1e-14);
    near(xx, 12.0 * 0.49 * 1.69, 1e-14);
}

/// A gradient by a struct inside.
#[differentiable(higher_order)]
fn steepness(s: &Spring, x: f64) -> f64 {
    let (g, by_x) = energy::grad(s, x);
    let mut all = g.k * g.rest + by_x * by_x * g.damper.rate;
    for i in 0..g.masses.len() {
        all += g.masses[i] * g.masses[i] * s.k;
    }
    all
}

#[test]
fn gradients_inside() {
    let s = spring();
    check_grads::<steepness, _>(&(s.clone(), 1.7)).unwrap();
    let [v, u] = directions(&s);
    let (hv, hvx) = steepness::hvp((&s, &v), (1.7, 0.4));
    let at = |h: f64| {
        let mut moved = s.clone();
        moved.add_scaled(h, &v);
        let (gs, gx) = steepness::grad(&moved, 1.7 + 0.4 * h);
        gs.dot(&u) - 0.9 * gx
    };
    near((at(1e-5) - at(-1e-5)) / 2e-5, hv.dot(&u) - 0.9 * hvx, 1e-6);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
struct World {
    springs: Vec<Spring>,
    origin: Point,
}

/// No float in the signature: that of the body.
#[differentiable(higher_order)]
fn total(w: &World, p: &Point) -> f64 {
    let mut e = 0.0;
    for i in 0..w.springs.len() {
        let s = &w.springs[i];
        e += energy(s, p.0 * w.origin.1) * s.k;
    }
    e * p.1
}

#[test]
fn several_structs_and_structs_of_structs() {
    let mut second = spring();
    second.k = 0.6;
    let w = World {
        springs: vec![spring(), second],
        origin: Point(0.5, 1.5),
    };
    let p = Point(0.8, -1.1);
    let ([v, u], [vp, up]) = (directions(&w), directions(&p));
    let (hv, hp) = total::hvp((&w, &v), (&p, &vp));
    let at = |h: f64| {
        let (mut moved, mut q) = (w.clone(), p);
        moved.add_scaled(h, &v);
        q.add_scaled(h, &vp);
        let (gw, gp) = total::grad(&moved, &q);
        gw.dot(&u) + gp.dot(&up)
    };
    near(
        (at(1e-5) - at(-1e-5)) / 2e-5,
        hv.dot(&u) + hp.dot(&up),
        1e-6,
    );
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
struct Grid<const N: usize> {
    at: [f32; N],
    scale: f32,
}

#[differentiable(higher_order)]
fn rough<const N: usize>(g: &Grid<N>) -> f32 {
    let mut s = 0.0;
    for i in 1..N {
        let d = g.at[i] - g.at[i - 1];
        s += d * d * g.scale;
    }
    let t = Grid { at: g.at, scale: s };
    t.scale * t.scale
}

#[differentiable(higher_order)]
fn of_three(g: Grid<3>) -> f32 {
    let Grid { at, scale } = g;
    let twice: Grid<3> = Grid {
        at,
        scale: scale * scale,
    };
    rough(&twice)
}

#[test]
fn const_parameters_in_single_precision() {
    let g = Grid {
        at: [0.3, 0.9, 0.2],
        scale: 1.5,
    };
    let rows = of_three::hessian(g.clone());
    assert_eq!(rows.len(), 4);
    let d = 0.36_f32 + 0.49;
    // scale⁴ d²
    near(
        f64::from(rows[3].scale),
        f64::from(12.0 * 2.25 * d * d),
        1e-5,
    );
    let mut v = g.zero_tangent();
    v.scale = 1.0;
    let h = rough::hvp((&g, &v));
    near(f64::from(h.scale), f64::from(2.0 * d * d), 1e-5);
    near(f64::from(h.at[0]), f64::from(-8.0 * 0.6 * d * 1.5), 1e-5);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
enum Shape {
    Circle { r: f64 },
    Rectangle(f64, f64),
    Made(Point, #[constant] f64),
    Nothing,
}

#[differentiable(higher_order)]
fn area(s: &Shape, scale: f64) -> f64 {
    match s {
        Shape::Circle { r } => std::f64::consts::PI * r * r * scale,
        Shape::Rectangle(a, b) => a * b * scale * scale,
        Shape::Made(p, c) => p.0 * p.0 * c * scale,
        Shape::Nothing => 0.0,
    }
}

#[differentiable(higher_order)]
fn grown(s: &Shape, k: f64) -> f64 {
    let t: Shape = match s {
        Shape::Circle { r } => Shape::Rectangle(*r, r * k),
        Shape::Rectangle(a, _) if *a > 1.0 => Shape::Circle { r: a * k },
        Shape::Nothing => Shape::Nothing,
        _ => Shape::Made(Point(k, k), 2.0),
    };
    area(&t, k) + if matches!(s, Shape::Nothing) { k } else { 0.0 }
}

#[test]
fn enums() {
    let (s, v) = (
        Shape::Rectangle(2.0, 3.0),
        ShapeTangent::Rectangle(1.0, 0.0),
    );
    let (h, k) = area::hvp((&s, &v), (1.5, 0.0));
    assert_eq!(h, ShapeTangent::Rectangle(0.0, 2.25));
    near(k, 9.0, 1e-14);
    let (h, _) = area::hvp(
        (
            &Shape::Made(Point(2.0, 1.0), 3.0),
            &ShapeTangent::Made(PointTangent(1.0, 5.0), ()),
        ),
        (0.5, 0.0),
    );
    assert_eq!(h, ShapeTangent::Made(PointTangent(3.0, 0.0), ()));
    // r² k³
    let (rows, last) = grown::hessian(&Shape::Circle { r: 2.0 }, 0.5);
    assert_eq!(rows[0].0, ShapeTangent::Circle { r: 2.0 * 0.125 });
    near(last.1, 4.0 * 6.0 * 0.5, 1e-14);
    // 2 k³
    near(
        grown::hessian(&Shape::Rectangle(0.5, 0.5), 0.5).1.1,
        12.0 * 0.5,
        1e-14,
    );
    near(grown::hessian(&Shape::Nothing, 0.5).1.1, 0.0, 0.0);
}

#[differentiable(higher_order)]
fn stretch(s: &mut Spring, by: f64) {
    s.k *= by * by;
    s.at[0] += s.k;
    for m in &mut s.masses {
        *m *= by;
    }
    s.damper = Damper {
        rate: by * s.damper.rate,
        label: String::new(),
    };
}

#[differentiable(higher_order)]
fn stretched(s: &Spring, by: f64) -> f64 {
    let mut t = s.clone();
    stretch(&mut t, by);
    energy(&t, by)
}

#[test]
fn changed_through_a_reference() {
    let s = spring();
    let [v, u] = directions(&s);
    let (hv, hvx) = stretched::hvp((&s, &v), (1.2, 0.4));
    let at = |h: f64| {
        let mut moved = s.clone();
        moved.add_scaled(h, &v);
        let (gs, gx) = stretched::grad(&moved, 1.2 + 0.4 * h);
        gs.dot(&u) - 0.9 * gx
    };
    near((at(1e-5) - at(-1e-5)) / 2e-5, hv.dot(&u) - 0.9 * hvx, 1e-6);
}

/// `Vec`s and tuples of structs as arguments and results.
#[differentiable(higher_order)]
fn around(points: &[Point], all: (Point, f64)) -> Vec<Point> {
    let mut out: Vec<Point> = Vec::new();
    for i in 0..points.len() {
        let (p, k) = (points[i], all.1);
        out.push(turned(p, &all.0));
        out.push(Point(p.0 * k, k));
    }
    out
}

#[test]
fn jacobians_of_sequences() {
    let points = [Point(0.1, 0.2), Point(-0.4, 0.9)];
    let all = (Point(0.6, -0.3), 1.4);
    let (forward, reverse) = (
        around::jacobian_fwd(&points, all),
        around::jacobian_rev(&points, all),
    );
    assert_eq!(forward.len(), 4);
    assert_eq!(forward, reverse);
    assert_eq!(forward[3][0].0[1], PointTangent(1.4, 0.0));
    assert_eq!(forward[3][1].1, (PointTangent(0.0, 0.0), 1.0));
    assert_eq!(around::jacobian(&points, all), forward);
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
enum Tree {
    Leaf(f64),
    Sum(Box<Tree>, Box<Tree>),
    Product(Box<Tree>, Box<Tree>),
}

#[differentiable(higher_order)]
fn value(t: &Tree) -> f64 {
    match t {
        Tree::Leaf(x) => *x,
        Tree::Sum(a, b) => value(a) + value(b),
        Tree::Product(a, b) => value(a) * value(b),
    }
}

#[test]
fn trees() {
    let leaf = |x: f64| Box::new(Tree::Leaf(x));
    // (x + y) x
    let t = Tree::Product(Box::new(Tree::Sum(leaf(2.0), leaf(3.0))), leaf(4.0));
    let v = TreeTangent::Product(
        Box::new(TreeTangent::Sum(
            Box::new(TreeTangent::Leaf(1.0)),
            Box::new(TreeTangent::Leaf(0.0)),
        )),
        Box::new(TreeTangent::Leaf(1.0)),
    );
    let h = value::hvp((&t, &v));
    let TreeTangent::Product(sum, last) = h else {
        panic!()
    };
    let TreeTangent::Sum(x, y) = *sum else {
        panic!()
    };
    assert!(matches!(*x, TreeTangent::Leaf(1.0)) && matches!(*y, TreeTangent::Leaf(1.0)));
    assert!(matches!(*last, TreeTangent::Leaf(1.0)));
    assert_eq!(value::hessian(&t).len(), 3);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
struct List {
    head: f64,
    tail: Vec<List>,
    spring: Option<Damper>,
}

#[differentiable(higher_order)]
fn sum_of(l: &List, k: f64) -> f64 {
    let mut s = l.head * l.head * k;
    for i in 0..l.tail.len() {
        s += sum_of(&l.tail[i], k * l.head);
    }
    if let Some(d) = &l.spring {
        s *= d.rate;
    }
    s
}

#[test]
fn lists() {
    let end = List {
        head: 3.0,
        tail: vec![],
        spring: None,
    };
    let l = List {
        head: 2.0,
        tail: vec![end.clone(), end],
        spring: Some(damper(0.5)),
    };
    let mut v = l.zero_tangent();
    v.head = 1.0;
    // (2 k h + 18 k) d: with h² k + 2 · 9 k h.
    let (h, k) = sum_of::hvp((&l, &v), (1.5, 0.0));
    near(h.head, 2.0 * 1.5 * 0.5, 1e-14);
    near(k, (4.0 + 18.0) * 0.5, 1e-14);
    near(h.spring.unwrap().rate, 1.5 * (4.0 + 18.0), 1e-13);
    near(h.tail[1].head, 6.0 * 1.5 * 0.5, 1e-14);
}

#[differentiable(higher_order)]
fn held(s: &Damper, x: f64) -> f64 {
    let t = stop_gradient(s.clone());
    let r = no_grad!(s.rate.sin());
    t.rate * s.rate * s.rate * x + r * x * x
}

#[test]
fn what_is_held() {
    let s = damper(0.7);
    let (rows, last) = held::hessian(&s, 1.5);
    near(rows[0].0.rate, 2.0 * 0.7 * 1.5, 1e-14);
    near(rows[0].1, 2.0 * 0.49, 1e-14);
    near(last.1, 2.0 * 0.7_f64.sin(), 1e-14);
}
