//! Constant fields of structs.

use crate::check;
use differentiable::prelude::*;

#[derive(Differentiable, Clone)]
struct Spring {
    stiffness: f64,
    #[constant]
    rest: f64,
    #[constant]
    weights: [f64; 2],
    steps: usize,
}

#[derive(Differentiable, Clone)]
struct System {
    spring: Spring,
    mass: f64,
}

#[differentiable]
impl Spring {
    fn energy(&self, length: f64) -> f64 {
        let stretch = length - self.rest;
        0.5 * self.stiffness * stretch * stretch * self.weights[1] + self.rest * self.steps as f64
    }
}

#[differentiable]
fn through_a_method(stiffness: f64, length: f64) -> f64 {
    let spring = Spring {
        stiffness,
        rest: 1.0,
        weights: [0.5, 2.0],
        steps: 3,
    };
    spring.energy(length) + spring.stiffness * spring.rest
}

#[differentiable]
fn of_system(system: &System, x: f64) -> f64 {
    let mut total = 0.0;
    for i in 0..system.spring.steps {
        total += system.mass * system.spring.rest * x + system.spring.weights[i % 2];
    }
    total + system.spring.energy(x) + system.spring.rest.sin()
}

fn system() -> System {
    System {
        spring: Spring {
            stiffness: 3.0,
            rest: 1.2,
            weights: [0.5, 2.0],
            steps: 3,
        },
        mass: 0.7,
    }
}

#[test]
fn constant_fields_in_arithmetic() {
    check::<through_a_method, _>(&(3.0, 1.5));
    check::<of_system, _>(&(system(), 0.8));
    let (of_system, _) = of_system::grad(&system(), 0.8);
    assert!(of_system.mass != 0.0 && of_system.spring.stiffness != 0.0);
}

/// Constant fields are copied to constant fields.
#[derive(Clone, Debug, Differentiable)]
struct Gas {
    pressure: f64,
    #[constant]
    gamma: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Scaled(f64, #[constant] f64);

#[derive(Clone, Debug, Differentiable)]
enum Phase {
    Hot {
        pressure: f64,
        #[constant]
        gamma: f64,
    },
    Cold(f64),
}

#[differentiable]
fn compressed(gas: &Gas, by: f64) -> Gas {
    Gas {
        pressure: gas.pressure * by.powf(gas.gamma),
        gamma: gas.gamma,
    }
}

#[differentiable]
fn of_copies(gas: &Gas, by: f64) -> f64 {
    let mut gas = compressed(&compressed(gas, by), by);
    for _ in 0..2 {
        gas = Gas {
            gamma: gas.gamma,
            pressure: gas.pressure.sin(),
        };
    }
    let scaled = Scaled(gas.pressure, gas.gamma);
    let scaled = Scaled(scaled.0 * scaled.1, scaled.1);
    let phase = if scaled.1 > 100.0 {
        Phase::Cold(scaled.0)
    } else {
        Phase::Hot {
            pressure: scaled.0,
            gamma: scaled.1,
        }
    };
    match phase {
        Phase::Hot { pressure, gamma } => pressure * gamma,
        Phase::Cold(x) => x,
    }
}

#[test]
fn constant_fields_are_copied() {
    let gas = Gas {
        pressure: 0.8,
        gamma: 1.4,
    };
    check::<of_copies, _>(&(gas, 1.1));
}
