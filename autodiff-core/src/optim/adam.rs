use super::slots::Slots;
use super::{Optimizer, OptimizerState, OptimizerStateError};
use crate::device::{AdamStep, Backend, Decay, Device, Float, ToDevice};
use crate::nn::{Module, Path, VisitorWithGrad};
use crate::tensor::raw::Raw;

/// What [`Adam`] and [`AdamW`] share.
#[derive(Clone)]
struct Moments {
    settings: AdamStep,
    slots: Slots<2>,
}

impl Moments {
    fn new(algorithm: &'static str, learning_rate: f64, weight_decay: f64, decay: Decay) -> Self {
        super::check_rate(learning_rate);
        let (beta1, beta2, eps) = (0.9, 0.999, 1e-8);
        let settings = AdamStep {
            lr: learning_rate,
            beta1,
            beta2,
            eps,
            weight_decay,
            decay,
            step: 0,
        };
        Moments {
            settings,
            slots: Slots::new(algorithm, ["first_moment", "second_moment"]),
        }
    }
}

impl VisitorWithGrad for Moments {
    fn param<T: Float, D: Backend>(
        &mut self,
        name: &Path,
        value: &mut Raw<T, D>,
        grad: &Raw<T, D>,
    ) {
        let [first, second] = self.slots.of(name.as_str(), value);
        value.adam(&self.settings, grad, first, second);
    }
    fn variant(&mut self, name: &Path, variant: &'static str) {
        self.slots.note_variant(name.as_str(), variant);
    }
}

/// The settings and the trait, the same for both.
macro_rules! adam {
    ($name:ident) => {
        impl ToDevice for $name {
            fn move_to(&mut self, device: &Device) {
                self.0.slots.move_to(device);
            }
        }

        impl $name {
            /// The decay rates of the two moments; 0.9 and 0.999 if not set.
            ///
            /// # Panics
            /// When one is not in `0.0..1.0`.
            pub fn betas(mut self, beta1: f64, beta2: f64) -> Self {
                super::check_fraction("beta1", beta1);
                super::check_fraction("beta2", beta2);
                (self.0.settings.beta1, self.0.settings.beta2) = (beta1, beta2);
                self
            }

            /// What is added to the denominator; 1e-8 if not set.
            pub fn epsilon(mut self, epsilon: f64) -> Self {
                self.0.settings.eps = epsilon;
                self
            }

            /// The coefficient of weight decay.
            ///
            /// # Panics
            /// When it is negative or not finite.
            pub fn weight_decay(mut self, weight_decay: f64) -> Self {
                super::check_decay(weight_decay);
                self.0.settings.weight_decay = weight_decay;
                self
            }
        }

        impl Optimizer for $name {
            fn step<M: Module>(&mut self, model: &mut M, grad: &M::Tangent) {
                self.0.settings.step = self.0.slots.begin_step();
                model.visit_with_grad(grad, &mut Path::default(), &mut self.0);
            }

            fn learning_rate(&self) -> f64 {
                self.0.settings.lr
            }

            fn set_learning_rate(&mut self, learning_rate: f64) {
                super::check_rate(learning_rate);
                self.0.settings.lr = learning_rate;
            }

            fn state(&self) -> OptimizerState {
                self.0.slots.state()
            }

            fn load_state<M: Module>(
                &mut self,
                model: &M,
                state: OptimizerState,
            ) -> Result<(), OptimizerStateError> {
                self.0.slots.load(model, state)
            }
        }
    };
}

/// Adam (Kingma & Ba 2015). Weight decay is an L2 penalty, added to the gradient.
///
/// `m ← β₁m + (1−β₁)g`, `v ← β₂v + (1−β₂)g²`, and in step `t`
/// `p ← p − lr · (m/(1−β₁ᵗ)) / (√(v/(1−β₂ᵗ)) + ε)`.
#[derive(Clone)]
pub struct Adam(Moments);

/// Adam with decoupled weight decay (Loshchilov & Hutter 2019): `p ← p·(1 − lr·λ)` before the step.
#[derive(Clone)]
pub struct AdamW(Moments);

adam!(Adam);
adam!(AdamW);

impl Adam {
    /// Adam without weight decay.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        Adam(Moments::new("adam", learning_rate, 0.0, Decay::Coupled))
    }
}

impl AdamW {
    /// AdamW with a weight decay of 0.01.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        AdamW(Moments::new("adamw", learning_rate, 0.01, Decay::Decoupled))
    }
}
