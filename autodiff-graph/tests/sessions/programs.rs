//! Any annotated function, its derivatives and the step of an optimiser: what the graph gives are the same bits.

use crate::bits;
use differentiable::graph::{Feeds, Recording, Session};
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer, Sgd};
use differentiable::prelude::*;

dim!(Batch, Time);

#[differentiable]
fn two_layers(
    w1: &Tensor![20, 8],
    w2: &Tensor![8, 4],
    #[constant] x: &Tensor![Batch, 20],
    #[constant] y: &Tensor![Batch, 4],
) -> Tensor![] {
    let h = x.matmul(w1).relu();
    (h.matmul(w2) - y).square().sum()
}

#[test]
fn two_layers_and_their_gradient() {
    let (w1, w2) = (Tensor::randn(1), Tensor::randn(2));
    let x = Tensor::randn_with((Batch(16), Sz), 3);
    let y = Tensor::randn_with((Batch(16), Sz), 4);
    let r = Recording::new();
    let (v1, v2) = (r.variable("w1", &w1), r.variable("w2", &w2));
    let (rx, ry) = (r.input("x", x.shape()), r.input("y", y.shape()));
    let (value, (d1, d2)) = r.scope(|| two_layers::value_and_grad(&v1, &v2, &rx, &ry));
    let feeds = Feeds::new().with(&rx, &x).with(&ry, &y);
    let mut session = Session::new(&r, &Device::cpu());
    for _ in 0..2 {
        let (a, b, c) = session.run((&value, &d1, &d2), &feeds).unwrap();
        let (value, (d1, d2)) = two_layers::value_and_grad(&w1, &w2, &x, &y);
        assert_eq!(bits(&a), bits(&value));
        assert_eq!(bits(&b), bits(&d1));
        assert_eq!(bits(&c), bits(&d2));
    }
}

#[differentiable]
fn energy(x: &Tensor![6]) -> Tensor![] {
    (x.sin() * x.exp()).sum()
}

/// A fused sum inside of a larger function: its cotangent is not a number that the host knows.
#[differentiable]
fn root_of_energy(x: &Tensor![6]) -> Tensor![] {
    (energy(x).square() + 1.0).sqrt()
}

#[test]
fn tangents_and_cotangents_that_are_fed() {
    let (x, t) = (Tensor::<shape![6]>::randn(1), Tensor::<shape![6]>::randn(2));
    let ct: Tensor![] = tensor(1.5);
    let r = Recording::new();
    let rx = r.input("x", x.shape());
    let rt = r.input("t", x.shape());
    let rct: Tensor![] = r.input("ct", ());
    let (value, tangent) = r.scope(|| root_of_energy::jvp((&rx, &rt)));
    let cotangent = r.scope(|| root_of_energy::vjp(&rx).1(rct.clone()));
    let feeds = Feeds::new().with(&rx, &x).with(&rt, &t).with(&rct, &ct);
    let mut session = Session::new(&r, &Device::cpu());
    let (a, b, c) = session.run((&value, &tangent, &cotangent), &feeds).unwrap();
    let (value, tangent) = root_of_energy::jvp((&x, &t));
    assert_eq!(bits(&a), bits(&value));
    assert_eq!(bits(&b), bits(&tangent));
    assert_eq!(bits(&c), bits(&root_of_energy::vjp(&x).1(ct)));
}

#[module]
struct Block {
    embed: Embedding<11, 16>,
    norm: LayerNorm<16>,
    attention: MultiHead<16, 2, 8>,
    #[init(Dropout::new(0.2))]
    drop: Dropout,
    mlp: Mlp<16, 32>,
    head: Linear<16, 11>,
}

#[differentiable]
impl Block {
    fn loss(
        &self,
        ids: &Tensor![i64; Batch, Time],
        next: &Tensor![i64; Batch, Time],
        ctx: &mut Ctx,
    ) -> Tensor![] {
        let x = self.embed.forward(ids);
        let (h, keys) = (self.norm.forward(&x), no_grad!(Keys::Causal));
        let x = &x + self.attention.forward(&h, &h, &keys);
        let x = &x + self.drop.forward(&self.mlp.forward(&x), ctx);
        self.head.forward(&x).cross_entropy(next)
    }
}

