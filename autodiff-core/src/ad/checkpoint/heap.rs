//! How much heap a snapshot takes.

use core::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

/// How many bytes of heap a value owns, beside its own size: what `#[checkpoint(memory = bytes)]` on a loop
/// measures a snapshot with.
///
/// Numbers, arrays, tuples, `Vec`s, boxes, options, strings and tensors have it, and the types of glam, nalgebra and
/// ndarray with their features. A type of yours derives it, or implements it:
///
/// ```
/// use differentiable::ad::HeapSize;
///
/// #[derive(HeapSize)]
/// struct State {
///     time: f64,
///     heights: Vec<f64>,
/// }
///
/// let state = State { time: 0.0, heights: vec![0.0; 100] };
/// assert_eq!(state.time.heap_size(), 0);
/// assert_eq!(state.heap_size(), 800);
/// ```
#[diagnostic::on_unimplemented(
    message = "how much memory a `{Self}` takes is not known",
    label = "a part of the state of a loop with `#[checkpoint(memory = ..)]`",
    note = "put `#[derive(differentiable::ad::HeapSize)]` on it, or say the number of snapshots: `#[checkpoint(snapshots = s)]`"
)]
pub trait HeapSize {
    /// The bytes on the heap that are this value's alone.
    fn heap_size(&self) -> usize;
}

macro_rules! on_the_stack {
    ($($t:ty)*) => { $(
        impl HeapSize for $t {
            #[inline(always)]
            fn heap_size(&self) -> usize {
                0
            }
        }
    )* };
}
with_integers!(on_the_stack f32 f64 bool char);
on_the_stack! { () }

/// A snapshot copies the reference alone.
impl<T: ?Sized> HeapSize for &T {
    fn heap_size(&self) -> usize {
        0
    }
}

/// What is shared is none of this value's alone.
macro_rules! shared {
    ($($t:ident)*) => { $(
        impl<T: ?Sized> HeapSize for $t<T> {
            fn heap_size(&self) -> usize {
                0
            }
        }
    )* };
}
shared!(Rc Arc PhantomData);

impl<T: HeapSize> HeapSize for [T] {
    fn heap_size(&self) -> usize {
        self.iter().map(T::heap_size).sum()
    }
}

impl<T: HeapSize, const N: usize> HeapSize for [T; N] {
    fn heap_size(&self) -> usize {
        self.as_slice().heap_size()
    }
}

/// Of the entries: a copy has no room to spare.
impl<T: HeapSize> HeapSize for Vec<T> {
    fn heap_size(&self) -> usize {
        size_of_val(self.as_slice()) + self.as_slice().heap_size()
    }
}

impl<T: HeapSize> HeapSize for Option<T> {
    fn heap_size(&self) -> usize {
        self.as_ref().map_or(0, T::heap_size)
    }
}

impl<T: HeapSize, E: HeapSize> HeapSize for Result<T, E> {
    fn heap_size(&self) -> usize {
        match self {
            Ok(v) => v.heap_size(),
            Err(e) => e.heap_size(),
        }
    }
}

impl<T: HeapSize + ?Sized> HeapSize for Box<T> {
    fn heap_size(&self) -> usize {
        size_of_val(&**self) + (**self).heap_size()
    }
}

impl HeapSize for String {
    fn heap_size(&self) -> usize {
        self.len()
    }
}

macro_rules! tuple {
    ($($t:ident)*) => {
        impl<$($t: HeapSize),*> HeapSize for ($($t,)*) {
            #[allow(non_snake_case)]
            fn heap_size(&self) -> usize {
                let ($($t,)*) = self;
                0 $(+ $t.heap_size())*
            }
        }
    };
}
tuple!(A);
tuple!(A B);
tuple!(A B C);
tuple!(A B C D);
tuple!(A B C D E);
tuple!(A B C D E F);
tuple!(A B C D E F G);
tuple!(A B C D E F G H);
