//! `match`, `if let`, `while let` and `let else` on values that carry derivatives; enums with data.

use crate::check;
use differentiable::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Shape {
    Circle { r: f64 },
    Rect(f64, f64),
    Polygon(Vec<[f64; 2]>),
    Scaled(Box<Shape>, f64),
    Empty,
}

#[differentiable]
fn area(s: &Shape) -> f64 {
    match s {
        Shape::Circle { r } => std::f64::consts::PI * r * r,
        Shape::Rect(w, h) => w * h,
        Shape::Polygon(points) => {
            let mut twice = 0.0;
            for i in 0..points.len() {
                let j = (i + 1) % points.len();
                twice += points[i][0] * points[j][1] - points[j][0] * points[i][1];
            }
            0.5 * twice
        }
        Shape::Scaled(inner, by) => by * by * area(inner),
        Shape::Empty => 0.0,
    }
}

#[test]
fn a_match_on_an_enum_with_data() {
    check::<area, _>(&(Shape::Circle { r: 1.5 },));
    check::<area, _>(&(Shape::Rect(2.0, 0.3),));
    let points = vec![[0.0, 0.1], [2.0, 0.3], [1.2, 1.7]];
    check::<area, _>(&(Shape::Polygon(points),));
    let scaled = Shape::Scaled(Box::new(Shape::Rect(2.0, 0.3)), 1.7);
    check::<area, _>(&(scaled,));
    check::<area, _>(&(Shape::Empty,));
    let ShapeTangent::Rect(dw, dh) = area::grad(&Shape::Rect(2.0, 0.3)) else {
        panic!("the gradient has the variant of the value");
    };
    assert_eq!((dw, dh), (0.3, 2.0));
}

#[differentiable]
fn total_area(shapes: &[Shape], unit: f64) -> f64 {
    let mut total = 0.0;
    for s in shapes {
        total += match s {
            Shape::Circle { r } if *r < 1.0 => r.powi(4) * unit,
            Shape::Circle { r } => r * unit.sin(),
            Shape::Rect(w, _) | Shape::Scaled(_, w) => w * w * unit,
            _ => unit,
        };
    }
    total
}

