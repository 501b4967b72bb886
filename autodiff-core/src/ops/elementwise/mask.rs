//! Masks, tensors of `bool`: comparisons, choosing by a mask, logic, and counting.
//!
//! A mask has no derivative. What is chosen by one has: with a mask `m`,
//!
//! | operation | value | pullback |
//! |---|---|---|
//! | `m.select(a, b)` | `a` where `m`, else `b` | `m ⊙ ct` to `a`, the rest to `b`, each summed to its shape |
//! | `x.masked_fill(m, v)` | `v` where `m`, else `x` | the rest to `x`; the sum of `m ⊙ ct` to `v` |
//!
//! What is not chosen gets the cotangent 0 even where it is infinite or NaN. Shapes are paired as by
//! `+`: aligned at the last dimension, one may lack leading dimensions of the other.

use crate::ad::Acc;
use crate::device::{Backend, CompareOp, Elem, Float, Operand, UnaryOp};
use crate::ops::OrPanic;
use crate::shape::{Axis, Broadcast, Paired, Shape, check_same};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

/// What a tensor of shape `S` can be compared with: a number, or a tensor by reference.
#[diagnostic::on_unimplemented(
    message = "cannot compare a tensor of `{T}` with `{Self}`",
    note = "compare with a number or, by reference, with a tensor: `x.gt(0.0)`, `x.gt(&y)`"
)]
pub trait Comparand<S, T: Elem, D: Backend> {
    /// The shape of the mask.
    type Joint: Shape;
    /// The mask.
    #[doc(hidden)]
    #[track_caller]
    fn compare(
        self,
        name: &str,
        op: CompareOp,
        x: &Tensor<S, T, D>,
    ) -> Tensor<Self::Joint, bool, D>;
}

impl<S: Shape, T: Elem, D: Backend> Comparand<S, T, D> for T {
    type Joint = S;
    #[track_caller]
    fn compare(self, _: &str, op: CompareOp, x: &Tensor<S, T, D>) -> Tensor<S, bool, D> {
        let value = Raw::scalar(x.device(), self);
        Tensor::new(x.shape(), Raw::compare(op, x.raw(), &value))
    }
}

impl<S, R: Shape, T: Elem, D: Backend> Comparand<S, T, D> for &Tensor<R, T, D>
where
    S: Shape + Broadcast<R>,
    <S as Broadcast<R>>::Pairs: Paired<S, R>,
{
    type Joint = <S as Broadcast<R>>::Joint;
    #[track_caller]
    fn compare(
        self,
        name: &str,
        op: CompareOp,
        x: &Tensor<S, T, D>,
    ) -> Tensor<Self::Joint, bool, D> {
        let shape = joint(name, x.shape(), self.shape());
        Tensor::new(shape, Raw::compare(op, x.raw(), self.raw()))
    }
}

