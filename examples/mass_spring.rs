//! A crane moves a chain of masses and springs to the side and stops with it at rest.
//!
//! What is found is the acceleration of the trolley over time. The gradient goes through a simulation of 300
//! steps, of which some twenty states are kept for it. Full speed ahead and full brake, the way to start from,
//! leaves the chain swinging.
//!
//! `cargo run --release --example mass_spring [-- --gif PATH]`

use anyhow::ensure;
use clap::Parser;
use differentiable::ode::{rk4, rk4_path};
use differentiable::prelude::*;
use std::fs::File;
use std::path::PathBuf;

/// Masses, without the trolley.
const MASSES: usize = 6;
/// The length of a spring at rest, m.
const LENGTH: f64 = 0.2;
/// Of a spring, over the mass at it, 1/s².
const STIFFNESS: f64 = 600.0;
/// Of the motion along a spring, over the mass, 1/s.
const DAMPING: f64 = 2.0;
/// Of the air, over the mass, 1/s.
const DRAG: f64 = 0.02;
const GRAVITY: f64 = 9.81;
/// How far the chain is moved, m, and how long that takes, s.
const WAY: f64 = 1.5;
const TIME: f64 = 3.0;
const STEPS: usize = 300;
/// The times at which the acceleration is given; linear in between.
const KNOTS: usize = 16;

/// Place and velocity of a body: x, y, and their rates.
type Body = [f64; 4];

/// The acceleration of the trolley.
#[differentiable]
fn push(t: f64, knots: &[f64]) -> f64 {
    let place = t * (KNOTS - 1) as f64 / TIME;
    let i = no_grad!((place.max(0.0) as usize).min(KNOTS - 2));
    let part = place - i as f64;
    knots[i] * (1.0 - part) + knots[i + 1] * part
}

/// The acceleration of `a` by the spring to `b`.
#[differentiable]
fn spring(a: &Body, b: &Body) -> [f64; 2] {
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    let length = (x * x + y * y).sqrt();
    let apart = ((b[2] - a[2]) * x + (b[3] - a[3]) * y) / length;
    let pull = (STIFFNESS * (length - LENGTH) + DAMPING * apart) / length;
    [pull * x, pull * y]
}

/// How the trolley and the chain below it move.
#[differentiable]
fn motion(t: f64, bodies: &[Body], knots: &[f64]) -> Vec<Body> {
    let mut rates = Vec::with_capacity(bodies.len());
    rates.push([bodies[0][2], 0.0, push(t, knots), 0.0]);
    for i in 1..bodies.len() {
        let up = spring(&bodies[i], &bodies[i - 1]);
        let mut force = [
            up[0] - DRAG * bodies[i][2],
            up[1] - DRAG * bodies[i][3] - GRAVITY,
        ];
        if i + 1 < bodies.len() {
            let down = spring(&bodies[i], &bodies[i + 1]);
            force[0] += down[0];
            force[1] += down[1];
        }
        rates.push([bodies[i][2], bodies[i][3], force[0], force[1]]);
    }
    rates
}

/// The chain at rest below the trolley: every spring carries what hangs on it.
fn at_rest() -> Vec<Body> {
    let mut y = 0.0;
    let mut bodies = vec![[0.0; 4]];
    for below in (1..=MASSES).rev() {
        y -= LENGTH + below as f64 * GRAVITY / STIFFNESS;
        bodies.push([0.0, y, 0.0, 0.0]);
    }
    bodies
}

/// How far from rest at the goal the chain is at the end, and a little for the effort.
#[differentiable]
fn loss(knots: &[f64], #[constant] start: &[Body]) -> f64 {
    let end = rk4(
        |t: f64, b: &[Body]| motion(t, b, knots),
        start,
        0.0,
        TIME,
        STEPS,
    );
    let mut off = 0.0;
    for body in end.iter() {
        off += (body[0] - WAY).powi(2) + 0.1 * (body[2] * body[2] + body[3] * body[3]);
    }
    let effort: f64 = knots.iter().map(|a| a * a).sum();
    off + 1e-6 * effort
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Descent with the approximate inverse Hessian of Broyden, Fletcher, Goldfarb and Shanno, halving steps until the
/// loss falls. Returns the number of steps.
fn optimise(knots: &mut Vec<f64>, start: &[Body]) -> usize {
    let n = knots.len();
    let (mut value, mut gradient) = loss::value_and_grad(knots, start);
    let mut inverse: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| f64::from(i == j)).collect())
        .collect();
    for steps in 0..200 {
        let direction: Vec<f64> = inverse.iter().map(|row| -dot(row, &gradient)).collect();
        let slope = dot(&direction, &gradient);
        let mut size = 1.0;
        let (next, next_value, next_gradient) = loop {
            let next: Vec<f64> = knots
                .iter()
                .zip(&direction)
                .map(|(x, d)| x + size * d)
                .collect();
            let (value_there, gradient_there) = loss::value_and_grad(&next, start);
            if value_there <= value + 1e-4 * size * slope {
                break (next, value_there, gradient_there);
            }
            size *= 0.5;
            if size < 1e-12 {
                return steps;
            }
        };
        let s: Vec<f64> = direction.iter().map(|d| size * d).collect();
        let y: Vec<f64> = next_gradient
            .iter()
            .zip(&gradient)
            .map(|(a, b)| a - b)
            .collect();
        let curvature = dot(&s, &y);
        if curvature > 1e-14 {
            let by: Vec<f64> = inverse.iter().map(|row| dot(row, &y)).collect();
            let factor = (1.0 + dot(&y, &by) / curvature) / curvature;
            for i in 0..n {
                for j in 0..n {
                    inverse[i][j] +=
                        factor * s[i] * s[j] - (by[i] * s[j] + s[i] * by[j]) / curvature;
                }
            }
        }
        let done = value - next_value < 1e-9 * value;
        (*knots, value, gradient) = (next, next_value, next_gradient);
        if done {
            return steps + 1;
        }
    }
    200
}

