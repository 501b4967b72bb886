use differentiable::prelude::*;

enum Form { Disc(f64), Square(f64) }
#[differentiable]
fn area(f: &Form) -> f64 {
    match f {
        Form::Disc(r) => 3.0 * r * r,
        Form::Square(a) => a * a,
    }
}

fn main() {}
