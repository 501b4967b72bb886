//! Collects every error of an expansion, so that the user sees all of them at once.

use crate::input::plain::scoped::{self, Scoped};
use crate::syntax::definitions::{Definitions, Hidden};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::cell::RefCell;

/// The error collector. Must be finished with [`Ctxt::check`].
pub struct Ctxt {
    errors: RefCell<Option<Vec<syn::Error>>>,
    /// Names of the user that are put aside.
    pub scoped: RefCell<Scoped>,
    /// Whether there are any.
    pub has_scoped: bool,
    /// What names mean in the file.
    pub definitions: Definitions,
}

impl Ctxt {
    pub fn new() -> Self {
        Ctxt {
            errors: RefCell::new(Some(Vec::new())),
            scoped: RefCell::default(),
            has_scoped: false,
            definitions: Definitions::default(),
        }
    }

    /// For the expansion of an item, whose own names the visitor finds.
    pub fn of(item: &TokenStream, names: impl FnOnce(&mut Hidden)) -> Self {
        let mut cx = Ctxt::new();
        cx.has_scoped = scoped::has_any(item);
        cx.definitions = Definitions::of_call_site(names);
        cx
    }

    /// Records an error at the tokens of `at`.
    pub fn error(&self, at: impl ToTokens, message: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(at, message));
    }

    /// Records an error at a span.
    pub fn error_at(&self, span: Span, message: impl std::fmt::Display) {
        self.push(syn::Error::new(span, message));
    }

    pub fn push(&self, error: syn::Error) {
        if let Some(errors) = self.errors.borrow_mut().as_mut() {
            errors.push(error);
        }
    }

    pub fn error_count(&self) -> usize {
        self.errors.borrow().as_ref().map_or(0, Vec::len)
    }

    /// Emitted code with the names that were put aside.
    pub fn named(&self, emitted: TokenStream) -> TokenStream {
        self.scoped.borrow().give_back(emitted)
    }

    /// All errors as `compile_error!` calls; empty when there are none.
    pub fn check(self) -> TokenStream {
        let errors = self.errors.borrow_mut().take().unwrap_or_default();
        errors.iter().map(syn::Error::to_compile_error).collect()
    }
}

impl Drop for Ctxt {
    fn drop(&mut self) {
        debug_assert!(
            std::thread::panicking() || self.errors.borrow().is_none(),
            "an error collector was dropped unchecked"
        );
    }
}
