//! Convolutions with batch normalisation and dropout.

use super::common::*;

#[module]
struct Cnn {
    c1: Conv2d<1, 16, 3>,
    b1: BatchNorm<16>,
    c2: Conv2d<16, 32, 3>,
    b2: BatchNorm<32>,
    #[init(Dropout::new(0.25))]
    drop: Dropout,
    out: Linear<128, 10>,
}

#[differentiable]
impl Cnn {
    fn forward(&self, x: &Tensor![Batch, 64], ctx: &mut Ctx) -> Tensor![Batch, 10] {
        let x = self.c1.forward(&x.reshape::<shape![Batch, 1, 8, 8]>());
        let h = self.b1.forward(&x, ctx).relu().max_pool::<2, 2>();
        let h = self
            .b2
            .forward(&self.c2.forward(&h), ctx)
            .relu()
            .max_pool::<2, 2>();
        self.out.forward(&self.drop.forward(&h.flatten(), ctx))
    }

    fn loss(&self, x: &Tensor![Batch, 64], y: &Tensor![i64; Batch], ctx: &mut Ctx) -> Tensor![] {
        self.forward(x, ctx).cross_entropy(y)
    }
}

#[test]
fn the_digits_are_read_by_convolutions() {
    let data = digits();
    let mut net = Cnn::new(&mut Seeds::new(0));
    let mut opt = Adam::new(2e-3);
    let mut ctx = Ctx::train(&net, 0);
    for epoch in 0..5 {
        for rows in &Batches::new(data.train.len(), 64).epoch(epoch) {
            let (x, y) = data.train.batch(rows, Batch).unwrap();
            let (_, grad) = net.loss_value_and_grad(&x, &y, &mut ctx);
            opt.step(&mut net, &grad);
            ctx.commit(&mut net);
        }
    }
    let (x, y) = data.test.all(Batch).unwrap();
    let reached = accuracy(&net.forward(&x, &mut Ctx::eval()), &y);
    assert!(reached >= 0.964, "{reached}");
}
