//! Losses: `cross_entropy`, `mse_loss`.

use crate::ad::Acc;
use crate::device::{Backend, BinaryOp, Float, Index, ReduceOp};
use crate::ops::OrPanic;
use crate::shape::{Dim, Shape, ShapeError, Sz, check_same};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

/// Logits and targets have the same number of rows.
#[diagnostic::on_unimplemented(
    message = "cross entropy of `({Self}, Sz<{N}>)` logits needs one target for each row, but the targets have shape `({B2},)`",
    label = "`{Self}` rows of logits, `{B2}` targets"
)]
pub trait TargetDim<B2, const N: usize> {}
#[diagnostic::do_not_recommend]
impl<B, const N: usize> TargetDim<B, N> for B {}

#[rule]
impl<B: Dim, T: Float, D: Backend, const N: usize> Tensor<(B, Sz<N>), T, D> {
    /// The mean over the rows of `−log softmax(row)[target]`. Targets are numbers of classes.
    ///
    /// # Panics
    /// If a target is not below `N`, or there are more or fewer targets than rows.
    #[derivative(
        let (loss, lse) = self.loss_and_lse(targets);
        let saved = M0::ON.then_some(lse);
        value Tensor::new((), loss);
        pull |ct, x, targets, d, _| {
            if let (Some(lse), Some(ct)) = (&saved, ct.raw()) {
                d.acc(
                    Tensor::new(
                        x.shape(),
                        x.raw().cross_entropy_pullback(targets.raw(), lse, ct),
                    )
                        .into(),
                );
            }
        };
        both {
            // The derivative is the gradient times the tangent: the value is a scalar.
            let (loss, lse) = self.loss_and_lse(targets);
            let one = Raw::scalar(self.device(), T::ONE);
            let gradient = self.raw().cross_entropy_pullback(targets.raw(), &lse, &one);
            let tangent =
            Raw::binary(BinaryOp::Mul, gradient, t.raw().clone()).reduce_all(ReduceOp::Sum);
            (Tensor::new((), loss), Tensor::new((), tangent))
        };
    )]
    #[track_caller]
    pub fn cross_entropy<X: Index, B2: Dim>(
        &self,
        targets: &Tensor<(B2,), X, D>,
    ) -> Tensor<(), T, D>
    where
        B: TargetDim<B2, N>,
    {
        Tensor::new((), self.loss_and_lse(targets).0)
    }

    /// The loss, and the `ln Σ exp` of each row, which the pullback needs.
    #[track_caller]
    fn loss_and_lse<X: Index, B2: Dim>(
        &self,
        targets: &Tensor<(B2,), X, D>,
    ) -> (Raw<T, D>, Raw<T, D>) {
        check_same((self.shape().0,), targets.shape()).or_panic("cross_entropy");
        self.raw()
            .cross_entropy(targets.raw())
            .or_panic("cross_entropy")
    }
}

#[track_caller]
fn difference<S: Shape, T: Float, D: Backend>(
    a: &Tensor<S, T, D>,
    b: &Tensor<S, T, D>,
) -> Result<Raw<T, D>, ShapeError> {
    check_same(a.shape(), b.shape())?;
    Ok(Raw::binary_ref(BinaryOp::Sub, a.raw(), b.raw()))
}

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// The mean of `(self − target)²` over all elements.
    ///
    /// # Panics
    /// If run-time dimensions differ.
    #[derivative(
        active target;
        pull |ct, x, target, d, d_target| {
            let Some(ct) = ct.raw() else { return };
            if !M0::ON && !M1::ON {
                return;
            }
            // The error is computed again: saving it would keep a tensor of the size of `x` alive.
            let ct = Raw::binary(
                BinaryOp::Mul,
                x.error(target),
                ct.clone().binary_scalar(BinaryOp::Mul, x.slope()),
            );
            if M1::ON {
                d_target.acc(
                    Tensor::new(
                        x.shape(),
                        ct.clone().binary_scalar(BinaryOp::Mul, T::lit(-1.0)),
                    )
                        .into(),
                );
            }
            if M0::ON {
                d.acc(Tensor::new(x.shape(), ct).into());
            }
        };
        push {
            let dt = Raw::binary_ref(BinaryOp::Sub, t.raw(), t_target.raw());
            let sum = Raw::binary(BinaryOp::Mul, self.error(target), dt).reduce_all(ReduceOp::Sum);
            Tensor::new((), sum.binary_scalar(BinaryOp::Mul, self.slope()))
        };
    )]
    #[track_caller]
    pub fn mse_loss(&self, target: &Self) -> Tensor<(), T, D> {
        let e = self.error(target);
        Tensor::new(
            (),
            Raw::binary_ref(BinaryOp::Mul, &e, &e).reduce_all(ReduceOp::Mean),
        )
    }

    #[track_caller]
    fn error(&self, target: &Self) -> Raw<T, D> {
        difference(self, target).or_panic("mse_loss")
    }

    /// `2/n`: the derivative of a mean of squares by one element's error.
    #[track_caller]
    fn slope(&self) -> T {
        T::lit(2.0 / self.len() as f64)
    }
}