/// The longer of two shapes, whose run-time sizes must agree.
#[track_caller]
fn joint<S: Shape + Broadcast<R>, R: Shape>(name: &str, a: S, b: R) -> <S as Broadcast<R>>::Joint {
    check_same(a, b).or_panic(name);
    a.joint(b)
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $Op:ident;)*) => {
        impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> { $(
            $(#[$doc])*
            ///
            /// # Panics
            /// If run-time dimensions of one name have different sizes.
            #[track_caller]
            pub fn $name<Y: Comparand<S, T, D>>(&self, other: Y) -> Tensor<Y::Joint, bool, D> {
                other.compare(stringify!($name), CompareOp::$Op, self)
            }
        )* }
    };
}
comparisons! {
    /// Where an element is greater than a number or another tensor's element: `x.gt(0.0)`,
    /// `x.gt(&y)`. False for NaN, as are the other comparisons except [`ne`](Tensor::ne).
    gt Gt;
    /// Where an element is greater or equal.
    ge Ge;
    /// Where an element is less.
    lt Lt;
    /// Where an element is less or equal.
    le Le;
    /// Where an element is equal. Unlike `==`, which asks about whole tensors.
    eq Eq;
    /// Where an element is not equal; true for NaN.
    ne Ne;
}

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// Where an element is NaN.
    #[track_caller]
    pub fn is_nan(&self) -> Tensor<S, bool, D> {
        Tensor::new(
            self.shape(),
            Raw::compare(CompareOp::Ne, self.raw(), self.raw()),
        )
    }

    /// Where an element is neither infinite nor NaN.
    #[track_caller]
    pub fn is_finite(&self) -> Tensor<S, bool, D> {
        self.size_is(CompareOp::Lt)
    }

    /// Where an element is `∞` or `-∞`.
    #[track_caller]
    pub fn is_infinite(&self) -> Tensor<S, bool, D> {
        self.size_is(CompareOp::Eq)
    }

    /// Compares absolute values with infinity.
    #[track_caller]
    fn size_is(&self, op: CompareOp) -> Tensor<S, bool, D> {
        let size = self.raw().clone().unary(UnaryOp::Abs);
        let infinity = Raw::scalar(self.device(), T::INFINITY);
        Tensor::new(self.shape(), Raw::compare(op, &size, &infinity))
    }
}

