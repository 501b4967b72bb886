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
    fn all(&mut self, by: f64) {
        self.stiffness *= by;
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

#[differentiable]
fn through_text(x: f64) -> f64 {
    let text = format!("{x}");
    text.parse::<f64>().unwrap() * x
}

#[derive(Clone, Copy, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}

#[differentiable]
impl Complex {
    fn powi(self, n: u32) -> Complex {
        Complex {
            re: self.re.powi(n as i32),
            im: self.im.powi(n as i32),
        }
    }
}

#[differentiable]
fn like_a_method_of_floats(z: Complex) -> f64 {
    z.powi(2).re
}

#[differentiable]
fn changed(x: f64) -> f64 {
    let mut spring = Spring { stiffness: x };
    spring.all(2.0);
    spring.stiffness
}

fn main() {}
