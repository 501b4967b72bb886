//! Gradients of networks, and steps of training, as models.

use crate::harness::{Cases, Io, wave};
use crate::models::{Batch, Block, Cnn, Digits, Time};
use differentiable::nn::Module;
use differentiable::optim::{Adam, Sgd};
use differentiable::prelude::*;

/// The parameters after a large step of descent, which shows each entry of the gradient.
fn descended<M: Module + Clone>(io: &mut Io<'_>, net: &M, gradient: &M::Tangent) {
    let mut after = net.clone();
    Sgd::new(10.0).step(&mut after, gradient);
    io.outputs(&after);
}

/// Tangents: what forward mode records.
macro_rules! tangents {
    ($cases:ident; $($name:ident ($x:ident: [$($d:tt)*]) -> [$($o:tt)*] = $body:expr;)*) => { $({
        #[differentiable]
        fn program($x: &Tensor![$($d)*]) -> Tensor![$($o)*] {
            $body
        }
        $cases.run(concat!("tangent_", stringify!($name)), |io| {
            let $x: Tensor![$($d)*] = Tensor::from_fn(wave);
            let $x = io.input("x", &$x);
            let t: Tensor![$($d)*] = Tensor::from_fn(|i| wave(i + 5));
            let t = io.input("t", &t);
            let (y, tangent) = program::jvp((&$x, &t));
            io.output("y", &y);
            io.output("d_y", &tangent);
        });
    })* };
}

fn forward(cases: &mut Cases) {
    tangents! { cases;
        region (x: [3, 4]) -> [3, 4] = (x.sin() * x + 1.0).tanh();
        softmax (x: [3, 4]) -> [3, 4] = x.softmax::<1>();
        norm (x: [3, 8]) -> [3, 8] = x.layer_norm(&Tensor::ones(), &Tensor::zeros(), 1e-5);
        attention (x: [2, 5, 4]) -> [2, 5, 4] = x.attention(x, x, Attention::new().causal());
        pool (x: [1, 2, 4, 6]) -> [1, 2, 2, 3] = x.max_pool::<2, 2>();
        conv (x: [1, 2, 5, 5]) -> [1, 3, 3, 3] = x.conv2d(&Tensor::<shape![3, 2, 3, 3]>::ones(), Win::new());
        extreme (x: [3, 4]) -> [3] = x.max_axis::<1>();
        sums (x: [3, 4]) -> [] = x.square().mean();
    }
}

pub fn cases(cases: &mut Cases) {
    forward(cases);
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
    let cnn = Cnn::new(seeds);
    cases.batched("cnn_gradient", |io, batch| {
        let net = io.module(&cnn);
        let x = io.input("x", &Tensor::from_fn_with((Batch(batch), Sz, Sz, Sz), wave));
        let y = io.input(
            "labels",
            &Tensor::from_fn_with((Batch(batch),), |i| (i * 3 % 10) as i64),
        );
        let (loss, gradient) = net.loss_value_and_grad(&x, &y);
        io.output("loss", &loss);
        descended(io, &net, &gradient);
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
