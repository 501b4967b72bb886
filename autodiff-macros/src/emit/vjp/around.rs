//! Arrays that a loop fills in each of its runs: those of a loop inside another are made once, before the other.

use proc_macro2::TokenStream;
use std::cell::RefCell;

/// What stands before the loop around the statements that are emitted; none outside loops.
#[derive(Default)]
pub struct Around(RefCell<Option<TokenStream>>);

impl Around {
    /// Emits the body of a loop; what stands before that loop comes first.
    pub fn inside<R>(&self, emit: impl FnOnce() -> R) -> (TokenStream, R) {
        let outer = self.0.replace(Some(TokenStream::new()));
        let body = emit();
        (self.0.replace(outer).unwrap_or_default(), body)
    }

    /// Puts code before the loop around; where there is none, it comes back.
    pub fn before(&self, code: TokenStream) -> TokenStream {
        match &mut *self.0.borrow_mut() {
            Some(before) => {
                before.extend(code);
                TokenStream::new()
            }
            None => code,
        }
    }
}
