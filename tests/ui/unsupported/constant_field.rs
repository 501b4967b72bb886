//! An active value in a constant field would lose its derivative.

use differentiable::prelude::*;

#[derive(Clone, Differentiable)]
struct Gas {
    pressure: f64,
    #[constant]
    gamma: f64,
}

#[differentiable]
fn of_a_field(gas: &Gas) -> Gas {
    Gas {
        pressure: gas.pressure,
        gamma: gas.pressure,
    }
}

#[differentiable]
fn of_a_value(x: f64) -> Gas {
    let gamma = x.sin();
    Gas { pressure: x, gamma }
}

#[differentiable]
fn of_a_field_that_changes(gas: &Gas) -> Gas {
    let mut gas = gas.clone();
    gas = Gas {
        pressure: gas.pressure.sin(),
        gamma: gas.pressure,
    };
    gas
}

#[differentiable]
fn of_a_base(gas: &Gas, x: f64) -> Gas {
    Gas {
        gamma: x,
        ..gas.clone()
    }
}

fn main() {}
