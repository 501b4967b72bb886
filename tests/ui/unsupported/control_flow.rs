use differentiable::prelude::*;

#[differentiable]
fn early_return(x: f64) -> f64 {
    if x > 1.0 {
        return x;
    }
    x * x
}

#[differentiable]
fn while_loop(x: f64) -> f64 {
    let mut y = x;
    while y > 1.0 {
        y = y / 2.0;
    }
    y
}

#[differentiable]
fn endless(x: f64) -> f64 {
    let mut y = x;
    loop {
        y = y / 2.0;
        if y < 1.0 {
            break;
        }
    }
    y
}

#[differentiable]
fn breaks(x: f64) -> f64 {
    let mut y = x;
    for i in 0..10 {
        y = y * x;
        if y > 5.0 {
            break;
        }
        if i == 3 {
            continue;
        }
    }
    y
}

#[differentiable]
fn matches(x: f64) -> f64 {
    match x > 0.0 {
        true => x * x,
        false => x,
    }
}

#[differentiable]
fn question(x: f64) -> Option<f64> {
    let y = Some(x)?;
    Some(y * x)
}

fn main() {}
