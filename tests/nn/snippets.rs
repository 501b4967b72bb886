//! Short programs that everybody writes first.

use differentiable::nn::*;
use differentiable::optim::Adam;
use differentiable::prelude::*;

dim!(Batch);

#[module]
struct Cnn {
    c1: Conv2d<1, 4, 3>,
    b1: BatchNorm<4>,
    c2: Conv2d<4, 8, 3>,
    b2: BatchNorm<8>,
    #[init(Dropout::new(0.25))]
    drop: Dropout,
    out: Linear<32, 10>,
}

#[differentiable]
impl Cnn {
    fn forward(&self, x: &Tensor![Batch, 1, 8, 8], ctx: &mut Ctx) -> Tensor![Batch, 10] {
        let h = self
            .b1
            .forward(&self.c1.forward(x), ctx)
            .relu()
            .max_pool::<2, 2>();
        let h = self
            .b2
            .forward(&self.c2.forward(&h), ctx)
            .relu()
            .max_pool::<2, 2>();
        self.out.forward(&self.drop.forward(&h.flatten(), ctx))
    }
    fn loss(
        &self,
        x: &Tensor![Batch, 1, 8, 8],
        y: &Tensor![i64; Batch],
        ctx: &mut Ctx,
    ) -> Tensor![] {
        self.forward(x, ctx).cross_entropy(y)
    }
}

#[test]
fn a_convolutional_network_learns_ten_pictures() {
    let mut net = Cnn::new(&mut Seeds::new(0));
    let x = Tensor::randn_with((Batch(10), Sz, Sz, Sz), 1);
    let y = Tensor::from_slice_with((Batch(10),), &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).unwrap();
    let mut opt = Adam::new(1e-2);
    let mut ctx = Ctx::train(&net, 0);
    for _ in 0..100 {
        let (_, grad) = net.loss_value_and_grad(&x, &y, &mut ctx);
        opt.step(&mut net, &grad);
        ctx.commit(&mut net);
    }
    let seen = net.forward(&x, &mut Ctx::eval()).argmax::<1>();
    assert_eq!(seen.to_vec(), y.to_vec());
    assert!(net.param_names().iter().all(|n| !n.contains("running")));
}

#[module]
enum Layer2 {
    Dense(Linear<16, 16>),
    Norm(LayerNorm<16>),
    Residual(Box<Layer2>),
    #[config]
    Relu,
}

#[differentiable]
impl Layer2 {
    fn forward(&self, x: &Tensor![Batch, 16]) -> Tensor![Batch, 16] {
        match self {
            Layer2::Dense(l) => l.forward(x),
            Layer2::Norm(l) => l.forward(x),
            Layer2::Residual(l) => x + l.forward(x),
            Layer2::Relu => x.relu(),
        }
    }
}

#[module]
struct Chosen {
    layers: Vec<Layer2>,
    out: Linear<16, 10>,
}

#[differentiable]
impl Chosen {
    fn loss(&self, x: &Tensor![Batch, 16], y: &Tensor![i64; Batch]) -> Tensor![] {
        let mut x = x.clone();
        for l in &self.layers {
            x = l.forward(&x);
        }
        self.out.forward(&x).cross_entropy(y)
    }
}

#[test]
fn layers_chosen_at_run_time() {
    let seeds = &mut Seeds::new(1);
    let mut net = Chosen {
        layers: vec![
            Layer2::Dense(Linear::new(seeds)),
            Layer2::Relu,
            Layer2::Residual(Box::new(Layer2::Norm(LayerNorm::new(seeds)))),
        ],
        out: Linear::new(seeds),
    };
    let x = Tensor::randn_with((Batch(6), Sz), 1);
    let y = Tensor::from_slice_with((Batch(6),), &[0, 1, 2, 3, 4, 5]).unwrap();
    let first = net.loss(&x, &y).item();
    for _ in 0..50 {
        let grad = net.loss_grad(&x, &y);
        net.add_scaled(-0.1, &grad);
    }
    assert!(net.loss(&x, &y).item() < 0.5 * first);
}

#[module]
struct Net {
    #[init(Sequential((Linear::new(seeds), Relu, Dropout::new(0.1), Linear::new(seeds))))]
    body: Sequential<(Linear<4, 16>, Relu, Dropout, Linear<16, 2>)>,
}
#[differentiable]
impl Net {
    fn loss(&self, x: &Tensor![Batch, 4], ctx: &mut Ctx) -> Tensor![] {
        self.body.forward(x, ctx).square().mean()
    }
}

#[test]
fn a_row() {
    let net = Net::new(&mut Seeds::new(0));
    let x = Tensor::randn_with((Batch(3), Sz), 1);
    let (a, g) = net.loss_value_and_grad(&x, &mut Ctx::train(&net, 3));
    let (b, h) = net.loss_value_and_grad(&x, &mut Ctx::train(&net, 3));
    assert_eq!((a, g.body.0.0.weight), (b, h.body.0.0.weight));
}
