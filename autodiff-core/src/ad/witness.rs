//! Type witnesses: `+` saves no operand for the reverse pass, which would then not know the type
//! of the cotangent. A [`Wit`] carries the type and, for values whose size is known at run time
//! only, the size. For scalars it is zero-sized and costs nothing in a tape.

use super::entries::{self, CopyPullback, Entries};
use super::mode::Mode;
use super::traits::{Ct, Differentiable};
use core::fmt;

/// The type `T` and what a zero cotangent of the value needs.
pub struct Wit<T: Differentiable + ?Sized>(pub T::Proto);

impl<T: Differentiable + ?Sized> Wit<T> {
    /// A zero cotangent.
    #[inline(always)]
    pub fn zero(&self) -> Ct<T> {
        T::zero_ct(&self.0)
    }
}

impl<T: Differentiable + ?Sized> Clone for Wit<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Wit(self.0.clone())
    }
}

impl<T: Differentiable + ?Sized> Copy for Wit<T> where T::Proto: Copy {}

impl<T: Differentiable + ?Sized> fmt::Debug for Wit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Wit<{}>", core::any::type_name::<T>())
    }
}

/// Methods that see through references: `x.__wit()` means the same for `f64`, `&f64`, `&&f64`.
pub trait Val: Differentiable {
    /// The value itself.
    #[inline(always)]
    fn __v(&self) -> &Self {
        self
    }
    /// Its witness.
    #[inline(always)]
    fn __wit(&self) -> Wit<Self> {
        Wit(self.proto())
    }
    /// `to_vec` in reverse mode. It is here and not in a trait of its own because every type must
    /// have it at the first step of method lookup, before the fallback of methods without a rule.
    #[inline(always)]
    fn __to_vec_vjp<M: Mode>(&self, _: (M,)) -> (Vec<Self::Entry>, CopyPullback<Self::Entry, M>)
    where
        Self: Entries,
    {
        (self.entries().to_vec(), entries::pullback::<Self::Entry, M>)
    }
    /// `to_vec` in forward mode.
    #[inline(always)]
    fn __to_vec_jvp(
        &self,
        t: &[<Self::Entry as Differentiable>::Tangent],
    ) -> (
        Vec<Self::Entry>,
        Vec<<Self::Entry as Differentiable>::Tangent>,
    )
    where
        Self: Entries,
    {
        (self.entries().to_vec(), t.to_vec())
    }
}

impl<T: Differentiable + ?Sized> Val for T {}

/// The witness of a value that is not a reference; works for a float whose type is still open.
#[inline(always)]
pub fn wit<T: Differentiable + ?Sized>(value: &T) -> Wit<T> {
    Wit(value.proto())
}
