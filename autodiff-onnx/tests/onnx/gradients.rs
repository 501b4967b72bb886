//! Gradients of networks, and steps of training, as models.

use crate::harness::{Cases, Io, wave};
use crate::models::{Batch, Block, Digits, Time};
use differentiable::nn::Module;
use differentiable::optim::{Adam, Sgd};
use differentiable::prelude::*;

/// The parameters after a large step of descent, which shows each entry of the gradient.
fn descended<M: Module + Clone>(io: &mut Io<'_>, net: &M, gradient: &M::Tangent) {
    let mut after = net.clone();
    Sgd::new(10.0).step(&mut after, gradient);
    io.outputs(&after);
}

pub fn cases(cases: &mut Cases) {
    let seeds = &mut Seeds::new(3);
    let net = Digits::new(seeds);
    cases.batched("mlp_gradient", |io, batch| {
        let net = io.module(&net);
        let x = io.input("x", &Tensor::from_fn_with((Batch(batch), Sz), wave));
        let y = io.input(
            "labels",
            &Tensor::from_fn_with((Batch(batch),), |i| (i * 3 % 10) as i64),
        );
        let (loss, gradient) = net.loss_value_and_grad(&x, &y);
        io.output("loss", &loss);
        descended(io, &net, &gradient);
    });
    cases.run("mlp_step", |io| {
        let net = io.module(&net);
        let x = io.input("x", &Tensor::from_fn_with((Batch(5), Sz), wave));
        let y = io.input(
            "labels",
            &Tensor::from_fn_with((Batch(5),), |i| (i * 3 % 10) as i64),
        );
        let mut after = net.clone();
        let (_, gradient) = net.loss_value_and_grad(&x, &y);
        Adam::new(0.01).step(&mut after, &gradient);
        io.outputs(&after);
    });
    let block = Block::new(seeds);
    cases.batched("block_gradient", |io, batch| {
        let net = io.module(&block);
        let x = io.input(
            "x",
            &Tensor::from_fn_with((Batch(batch), Time(6), Sz), wave),
        );
        let (energy, gradient) = net.energy_value_and_grad(&x);
        io.output("energy", &energy);
        descended(io, &net, &gradient);
    });
}
