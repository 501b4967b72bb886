//! The small functions generated code is glued together with.

use super::impls::acc_entries;
use super::{Acc, Adj, Ct, Differentiable, Off, Wit};

/// Adds a whole cotangent to an accumulator: the reverse of a move or a copy.
#[inline(always)]
pub fn acc<T: Differentiable + ?Sized, D: Acc<T>>(_: &Wit<T>, ct: Ct<T>, d: &mut D) {
    d.acc(ct);
}

/// The accumulator of what has this witness, after its first cotangent.
#[inline(always)]
pub fn first<T: Differentiable + ?Sized>(wit: &Wit<T>, ct: Ct<T>) -> Ct<T>
where
    Ct<T>: Sized,
{
    T::first(&wit.0, ct)
}

/// Adds the cotangent of a variable that may have got its value elsewhere, which then has none.
#[inline(always)]
pub fn acc_late<T: Differentiable, D: Acc<T>>(_: &Wit<T>, ct: Option<Ct<T>>, d: &mut D) {
    if let Some(ct) = ct {
        d.acc(ct);
    }
}

/// [`first`](fn@first) of that.
#[inline(always)]
pub fn first_late<T: Differentiable>(wit: &Wit<T>, ct: Option<Ct<T>>) -> Ct<T> {
    match ct {
        Some(ct) => first(wit, ct),
        None => wit.zero(),
    }
}

/// Two entries at once, if there are two.
#[inline(always)]
pub fn two_of<T>(all: &mut [T], i: usize, j: usize) -> Option<(&mut T, &mut T)> {
    all.get_disjoint_mut([i, j]).ok().map(|[a, b]| (a, b))
}

/// Adds the cotangent of a slice to the accumulators of its entries.
#[inline(always)]
pub fn acc_slice<T: Differentiable, D: Acc<T>>(_: &Wit<[T]>, ct: Vec<Ct<T>>, d: &mut [D]) {
    acc_entries::<T, D>(d, ct);
}

/// Takes the cotangent of a place out, leaving zero: the reverse of overwriting the place.
#[inline(always)]
pub fn take<T: Differentiable + ?Sized>(wit: &Wit<T>, d: &mut Ct<T>) -> Ct<T>
where
    Ct<T>: Sized,
{
    core::mem::replace(d, wit.zero())
}

/// The accumulator of an argument whose cotangent is not wanted.
#[inline(always)]
pub fn no_adj<T: Differentiable + ?Sized>(value: &T) -> Adj<T, Off> {
    value.zero_adj(Off)
}

/// The zero direction at a value.
#[inline(always)]
pub fn zero_tangent<T: Differentiable + ?Sized>(value: &T) -> T::Tangent {
    value.zero_tangent()
}

/// The value, held constant: no derivative flows through it.
///
/// Inside a `#[differentiable]` function the result counts as a constant; elsewhere this is the
/// identity.
#[inline(always)]
pub fn stop_gradient<T>(value: T) -> T {
    value
}
