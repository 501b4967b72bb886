//! Index operators of the user's own types, whose index is a tuple: reads, writes, and parts that have no derivative.

use crate::check;
use differentiable::prelude::*;
use std::ops::{Index, IndexMut};

macro_rules! each {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            check::<$name::f, _>(&(vec![0.31, 0.42, -0.55, 0.83, 0.27, -0.36],));
        }
    )* };
}
each! { grids rows matrices boards padded states vectors }

/// A matrix in one vector, and a second one beside it.
#[derive(Clone, Debug, Differentiable)]
struct Grid {
    rows: usize,
    cols: usize,
    border: Vec<f64>,
    data: Vec<f64>,
}

impl Grid {
    fn at(&self, i: usize, j: usize) -> usize {
        i * self.cols + j
    }
}

impl Index<(usize, usize)> for Grid {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        if i < self.rows {
            &self.data[self.at(i, j)]
        } else {
            &self.border[j]
        }
    }
}

impl IndexMut<(usize, usize)> for Grid {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        let at = self.at(i, j);
        if i < self.rows {
            &mut self.data[at]
        } else {
            &mut self.border[j]
        }
    }
}

mod grids {
    use super::*;

    #[differentiable]
    impl Grid {
        fn new(x: &[f64]) -> Grid {
            let border = vec![x[5], x[5] * x[0]];
            let data = x[..4].to_vec();
            Grid {
                rows: 2,
                cols: 2,
                border,
                data,
            }
        }
        fn trace(&self) -> f64 {
            (0..self.rows).map(|i| self[(i, i)]).sum()
        }
        /// Smooths in place, and counts.
        fn relax(&mut self, weight: f64) {
            for i in 0..self.rows {
                for j in 0..self.cols {
                    self[(i, j)] += weight * self[(i, (j + 1) % self.cols)];
                    self[(i + 1, j)] *= 0.5 * self[(i, j)];
                }
            }
        }
    }

    #[differentiable]
    fn swirl(g: &mut Grid, k: f64) {
        let (mut i, mut j) = (0, 1);
        while i < 2 {
            let old = g[(i, j)];
            g[(i, j)] = g[(j, i)].sin() * k;
            g[(j, i)] -= old * old;
            (i, j) = (i + 1, 1 - j);
        }
    }

    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut g = Grid::new(x);
        g.relax(x[4]);
        swirl(&mut g, x[1]);
        let mut total = g.trace() * g[(2, 1)];
        for cell in [(0, 1), (1, 0), (2, 0)] {
            if cell.0 == 1 && g[(1, 1)] > 100.0 {
                return total;
            }
            total += g[(cell.0, cell.1)].exp();
        }
        let h = g.clone();
        g = Grid::new(&[total, x[2], h[(1, 0)], x[3], 1.0, 2.0]);
        total + g[(0, 0)] * g[(1, 0)] + [g, h].iter().map(|m| m[(1, 1)]).sum::<f64>()
    }
}

/// Rows are slices, parts are in parts, and numbers are `f32`.
mod rows {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Table {
        cols: usize,
        scale: f64,
        cells: Vec<f64>,
    }
    impl Index<(usize,)> for Table {
        type Output = [f64];
        fn index(&self, (i,): (usize,)) -> &[f64] {
            &self.cells[i * self.cols..(i + 1) * self.cols]
        }
    }
    impl IndexMut<(usize,)> for Table {
        fn index_mut(&mut self, (i,): (usize,)) -> &mut [f64] {
            let cols = self.cols;
            &mut self.cells[i * cols..(i + 1) * cols]
        }
    }

    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut t = Table {
            cols: 3,
            scale: x[0],
            cells: x.to_vec(),
        };
        for k in 0..2 {
            t[(k,)][1] *= t.scale;
            t[(1 - k,)][k] += t[(k,)][2] * x[k];
        }
        let row = &t[(1,)];
        row.iter().zip(&t[(0,)]).map(|(a, b)| a * b).sum::<f64>() * row[0] + t[(0,)].len() as f64
    }
}

/// Of fixed size, copied, over constants and over any scalar.
mod matrices {
    use super::*;
    use differentiable::ad::Scalar;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Matrix<T, const R: usize, const C: usize>([[T; C]; R]);