#[test]
fn guards_and_alternatives_in_a_loop() {
    let shapes = vec![
        Shape::Circle { r: 0.5 },
        Shape::Rect(2.0, 3.0),
        Shape::Circle { r: 1.5 },
        Shape::Scaled(Box::new(Shape::Empty), 1.1),
        Shape::Empty,
    ];
    check::<total_area, _>(&(shapes, 0.7));
    check::<total_area, _>(&(vec![], 0.7));
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Activation {
    Relu,
    Leaky(f64),
    Power { exponent: u32, scale: f64 },
}

#[differentiable]
fn activate(a: Activation, x: f64) -> f64 {
    match a {
        Activation::Relu => x.max(0.0),
        Activation::Leaky(slope) => {
            if x > 0.0 {
                x
            } else {
                slope * x
            }
        }
        Activation::Power { exponent, scale } => scale * x.powi(exponent as i32),
    }
}

#[differentiable]
fn network(layers: &[Activation], x: f64) -> f64 {
    let mut h = x;
    for a in layers {
        h = activate(*a, h) + 0.1 * h;
    }
    h
}

#[test]
fn variants_by_value() {
    check::<activate, _>(&(Activation::Leaky(0.1), -0.7));
    check::<activate, _>(&(
        Activation::Power {
            exponent: 3,
            scale: 0.5,
        },
        1.3,
    ));
    check::<activate, _>(&(Activation::Relu, 1.3));
    let layers = vec![
        Activation::Leaky(0.2),
        Activation::Power {
            exponent: 2,
            scale: 1.5,
        },
        Activation::Relu,
    ];
    check::<network, _>(&(layers, -0.8));
}

#[differentiable]
fn built(x: f64, round: bool) -> f64 {
    let shape = if round {
        Shape::Circle { r: x.exp() }
    } else {
        Shape::Rect(x * x, x.sin())
    };
    area(&shape) + area(&Shape::Scaled(Box::new(shape.clone()), x))
}

#[test]
fn variants_are_built() {
    check::<built, _>(&(0.4, true));
    check::<built, _>(&(0.4, false));
}

#[differentiable]
fn changing(x: f64, n: usize) -> f64 {
    let mut state = Activation::Relu;
    let mut out = 0.0;
    for i in 0..n {
        state = match state {
            Activation::Relu => Activation::Leaky(x),
            Activation::Leaky(s) => Activation::Power {
                exponent: 2,
                scale: s * x,
            },
            Activation::Power { scale, .. } => {
                if i > 4 {
                    Activation::Relu
                } else {
                    Activation::Leaky(scale + 1.0)
                }
            }
        };
        out += activate(state, x - 1.0);
    }
    out
}

#[test]
fn a_variable_changes_its_variant() {
    for n in 0..9 {
        check::<changing, _>(&(0.3, n));
        check::<changing, _>(&(1.3, n));
    }
}

#[differentiable]
fn pairs(a: Option<f64>, b: Option<f64>, n: i32) -> f64 {
    match (a, b, n) {
        (Some(x), Some(y), 0) => x * y,
        (Some(x), None, _) | (None, Some(x), _) => x.sin(),
        (Some(x), Some(y), k) if k < 0 => x / y,
        (Some(x), Some(y), k) => x.powi(k) + y,
        (None, None, _) => 0.5,
    }
}

#[test]
fn tuples_are_matched_part_by_part() {
    for n in [-1, 0, 3] {
        check::<pairs, _>(&(Some(1.2), Some(0.7), n));
        check::<pairs, _>(&(Some(1.2), None, n));
        check::<pairs, _>(&(None, Some(1.2), n));
        check::<pairs, _>(&(None, None, n));
    }
}

#[differentiable]
fn piecewise(x: f64) -> f64 {
    match x {
        v if v < -1.0 => -2.0 * v - 1.0,
        -1.0..=1.0 => x * x,
        v => 2.0 * v.sqrt() - 1.0,
    }
}

#[test]
fn a_match_on_a_float() {
    for x in [-2.0, 0.3, 4.0] {
        check::<piecewise, _>(&(x,));
    }
}

#[differentiable]
fn slices(xs: &[f64]) -> f64 {
    match xs {
        [] => 0.0,
        [x] => x * x,
        [first, .., last] if xs.len() > 4 => first * last,
        [a, rest @ .., b] => {
            let mut s = a - b;
            for r in rest {
                s += r * r * a;
            }
            s
        }
    }
}

#[test]
fn slice_patterns() {
    for n in 0..7 {
        let xs: Vec<f64> = (0..n).map(|i| 0.5 + i as f64).collect();
        check::<slices, _>(&(xs,));
    }
}

#[differentiable]
fn if_lets(a: Option<f64>, s: &Shape, x: f64) -> f64 {
    let mut y = x;
    if let Some(v) = a {
        y += v * v;
    }
    if let Shape::Rect(w, h) = s
        && *w > 1.0
    {
        y *= w + h;
    } else if let Shape::Circle { r } = s {
        y *= r;
    }
    let z = if let Some(v) = a
        && v > 2.0
    {
        v
    } else {
        x
    };
    y * z
}

#[test]
fn if_let_with_chains() {
    for a in [None, Some(1.5), Some(2.5)] {
        check::<if_lets, _>(&(a, Shape::Rect(2.0, 0.3), 0.7));
        check::<if_lets, _>(&(a, Shape::Rect(0.5, 0.3), 0.7));
        check::<if_lets, _>(&(a, Shape::Circle { r: 0.3 }, 0.7));
        check::<if_lets, _>(&(a, Shape::Empty, 0.7));
    }
}

#[differentiable]
fn let_else(s: &Shape, x: f64) -> f64 {
    let Shape::Circle { r } = s else {
        return x * 3.0;
    };
    let y = r * x;
    let mut total = 0.0;
    for i in 0..4 {
        let Some(k) = (if i == 2 { None } else { Some(i) }) else {
            continue;
        };
        total += y.powi(k);
    }
    total
}

#[test]
fn let_else_leaves() {
    check::<let_else, _>(&(Shape::Circle { r: 0.3 }, 0.7));
    check::<let_else, _>(&(Shape::Empty, 0.7));
}

#[derive(Clone, Debug, Differentiable)]
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

#[differentiable]
fn list_sum(node: &Node, x: f64) -> f64 {
    let head = node.value * x;
    match &node.next {
        Some(next) => head + x * list_sum(next, x),
        None => head,
    }
}

#[test]
fn recursive_structs() {
    let list = Node {
        value: 1.0,
        next: Some(Box::new(Node {
            value: -2.0,
            next: Some(Box::new(Node {
                value: 0.5,
                next: None,
            })),
        })),
    };
    check::<list_sum, _>(&(list, 0.9));
}

#[derive(Clone, Debug, Differentiable)]
enum Term {
    Constant(f64),
    Variable,
    Sum(Box<Term>, Box<Term>),
    Product(Box<Term>, Box<Term>),
    Sine(Box<Term>),
    All(Vec<Term>),
}

#[differentiable]
fn eval(t: &Term, x: f64) -> f64 {
    match t {
        Term::Constant(c) => *c,
        Term::Variable => x,
        Term::Sum(a, b) => eval(a, x) + eval(b, x),
        Term::Product(a, b) => eval(a, x) * eval(b, x),
        Term::Sine(a) => eval(a, x).sin(),
        Term::All(terms) => {
            let mut s = 0.0;
            for t in terms {
                s += eval(t, x);
            }
            s
        }
    }
}

#[test]
fn an_expression_tree() {
    let c = |v| Box::new(Term::Constant(v));
    let tree = Term::Sum(
        Box::new(Term::Product(c(2.0), Box::new(Term::Variable))),
        Box::new(Term::Sine(Box::new(Term::All(vec![
            Term::Variable,
            Term::Constant(0.3),
            Term::Product(c(0.7), Box::new(Term::Variable)),
        ])))),
    );
    check::<eval, _>(&(tree, 0.8));
}

#[differentiable]
fn through_references(s: &Shape, k: f64) -> f64 {
    let local = s.clone();
    let a = match &local {
        &Shape::Rect(w, ref h) => w * h,
        Shape::Circle { r: radius } => radius * k,
        other => area(other),
    };
    let b = match local {
        Shape::Rect(mut w, h) => {
            w += k;
            w * w * h
        }
        _ => k,
    };
    a + b
}

#[test]
fn reference_patterns_and_mutable_bindings() {
    check::<through_references, _>(&(Shape::Rect(1.2, 0.4), 0.7));
    check::<through_references, _>(&(Shape::Circle { r: 1.2 }, 0.7));
    check::<through_references, _>(&(Shape::Scaled(Box::new(Shape::Rect(1.0, 2.0)), 1.2), 0.7));
}

#[differentiable]
fn tuples_apart(x0: f64, v: &[f64]) -> f64 {
    let (mut x, (n, _), mut y): (f64, (usize, f64), f64) = (x0, (v.len(), v[0]), 1.0);
    for k in 0..n {
        let (x1, y1) = (x * y + v[k], y - x);
        let (y1, x1) = (x1, y1 * 0.5);
        x = x1;
        y = y1;
    }
    let (x, y) = (y, x);
    let (_, s) = (panic_if(y.is_nan()), x.sin());
    x * y + s
}

#[differentiable]
fn panic_if(wrong: bool) -> f64 {
    if wrong { panic!("not a number") } else { 0.0 }
}

#[differentiable]
fn panics_first(x: f64) -> f64 {
    let y = if x < 0.0 {
        panic!("negative: {x}")
    } else {
        x.sqrt()
    };
    if y > 5.0 { unreachable!() } else { y * x }
}

#[test]
fn tuples_of_values() {
    check::<panics_first, _>(&(0.7,));
    check::<tuples_apart, _>(&(0.7, vec![0.3, 0.2, 1.1]));
}

#[differentiable]
fn slice_of_a_vec(x: f64, n: usize) -> f64 {
    let mut v: Vec<f64> = Vec::new();
    for i in 0..n {
        v.push(x * (i + 1) as f64);
    }
    match v.as_slice() {
        [] => x,
        [a] => a * a,
        [a, rest @ .., b] => a * b + rest.iter().sum::<f64>(),
    }
}

#[test]
fn slices_of_vecs() {
    for n in 0..5 {
        check::<slice_of_a_vec, _>(&(0.7, n));
    }
}
