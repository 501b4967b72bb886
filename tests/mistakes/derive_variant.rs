use differentiable::prelude::*;

#[derive(Clone)]
enum Shape { Disc(f64), Square { side: f64 } }
#[differentiable]
fn area(r: f64) -> f64 {
    let s = if r > 1.0 { Shape::Disc(r) } else { Shape::Square { side: r } };
    match s {
        Shape::Disc(r) => 3.0 * r * r,
        Shape::Square { side } => side * side,
    }
}

fn main() {}
