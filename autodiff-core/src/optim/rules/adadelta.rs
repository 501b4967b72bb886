use super::squared;
use crate::device::{Backend, BinaryOp, Dims, Float, UnaryOp};
use crate::optim::rule::penalised;
use crate::optim::{Descent, ParamStep, Slot, UpdateRule, check_fraction};
use crate::tensor::raw::Raw;

/// Adadelta (Zeiler 2012). Weight decay is an L2 penalty, added to the gradient.
///
/// `s ← ρ·s + (1−ρ)·g²`, `d = g·√(u + ε)/√(s + ε)`, `u ← ρ·u + (1−ρ)·d²`, `p ← p − lr·d`. The paper has a learning rate of
/// 1.
pub type Adadelta = Descent<AdadeltaRule>;

/// The update rule of [`Adadelta`].
#[derive(Clone, Debug, PartialEq)]
pub struct AdadeltaRule {
    rho: f64,
    epsilon: f64,
}

impl Descent<AdadeltaRule> {
    /// Adadelta with a decay rate of 0.9.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        let rule = AdadeltaRule {
            rho: 0.9,
            epsilon: 1e-6,
        };
        Descent::by(rule, learning_rate)
    }

    /// The decay rate ρ of the two running means; 0.9 if not set.
    ///
    /// # Panics
    /// When it is not in `0.0..1.0`.
    pub fn rho(mut self, rho: f64) -> Self {
        check_fraction("rho", rho);
        self.rule.rho = rho;
        self
    }

    /// What is added under the roots; 1e-6 if not set.
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.rule.epsilon = epsilon;
        self
    }
}

impl UpdateRule for AdadeltaRule {
    fn is_by_entry(&self) -> bool {
        true
    }
    fn name(&self) -> &'static str {
        "adadelta"
    }

    fn slots(&self, dims: &Dims, _: bool) -> Vec<Slot> {
        let slot = |name| Slot::zeros(name, dims);
        vec![slot("mean_square"), slot("mean_square_update")]
    }

    fn update<T: Float, D: Backend>(
        &self,
        step: &ParamStep,
        param: &mut Raw<T, D>,
        grad: Raw<T, D>,
        slots: &mut [Raw<T, D>],
    ) {
        let [square, updates] = slots else {
            unreachable!("two running means")
        };
        let grad = penalised(step, param, grad);
        square.blend(self.rho, 1.0 - self.rho, &squared(&grad));
        let under = |x: &Raw<T, D>| {
            let shifted = x.clone().binary_scalar(BinaryOp::Add, T::lit(self.epsilon));
            shifted.unary(UnaryOp::Sqrt)
        };
        let mut update = under(updates);
        update.apply(BinaryOp::Div, &under(square));
        update.apply(BinaryOp::Mul, &grad);
        updates.blend(self.rho, 1.0 - self.rho, &squared(&update));
        param.blend(1.0, -step.rate, &update);
    }
}
