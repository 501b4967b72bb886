//! Operators of the user's own types.
//!
//! An annotated `impl Mul<f64> for Vec3` implements [`Binary`], whose pullback may read both operands,
//! so these are kept. The rules of numbers and tensors read less and keep nothing of their own. Which
//! of the two an operation is, generated code finds out by method lookup: an inherent method of
//! [`Operands`] exists for the first kind only and comes before the method of a trait.

/// Operands of users' types, which are kept: what their operation does in both modes. The parameters in brackets are
/// those that a rule reads, which are not read here.
macro_rules! kept_operands {
    (
        $Op:ident $keep:ident $push_l:ident $push_r:ident $both_of:ident;
        $both:ident[$($other:tt)*] $left:ident[$($other_l:tt)*] $right:ident[$($other_r:tt)*]
    ) => {
        impl<A, B> Operands<'_, A, B>
        where
            A: Binary<ops::$Op, B> + Clone,
            B: Differentiable + Clone,
        {
            /// Keeps both operands.
            #[inline(always)]
            pub fn $keep(self) -> Kept<A, B> {
                Kept(self.0.clone(), self.1.clone())
            }
            /// The part of the left operand in the tangent of the result.
            #[inline(always)]
            pub fn $push_l(self, _: &A::Out, t: &A::Tangent) -> <A::Out as Differentiable>::Tangent {
                A::push(self.0, self.1, t, &self.1.zero_tangent())
            }
            /// The part of the right operand in the tangent of the result.
            #[inline(always)]
            pub fn $push_r(self, _: &A::Out, t: &B::Tangent) -> <A::Out as Differentiable>::Tangent {
                A::push(self.0, self.1, &self.0.zero_tangent(), t)
            }
        }

        impl<A: Binary<ops::$Op, B>, B: Differentiable> Kept<A, B> {
            /// Adds to the cotangents of both operands.
            #[inline(always)]
            #[allow(clippy::too_many_arguments)] // values and witnesses of both sides
            pub fn $both<D: Acc<A>, E: Acc<B>>(
                self, $($other)*, ct: Ct<A::Out>, da: &mut D, db: &mut E,
            ) {
                let (l, r) = self.$both_of(ct);
                da.acc(l);
                db.acc(r);
            }
            /// Adds to the cotangent of the left operand.
            #[inline(always)]
            pub fn $left<D: Acc<A>>(self, $($other_l)*, ct: Ct<A::Out>, d: &mut D) {
                d.acc(self.$both_of(ct).0);
            }
            /// Adds to the cotangent of the right operand.
            #[inline(always)]
            pub fn $right<D: Acc<B>>(self, $($other_r)*, ct: Ct<A::Out>, d: &mut D) {
                d.acc(self.$both_of(ct).1);
            }
            #[inline]
            fn $both_of(&self, ct: Ct<A::Out>) -> (Ct<A>, Ct<B>) {
                $crate::ad::operators::values::both::<ops::$Op, A, B>(&self.0, &self.1, ct)
            }
        }
    };
}

mod assign;
mod binary;
mod methods;
mod neg;
mod values;

use super::{Ct, Differentiable};
pub use assign::{RuledAddAssign, RuledSubAssign};
pub use binary::{RuledAdd, RuledDiv, RuledMul, RuledSub};
pub use methods::{
    Picked, RuledAbs, RuledCos, RuledCosh, RuledExp, RuledFract, RuledLn, RuledMax, RuledMin,
    RuledRecip, RuledSin, RuledSinh, RuledSqrt, RuledTan, RuledTanh,
};
pub use neg::RuledNeg;
pub use values::{RuledAddOfValues, RuledMulOfValues, RuledSubOfValues};

