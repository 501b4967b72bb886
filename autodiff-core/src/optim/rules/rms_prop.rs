use super::{over, root, squared};
use crate::device::{Backend, BinaryOp, Dims, Float};
use crate::optim::rule::penalised;
use crate::optim::{Descent, ParamStep, Slot, UpdateRule, check_fraction};
use crate::tensor::raw::Raw;

/// RMSprop (Tieleman & Hinton 2012), in PyTorch's form. Weight decay is an L2 penalty, added to the gradient.
///
/// `s ← α·s + (1−α)·g²`, then `p ← p − lr·g/(√s + ε)`. With [`centred`](Descent::centred) the square of a running mean of
/// the gradient is taken off `s` under the root (Graves 2013); with momentum `b ← μ·b + g/(√s + ε)` and `p ← p − lr·b`.
pub type RmsProp = Descent<RmsPropRule>;

/// The update rule of [`RmsProp`].
#[derive(Clone, Debug, PartialEq)]
pub struct RmsPropRule {
    alpha: f64,
    epsilon: f64,
    momentum: f64,
    centred: bool,
}

impl Descent<RmsPropRule> {
    /// RMSprop with a decay rate of 0.99, without momentum.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        let rule = RmsPropRule {
            alpha: 0.99,
            epsilon: 1e-8,
            momentum: 0.0,
            centred: false,
        };
        Descent::by(rule, learning_rate)
    }

    /// The decay rate α of the running mean of squares; 0.99 if not set.
    ///
    /// # Panics
    /// When it is not in `0.0..1.0`.
    pub fn alpha(mut self, alpha: f64) -> Self {
        check_fraction("alpha", alpha);
        self.rule.alpha = alpha;
        self
    }

    /// What is added to the denominator; 1e-8 if not set.
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.rule.epsilon = epsilon;
        self
    }

    /// Keeps the fraction `momentum` of the update before in each step; 0 if not set.
    ///
    /// # Panics
    /// When it is not in `0.0..1.0`.
    pub fn momentum(mut self, momentum: f64) -> Self {
        check_fraction("momentum", momentum);
        self.rule.momentum = momentum;
        self
    }

    /// Divides by the standard deviation of the gradient, and not by the root of the mean of its squares.
    pub fn centred(mut self) -> Self {
        self.rule.centred = true;
        self
    }
}

impl UpdateRule for RmsPropRule {
    fn is_by_entry(&self) -> bool {
        true
    }
    fn name(&self) -> &'static str {
        "rmsprop"
    }

    fn slots(&self, dims: &Dims, _: bool) -> Vec<Slot> {
        let centred = self.centred.then_some("mean");
        let moving = (self.momentum != 0.0).then_some("velocity");
        let names = ["mean_square"].into_iter().chain(centred).chain(moving);
        names.map(|name| Slot::zeros(name, dims)).collect()
    }

    fn update<T: Float, D: Backend>(
        &self,
        step: &ParamStep,
        param: &mut Raw<T, D>,
        grad: Raw<T, D>,
        slots: &mut [Raw<T, D>],
    ) {
        let grad = penalised(step, param, grad);
        let (square, mut rest) = slots.split_first_mut().expect("a mean of squares");
        square.blend(self.alpha, 1.0 - self.alpha, &squared(&grad));
        let mut variance = square.clone();
        if self.centred {
            let (mean, others) = rest.split_first_mut().expect("a mean");
            mean.blend(self.alpha, 1.0 - self.alpha, &grad);
            variance.apply(BinaryOp::Sub, &squared(mean));
            rest = others;
        }
        let update = over(&grad, root(&variance, self.epsilon));
        match rest.first_mut() {
            Some(velocity) => {
                velocity.blend(self.momentum, 1.0, &update);
                param.blend(1.0, -step.rate, velocity);
            }
            None => param.blend(1.0, -step.rate, &update),
        }
    }
}
