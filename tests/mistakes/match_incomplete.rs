use differentiable::prelude::*;

#[derive(Differentiable)]
enum Form { Disc(f64), Square(f64) }
#[differentiable]
fn f(form: &Form) -> f64 {
    match form {
        Form::Disc(r) => r * r,
    }
}

fn main() {}
