//! A damped pendulum is filmed, with noise; gravity over length and the damping are found by fitting
//! a simulation to the film. The gradient goes through every stage of every step of the integrator.
//!
//! `cargo run --release --example pendulum_fit [-- PICTURE.svg]`

#[path = "support/target.rs"]
mod target;

use differentiable::prelude::*;
use std::path::PathBuf;

/// What is to be found.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Pendulum {
    /// Gravity over length, 1/s².
    stiffness: f64,
    /// Of the angular velocity, 1/s.
    damping: f64,
    /// The angle at the start, rad.
    angle: f64,
    /// The angular velocity at the start, rad/s.
    speed: f64,
}

const STEP: f64 = 0.02;
/// A frame of the film every few steps.
const STEPS_A_FRAME: usize = 5;
const FRAMES: usize = 100;
const NOISE: f64 = 0.02;

#[differentiable]
impl Pendulum {
    /// How fast angle and velocity change.
    fn slope(&self, state: &[f64; 2]) -> [f64; 2] {
        let torque = -self.stiffness * state[0].sin() - self.damping * state[1];
        [state[1], torque]
    }

    /// One step of the classical method of Runge and Kutta.
    fn step(&self, state: &[f64; 2]) -> [f64; 2] {
        let k1 = self.slope(state);
        let k2 = self.slope(&moved(state, &k1, 0.5 * STEP));
        let k3 = self.slope(&moved(state, &k2, 0.5 * STEP));
        let k4 = self.slope(&moved(state, &k3, STEP));
        let mut next = *state;
        for i in 0..2 {
            next[i] += STEP / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        next
    }

    /// The angles in the frames of the film.
    fn film(&self) -> Vec<f64> {
        let mut state = [self.angle, self.speed];
        let mut angles = Vec::with_capacity(FRAMES);
        for _ in 0..FRAMES {
            for _ in 0..STEPS_A_FRAME {
                state = self.step(&state);
            }
            angles.push(state[0]);
        }
        angles
    }

    /// The mean squared distance of simulated angles from filmed ones.
    fn error(&self, #[constant] filmed: &[f64]) -> f64 {
        let simulated = self.film();
        let mut squares = 0.0;
        for (frame, angle) in simulated.iter().enumerate() {
            squares += (angle - filmed[frame]).powi(2);
        }
        squares / filmed.len() as f64
    }
}

#[differentiable]
fn moved(state: &[f64; 2], slope: &[f64; 2], time: f64) -> [f64; 2] {
    [state[0] + time * slope[0], state[1] + time * slope[1]]
}

impl Pendulum {
    fn from_array([stiffness, damping, angle, speed]: [f64; 4]) -> Self {
        Pendulum {
            stiffness,
            damping,
            angle,
            speed,
        }
    }

    fn to_array(self) -> [f64; 4] {
        [self.stiffness, self.damping, self.angle, self.speed]
    }
}

/// Normally distributed numbers from a fixed seed: sums of uniform ones.
fn noise() -> impl FnMut() -> f64 {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut uniform = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    move || (0..12).map(|_| uniform()).sum::<f64>() - 6.0
}

/// Descent with the approximate inverse Hessian of Broyden, Fletcher, Goldfarb and Shanno, halving
/// steps until the error falls. Returns the number of steps.
fn fit(pendulum: &mut Pendulum, filmed: &[f64]) -> usize {
    let evaluate = |x: [f64; 4]| {
        let (error, g) = Pendulum::from_array(x).error_value_and_grad(filmed);
        (error, [g.stiffness, g.damping, g.angle, g.speed])
    };
    let dot = |a: &[f64; 4], b: &[f64; 4]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
    let mut x = pendulum.to_array();
    let (mut error, mut gradient) = evaluate(x);
    let mut inverse: [[f64; 4]; 4] =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(i == j)));
    let mut steps = 0;
    while steps < 200 && dot(&gradient, &gradient).sqrt() > 1e-9 {
        let direction: [f64; 4] = std::array::from_fn(|i| -dot(&inverse[i], &gradient));
        let slope = dot(&direction, &gradient);
        let mut scale = 1.0;
        let (next, next_error, next_gradient) = loop {
            let next: [f64; 4] = std::array::from_fn(|i| x[i] + scale * direction[i]);
            let (next_error, next_gradient) = evaluate(next);
            if next_error <= error + 1e-4 * scale * slope || scale < 1e-12 {
                break (next, next_error, next_gradient);
            }
            scale *= 0.5;
        };
        let s: [f64; 4] = std::array::from_fn(|i| next[i] - x[i]);
        let y: [f64; 4] = std::array::from_fn(|i| next_gradient[i] - gradient[i]);
        let curvature = dot(&s, &y);
        if curvature > 0.0 {
            let hy: [f64; 4] = std::array::from_fn(|i| dot(&inverse[i], &y));
            let factor = (1.0 + dot(&y, &hy) / curvature) / curvature;
            for i in 0..4 {
                for j in 0..4 {
                    inverse[i][j] +=
                        factor * s[i] * s[j] - (hy[i] * s[j] + s[i] * hy[j]) / curvature;
                }
            }
        }
        (x, error, gradient) = (next, next_error, next_gradient);
        steps += 1;
    }
    *pendulum = Pendulum::from_array(x);
    steps
}

