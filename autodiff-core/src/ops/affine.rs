//! The affine map `x·W + b` of a layer, over the last axis, as one operation: the bias is written
//! first and the product is added to it, without a temporary.
//!
//! Pullback of `c`: `c·Wᵀ` for `x`, `xᵀ·c` for `W`, the sum of the rows of `c` for `b`; the leading
//! axes of `x` count as rows.

use super::matmul::{add_product, rows};
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, Float};
use crate::shape::{Affine, Shape, Sz};
use crate::tensor::{Raw, Tensor};

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// `x·weight + bias`, along the last axis of `x`.
    #[track_caller]
    pub fn affine<const I: usize, const O: usize>(
        &self,
        weight: &Tensor<(Sz<I>, Sz<O>), T, D>,
        bias: &Tensor<(Sz<O>,), T, D>,
    ) -> Tensor<<S as Affine<I, O>>::Out, T, D>
    where
        S: Affine<I, O>,
    {
        let x = rows(self.raw());
        let mut out = bias.raw().expand([x.dims()[0], O]).copied();
        Raw::matmul_into(&x, weight.raw(), &mut out);
        let shape = self.shape().affine();
        Tensor::new(shape, out.into_reshaped(shape.dims()))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __affine_vjp<M0: Mode, M1: Mode, M2: Mode, const I: usize, const O: usize>(
        &self,
        _: (M0, M1, M2),
        weight: &Tensor<(Sz<I>, Sz<O>), T, D>,
        bias: &Tensor<(Sz<O>,), T, D>,
    ) -> (
        Tensor<<S as Affine<I, O>>::Out, T, D>,
        impl FnOnce(
            Ct<Tensor<<S as Affine<I, O>>::Out, T, D>>,
            &Self,
            &Tensor<(Sz<I>, Sz<O>), T, D>,
            &Tensor<(Sz<O>,), T, D>,
            &mut Adj<Self, M0>,
            &mut Adj<Tensor<(Sz<I>, Sz<O>), T, D>, M1>,
            &mut Adj<Tensor<(Sz<O>,), T, D>, M2>,
        ) + Clone
        + use<M0, M1, M2, I, O, S, T, D>,
    )
    where
        S: Affine<I, O>,
    {
        (
            self.affine(weight, bias),
            move |ct, x, w, b, d_x, d_w, d_b| {
                let Some(ct) = ct.raw() else { return };
                let ct = rows(ct);
                if M0::ON {
                    let dims = *rows(x.raw()).dims();
                    add_product::<M0, _, _, _>(d_x, x, &ct, &w.raw().transpose(0, 1), &dims);
                }
                if M1::ON {
                    let turned = rows(x.raw()).transpose(0, 1);
                    add_product::<M1, _, _, _>(d_w, w, &turned, &ct, &w.dims());
                }
                if M2::ON {
                    d_b.acc(Tensor::new(b.shape(), ct.sum_to(&b.dims())).into());
                }
            },
        )
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __affine_jvp<const I: usize, const O: usize>(
        &self,
        t_self: &Self,
        weight: &Tensor<(Sz<I>, Sz<O>), T, D>,
        t_weight: &Tensor<(Sz<I>, Sz<O>), T, D>,
        bias: &Tensor<(Sz<O>,), T, D>,
        t_bias: &Tensor<(Sz<O>,), T, D>,
    ) -> (
        Tensor<<S as Affine<I, O>>::Out, T, D>,
        Tensor<<S as Affine<I, O>>::Out, T, D>,
    )
    where
        S: Affine<I, O>,
    {
        let mut tangent = rows(self.affine(t_weight, t_bias).raw());
        Raw::matmul_into(&rows(t_self.raw()), weight.raw(), &mut tangent);
        let shape = self.shape().affine();
        let tangent = Tensor::new(shape, tangent.into_reshaped(shape.dims()));
        (self.affine(weight, bias), tangent)
    }
}
