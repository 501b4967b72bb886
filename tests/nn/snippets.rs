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
enum Chosen {
    Dense(Linear<16, 16>),
    Norm(LayerNorm<16>),
    Residual(Box<Chosen>),
    #[config]
    Relu,
}

#[differentiable]
impl Chosen {
    fn forward(&self, x: &Tensor![Batch, 16]) -> Tensor![Batch, 16] {
        match self {
            Chosen::Dense(l) => l.forward(x),
            Chosen::Norm(l) => l.forward(x),
            Chosen::Residual(l) => x + l.forward(x),
            Chosen::Relu => x.relu(),
        }
    }
}

#[module]
struct OfChosen {
    layers: Vec<Chosen>,
    out: Linear<16, 10>,
}

#[differentiable]
impl OfChosen {
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
    let mut net = OfChosen {
        layers: vec![
            Chosen::Dense(Linear::new(seeds)),
            Chosen::Relu,
            Chosen::Residual(Box::new(Chosen::Norm(LayerNorm::new(seeds)))),
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

/// The rows of the longest kind.
#[module]
struct Long {
    #[init(Sequential((
        Linear::new(seeds), Relu, Linear::new(seeds), Relu, Linear::new(seeds), Relu,
        Linear::new(seeds), Relu, Linear::new(seeds), Relu, Linear::new(seeds), Relu,
    )))]
    body: Sequential<(
        Linear<3, 4>,
        Relu,
        Linear<4, 5>,
        Relu,
        Linear<5, 6>,
        Relu,
        Linear<6, 5>,
        Relu,
        Linear<5, 4>,
        Relu,
        Linear<4, 2>,
        Relu,
    )>,
}

#[differentiable]
impl Long {
    fn loss(&self, x: &Tensor![Batch, 3], ctx: &mut Ctx) -> Tensor![] {
        self.body.forward(x, ctx).sum()
    }
}

#[test]
fn twelve_layers_are_a_row() {
    let net = Long::new(&mut Seeds::new(0));
    assert_eq!(net.param_names().len(), 12);
    assert_eq!(net.param_names()[11], "body.0.10.bias");
    let x = Tensor::randn_with((Batch(2), Sz), 1);
    let grad = net.loss_grad(&x, &mut Ctx::eval());
    assert_eq!(grad.body.0.10.weight.dims().as_slice(), [4, 2]);
}