/// A binary operator of a user's type, by its name in [`ops`].
pub trait Binary<Op, B: Differentiable>: Differentiable + Sized {
    /// The type of the result.
    type Out: Differentiable;
    /// Adds to the cotangents of both operands.
    fn pull(a: &Self, b: &B, ct: Ct<Self::Out>, da: &mut Ct<Self>, db: &mut Ct<B>);
    /// The tangent of the result.
    fn push(
        a: &Self,
        b: &B,
        ta: &Self::Tangent,
        tb: &B::Tangent,
    ) -> <Self::Out as Differentiable>::Tangent;
}

/// `a += b` and the like of a user's type.
pub trait Assigning<Op, B: Differentiable>: Differentiable + Sized {
    /// Turns the cotangent of the new value into that of the old one; adds to that of `b`.
    fn pull(a: &Self, b: &B, da: &mut Ct<Self>, db: &mut Ct<B>);
    /// Turns the tangent of the old value into that of the new one.
    fn push(a: &Self, b: &B, ta: &mut Self::Tangent, tb: &B::Tangent);
}

/// `-a` of a user's type.
pub trait Negated: Differentiable + Sized {
    /// The type of the result.
    type Out: Differentiable;
    /// Adds to the cotangent of the operand.
    fn pull(a: &Self, ct: Ct<Self::Out>, da: &mut Ct<Self>);
    /// The tangent of the result.
    fn push(a: &Self, ta: &Self::Tangent) -> <Self::Out as Differentiable>::Tangent;
}

/// A method of a user's type without arguments that is named like one of floats, by its name in [`ops`].
pub trait Unary<Op>: Differentiable + Sized {
    /// The type of the result.
    type Out: Differentiable;
    /// Adds to the cotangent of the operand.
    fn pull(a: &Self, ct: Ct<Self::Out>, da: &mut Ct<Self>);
    /// The tangent of the result.
    fn push(a: &Self, ta: &Self::Tangent) -> <Self::Out as Differentiable>::Tangent;
}

/// The names of the operators.
pub mod ops {
    /// `a + b`, `a += b`
    #[derive(Debug)]
    pub enum Add {}
    /// `a - b`, `a -= b`
    #[derive(Debug)]
    pub enum Sub {}
    /// `a * b`
    #[derive(Debug)]
    pub enum Mul {}
    /// `a / b`
    #[derive(Debug)]
    pub enum Div {}
    /// `a.exp()`
    #[derive(Debug)]
    pub enum Exp {}
    /// `a.sqrt()`
    #[derive(Debug)]
    pub enum Sqrt {}
    /// `a.recip()`
    #[derive(Debug)]
    pub enum Recip {}
    /// `a.tan()`
    #[derive(Debug)]
    pub enum Tan {}
    /// `a.tanh()`
    #[derive(Debug)]
    pub enum Tanh {}
    /// `a.ln()`
    #[derive(Debug)]
    pub enum Ln {}
    /// `a.sin()`
    #[derive(Debug)]
    pub enum Sin {}
    /// `a.cos()`
    #[derive(Debug)]
    pub enum Cos {}
    /// `a.sinh()`
    #[derive(Debug)]
    pub enum Sinh {}
    /// `a.cosh()`
    #[derive(Debug)]
    pub enum Cosh {}
    /// `a.abs()`
    #[derive(Debug)]
    pub enum Abs {}
    /// `a.fract()`
    #[derive(Debug)]
    pub enum Fract {}
    /// `a.max(b)`
    #[derive(Debug)]
    pub enum Max {}
    /// `a.min(b)`
    #[derive(Debug)]
    pub enum Min {}
}

/// The operands of an operation.
#[derive(Debug)]
pub struct Operands<'a, A: ?Sized, B: ?Sized>(pub &'a A, pub &'a B);

/// The operand of `-a`.
#[derive(Debug)]
pub struct Operand<'a, A: ?Sized>(pub &'a A);

/// Nothing is kept: the operation has a rule that says what it reads.
#[derive(Clone, Copy, Debug)]
pub struct Ruled;

/// Both operands are kept.
#[derive(Clone, Debug)]
pub struct Kept<A, B>(A, B);

/// The operand is kept.
#[derive(Clone, Debug)]
pub struct KeptOne<A>(A);
