//! A vision transformer.

use super::common::*;

#[module]
struct Vit {
    patches: PatchEmbedding<1, 2, 16, 48>,
    #[init(Tensor::randn(seeds.next_seed()) * 0.02)]
    class: Tensor![1, 48],
    #[init(Tensor::randn(seeds.next_seed()) * 0.02)]
    places: Tensor![17, 48],
    #[init(Encoder::new(seeds, 3, 0.1))]
    blocks: Encoder<48, 4, 12, 96>,
    head: Linear<48, 10>,
}

#[differentiable]
impl Vit {
    fn forward(&self, x: &Tensor![Batch, 64], ctx: &mut Ctx) -> Tensor![Batch, 10] {
        let p = self.patches.forward(&x.reshape::<shape![Batch, 1, 8, 8]>());
        let class = self
            .class
            .unsqueeze::<0>()
            .expand::<0, _>(no_grad!(x.shape().0));
        let h = class.concat::<1, _>(&p) + &self.places;
        self.head
            .forward(&self.blocks.forward(&h, &Keys::All, ctx).index::<1>(0))
    }

    fn loss(&self, x: &Tensor![Batch, 64], y: &Tensor![i64; Batch], ctx: &mut Ctx) -> Tensor![] {
        self.forward(x, ctx).cross_entropy(y)
    }
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "trains for a minute without optimisation: add --release"
)]
fn the_digits_are_read_by_attention() {
    let data = digits();
    let mut net = Vit::new(&mut Seeds::new(0));
    let mut opt = AdamW::new(1e-3);
    let mut ctx = Ctx::train(&net, 0);
    for epoch in 0..12 {
        for rows in &Batches::new(data.train.len(), 64).epoch(epoch) {
            let (x, y) = data.train.batch(rows, Batch).unwrap();
            let (_, grad) = net.loss_value_and_grad(&x, &y, &mut ctx);
            opt.step(&mut net, &grad);
        }
    }
    let (x, y) = data.test.all(Batch).unwrap();
    let reached = accuracy(&net.forward(&x, &mut Ctx::eval()), &y);
    assert!(reached >= 0.905, "{reached}");
}