    impl<T, const R: usize, const C: usize> Index<(usize, usize)> for Matrix<T, R, C> {
        type Output = T;
        fn index(&self, (i, j): (usize, usize)) -> &T {
            &self.0[i][j]
        }
    }
    impl<T, const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<T, R, C> {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
            &mut self.0[i][j]
        }
    }

    #[differentiable]
    fn product<const N: usize>(a: &Matrix<f64, N, N>, b: Matrix<f64, N, N>) -> Matrix<f64, N, N> {
        let mut out = Matrix([[0.0; N]; N]);
        for i in 0..N {
            for j in 0..N {
                out[(i, j)] = (0..N).map(|k| a[(i, k)] * b[(k, j)]).sum();
            }
        }
        out
    }
    #[differentiable]
    fn single(m: &Matrix<f32, 2, 2>) -> f32 {
        m[(0, 1)] * m[(1, 1)]
    }
    #[differentiable]
    fn det<T: Scalar>(m: &Matrix<T, 2, 2>) -> T {
        m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)]
    }
    #[differentiable]
    fn weighted(m: &Matrix<f64, 2, 2>, #[constant] w: &Matrix<f64, 2, 2>) -> f64 {
        let mut total = 0.0;
        for (i, j) in [(0, 0), (1, 1), (0, 1)] {
            total += w[(i, j)] * m[(i, j)];
        }
        total
    }

    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let a = Matrix([[x[0], x[1]], [x[2], x[3]]]);
        let w = Matrix([[1.0, 2.0], [3.0, 4.0]]);
        let p = product(&a, product(&a, a));
        det(&p) + p[(0, 1)] * x[4] + weighted(&p, &w)
    }

    #[test]
    fn of_any_scalar() {
        let m = Matrix([[1.0_f32, 2.0], [3.0, 4.0]]);
        assert_eq!(single::grad(&m).0, [[0.0, 4.0], [0.0, 2.0]]);
    }
}

/// Entries are values of other types, far inside.
mod boards {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Cell {
        mass: f64,
        speed: [f64; 2],
        next: Box<f64>,
    }
    #[derive(Clone, Debug, Differentiable)]
    struct Board {
        dt: f64,
        lines: Vec<Vec<Cell>>,
    }
    impl Index<(usize, usize)> for Board {
        type Output = Cell;
        fn index(&self, (i, j): (usize, usize)) -> &Cell {
            &self.lines[i][j]
        }
    }
    impl IndexMut<(usize, usize)> for Board {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut Cell {
            &mut self.lines[i][j]
        }
    }
    /// A coordinate of a cell, or what it points to.
    impl Index<(usize, usize, usize)> for Board {
        type Output = f64;
        fn index(&self, (i, j, k): (usize, usize, usize)) -> &f64 {
            let cell = &self[(i, j)];
            cell.speed.get(k).unwrap_or(&cell.next)
        }
    }

    #[differentiable]
    fn energy(c: &Cell) -> f64 {
        c.mass * (c.speed[0].powi(2) + c.speed[1].powi(2)) * *c.next
    }

    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let cell = |k: usize| Cell {
            mass: x[k],
            speed: [x[k + 1], 1.5],
            next: Box::new(x[k + 2]),
        };
        let mut b = Board {
            dt: x[5],
            lines: vec![vec![cell(0), cell(1)], vec![cell(2), cell(3)]],
        };
        b[(0, 1)].mass = x[0] * b[(1, 0)].mass;
        b[(1, 1)].speed[1] += b.dt * b[(0, 0, 2)];
        b[(1, 0)] = cell(1);
        let mut total = energy(&b[(0, 1)]) + energy(&b[(1, 1)]);
        for i in 0..2 {
            for k in 0..3 {
                total += b[(i, 1 - i, k)] * b[(1, 1, k)];
            }
        }
        total
    }
}

/// What lies outside is a constant, and so is what is in a constant field.
mod padded {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Padded {
        values: Vec<f64>,
        #[constant]
        weights: Vec<f64>,
    }
    impl Index<(bool, isize)> for Padded {
        type Output = f64;
        fn index(&self, (weight, i): (bool, isize)) -> &f64 {
            let values = if weight { &self.weights } else { &self.values };
            usize::try_from(i)
                .ok()
                .and_then(|i| values.get(i))
                .unwrap_or(&0.75)
        }
    }

    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let p = Padded {
            values: x.to_vec(),
            weights: vec![0.25, 0.5],
        };
        let mut total = 0.0;
        for i in -1..7 {
            total += p[(true, i)] * p[(false, i - 1)] * p[(false, i)];
        }
        total
    }
}

