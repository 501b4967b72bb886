//! `softmax` and `log_softmax` along any axis.
//!
//! With `y = softmax(x)`, `dy = y ⊙ (dx − Σ y ⊙ dx)`: the Jacobian is symmetric, so pullback and
//! pushforward are one kernel. With `z = log_softmax(x)`, `dz = dx − Σ exp(z) ⊙ dx` and the
//! pullback of `c` is `c − exp(z) Σ c`. Both need the output only.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, BinaryOp, Float, ReduceOp, SoftmaxOp, UnaryOp};
use crate::shape::{Axis, Shape};
use crate::tensor::{Raw, Tensor};

#[track_caller]
fn pushforward<T: Float, D: Backend>(
    op: SoftmaxOp,
    axis: usize,
    y: &Raw<T, D>,
    t: &Raw<T, D>,
) -> Raw<T, D> {
    match op {
        SoftmaxOp::Softmax => Raw::softmax_pullback(op, axis, y, t),
        SoftmaxOp::LogSoftmax => {
            let weighted = Raw::binary(BinaryOp::Mul, y.clone().unary(UnaryOp::Exp), t.clone());
            let mean = weighted.reduce_keepdim(ReduceOp::Sum, &[axis]);
            Raw::binary_ref(BinaryOp::Sub, t, &mean.expand(*t.dims()))
        }
    }
}

macro_rules! softmax {
    ($($(#[$doc:meta])* $name:ident, $vjp:ident, $jvp:ident: $Op:ident;)*) => { $(
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name<const I: isize>(&self) -> Self
            where
                S: Axis<I>,
            {
                Tensor::new(self.shape(), self.raw().softmax(SoftmaxOp::$Op, <S as Axis<I>>::INDEX))
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn $vjp<M: Mode, const I: isize>(
                &self,
                _: (M,),
            ) -> (Self, impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M>) + Clone + use<M, S, T, D, I>)
            where
                S: Axis<I>,
            {
                let y = self.$name::<I>();
                let saved = M::ON.then(|| y.raw().clone());
                (y, move |ct, x, d| {
                    if let (Some(y), Some(ct)) = (&saved, ct.raw()) {
                        let ct = Raw::softmax_pullback(SoftmaxOp::$Op, <S as Axis<I>>::INDEX, y, ct);
                        d.acc(Tensor::new(x.shape(), ct).into());
                    }
                })
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn $jvp<const I: isize>(&self, t: &Self) -> (Self, Self)
            where
                S: Axis<I>,
            {
                let y = self.$name::<I>();
                let t = pushforward(SoftmaxOp::$Op, <S as Axis<I>>::INDEX, y.raw(), t.raw());
                (y, Tensor::new(self.shape(), t))
            }
        }
    )* };
}
softmax! {
    /// `exp(x) / Σ exp(x)` along axis `I`: `x.softmax::<-1>()`.
    softmax, __softmax_vjp, __softmax_jvp: Softmax;
    /// `x − ln Σ exp(x)` along axis `I`.
    log_softmax, __log_softmax_vjp, __log_softmax_jvp: LogSoftmax;
}
