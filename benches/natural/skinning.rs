//! A mesh on bones, with constants in structs: the gradient of its distance to a target by the angles of the bones, and the
//! Jacobian of its vertices, whose structs can be written over other scalars.

use crate::{NATURAL, measure};
use differentiable::prelude::*;

type Point = [f64; 2];

/// A vertex and the weights of the bones on it.
#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Vertex {
    rest: Point,
    weights: Vec<(usize, f64)>,
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Mesh {
    vertices: Vec<Vertex>,
    joints: Vec<Point>,
    target: Vec<Point>,
}

#[differentiable(higher_order)]
fn placed(angle: f64, joint: &Point, p: &Point) -> Point {
    let (s, c) = angle.sin_cos();
    let (x, y) = (p[0] - joint[0], p[1] - joint[1]);
    [joint[0] + c * x - s * y, joint[1] + s * x + c * y]
}

#[differentiable]
fn distance(angles: &[f64], #[constant] mesh: &Mesh) -> f64 {
    mesh.vertices
        .iter()
        .zip(&mesh.target)
        .map(|(vertex, target)| {
            let mut sum = [0.0, 0.0];
            for (bone, weight) in &vertex.weights {
                let p = placed(angles[*bone], &mesh.joints[*bone], &vertex.rest);
                sum[0] += weight * p[0];
                sum[1] += weight * p[1];
            }
            (sum[0] - target[0]).powi(2) + (sum[1] - target[1]).powi(2)
        })
        .sum()
}

#[differentiable(higher_order)]
fn positions(angles: &[f64], #[constant] mesh: &Mesh) -> Vec<f64> {
    let mut all = Vec::new();
    for vertex in &mesh.vertices {
        let mut sum = [0.0, 0.0];
        for (bone, weight) in &vertex.weights {
            let p = placed(angles[*bone], &mesh.joints[*bone], &vertex.rest);
            sum[0] += weight * p[0];
            sum[1] += weight * p[1];
        }
        all.extend(sum);
    }
    all
}

/// The Jacobian of [`positions`], row by row. A vertex hangs on two bones, so that this fills two columns of its rows; forward
/// mode computes all columns.
fn jacobian_by_hand(angles: &[f64], mesh: &Mesh, rows: &mut [f64]) {
    let columns = angles.len();
    rows.fill(0.0);
    for (vertex, rows) in mesh.vertices.iter().zip(rows.chunks_exact_mut(2 * columns)) {
        for (bone, weight) in &vertex.weights {
            let (s, c) = angles[*bone].sin_cos();
            let joint = &mesh.joints[*bone];
            let (x, y) = (vertex.rest[0] - joint[0], vertex.rest[1] - joint[1]);
            rows[*bone] += weight * (-s * x - c * y);
            rows[columns + *bone] += weight * (c * x - s * y);
        }
    }
}

fn by_hand(angles: &[f64], mesh: &Mesh) -> (f64, Vec<f64>) {
    let mut total = 0.0;
    let mut d_angles = vec![0.0; angles.len()];
    let mut slopes = Vec::new();
    for (vertex, target) in mesh.vertices.iter().zip(&mesh.target) {
        let mut sum = [0.0, 0.0];
        slopes.clear();
        for (bone, weight) in &vertex.weights {
            let (s, c) = angles[*bone].sin_cos();
            let joint = &mesh.joints[*bone];
            let (x, y) = (vertex.rest[0] - joint[0], vertex.rest[1] - joint[1]);
            let turned = [c * x - s * y, s * x + c * y];
            sum[0] += weight * (joint[0] + turned[0]);
            sum[1] += weight * (joint[1] + turned[1]);
            slopes.push([-weight * turned[1], weight * turned[0]]);
        }
        let gap = [sum[0] - target[0], sum[1] - target[1]];
        total += gap[0] * gap[0] + gap[1] * gap[1];
        for ((bone, _), slope) in vertex.weights.iter().zip(&slopes) {
            d_angles[*bone] += 2.0 * (gap[0] * slope[0] + gap[1] * slope[1]);
        }
    }
    (total, d_angles)
}

pub fn run() {
    let bones = 20;
    let joints = (0..bones)
        .map(|b| [b as f64, 0.1 * (b as f64).sin()])
        .collect();
    let vertex = |i: usize| {
        let at = i as f64 * 0.02;
        let bone = (at as usize).min(bones - 2);
        let weights = vec![
            (bone, 0.6 - 0.1 * at.fract()),
            (bone + 1, 0.4 + 0.1 * at.fract()),
        ];
        Vertex {
            rest: [at, (0.7 * i as f64).sin()],
            weights,
        }
    };
    let vertices: Vec<Vertex> = (0..1000).map(vertex).collect();
    let target = vertices
        .iter()
        .map(|v| [v.rest[0] + 0.1, v.rest[1] * 0.9])
        .collect();
    let mesh = Mesh {
        vertices,
        joints,
        target,
    };
    let angles: Vec<f64> = (0..bones).map(|b| 0.1 * (1.3 * b as f64).cos()).collect();
    measure(
        "skinning, 1000 vertices on 20 bones, constant structs",
        NATURAL,
        || distance(&angles, &mesh),
        || by_hand(&angles, &mesh),
        || distance::value_and_grad(&angles, &mesh),
        |hand, ours| {
            (
                [&[hand.0], &hand.1[..]].concat(),
                [&[ours.0], &ours.1[..]].concat(),
            )
        },
    );
    let entries = 2 * mesh.vertices.len() * bones;
    let (mut hand, mut ours) = (vec![0.0; entries], vec![0.0; entries]);
    measure(
        "skinning, the Jacobian of 1000 vertices by 20 angles",
        NATURAL,
        || positions(&angles, &mesh),
        || {
            jacobian_by_hand(&angles, &mesh, &mut hand);
            hand.clone()
        },
        || {
            positions::jacobian_into(&mut ours, &angles, &mesh);
            ours.clone()
        },
        |hand, ours| (hand.clone(), ours.clone()),
    );
}
