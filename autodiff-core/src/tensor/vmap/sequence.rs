//! The entries of slices, arrays and `Vec`s as examples.

use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};

/// The dimension of a batch that is a slice, an array or a `Vec`: no type says its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence;

crate::__discrete!([] Sequence);
impl crate::ad::NoDerivative for Sequence {}

/// That two batches have as many examples.
#[track_caller]
pub(super) fn same(a: usize, b: usize) -> usize {
    assert_eq!(a, b, "vmap!: batches of {a} and of {b} examples");
    a
}

/// The methods of a batch; tensors have them too.
#[allow(clippy::type_complexity)]
pub trait SliceBatch<T> {
    /// How many examples there are.
    fn batch_examples(&self) -> usize;

    /// How many examples both batches have.
    ///
    /// # Panics
    /// If they have different numbers of them.
    #[track_caller]
    fn batch_same<U>(&self, other: &[U]) -> usize {
        same(self.batch_examples(), other.len())
    }

    /// An example.
    fn batch_example(&self, i: usize) -> T
    where
        T: Clone;

    /// The dimension of the results.
    fn batch_dim(&self) -> Sequence {
        Sequence
    }

    #[doc(hidden)]
    fn __batch_example_vjp<M0: Mode, M1: Mode>(
        &self,
        _: (M0, M1),
        i: usize,
    ) -> (
        T,
        impl FnOnce(Ct<T>, &[T], &mut [Adj<T, M0>], &mut Adj<usize, M1>) + Clone + use<Self, T, M0, M1>,
    )
    where
        T: Differentiable + Clone,
    {
        (
            self.batch_example(i),
            move |ct, _: &[T], d: &mut [Adj<T, M0>], _: &mut Adj<usize, M1>| {
                if M0::ON {
                    d[i].acc(ct);
                }
            },
        )
    }

    #[doc(hidden)]
    fn __batch_example_jvp(&self, t: &[T::Tangent], i: usize, (): ()) -> (T, T::Tangent)
    where
        T: Differentiable + Clone,
    {
        (self.batch_example(i), t[i].clone())
    }
}

macro_rules! sequences {
    ($([$($generics:tt)*] $t:ty),*) => { $(
        // Each by itself: generated code looks for the rule before it looks through to the slice.
        impl<T, $($generics)*> SliceBatch<T> for $t {
            #[inline]
            fn batch_examples(&self) -> usize {
                self.len()
            }
            #[inline]
            fn batch_example(&self, i: usize) -> T
            where
                T: Clone,
            {
                self[i].clone()
            }
        }
    )* };
}
sequences!([] [T], [] Vec<T>, [const N: usize] [T; N]);
