//! Arrays that a loop fills: what `array::from_fn` becomes.
//!
//! `array::from_fn(|i| e)` of values with a derivative stands for
//!
//! ```text
//! let room = Room::new();
//! let mut list = room.list();
//! for i in 0..room.len() { list.push(e); }
//! filled(list)
//! ```
//!
//! where Rust finds the type and the length of the array as it does for the closure. The loop needs neither copies of what the
//! closure captures nor a pullback for each entry.

use super::{Acc, Adj, Ct, Differentiable, Factor, Mode, Tangent};
use arrayvec::ArrayVec;
use core::fmt;

/// The length of an array, as a value without a size.
#[derive(Clone, Copy, Debug, Default)]
pub struct Room<const N: usize>;

impl<const N: usize> Room<N> {
    /// The length that Rust finds.
    #[inline(always)]
    pub fn new() -> Self {
        Room
    }
    /// How many entries the array has.
    #[inline(always)]
    pub fn len(self) -> usize {
        N
    }
    /// Whether it has none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        N == 0
    }
    /// A list without entries yet.
    #[inline(always)]
    pub fn list<T>(self) -> List<T, N> {
        List(ArrayVec::new_const())
    }
}

/// The first entries of an array of `N`.
#[derive(Clone)]
pub struct List<T, const N: usize>(ArrayVec<T, N>);

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl<T, const N: usize> List<T, N> {
    /// Adds an entry.
    ///
    /// # Panics
    /// If all `N` are there.
    #[inline(always)]
    pub fn push(&mut self, entry: T) {
        self.0.push(entry);
    }

    /// The array of all entries.
    ///
    /// # Panics
    /// If one is missing.
    #[inline(always)]
    fn into_array(self) -> [T; N] {
        match self.0.into_inner() {
            Ok(all) => all,
            Err(part) => missing(N, part.len()),
        }
    }
}

#[cold]
#[inline(never)]
fn missing(n: usize, there: usize) -> ! {
    panic!("an array of {n} entries was filled with {there}")
}

impl<T, const N: usize> core::ops::Deref for List<T, N> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const N: usize> core::ops::DerefMut for List<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T, const N: usize> FromIterator<T> for List<T, N> {
    #[inline(always)]
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut list = Room.list();
        entries.into_iter().for_each(|x| list.push(x));
        list
    }
}

impl<T, const N: usize> super::NotBoxed for List<T, N> {}

impl<T: Differentiable, const N: usize> Differentiable for List<T, N> {
    type Tangent = List<T::Tangent, N>;
    // It is asked for when all entries are there.
    type Proto = [T::Proto; N];
    type Adj<M: Mode> = List<T::Adj<M>, N>;
    type Others = super::On;

    #[inline(always)]
    fn proto(&self) -> Self::Proto {
        self.iter()
            .map(T::proto)
            .collect::<List<_, N>>()
            .into_array()
    }
    #[inline(always)]
    fn zero_ct(proto: &Self::Proto) -> Ct<Self> {
        proto.iter().map(T::zero_ct).collect()
    }
    #[inline(always)]
    fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M> {
        self.iter().map(|x| x.zero_adj(mode)).collect()
    }
    #[inline(always)]
    fn zero_tangent(&self) -> Self::Tangent {
        self.iter().map(T::zero_tangent).collect()
    }
    #[inline(always)]
    fn finish(proto: &Self::Proto, ct: Ct<Self>) -> Self::Tangent {
        let both = proto.iter().zip(ct.0);
        both.map(|(proto, ct)| T::finish(proto, ct)).collect()
    }
    #[inline(always)]
    fn start(tangent: Self::Tangent) -> Ct<Self> {
        tangent.0.into_iter().map(T::start).collect()
    }
    #[inline(always)]
    fn add_scaled(&mut self, step: f64, tangent: &Self::Tangent) {
        for (x, t) in self.iter_mut().zip(&**tangent) {
            x.add_scaled(step, t);
        }
    }
    #[inline(always)]
    fn difference(&self, other: &Self) -> Self::Tangent {
        let both = self.iter().zip(&**other);
        both.map(|(x, y)| x.difference(y)).collect()
    }
}

