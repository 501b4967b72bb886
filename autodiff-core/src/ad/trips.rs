//! The trips of a loop over a range, by their number: what the reverse of a loop without branches
//! and calls is made of.

use super::rules::Pick;
use super::tape::Tape;
use super::{Acc, Ct, Differentiable, Scalar, Wit};
use core::hint::select_unpredictable;
use core::ops::{Index, IndexMut, Range, RangeFrom, RangeInclusive};

/// An integer that a range counts with.
pub trait Integer: Copy + PartialOrd {
    /// How many integers there are from this one up to `end`, without it.
    fn distance(self, end: Self) -> usize;
    /// This one and `k`.
    fn forward(self, k: usize) -> Self;
}

macro_rules! integer {
    ($($t:ty)*) => { $(
        impl Integer for $t {
            #[inline(always)]
            fn distance(self, end: Self) -> usize {
                if self < end { end.abs_diff(self) as usize } else { 0 }
            }
            #[inline(always)]
            fn forward(self, k: usize) -> Self {
                self.wrapping_add(k as $t)
            }
        }
    )* };
}
with_integers!(integer);

/// A range of integers whose items are reached by their number.
pub trait Countable {
    /// The integer.
    type Item;
    /// How many items there are.
    fn count(&self) -> usize;
    /// The item of this number.
    fn nth(&self, k: usize) -> Self::Item;
}

impl<T: Integer> Countable for Range<T> {
    type Item = T;
    #[inline(always)]
    fn count(&self) -> usize {
        self.start.distance(self.end)
    }
    #[inline(always)]
    fn nth(&self, k: usize) -> T {
        self.start.forward(k)
    }
}

impl<T: Integer> Countable for RangeInclusive<T> {
    type Item = T;
    #[inline(always)]
    fn count(&self) -> usize {
        let last = *self.end() >= *self.start();
        self.start().distance(*self.end()) + usize::from(last)
    }
    #[inline(always)]
    fn nth(&self, k: usize) -> T {
        self.start().forward(k)
    }
}

impl<T: Integer> Countable for RangeFrom<T> {
    type Item = T;
    #[inline(always)]
    fn count(&self) -> usize {
        usize::MAX
    }
    #[inline(always)]
    fn nth(&self, k: usize) -> T {
        self.start.forward(k)
    }
}

/// How many items a range has.
#[inline(always)]
pub fn count<R: Countable>(range: &R) -> usize {
    range.count()
}

/// The item of a range with this number.
#[inline(always)]
pub fn nth<R: Countable>(range: &R, k: usize) -> R::Item {
    range.nth(k)
}

/// How many trips a loop over `range` has: exactly, as ranges tell.
#[inline(always)]
pub fn trips(range: &impl Iterator) -> usize {
    range.size_hint().0
}

/// The type of the numbers of a loop: a value without a size, which the forward pass hands to the reverse pass.
#[derive(Debug)]
pub struct Like<T>(core::marker::PhantomData<fn() -> T>);

impl<T> Like<T> {
    /// Of the type that is found out later.
    #[allow(clippy::new_without_default, reason = "for expansions alone")]
    #[inline(always)]
    pub const fn new() -> Self {
        Like(core::marker::PhantomData)
    }

    /// A number of this type, which it returns.
    #[inline(always)]
    pub const fn of(self, number: T) -> T
    where
        T: Copy,
    {
        number
    }
}

impl<T> Clone for Like<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Like<T> {}

/// The entries that `n` trips index one after the other, from `start` on, so that one check does
/// for all of them. Without a trip `start` need not make sense, and is not asked for.
#[inline(always)]
pub fn window<T>(entries: &[T], n: usize, start: impl FnOnce() -> usize) -> &[T] {
    if n == 0 {
        return &[];
    }
    &entries[start()..][..n]
}

/// The same of cotangents.
#[inline(always)]
pub fn window_mut<T>(entries: &mut [T], n: usize, start: impl FnOnce() -> usize) -> &mut [T] {
    if n == 0 {
        return &mut [];
    }
    &mut entries[start()..][..n]
}

/// The sums of a loop are taken in this many parts: one sum would wait for each addition.
pub const LANES: usize = 4;

