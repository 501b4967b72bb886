//! Literals of types that are named nowhere, constant arguments, gradients as arguments, values and patterns.

use differentiable::ad::{self, Scalar};
use differentiable::prelude::*;

#[derive(Clone, Differentiable)]
struct P<T>(T, T);
#[derive(Clone, Differentiable)]
struct B<T> {
    mass: T,
    at: [T; 2],
    n: usize,
}

#[differentiable(higher_order)]
fn made(k: f64) -> f64 {
    let p = P(k, k * k);
    let q = P { 1: k, ..p.clone() };
    let b = B {
        n: 3,
        mass: p.1,
        at: [k, q.1],
    };
    let c = B {
        mass: b.mass * k,
        ..b.clone()
    };
    c.mass * c.at[0] * b.at[1] * b.n as f64
}
#[differentiable(higher_order)]
fn made_generic<T: Scalar>(k: T) -> T {
    let p = P(k, k * k);
    let b = B {
        n: 3,
        mass: p.1,
        at: [k, k],
    };
    b.mass * p.0
}
#[test]
fn generic_literals() {
    // 3 k^5
    assert!((made::hessian(1.5) - 60.0 * 1.5f64.powi(3)).abs() < 1e-10);
    assert!((made_generic::hessian(1.5_f64) - 9.0).abs() < 1e-10);
}
#[derive(Clone, Debug, Default, PartialEq, Differentiable)]
#[differentiable(higher_order)]
struct S {
    k: f64,
    r: f64,
    name: String,
}

#[differentiable(higher_order)]
fn constant(#[constant] s: &S, x: f64, #[constant] t: S) -> f64 {
    debug_assert!(s.k > 0.0, "{s:?}");
    if *s == t { x } else { s.k * x * x * t.r }
}
#[test]
fn constants() {
    let s = S {
        k: 2.0,
        r: 3.0,
        name: "a".into(),
    };
    assert_eq!(
        constant::hessian(
            &s,
            1.5,
            S {
                k: 1.0,
                ..s.clone()
            }
        ),
        12.0
    );
    assert_eq!(constant::hessian(&s, 1.5, s.clone()), 0.0);
    assert_eq!(
        constant::hvp(
            &s,
            (1.5, 1.0),
            S {
                k: 1.0,
                ..s.clone()
            }
        ),
        12.0
    );
}
#[differentiable]
fn first(s: &S, x: f64) -> f64 {
    let (g, gx) = second::grad(s, x);
    g.k * g.r + gx
}
#[differentiable(higher_order)]
fn second(s: &S, x: f64) -> f64 {
    s.k * s.r * x * x
}

/// Takes a gradient.
#[differentiable(higher_order)]
fn of_tangent(g: &STangent, x: f64) -> f64 {
    g.k * g.k * x + g.r
}

