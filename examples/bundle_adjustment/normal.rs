//! The normal equations `(JᵀJ + λ D) d = −Jᵀr`, where `D` is the diagonal of `JᵀJ`.
//!
//! Points meet in no observation, so their part of `JᵀJ` is of 3 by 3 blocks, which are eliminated one by one
//! (the Schur complement); what is left is dense, of the size of the cameras, and is solved by Cholesky.

use super::Scene;
use anyhow::Result;
use differentiable::prelude::*;
use differentiable::sparse::Csr;

dim!(Unknowns);

/// `JᵀJ` and `Jᵀr` by parts.
pub struct Equations {
    /// Of each camera with itself.
    cameras: Vec<[[f64; 6]; 6]>,
    points: Vec<Point>,
    /// `−Jᵀr` of the cameras.
    right: Vec<f64>,
}

struct Point {
    itself: [[f64; 3]; 3],
    right: [f64; 3],
    /// With each camera that sees it.
    with: Vec<(usize, [[f64; 3]; 6])>,
}

impl Equations {
    pub fn new(scene: &Scene, jacobian: &Csr<f64>, residuals: &[f64]) -> Self {
        let point = || Point {
            itself: [[0.0; 3]; 3],
            right: [0.0; 3],
            with: Vec::new(),
        };
        let mut equations = Equations {
            cameras: vec![[[0.0; 6]; 6]; scene.cameras.len()],
            points: scene.points.iter().map(|_| point()).collect(),
            right: vec![0.0; 6 * scene.cameras.len()],
        };
        for (i, o) in scene.observations.iter().enumerate() {
            let point = &mut equations.points[o.point];
            let mut with = [[0.0; 3]; 6];
            for row in [2 * i, 2 * i + 1] {
                let (by_camera, by_point) = jacobian.row(row).1.split_at(6);
                let r = residuals[row];
                for (a, x) in by_camera.iter().enumerate() {
                    for (b, y) in by_camera.iter().enumerate() {
                        equations.cameras[o.camera][a][b] += x * y;
                    }
                    for (b, y) in by_point.iter().enumerate() {
                        with[a][b] += x * y;
                    }
                    equations.right[6 * o.camera + a] -= x * r;
                }
                for (a, x) in by_point.iter().enumerate() {
                    for (b, y) in by_point.iter().enumerate() {
                        point.itself[a][b] += x * y;
                    }
                    point.right[a] -= x * r;
                }
            }
            point.with.push((o.camera, with));
        }
        equations
    }

    /// The step: cameras, then points.
    pub fn solve(&self, damping: f64) -> Result<Vec<f64>> {
        let n = 6 * self.cameras.len();
        let mut reduced = vec![0.0; n * n];
        let mut right = self.right.clone();
        for (c, block) in self.cameras.iter().enumerate() {
            for a in 0..6 {
                for b in 0..6 {
                    reduced[(6 * c + a) * n + 6 * c + b] += block[a][b];
                }
                reduced[(6 * c + a) * (n + 1)] += damping * block[a][a];
            }
        }
        let mut inverses = Vec::with_capacity(self.points.len());
        for point in &self.points {
            let mut itself = point.itself;
            (0..3).for_each(|k| itself[k][k] *= 1.0 + damping);
            let inverse = inverse(&itself);
            for (c, with_c) in &point.with {
                for a in 0..6 {
                    let gone: [f64; 3] = std::array::from_fn(|k| dot(&with_c[a], &inverse[k]));
                    right[6 * c + a] -= dot(&gone, &point.right);
                    for (d, with_d) in &point.with {
                        for b in 0..6 {
                            reduced[(6 * c + a) * n + 6 * d + b] -= dot(&gone, &with_d[b]);
                        }
                    }
                }
            }
            inverses.push(inverse);
        }
        let matrix = Tensor::from_slice_with((Unknowns(n), Unknowns(n)), &reduced)?;
        let right = Tensor::from_slice_with((Unknowns(n), Sz::<1>), &right)?;
        let mut step = matrix.try_cholesky()?.cholesky_solve(&right).to_vec();
        for (point, inverse) in self.points.iter().zip(&inverses) {
            let mut left = point.right;
            for (c, with) in &point.with {
                for a in 0..6 {
                    (0..3).for_each(|k| left[k] -= with[a][k] * step[6 * c + a]);
                }
            }
            step.extend(inverse.iter().map(|row| dot(row, &left)));
        }
        Ok(step)
    }
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn inverse(m: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let minor = |i: usize, j: usize| {
        let (i, k, j, l) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        m[i][j] * m[k][l] - m[i][l] * m[k][j]
    };
    let determinant: f64 = (0..3).map(|j| m[0][j] * minor(0, j)).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| minor(j, i) / determinant))
}
