//! Arrays, slices and `Vec`: entry by entry.

use crate::ad::{Acc, Ct, Differentiable, Factor, Mode, SquareSum, Tangent};
use core::array;

#[cold]
#[inline(never)]
#[track_caller]
fn length_mismatch(expected: usize, found: usize) -> ! {
    panic!("a tangent of {found} entries was given for a value of {expected} entries")
}

/// A shorter tangent would otherwise drop entries without a word.
#[inline(always)]
#[track_caller]
fn same_length(expected: usize, found: usize) {
    if expected != found {
        length_mismatch(expected, found)
    }
}

#[inline(always)]
pub(in crate::ad) fn acc_entries<T: Differentiable, A: Acc<T>>(d: &mut [A], ct: Vec<Ct<T>>) {
    if A::ON {
        same_length(d.len(), ct.len());
        for (d, ct) in d.iter_mut().zip(ct) {
            d.acc(ct);
        }
    }
}

macro_rules! run_time_length {
    ($($t:ty),*) => {$(
        impl<T: Differentiable> Differentiable for $t {
            type Tangent = Vec<T::Tangent>;
            type Proto = Vec<T::Proto>;
            type Adj<M: Mode> = Vec<T::Adj<M>>;
            type Others = crate::ad::On;

            #[inline]
            fn proto(&self) -> Self::Proto { self.iter().map(T::proto).collect() }
            #[inline]
            fn zero_ct(proto: &Self::Proto) -> Ct<Self> {
                crate::ad::pool::keep_for(size_of::<T>() * proto.len());
                proto.iter().map(T::zero_ct).collect()
            }
            #[inline]
            fn first(proto: &Self::Proto, ct: Ct<Self>) -> Ct<Self> {
                same_length(proto.len(), ct.len());
                T::first_of_all(proto, ct)
            }
            #[inline]
            fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M> {
                // Memory that is written here, not zeroed by the allocator on request: `calloc` is
                // slower than `malloc` for short slices, and for long ones each page would fault
                // twice, first when it is read and then when it is added to.
                crate::ad::pool::keep_for(size_of::<T>() * self.len());
                let mut entries = core::hint::black_box(Vec::with_capacity(self.len()));
                entries.extend(self.iter().map(|x| x.zero_adj(mode)));
                entries
            }
            #[inline]
            fn zero_tangent(&self) -> Self::Tangent { self.iter().map(T::zero_tangent).collect() }
            #[inline]
            fn finish(proto: &Self::Proto, ct: Ct<Self>) -> Self::Tangent {
                same_length(proto.len(), ct.len());
                T::finish_all(proto, ct)
            }
            #[inline]
            fn finish_here(&self, ct: Ct<Self>) -> Self::Tangent {
                same_length(self.len(), ct.len());
                T::finish_all_here(self, ct)
            }
            #[inline]
            fn start(tangent: Self::Tangent) -> Ct<Self> {
                tangent.into_iter().map(T::start).collect()
            }
            #[inline]
            fn add_scaled(&mut self, step: f64, tangent: &Self::Tangent) {
                same_length(self.len(), tangent.len());
                for (x, t) in self.iter_mut().zip(tangent) {
                    x.add_scaled(step, t);
                }
            }
            #[inline]
            fn difference(&self, other: &Self) -> Self::Tangent {
                same_length(self.len(), other.len());
                self.iter().zip(other).map(|(x, y)| x.difference(y)).collect()
            }

            parts! {
                |self, seek| seek.entries(self),
                |part, way| way.adj_entry::<M, T, P>(part), way.tangent_entry::<T, P>(part), way.tangent_entry_mut::<T, P>(part)
            }
        }

        impl<T: Differentiable, A: Acc<T>> Acc<$t> for Vec<A> {
            const ON: bool = A::ON;
            #[inline]
            fn acc(&mut self, ct: Vec<Ct<T>>) { acc_entries::<T, A>(self, ct) }
        }
    )*};
}

impl<T> crate::ad::NotBoxed for Vec<T> {}
impl<T> crate::ad::NotBoxed for [T] {}
run_time_length!(Vec<T>, [T], Box<[T]>);

