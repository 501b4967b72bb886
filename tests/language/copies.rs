//! How often values of a test were copied, in this thread.

use std::cell::Cell;

thread_local! {
    static COPIES: Cell<usize> = const { Cell::new(0) };
}

/// Notes a copy.
pub fn count() {
    COPIES.set(so_far() + 1);
}

/// How many there were.
pub fn so_far() -> usize {
    COPIES.get()
}
