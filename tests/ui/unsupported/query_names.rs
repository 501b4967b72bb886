use differentiable::prelude::*;

#[derive(Differentiable, Clone)]
struct Spring {
    stiffness: f64,
}

impl Spring {
    fn round(&self) -> f64 {
        self.stiffness * 2.0
    }
    fn rank(&self) -> f64 {
        self.stiffness * self.stiffness
    }
}

#[differentiable]
fn by_name(x: f64) -> f64 {
    let spring = Spring { stiffness: x };
    spring.rank() * 2.0 + spring.round()
}

#[differentiable]
fn through_bits(x: f64) -> f64 {
    f64::from_bits(x.to_bits()) * x
}

fn main() {}