impl<T, const N: usize> crate::ad::NotBoxed for [T; N] {}
impl<T: Differentiable, const N: usize> Differentiable for [T; N] {
    type Tangent = [T::Tangent; N];
    type Proto = [T::Proto; N];
    type Adj<M: Mode> = [T::Adj<M>; N];
    type Others = crate::ad::On;

    #[inline(always)]
    fn proto(&self) -> Self::Proto {
        array::from_fn(|i| self[i].proto())
    }
    #[inline(always)]
    fn zero_ct(proto: &Self::Proto) -> Ct<Self> {
        array::from_fn(|i| T::zero_ct(&proto[i]))
    }
    #[inline(always)]
    fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M> {
        array::from_fn(|i| self[i].zero_adj(mode))
    }
    #[inline(always)]
    fn zero_tangent(&self) -> Self::Tangent {
        array::from_fn(|i| self[i].zero_tangent())
    }
    #[inline(always)]
    fn finish(proto: &Self::Proto, ct: Ct<Self>) -> Self::Tangent {
        T::finish_array(proto, ct)
    }
    #[inline(always)]
    fn start(tangent: Self::Tangent) -> Ct<Self> {
        tangent.map(T::start)
    }
    #[inline(always)]
    fn add_scaled(&mut self, step: f64, tangent: &Self::Tangent) {
        for (x, t) in self.iter_mut().zip(tangent) {
            x.add_scaled(step, t);
        }
    }
    #[inline(always)]
    fn difference(&self, other: &Self) -> Self::Tangent {
        array::from_fn(|i| self[i].difference(&other[i]))
    }

    parts! {
        |self, seek| seek.entries(self),
        |part, way| way.adj_entry::<M, T, P>(part), way.tangent_entry::<T, P>(part), way.tangent_entry_mut::<T, P>(part)
    }
}

impl<T: Differentiable, A: Acc<T>, const N: usize> Acc<[T; N]> for [A; N] {
    const ON: bool = A::ON;
    #[inline(always)]
    fn acc(&mut self, ct: [Ct<T>; N]) {
        if A::ON {
            for (d, ct) in self.iter_mut().zip(ct) {
                d.acc(ct);
            }
        }
    }
}

impl<T: Tangent> Tangent for Vec<T> {
    #[inline]
    fn add(self, other: Self) -> Self {
        // The default of a gradient is a zero of any length.
        match (self.is_empty(), other.is_empty()) {
            (true, _) => return other,
            (_, true) => return self,
            _ => same_length(self.len(), other.len()),
        }
        self.into_iter().zip(other).map(|(a, b)| a.add(b)).collect()
    }
    #[inline]
    fn scale(self, factor: f64) -> Self {
        self.into_iter().map(|a| a.scale(factor)).collect()
    }
    #[inline]
    fn dot(&self, other: &Self) -> f64 {
        same_length(self.len(), other.len());
        self.iter().zip(other).map(|(a, b)| a.dot(b)).sum()
    }
    #[inline]
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
        self.iter().map(|a| a.fill_with(next)).collect()
    }
    #[inline]
    fn each(&self, entry: &mut dyn FnMut(f64)) {
        self.iter().for_each(|a| a.each(entry));
    }
    fn add_squares(&self, to: &mut SquareSum) {
        self.iter().for_each(|a| a.add_squares(to));
    }
    fn scale_by(self, factor: &Factor<'_>) -> Self {
        self.into_iter().map(|a| a.scale_by(factor)).collect()
    }
}

impl<T: Tangent, const N: usize> Tangent for [T; N] {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let mut other = other.into_iter();
        self.map(|a| a.add(other.next().expect("arrays of one length")))
    }
    #[inline(always)]
    fn scale(self, factor: f64) -> Self {
        self.map(|a| a.scale(factor))
    }
    #[inline(always)]
    fn dot(&self, other: &Self) -> f64 {
        self.iter().zip(other).map(|(a, b)| a.dot(b)).sum()
    }
    #[inline]
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
        array::from_fn(|i| self[i].fill_with(next))
    }
    #[inline]
    fn each(&self, entry: &mut dyn FnMut(f64)) {
        self.iter().for_each(|a| a.each(entry));
    }
    fn add_squares(&self, to: &mut SquareSum) {
        self.iter().for_each(|a| a.add_squares(to));
    }
    fn scale_by(self, factor: &Factor<'_>) -> Self {
        self.map(|a| a.scale_by(factor))
    }
}
