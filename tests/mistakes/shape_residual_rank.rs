use differentiable::prelude::*;

dim!(Batch, Time);

#[derive(Clone, Differentiable, Module)]
struct Mlp { up: Linear<64, 256>, down: Linear<256, 64> }
#[differentiable]
impl Mlp {
    fn forward(&self, x: &Tensor![Batch, Time, 64]) -> Tensor![Batch, Time, 64] {
        let h = self.up.forward(x).gelu();
        x + h
    }
}

fn main() {}
