use differentiable::prelude::*;

dim!(Batch);

#[derive(Clone, Differentiable, Module)]
struct Cnn { conv: Tensor![16, 1, 3, 3], out: Linear<256, 10> }
#[differentiable]
impl Cnn {
    fn forward(&self, x: &Tensor![Batch, 1, 8, 8]) -> Tensor![Batch, 10] {
        let h = x.conv2d(&self.conv, Win::new()).relu().max_pool::<2, 2>();
        self.out.forward(&h.flatten())
    }
}

fn main() {}
