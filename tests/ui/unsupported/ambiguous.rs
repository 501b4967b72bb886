use differentiable::prelude::*;

// A variable: its derivative would be lost if it were taken for a constant.
#[differentiable]
fn variable(o: Option<f64>) -> f64 {
    match o {
        Some(Q) => Q * Q,
        None => 0.0,
    }
}

#[differentiable]
fn in_a_list(o: Option<f64>) -> f64 {
    let all = match o {
        Some(Q) => vec![Q, 1.0],
        None => vec![0.0],
    };
    all[0] * all[0]
}

const BOUND: f64 = 2.0;

#[differentiable]
fn constant(x: f64) -> f64 {
    match x {
        BOUND => BOUND,
        other => other * other,
    }
}

#[derive(Clone, Copy, Differentiable)]
struct V(f64);

#[differentiable]
impl std::ops::Mul for V {
    type Output = V;
    fn mul(self, o: V) -> V {
        V(self.0 * o.0)
    }
}
// One rule is for both: only one of them is annotated.
#[differentiable]
impl<'a> std::ops::Mul<&'a V> for &'a V {
    type Output = V;
    fn mul(self, o: &V) -> V {
        V(self.0 * o.0)
    }
}

fn main() {}