/// The film of the way and of the time after it, in which the trolley stands.
fn film(knots: &[f64], start: &[Body]) -> Vec<Vec<Body>> {
    let mut frames = rk4_path(
        |t: f64, b: &[Body]| motion(t, b, knots),
        start,
        0.0,
        TIME,
        STEPS,
    );
    let mut stopped = frames[STEPS].clone();
    (stopped[0][2], stopped[0][3]) = (0.0, 0.0);
    let still = vec![0.0; KNOTS];
    frames.extend(rk4_path(
        |t: f64, b: &[Body]| motion(t, b, &still),
        &stopped[..],
        0.0,
        TIME,
        STEPS,
    ));
    frames
}

/// How far the lowest mass swings to the side of the trolley once that stands.
fn swing(frames: &[Vec<Body>]) -> f64 {
    let after = &frames[STEPS + 1..];
    let off = after.iter().map(|b| (b[MASSES][0] - b[0][0]).abs());
    off.fold(0.0, f64::max)
}

const WIDTH: usize = 360;
const HEIGHT: usize = 300;
/// White, grey, blue and black.
const COLOURS: [u8; 12] = [255, 255, 255, 190, 190, 190, 30, 90, 200, 0, 0, 0];

/// Draws a chain: lines between discs.
fn draw(pixels: &mut [u8], bodies: &[Body], colour: u8) {
    let place = |b: &Body| (60.0 + 150.0 * b[0], 20.0 - 150.0 * b[1]);
    let mut disc = |(x, y): (f64, f64), radius: f64| {
        let r = radius.ceil() as i64;
        for (dx, dy) in (-r..=r).flat_map(|dx| (-r..=r).map(move |dy| (dx, dy))) {
            let (px, py) = (x as i64 + dx, y as i64 + dy);
            let inside = (0..WIDTH as i64).contains(&px) && (0..HEIGHT as i64).contains(&py);
            if inside && ((dx * dx + dy * dy) as f64) <= radius * radius {
                pixels[py as usize * WIDTH + px as usize] = colour;
            }
        }
    };
    for pair in bodies.windows(2) {
        let ((ax, ay), (bx, by)) = (place(&pair[0]), place(&pair[1]));
        for k in 0..=60 {
            let part = k as f64 / 60.0;
            disc((ax + part * (bx - ax), ay + part * (by - ay)), 0.5);
        }
    }
    bodies.iter().for_each(|b| disc(place(b), 4.0));
}

fn write(path: &PathBuf, before: &[Vec<Body>], after: &[Vec<Body>]) -> anyhow::Result<()> {
    let mut encoder =
        gif::Encoder::new(File::create(path)?, WIDTH as u16, HEIGHT as u16, &COLOURS)?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    // Every fifth state, each for five hundredths of a second: as fast as it is.
    for (b, a) in before.iter().zip(after).step_by(5) {
        let mut pixels = vec![0; WIDTH * HEIGHT];
        pixels[18 * WIDTH..19 * WIDTH].fill(3);
        draw(&mut pixels, b, 1);
        draw(&mut pixels, a, 2);
        let mut frame = gif::Frame::from_indexed_pixels(WIDTH as u16, HEIGHT as u16, pixels, None);
        frame.delay = 5;
        encoder.write_frame(&frame)?;
    }
    Ok(())
}

#[derive(Parser)]
#[command(about = "Moves a hanging chain without a swing, and films it")]
struct Flags {
    /// Where the animation is written; in the directory for temporary files if not said otherwise.
    #[arg(long)]
    gif: Option<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let flags = Flags::parse();
    let path = flags
        .gif
        .unwrap_or_else(|| std::env::temp_dir().join("mass_spring.gif"));
    let start = at_rest();
    // Ahead in the first half and back in the second: the trolley arrives, the chain does not.
    let most = 4.0 * WAY / (TIME * TIME);
    let mut knots: Vec<f64> = (0..KNOTS)
        .map(|i| if 2 * i < KNOTS { most } else { -most })
        .collect();
    let (before, value) = (film(&knots, &start), loss(&knots, &start));
    let steps = optimise(&mut knots, &start);
    let (after, found) = (film(&knots, &start), loss(&knots, &start));
    let (swing_before, swing_after) = (swing(&before), swing(&after));
    println!("{steps} steps, from a loss of {value:.4} to {found:.6}");
    println!(
        "the chain swings {:.1} mm after it has arrived, before {:.1} mm",
        1000.0 * swing_after,
        1000.0 * swing_before
    );
    write(&path, &before, &after)?;
    println!("written: {}", path.display());
    ensure!(
        swing_after < 0.1 * swing_before,
        "the swing was not removed"
    );
    Ok(())
}
