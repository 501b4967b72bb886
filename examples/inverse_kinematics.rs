//! A robot arm in space finds the angles of its joints that bring its hand to a target.
//!
//! Newton's method on the distance would need second derivatives; Levenberg's needs only the
//! Jacobian of the position of the hand, a row from each pullback.
//!
//! `cargo run --release --example inverse_kinematics [-- PICTURE.svg]`

#[path = "support/target.rs"]
mod target;

use differentiable::prelude::*;
use std::f64::consts::FRAC_PI_2;
use std::path::PathBuf;

/// Joints: the base turns about the vertical; the others bend in the arm's plane or twist it.
const JOINTS: usize = 6;
const LENGTHS: [f64; JOINTS] = [0.6, 1.0, 0.9, 0.7, 0.4, 0.3];
const TARGETS: [[f64; 3]; 4] = [
    [1.2, 0.9, 1.4],
    [-0.8, 1.5, 0.5],
    [0.3, -1.9, 1.8],
    [-1.1, -0.6, 2.4],
];
const REACHED: f64 = 1e-9;

type Vector = [f64; 3];

/// Turns `v` by `angle` in the plane of two of its coordinates.
#[differentiable]
fn turn(v: &Vector, angle: f64, from: usize, to: usize) -> Vector {
    let (sine, cosine) = (angle.sin(), angle.cos());
    let mut turned = *v;
    turned[from] = cosine * v[from] - sine * v[to];
    turned[to] = sine * v[from] + cosine * v[to];
    turned
}

/// Where the arm ends whose first `links` links are there: from the last link down to the base,
/// each joint turns all that comes after it.
#[differentiable]
fn end_of(angles: &[f64; JOINTS], links: usize) -> Vector {
    let mut position = [0.0, 0.0, 0.0];
    for joint in (0..links).rev() {
        position[2] += LENGTHS[joint];
        position = match joint {
            0 => turn(&position, angles[joint], 0, 1),
            3 => turn(&position, angles[joint], 1, 2),
            _ => turn(&position, angles[joint], 2, 0),
        };
    }
    position
}

/// From the target to the hand.
#[differentiable]
fn miss(angles: &[f64; JOINTS], #[constant] target: &Vector) -> Vector {
    let hand = end_of(angles, JOINTS);
    [
        hand[0] - target[0],
        hand[1] - target[1],
        hand[2] - target[2],
    ]
}

fn length(v: &Vector) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The way from the target, and its Jacobian.
fn linearise(angles: &[f64; JOINTS], target: &Vector) -> (Vector, [[f64; JOINTS]; 3]) {
    let row = |i: usize| {
        let (_, pullback) = miss::vjp(angles, target);
        pullback(std::array::from_fn(|j| f64::from(i == j)))
    };
    (miss(angles, target), std::array::from_fn(row))
}

