//! Losses: `cross_entropy`, `mse_loss`.

use crate::ad::Acc;
use crate::device::{Backend, BinaryOp, Float, Index, ReduceOp};
use crate::ops::OrPanic;
use crate::shape::{Classes, Shape, ShapeError, TargetsOf, check_same};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// The mean of `−log softmax(row)[target]` over the rows of logits `[.., C]`. Targets `[..]` are numbers of classes.
    ///
    /// The mean of no rows is NaN. [`cross_entropy_with`](Tensor::cross_entropy_with) leaves out rows, weights classes, or
    /// smooths labels.
    ///
    /// # Panics
    /// If a target is not below `C`, or run-time dimensions differ.
    #[derivative(
        let (loss, lse) = self.loss_and_lse(targets);
        let saved = M0::ON.then_some(lse);
        value Tensor::new((), loss);
        pull |ct, x, targets, d, _| {
            if let (Some(lse), Some(ct)) = (&saved, ct.raw()) {
                let rows = rows_of(x.raw());
                let ct = rows.cross_entropy_pullback(&flat(targets.raw()), lse, ct);
                d.acc(Tensor::new(x.shape(), ct.into_reshaped(x.dims())).into());
            }
        };
        both {
            // The derivative is the gradient times the tangent: the value is a scalar.
            let (loss, lse) = self.loss_and_lse(targets);
            let one = Raw::scalar(self.device(), T::ONE);
            let rows = rows_of(self.raw());
            let gradient = rows.cross_entropy_pullback(&flat(targets.raw()), &lse, &one);
            let tangent =
            Raw::binary(BinaryOp::Mul, gradient, rows_of(t.raw())).reduce_all(ReduceOp::Sum);
            (Tensor::new((), loss), Tensor::new((), tangent))
        };
    )]
    #[track_caller]
    pub fn cross_entropy<X: Index, R: Shape>(&self, targets: &Tensor<R, X, D>) -> Tensor<(), T, D>
    where
        S: Classes,
        <S as Classes>::Targets: TargetsOf<R, S>,
    {
        Tensor::new((), self.loss_and_lse(targets).0)
    }

    /// The loss, and the `ln Σ exp` of each row, which the pullback needs.
    #[track_caller]
    fn loss_and_lse<X: Index, R: Shape>(&self, targets: &Tensor<R, X, D>) -> (Raw<T, D>, Raw<T, D>)
    where
        S: Classes,
    {
        check_same(self.shape().targets(), targets.shape()).or_panic("cross_entropy");
        rows_of(self.raw())
            .cross_entropy(&flat(targets.raw()))
            .or_panic("cross_entropy")
    }
}

/// The scores as a matrix: rows × classes.
#[track_caller]
pub(super) fn rows_of<T: Float, D: Backend>(x: &Raw<T, D>) -> Raw<T, D> {
    let (classes, before) = x
        .dims()
        .split_last()
        .expect("scores have an axis of classes");
    match before.len() {
        1 => x.clone(),
        _ => x.reshape([before.iter().product(), *classes]),
    }
}

/// The targets as a vector.
#[track_caller]
pub(super) fn flat<X: Index, D: Backend>(targets: &Raw<X, D>) -> Raw<X, D> {
    targets.reshape([targets.numel()])
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
