//! Functions that decide and take structs, enums, arrays of arrays and tensors.

use differentiable::prelude::*;
use differentiable::{differentiable, no_grad};
use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Spring {
    k: f64,
    at: [f64; 2],
    #[constant]
    name: String,
    #[constant]
    limits: Vec<f64>,
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Chain {
    first: Spring,
    rest: Vec<Chain>,
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
enum Shape {
    Circle(f64),
    Box { sides: Box<[f64; 2]> },
    Empty,
}

#[derive(Clone, Debug, Differentiable)]
struct Body<T> {
    mass: T,
    at: Vec<T>,
    #[constant]
    n: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Solid,
    Liquid,
}

fn spring(k: f64) -> Spring {
    Spring {
        k,
        at: [0.5, 1.5],
        name: "ab".into(),
        limits: vec![2.0],
    }
}
fn is_stiff(s: &Spring) -> bool {
    s.k > s.limits[0] && s.name.len() > 1
}
fn softer(s: &Spring, by: f64) -> Spring {
    Spring {
        k: s.k / by,
        ..s.clone()
    }
}
fn length(c: &Chain) -> usize {
    1 + c.rest.first().map_or(0, length)
}
fn stiffest(c: &Chain) -> f64 {
    c.rest.iter().map(stiffest).fold(c.first.k, f64::max)
}
fn area(s: &Shape) -> f64 {
    match s {
        Shape::Circle(r) => 3.0 * r * r,
        Shape::Box { sides } => sides[0] * sides[1],
        Shape::Empty => 0.0,
    }
}
fn grown(s: Shape) -> Shape {
    match s {
        Shape::Circle(r) => Shape::Circle(2.0 * r),
        other => other,
    }
}
fn is_heavy(b: &Body<f64>) -> bool {
    b.mass > 1.0 && b.at.len() == b.n
}
fn phase(t: f64, p: f64) -> Phase {
    if t < 0.5 * p {
        Phase::Solid
    } else {
        Phase::Liquid
    }
}
fn determinant(m: &[[f64; 2]; 2]) -> (usize, f64) {
    (2, m[0][0] * m[1][1] - m[0][1] * m[1][0])
}
fn is_first_larger(v: &[Vec<f64>]) -> bool {
    v[0][0] > v[1][0]
}
fn interval(grid: &[f64], x: f64) -> usize {
    let after = grid.partition_point(|g| *g <= x);
    after.clamp(1, grid.len() - 1) - 1
}
fn nearest(v: &[f64], x: f64) -> &f64 {
    let near = |a: &&f64| (**a - x).abs();
    let closer = |a: &&f64, b: &&f64| near(a).total_cmp(&near(b));
    v.iter().min_by(closer).unwrap()
}

#[differentiable(higher_order)]
fn potential(s: &Spring) -> f64 {
    s.k * s.k * s.at[0] * s.at[1]
}

#[differentiable(higher_order)]
fn energy(s: &Spring) -> f64 {
    let other = no_grad!(softer(s, 2.0));
    let slope = potential::grad(s);
    let mut e = s.k * s.at[0];
    if is_stiff(s) {
        e *= s.k;
    }
    if other.k > 1.0 && is_stiff(&softer(s, 1.1)) {
        e = e * e;
    }
    if slope.k > 0.0 {
        e *= 2.0 * s.at[1];
    }
    e
}

#[differentiable(higher_order)]
impl Spring {
    fn pull(&self, x: f64) -> f64 {
        let mut e = self.k * x * x;
        if phase(x, self.k) == Phase::Solid {
            e *= x;
        }
        if is_stiff(self) {
            e *= self.at[0];
        }
        e
    }
}

#[differentiable(higher_order)]
fn pulled(s: &Spring, x: f64) -> f64 {
    if s.pull(x) > 0.1 { s.pull(x) * x } else { x }
}

#[test]
fn structs() {
    check!(
        energy(spring(3.0)),
        energy(spring(1.5)),
        energy(spring(2.1))
    );
    check!(
        pulled(spring(3.0), 0.7),
        pulled(spring(1.1), 0.7),
        pulled(spring(0.2), 0.3)
    );
}

#[differentiable(higher_order)]
fn chained(c: &Chain) -> f64 {
    let mut e = c.first.k * c.first.at[0];
    if length(c) > 1 {
        e *= c.rest[0].first.k;
    }
    if stiffest(c) > 2.0 { e * e } else { e }
}

#[test]
fn recursive_structs() {
    let last = |k| Chain {
        first: spring(k),
        rest: vec![],
    };
    let two = |k| Chain {
        first: spring(1.2),
        rest: vec![last(k)],
    };
    // The differences of `check_grads` are taken through a `Vec` of structs: compare with a derivative by hand.
    let slope = |c: &Chain| chained::grad(c).first.k;
    super::near(slope(&last(1.5)), 0.5, 1e-14);
    super::near(slope(&two(1.5)), 0.5 * 1.5, 1e-14);
    super::near(slope(&two(2.5)), 2.0 * 1.2 * (0.5 * 2.5_f64).powi(2), 1e-13);
    let mut along = two(2.5).zero_tangent();
    along.first.k = 1.0;
    let second = chained::hvp((&two(2.5), &along)).first.k;
    super::near(second, 2.0 * (0.5 * 2.5_f64).powi(2), 1e-13);
}

#[differentiable(higher_order)]
fn shaped(s: &Shape, x: f64) -> f64 {
    let large = grown(s.clone());
    let e = match s {
        Shape::Circle(r) => r * r * x,
        Shape::Box { sides } => sides[0] * x * x,
        Shape::Empty => x,
    };
    if area(s) > 1.0 {
        e * e
    } else if area(&large) > 1.0 {
        e * e * e
    } else {
        e
    }
}

#[test]
fn enums() {
    let sides = |a, b| Shape::Box {
        sides: Box::new([a, b]),
    };
    check!(
        shaped(Shape::Circle(2.0), 0.3),
        shaped(Shape::Circle(0.5), 0.3),
        shaped(Shape::Circle(0.1), 0.3),
        shaped(sides(2.0, 0.7), 0.3),
        shaped(sides(0.2, 0.7), 0.3),
        shaped(Shape::Empty, 0.3),
    );
}

#[differentiable(higher_order)]
fn moving(b: &Body<f64>) -> f64 {
    if is_heavy(b) {
        b.mass * b.at[0] * b.at[0]
    } else {
        b.mass
    }
}

dim!(Samples);

/// Fields without numbers, whose types the library and the standard library have.
#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Case {
    gain: f64,
    samples: Samples,
    #[constant]
    span: Range<usize>,
    path: PathBuf,
    #[constant]
    tags: HashMap<String, usize>,
    how: Attention,
    weights: Tensor![f64; 2],
}

fn is_tagged(c: &Case) -> bool {
    c.gain > 1.0 && c.tags.contains_key("a") && c.samples.0 == c.span.end && c.path.is_relative()
}
fn quieter(c: &Case) -> Case {
    Case {
        gain: 0.5 * c.gain,
        ..c.clone()
    }
}

#[differentiable(higher_order(Tensor))]
fn gained(c: &Case, x: f64) -> f64 {
    let e = c.gain * x * x * c.weights.square().sum().item();
    let quiet = no_grad!(quieter(c));
    if is_tagged(&quiet) {
        e * e * e
    } else if is_tagged(c) {
        e * e
    } else {
        e
    }
}

#[test]
fn structs_with_fields_of_many_types() {
    let case = |gain| Case {
        gain,
        samples: Samples(3),
        span: 0..3,
        path: PathBuf::from("data"),
        tags: HashMap::from([("a".to_string(), 1)]),
        how: Attention::new().causal(),
        weights: tensor([0.3, 0.9]),
    };
    check!(
        gained(case(0.5), 0.7),
        gained(case(1.5), 0.7),
        gained(case(2.5), 0.7)
    );
}

/// A type without any derive.
struct Counter(u64);

impl Counter {
    fn next(&mut self) -> f64 {
        self.0 += 1;
        (self.0 % 5) as f64 * 0.1
    }
}

struct Options {
    tolerance: f64,
    steps: usize,
}

fn solved(x: f64, options: &Options) -> f64 {
    let mut y = x;
    for _ in 0..options.steps {
        if (y * y - x).abs() < options.tolerance {
            break;
        }
        y = 0.5 * (y + x / y);
    }
    y
}

#[differentiable(higher_order)]
fn sampled(x: f64, seed: u64, steps: usize) -> f64 {
    let mut counter = Counter(seed + 1);
    let mut s = 0.0;
    for _ in 0..steps {
        let u = no_grad!(counter.next());
        s += (x * u).sin() * x;
    }
    let root = no_grad!(solved(
        x,
        &Options {
            tolerance: 1e-12,
            steps: 50
        }
    ));
    if solved(
        x,
        &Options {
            tolerance: 1e-3,
            steps,
        },
    ) > 1.0
    {
        s * root
    } else {
        s * (root + x / root) * 0.5
    }
}

#[test]
fn types_without_a_derive() {
    // √x by a step from the root itself: its derivative is exact, and that of the held one is none.
    let x = 0.7_f64;
    let sum = |x: f64| {
        (0..4)
            .map(|i| (x * [0.4, 0.0, 0.1, 0.2][i]).sin() * x)
            .sum::<f64>()
    };
    let expected = |x: f64| sum(x) * x.sqrt();
    let difference = (expected(x + 1e-6) - expected(x - 1e-6)) / 2e-6;
    super::near(sampled::grad(x, 2, 4), difference, 1e-8);
    let of_gradient = |x: f64| {
        let slope = |x: f64, h: f64| (sum(x + h) - sum(x - h)) / (2.0 * h);
        (
            sum(x),
            slope(x, 1e-5),
            (sum(x + 1e-4) - 2.0 * sum(x) + sum(x - 1e-4)) / 1e-8,
        )
    };
    // Of s·(r + x/r)/2 with r held: s''·r + 2·s'/(2r).
    let (_, first, second) = of_gradient(x);
    let r = x.sqrt();
    super::near(sampled::hessian(x, 2, 4), second * r + first / r, 1e-6);
}

#[test]
fn generic_structs() {
    let body = |mass| Body {
        mass,
        at: vec![1.5, 1.0],
        n: 2,
    };
    check!(moving(body(2.0)), moving(body(0.5)));
}

#[differentiable(higher_order)]
fn matrix(m: &[[f64; 2]; 2], v: &[Vec<f64>]) -> f64 {
    let (n, det) = determinant(m);
    let mut s = 0.0;
    for i in 0..n {
        for j in 0..n {
            s += m[i][j] * m[j][i];
        }
    }
    let s = if det > 0.0 { s } else { s * s };
    if is_first_larger(v) {
        s * v[0][0]
    } else {
        s * v[0][0] * v[1][0]
    }
}

#[test]
fn arrays_of_arrays() {
    let v = || vec![vec![0.3], vec![0.4]];
    check!(
        matrix([[1.0, 2.0], [0.3, 4.0]], v()),
        matrix([[1.0, 2.0], [3.3, 4.0]], vec![vec![0.5], vec![0.4]]),
    );
}

#[differentiable(higher_order)]
fn interpolated(x: f64, y: &[f64], #[constant] grid: &[f64]) -> f64 {
    let i = interval(grid, x);
    let near = no_grad!(*nearest(grid, x));
    let t = (x - grid[i]) / (grid[i + 1] - grid[i]);
    let between = y[i] * (1.0 - t) * (1.0 - t) + y[i + 1] * t * t;
    if near > 0.4 { between * near } else { between }
}

#[test]
fn constant_slices() {
    let (y, grid) = (vec![0.2, 0.5, 0.7], vec![0.0, 0.5, 1.0]);
    check!(
        interpolated(0.1, y.clone(), grid.clone()),
        interpolated(0.6, y.clone(), grid.clone()),
    );
}

fn total(t: &Tensor![f64; 3]) -> f64 {
    t.to_vec().iter().sum()
}
fn positive(t: &Tensor![f64; 3]) -> Tensor![f64; 3] {
    t.relu()
}

#[differentiable(higher_order)]
fn squares(t: &Tensor![f64; 3]) -> f64 {
    let s = t.square().sum().item();
    let s = if total(t) > 1.0 { s * s } else { s };
    if total(&positive(t)) > 2.0 { s * s } else { s }
}

#[test]
fn tensors() {
    check!(
        squares(tensor([0.5, 0.1, 0.9])),
        squares(tensor([0.5, 0.1, -0.9])),
        squares(tensor([0.5, 2.1, 0.9])),
    );
}