macro_rules! logic {
    ($($(#[$doc:meta])* $name:ident |$a:ident, $b:ident| $raw:expr;)*) => {
        impl<S: Shape, D: Backend> Tensor<S, bool, D> { $(
            $(#[$doc])*
            ///
            /// # Panics
            /// If run-time dimensions of one name have different sizes.
            #[track_caller]
            pub fn $name<R: Shape>(&self, other: &Tensor<R, bool, D>) -> Tensor<<S as Broadcast<R>>::Joint, bool, D>
            where
                S: Broadcast<R>,
                <S as Broadcast<R>>::Pairs: Paired<S, R>,
            {
                let shape = joint(stringify!($name), self.shape(), other.shape());
                let ($a, $b) = (self.raw(), other.raw());
                Tensor::new(shape, $raw)
            }
        )* }
    };
}
logic! {
    /// Where both are true.
    logical_and |a, b| a.and(b);
    /// Where one or both are true.
    logical_or |a, b| a.or(b);
    /// Where exactly one is true.
    logical_xor |a, b| Raw::compare(CompareOp::Ne, a, b);
}

impl<S: Shape, D: Backend> Tensor<S, bool, D> {
    /// Where this is false.
    #[track_caller]
    pub fn logical_not(&self) -> Self {
        Tensor::new(self.shape(), self.raw().not())
    }

    /// The number of `true`.
    #[track_caller]
    pub fn count(&self) -> Tensor<(), i64, D> {
        Tensor::new((), self.raw().count_all())
    }

    /// The number of `true` along axis `I`.
    #[track_caller]
    pub fn count_axis<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Without, i64, D>
    where
        S: Axis<I>,
    {
        let count = self.raw().count_axis(<S as Axis<I>>::INDEX);
        Tensor::new(self.shape().without(), count)
    }

    /// Whether an element is true.
    #[track_caller]
    pub fn any(&self) -> Tensor<(), bool, D> {
        Tensor::new((), self.raw().count_all().equals(CompareOp::Ne, 0))
    }

    /// Whether an element along axis `I` is true.
    #[track_caller]
    pub fn any_axis<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Without, bool, D>
    where
        S: Axis<I>,
    {
        let count = self.raw().count_axis(<S as Axis<I>>::INDEX);
        Tensor::new(self.shape().without(), count.equals(CompareOp::Ne, 0))
    }

    /// Whether every element is true, also if there are none.
    #[track_caller]
    pub fn all(&self) -> Tensor<(), bool, D> {
        Tensor::new((), self.raw().count_all().equals(CompareOp::Eq, self.len()))
    }

    /// Whether every element along axis `I` is true, also if there are none.
    #[track_caller]
    pub fn all_axis<const I: isize>(&self) -> Tensor<<S as Axis<I>>::Without, bool, D>
    where
        S: Axis<I>,
    {
        let axis = <S as Axis<I>>::INDEX;
        let count = self.raw().count_axis(axis);
        Tensor::new(
            self.shape().without(),
            count.equals(CompareOp::Eq, self.dims()[axis]),
        )
    }
}

/// The shape that `select` gives a mask of shape `S` and values of shapes `A` and `B`.
type Chosen<S, A, B> = <S as Broadcast<<A as Broadcast<B>>::Joint>>::Joint;

#[rule]
impl<S: Shape, D: Backend> Tensor<S, bool, D> {
    /// At each position the element of `a` where the mask is true, else that of `b`:
    /// `x.gt(0.0).select(&x, &y)`.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let x: Tensor![f64; 3] = tensor([-1.0, 2.0, -3.0]);
    /// assert_eq!(x.lt(0.0).select(&-&x, &x), tensor([1.0, 2.0, 3.0]));
    /// ```
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[derivative(
        where T: Float;
        active a, b;
        pull |ct, mask, a, b, _, d_a, d_b| {
            let Some(ct) = ct.raw() else { return };
            let (to_a, to_b) = (a.dims(), b.dims());
            let [ct_a, ct_b] =
            ct.sides(mask.raw(), M1::ON.then_some(&to_a), M2::ON.then_some(&to_b));
            if let Some(ct) = ct_a {
                d_a.acc(Tensor::new(a.shape(), ct).into());
            }
            if let Some(ct) = ct_b {
                d_b.acc(Tensor::new(b.shape(), ct).into());
            }
        };
        push self.select(t_a, t_b);
    )]
    #[track_caller]
    pub fn select<T: Elem, A, B: Shape>(
        &self,
        a: &Tensor<A, T, D>,
        b: &Tensor<B, T, D>,
    ) -> Tensor<Chosen<S, A, B>, T, D>
    where
        A: Shape + Broadcast<B>,
        <A as Broadcast<B>>::Pairs: Paired<A, B>,
        S: Broadcast<<A as Broadcast<B>>::Joint>,
        <S as Broadcast<<A as Broadcast<B>>::Joint>>::Pairs: Paired<S, <A as Broadcast<B>>::Joint>,
    {
        let values = joint("select", a.shape(), b.shape());
        let shape = joint("select", self.shape(), values);
        Tensor::new(shape, Raw::select(self.raw(), a.raw(), b.raw()))
    }
}

#[rule]
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// `value` where the mask is true, else the element.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[derivative(
        where T: Float;
        active value;
        pull |ct, x, mask, d, _, d_value| {
            let Some(ct) = ct.raw() else { return };
            let to_x = x.dims();
            let [filled, kept] = ct.sides(
                mask.raw(),
                M2::ON.then_some(ct.dims()),
                M0::ON.then_some(&to_x),
            );
            if let Some(ct) = filled {
                d_value.acc(ct.cotangent_of_number());
            }
            if let Some(ct) = kept {
                d.acc(Tensor::new(x.shape(), ct).into());
            }
        };
        push t.masked_fill(mask, t_value);
    )]
    #[track_caller]
    pub fn masked_fill<R: Shape>(
        &self,
        mask: &Tensor<R, bool, D>,
        value: T,
    ) -> Tensor<<S as Broadcast<R>>::Joint, T, D>
    where
        S: Broadcast<R>,
        <S as Broadcast<R>>::Pairs: Paired<S, R>,
    {
        let shape = joint("masked_fill", self.shape(), mask.shape());
        let mut out = Raw::unspecified(self.device(), shape.dims());
        let (value, x) = (Operand::Scalar(value), self.raw().operand());
        self.device()
            .select(mask.raw().view(), value, x, out.view_mut());
        Tensor::new(shape, out)
    }
}
