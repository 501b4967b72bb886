//! The operations of [`Var`]: operators, and methods as tensors and floats have them.
//!
//! The tables say what an operation runs and which kind its second derivative is of; the derivative is the library's rule.
//!
//! | file | operations |
//! |---|---|
//! | `arithmetic`, `operators` | `+ - * /` and `-x` |
//! | `elementwise` | what the second derivatives of functions of each element are made of |
//! | `unary` | the functions of one number of the vocabulary |
//! | `power` | powers and bounds, with a number |
//! | `pair` | functions of two tensors, losses |
//! | `reduce` | sums, means, extremes, norms, `softmax` |
//! | `view` | shapes |
//! | `product` | products of matrices and vectors |
//! | `index` | what is picked by number, losses of classes |
//! | `table` | how they are written down |

mod arithmetic;
mod elementwise;

mod index;
mod operators;
mod pair;

mod power;
mod product;
mod reduce;
mod table;
mod unary;
mod view;

pub use power::Numbers;

use crate::operation::Operation;
use crate::{Input, Var};
use autodiff_core::ad::Differentiable;

impl<V: Differentiable + Clone + 'static> Var<V> {
    /// Runs an operation of this value alone.
    #[track_caller]
    pub(crate) fn run<O: Operation<(V,)>>(&self, operation: O) -> Var<O::Output> {
        let y = self.tape().apply(operation, (self,));
        y.unwrap_or_else(|e| panic!("{e}"))
    }

    /// Runs an operation of this value and another one.
    #[track_caller]
    pub(crate) fn run_with<W: Input, O: Operation<(V, W::Value)>>(
        &self,
        operation: O,
        other: W,
    ) -> Var<O::Output> {
        let y = self.tape().apply(operation, (self, other));
        y.unwrap_or_else(|e| panic!("{e}"))
    }
}
