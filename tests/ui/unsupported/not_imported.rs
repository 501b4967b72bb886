//! The annotated block of a marked type in another module than the type.

use differentiable::prelude::*;

mod physics {
    use differentiable::prelude::*;

    #[derive(Clone, Differentiable)]
    #[differentiable(higher_order)]
    pub struct Spring {
        pub k: f64,
    }
}

use physics::Spring;

#[differentiable(higher_order)]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        self.k * x * x
    }
}

fn main() {}
