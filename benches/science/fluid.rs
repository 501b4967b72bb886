//! A fluid on a torus, as in fluidsim.py of HIPS autograd.
use crate::Report;
use differentiable::prelude::*;
use std::ops::Index;

#[derive(Clone, Debug, Differentiable)]
struct Grid {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Index<(usize, usize)> for Grid {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}

#[differentiable]
impl Grid {
    fn from_fn(rows: usize, cols: usize, f: impl Fn(usize, usize) -> f64) -> Self {
        let data = (0..rows * cols).map(|k| f(k / cols, k % cols)).collect();
        Grid { rows, cols, data }
    }

    /// `np.roll`.
    fn roll(&self, di: isize, dj: isize) -> Grid {
        Grid::from_fn(self.rows, self.cols, |i, j| {
            let i = (i as isize - di).rem_euclid(self.rows as isize) as usize;
            let j = (j as isize - dj).rem_euclid(self.cols as isize) as usize;
            self[(i, j)]
        })
    }
}

#[differentiable]
fn project(vx: &Grid, vy: &Grid) -> (Grid, Grid) {
    let (rows, cols) = (vx.rows, vx.cols);
    let h = 1.0 / rows as f64;
    let (xp, xm, yp, ym) = (vx.roll(-1, 0), vx.roll(1, 0), vy.roll(0, -1), vy.roll(0, 1));
    let div = Grid::from_fn(rows, cols, |i, j| {
        -0.5 * h * (xp[(i, j)] - xm[(i, j)] + yp[(i, j)] - ym[(i, j)])
    });
    let mut p = Grid::from_fn(rows, cols, |_, _| 0.0);
    for _ in 0..10 {
        let neighbours = [p.roll(1, 0), p.roll(-1, 0), p.roll(0, 1), p.roll(0, -1)];
        p = Grid::from_fn(rows, cols, |i, j| {
            (div[(i, j)] + neighbours.iter().map(|n| n[(i, j)]).sum::<f64>()) / 4.0
        });
    }
    let mut vx = vx.clone();
    let mut vy = vy.clone();
    let (xp, xm, yp, ym) = (p.roll(-1, 0), p.roll(1, 0), p.roll(0, -1), p.roll(0, 1));
    for k in 0..vx.data.len() {
        vx.data[k] -= 0.5 * (xp.data[k] - xm.data[k]) / h;
        vy.data[k] -= 0.5 * (yp.data[k] - ym.data[k]) / h;
    }
    (vx, vy)
}

#[differentiable]
fn advect(f: &Grid, vx: &Grid, vy: &Grid) -> Grid {
    let (rows, cols) = (f.rows, f.cols);
    Grid::from_fn(rows, cols, |i, j| {
        let (x, y) = (i as f64 - vx[(i, j)], j as f64 - vy[(i, j)]);
        let (left, top) = (x.floor(), y.floor());
        let (rw, bw) = (x - left, y - top);
        let left = (left as isize).rem_euclid(rows as isize) as usize;
        let top = (top as isize).rem_euclid(cols as isize) as usize;
        let (right, bottom) = ((left + 1) % rows, (top + 1) % cols);
        (1.0 - rw) * ((1.0 - bw) * f[(left, top)] + bw * f[(left, bottom)])
            + rw * ((1.0 - bw) * f[(right, top)] + bw * f[(right, bottom)])
    })
}

#[differentiable]
fn objective(
    vx: &Grid,
    vy: &Grid,
    #[constant] smoke: &Grid,
    #[constant] target: &Grid,
    steps: usize,
) -> f64 {
    let (mut vx, mut vy, mut smoke) = (vx.clone(), vy.clone(), smoke.clone());
    for _ in 0..steps {
        let vx_updated = advect(&vx, &vx, &vy);
        let vy_updated = advect(&vy, &vx, &vy);
        (vx, vy) = project(&vx_updated, &vy_updated);
        smoke = advect(&smoke, &vx, &vy);
    }
    target
        .data
        .iter()
        .zip(&smoke.data)
        .map(|(t, s)| (t - s).powi(2))
        .sum::<f64>()
        / target.data.len() as f64
}

pub fn measure(report: &mut Report) {
    let n = 64;
    let smoke = Grid::from_fn(n, n, |i, j| f64::from((i / 8 + j / 8) % 2 == 0));
    let half = n as f64 / 2.0;
    let target = Grid::from_fn(n, n, |i, j| {
        f64::from((i as f64 - half).hypot(j as f64 - half) < 0.3 * n as f64)
    });
    let vx = Grid::from_fn(n, n, |i, j| (0.3 * i as f64).sin() + 0.01 * j as f64);
    let vy = Grid::from_fn(n, n, |i, j| (0.2 * j as f64).cos() - 0.005 * i as f64);
    report.case(
        "fluid: 20 steps on a grid of 64 by 64",
        objective(&vx, &vy, &smoke, &target, 20),
        || objective(&vx, &vy, &smoke, &target, 20),
        || objective::value_and_grad(&vx, &vy, &smoke, &target, 20),
    );
}
