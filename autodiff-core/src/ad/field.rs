//! The tangent of a field, also of one that is constant.

use super::Differentiable;

/// A field and what the tangent of its struct has for it: a tangent, or `()` for a constant field.
///
/// Which of the two is decided by method lookup, where an inherent method comes before that of a
/// trait: emitted code does not know which fields are constant.
#[derive(Debug)]
pub struct FieldTangent<'a, X: ?Sized, T: ?Sized>(pub &'a X, pub &'a T);

impl<'a, X: Differentiable + ?Sized> FieldTangent<'a, X, X::Tangent> {
    /// The tangent.
    #[inline(always)]
    pub fn get(self, _: &mut Option<X::Tangent>) -> &'a X::Tangent {
        self.1
    }
}

/// The tangent of a constant field: zero.
pub trait NoTangent<'a, X: Differentiable + ?Sized> {
    /// The zero, which lives in `zero`.
    fn get(self, zero: &'a mut Option<X::Tangent>) -> &'a X::Tangent;
}

impl<'a, X: Differentiable + ?Sized> NoTangent<'a, X> for FieldTangent<'_, X, ()> {
    #[inline(always)]
    fn get(self, zero: &'a mut Option<X::Tangent>) -> &'a X::Tangent {
        zero.insert(self.0.zero_tangent())
    }
}