/// So many trips of a loop that reads neighbours in an array have shares of the cotangents of their own.
pub const BLOCK: usize = 32;

/// What one trip adds to the cotangent of an entry, whatever the index.
pub struct Share<T>(pub T);

impl<T> Index<usize> for Share<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, _: usize) -> &T {
        &self.0
    }
}

impl<T> IndexMut<usize> for Share<T> {
    #[inline(always)]
    fn index_mut(&mut self, _: usize) -> &mut T {
        &mut self.0
    }
}

/// Adds the shares of the trips of a block to the cotangents from `start` on: of each entry one of every list, in their order.
#[inline(always)]
pub fn add_shares<T: Differentiable, D: Acc<T>, const K: usize>(
    _: &Wit<T>,
    shares: [&[Ct<T>]; K],
    into: &mut [D],
    start: usize,
) where
    Ct<T>: Copy,
{
    let n = shares[0].len();
    let shares = shares.map(|s| &s[..n]);
    for (k, into) in into[start..][..n].iter_mut().enumerate() {
        for share in shares {
            into.acc(share[k]);
        }
    }
}

/// Adds up the sums of a block's trips, one half to the other as long as there are two.
#[inline(always)]
pub fn add_sums<T: Differentiable, D: Acc<T>, const N: usize>(
    _: &Wit<T>,
    mut sums: [Ct<T>; N],
    into: &mut D,
) where
    Ct<T>: Copy + Acc<T>,
{
    let mut n = N;
    while n > 1 {
        let (first, second) = sums[..n].split_at_mut(n - n / 2);
        for (sum, other) in first.iter_mut().zip(second) {
            sum.acc(*other);
        }
        n -= n / 2;
    }
    into.acc(sums[0]);
}

/// The entries of the trips of a block of [`LANES`].
#[inline(always)]
pub fn block<T>(entries: &[T], block: usize) -> &[T; LANES] {
    let entries = &entries[LANES * block..][..LANES];
    entries.try_into().expect("as many as there are lanes")
}

/// The same of cotangents.
#[inline(always)]
pub fn block_mut<T>(entries: &mut [T], block: usize) -> &mut [T; LANES] {
    let entries = &mut entries[LANES * block..][..LANES];
    entries.try_into().expect("as many as there are lanes")
}

/// Keeps what a trip of a loop `a = a.max(x)` notes for its reverse, if `x` had a part in `a`.
///
/// A trip that left `a` as it was passes the cotangent of `a` on as it is. One that replaced it
/// takes all of it: whatever came before gets nothing. So only the last replacement and the ties
/// after it are kept, of which there are `turns`.
#[inline(always)]
pub fn turn<E>(tape: &mut Tape<E>, turns: &mut usize, entry: E, pick: Pick, kept: Pick) {
    if pick == kept {
        return;
    }
    if pick != Pick::Tie {
        tape.drop_last(*turns);
        *turns = 0;
    }
    tape.push(entry);
    *turns += 1;
}

/// What [`turn`] keeps of the trips of a loop `a = a.max(x)` of which nothing but their variable is kept.
///
/// The last replacement waits in a register, so that a trip without a tie and NaN decides nothing by a branch:
/// with few trips, which `x` replaces `a` is hard to predict.
#[derive(Debug)]
pub struct Latest<I> {
    /// How long the tape was before the loop.
    start: usize,
    /// Whether a replacement waits, and the trip.
    waits: bool,
    trip: I,
    kept: Pick,
}

impl<I: Copy + Default> Latest<I> {
    /// Before the first trip; `kept` is the side of `a`.
    #[inline(always)]
    pub fn new(tape: &Tape<(I, Pick)>, kept: Pick) -> Self {
        Latest {
            start: tape.len(),
            waits: false,
            trip: I::default(),
            kept,
        }
    }

    /// Trip `i` replaced `a`, if so.
    #[inline(always)]
    pub fn replaced(&mut self, if_so: bool, i: I) {
        self.waits |= if_so;
        self.trip = select_unpredictable(if_so, i, self.trip);
    }

    /// Any trip.
    #[inline(always)]
    pub fn turn(&mut self, tape: &mut Tape<(I, Pick)>, i: I, pick: Pick) {
        if pick == Pick::Tie {
            self.settle(tape);
            tape.push((i, pick));
        } else {
            self.replaced(pick != self.kept, i);
        }
    }

