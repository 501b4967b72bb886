//! Lesson 3: the gradient of a struct is a struct.
//!
//! A swinging weight on a spring, `m·x″ = −k·x − c·x′`, is measured; stiffness and damping are found
//! by gradient descent through the simulation.

use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;

/// What is to be found.
#[derive(Clone, Debug, Differentiable, Module)]
struct Spring {
    stiffness: f64,
    damping: f64,
    /// Known, so it gets no gradient.
    #[constant]
    mass: f64,
}

const STEP: f64 = 0.02;
const STEPS: usize = 300;

#[differentiable]
impl Spring {
    /// How far the simulated positions are from the measured ones, squared and averaged.
    fn error(&self, #[constant] measured: &[f64]) -> f64 {
        let mass = no_grad!(self.mass);
        let mut x = 1.0;
        let mut v = 0.0;
        let mut sum = 0.0;
        for i in 0..measured.len() {
            let a = -(self.stiffness * x + self.damping * v) / mass;
            v += STEP * a;
            x += STEP * v;
            let e = x - measured[i];
            sum += e * e;
        }
        sum / measured.len() as f64
    }
}

/// The exact solution, sampled.
fn measure(stiffness: f64, damping: f64, mass: f64) -> Vec<f64> {
    let decay = damping / (2.0 * mass);
    let frequency = (stiffness / mass - decay * decay).sqrt();
    let position = |t: f64| {
        (-decay * t).exp() * ((frequency * t).cos() + decay / frequency * (frequency * t).sin())
    };
    (1..=STEPS).map(|i| position(i as f64 * STEP)).collect()
}

fn main() {
    let measured = measure(3.0, 0.4, 1.0);
    let mut spring = Spring {
        stiffness: 2.0,
        damping: 0.1,
        mass: 1.0,
    };

    let gradient = spring.error_grad(&measured);
    println!(
        "gradient at first: {:+.4} {:+.4}",
        gradient.stiffness, gradient.damping
    );

    let mut optimizer = Adam::new(0.02);
    for step in 0..=400 {
        let (error, gradient) = spring.error_value_and_grad(&measured);
        if step % 100 == 0 {
            let Spring {
                stiffness, damping, ..
            } = spring;
            println!(
                "step {step:3}: error {error:.6}, stiffness {stiffness:.3}, damping {damping:.3}"
            );
        }
        optimizer.step(&mut spring, &gradient);
    }
    println!(
        "found stiffness {:.2} and damping {:.2}",
        spring.stiffness, spring.damping
    );
}
