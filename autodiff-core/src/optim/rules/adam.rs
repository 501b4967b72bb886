use crate::device::{AdamStep, Backend, Decay, Dims, Float};
use crate::optim::{Descent, ParamStep, Slot, UpdateRule, check_fraction};
use crate::tensor::raw::Raw;

/// Adam (Kingma & Ba 2015). Weight decay is an L2 penalty, added to the gradient.
///
/// `m ← β₁m + (1−β₁)g`, `v ← β₂v + (1−β₂)g²`, and in step `t`
/// `p ← p − lr · (m/(1−β₁ᵗ)) / (√(v/(1−β₂ᵗ)) + ε)`.
pub type Adam = Descent<AdamRule>;

/// Adam with decoupled weight decay (Loshchilov & Hutter 2019): `p ← p·(1 − lr·λ)` before the step.
pub type AdamW = Descent<AdamWRule>;

/// The decay rates of the two moments, and what is added to the denominator.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moments {
    pub(super) beta1: f64,
    pub(super) beta2: f64,
    pub(super) epsilon: f64,
}

impl Moments {
    pub(super) fn new(epsilon: f64) -> Self {
        Moments {
            beta1: 0.9,
            beta2: 0.999,
            epsilon,
        }
    }

    pub(super) fn set_betas(&mut self, beta1: f64, beta2: f64) {
        check_fraction("beta1", beta1);
        check_fraction("beta2", beta2);
        (self.beta1, self.beta2) = (beta1, beta2);
    }

    pub(super) fn slots(dims: &Dims) -> Vec<Slot> {
        let slot = |name| Slot::zeros(name, dims);
        vec![slot("first_moment"), slot("second_moment")]
    }

    pub(super) fn update<T: Float, D: Backend>(
        &self,
        decay: Decay,
        step: &ParamStep,
        param: &mut Raw<T, D>,
        grad: &Raw<T, D>,
        slots: &mut [Raw<T, D>],
    ) {
        let [first, second] = slots else {
            unreachable!("two moments")
        };
        let settings = AdamStep {
            lr: step.rate,
            beta1: self.beta1,
            beta2: self.beta2,
            eps: self.epsilon,
            weight_decay: step.weight_decay,
            decay,
            step: step.step,
        };
        param.adam(&settings, grad, first, second);
    }
}

/// The update rule of [`Adam`].
#[derive(Clone, Debug, PartialEq)]
pub struct AdamRule(Moments);

/// The update rule of [`AdamW`].
#[derive(Clone, Debug, PartialEq)]
pub struct AdamWRule(Moments);

impl Descent<AdamRule> {
    /// Adam without weight decay.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        Descent::by(AdamRule(Moments::new(1e-8)), learning_rate)
    }
}

impl Descent<AdamWRule> {
    /// AdamW with a weight decay of 0.01.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        Descent::by(AdamWRule(Moments::new(1e-8)), learning_rate).weight_decay(0.01)
    }
}

/// The settings of a rule of [`Moments`].
macro_rules! moments {
    ($Rule:ident, $epsilon:literal) => {
        impl Descent<$Rule> {
            /// The decay rates of the two moments; 0.9 and 0.999 if not set.
            ///
            /// # Panics
            /// When one is not in `0.0..1.0`.
            pub fn betas(mut self, beta1: f64, beta2: f64) -> Self {
                self.rule.0.set_betas(beta1, beta2);
                self
            }

            #[doc = concat!("What is added to the denominator; ", $epsilon, " if not set.")]
            pub fn epsilon(mut self, epsilon: f64) -> Self {
                self.rule.0.epsilon = epsilon;
                self
            }
        }
    };
}
pub(super) use moments;

/// The rules, which differ in the kind of weight decay alone.
macro_rules! adam {
    ($Rule:ident, $name:literal, $decay:expr) => {
        moments!($Rule, "1e-8");

        impl UpdateRule for $Rule {
            fn is_by_entry(&self) -> bool {
                true
            }
            fn name(&self) -> &'static str {
                $name
            }
            fn slots(&self, dims: &Dims, _: bool) -> Vec<Slot> {
                Moments::slots(dims)
            }
            fn takes_factor(&self) -> bool {
                true
            }
            fn update<T: Float, D: Backend>(
                &self,
                step: &ParamStep,
                param: &mut Raw<T, D>,
                grad: Raw<T, D>,
                slots: &mut [Raw<T, D>],
            ) {
                self.0.update($decay, step, param, &grad, slots);
            }
        }
    };
}
adam!(AdamRule, "adam", Decay::Coupled);
adam!(AdamWRule, "adamw", Decay::Decoupled);
