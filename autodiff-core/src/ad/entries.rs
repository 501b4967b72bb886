//! `xs.to_vec()` of arrays, slices and `Vec`s. Tensors have a rule of their own.

use super::impls::acc_entries;
use super::{Adj, Ct, Differentiable, Mode};

/// A sequence that `to_vec` copies.
#[diagnostic::on_unimplemented(
    message = "`to_vec` of `{Self}` has no derivative",
    label = "not an array, a slice, a `Vec` or a tensor"
)]
pub trait Entries: Differentiable {
    /// What it is a sequence of.
    type Entry: Differentiable + Clone;
    /// The entries.
    fn entries(&self) -> &[Self::Entry];
}

macro_rules! entries {
    ($([$($generics:tt)*] $t:ty),*) => { $(
        impl<T: Differentiable + Clone, $($generics)*> Entries for $t {
            type Entry = T;
            #[inline(always)]
            fn entries(&self) -> &[T] {
                self
            }
        }
    )* };
}
entries!([] Vec<T>, [] [T], [const N: usize] [T; N]);

/// Adds the cotangent of a copy to the accumulators of the entries.
pub type CopyPullback<T, M> = fn(Vec<Ct<T>>, &[T], &mut [Adj<T, M>]);

#[inline(always)]
pub(super) fn pullback<T: Differentiable, M: Mode>(ct: Vec<Ct<T>>, _: &[T], d: &mut [Adj<T, M>]) {
    acc_entries::<T, _>(d, ct);
}
