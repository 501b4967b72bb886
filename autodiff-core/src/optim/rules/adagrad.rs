use super::{over, root, squared};
use crate::device::{Backend, Dims, Float};
use crate::optim::rule::penalised;
use crate::optim::{Descent, ParamStep, Slot, UpdateRule, check_rate};
use crate::tensor::raw::Raw;

/// Adagrad (Duchi, Hazan & Singer 2011). Weight decay is an L2 penalty, added to the gradient.
///
/// `s ← s + g²`, then in step `t`, from 1, `p ← p − lr/(1 + (t−1)·η) · g/(√s + ε)`.
pub type Adagrad = Descent<AdagradRule>;

/// The update rule of [`Adagrad`].
#[derive(Clone, Debug, PartialEq)]
pub struct AdagradRule {
    rate_decay: f64,
    initial: f64,
    epsilon: f64,
}

impl Descent<AdagradRule> {
    /// Adagrad.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        let rule = AdagradRule {
            rate_decay: 0.0,
            initial: 0.0,
            epsilon: 1e-10,
        };
        Descent::by(rule, learning_rate)
    }

    /// The decay η of the learning rate; 0 if not set.
    ///
    /// # Panics
    /// When it is negative or not finite.
    pub fn rate_decay(mut self, eta: f64) -> Self {
        check_rate(eta);
        self.rule.rate_decay = eta;
        self
    }

    /// What the sums of squares are before the first step; 0 if not set.
    ///
    /// # Panics
    /// When it is negative or not finite.
    pub fn initial(mut self, sum: f64) -> Self {
        check_rate(sum);
        self.rule.initial = sum;
        self
    }

    /// What is added to the denominator; 1e-10 if not set.
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.rule.epsilon = epsilon;
        self
    }
}

impl UpdateRule for AdagradRule {
    fn is_by_entry(&self) -> bool {
        true
    }
    fn name(&self) -> &'static str {
        "adagrad"
    }

    fn slots(&self, dims: &Dims, _: bool) -> Vec<Slot> {
        let zeros = Slot::zeros("sum_of_squares", dims);
        let initial = self.initial;
        vec![Slot { initial, ..zeros }]
    }

    fn update<T: Float, D: Backend>(
        &self,
        step: &ParamStep,
        param: &mut Raw<T, D>,
        grad: Raw<T, D>,
        slots: &mut [Raw<T, D>],
    ) {
        let grad = penalised(step, param, grad);
        let sum = &mut slots[0];
        sum.blend(1.0, 1.0, &squared(&grad));
        let rate = step.rate / (1.0 + (step.step - 1) as f64 * self.rate_decay);
        param.blend(1.0, -rate, &over(&grad, root(sum, self.epsilon)));
    }
}
