//! Types that the file tells: fields of structs, aliases and values of functions. Names that mean something else are not taken for
//! them, and small functions that run again in the reverse pass read what was there.

use differentiable::ad::{self, check_grads};
use differentiable::prelude::*;

type Numbers = Vec<f64>;
type Matrix<const N: usize> = [[f64; N]; N];

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Springs {
    at: Vec<f64>,
    stiffness: Numbers,
    grid: Vec<Vec<f64>>,
    #[constant]
    rest: f64,
    damping: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Pair {
    x: f64,
    y: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Labelled {
    rows: Vec<Pair>,
    weights: (f64, [f64; 3]),
    name: String,
}

fn springs() -> Springs {
    let number = |i: usize| 0.8 + 0.3 * (1.7 * i as f64).sin();
    Springs {
        at: (0..9).map(number).collect(),
        stiffness: (3..12).map(number).collect(),
        grid: (0..5)
            .map(|i| (0..6).map(|j| number(3 * i + 7 * j)).collect())
            .collect(),
        rest: 0.7,
        damping: 0.3,
    }
}

fn labelled() -> Labelled {
    let row = |i: usize| Pair {
        x: 0.4 + 0.2 * (i as f64).cos(),
        y: 0.3 + 0.1 * i as f64,
    };
    Labelled {
        rows: (0..4).map(row).collect(),
        weights: (0.7, [0.2, -0.4, 0.9]),
        name: "four".into(),
    }
}

#[differentiable]
fn energy(s: &Springs) -> f64 {
    let mut total = 0.0;
    for i in 0..s.at.len() - 1 {
        let stretch = s.at[i + 1] - s.at[i] - s.rest;
        total += 0.5 * s.stiffness[i] * stretch * stretch;
    }
    total * s.damping
}

#[differentiable]
fn smoothed(s: &Springs) -> Springs {
    let mut next = s.clone();
    for i in 1..s.grid.len() - 1 {
        for j in 1..s.grid[i].len() - 1 {
            let around = s.grid[i - 1][j] + s.grid[i + 1][j] + s.grid[i][j - 1] + s.grid[i][j + 1];
            next.grid[i][j] = s.grid[i][j] + s.damping * (around - 4.0 * s.grid[i][j]);
        }
    }
    for i in 0..s.at.len() {
        next.at[i] = s.at[i] * s.stiffness[i];
        next.stiffness[i] -= 0.1 * next.at[i];
    }
    next
}

#[differentiable]
fn smoothed_often(s: &Springs) -> f64 {
    let mut now = s.clone();
    for _ in 0..3 {
        now = smoothed(&now);
    }
    let last: f64 = now.grid.iter().flatten().map(|v| v * v).sum();
    last + energy(&now)
}

/// Each changes what the next trip reads.
#[differentiable]
fn swept(s: &Springs) -> f64 {
    let mut s = s.clone();
    for i in 1..s.at.len() {
        s.at[i] = s.at[i - 1] * s.stiffness[i] + s.at[i];
        s.stiffness[i - 1] = s.at[i].sin();
    }
    for i in 0..s.at.len() {
        s.damping += s.at[i] * s.stiffness[i];
    }
    s.damping
}

#[differentiable]
impl Labelled {
    fn scaled(&self, k: f64) -> f64 {
        let Labelled { rows, weights, .. } = self;
        let (w, [a, b, c]) = weights;
        rows.iter()
            .map(|r| w * r.x * a + b * r.y * k - c)
            .sum::<f64>()
            + self.name.len() as f64
    }
}

#[differentiable]
fn scaled(l: &Labelled) -> f64 {
    l.scaled(0.4) * l.weights.1[2]
}

#[differentiable]
fn product(a: &Matrix<3>, b: &Matrix<3>) -> Matrix<3> {
    let mut c: Matrix<3> = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            for k in 0..3 {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

#[differentiable]
fn power(a: &Matrix<3>) -> f64 {
    let cube = product(&product(a, a), a);
    (0..3).map(|i| cube[i][i]).sum()
}

#[test]
fn fields_and_aliases() {
    check_grads::<energy, _>(&(springs(),)).expect("energy");
    check_grads::<smoothed, _>(&(springs(),)).expect("smoothed");
    check_grads::<smoothed_often, _>(&(springs(),)).expect("smoothed_often");
    check_grads::<swept, _>(&(springs(),)).expect("swept");
    check_grads::<scaled, _>(&(labelled(),)).expect("scaled");
    check_grads::<power, _>(&([[0.3, 0.1, -0.2], [0.5, 0.4, 0.2], [0.1, -0.6, 0.7]],))
        .expect("power");
    let grad = energy::grad(&springs());
    assert_eq!(grad.grid, vec![vec![0.0; 6]; 5]);
}

/// Names of the file that mean something else.
mod other_meanings {
    use super::*;

    mod inner {
        use super::*;

        /// Not that of above: its field is a row of pairs.
        #[derive(Clone, Debug, PartialEq, Differentiable)]
        pub struct Springs {
            pub at: Vec<Pair>,
        }

        #[differentiable]
        pub fn energy(s: &Springs) -> f64 {
            let mut total = 0.0;
            for i in 0..s.at.len() {
                total += s.at[i].x * s.at[i].y;
            }
            total
        }
    }

    #[differentiable]
    fn outer(s: &Springs) -> f64 {
        (0..s.at.len()).map(|i| s.at[i] * s.stiffness[i]).sum()
    }

    /// A parameter of the name of a struct.
    #[differentiable]
    fn generic<Pair: ad::Scalar>(p: &[Pair]) -> Pair {
        let mut total = p[0];
        for i in 1..p.len() {
            total = total * p[i];
        }
        total
    }

    #[differentiable]
    fn of_generic(x: &[f64]) -> f64 {
        generic(x)
    }

    fn in_a_function() {
        #[derive(Clone, Debug, PartialEq, Differentiable)]
        struct Springs {
            at: [f64; 2],
            stiffness: f64,
        }
        #[differentiable]
        fn energy(s: &Springs) -> f64 {
            let mut total = 0.0;
            for i in 0..2 {
                total += s.stiffness * s.at[i] * s.at[i];
            }
            total
        }
        let s = Springs {
            at: [0.3, 0.4],
            stiffness: 1.2,
        };
        check_grads::<energy, _>(&(s,)).expect("a struct of a function");
    }

    macro_rules! springs {
        ($name:ident, $ty:ty) => {
            mod $name {
                use super::*;
                #[derive(Clone, Debug, PartialEq, Differentiable)]
                pub struct Springs {
                    pub at: $ty,
                }
                #[differentiable]
                pub fn first(s: &Springs) -> f64 {
                    let mut total = 0.0;
                    for i in 0..2 {
                        total += s.at[i].x * 2.0;
                    }
                    total
                }
            }
        };
    }
    springs!(made, [Pair; 2]);

    #[test]
    fn other_meanings_of_a_name() {
        let pair = Pair { x: 0.3, y: 0.8 };
        check_grads::<inner::energy, _>(&(inner::Springs { at: vec![pair; 3] },)).expect("inner");
        check_grads::<outer, _>(&(springs(),)).expect("outer");
        check_grads::<of_generic, _>(&(vec![0.3, 0.8, -0.4],)).expect("generic");
        in_a_function();
        check_grads::<made::first, _>(&(made::Springs { at: [pair; 2] },))
            .expect("made by a macro");
    }
}

/// Small functions in loops: nothing is kept of them, unless what they read is gone.
mod small_functions {
    use super::*;
    use std::ops::{Add, AddAssign, Mul, Sub};

    #[differentiable]
    impl Add for Pair {
        type Output = Pair;
        fn add(self, o: Pair) -> Self::Output {
            Pair {
                x: self.x + o.x,
                y: self.y + o.y,
            }
        }
    }

    #[differentiable]
    impl Sub for Pair {
        type Output = Pair;
        fn sub(self, o: Pair) -> Self {
            Pair {
                x: self.x - o.x,
                y: self.y - o.y,
            }
        }
    }

    #[differentiable]
    impl Mul<f64> for Pair {
        type Output = Pair;
        fn mul(self, k: f64) -> Pair {
            Pair {
                x: self.x * k,
                y: self.y * k,
            }
        }
    }

    #[differentiable]
    impl AddAssign for Pair {
        fn add_assign(&mut self, o: Pair) {
            *self = *self + o;
        }
    }

    #[differentiable]
    impl Pair {
        fn dot(&self, o: &Pair) -> f64 {
            self.x * o.x + self.y * o.y
        }
        fn clipped(self, most: f64) -> Pair {
            if self.x > most {
                Pair { x: most, ..self }
            } else {
                self
            }
        }
        fn turn(&mut self, angle: f64) {
            let x = self.x;
            self.x -= angle * self.y;
            self.y += angle * x;
        }
    }

    #[differentiable]
    fn softened(r2: f64) -> f64 {
        1.0 / (r2 + 0.1).sqrt()
    }

    #[differentiable]
    fn potential(p: &[Pair]) -> f64 {
        let mut total = 0.0;
        for i in 0..p.len() {
            for j in 0..i {
                let d = p[j] - p[i];
                total += softened(d.dot(&d));
            }
        }
        total
    }

    #[differentiable]
    fn forces(p: &[Pair]) -> Vec<Pair> {
        let mut out = vec![Pair { x: 0.0, y: 0.0 }; p.len()];
        for i in 0..p.len() {
            for j in 0..p.len() {
                if i != j {
                    let d = p[j] - p[i];
                    let r = softened(d.dot(&d));
                    out[i] += d.clipped(0.3) * (r * r * r);
                }
            }
        }
        out
    }

    /// What each call reads is gone by then.
    #[differentiable]
    fn orbit(p: &[Pair]) -> f64 {
        let mut p = p.to_vec();
        let mut work = 0.0;
        for k in 0..4 {
            let f = forces(&p);
            for i in 0..p.len() {
                p[i] += f[i] * 0.1;
                work += p[i].dot(&f[i]);
                p[i].turn(0.05 * k as f64);
            }
            let mut centre = p[0];
            for q in &p {
                centre = (centre + *q) * 0.5;
                work += centre.dot(q) * centre.dot(&p[1]);
            }
        }
        work
    }

    /// Ends early; reads entries before and after they change.
    #[differentiable]
    fn ends(p: &[Pair]) -> f64 {
        let mut p = p.to_vec();
        let mut total = 0.0;
        for i in 1..p.len() {
            let before = p[i - 1].dot(&p[i]);
            p[i] = p[i - 1] * before;
            let after = p[i - 1].dot(&p[i]);
            total += softened(before * after);
            if total > 4.0 {
                break;
            }
        }
        let mut k = 0;
        while k + 1 < p.len() && total < 9.0 {
            total += softened(p[k].dot(&p[k + 1])) * total;
            k += 1;
        }
        total
    }

    fn bin(x: f64) -> usize {
        (10.0 * x + 0.5) as usize % 3
    }

    /// Small functions without a derivative, whose values are read again.
    #[differentiable]
    fn counted(p: &[Pair]) -> f64 {
        let n = bin(stop_gradient(p[0].x)) + 1;
        let mut total = 0.0;
        for i in 0..p.len() {
            let m = bin(stop_gradient(p[i].y));
            for k in 0..n + m {
                total += softened(p[i].x * p[k % p.len()].y).powi(m as i32 + 1);
            }
        }
        total
    }

    #[test]
    fn small_functions_run_again() {
        let p: Vec<Pair> = labelled().rows;
        check_grads::<potential, _>(&(p.clone(),)).expect("potential");
        check_grads::<forces, _>(&(p.clone(),)).expect("forces");
        check_grads::<orbit, _>(&(p.clone(),)).expect("orbit");
        check_grads::<ends, _>(&(p.clone(),)).expect("ends");
        check_grads::<counted, _>(&(p,)).expect("counted");
    }
}

/// Index operators that name a place are that place.
mod indexed {
    use super::*;
    use std::ops::{Index, IndexMut};

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub struct Grid {
        rows: usize,
        columns: usize,
        data: Vec<f64>,
    }

    impl Index<(usize, usize)> for Grid {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.data[i * self.columns + j]
        }
    }

    impl IndexMut<(usize, usize)> for Grid {
        fn index_mut(&mut self, at: (usize, usize)) -> &mut f64 {
            &mut self.data[at.0 * self.columns + at.1]
        }
    }

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub struct Nested {
        grids: Vec<Grid>,
    }

    impl Index<usize> for Nested {
        type Output = Grid;
        fn index(&self, k: usize) -> &Grid {
            &self.grids[k]
        }
    }

    /// Does more than name a place.
    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Axes(f64, f64);

    impl Index<usize> for Axes {
        type Output = f64;
        fn index(&self, k: usize) -> &f64 {
            if k == 0 { &self.0 } else { &self.1 }
        }
    }

    #[differentiable]
    impl Grid {
        fn rolled(&self, by: usize) -> Grid {
            let mut out = self.clone();
            for i in 0..self.rows {
                for j in 0..self.columns {
                    out[(i, j)] = 0.5 * self[((i + by) % self.rows, j)];
                }
            }
            out
        }
    }

    #[differentiable]
    fn smooth(g: &Grid) -> f64 {
        let mut next = g.rolled(1);
        for _ in 0..2 {
            for i in 1..g.rows - 1 {
                for j in 1..g.columns - 1 {
                    let around = g[(i - 1, j)] + g[(i + 1, j)] + g[(i, j - 1)] + g[(i, j + 1)];
                    next[(i, j)] = next[(i, j)].sin() + 0.25 * around * g[(i, j)];
                    next[(i, j - 1)] += g[(j % g.rows, i)] * next[(i, j)];
                }
            }
        }
        next.data.iter().map(|v| v * v).sum()
    }

    #[differentiable]
    fn products(n: &Nested, #[constant] weights: &Grid) -> f64 {
        let mut counter = 0;
        let mut next = || {
            counter += 1;
            counter % 2
        };
        let first = n[0][(next(), 1)];
        let second = n.grids[next()][(1, next())];
        let mut total = first * second;
        let mut k = 0;
        // What stands before a change is what it was.
        total += n.grids[0][(k, {
            k += 1;
            k
        })];
        total *= n[k][(1, {
            k -= 1;
            k
        })];
        for i in 0..weights.rows {
            let at = (i, 1);
            total += n[1][(i, 0)] * weights[(i, 1)] + n[0][at];
        }
        total
    }

    #[differentiable]
    fn axes(a: &Axes, x: &[f64; 2]) -> f64 {
        (0..2).map(|k| a[k] * x[k]).sum::<f64>() * a[1]
    }

    fn grid(rows: usize, columns: usize) -> Grid {
        let data = (0..rows * columns)
            .map(|k| (0.7 * k as f64).sin())
            .collect();
        Grid {
            rows,
            columns,
            data,
        }
    }

    #[test]
    fn operators_of_the_file() {
        check_grads::<smooth, _>(&(grid(5, 5),)).expect("smooth");
        let nested = Nested {
            grids: vec![grid(2, 3), grid(2, 2)],
        };
        check_grads::<products, _>(&(nested, grid(2, 2))).expect("products");
        check_grads::<axes, _>(&(Axes(0.3, 0.8), [0.4, -0.2])).expect("axes");
    }
}

/// Loops that read and change several fields of one value, fields of fields, and what is in lists.
mod many_fields {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub struct State {
        u: Vec<f64>,
        v: Vec<f64>,
        sum: f64,
        last: f64,
        inner: Inner,
    }

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub struct Inner {
        a: Vec<f64>,
        b: f64,
    }

    #[differentiable]
    fn stepped(s: &State, w: &[f64]) -> f64 {
        let mut s = s.clone();
        for i in 0..s.u.len() {
            s.sum += s.u[i] * s.v[i] * s.last;
        }
        for i in 0..s.u.len() {
            s.last = s.last * s.u[i] + w[i];
        }
        for i in 0..s.u.len() {
            s.v[i] = s.u[i] * s.inner.b;
        }
        for i in 0..s.u.len() {
            s.inner.b = w[i] * s.inner.a[i];
        }
        for i in 0..s.u.len() {
            s.inner.b += s.inner.a[i] * w[i] * s.inner.b;
        }
        for i in 0..s.u.len() {
            s.inner.a[i] = s.inner.a[i] * s.inner.b + s.u[i];
        }
        for i in 1..s.u.len() {
            s.u[i] += s.inner.a[i - 1] * s.v[i] * s.sum;
            s.v[i - 1] -= s.u[i];
        }
        for i in 1..s.u.len() {
            let mut p = Pair {
                x: s.u[i],
                y: s.v[i - 1],
            };
            p.x = s.u[i - 1] * s.v[i];
            s.sum += p.x * p.y;
        }
        s.sum + s.last + s.inner.b + s.v[0] + s.u[2] + s.inner.a[1]
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Net {
        layers: Vec<Layer>,
        scale: (f64, Vec<f64>),
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Layer {
        w: Vec<Vec<f64>>,
        b: Vec<f64>,
        #[constant]
        squashed: bool,
    }

    #[differentiable]
    fn output(n: &Net, x: &[f64]) -> f64 {
        let mut h = x.to_vec();
        for l in &n.layers {
            let mut out = l.b.clone();
            for i in 0..l.w.len() {
                for j in 0..h.len() {
                    out[i] += l.w[i][j] * h[j];
                }
                if l.squashed {
                    out[i] = out[i].tanh();
                }
            }
            h = out;
        }
        let Net { scale: (k, s), .. } = n;
        let mut e = 0.0;
        for i in 0..h.len() {
            e += h[i] * s[i] * k;
        }
        for (l, m) in n.layers.iter().zip(&n.layers[1..]) {
            for i in 0..l.b.len().min(m.b.len()) {
                e += l.b[i] * m.b[i];
            }
        }
        e
    }

    #[differentiable]
    fn change(n: &mut Net, k: f64) {
        for l in n.layers.iter_mut() {
            for i in 0..l.b.len() {
                l.b[i] *= k;
                l.w[i][0] += l.b[i] * l.b[i];
            }
        }
        n.scale.0 += n.scale.1[0];
        for i in 1..n.scale.1.len() {
            n.scale.1[i] = n.scale.1[i - 1] * k;
        }
    }

    #[differentiable]
    fn changed(n: &Net, k: f64) -> f64 {
        let mut n = n.clone();
        change(&mut n, k);
        let scales: f64 = n.scale.1.iter().map(|v| v * v).sum();
        let columns: f64 = n.layers.iter().flat_map(|l| &l.w).map(|row| row[0]).sum();
        n.scale.0 + scales + columns
    }

    #[test]
    fn fields_beside_each_other() {
        let state = State {
            u: vec![0.3, 0.5, -0.2, 0.9],
            v: vec![0.1, 0.7, 0.8, 0.4],
            sum: 0.2,
            last: 0.6,
            inner: Inner {
                a: vec![0.3, 0.2, -0.4, 0.5],
                b: 0.7,
            },
        };
        check_grads::<stepped, _>(&(state, vec![0.2, 0.4, -0.6, 0.8])).expect("stepped");
        let layer = |rows: usize, columns: usize, squashed| Layer {
            w: (0..rows)
                .map(|i| (0..columns).map(|j| ((3 * i + j) as f64).sin()).collect())
                .collect(),
            b: (0..rows).map(|i| 0.1 * i as f64 + 0.2).collect(),
            squashed,
        };
        let net = Net {
            layers: vec![layer(3, 2, true), layer(4, 3, false)],
            scale: (0.7, vec![0.1, 0.2, 0.3, 0.4]),
        };
        check_grads::<output, _>(&(net.clone(), vec![0.3, 0.8])).expect("output");
        check_grads::<changed, _>(&(net, 0.7)).expect("changed");
    }
}

/// Constants that are structs, in derivatives of second order.
mod constant_structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    #[differentiable(higher_order)]
    struct Data {
        x: Vec<f64>,
        y: Vec<f64>,
        sigma: f64,
    }

    #[derive(Clone, Debug, Differentiable)]
    #[differentiable(higher_order)]
    struct Model {
        amplitude: f64,
        rates: [f64; 2],
    }

    #[differentiable(higher_order)]
    fn squared(x: f64) -> f64 {
        x * x
    }

    #[differentiable(higher_order)]
    fn loss(m: &Model, #[constant] d: &Data) -> f64 {
        let mut total = 0.0;
        for i in 0..d.x.len() {
            let e = m.amplitude * (m.rates[0] * d.x[i]).exp() + m.rates[1] * d.x[i] - d.y[i];
            total += squared(e) / d.sigma;
        }
        total
    }

    #[test]
    fn constants_of_structs() {
        let d = Data {
            x: vec![0.1, 0.4, 0.9],
            y: vec![1.2, 0.9, 1.9],
            sigma: 0.3,
        };
        let m = Model {
            amplitude: 0.8,
            rates: [0.3, -0.2],
        };
        check_grads::<loss, _>(&(m.clone(), d.clone())).expect("the gradient");
        let along = ModelTangent {
            amplitude: 0.3,
            rates: [0.5, -0.7],
        };
        let product = loss::hvp((&m, &along), &d);
        let h = 1e-5;
        let at = |s: f64| {
            let m = Model {
                amplitude: m.amplitude + s * along.amplitude,
                rates: [
                    m.rates[0] + s * along.rates[0],
                    m.rates[1] + s * along.rates[1],
                ],
            };
            loss::grad(&m, &d)
        };
        let (up, down) = (at(h), at(-h));
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-5 * (1.0 + a.abs()), "{a} {b}");
        close(
            product.amplitude,
            (up.amplitude - down.amplitude) / (2.0 * h),
        );
        for k in 0..2 {
            close(product.rates[k], (up.rates[k] - down.rates[k]) / (2.0 * h));
        }
    }
}
