use differentiable::prelude::*;

dim!(Batch, Time);

#[derive(Clone, Differentiable, Module)]
struct Head { q: Linear<64, 64>, k: Linear<64, 64>, v: Linear<64, 64> }
#[differentiable]
impl Head {
    fn forward(&self, x: &Tensor![Batch, Time, 64]) -> Tensor![Batch, Time, 64] {
        let q = self.q.forward(x).split_last::<4>().transpose::<1, 2>();
        let k = self.k.forward(x).split_last::<4>();
        let v = self.v.forward(x).split_last::<4>().transpose::<1, 2>();
        q.attention(&k, &v, Attention::new().causal()).transpose::<1, 2>().merge_last()
    }
}

fn main() {}
