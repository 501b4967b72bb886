//! Bundle adjustment: how far the images of points are from where cameras saw them.

use super::{EvalError, Evaluation, Fields, Repeats};
use differentiable::prelude::*;
use serde_json::{Value, json};

/// Rotation (3), centre (3), focal length, principal point (2), radial distortion (2).
pub type Camera = [f64; 11];
pub type Point = [f64; 3];

#[differentiable(higher_order)]
fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[differentiable(higher_order)]
fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Rotates `x` about the direction of `rotation` by its length (Rodrigues).
#[differentiable(higher_order)]
fn rotate(rotation: &[f64; 3], x: &[f64; 3]) -> [f64; 3] {
    let squared = dot(rotation, rotation);
    if squared == 0.0 {
        let moved = cross(rotation, x);
        return [x[0] + moved[0], x[1] + moved[1], x[2] + moved[2]];
    }
    let angle = squared.sqrt();
    let (sine, cosine) = angle.sin_cos();
    let inverse = angle.recip();
    let axis = [
        rotation[0] * inverse,
        rotation[1] * inverse,
        rotation[2] * inverse,
    ];
    let across = cross(&axis, x);
    let along = dot(&axis, x) * (1.0 - cosine);
    [
        x[0] * cosine + across[0] * sine + axis[0] * along,
        x[1] * cosine + across[1] * sine + axis[1] * along,
        x[2] * cosine + across[2] * sine + axis[2] * along,
    ]
}

/// The weighted distance of the image of a point from the observed `feature`.
#[differentiable(higher_order)]
pub fn reprojection_error(
    camera: &[f64; 11],
    point: &[f64; 3],
    weight: f64,
    #[constant] feature: &[f64; 2],
) -> [f64; 2] {
    let [r0, r1, r2, c0, c1, c2, focal, u0, v0, k1, k2] = *camera;
    let seen = rotate(
        &[r0, r1, r2],
        &[point[0] - c0, point[1] - c1, point[2] - c2],
    );
    let nearness = seen[2].recip();
    let (x, y) = (seen[0] * nearness, seen[1] * nearness);
    let squared = x * x + y * y;
    let distortion = 1.0 + k1 * squared + k2 * squared * squared;
    [
        weight * (x * distortion * focal + u0 - feature[0]),
        weight * (y * distortion * focal + v0 - feature[1]),
    ]
}

#[differentiable]
pub fn weight_error(weight: f64) -> f64 {
    1.0 - weight * weight
}

/// Observation `i` sees camera `i mod n` and point `i mod m`.
pub struct Problem {
    pub cameras: Vec<Camera>,
    pub points: Vec<Point>,
    pub weights: Vec<f64>,
    pub features: Vec<[f64; 2]>,
}

/// A sparse matrix by rows: row `i` has the entries `rows[i]..rows[i + 1]`.
#[derive(Debug, PartialEq)]
pub struct Csr {
    pub rows: Vec<usize>,
    pub cols: Vec<usize>,
    pub vals: Vec<f64>,
}

impl Problem {
    fn read(fields: &Fields) -> Result<Self, EvalError> {
        Ok(Problem {
            cameras: vec![fields.array("cam")?; fields.size("n", 1)?],
            points: vec![fields.array("x")?; fields.size("m", 1)?],
            weights: vec![fields.number("w")?; fields.size("p", 1)?],
            features: vec![fields.array("feat")?; fields.size("p", 1)?],
        })
    }

    /// The errors of all observations, and those of all weights.
    pub fn errors(&self) -> (Vec<[f64; 2]>, Vec<f64>) {
        let mut reprojection = Vec::with_capacity(self.weights.len());
        for (i, (weight, feature)) in self.weights.iter().zip(&self.features).enumerate() {
            let camera = &self.cameras[i % self.cameras.len()];
            let point = &self.points[i % self.points.len()];
            reprojection.push(reprojection_error(camera, point, *weight, feature));
        }
        let weights = self.weights.iter().map(|w| weight_error(*w)).collect();
        (reprojection, weights)
    }

    /// The derivatives of all errors: columns of cameras, then of points, then of weights.
    pub fn jacobian(&self) -> Csr {
        let (n, m, p) = (self.cameras.len(), self.points.len(), self.weights.len());
        let mut cols = Vec::with_capacity(31 * p);
        let mut vals = Vec::with_capacity(31 * p);
        for (i, (weight, feature)) in self.weights.iter().zip(&self.features).enumerate() {
            let (camera, point) = (i % n, i % m);
            let mut block = [0.0; 30];
            reprojection_error::jacobian_into(
                &mut block,
                &self.cameras[camera],
                &self.points[point],
                *weight,
                feature,
            );
            let mut row = [11 * n + 3 * m + i; 15];
            for (k, col) in row[..11].iter_mut().enumerate() {
                *col = 11 * camera + k;
            }
            for (k, col) in row[11..14].iter_mut().enumerate() {
                *col = 11 * n + 3 * point + k;
            }
            cols.extend_from_slice(&row);
            cols.extend_from_slice(&row);
            vals.extend_from_slice(&block);
        }
        cols.extend((0..p).map(|i| 11 * n + 3 * m + i));
        vals.extend(self.weights.iter().map(|w| weight_error::grad(*w)));
        let rows = (0..=2 * p).map(|r| 15 * r);
        let rows = rows.chain((1..=p).map(|r| 30 * p + r)).collect();
        Csr { rows, cols, vals }
    }
}

pub fn evaluate(function: &str, input: &Value) -> Result<Evaluation, EvalError> {
    let fields = Fields::of(input)?;
    let repeats = Repeats::of(&fields)?;
    let problem = Problem::read(&fields)?;
    match function {
        "objective" => Ok(repeats.run(
            || problem.errors(),
            |(reprojection, weights)| {
                json!({
                    "reproj_error": { "elements": reprojection[0], "repeated": reprojection.len() },
                    "w_err": { "element": weights[0], "repeated": weights.len() },
                })
            },
        )),
        "jacobian" => Ok(repeats.run(
            || problem.jacobian(),
            |Csr { rows, cols, vals }| {
                json!({ "rows": ends(&rows), "cols": ends(&cols), "vals": ends(&vals) })
            },
        )),
        _ => Err(EvalError::UnknownFunction {
            module: "ba",
            found: function.into(),
        }),
    }
}

/// What is reported of a long sequence: its first 30 elements and its last.
fn ends<T: Copy>(values: &[T]) -> Vec<T> {
    let first = values.iter().take(30);
    first.chain(values.last()).copied().collect()
}
