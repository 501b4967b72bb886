use differentiable::prelude::*;

dim!(Batch);

#[derive(Clone, Differentiable, Module)]
struct Bn { conv: Tensor![16, 1, 3, 3], scale: Tensor![32], shift: Tensor![32] }
#[differentiable]
impl Bn {
    fn forward(&self, x: &Tensor![Batch, 1, 8, 8]) -> Tensor![Batch, 16, 6, 6] {
        x.conv2d(&self.conv, Win::new()).batch_norm(&self.scale, &self.shift, 1e-5)
    }
}

fn main() {}
