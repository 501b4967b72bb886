//! Tensors of integers, `i64`, `u32` and `u8`: `+ - * / %`, `maximum minimum`, `sum`, `max`, `min`.
//!
//! They have no derivative. Results that do not fit wrap around, as in release builds of Rust; a division
//! by zero panics. Sums are `i64`, whatever is summed. `argmax`, comparisons, indexing and what moves entries
//! are there for all types.

use crate::device::{ArgOp, Backend, Integer, IntegerOp};
use crate::ops::OrPanic;
use crate::shape::{Axis, Broadcast, Paired, Shape, check_same};
use crate::tensor::{Raw, Tensor};
use core::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// The checked operation: the types agree, the run-time sizes are compared here.
#[track_caller]
fn zip<S, R, T: Integer, D: Backend>(
    name: &str,
    op: IntegerOp,
    a: &Tensor<S, T, D>,
    b: &Tensor<R, T, D>,
) -> Tensor<<S as Broadcast<R>>::Joint, T, D>
where
    S: Shape + Broadcast<R>,
    R: Shape,
{
    check_same(a.shape(), b.shape()).or_panic(name);
    let shape = a.shape().joint(b.shape());
    Tensor::new(shape, Raw::integer(op, a.raw(), b.raw()))
}

macro_rules! operators {
    ($($t:ident)*) => { $(
        operators!(@each $t Add add "+");
        operators!(@each $t Sub sub "-");
        operators!(@each $t Mul mul "*");
        operators!(@each $t Div div "/");
        operators!(@each $t Rem rem "%");
    )* };
    (@each $t:ident $Op:ident $op:ident $sign:literal) => {
        operators!(@ $Op $op $sign $t, Tensor<S, $t, D>, Tensor<R, $t, D>);
        operators!(@ $Op $op $sign $t, Tensor<S, $t, D>, &Tensor<R, $t, D>);
        operators!(@ $Op $op $sign $t, &Tensor<S, $t, D>, Tensor<R, $t, D>);
        operators!(@ $Op $op $sign $t, &Tensor<S, $t, D>, &Tensor<R, $t, D>);

        #[diagnostic::do_not_recommend]
        impl<S: Shape, D: Backend> $Op<$t> for Tensor<S, $t, D> {
            type Output = Self;
            #[track_caller]
            fn $op(self, b: $t) -> Self {
                (&self).$op(b)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<S: Shape, D: Backend> $Op<$t> for &Tensor<S, $t, D> {
            type Output = Tensor<S, $t, D>;
            fn $op(self, b: $t) -> Self::Output {
                let b = Raw::scalar(self.device(), b);
                Tensor::new(self.shape(), Raw::integer(IntegerOp::$Op, self.raw(), &b))
            }
        }
    };
    (@ $Op:ident $op:ident $sign:literal $t:ident, $A:ty, $B:ty) => {
        #[diagnostic::do_not_recommend]
        impl<S: Shape + Broadcast<R>, R: Shape, D: Backend> $Op<$B> for $A
        where
            <S as Broadcast<R>>::Pairs: Paired<S, R>,
        {
            type Output = Tensor<<S as Broadcast<R>>::Joint, $t, D>;
            #[track_caller]
            fn $op(self, b: $B) -> Self::Output {
                #[allow(clippy::needless_borrow)] // one of the operands may be a reference
                zip($sign, IntegerOp::$Op, &self, &b)
            }
        }
    };
}
operators!(i64 u32 u8);

impl<S: Shape, D: Backend> Neg for Tensor<S, i64, D> {
    type Output = Self;
    #[track_caller]
    fn neg(self) -> Self {
        -&self
    }
}

impl<S: Shape, D: Backend> Neg for &Tensor<S, i64, D> {
    type Output = Tensor<S, i64, D>;
    #[track_caller]
    fn neg(self) -> Tensor<S, i64, D> {
        self * -1
    }
}

/// Arithmetic of tensors of integers; in the prelude. Its methods come second to those of floats, so
/// that the element of a tensor can be left open where they are called.
pub trait IntegerOps<S: Shape, T: Integer, D: Backend> {
    /// The larger of two elements at each position.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[track_caller]
    fn maximum<R: Shape>(
        &self,
        other: &Tensor<R, T, D>,
    ) -> Tensor<<S as Broadcast<R>>::Joint, T, D>
    where
        S: Broadcast<R>,
        <S as Broadcast<R>>::Pairs: Paired<S, R>;

    /// The smaller of two elements at each position.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[track_caller]
    fn minimum<R: Shape>(
        &self,
        other: &Tensor<R, T, D>,
    ) -> Tensor<<S as Broadcast<R>>::Joint, T, D>
    where
        S: Broadcast<R>,
        <S as Broadcast<R>>::Pairs: Paired<S, R>;

    /// The sum of all elements.
    #[track_caller]
    fn sum(&self) -> Tensor<(), i64, D>;

    /// The sums along axis `I`.
    #[track_caller]
    fn sum_axis<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Without, i64, D>
    where
        S: Axis<I>;

    /// The largest element.
    ///
    /// # Panics
    /// If there are no elements.
    #[track_caller]
    fn max(&self) -> Tensor<(), T, D>;

    /// The smallest element.
    ///
    /// # Panics
    /// If there are no elements.
    #[track_caller]
    fn min(&self) -> Tensor<(), T, D>;

    /// The largest elements along axis `I`.
    ///
    /// # Panics
    /// If the axis has no entries.
    #[track_caller]
    fn max_axis<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Without, T, D>
    where
        S: Axis<I>;

    /// The smallest elements along axis `I`.
    ///
    /// # Panics
    /// If the axis has no entries.
    #[track_caller]
    fn min_axis<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Without, T, D>
    where
        S: Axis<I>;
}

impl<S: Shape, T: Integer, D: Backend> IntegerOps<S, T, D> for Tensor<S, T, D> {
    #[track_caller]
    fn maximum<R: Shape>(&self, other: &Tensor<R, T, D>) -> Tensor<<S as Broadcast<R>>::Joint, T, D>
    where
        S: Broadcast<R>,
        <S as Broadcast<R>>::Pairs: Paired<S, R>,
    {
        zip("maximum", IntegerOp::Max, self, other)
    }

    #[track_caller]
    fn minimum<R: Shape>(&self, other: &Tensor<R, T, D>) -> Tensor<<S as Broadcast<R>>::Joint, T, D>
    where
        S: Broadcast<R>,
        <S as Broadcast<R>>::Pairs: Paired<S, R>,
    {
        zip("minimum", IntegerOp::Min, self, other)
    }

    #[track_caller]
    fn sum(&self) -> Tensor<(), i64, D> {
        let flat = self.raw().cast::<i64>().reshape([self.len()]);
        Tensor::new((), flat.integer_sum(0))
    }

    #[track_caller]
    fn sum_axis<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Without, i64, D>
    where
        S: Axis<I>,
    {
        let sums = self.raw().cast::<i64>().integer_sum(<S as Axis<I>>::INDEX);
        Tensor::new(self.shape().without(), sums)
    }

    #[track_caller]
    fn max(&self) -> Tensor<(), T, D> {
        Tensor::new(
            (),
            extreme(&self.raw().reshape([self.len()]), ArgOp::Max, 0),
        )
    }

    #[track_caller]
    fn min(&self) -> Tensor<(), T, D> {
        Tensor::new(
            (),
            extreme(&self.raw().reshape([self.len()]), ArgOp::Min, 0),
        )
    }

    #[track_caller]
    fn max_axis<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Without, T, D>
    where
        S: Axis<I>,
    {
        Tensor::new(
            self.shape().without(),
            extreme(self.raw(), ArgOp::Max, <S as Axis<I>>::INDEX),
        )
    }

    #[track_caller]
    fn min_axis<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Without, T, D>
    where
        S: Axis<I>,
    {
        Tensor::new(
            self.shape().without(),
            extreme(self.raw(), ArgOp::Min, <S as Axis<I>>::INDEX),
        )
    }
}

/// The extreme entries along `axis`, which is removed.
#[track_caller]
fn extreme<T: Integer, D: Backend>(x: &Raw<T, D>, op: ArgOp, axis: usize) -> Raw<T, D> {
    assert!(x.dims()[axis] > 0, "max and min need at least one element");
    let at = x.arg_reduce(op, axis).unsqueeze(axis);
    let found = x.take_along(axis, &at);
    found
        .unwrap_or_else(|e| panic!("an extreme stands inside its axis: {e}"))
        .squeeze(axis)
}
