//! What an algorithm is: its update rule.

use crate::device::{Backend, Dims, Float};
use crate::tensor::raw::Raw;

/// The update rule of an optimiser: what one step does to one parameter.
///
/// [`Descent`](super::Descent) makes an optimiser of it, with groups, clipping, schedules and a state that can be saved.
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::device::{Backend, BinaryOp, Dims, Float, UnaryOp};
/// use differentiable::optim::{Descent, Optimizer, ParamStep, Slot, UpdateRule};
/// use differentiable::tensor::Raw;
///
/// /// Steps of the length of the rate, against the sign of the gradient.
/// #[derive(Clone)]
/// struct Signs;
///
/// impl UpdateRule for Signs {
///     fn name(&self) -> &'static str {
///         "signs"
///     }
///     fn slots(&self, _: &Dims, _: bool) -> Vec<Slot> {
///         Vec::new()
///     }
///     fn update<T: Float, D: Backend>(
///         &self,
///         step: &ParamStep,
///         param: &mut Raw<T, D>,
///         grad: Raw<T, D>,
///         _: &mut [Raw<T, D>],
///     ) {
///         param.blend(1.0 - step.rate * step.weight_decay, -step.rate, &grad.unary(UnaryOp::Sign));
///     }
/// }
///
/// let mut point = (3.0_f64, -2.0_f64);
/// Descent::by(Signs, 0.5).step(&mut point, &(0.1, -7.0));
/// assert_eq!(point, (2.5, -1.5));
/// ```
pub trait UpdateRule: Clone + Send + Sync + 'static {
    /// The name of the algorithm, which saved states have.
    fn name(&self) -> &'static str;

    /// What the rule remembers of a parameter of these sizes. With `by_element` it is in a group whose entries are
    /// updated each for itself, which concerns rules that tell matrices from other tensors, such as [`Muon`](super::Muon).
    fn slots(&self, dims: &Dims, by_element: bool) -> Vec<Slot>;

    /// Whether the update of an entry depends on that entry alone, its gradient and what is remembered of it. Such a rule may be
    /// given parts of a parameter as tensors of their own, as it is where ranks divide the parameters among them.
    fn is_by_entry(&self) -> bool {
        false
    }

    /// Whether all that `update` does with the gradient is `param.adam(..)` or `param.sgd(..)`, which multiply it by the
    /// factor of clipping themselves.
    #[doc(hidden)]
    fn takes_factor(&self) -> bool {
        false
    }

    /// Changes a parameter by its gradient, which is clipped already. The tensors of `slots` are those that
    /// [`slots`](UpdateRule::slots) names, in that order.
    fn update<T: Float, D: Backend>(
        &self,
        step: &ParamStep,
        param: &mut Raw<T, D>,
        grad: Raw<T, D>,
        slots: &mut [Raw<T, D>],
    );
}

/// What a step has set for one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamStep {
    /// The learning rate: with the factors of the schedule, of the plateau and of the group.
    pub rate: f64,
    /// The coefficient of weight decay.
    pub weight_decay: f64,
    /// The number of this step, from 1, counted from the one in which the parameter was first changed.
    pub step: u64,
    /// Whether entries are updated each for itself, as in [`UpdateRule::slots`].
    pub by_element: bool,
}

/// A tensor that a rule remembers for a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slot {
    /// Its name in saved states.
    pub name: &'static str,
    /// Its sizes.
    pub dims: Dims,
    /// What its elements are before the first step.
    pub initial: f64,
}

impl Slot {
    /// Zeros of these sizes.
    pub fn zeros(name: &'static str, dims: &Dims) -> Self {
        let (dims, initial) = (*dims, 0.0);
        Slot {
            name,
            dims,
            initial,
        }
    }
}

/// The gradient with that of the penalty `½·λ·|p|²`.
pub(super) fn penalised<T: Float, D: Backend>(
    step: &ParamStep,
    param: &Raw<T, D>,
    mut grad: Raw<T, D>,
) -> Raw<T, D> {
    if step.weight_decay != 0.0 {
        grad.add_scaled(T::lit(step.weight_decay), param);
    }
    grad
}
