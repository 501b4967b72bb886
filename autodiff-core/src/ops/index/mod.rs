//! Elements by position: rows, entries along an axis, single numbers.

pub(in crate::ops) mod access;
pub(in crate::ops) mod rows;
pub(in crate::ops) mod scatter;

use crate::device::IndexError;

/// The pullback meets an index again that the forward pass accepted.
#[track_caller]
fn accepted<X>(result: Result<X, IndexError>) -> X {
    result.unwrap_or_else(|e| panic!("the forward pass accepted these indices: {e}"))
}

/// The axes other than `axis` agree at run time.
#[track_caller]
fn check_rest(what: &str, axis: usize, dims: &[usize], index: &[usize]) {
    for (i, (n, m)) in dims.iter().zip(index).enumerate() {
        assert!(
            i == axis || n == m,
            "{what}: axis {i} has {n} entries, the index has {m}"
        );
    }
}
