//! Gradients by structs and enums as values that people compute with.

use differentiable::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Point {
    a: f64,
    b: f64,
}

#[derive(Differentiable, Clone, Debug)]
struct Model {
    at: Point,
    weights: Vec<f64>,
    rest: (f64, [f64; 2]),
    #[constant]
    times: usize,
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
enum Shape {
    Circle { r: f64 },
    Box(f64, f64),
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Body<T> {
    x: T,
    y: Vec<T>,
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Single {
    x: f32,
}

/// Neither `Default` nor `Copy` look for an end where there is none.
#[derive(Differentiable, Clone, Debug)]
struct Node {
    v: f64,
    next: Option<Box<Node>>,
    below: Vec<Node>,
}

#[differentiable]
fn loss(p: Point, m: &Model) -> f64 {
    let (a, b) = (p.a - 1.0, p.b + 2.0);
    a * a + b * b * m.at.a + m.weights[0] * m.weights[1] + m.rest.1[0] * m.rest.0 * m.times as f64
}
#[differentiable]
fn area(s: &Shape) -> f64 {
    match s {
        Shape::Circle { r } => r * r,
        Shape::Box(x, y) => x * y,
    }
}
#[differentiable]
fn of_body(b: &Body<f64>) -> f64 {
    b.x * b.y[0]
}
#[differentiable]
fn squared(s: Single) -> f32 {
    s.x * s.x
}
#[differentiable]
fn of_nodes(n: &Node) -> f64 {
    n.v * n.below[0].v
}

fn model() -> Model {
    Model {
        at: Point { a: 1.0, b: 0.0 },
        weights: vec![0.1, 0.2],
        rest: (0.3, [1.0, 2.0]),
        times: 1,
    }
}

#[test]
fn operators_of_gradients() {
    let (g, of_model) = loss::grad(Point { a: 0.0, b: 0.0 }, &model());
    let h = g;
    assert_eq!(g + h * 0.5, g * 1.5);
    assert_eq!(0.5 * g - g / 2.0, PointTangent::default());
    assert_eq!(-g, g * -1.0);
    let mut sum = PointTangent::default();
    sum += g;
    sum += g;
    sum -= g;
    sum *= 2.0;
    sum /= 4.0;
    assert_eq!(sum, g * 0.5);
    // A default has no lengths.
    let mut sum = ModelTangent::default();
    sum += of_model.clone();
    sum += of_model.clone();
    assert_eq!(sum, 2.0 * of_model);
}

#[test]
fn steps_of_a_descent() {
    let (mut p, mut m) = (Point { a: 0.0, b: 0.0 }, model());
    for _ in 0..200 {
        let (g, _) = loss::grad(p, &m);
        p = p - g * 0.1;
    }
    assert!((p.a - 1.0).abs() < 1e-9 && (p.b + 2.0).abs() < 1e-9);
    let (_, g) = loss::grad(p, &m);
    m -= g.clone() * 0.1;
    m = m + 0.1 * g;
    assert!((m.weights[0] - 0.1).abs() < 1e-15);
    let rate: f32 = 0.25;
    let s = Single { x: 2.0 };
    assert_eq!((s - squared::grad(s) * rate).x, 1.0);
}

#[test]
fn of_enums_generic_and_recursive_types() {
    let shape = Shape::Box(2.0, 3.0);
    let g = area::grad(&shape);
    assert_eq!(g.dot(&g), 13.0);
    assert_eq!(shape - g * 0.5, Shape::Box(0.5, 2.0));
    let circle = area::grad(&Shape::Circle { r: 2.0 });
    assert_eq!(circle + circle, ShapeTangent::Circle { r: 8.0 });
    let body = Body {
        x: 1.0,
        y: vec![2.0],
    };
    let g = of_body::grad(&body);
    assert_eq!(
        body - 0.5 * g,
        Body {
            x: 0.0,
            y: vec![1.5]
        }
    );
    let leaf = |v| Node {
        v,
        next: None,
        below: vec![],
    };
    let tree = Node {
        below: vec![leaf(3.0)],
        ..leaf(2.0)
    };
    let g = of_nodes::grad(&tree);
    let mut sum = NodeTangent::default();
    sum.next = g.next.clone();
    sum += g.clone() * 2.0;
    assert_eq!((sum.v, sum.below[0].v), (6.0, 4.0));
}

#[test]
fn methods_of_the_prelude() {
    let (g, _) = loss::grad(Point { a: 0.0, b: 0.0 }, &model());
    assert_eq!(g.dot(&g).sqrt(), g.norm());
    assert_eq!(g.scale(2.0), g + g);
}
