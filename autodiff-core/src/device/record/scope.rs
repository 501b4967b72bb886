//! The names under which nodes are recorded: those of the functions that run.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    static OPEN: RefCell<Vec<Cow<'static, str>>> = const { RefCell::new(Vec::new()) };
    /// The names with `/` between them, until a scope begins or ends: all nodes of a scope share the text.
    static PATH: RefCell<Option<Arc<str>>> = const { RefCell::new(None) };
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
        PATH.set(None);
        Scope(())
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        OPEN.with_borrow_mut(|open| open.pop());
        PATH.set(None);
    }
}

/// The names of the open scopes, with `/` between them.
pub(super) fn path() -> Arc<str> {
    PATH.with_borrow_mut(|path| {
        let join = || OPEN.with_borrow(|open| open.join("/").into());
        path.get_or_insert_with(join).clone()
    })
}