#[test]
fn steps_of_a_transformer_block() {
    let ids = Tensor::from_fn_with((Batch(3), Time(7)), |i| (i * 5 % 11) as i64);
    let next = Tensor::from_fn_with((Batch(3), Time(7)), |i| ((i + 1) * 5 % 11) as i64);
    let mut net = Block::new(&mut Seeds::new(0));

    let r = Recording::new();
    let before = r.module(&net);
    let (rids, rnext) = (r.input("ids", ids.shape()), r.input("next", next.shape()));
    let (loss, step) = r.scope(|| {
        let mut ctx = Ctx::train(&before, 5);
        let (loss, gradient) = before.loss_value_and_grad(&rids, &rnext, &mut ctx);
        let mut after = before.clone();
        Sgd::new(0.1).step(&mut after, &gradient);
        (loss, r.assign_all(&before, &after))
    });
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&rids, &ids).with(&rnext, &next);

    let mut sgd = Sgd::new(0.1);
    for _ in 0..4 {
        let (recorded, ()) = session.run((&loss, &step), &feeds).unwrap();
        let mut ctx = Ctx::train(&net, 5);
        let (loss, gradient) = net.loss_value_and_grad(&ids, &next, &mut ctx);
        sgd.step(&mut net, &gradient);
        assert_eq!(bits(&recorded), bits(&loss));
        assert_eq!(
            bits(&session.variable(&before.head.weight)),
            bits(&net.head.weight)
        );
    }
}

#[module]
struct Cnn {
    conv: Conv2d<1, 4, 3>,
    norm: BatchNorm<4>,
    out: Linear<64, 3>,
}

#[differentiable]
impl Cnn {
    fn loss(
        &self,
        x: &Tensor![Batch, 1, 8, 8],
        y: &Tensor![i64; Batch],
        ctx: &mut Ctx,
    ) -> Tensor![] {
        let h = self
            .norm
            .forward(&self.conv.forward(x), ctx)
            .relu()
            .max_pool::<2, 2>();
        self.out.forward(&h.flatten()).cross_entropy(y)
    }
}

#[test]
fn buffers_of_modules_are_variables() {
    let x = Tensor::randn_with((Batch(5), Sz, Sz, Sz), 1);
    let y = Tensor::from_fn_with((Batch(5),), |i| i as i64 % 3);
    let mut net = Cnn::new(&mut Seeds::new(0));
    let r = Recording::new();
    let before = r.module(&net);
    let (rx, ry) = (r.input("x", x.shape()), r.input("y", y.shape()));
    let (loss, step) = r.scope(|| {
        let mut ctx = Ctx::train(&before, 0);
        let (loss, gradient) = before.loss_value_and_grad(&rx, &ry, &mut ctx);
        let mut after = before.clone();
        Adam::new(0.01).step(&mut after, &gradient);
        ctx.commit(&mut after);
        (loss, r.assign_all(&before, &after))
    });
    let mut session = Session::new(&r, &Device::cpu());
    let (recorded, ()) = session
        .run((&loss, &step), &Feeds::new().with(&rx, &x).with(&ry, &y))
        .unwrap();

    let mut ctx = Ctx::train(&net, 0);
    let (loss, gradient) = net.loss_value_and_grad(&x, &y, &mut ctx);
    Adam::new(0.01).step(&mut net, &gradient);
    ctx.commit(&mut net);
    assert_eq!(bits(&recorded), bits(&loss));
    assert_eq!(
        bits(&session.variable(&before.norm.running_mean)),
        bits(&net.norm.running_mean)
    );
    assert_eq!(
        bits(&session.variable(&before.conv.weight)),
        bits(&net.conv.weight)
    );
}

#[test]
fn a_recorded_graph_can_be_recorded_again() {
    // The device of a session may be a recorder itself.
    let x = Tensor::<shape![6]>::randn(1);
    let inner = Recording::new();
    let rx = inner.input("x", x.shape());
    let value = inner.scope(|| root_of_energy(&rx));
    let outer = Recording::new();
    let ox = outer.input("x", x.shape());
    let mut session = Session::new(&inner, outer.device());
    let again = session.run(&value, &Feeds::new().with(&rx, &ox)).unwrap();
    let mut session = Session::new(&outer, &Device::cpu());
    let number = session.run(&again, &Feeds::new().with(&ox, &x)).unwrap();
    assert_eq!(bits(&number), bits(&root_of_energy(&x)));
}
