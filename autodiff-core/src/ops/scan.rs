//! Running sums and products along an axis: `cumsum cumprod`.
//!
//! The pullback of `cumsum` is the running sum from the other end. That of `cumprod`, and its
//! pushforward, are right with zeros; see [`kernel::scan`](crate::kernel::scan).

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, Float, ScanOp};
use crate::shape::{Axis, Shape};
use crate::tensor::Tensor;

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// The sums along axis `I` up to each element: of `[1, 2, 3]`, `[1, 3, 6]`.
    #[track_caller]
    pub fn cumsum<const I: isize>(&self) -> Self
    where
        S: Axis<I>,
    {
        self.scanned::<I>(ScanOp::Sum)
    }

    /// The products along axis `I` up to each element: of `[2, 3, 4]`, `[2, 6, 24]`.
    #[track_caller]
    pub fn cumprod<const I: isize>(&self) -> Self
    where
        S: Axis<I>,
    {
        self.scanned::<I>(ScanOp::Prod)
    }

    #[track_caller]
    fn scanned<const I: isize>(&self, op: ScanOp) -> Self
    where
        S: Axis<I>,
    {
        Tensor::new(self.shape(), self.raw().scan(op, <S as Axis<I>>::INDEX))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __cumsum_vjp<M: Mode, const I: isize>(
        &self,
        _: (M,),
    ) -> (
        Self,
        impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M>) + Clone + use<M, S, T, D, I>,
    )
    where
        S: Axis<I>,
    {
        (self.cumsum::<I>(), |ct, x, d| {
            if M::ON
                && let Some(ct) = ct.raw()
            {
                let ct = ct.scan(ScanOp::SumFromEnd, <S as Axis<I>>::INDEX);
                d.acc(Tensor::new(x.shape(), ct).into());
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __cumsum_jvp<const I: isize>(&self, t: &Self) -> (Self, Self)
    where
        S: Axis<I>,
    {
        (self.cumsum::<I>(), t.cumsum::<I>())
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __cumprod_vjp<M: Mode, const I: isize>(
        &self,
        _: (M,),
    ) -> (
        Self,
        impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M>) + Clone + use<M, S, T, D, I>,
    )
    where
        S: Axis<I>,
    {
        let y = self.cumprod::<I>();
        let saved = M::ON.then(|| y.raw().clone());
        (y, move |ct, x, d| {
            if let (Some(y), Some(ct)) = (&saved, ct.raw()) {
                let ct = x.raw().cumprod_pullback(<S as Axis<I>>::INDEX, y, ct);
                d.acc(Tensor::new(x.shape(), ct).into());
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __cumprod_jvp<const I: isize>(&self, t: &Self) -> (Self, Self)
    where
        S: Axis<I>,
    {
        let y = self.cumprod::<I>();
        let axis = <S as Axis<I>>::INDEX;
        let t = self.raw().cumprod_pushforward(axis, y.raw(), t.raw());
        (y, Tensor::new(self.shape(), t))
    }
}