#[differentiable(higher_order)]
fn through(s: &S, x: f64) -> f64 {
    let g: (STangent, f64) = second::grad(s, x);
    of_tangent(&g.0, x)
}
#[test]
fn grads() {
    let s = S {
        k: 2.0,
        r: 3.0,
        name: "a".into(),
    };
    // r x² k x² + 2 k r x
    let (g, x) = first::grad(&s, 1.5);
    let x4 = 1.5f64.powi(4);
    assert!((g.k - (3.0 * x4 + 2.0 * 3.0 * 1.5)).abs() < 1e-12);
    assert!((x - (4.0 * 6.0 * 1.5f64.powi(3) + 12.0)).abs() < 1e-12);
    // r² x⁵ + k x²
    let (h, x) = through::hvp(
        (
            &s,
            &STangent {
                k: 0.0,
                r: 1.0,
                name: (),
            },
        ),
        (1.5, 0.0),
    );
    assert!((h.r - 2.0 * 1.5f64.powi(5)).abs() < 1e-12, "{h:?}");
    assert!((x - 10.0 * 3.0 * x4).abs() < 1e-10, "{x:?}");
    assert!(h.k.abs() < 1e-12);
}
#[differentiable(higher_order)]
fn by_value(s: S, w: Vec<S>) -> S {
    let mut t = s;
    for u in w {
        t.k += u.k * u.r;
    }
    t.r *= t.k;
    t
}
#[test]
fn values() {
    let s = S {
        k: 2.0,
        r: 3.0,
        name: "a".into(),
    };
    let f = by_value::jacobian_fwd(s.clone(), vec![s.clone(); 3]);
    assert_eq!(f, by_value::jacobian_rev(s.clone(), vec![s.clone(); 3]));
    assert_eq!(f.len(), 2);
    assert_eq!(f[0].1[2].k, 3.0);
    assert_eq!(f[1].1[2].k, 9.0);
    assert_eq!(by_value::jacobian_rev(s.clone(), vec![])[1].0.r, 2.0);
}
#[differentiable(higher_order)]
fn deep(s: &S) -> f64 {
    let t = s.clone();
    let a = t.k;
    let f = |u: &S| u.k * u.r * a;
    f(&t)
}
#[differentiable(higher_order)]
fn destructured(s: &S) -> f64 {
    let S { k, r, .. } = s;
    match s {
        S { k: a, .. } if *a > 0.0 => a * k * r,
        S { r: b, .. } => b * k,
    }
}
#[test]
fn rest() {
    let s = S {
        k: 2.0,
        r: 3.0,
        name: "a".into(),
    };
    assert_eq!(deep::hessian(&s)[0].k, 6.0);
    assert_eq!(destructured::hessian(&s)[0].k, 6.0);
    assert_eq!(destructured::hessian(&s)[0].r, 4.0);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
enum Force {
    Spring { k: f64 },
    Drag(f64),
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
struct Cart {
    forces: Vec<Force>,
    mass: f64,
}

#[differentiable(higher_order(Force))]
fn work(c: &Cart, x: f64) -> f64 {
    let mut w = 0.0;
    for f in &c.forces {
        w += match f {
            Force::Spring { k } => 0.5 * k * x * x,
            Force::Drag(b) => b * x * c.mass,
        };
    }
    let last = Force::Drag(x);
    w + match last {
        Force::Drag(b) => b * b * b,
        Force::Spring { .. } => 0.0,
    }
}

#[differentiable(higher_order(Force))]
impl Cart {
    fn with(k: f64) -> Cart {
        Cart {
            forces: vec![Force::Spring { k }, Force::Drag(k * k)],
            mass: 2.0,
        }
    }

    fn of_its_own(k: f64, x: f64) -> f64 {
        work(&Self::with(k), x)
    }
}

#[test]
fn named_in_the_attribute() {
    let c = Cart::with(3.0);
    let (rows, of_x) = work::hessian(&c, 1.5);
    // k x² / 2 + b x m + x³
    assert_eq!(of_x.1, 3.0 + 6.0 * 1.5);
    assert_eq!((rows[0].1, rows[1].1, rows[2].1), (1.5, 2.0, 9.0));
    // k x² / 2 + 2 k² x + x³
    let ((kk, kx), (_, xx)) = Cart::of_its_own_hessian(3.0, 1.5);
    assert_eq!((kk, kx, xx), (4.0 * 1.5, 1.5 + 4.0 * 3.0, 12.0));
}

/// A type with a default has one over any scalar.
#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Wheel {
    radius: f64,
    mass: f64,
    spokes: usize,
}

impl Default for Wheel {
    fn default() -> Self {
        Wheel {
            radius: 0.5,
            mass: 3.0,
            spokes: 4,
        }
    }
}

#[differentiable(higher_order)]
fn inertia(wheel: &Wheel, x: f64) -> f64 {
    let light = Wheel {
        mass: x * wheel.mass,
        ..Default::default()
    };
    let small = Wheel {
        radius: x,
        ..Wheel::default()
    };
    light.mass * light.mass * light.radius * light.spokes as f64 + small.mass * small.radius.powi(3)
}

/// Options of a plain type, whose fields are numbers that stay `f64`.
#[derive(Clone, Debug, Default)]
struct Search {
    tolerance: f64,
    largest: Option<f64>,
    steps: usize,
    reversed: bool,
}

fn by_steps(a: f64, search: &Search) -> f64 {
    let mut x = if search.reversed { 1.0 } else { a.max(1.0) };
    for _ in 0..search.steps {
        if (x * x - a).abs() < search.tolerance {
            break;
        }
        x = 0.5 * (x + a / x);
        x = search.largest.map_or(x, |largest| x.min(largest));
    }
    x
}

#[differentiable(higher_order)]
fn root_of(a: f64, #[constant] tolerance: f64) -> f64 {
    let search = Search {
        tolerance,
        largest: Some(2.0 * 5.0),
        steps: 50,
        ..Default::default()
    };
    let x = no_grad!(by_steps(a, &search));
    let x = x - (x * x - a) / (2.0 * x);
    x - (x * x - a) / (2.0 * x)
}

#[test]
fn on_a_default() {
    let wheel = Wheel::default();
    ad::check_grads::<inertia, _>(&(wheel.clone(), 0.7)).unwrap();
    ad::check_hvp::<inertia, _, _>(&(wheel, 0.7)).unwrap();
    // a^(1/2): −a^(−3/2) / 4
    let second = root_of::hessian(2.0, 1e-12);
    assert!((second + 0.25 * 2f64.powf(-1.5)).abs() < 1e-12);
}
