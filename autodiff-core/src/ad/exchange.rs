//! `std::mem::swap`, `std::mem::replace` and `v.swap(i, j)`: values change places, and so do their cotangents.
//!
//! Nothing is copied in either direction, whatever the values hold.

use super::{Acc, Adj, Ct, Differentiable, Followed, Gone, Mode, Over};

/// `std::mem::swap`.
#[inline(always)]
pub fn swap<T>(a: &mut T, b: &mut T) {
    core::mem::swap(a, b);
}

/// The derivatives of [`swap`](fn@swap).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum swap {}

impl<S> Over<S> for swap {
    type Item = swap;
}

/// The reverse of a swap.
type SwapPullback<T> = fn(Ct<()>, Gone, Gone, &mut Ct<T>, &mut Ct<T>);

impl swap {
    /// Its pullback holds nothing.
    pub const __WEIGHT: usize = 1;
    /// It is one function for all scalars.
    pub const __OVER: bool = true;
    /// The swap of values over any scalar.
    #[inline(always)]
    pub fn __over<T>(a: &mut T, b: &mut T) {
        swap(a, b);
    }
    /// In reverse mode.
    #[inline(always)]
    pub fn __vjp<M0: Followed, M1: Followed, T: Differentiable>(
        _: (M0, M1),
        a: &mut T,
        b: &mut T,
    ) -> ((), SwapPullback<T>) {
        swap(a, b);
        ((), |_, _, _, d_a, d_b| swap(d_a, d_b))
    }
    /// In forward mode.
    #[inline(always)]
    pub fn __jvp<T: Differentiable>(
        a: &mut T,
        t_a: &mut T::Tangent,
        b: &mut T,
        t_b: &mut T::Tangent,
    ) -> ((), ()) {
        swap(a, b);
        swap(t_a, t_b);
        ((), ())
    }
}

/// `v.swap(i, j)`.
///
/// # Panics
///
/// If an index is out of bounds.
#[inline(always)]
#[track_caller]
pub fn swap_entries<T>(v: &mut [T], i: usize, j: usize) {
    v.swap(i, j);
}

/// The derivatives of [`swap_entries`](fn@swap_entries).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum swap_entries {}

impl<S> Over<S> for swap_entries {
    type Item = swap_entries;
}

impl swap_entries {
    /// Its pullback holds the indices.
    pub const __WEIGHT: usize = 1;
    /// It is one function for all scalars.
    pub const __OVER: bool = true;
    /// The swap of values over any scalar.
    #[inline(always)]
    #[track_caller]
    pub fn __over<T>(v: &mut [T], i: usize, j: usize) {
        swap_entries(v, i, j);
    }
    /// In reverse mode.
    #[inline(always)]
    #[track_caller]
    #[allow(clippy::type_complexity)]
    pub fn __vjp<M0: Followed, M1: Mode, M2: Mode, T: Differentiable>(
        _: (M0, M1, M2),
        v: &mut [T],
        i: usize,
        j: usize,
    ) -> (
        (),
        impl FnOnce(Ct<()>, Gone, &mut [Ct<T>], &mut Adj<usize, M1>, &mut Adj<usize, M2>)
        + Clone
        + use<M0, M1, M2, T>,
    ) {
        swap_entries(v, i, j);
        ((), move |_, _, d, _, _| swap_entries(d, i, j))
    }
    /// In forward mode.
    #[inline(always)]
    #[track_caller]
    pub fn __jvp<T: Differentiable>(
        v: &mut [T],
        t: &mut [T::Tangent],
        i: usize,
        (): (),
        j: usize,
        (): (),
    ) -> ((), ()) {
        swap_entries(v, i, j);
        swap_entries(t, i, j);
        ((), ())
    }
}

/// `std::mem::replace`.
#[inline(always)]
pub fn replace<T>(a: &mut T, value: T) -> T {
    core::mem::replace(a, value)
}

/// The derivatives of [`replace`](fn@replace).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum replace {}

impl<S> Over<S> for replace {
    type Item = replace;
}

/// The reverse of a replacement.
type ReplacePullback<T, M> = fn(Ct<T>, Gone, &mut Ct<T>, &mut Adj<T, M>);

impl replace {
    /// Its pullback holds nothing.
    pub const __WEIGHT: usize = 1;
    /// It is one function for all scalars.
    pub const __OVER: bool = true;
    /// The replacement of a value over any scalar.
    #[inline(always)]
    pub fn __over<T>(a: &mut T, value: T) -> T {
        replace(a, value)
    }
    /// In reverse mode.
    #[inline(always)]
    pub fn __vjp<M0: Followed, M1: Mode, T: Differentiable>(
        _: (M0, M1),
        a: &mut T,
        value: T,
    ) -> (T, ReplacePullback<T, M1>) {
        let before = replace(a, value);
        // What was there before went into the result; what is there after came from the value.
        (before, |ct, _, d_a, d_value| {
            d_value.acc(replace(d_a, ct));
        })
    }
    /// In forward mode.
    #[inline(always)]
    pub fn __jvp<T: Differentiable>(
        a: &mut T,
        t_a: &mut T::Tangent,
        value: T,
        t: T::Tangent,
    ) -> (T, T::Tangent) {
        (replace(a, value), replace(t_a, t))
    }
}
