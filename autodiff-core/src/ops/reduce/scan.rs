//! Running sums and products along an axis: `cumsum cumprod`.
//!
//! The pullback of `cumsum` is the running sum from the other end. That of `cumprod`, and its
//! pushforward, are right with zeros; see [`kernel::scan`](crate::kernel::scan).

use crate::ad::Acc;
use crate::device::{Backend, Float, ScanOp};
use crate::shape::{Axis, Shape};
use crate::tensor::Tensor;
use autodiff_macros::rule;

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// The sums along axis `I` up to each element: of `[1, 2, 3]`, `[1, 3, 6]`.
    #[derivative(
        pull self => ct.scan(ScanOp::SumFromEnd, <S as Axis<I>>::INDEX);
        push t.cumsum::<I>();
    )]
    #[track_caller]
    pub fn cumsum<const I: isize>(&self) -> Self
    where
        S: Axis<I>,
    {
        self.scanned::<I>(ScanOp::Sum)
    }

    /// The products along axis `I` up to each element: of `[2, 3, 4]`, `[2, 6, 24]`.
    #[derivative(
        let saved = M0::ON.then(|| out.raw().clone());
        pull |ct, x, d| {
            if let (Some(y), Some(ct)) = (&saved, ct.raw()) {
                let ct = x.raw().cumprod_pullback(<S as Axis<I>>::INDEX, y, ct);
                d.acc(Tensor::new(x.shape(), ct).into());
            }
        };
        push {
            let axis = <S as Axis<I>>::INDEX;
            let t = self.raw().cumprod_pushforward(axis, out.raw(), t.raw());
            Tensor::new(self.shape(), t)
        };
    )]
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
}
