//! What the pullback of `f::vjp` keeps of arguments that `f` takes by reference: it borrows nothing.

use std::sync::Arc;

/// A type that can be copied, which is asked for where a pullback is, and not where its function is.
///
/// The lifetime is there for the reason that [`ScalarOutput`](super::ScalarOutput) has one.
#[diagnostic::on_unimplemented(
    message = "a pullback keeps a copy of each argument that is a reference, and `{Self}` is not `Clone`",
    label = "`{Self}` cannot be copied",
    note = "derive `Clone` for it"
)]
pub trait Copied<'z>: Sized {
    /// A copy.
    fn copied(&self) -> Self;
}

impl<T: Clone> Copied<'_> for T {
    #[inline(always)]
    fn copied(&self) -> T {
        self.clone()
    }
}

/// Keeps a copy, which copies of the pullback share.
#[inline]
pub fn own<'z, T: Copied<'z>>(value: &T) -> Arc<T> {
    Arc::new(value.copied())
}

/// The same of a slice.
#[inline]
pub fn own_all<'z, T: Copied<'z>>(values: &[T]) -> Arc<[T]> {
    values.iter().map(T::copied).collect()
}

/// The same of a text.
#[inline]
pub fn own_text(text: &str) -> Arc<str> {
    text.into()
}
