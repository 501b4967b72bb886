use crate::device::{Backend, Dims, Float, SgdStep};
use crate::optim::{Descent, ParamStep, Slot, UpdateRule, check_fraction};
use crate::tensor::raw::Raw;

/// Stochastic gradient descent, with momentum, Nesterov's correction and weight decay (an L2
/// penalty, added to the gradient) on request.
///
/// With the gradient `g` and the penalty's `g ← g + λ·p`: `v ← μ·v + g`, then `p ← p − lr·v`, or
/// with Nesterov's correction `p ← p − lr·(g + μ·v)` (Sutskever et al. 2013; PyTorch's form).
pub type Sgd = Descent<SgdRule>;

/// The update rule of [`Sgd`].
#[derive(Clone, Debug, PartialEq)]
pub struct SgdRule {
    momentum: f64,
    nesterov: bool,
}

impl Descent<SgdRule> {
    /// Plain gradient descent.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        let rule = SgdRule {
            momentum: 0.0,
            nesterov: false,
        };
        Descent::by(rule, learning_rate)
    }

    /// Keeps the fraction `momentum` of the velocity in each step.
    ///
    /// # Panics
    /// When it is not in `0.0..1.0`.
    pub fn momentum(mut self, momentum: f64) -> Self {
        check_fraction("momentum", momentum);
        self.rule.momentum = momentum;
        self
    }

    /// Looks ahead along the velocity. Has an effect only with momentum.
    pub fn nesterov(mut self) -> Self {
        self.rule.nesterov = true;
        self
    }
}

impl UpdateRule for SgdRule {
    fn is_by_entry(&self) -> bool {
        true
    }
    fn name(&self) -> &'static str {
        "sgd"
    }

    fn takes_factor(&self) -> bool {
        true
    }

    /// Plain descent remembers nothing, which a saved state should show.
    fn slots(&self, dims: &Dims, _: bool) -> Vec<Slot> {
        match self.momentum == 0.0 {
            true => Vec::new(),
            false => vec![Slot::zeros("velocity", dims)],
        }
    }

    fn update<T: Float, D: Backend>(
        &self,
        step: &ParamStep,
        param: &mut Raw<T, D>,
        grad: Raw<T, D>,
        slots: &mut [Raw<T, D>],
    ) {
        let settings = SgdStep {
            lr: step.rate,
            momentum: self.momentum,
            dampening: 0.0,
            weight_decay: step.weight_decay,
            nesterov: self.nesterov,
        };
        param.sgd(&settings, &grad, slots.first_mut());
    }
}