/// Solves `a x = b` for a symmetric positive definite matrix, by Cholesky's decomposition.
fn solve(mut a: [[f64; 3]; 3], mut b: Vector) -> Vector {
    for i in 0..3 {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| a[i][k] * a[j][k]).sum();
            let rest = a[i][j] - known;
            a[i][j] = if i == j { rest.sqrt() } else { rest / a[j][j] };
        }
    }
    for i in 0..3 {
        let known: f64 = (0..i).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    for i in (0..3).rev() {
        let known: f64 = (i + 1..3).map(|k| a[k][i] * b[k]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

/// Levenberg's method: the step is −Jᵀ (J Jᵀ + λ)⁻¹ m, with less damping λ after each success.
/// Returns the number of steps.
fn reach(angles: &mut [f64; JOINTS], target: &Vector) -> usize {
    let mut damping = 1.0;
    for step in 0..200 {
        let (miss_here, jacobian) = linearise(angles, target);
        if length(&miss_here) < REACHED {
            return step;
        }
        let mut normal = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                normal[i][j] = jacobian[i]
                    .iter()
                    .zip(&jacobian[j])
                    .map(|(a, b)| a * b)
                    .sum();
            }
            normal[i][i] += damping;
        }
        let weights = solve(normal, miss_here);
        let mut moved = *angles;
        for i in 0..3 {
            for j in 0..JOINTS {
                moved[j] -= weights[i] * jacobian[i][j];
            }
        }
        if length(&miss(&moved, target)) < length(&miss_here) {
            *angles = moved;
            damping *= 0.3;
        } else {
            damping *= 4.0;
        }
    }
    200
}

/// The positions of all joints, from the base to the hand.
fn pose(angles: &[f64; JOINTS]) -> Vec<Vector> {
    (0..=JOINTS).map(|links| end_of(angles, links)).collect()
}

fn main() -> std::io::Result<()> {
    let start = [0.3, 0.4, -0.3, 0.2, 0.5, FRAC_PI_2];
    let mut panels = Vec::new();
    let mut failed = false;
    for target in &TARGETS {
        let mut angles = start;
        let before = length(&miss(&angles, target));
        let steps = reach(&mut angles, target);
        let after = length(&miss(&angles, target));
        let [x, y, z] = target;
        println!(
            "target ({x:4.1}, {y:4.1}, {z:4.1}): distance {before:.3} before, {after:.1e} after {steps} steps"
        );
        failed |= after >= REACHED;
        panels.push((pose(&start), pose(&angles), *target));
    }
    let path = std::env::args()
        .nth(1)
        .map_or_else(|| target::file("inverse_kinematics.svg"), PathBuf::from);
    std::fs::write(&path, picture(&panels))?;
    println!("the arm before (grey) and after: {}", path.display());
    if failed {
        eprintln!("a target was not reached");
        std::process::exit(1);
    }
    Ok(())
}

/// One panel for each target, seen from the side and above.
fn picture(panels: &[(Vec<Vector>, Vec<Vector>, Vector)]) -> String {
    const SIZE: f64 = 260.0;
    let project = |panel: usize, v: &Vector| {
        let across = 0.8 * v[0] - 0.6 * v[1];
        let up = v[2] + 0.3 * (0.6 * v[0] + 0.8 * v[1]);
        let left = SIZE * panel as f64;
        (left + SIZE / 2.0 + 42.0 * across, 0.72 * SIZE - 42.0 * up)
    };
    let line = |panel: usize, joints: &[Vector], colour: &str, width: usize| {
        let mut svg = String::new();
        let points: Vec<(f64, f64)> = joints.iter().map(|v| project(panel, v)).collect();
        let path: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        svg += &format!(
            "<polyline points='{}' fill='none' stroke='{colour}' stroke-width='{width}' stroke-linejoin='round'/>\n",
            path.join(" ")
        );
        for (x, y) in points {
            svg += &format!("<circle cx='{x:.1}' cy='{y:.1}' r='{width}' fill='{colour}'/>\n");
        }
        svg
    };
    let width = SIZE * panels.len() as f64;
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{SIZE}'>\n<rect width='100%' height='100%' fill='white'/>\n"
    );
    for (panel, (before, after, target)) in panels.iter().enumerate() {
        let ground: Vec<Vector> = (0..=48)
            .map(|i| f64::from(i) / 48.0 * std::f64::consts::TAU)
            .map(|turn| [2.0 * turn.cos(), 2.0 * turn.sin(), 0.0])
            .collect();
        svg += &line(panel, &ground, "#e4e4e4", 1);
        svg += &line(panel, before, "#b5b5b5", 3);
        svg += &line(panel, after, "#1f6fb4", 4);
        let (x, y) = project(panel, target);
        svg += &format!(
            "<circle cx='{x:.1}' cy='{y:.1}' r='9' fill='none' stroke='#d03030' stroke-width='3'/>\n"
        );
    }
    svg + "</svg>\n"
}
