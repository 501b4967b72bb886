//! The operators of masks: `& | ^ !`, in every mix of values and references. As
//! [`logical_and`](Tensor::logical_and) and its like, which they are.

use crate::device::Backend;
use crate::shape::{Broadcast, Paired, Shape};
use crate::tensor::Tensor;
use core::ops::{BitAnd, BitOr, BitXor, Not};

macro_rules! operators {
    ($($Op:ident $op:ident $method:ident;)*) => { $(
        operators!(@ $Op $op $method, Tensor<S, bool, D>, Tensor<R, bool, D>);
        operators!(@ $Op $op $method, Tensor<S, bool, D>, &Tensor<R, bool, D>);
        operators!(@ $Op $op $method, &Tensor<S, bool, D>, Tensor<R, bool, D>);
        operators!(@ $Op $op $method, &Tensor<S, bool, D>, &Tensor<R, bool, D>);
    )* };
    (@ $Op:ident $op:ident $method:ident, $A:ty, $B:ty) => {
        impl<S: Shape + Broadcast<R>, R: Shape, D: Backend> $Op<$B> for $A
        where
            <S as Broadcast<R>>::Pairs: Paired<S, R>,
        {
            type Output = Tensor<<S as Broadcast<R>>::Joint, bool, D>;
            fn $op(self, b: $B) -> Self::Output {
                #[allow(clippy::needless_borrow)] // one of the operands may be a reference
                self.$method(&b)
            }
        }
    };
}
operators! {
    BitAnd bitand logical_and;
    BitOr bitor logical_or;
    BitXor bitxor logical_xor;
}

impl<S: Shape, D: Backend> Not for Tensor<S, bool, D> {
    type Output = Self;
    #[track_caller]
    fn not(self) -> Self {
        self.logical_not()
    }
}

impl<S: Shape, D: Backend> Not for &Tensor<S, bool, D> {
    type Output = Tensor<S, bool, D>;
    #[track_caller]
    fn not(self) -> Tensor<S, bool, D> {
        self.logical_not()
    }
}
