//! Methods and operators of structs whose numbers are `f64`.

use crate::fixed::{
    Damper, Point, PointOver, Spring, SpringOver, SpringTangent, directions, energy, spring,
};
use crate::near;
use differentiable::ad::Tangent;
use differentiable::prelude::*;

#[differentiable(higher_order)]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        energy(self, x) * self.k + self.scaled(x).rate
    }

    fn scaled(&self, by: f64) -> Damper {
        Damper {
            rate: self.damper.rate * by * self.k,
            ..self.damper.clone()
        }
    }

    fn stiffer(mut self, by: f64) -> Self {
        self.k *= by;
        Spring {
            rest: self.k * by,
            ..self
        }
    }

    fn stretch(&mut self, by: f64) {
        self.k += by * self.rest;
    }

    fn of(k: f64) -> Spring {
        Spring {
            k,
            rest: k * k,
            masses: vec![k; 3],
            at: [k, 1.0],
            damper: Damper {
                rate: 0.5,
                label: String::new(),
            },
            others: Vec::new(),
            pair: (1.0, 0),
            maybe: None,
            weights: [0.1; 2],
            index: 0,
            name: String::new(),
        }
    }

    fn all(&self, x: f64) -> f64 {
        let mut s: Spring = self.clone().stiffer(x);
        s.stretch(x);
        let t = Self::of(x * x);
        s.energy(x) + self.energy(s.k) * t.energy(s.k) + t.scaled(x).rate
    }
}

#[test]
fn methods() {
    let s = spring();
    let [v, u] = directions(&s);
    let check = |hvp: &dyn Fn() -> (SpringTangent, f64),
                 grad: &dyn Fn(&Spring, f64) -> (SpringTangent, f64),
                 tolerance: f64| {
        let (hv, hvx) = hvp();
        let at = |h: f64| {
            let mut moved = s.clone();
            moved.add_scaled(h, &v);
            let (gs, gx) = grad(&moved, 1.2 + 0.4 * h);
            gs.dot(&u) - 0.9 * gx
        };
        near(
            (at(1e-5) - at(-1e-5)) / 2e-5,
            hv.dot(&u) - 0.9 * hvx,
            tolerance,
        );
    };
    check(
        &|| s.energy_hvp(&v, (1.2, 0.4)),
        &|s, x| s.energy_grad(x),
        1e-6,
    );
    check(&|| s.all_hvp(&v, (1.2, 0.4)), &|s, x| s.all_grad(x), 1e-5);
    check(
        &|| of_methods::hvp((&s, &v), (1.2, 0.4)),
        &|s, x| of_methods::grad(s, x),
        1e-5,
    );
}

/// Methods and associated functions of a type that is an argument.
#[differentiable(higher_order)]
fn of_methods(s: &Spring, x: f64) -> f64 {
    let t = Spring::of(x);
    s.energy(x) * t.k + t.energy(s.k)
}

#[test]
fn hessians_of_methods() {
    let s = spring();
    let (rows, last) = s.energy_hessian(1.2);
    assert_eq!(rows.len(), 12);
    let [v, _] = directions(&s);
    let (gradient, product) = s.energy_grad_and_hvp(&v, (1.2, 0.4));
    assert_eq!(gradient, s.energy_grad(1.2));
    assert_eq!(product, s.energy_hvp(&v, (1.2, 0.4)));
    near(last.0.dot(&v) + 0.4 * last.1, product.1, 1e-12);
    near(rows[0].0.dot(&v) + 0.4 * rows[0].1, product.0.k, 1e-12);
    near(
        rows[7].0.dot(&v) + 0.4 * rows[7].1,
        product.0.damper.rate,
        1e-12,
    );
    near(
        rows[11].0.dot(&v) + 0.4 * rows[11].1,
        product.0.maybe.unwrap(),
        1e-12,
    );
}

#[differentiable(higher_order)]
impl std::ops::Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point(self.0 + other.0, self.1 + other.1)
    }
}

#[differentiable(higher_order)]
impl std::ops::Sub<&Point> for &Point {
    type Output = Point;
    fn sub(self, other: &Point) -> Point {
        Point(self.0 - other.0, self.1 - other.1)
    }
}

