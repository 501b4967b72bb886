//! A `Vec` of structs: bodies that attract each other, by leapfrog.

use crate::{NATURAL, measure};
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Body {
    position: [f64; 2],
    velocity: [f64; 2],
    mass: f64,
}

#[differentiable]
fn kick(bodies: &mut [Body], #[constant] h: f64) {
    for i in 0..bodies.len() {
        for j in 0..bodies.len() {
            if i == j {
                continue;
            }
            let dx = bodies[j].position[0] - bodies[i].position[0];
            let dy = bodies[j].position[1] - bodies[i].position[1];
            let r2 = dx * dx + dy * dy + 0.01;
            let pull = h * bodies[j].mass / (r2 * r2.sqrt());
            bodies[i].velocity[0] += pull * dx;
            bodies[i].velocity[1] += pull * dy;
        }
    }
}

#[differentiable]
fn energy_after(bodies: &[Body], steps: usize, #[constant] h: f64) -> f64 {
    let mut bodies = bodies.to_vec();
    for _ in 0..steps {
        kick(&mut bodies, h);
        for body in bodies.iter_mut() {
            body.position[0] += h * body.velocity[0];
            body.position[1] += h * body.velocity[1];
        }
    }
    bodies
        .iter()
        .map(|b| 0.5 * b.mass * (b.velocity[0].powi(2) + b.velocity[1].powi(2)))
        .sum()
}

fn by_hand(bodies: &[Body], steps: usize, h: f64) -> (f64, Vec<f64>) {
    let n = bodies.len();
    let mut now = bodies.to_vec();
    // Positions before each step.
    let mut kept: Vec<[f64; 2]> = Vec::with_capacity(steps * n);
    for _ in 0..steps {
        kept.extend(now.iter().map(|b| b.position));
        kick(&mut now, h);
        for body in &mut now {
            body.position[0] += h * body.velocity[0];
            body.position[1] += h * body.velocity[1];
        }
    }
    let mut total = 0.0;
    // By position, velocity and mass of each.
    let mut d = vec![0.0; 5 * n];
    for (i, b) in now.iter().enumerate() {
        let square = b.velocity[0].powi(2) + b.velocity[1].powi(2);
        total += 0.5 * b.mass * square;
        d[5 * i + 2] = b.mass * b.velocity[0];
        d[5 * i + 3] = b.mass * b.velocity[1];
        d[5 * i + 4] = 0.5 * square;
    }
    for t in (0..steps).rev() {
        let at = &kept[t * n..(t + 1) * n];
        for i in 0..n {
            d[5 * i + 2] += h * d[5 * i];
            d[5 * i + 3] += h * d[5 * i + 1];
        }
        for i in 0..n {
            for j in 0..n {
                if i == j {
                    continue;
                }
                let (dx, dy) = (at[j][0] - at[i][0], at[j][1] - at[i][1]);
                let r2 = dx * dx + dy * dy + 0.01;
                let cube = h / (r2 * r2.sqrt());
                let pull = cube * bodies[j].mass;
                let (vx, vy) = (d[5 * i + 2], d[5 * i + 3]);
                let d_pull = vx * dx + vy * dy;
                d[5 * j + 4] += d_pull * cube;
                let d_r2 = -1.5 * d_pull * pull / r2;
                let (d_dx, d_dy) = (pull * vx + 2.0 * d_r2 * dx, pull * vy + 2.0 * d_r2 * dy);
                d[5 * j] += d_dx;
                d[5 * i] -= d_dx;
                d[5 * j + 1] += d_dy;
                d[5 * i + 1] -= d_dy;
            }
        }
    }
    (total, d)
}

pub fn run() {
    let body = |i: usize| {
        let a = 0.7 * i as f64;
        Body {
            position: [a.sin() * 2.0, a.cos() * 3.0],
            velocity: [0.1 * a.cos(), 0.2 * a.sin()],
            mass: 1.0 + 0.1 * a,
        }
    };
    let bodies: Vec<Body> = (0..20).map(body).collect();
    measure(
        "20 bodies, 50 steps, a `Vec` of structs",
        NATURAL,
        || energy_after(&bodies, 50, 0.01),
        || by_hand(&bodies, 50, 0.01),
        || energy_after::value_and_grad(&bodies, 50, 0.01),
        |hand, (value, d)| {
            let flat = d.iter().flat_map(|b| {
                [
                    b.position[0],
                    b.position[1],
                    b.velocity[0],
                    b.velocity[1],
                    b.mass,
                ]
            });
            (
                [&[hand.0], &hand.1[..]].concat(),
                std::iter::once(*value).chain(flat).collect(),
            )
        },
    );
}
