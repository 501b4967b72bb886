use crate::device::{Backend, Dims, Float, UnaryOp};
use crate::optim::{Descent, ParamStep, Slot, UpdateRule, check_fraction};
use crate::tensor::raw::Raw;

/// Lion (Chen et al. 2023): steps along the signs of a running mean. Weight decay is decoupled.
///
/// `u = sign(β₁·m + (1−β₁)·g)`, `p ← p − lr·(u + λ·p)`, `m ← β₂·m + (1−β₂)·g`. Its learning rate is three to ten times
/// smaller than that of AdamW, and its weight decay so much larger.
pub type Lion = Descent<LionRule>;

/// The update rule of [`Lion`].
#[derive(Clone, Debug, PartialEq)]
pub struct LionRule {
    beta1: f64,
    beta2: f64,
}

impl Descent<LionRule> {
    /// Lion with the paper's rates 0.9 and 0.99, without weight decay.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        let rule = LionRule {
            beta1: 0.9,
            beta2: 0.99,
        };
        Descent::by(rule, learning_rate)
    }

    /// The weight of the mean in the update, and its decay rate; 0.9 and 0.99 if not set.
    ///
    /// # Panics
    /// When one is not in `0.0..1.0`.
    pub fn betas(mut self, beta1: f64, beta2: f64) -> Self {
        check_fraction("beta1", beta1);
        check_fraction("beta2", beta2);
        self.rule = LionRule { beta1, beta2 };
        self
    }
}

impl UpdateRule for LionRule {
    fn is_by_entry(&self) -> bool {
        true
    }
    fn name(&self) -> &'static str {
        "lion"
    }

    fn slots(&self, dims: &Dims, _: bool) -> Vec<Slot> {
        vec![Slot::zeros("momentum", dims)]
    }

    fn update<T: Float, D: Backend>(
        &self,
        step: &ParamStep,
        param: &mut Raw<T, D>,
        grad: Raw<T, D>,
        slots: &mut [Raw<T, D>],
    ) {
        let momentum = &mut slots[0];
        let mut direction = momentum.clone();
        direction.blend(self.beta1, 1.0 - self.beta1, &grad);
        let keep = 1.0 - step.rate * step.weight_decay;
        param.blend(keep, -step.rate, &direction.unary(UnaryOp::Sign));
        momentum.blend(self.beta2, 1.0 - self.beta2, &grad);
    }
}
