use differentiable::prelude::*;
#[derive(Clone, Differentiable)]
struct Layer<const N: usize, const M: usize> { w: Tensor![{N}, {M}], b: Tensor![{M}] }
#[differentiable]
impl<const N: usize, const M: usize> Layer<N, M> {
    fn run(&self, x: &Tensor![4, {N}]) -> Tensor![4, {M}] {
        (x.matmul(&self.w) + &self.b + x).relu()
    }
}
fn main() {}
