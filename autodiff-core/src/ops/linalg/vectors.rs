//! `cross`: with `y = a × b`, the pullback of `c` is `b × c` for `a` and `c × a` for `b`.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, BinaryOp, Factorize};
use crate::ops::OrPanic;
use crate::shape::{Last, Sz, check_same};
use crate::tensor::{Raw, Tensor};

#[track_caller]
fn cross<T: Factorize, D: Backend>(a: &Raw<T, D>, b: &Raw<T, D>) -> Raw<T, D> {
    let axis = a.dims().rank() - 1;
    let part = |x: &Raw<T, D>, i: usize| x.slice(axis, i % 3, 1);
    let times = |i: usize, j: usize| Raw::binary(BinaryOp::Mul, part(a, i), part(b, j));
    let parts =
        [0, 1, 2].map(|i| Raw::binary(BinaryOp::Sub, times(i + 1, i + 2), times(i + 2, i + 1)));
    Raw::concat(axis, &parts.each_ref())
}

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
    #[track_caller]
    pub fn cross(&self, other: &Self) -> Self {
        check_same(self.shape(), other.shape()).or_panic("cross");
        Tensor::new(self.shape(), cross(self.raw(), other.raw()))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __cross_vjp<M0: Mode, M1: Mode>(
        &self,
        _: (M0, M1),
        other: &Self,
    ) -> (
        Self,
        impl FnOnce(Ct<Self>, &Self, &Self, &mut Adj<Self, M0>, &mut Adj<Self, M1>)
        + Clone
        + use<M0, M1, S, T, D>,
    ) {
        (self.cross(other), |ct, a, b, d_a, d_b| {
            let Some(ct) = ct.raw() else { return };
            if M0::ON {
                d_a.acc(Tensor::new(a.shape(), cross(b.raw(), ct)).into());
            }
            if M1::ON {
                d_b.acc(Tensor::new(b.shape(), cross(ct, a.raw())).into());
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __cross_jvp(&self, t: &Self, other: &Self, t_other: &Self) -> (Self, Self) {
        let mut tangent = t.cross(other);
        tangent.raw_mut().add_assign(self.cross(t_other).raw());
        (self.cross(other), tangent)
    }
}
