//! Operators of the user's own types.
//!
//! An annotated `impl Mul<f64> for Vec3` implements [`Binary`], whose pullback may read both operands,
//! so these are kept. The rules of numbers and tensors read less and keep nothing of their own. Which
//! of the two an operation is, generated code finds out by method lookup: an inherent method of
//! [`Operands`] exists for the first kind only and comes before the method of a trait.

mod assign;
mod binary;
mod methods;
mod neg;

use super::{Ct, Differentiable};
pub use assign::{RuledAddAssign, RuledSubAssign};
pub use binary::{RuledAdd, RuledDiv, RuledMul, RuledSub};
pub use methods::{
    Picked, RuledAbs, RuledCos, RuledCosh, RuledExp, RuledFract, RuledLn, RuledMax, RuledMin,
    RuledRecip, RuledSin, RuledSinh, RuledSqrt, RuledTan, RuledTanh,
};
pub use neg::RuledNeg;

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
