//! `+ - * /` element by element, in every mix of values, references and scalars.
//!
//! Shapes are aligned at their last dimension, and one may lack leading dimensions of the other.
//! Then its cotangent is summed over them. Operands by value lend their buffer to the result.

mod angle;
mod extremum;
mod left;
mod lerp;
mod rule;
mod scalar_rule;

pub use left::{AnyLeft, Left, RightOf};

use crate::ad::{Dual, Half, Mixed, Scalar};
use crate::device::{Backend, BinaryOp, Float, FloatElem, UnaryOp};
use crate::ops::OrPanic;
use crate::shape::{Broadcast, Paired, Shape, ShapeError, check_same};
use crate::tensor::{Raw, Tensor};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// The checked operation: the types agree, the run-time sizes are compared here.
#[track_caller]
fn zip<S, R, T: Float, D: Backend>(
    op: BinaryOp,
    a: Tensor<S, T, D>,
    b: Tensor<R, T, D>,
) -> Result<Tensor<<S as Broadcast<R>>::Joint, T, D>, ShapeError>
where
    S: Shape + Broadcast<R>,
    R: Shape,
{
    check_same(a.shape(), b.shape())?;
    let shape = a.shape().joint(b.shape());
    Ok(Tensor::new(
        shape,
        Raw::binary(op, a.into_raw(), b.into_raw()),
    ))
}

macro_rules! operators {
    ($($Op:ident $op:ident $Assign:ident $assign:ident $try:ident $sign:literal;)*) => { $(
        operators!(@ $Op $op $sign, Tensor<S, T, D>, Tensor<R, T, D>, |a, b| (a, b));
        operators!(@ $Op $op $sign, Tensor<S, T, D>, &Tensor<R, T, D>, |a, b| (a, b.clone()));
        operators!(@ $Op $op $sign, &Tensor<S, T, D>, Tensor<R, T, D>, |a, b| (a.clone(), b));
        operators!(@ $Op $op $sign, &Tensor<S, T, D>, &Tensor<R, T, D>, |a, b| (a.clone(), b.clone()));

        impl<S: Shape, T: Float, D: Backend> $Op<T> for Tensor<S, T, D> {
            type Output = Tensor<S, T, D>;
            fn $op(self, b: T) -> Self::Output {
                let shape = self.shape();
                Tensor::new(shape, self.into_raw().binary_scalar(BinaryOp::$Op, b))
            }
        }
        impl<S: Shape, T: Float, D: Backend> $Op<T> for &Tensor<S, T, D> {
            type Output = Tensor<S, T, D>;
            #[track_caller]
            fn $op(self, b: T) -> Self::Output {
                self.clone().$op(b)
            }
        }
        operators!(@left $Op $op [] f32);
        operators!(@left $Op $op [] f64);
        operators!(@left $Op $op [H: Half,] Mixed<H>);
        operators!(@left $Op $op [N: Scalar + FloatElem, const K: usize,] Dual<N, K>);

        impl<S: Shape + Broadcast<R, Joint = S>, R: Shape, T: Float, D: Backend> $Assign<Tensor<R, T, D>> for Tensor<S, T, D>
        where
            <S as Broadcast<R>>::Pairs: Paired<S, R>,
        {
            #[track_caller]
            fn $assign(&mut self, b: Tensor<R, T, D>) {
                self.$assign(&b)
            }
        }
        impl<S: Shape + Broadcast<R, Joint = S>, R: Shape, T: Float, D: Backend> $Assign<&Tensor<R, T, D>> for Tensor<S, T, D>
        where
            <S as Broadcast<R>>::Pairs: Paired<S, R>,
        {
            #[track_caller]
            fn $assign(&mut self, b: &Tensor<R, T, D>) {
                check_same(self.shape(), b.shape()).or_panic(concat!($sign, "="));
                let a = self.take_raw();
                *self.raw_mut() = Raw::binary(BinaryOp::$Op, a, b.raw().clone());
            }
        }
        impl<S: Shape, T: Float, D: Backend> $Assign<T> for Tensor<S, T, D> {
            fn $assign(&mut self, b: T) {
                let a = self.take_raw();
                *self.raw_mut() = a.binary_scalar(BinaryOp::$Op, b);
            }
        }

        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            #[doc = concat!("`self ", $sign, " other`, with an error where run-time sizes differ.")]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $try<R: Shape>(
                &self,
                other: &Tensor<R, T, D>,
            ) -> Result<Tensor<<S as Broadcast<R>>::Joint, T, D>, ShapeError>
            where
                S: Broadcast<R>,
                <S as Broadcast<R>>::Pairs: Paired<S, R>,
            {
                zip(BinaryOp::$Op, self.clone(), other.clone())
            }
        }
    )* };
    (@ $Op:ident $op:ident $sign:literal, $A:ty, $B:ty, |$a:ident, $b:ident| $owned:expr) => {
        impl<S: Shape + Broadcast<R>, R: Shape, T: Float, D: Backend> $Op<$B> for $A
        where
            <S as Broadcast<R>>::Pairs: Paired<S, R>,
        {
            type Output = Tensor<<S as Broadcast<R>>::Joint, T, D>;
            #[track_caller]
            fn $op(self, b: $B) -> Self::Output {
                let ($a, $b) = (self, b);
                let (a, b) = $owned;
                zip(BinaryOp::$Op, a, b).or_panic($sign)
            }
        }
    };
    (@left $Op:ident $op:ident [$($n:tt)*] $t:ty) => {
        impl<S: Shape, $($n)* D: Backend> $Op<Tensor<S, $t, D>> for $t {
            type Output = Tensor<S, $t, D>;
            fn $op(self, b: Tensor<S, $t, D>) -> Self::Output {
                let shape = b.shape();
                Tensor::new(shape, Raw::scalar_binary(BinaryOp::$Op, self, b.into_raw()))
            }
        }
        impl<S: Shape, $($n)* D: Backend> $Op<&Tensor<S, $t, D>> for $t {
            type Output = Tensor<S, $t, D>;
            #[track_caller]
            fn $op(self, b: &Tensor<S, $t, D>) -> Self::Output {
                self.$op(b.clone())
            }
        }
    };
}
operators! {
    Add add AddAssign add_assign try_add "+";
    Sub sub SubAssign sub_assign try_sub "-";
    Mul mul MulAssign mul_assign try_mul "*";
    Div div DivAssign div_assign try_div "/";
}

impl<S: Shape, T: Float, D: Backend> Neg for Tensor<S, T, D> {
    type Output = Self;
    #[track_caller]
    fn neg(self) -> Self {
        let shape = self.shape();
        Tensor::new(shape, self.into_raw().unary(UnaryOp::Neg))
    }
}

impl<S: Shape, T: Float, D: Backend> Neg for &Tensor<S, T, D> {
    type Output = Tensor<S, T, D>;
    #[track_caller]
    fn neg(self) -> Tensor<S, T, D> {
        -self.clone()
    }
}
