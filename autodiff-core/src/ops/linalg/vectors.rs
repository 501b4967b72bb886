//! `cross`: with `y = a × b`, the pullback of `c` is `b × c` for `a` and `c × a` for `b`.

use crate::ad::Acc;
use crate::device::{Backend, BinaryOp, Factorize};
use crate::ops::OrPanic;
use crate::shape::{Last, Sz, check_same};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

#[track_caller]
fn cross<T: Factorize, D: Backend>(a: &Raw<T, D>, b: &Raw<T, D>) -> Raw<T, D> {
    let axis = a.dims().rank() - 1;
    let part = |x: &Raw<T, D>, i: usize| x.slice(axis, i % 3, 1);
    let times = |i: usize, j: usize| Raw::binary(BinaryOp::Mul, part(a, i), part(b, j));
    let parts =
        [0, 1, 2].map(|i| Raw::binary(BinaryOp::Sub, times(i + 1, i + 2), times(i + 2, i + 1)));
    Raw::concat(axis, &parts.each_ref())
}

#[rule]
impl<S: Last<Dim = Sz<3>>, T: Factorize, D: Backend> Tensor<S, T, D> {
    /// The vector products of vectors of three entries, along the last axis.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let x: Tensor![f64; 3] = tensor([1.0, 0.0, 0.0]);
    /// let y: Tensor![f64; 3] = tensor([0.0, 1.0, 0.0]);
    /// assert_eq!(x.cross(&y), tensor([0.0, 0.0, 1.0]));
    /// ```
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[derivative(
        active other;
        pull |ct, a, b, d_a, d_b| {
            let Some(ct) = ct.raw() else { return };
            if M0::ON {
                d_a.acc(Tensor::new(a.shape(), cross(b.raw(), ct)).into());
            }
            if M1::ON {
                d_b.acc(Tensor::new(b.shape(), cross(ct, a.raw())).into());
            }
        };
        push {
            let mut tangent = t.cross(other);
            tangent.raw_mut().add_assign(self.cross(t_other).raw());
            tangent
        };
    )]
    #[track_caller]
    pub fn cross(&self, other: &Self) -> Self {
        check_same(self.shape(), other.shape()).or_panic("cross");
        Tensor::new(self.shape(), cross(self.raw(), other.raw()))
    }
}
