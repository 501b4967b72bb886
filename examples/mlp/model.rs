//! The network, its loss and its guesses.

use differentiable::nn::Init;
use differentiable::prelude::*;
use differentiable::train::{Objective, Predict};

dim!(pub Batch);

/// Pixels of a digit, features of the input.
pub const PIXELS: usize = 64;
/// The digits 0 to 9.
pub const CLASSES: usize = 10;

/// Two hidden layers of `H` units.
#[derive(Clone, Differentiable, Module)]
pub struct Mlp<const H: usize> {
    hidden1: Linear<PIXELS, H>,
    hidden2: Linear<H, H>,
    out: Linear<H, CLASSES>,
}

#[differentiable]
impl<const H: usize> Mlp<H> {
    /// One number for each class; the largest is the network's guess.
    pub fn forward(&self, x: &Tensor![Batch, { PIXELS }]) -> Tensor![Batch, { CLASSES }] {
        let h = self.hidden1.forward(x).relu();
        let h = self.hidden2.forward(&h).relu();
        self.out.forward(&h)
    }
}

/// Images and their digits.
pub type Digits = (Tensor![Batch, { PIXELS }], Tensor![i64; Batch]);

#[differentiable]
impl<const H: usize> Objective<Digits> for Mlp<H> {
    /// The mean over the batch of `−ln` of the probability given to the right class.
    fn loss(&self, batch: &Digits, _ctx: &mut Ctx) -> Tensor![] {
        self.forward(&batch.0).cross_entropy(&batch.1)
    }
}

impl<const H: usize> Predict<Digits> for Mlp<H> {
    type Output = Tensor![Batch, { CLASSES }];
    type Target = Tensor![i64; Batch];

    fn predict(&self, (x, labels): &Digits, _: &mut Ctx) -> (Self::Output, Self::Target) {
        (self.forward(x), labels.clone())
    }
}

impl<const H: usize> Mlp<H> {
    /// Random weights.
    pub fn new(seed: u64) -> Self {
        let mut seeds = Seeds::new(seed);
        Mlp {
            hidden1: Linear::with_init(Init::KaimingUniform, &mut seeds),
            hidden2: Linear::with_init(Init::KaimingUniform, &mut seeds),
            out: Linear::with_init(Init::KaimingUniform, &mut seeds),
        }
    }
}
