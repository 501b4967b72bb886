//! Fixed types in modules, with aliases, with private fields.

use crate::near;
use differentiable::ad::Tangent;
use differentiable::prelude::*;

mod physics {
    use differentiable::prelude::*;

    pub type Real = f64;

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    #[differentiable(higher_order)]
    pub struct Body<const N: usize> {
        at: [Real; N],
        pub mass: Real,
        charges: Vec<Real>,
        #[constant]
        table: Vec<f64>,
        #[constant]
        tag: Tag,
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct Tag(pub &'static str);

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub enum Kind {
        Light,
        Heavy,
    }

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    #[differentiable(higher_order)]
    pub struct Pair {
        pub a: Body<2>,
        pub b: Body<2>,
        pub kind: Kind,
        pub generic: Polar,
        pub count: Counts,
    }

    /// No numbers in it that have a derivative.
    #[derive(Clone, Debug, Default, PartialEq, Differentiable)]
    pub struct Counts {
        pub n: usize,
    }

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    #[differentiable(higher_order)]
    pub struct Polar {
        pub r: Real,
        pub angle: Real,
    }

    pub fn body(mass: f64, at: [f64; 2]) -> Body<2> {
        Body {
            at,
            mass,
            charges: vec![0.3, mass],
            table: vec![0.5, 2.0],
            tag: Tag("x"),
        }
    }

    #[differentiable(higher_order)]
    impl<const N: usize> Body<N> {
        pub fn inertia(&self) -> f64 {
            let mut s = 0.0;
            for i in 0..N {
                s += self.at[i] * self.at[i];
            }
            s * self.mass * self.table[1]
        }

        #[no_grad]
        pub fn tag(&self) -> &Tag {
            &self.tag
        }

        pub fn heavier(&self, k: f64) -> Body<N> {
            Body {
                mass: self.mass * k,
                ..self.clone()
            }
        }
    }

    #[differentiable(higher_order)]
    pub fn moment<const N: usize>(b: &Body<N>, k: Real) -> Real {
        let c: Real = b.charges.iter().map(|c| c * c * k).sum();
        c * b.mass + b.heavier(k).inertia()
    }
}

use physics::{Pair, body};

#[differentiable(higher_order)]
fn both(p: &Pair, k: f64) -> f64 {
    let scale = match p.kind {
        physics::Kind::Light => 1.0,
        physics::Kind::Heavy => k,
    };
    physics::moment(&p.a, k) * scale
        + p.b.inertia() * p.generic.r * p.generic.angle.sin()
        + p.count.n as f64
}

#[differentiable(higher_order)]
fn qualified(b: physics::Body<2>, k: f64) -> f64 {
    let c: physics::Body<2> = b.heavier(k);
    c.inertia() * k
}

fn pair() -> Pair {
    Pair {
        a: body(1.5, [0.4, -0.7]),
        b: body(0.8, [0.9, 0.1]),
        kind: physics::Kind::Heavy,
        generic: physics::Polar { r: 1.1, angle: 0.6 },
        count: physics::Counts { n: 3 },
    }
}

#[test]
fn of_other_modules() {
    let mut p = pair();
    assert_eq!(both(&p, 1.0), {
        p.kind = physics::Kind::Light;
        both(&p, 1.0)
    });
    p.kind = physics::Kind::Heavy;
    let mut k = 0.0;
    let mut next = || {
        k += 1.0;
        f64::sin(3.0 * k)
    };
    let (v, u) = (
        p.zero_tangent().fill_with(&mut next),
        p.zero_tangent().fill_with(&mut next),
    );
    let (hv, hvk) = both::hvp((&p, &v), (1.7, 0.4));
    let at = |h: f64| {
        let mut moved = p.clone();
        moved.add_scaled(h, &v);
        let (gp, gk) = both::grad(&moved, 1.7 + 0.4 * h);
        gp.dot(&u) - 0.9 * gk
    };
    near((at(1e-5) - at(-1e-5)) / 2e-5, hv.dot(&u) - 0.9 * hvk, 1e-7);
    let b = body(0.5, [1.0, 2.0]);
    // m k² (x² + y²) · 2
    let (rows, last) = qualified::hessian(b.clone(), 1.5);
    near(last.1, 2.0 * 0.5 * 5.0 * 2.0, 1e-14);
    assert_eq!(rows.len(), 2 + 1 + 2);
    assert_eq!(b.tag().0, "x");
    near(b.inertia_hessian()[2].mass, 0.0, 0.0);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
struct Layer {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
struct Net {
    layers: Vec<Layer>,
}

#[differentiable(higher_order)]
impl Layer {
    fn run(&self, x: &[f64]) -> Vec<f64> {
        let mut y = self.b.clone();
        for i in 0..self.w.len() {
            for j in 0..x.len() {
                y[i] += self.w[i][j] * x[j];
            }
            y[i] = y[i].tanh();
        }
        y
    }
}

#[differentiable(higher_order)]
fn loss(net: &Net, #[constant] x: &[f64]) -> f64 {
    let mut h = x.to_vec();
    for i in 0..net.layers.len() {
        h = net.layers[i].run(&h);
    }
    h.iter().map(|v| v * v).sum::<f64>()
}

#[test]
fn a_network() {
    let mut k = 0.0;
    let mut next = || {
        k += 1.0;
        f64::sin(7.0 * k)
    };
    let mut layer = |n: usize, m: usize| Layer {
        w: (0..n).map(|_| (0..m).map(|_| next()).collect()).collect(),
        b: (0..n).map(|_| next()).collect(),
    };
    let net = Net {
        layers: vec![layer(3, 2), layer(2, 3)],
    };
    let x = [0.4, -0.9];
    let (v, u) = (
        net.zero_tangent().fill_with(&mut || 0.7),
        net.zero_tangent().fill_with(&mut {
            let mut k = 0.0;
            move || {
                k += 1.0;
                f64::cos(k)
            }
        }),
    );
    let h = loss::hvp((&net, &v), &x);
    let at = |h: f64| {
        let mut moved = net.clone();
        moved.add_scaled(h, &v);
        loss::grad(&moved, &x).dot(&u)
    };
    near((at(1e-5) - at(-1e-5)) / 2e-5, h.dot(&u), 1e-7);
    let rows = loss::hessian(&net, &x);
    assert_eq!(rows.len(), 9 + 8);
    let flat: f64 = rows
        .iter()
        .map(|r| r.dot(&v))
        .zip([0; 17])
        .map(|(r, _)| r * 0.7)
        .sum();
    near(flat, h.dot(&v), 1e-12);
    // Nothing in it.
    let empty = Net { layers: vec![] };
    assert_eq!(loss::hessian(&empty, &x), vec![]);
    assert_eq!(
        loss::hvp((&empty, &NetTangent { layers: vec![] }), &x),
        NetTangent { layers: vec![] }
    );
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
struct V2 {
    x: f64,
    y: f64,
}

#[differentiable(higher_order)]
fn springs(points: &[V2]) -> f64 {
    let mut e = 0.0;
    for i in 1..points.len() {
        let d = V2 {
            x: points[i].x - points[i - 1].x,
            y: points[i].y - points[i - 1].y,
        };
        let l = (d.x * d.x + d.y * d.y).sqrt() - 1.0;
        e += l * l;
    }
    e
}

#[differentiable(higher_order)]
fn moved(points: &[V2], by: V2) -> Vec<V2> {
    let mut out = Vec::new();
    for i in 0..points.len() {
        let p = points[i];
        out.push(V2 {
            x: p.x * by.x,
            y: p.y + by.y * by.y,
        });
    }
    out
}

#[test]
fn sparse_forms() {
    let points: Vec<V2> = (0..12)
        .map(|i| V2 {
            x: 0.9 * f64::from(i),
            y: f64::from(i).sin(),
        })
        .collect();
    let plan = springs::sparse_hessian_plan(&points);
    let h = springs::sparse_hessian(&plan, &points).unwrap();
    let dense = springs::hessian(&points);
    for i in 0..12 {
        for (a, row) in dense[i].iter().enumerate() {
            for j in 0..12 {
                near(h.get(2 * i + a, 2 * j), row[j].x, 1e-12);
                near(h.get(2 * i + a, 2 * j + 1), row[j].y, 1e-12);
            }
        }
    }
    let by = V2 { x: 1.5, y: -0.4 };
    let rows = moved::jacobian(&points, by);
    let plan = moved::sparse_jacobian_plan(&points, by);
    let sparse = moved::sparse_jacobian(&plan, &points, by).unwrap();
    let mut block = vec![0.0; 24 * 26];
    moved::jacobian_into(&mut block, &points, by);
    for i in 0..12 {
        for (a, row) in rows[i].iter().enumerate() {
            for j in 0..12 {
                for (c, value) in [row.0[j].x, row.0[j].y].into_iter().enumerate() {
                    near(sparse.get(2 * i + a, 2 * j + c), value, 1e-13);
                    near(block[(2 * i + a) * 26 + 2 * j + c], value, 1e-13);
                }
            }
            near(block[(2 * i + a) * 26 + 25], row.1.y, 1e-13);
        }
    }
}

/// Few rows and many columns: by reverse mode.
#[differentiable(higher_order)]
fn middle(points: &[V2], by: V2) -> [f64; 2] {
    let mut c = [by.x, by.y];
    for i in 0..points.len() {
        c[0] += points[i].x * points[i].y;
        c[1] *= 1.0 + points[i].x;
    }
    c
}

#[test]
fn blocks_by_rows() {
    let points: Vec<V2> = (0..12)
        .map(|i| V2 {
            x: 0.1 * f64::from(i),
            y: 0.3,
        })
        .collect();
    let by = V2 { x: 1.5, y: -0.4 };
    let rows = middle::jacobian_fwd(&points, by);
    let mut block = vec![0.0; 2 * 26];
    middle::jacobian_into(&mut block, &points, by);
    for i in 0..2 {
        for j in 0..12 {
            near(block[i * 26 + 2 * j], rows[i].0[j].x, 1e-13);
            near(block[i * 26 + 2 * j + 1], rows[i].0[j].y, 1e-13);
        }
        near(block[i * 26 + 24], rows[i].1.x, 1e-13);
        near(block[i * 26 + 25], rows[i].1.y, 1e-13);
    }
}

#[differentiable(higher_order)]
fn optional(v: Option<V2>, all: (V2, f64), k: f64) -> f64 {
    let mut best = all.0;
    best.x *= k;
    if let Some(p) = v
        && p.x > best.x
    {
        best = p;
    }
    let f = |q: V2| q.x * q.y * q.y;
    f(best) * all.1
}

#[test]
fn options_and_closures() {
    let (a, b) = (V2 { x: 2.0, y: 3.0 }, V2 { x: 1.0, y: 0.5 });
    let ((first, (second, _), _), _) = {
        let h = optional::hvp(
            (Some(a), Some(V2Tangent { x: 0.0, y: 1.0 })),
            ((b, 4.0), (V2Tangent { x: 0.0, y: 0.0 }, 0.0)),
            (0.5, 0.0),
        );
        (h, ())
    };
    let first = first.unwrap();
    near(first.x, 2.0 * 3.0 * 4.0, 1e-14);
    near(first.y, 2.0 * 2.0 * 4.0, 1e-14);
    near(second.x, 0.0, 0.0);
    let (none, (second, _), k) = optional::hvp(
        (None, None),
        ((b, 4.0), (V2Tangent { x: 0.0, y: 1.0 }, 0.0)),
        (0.5, 0.0),
    );
    assert!(none.is_none());
    // x k y² · 4
    near(second.x, 0.5 * 2.0 * 0.5 * 4.0, 1e-14);
    near(k, 1.0 * 2.0 * 0.5 * 4.0, 1e-14);
}