/// Stored in a struct, lent to functions, and read in conditions.
mod states {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    struct State {
        time: f64,
        grid: Grid,
    }

    #[differentiable]
    fn add(place: &mut f64, x: f64) {
        *place += x * *place;
    }

    #[differentiable]
    fn step(s: State, at: (usize, usize)) -> State {
        let mut s = s;
        let (i, j) = at;
        add(&mut s.grid[(i, j)], s.time);
        let big = s.grid[(i, j)] > 0.3;
        s.grid[(1, 1)] = if big {
            s.grid[(i, j)] * s.time
        } else {
            s.grid[(0, 0)].cos()
        };
        s
    }

    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let grid = Grid {
            rows: 2,
            cols: 2,
            border: vec![x[4], 1.0],
            data: x[..4].to_vec(),
        };
        let mut s = State { time: x[5], grid };
        for k in 0..4 {
            s = step(s, (k / 2, k % 2));
        }
        let m = s.grid[(1, 1)].max(s.grid[(0, 1)]);
        match s.grid[(2, 0)] {
            v if v > 10.0 => m,
            v => m * v + s.time,
        }
    }
}

/// By numbers, where a type is written, by a choice, and by names of tuples.
mod vectors {
    use super::*;
    use std::ops::Add;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Vec3 {
        x: f64,
        y: f64,
        z: f64,
    }
    #[derive(Clone, Copy)]
    enum Axis {
        X,
        Z,
    }
    #[differentiable]
    impl Index<usize> for Vec3 {
        type Output = f64;
        fn index(&self, i: usize) -> &f64 {
            [&self.x, &self.y, &self.z][i]
        }
    }
    #[differentiable]
    impl IndexMut<usize> for Vec3 {
        fn index_mut(&mut self, i: usize) -> &mut f64 {
            match i {
                0 => &mut self.x,
                1 => &mut self.y,
                _ => &mut self.z,
            }
        }
    }
    impl Index<Axis> for Vec3 {
        type Output = f64;
        fn index(&self, axis: Axis) -> &f64 {
            match axis {
                Axis::X => &self.x,
                Axis::Z => &self.z,
            }
        }
    }
    #[differentiable]
    impl Add for Vec3 {
        type Output = Vec3;
        fn add(self, o: Vec3) -> Vec3 {
            let mut sum = self;
            for i in 0..3 {
                sum[i] += o[i];
            }
            sum
        }
    }
    #[differentiable]
    impl Vec3 {
        fn dot(&self, o: &Vec3) -> f64 {
            (0..3).map(|i| self[i] * o[i]).sum()
        }
    }

    /// Rows are slices.
    #[derive(Clone, Debug, Differentiable)]
    struct Matrix {
        cols: usize,
        data: Vec<f64>,
    }
    impl Index<usize> for Matrix {
        type Output = [f64];
        fn index(&self, i: usize) -> &[f64] {
            &self.data[i * self.cols..(i + 1) * self.cols]
        }
    }
    impl IndexMut<usize> for Matrix {
        fn index_mut(&mut self, i: usize) -> &mut [f64] {
            let cols = self.cols;
            &mut self.data[i * cols..(i + 1) * cols]
        }
    }
    #[differentiable]
    fn apply(m: &Matrix, v: &Vec3) -> Vec3 {
        let mut out = Vec3 {
            x: 0.0,
            y: 0.0,
            z: 0.0,
        };
        for i in 0..2 {
            for j in 0..m.cols {
                out[i] += m[i][j] * v[j];
            }
            out[2] += m[i].iter().sum::<f64>();
        }
        out
    }
    /// An alias is what it stands for.
    type Pair = [f64; 2];
    #[differentiable]
    fn area(p: &Pair, mut q: Pair) -> f64 {
        q[0] *= p[1];
        q[0] - p[0] * q[1]
    }

    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let v = Vec3 {
            x: x[0],
            y: x[1],
            z: x[2],
        };
        let mut m = Matrix {
            cols: 3,
            data: x.to_vec(),
        };
        m[1][0] = v[Axis::X] * m[0][2];
        m[0].swap(1, 2);
        let w = apply(&m, &v) + v;
        let at = 1;
        w.dot(&v) * w[at] + w[Axis::Z] * area(&[v[0], w[2]], [x[3], x[4]])
    }
}
