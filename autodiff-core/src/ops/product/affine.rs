//! The affine map `x·W + b` of a layer, over the last axis, as one operation without a
//! temporary: machines add the bias in the product, or the product to the bias.
//!
//! Pullback of `c`: `c·Wᵀ` for `x`, `xᵀ·c` for `W`, the sum of the rows of `c` for `b`; the leading
//! axes of `x` count as rows.

use crate::ad::Acc;
use crate::device::{Backend, Float};
use crate::ops::product::matmul::{add_product, rows};
use crate::shape::{Affine, Shape, Sz};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// `x·weight + bias`, along the last axis of `x`.
    #[derivative(
        active weight, bias;
        pull |ct, x, w, b, d_x, d_w, d_b| {
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
        };
        push {
            let mut tangent = rows(self.affine(t_weight, t_bias).raw());
            Raw::matmul_into(&rows(t.raw()), weight.raw(), &mut tangent);
            let shape = self.shape().affine();
            Tensor::new(shape, tangent.into_reshaped(shape.dims()))
        };
    )]
    #[track_caller]
    pub fn affine<const I: usize, const O: usize>(
        &self,
        weight: &Tensor<(Sz<I>, Sz<O>), T, D>,
        bias: &Tensor<(Sz<O>,), T, D>,
    ) -> Tensor<<S as Affine<I, O>>::Out, T, D>
    where
        S: Affine<I, O>,
    {
        let out = Raw::affine(&rows(self.raw()), weight.raw(), bias.raw());
        let shape = self.shape().affine();
        Tensor::new(shape, out.into_reshaped(shape.dims()))
    }
}