impl<T: Differentiable, A: Acc<T>, const N: usize> Acc<List<T, N>> for List<A, N> {
    const ON: bool = A::ON;
    #[inline(always)]
    fn acc(&mut self, ct: Ct<List<T, N>>) {
        if A::ON {
            for (d, ct) in self.iter_mut().zip(ct.0) {
                d.acc(ct);
            }
        }
    }
}

impl<T: Tangent, const N: usize> Tangent for List<T, N> {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let both = self.0.into_iter().zip(other.0);
        both.map(|(a, b)| a.add(b)).collect()
    }
    #[inline(always)]
    fn scale(self, factor: f64) -> Self {
        self.0.into_iter().map(|a| a.scale(factor)).collect()
    }
    #[inline(always)]
    fn dot(&self, other: &Self) -> f64 {
        self.iter().zip(&**other).map(|(a, b)| a.dot(b)).sum()
    }
    #[inline]
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
        self.iter().map(|a| a.fill_with(next)).collect()
    }
    #[inline]
    fn each(&self, entry: &mut dyn FnMut(f64)) {
        self.iter().for_each(|a| a.each(entry));
    }
    #[inline]
    fn scale_by(self, factor: &Factor<'_>) -> Self {
        self.0.into_iter().map(|a| a.scale_by(factor)).collect()
    }
}

/// The array of a list, which is full.
#[inline(always)]
pub fn filled<T, const N: usize>(list: List<T, N>) -> [T; N] {
    list.into_array()
}

/// The derivatives of [`filled`](fn@filled).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum filled {}

impl<S> super::Over<S> for filled {
    type Item = filled;
}

impl filled {
    /// Its pullback holds nothing.
    pub const __WEIGHT: usize = 1;
    /// It is one function for all scalars.
    pub const __OVER: bool = true;
    /// The value over any scalar.
    #[inline(always)]
    pub fn __over<T, const N: usize>(list: List<T, N>) -> [T; N] {
        list.into_array()
    }
    /// In reverse mode.
    #[allow(clippy::type_complexity)]
    #[inline(always)]
    pub fn __vjp<M: Mode, T: Differentiable, const N: usize>(
        _: (M,),
        list: List<T, N>,
    ) -> (
        [T; N],
        impl FnOnce([Ct<T>; N], &mut List<Adj<T, M>, N>) + Clone + use<M, T, N>,
    ) {
        let pullback = |ct: [Ct<T>; N], d: &mut List<Adj<T, M>, N>| {
            if M::ON {
                for (d, ct) in d.iter_mut().zip(ct) {
                    d.acc(ct);
                }
            }
        };
        (list.into_array(), pullback)
    }
    /// In forward mode.
    #[inline(always)]
    pub fn __jvp<T, U, const N: usize>(list: List<T, N>, tangents: List<U, N>) -> ([T; N], [U; N]) {
        (list.into_array(), tangents.into_array())
    }
}

/// What grows at its end: a `Vec`, or a [`List`].
pub trait Grown {
    /// What it holds.
    type Entry;
    /// Takes the last entry.
    fn take_last(&mut self) -> Option<Self::Entry>;
    /// Drops all entries but the first `n`.
    fn keep_first(&mut self, n: usize);
    /// Adds entries at the end, for all of which it makes room at once.
    fn __grow(&mut self, entries: impl Iterator<Item = Self::Entry>);
}

impl<T> Grown for Vec<T> {
    type Entry = T;
    #[inline(always)]
    fn take_last(&mut self) -> Option<T> {
        self.pop()
    }
    #[inline(always)]
    fn keep_first(&mut self, n: usize) {
        self.truncate(n);
    }
    #[inline(always)]
    fn __grow(&mut self, entries: impl Iterator<Item = T>) {
        self.extend(entries);
    }
}

impl<T, const N: usize> Grown for List<T, N> {
    type Entry = T;
    #[inline(always)]
    fn take_last(&mut self) -> Option<T> {
        self.0.pop()
    }
    #[inline(always)]
    fn keep_first(&mut self, n: usize) {
        self.0.truncate(n);
    }
    #[inline(always)]
    fn __grow(&mut self, entries: impl Iterator<Item = T>) {
        self.0.extend(entries);
    }
}
