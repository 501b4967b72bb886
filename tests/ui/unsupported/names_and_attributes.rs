use differentiable::prelude::*;

#[differentiable]
fn of_ours(x: f64) -> f64 {
    #[constant]
    let y = x * x;
    y
}

#[differentiable]
fn inside_a_macro(x: f64) -> f64 {
    println!("{}", { #[cfg(all())] { x } });
    x * x
}

#[differentiable]
fn reads_a_variable(x: f64) -> f64 {
    let k = 2.0;
    macro_rules! twice {
        () => {
            k * 2.0
        };
    }
    let k = 3.0;
    x * twice!() * k
}

#[differentiable]
fn variable_and_constant(t: f64) -> f64 {
    let s = t;
    {
        #[allow(non_upper_case_globals)]
        const t: f64 = 2.0;
        s * t
    }
}

fn main() {}
