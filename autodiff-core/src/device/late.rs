//! Indices outside their range, kept until a computation ends.

use super::IndexError;
use core::cell::RefCell;
use core::panic::Location;

/// An index outside its range, and where the program met it: what [`catch_index_errors`] returns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{operation}` at {location}: {error}")]
pub struct OutOfRange {
    /// The operation, such as `cross_entropy`; `gather` for an embedding.
    pub operation: &'static str,
    /// The line of the program that asked for it.
    pub location: String,
    /// How many indices it was given.
    pub entries: usize,
    /// Which index, and its place among them in row-major order.
    pub error: IndexError,
}

thread_local! {
    /// The first error since the innermost call began; nothing outside of one.
    static KEPT: RefCell<Option<Option<OutOfRange>>> = const { RefCell::new(None) };
}

/// Runs `f`, in which an index outside its range, such as a label that is no class, does not panic: the first one is
/// the result, and what `f` returns is dropped. Until `f` ends, its operations go on with the index 0 instead, so that a loss
/// and its gradient end as they always do. A table without rows has no index 0; there it panics.
///
/// It holds for operations that the processor does in this thread, and nests. What another machine finds out later comes
/// from the next reading as a [`DeviceError`](super::DeviceError).
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::device::catch_index_errors;
/// use differentiable::prelude::*;
///
/// let logits: Tensor![2, 3] = Tensor::zeros();
/// let loss = |labels: [i64; 2]| catch_index_errors(|| logits.cross_entropy(&tensor(labels)).item());
/// assert!((loss([0, 2]).unwrap() - 3f32.ln()).abs() < 1e-6);
/// let error = loss([0, 3]).unwrap_err();
/// assert_eq!((error.operation, error.error.position, error.error.found), ("cross_entropy", 1, 3));
/// ```
///
/// # Errors
/// The first index outside its range.
pub fn catch_index_errors<R>(f: impl FnOnce() -> R) -> Result<R, OutOfRange> {
    /// Sets back what an outer call has kept, also when `f` panics.
    struct Before(Option<Option<OutOfRange>>);
    impl Drop for Before {
        fn drop(&mut self) {
            KEPT.set(self.0.take());
        }
    }
    let before = Before(KEPT.replace(Some(None)));
    let result = f();
    let kept = KEPT.take().flatten();
    drop(before);
    match kept {
        None => Ok(result),
        Some(error) => Err(error),
    }
}

/// Keeps the error of an index for the [`catch_index_errors`] around it, for operations that are written outside of this
/// crate. `entries` is how many indices there are.
///
/// # Errors
/// With the error, where there is no such call.
#[track_caller]
pub fn index_error(
    operation: &'static str,
    entries: usize,
    error: IndexError,
) -> Result<(), IndexError> {
    match keep(operation, entries, error) {
        true => Ok(()),
        false => Err(error),
    }
}

/// As [`index_error`]; `false` where nobody catches it.
#[track_caller]
pub(crate) fn keep(operation: &'static str, entries: usize, error: IndexError) -> bool {
    let location = Location::caller();
    KEPT.with_borrow_mut(|kept| match kept {
        None => false,
        Some(first) => {
            first.get_or_insert_with(|| OutOfRange {
                operation,
                location: location.to_string(),
                entries,
                error,
            });
            true
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn wrong(found: i64) -> Result<f32, OutOfRange> {
        let table: Tensor![3, 2] = Tensor::ones();
        let ids: Tensor![i64; 4] = tensor([0, 1, found, 2]);
        catch_index_errors(|| table.embedding(&ids).sum().item())
    }

    #[test]
    fn the_first_index_outside_is_the_result() {
        assert_eq!(wrong(2), Ok(8.0));
        let line = line!() - 6;
        for found in [3, -1, i64::MAX, i64::MIN] {
            let error = wrong(found).unwrap_err();
            let expected = IndexError {
                position: 2,
                found,
                len: 3,
            };
            assert_eq!((error.error, error.entries), (expected, 4));
            assert_eq!(error.operation, "gather");
            assert!(
                error.location.contains(&format!("late.rs:{line}:")),
                "{error}"
            );
        }
        let two = catch_index_errors(|| {
            let labels: Tensor![i64; 1] = tensor([7]);
            let logits: Tensor![1, 2] = Tensor::zeros();
            let nested = wrong(5);
            (logits.cross_entropy(&labels), nested.is_err())
        });
        assert_eq!(two.unwrap_err().error.found, 7);
    }

    #[test]
    fn outside_of_a_call_it_panics() {
        let table: Tensor![3, 2] = Tensor::ones();
        let look = || table.embedding(&tensor([3_i64])).sum().item();
        let panics = || std::panic::catch_unwind(core::panic::AssertUnwindSafe(look)).is_err();
        assert!(panics());
        assert!(wrong(3).is_err());
        assert!(panics(), "the call before has ended");
        let thrown = std::panic::catch_unwind(|| catch_index_errors(|| panic!("of another kind")));
        assert!(thrown.is_err() && panics());
    }
}