fn main() -> std::io::Result<()> {
    let truth = Pendulum::from_array([7.5, 0.35, 1.2, -0.5]);
    let guess = Pendulum::from_array([6.0, 0.1, 0.8, 0.0]);
    let mut normal = noise();
    let filmed: Vec<f64> = truth.film().iter().map(|a| a + NOISE * normal()).collect();

    let mut fitted = guess;
    let steps = fit(&mut fitted, &filmed);
    let deviation = |p: &Pendulum| p.error(&filmed).sqrt();
    println!("{FRAMES} frames, noise of {NOISE} rad; {steps} steps");
    println!("                   true     guess    fitted");
    let names = ["stiffness 1/s²", "damping 1/s", "angle rad", "speed rad/s"];
    let columns = truth
        .to_array()
        .into_iter()
        .zip(guess.to_array())
        .zip(fitted.to_array());
    let mut converged = true;
    for (name, ((truth, guess), fitted)) in names.into_iter().zip(columns) {
        println!("{name:<14} {truth:>8.3}  {guess:>8.3}  {fitted:>8.3}");
        converged &= (fitted - truth).abs() < 0.05;
    }
    let (before, after) = (deviation(&guess), deviation(&fitted));
    println!("deviation from the film: {before:.4} rad before, {after:.4} rad after");
    converged &= after < 1.2 * NOISE;

    let path = std::env::args()
        .nth(1)
        .map_or_else(|| target::file("pendulum_fit.svg"), PathBuf::from);
    std::fs::write(&path, picture(&filmed, &guess.film(), &fitted.film()))?;
    println!("film (dots), guess (grey) and fit: {}", path.display());
    if !converged {
        eprintln!("the fit did not converge");
        std::process::exit(1);
    }
    Ok(())
}

/// Angles over time.
fn picture(filmed: &[f64], guess: &[f64], fitted: &[f64]) -> String {
    let (width, height) = (900.0, 320.0);
    let point = |(frame, angle): (usize, &f64)| {
        let x = 20.0 + (width - 40.0) * frame as f64 / FRAMES as f64;
        (x, height / 2.0 - 110.0 * angle)
    };
    let line = |angles: &[f64], colour: &str| {
        let points = angles.iter().enumerate().map(point);
        let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        format!("<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='2'/>\n")
    };
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}'>\n<rect width='100%' height='100%' fill='white'/>\n"
    );
    svg += &line(&[0.0; FRAMES], "#e4e4e4");
    svg += &line(guess, "#b5b5b5");
    svg += &line(fitted, "#1f6fb4");
    for (x, y) in filmed.iter().enumerate().map(point) {
        svg += &format!("<circle cx='{x:.1}' cy='{y:.1}' r='2.5' fill='#d03030'/>\n");
    }
    svg + "</svg>\n"
}
