//! The network and how well it does.

use differentiable::nn::Init;
use differentiable::prelude::*;

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

    /// The mean over the batch of `−ln` of the probability given to the right class.
    pub fn loss(
        &self,
        #[constant] x: &Tensor![Batch, { PIXELS }],
        labels: &Tensor![i64; Batch],
    ) -> Tensor![] {
        self.forward(x).cross_entropy(labels)
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

    /// The share of the rows whose label is guessed.
    pub fn accuracy(&self, x: &Tensor![Batch, { PIXELS }], labels: &Tensor![i64; Batch]) -> f64 {
        let (guesses, labels) = (self.forward(x).argmax::<1>().to_vec(), labels.to_vec());
        let right = guesses.iter().zip(&labels).filter(|(g, l)| g == l).count();
        right as f64 / labels.len() as f64
    }
}