    #[inline(always)]
    fn settle(&mut self, tape: &mut Tape<(I, Pick)>) {
        if core::mem::take(&mut self.waits) {
            tape.truncate(self.start);
            let replaced = match self.kept {
                Pick::Left => Pick::Right,
                _ => Pick::Left,
            };
            tape.push((self.trip, replaced));
        }
    }

    /// How many trips are kept.
    #[inline(always)]
    pub fn finish(mut self, tape: &mut Tape<(I, Pick)>) -> usize {
        self.settle(tape);
        tape.len() - self.start
    }
}

/// The same of the trip `i`, once the result `a` is known: `x` had a part in it if the two are equal, and replaced
/// what was there if it was the first and `a` was another before the loop.
#[inline(always)]
pub fn had_part<I, T: Scalar>(
    tape: &mut Tape<(I, Pick)>,
    turns: &mut usize,
    i: I,
    x: &T,
    a: &T,
    before: &T,
    replaced: Pick,
) {
    if x == a {
        let first = *turns == 0 && before != a;
        tape.push((i, if first { replaced } else { Pick::Tie }));
        *turns += 1;
    }
}

/// Entries that are compared with the extremum together: so many comparisons are vectorised.
const COMPARED: usize = 32;

/// Runs the loop `a = a.max(x)` over entries and notes the trips that had a part in the result, as
/// [`turn`] does. Whether any entry of a block `reaches` the extremum so far is a question that is
/// vectorised, and for most blocks the answer is no.
///
/// False if the loop as it is written must settle the bits of the result, those of a zero or NaN.
#[inline(always)]
pub fn extremum<I, T: Scalar>(
    (tape, turns): (&mut Tape<(I, Pick)>, &mut usize),
    entries: &[T],
    item: impl Fn(usize) -> I,
    a: &mut T,
    select: impl Fn(T, T) -> T,
    reaches: impl Fn(&T, &T) -> bool,
    replaced: Pick,
) -> bool {
    // In a register: behind the reference each comparison would read it again.
    let mut m = *a;
    let mut trip = |m: &mut T, k: usize, x: &T| {
        let before = *m;
        if !reaches(x, &before) && !before.is_nan() {
            return;
        }
        *m = select(before, *x);
        if x != m {
            return;
        }
        let pick = if *m == before { Pick::Tie } else { replaced };
        if pick != Pick::Tie {
            tape.drop_last(*turns);
            *turns = 0;
        }
        tape.push((item(k), pick));
        *turns += 1;
    };
    let (blocks, rest) = entries.as_chunks::<COMPARED>();
    for (b, block) in blocks.iter().enumerate() {
        let any = |any, x| any | reaches(x, &m);
        if block.iter().fold(m.is_nan(), any) {
            for (k, x) in block.iter().enumerate() {
                trip(&mut m, COMPARED * b + k, x);
            }
        }
    }
    for (k, x) in rest.iter().enumerate() {
        trip(&mut m, COMPARED * blocks.len() + k, x);
    }
    *a = m;
    m != T::ZERO && !m.is_nan()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_counted_as_they_run() {
        assert_eq!(count(&(-3i8..100)), (-3i8..100).len());
        assert_eq!(
            count(&Range {
                start: 5u64,
                end: 2
            }),
            0
        );
        assert_eq!(count(&(2..=5)), 4);
        assert_eq!(count(&RangeInclusive::new(5, 4)), 0);
        assert_eq!(count(&(i8::MIN..i8::MAX)), 255);
        assert_eq!(nth(&(-3i64..9), 5), 2);
        assert_eq!(trips(&(4..9usize)), 5);
    }

    #[test]
    fn a_window_without_trips_asks_for_no_start() {
        let empty: &[f64] = window(&[], 0, || unreachable!());
        assert!(empty.is_empty());
        assert_eq!(window(&[1, 2, 3, 4], 2, || 1), [2, 3]);
        assert_eq!(*block(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 1), [4, 5, 6, 7]);
    }

    #[test]
    fn parts_found_afterwards_are_those_found_on_the_way() {
        let nan = f64::NAN;
        for before in [f64::NEG_INFINITY, -0.0, 2.0, nan] {
            for xs in [
                [1.0, 2.0, 2.0],
                [2.0, 1.0, 2.0],
                [nan, 0.0, -0.0],
                [-1.0, nan, -1.0],
                [nan; 3],
            ] {
                let (mut tape, mut turns, mut m) = (Tape::new(), 0, before);
                for (i, x) in xs.iter().enumerate() {
                    let pick = crate::ad::max::sel(&m, x);
                    m = m.max(*x);
                    turn(&mut tape, &mut turns, (i, pick), pick, Pick::Left);
                }
                let (mut other, mut found) = (Tape::new(), before);
                other.push((99, Pick::Tie));
                let mut latest = Latest::new(&other, Pick::Left);
                for (i, x) in xs.iter().enumerate() {
                    if *x < found || found < *x {
                        latest.replaced(*x > found, i);
                    } else {
                        latest.turn(&mut other, i, crate::ad::max::sel(&found, x));
                    }
                    found = found.max(*x);
                }
                assert_eq!(latest.finish(&mut other), turns);
                let mut again = tape.clone();
                while let Some(entry) = again.try_pop() {
                    assert_eq!(other.pop(), entry, "max of {xs:?} and {before}");
                }
                assert_eq!(other.pop(), (99, Pick::Tie));
                let (mut other, mut count) = (Tape::new(), 0);
                for (i, x) in xs.iter().enumerate() {
                    had_part(&mut other, &mut count, i, x, &m, &before, Pick::Right);
                }
                assert_eq!(count, turns);
                while let Some(entry) = tape.try_pop() {
                    assert_eq!(other.pop(), entry, "max of {xs:?} and {before}");
                }
            }
        }
    }

    #[test]
    fn parts_among_blocks_are_those_found_on_the_way() {
        // Few values, so that there are ties; NaN, infinities and both zeros among them.
        let values = [
            1.0,
            -1.0,
            0.0,
            -0.0,
            2.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        let mut state = 7u64;
        let mut random = move |n: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % n
        };
        for round in 0..2000 {
            let known = 1 + random(values.len());
            let entries: Vec<f64> = (0..random(150))
                .map(|_| match random(3) {
                    0 => values[random(known)],
                    _ => -3.0,
                })
                .collect();
            let before = values[random(values.len())];
            let max = round % 2 == 0;
            let (mut tape, mut turns, mut m) = (Tape::new(), 0, before);
            for (i, x) in entries.iter().enumerate() {
                let pick = match max {
                    true => crate::ad::max::sel(&m, x),
                    false => crate::ad::min::sel(&m, x),
                };
                m = if max { m.max(*x) } else { m.min(*x) };
                turn(&mut tape, &mut turns, (i, pick), pick, Pick::Left);
            }
            let (mut other, mut count, mut found) = (Tape::new(), 0, before);
            let settled = extremum(
                (&mut other, &mut count),
                &entries,
                |k| k,
                &mut found,
                |m, x| if max { m.max(x) } else { m.min(x) },
                |x, m| if max { x >= m } else { x <= m },
                Pick::Right,
            );
            assert_eq!(settled, !m.is_nan() && m != 0.0, "{entries:?} and {before}");
            assert!(found == m || found.is_nan() && m.is_nan());
            assert_eq!(count, turns, "{entries:?} and {before}");
            while let Some(entry) = tape.try_pop() {
                assert_eq!(other.pop(), entry, "{entries:?} and {before}");
            }
        }
    }

    #[test]
    fn turns_start_anew_with_each_replacement() {
        let mut tape = Tape::new();
        tape.push((99, Pick::Right));
        let mut turns = 0;
        for (i, pick) in [Pick::Right, Pick::Tie, Pick::Left, Pick::Right, Pick::Tie]
            .into_iter()
            .enumerate()
        {
            turn(&mut tape, &mut turns, (i, pick), pick, Pick::Left);
        }
        assert_eq!(turns, 2);
        assert_eq!(tape.pop(), (4, Pick::Tie));
        assert_eq!(tape.pop(), (3, Pick::Right));
        assert_eq!(tape.pop(), (99, Pick::Right));
    }
}
