use super::adam::{Moments, moments};
use super::{norm, over, root, squared};
use crate::device::{Backend, BinaryOp, CompareOp, Dims, Float};
use crate::optim::{Descent, ParamStep, Slot, UpdateRule};
use crate::tensor::raw::Raw;

/// LAMB (You et al. 2020), for large batches: the update of Adam, scaled in each tensor to the norm of the parameter.
///
/// With the two corrected moments of [`Adam`](super::Adam), `u = m̂/(√v̂ + ε) + λ·p` and `p ← p − lr·(|p|/|u|)·u`. The ratio
/// is 1 where one of the norms is 0.
pub type Lamb = Descent<LambRule>;

/// The update rule of [`Lamb`].
#[derive(Clone, Debug, PartialEq)]
pub struct LambRule(Moments);

impl Descent<LambRule> {
    /// LAMB with the decay rates 0.9 and 0.999, without weight decay.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        Descent::by(LambRule(Moments::new(1e-6)), learning_rate)
    }
}
moments!(LambRule, "1e-6");

impl UpdateRule for LambRule {
    fn name(&self) -> &'static str {
        "lamb"
    }

    fn slots(&self, dims: &Dims, _: bool) -> Vec<Slot> {
        Moments::slots(dims)
    }

    fn update<T: Float, D: Backend>(
        &self,
        step: &ParamStep,
        param: &mut Raw<T, D>,
        grad: Raw<T, D>,
        slots: &mut [Raw<T, D>],
    ) {
        let [first, second] = slots else {
            unreachable!("two moments")
        };
        let Moments {
            beta1,
            beta2,
            epsilon,
        } = self.0;
        first.blend(beta1, 1.0 - beta1, &grad);
        second.blend(beta2, 1.0 - beta2, &squared(&grad));
        let t = step.step as f64;
        let (c1, c2) = (1.0 - beta1.powf(t), 1.0 - beta2.powf(t));
        let corrected = second.clone().binary_scalar(BinaryOp::Div, T::lit(c2));
        let mut update = over(first, root(&corrected, epsilon));
        update.blend(1.0 / c1, step.weight_decay, param);
        let ratio = trust(&norm(param), &norm(&update));
        update.apply(BinaryOp::Mul, &ratio);
        param.blend(1.0, -step.rate, &update);
    }
}

/// The ratio of two norms, which stays where they are; 1 where one is 0.
fn trust<T: Float, D: Backend>(param: &Raw<T, D>, update: &Raw<T, D>) -> Raw<T, D> {
    let number = |x| Raw::scalar(param.device(), x);
    let (zero, one) = (number(T::ZERO), number(T::ONE));
    let ratio = Raw::binary_ref(BinaryOp::Div, param, update);
    // Both above 0: so is the smaller.
    let smaller = Raw::binary_ref(BinaryOp::Min, param, update);
    let both = Raw::compare(CompareOp::Gt, &smaller, &zero);
    Raw::select(&both, &ratio, &one)
}
