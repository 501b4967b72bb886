//! Folds of neighbouring elements in vector registers.
//!
//! Sixty-four partial results take one element each in turn; they are then joined to sixteen, and
//! these by halves, where each half takes the elements that are left and fill it, so that none is
//! handled alone but the last. Written to be inlined into a vectorised loop.

use super::reduce::Fold;
use crate::device::Float;

/// Independent partial results: several vector registers, to hide the latency of an addition.
const LANES: usize = 64;
/// Partial results that are joined by halves.
const LAST: usize = 16;

/// Elements that are joined in order.
pub(super) trait Source<T: Float> {
    /// Whether there is a NaN among the elements.
    fn any_nan(&self) -> bool;
    /// The elements that are left.
    fn len(&self) -> usize;
    /// Joins the next `N` elements to as many partial results; `false` if there are fewer.
    fn join<F: Fold<T>, const N: usize>(&mut self, to: &mut [T]) -> bool;
    /// As [`Source::join`] with the number of elements and the step known at run time.
    fn join_rolled(&mut self, to: &mut [T], step: fn(T, T) -> T) -> bool;
}

/// `f(x)` of the elements of one slice.
pub(super) struct One<'a, T, F>(pub(super) &'a [T], pub(super) F);

impl<T: Float, G: Fn(T) -> T> Source<T> for One<'_, T, G> {
    #[inline(always)]
    fn any_nan(&self) -> bool {
        // Without a way out: a branch in the loop would keep it from vector registers.
        self.0
            .iter()
            .fold(false, |bad, &x| bad | (self.1)(x).is_nan())
    }
    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len()
    }
    #[inline(always)]
    fn join<F: Fold<T>, const N: usize>(&mut self, to: &mut [T]) -> bool {
        let Some((x, rest)) = self.0.split_first_chunk::<N>() else {
            return false;
        };
        for (to, &x) in to[..N].iter_mut().zip(x) {
            *to = F::step(*to, (self.1)(x));
        }
        self.0 = rest;
        true
    }
    fn join_rolled(&mut self, to: &mut [T], step: fn(T, T) -> T) -> bool {
        let Some((x, rest)) = self.0.split_at_checked(to.len()) else {
            return false;
        };
        for (to, &x) in to.iter_mut().zip(x) {
            *to = step(*to, (self.1)(x));
        }
        self.0 = rest;
        true
    }
}

/// `f(a, b)` of the elements of two slices of equal length.
pub(super) struct Two<'a, T, F>(pub(super) &'a [T], pub(super) &'a [T], pub(super) F);

impl<T: Float, G: Fn(T, T) -> T> Source<T> for Two<'_, T, G> {
    #[inline(always)]
    fn any_nan(&self) -> bool {
        let both = self.0.iter().zip(self.1);
        both.fold(false, |bad, (&a, &b)| bad | (self.2)(a, b).is_nan())
    }
    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len().min(self.1.len())
    }
    #[inline(always)]
    fn join<F: Fold<T>, const N: usize>(&mut self, to: &mut [T]) -> bool {
        let (Some((a, ra)), Some((b, rb))) = (
            self.0.split_first_chunk::<N>(),
            self.1.split_first_chunk::<N>(),
        ) else {
            return false;
        };
        for ((to, &a), &b) in to[..N].iter_mut().zip(a).zip(b) {
            *to = F::step(*to, (self.2)(a, b));
        }
        (self.0, self.1) = (ra, rb);
        true
    }
    fn join_rolled(&mut self, to: &mut [T], step: fn(T, T) -> T) -> bool {
        let (Some((a, ra)), Some((b, rb))) = (
            self.0.split_at_checked(to.len()),
            self.1.split_at_checked(to.len()),
        ) else {
            return false;
        };
        for ((to, &a), &b) in to.iter_mut().zip(a).zip(b) {
            *to = step(*to, (self.2)(a, b));
        }
        (self.0, self.1) = (ra, rb);
        true
    }
}

/// The fold of all elements; the identity if there is none.
#[inline(always)]
pub(super) fn fold<T: Float, F: Fold<T>>(mut elements: impl Source<T>) -> T {
    if F::SKIPS_NAN && elements.any_nan() {
        return T::NAN;
    }
    if const { T::COMPOSITE } {
        let len = elements.len();
        return rolled(F::step, T::lit(F::IDENTITY), len, &mut |to| {
            elements.join_rolled(to, F::step)
        });
    }
    let mut last = [T::lit(F::IDENTITY); LAST];
    if elements.len() >= LANES {
        let mut acc = [T::lit(F::IDENTITY); LANES];
        while elements.join::<F, LANES>(&mut acc) {}
        // Through memory, or the compiler takes the registers of the loop apart for what follows.
        let acc = core::hint::black_box(acc);
        for i in 0..LAST {
            let (a, b) = (
                F::step(acc[i], acc[i + 32]),
                F::step(acc[i + 16], acc[i + 48]),
            );
            last[i] = F::step(a, b);
        }
    }
    while elements.join::<F, LAST>(&mut last) {}
    macro_rules! halve {
        ($($n:literal)*) => { $(
            let (low, high) = last.split_at_mut($n);
            for (a, &b) in low.iter_mut().zip(&*high) {
                *a = F::step(*a, b);
            }
            elements.join::<F, $n>(&mut last);
        )* };
    }
    halve!(8 4 2 1);
    last[0]
}

/// [`fold`] of elements that are several numbers, in the same order. They are folded in the user's crate and gain nothing
/// from loops of a known length: this is compiled once for each type of element.
#[inline(never)]
fn rolled<T: Float>(
    step: fn(T, T) -> T,
    identity: T,
    len: usize,
    join: &mut dyn FnMut(&mut [T]) -> bool,
) -> T {
    let mut last = [identity; LAST];
    if len >= LANES {
        let mut acc = [identity; LANES];
        while join(&mut acc) {}
        for i in 0..LAST {
            let (a, b) = (step(acc[i], acc[i + 32]), step(acc[i + 16], acc[i + 48]));
            last[i] = step(a, b);
        }
    }
    while join(&mut last) {}
    let mut half = LAST / 2;
    while half > 0 {
        let (low, high) = last.split_at_mut(half);
        for (a, &b) in low.iter_mut().zip(&*high) {
            *a = step(*a, b);
        }
        join(low);
        half /= 2;
    }
    last[0]
}
