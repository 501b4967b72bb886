use super::rules::*;
use super::{Descent, ParamStep, Slot, UpdateRule};
use crate::device::{Backend, Dims, Float};
use crate::tensor::raw::Raw;

/// An optimiser chosen at run time: one with any of the update rules of this library.
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::optim::{Adam, AnyOptimizer, Lion, Optimizer};
///
/// let name = "lion";
/// let mut optimizer = match name {
///     "lion" => AnyOptimizer::from(Lion::new(1e-2)),
///     _ => AnyOptimizer::from(Adam::new(1e-1)),
/// };
/// let mut x = 1.0_f64;
/// optimizer.step(&mut x, &3.0);
/// assert_eq!(x, 0.99);
/// ```
pub type AnyOptimizer = Descent<AnyRule>;

/// The rules: the enum, and what passes the calls on.
macro_rules! any_rule {
    ($($(#[$doc:meta])* $Name:ident($Rule:ident),)*) => {
        /// One of the update rules of this library.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum AnyRule {
            $($(#[$doc])* $Name($Rule),)*
        }

        $(
            impl From<Descent<$Rule>> for AnyOptimizer {
                fn from(optimizer: Descent<$Rule>) -> Self {
                    optimizer.map(AnyRule::$Name)
                }
            }
        )*

        impl UpdateRule for AnyRule {
            fn name(&self) -> &'static str {
                match self {
                    $(AnyRule::$Name(rule) => rule.name(),)*
                }
            }
            fn slots(&self, dims: &Dims, by_element: bool) -> Vec<Slot> {
                match self {
                    $(AnyRule::$Name(rule) => rule.slots(dims, by_element),)*
                }
            }
            fn is_by_entry(&self) -> bool {
                match self {
                    $(AnyRule::$Name(rule) => rule.is_by_entry(),)*
                }
            }
            fn update<T: Float, D: Backend>(
                &self,
                step: &ParamStep,
                param: &mut Raw<T, D>,
                grad: Raw<T, D>,
                slots: &mut [Raw<T, D>],
            ) {
                match self {
                    $(AnyRule::$Name(rule) => rule.update(step, param, grad, slots),)*
                }
            }
        }
    };
}

any_rule! {
    /// Of [`Sgd`].
    Sgd(SgdRule),
    /// Of [`Adam`].
    Adam(AdamRule),
    /// Of [`AdamW`].
    AdamW(AdamWRule),
    /// Of [`RmsProp`].
    RmsProp(RmsPropRule),
    /// Of [`Adagrad`].
    Adagrad(AdagradRule),
    /// Of [`Adadelta`].
    Adadelta(AdadeltaRule),
    /// Of [`Lion`].
    Lion(LionRule),
    /// Of [`Lamb`].
    Lamb(LambRule),
    /// Of [`Adafactor`].
    Adafactor(AdafactorRule),
    /// Of [`Muon`].
    Muon(MuonRule),
}