#[differentiable(higher_order)]
impl std::ops::Mul<f64> for Point {
    type Output = Self;
    fn mul(self, k: f64) -> Self::Output {
        Self(self.0 * k, self.1 * k)
    }
}

#[differentiable(higher_order)]
impl std::ops::Neg for Point {
    type Output = Self;
    fn neg(self) -> Self {
        Point(-self.0, -self.1)
    }
}

#[differentiable(higher_order)]
impl std::ops::AddAssign for Point {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
        self.1 += other.1;
    }
}

#[differentiable(higher_order)]
impl Point {
    fn dot(self, other: Point) -> f64 {
        self.0 * other.0 + self.1 * other.1
    }
}

#[differentiable(higher_order)]
fn chain(points: &[Point], k: f64) -> f64 {
    let mut e = 0.0;
    let mut sum = Point(0.0, k);
    for i in 1..points.len() {
        let d = &points[i] - &points[i - 1];
        sum += d * k;
        e += d.dot(d).sqrt() * k + (-sum + d).dot(sum);
    }
    e
}

#[test]
fn operators() {
    let points = [Point(0.1, 0.2), Point(-0.4, 0.9), Point(0.8, 1.3)];
    let mut k = 0.0;
    let [v, u] = [0, 1].map(|_| {
        points.map(|p| {
            p.zero_tangent().fill_with(&mut || {
                k += 1.0;
                f64::sin(3.0 * k)
            })
        })
    });
    let (hv, hvk) = chain::hvp((&points, &v), (1.2, 0.4));
    let at = |h: f64| {
        let mut moved = points;
        for (p, v) in moved.iter_mut().zip(&v) {
            p.add_scaled(h, v);
        }
        let (g, gk) = chain::grad(&moved, 1.2 + 0.4 * h);
        g.iter().zip(&u).map(|(g, u)| g.dot(u)).sum::<f64>() - 0.9 * gk
    };
    let along = hv.iter().zip(&u).map(|(h, u)| h.dot(u)).sum::<f64>() - 0.9 * hvk;
    near((at(1e-5) - at(-1e-5)) / 2e-5, along, 1e-7);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
enum Gas {
    Ideal { n: f64 },
    A(f64, f64),
    B,
}

impl Gas {
    const R: f64 = 8.314;
    const TABLE: [f64; 2] = [0.5, 1.5];
    const COUNT: usize = 2;
}

/// Constants of the type, variants by `Self`.
#[differentiable(higher_order)]
impl Gas {
    fn pressure(&self, v: f64, t: f64) -> f64 {
        let mut p = match self {
            Self::Ideal { n } => n * Self::R * t / v,
            Gas::A(a, b) => a * Gas::R * t / (v - b),
            Self::B => 0.0,
        };
        for i in 0..Self::COUNT {
            p += Self::TABLE[i] * v * v;
        }
        p
    }

    fn doubled(&self) -> Self {
        match self {
            Gas::Ideal { n } => Self::Ideal { n: n * 2.0 },
            Gas::A(a, b) => Self::A(a * 2.0, *b),
            Gas::B => Self::B,
        }
    }

    fn denser(&self, v: f64) -> f64 {
        self.doubled().pressure(v, Self::R)
    }
}

#[test]
fn constants_and_variants() {
    let (v, t) = (1.5, 2.0);
    let (rows, of_v, of_t) = Gas::Ideal { n: 3.0 }.pressure_hessian(v, t);
    near(of_v.1, 2.0 * 3.0 * Gas::R * t / v.powi(3) + 4.0, 1e-12);
    near(of_t.1, -3.0 * Gas::R / (v * v), 1e-12);
    assert_eq!(rows[0].0, GasTangent::Ideal { n: 0.0 });
    let (rows, of_v) = Gas::A(3.0, 0.5).denser_hessian(v);
    near(
        rows[1].1,
        -2.0 * 2.0 * 3.0 * Gas::R * Gas::R / (v - 0.5).powi(3),
        1e-11,
    );
    near(
        of_v.1,
        2.0 * 2.0 * 3.0 * Gas::R * Gas::R / (v - 0.5).powi(3) + 4.0,
        1e-11,
    );
    near(Gas::B.denser_hessian(v).1.1, 4.0, 1e-14);
}
