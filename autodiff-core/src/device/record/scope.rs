//! The names under which nodes are recorded: those of the functions that run.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    static OPEN: RefCell<Vec<Cow<'static, str>>> = const { RefCell::new(Vec::new()) };
}

/// What is recorded on this thread until it is dropped bears a name; scopes in scopes bear all names, as `net/hidden`.
#[derive(Debug)]
#[must_use = "a scope ends when it is dropped"]
pub struct Scope(());

impl Scope {
    /// Opens a scope.
    #[inline]
    pub fn enter(name: impl Into<Cow<'static, str>>) -> Self {
        OPEN.with_borrow_mut(|open| open.push(name.into()));
        Scope(())
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        OPEN.with_borrow_mut(|open| open.pop());
    }
}

/// The names of the open scopes, with `/` between them.
pub(super) fn path() -> Arc<str> {
    OPEN.with_borrow(|open| open.join("/").into())
}
