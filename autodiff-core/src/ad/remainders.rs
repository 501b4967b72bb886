//! Remainders of sums, as the neighbours on a ring are found: `(i + 1) % n`, `(i + n - 1) % n`.
//!
//! The sum is most often below `n`, or below `2 n`. Two comparisons and a subtraction take a fraction of the time of a division,
//! which processors do one at a time. Where neither holds, the division is done.

/// An integer with remainders. `N` is the integer itself or a reference to it, as operators take both.
pub trait Remainder<N>: Sized {
    /// `self % n`.
    ///
    /// # Panics
    /// As `%` does: if `n` is zero, or for the least integer and -1.
    #[track_caller]
    fn remainder(self, n: N) -> Self;

    /// `self.rem_euclid(n)`.
    ///
    /// # Panics
    /// As `rem_euclid` does.
    #[track_caller]
    fn remainder_euclid(self, n: N) -> Self;
}

macro_rules! remainders {
    ($($t:ident)*) => { $(
        impl Remainder<$t> for $t {
            #[inline(always)]
            #[track_caller]
            #[allow(unused_comparisons, reason = "of unsigned integers with zero")]
            fn remainder(self, n: $t) -> $t {
                if 0 <= self && self < n {
                    return self;
                }
                // Of numbers above zero, the difference does not overflow.
                if 0 < n && n <= self && self - n < n {
                    return self - n;
                }
                self % n
            }

            #[inline(always)]
            #[track_caller]
            #[allow(unused_comparisons, reason = "of unsigned integers with zero")]
            fn remainder_euclid(self, n: $t) -> $t {
                if 0 <= self {
                    return self.remainder(n);
                }
                if 0 < n && 0 <= self + n {
                    return self + n;
                }
                self.rem_euclid(n)
            }
        }

        impl Remainder<&$t> for $t {
            #[inline(always)]
            #[track_caller]
            fn remainder(self, n: &$t) -> $t {
                self.remainder(*n)
            }

            #[inline(always)]
            #[track_caller]
            fn remainder_euclid(self, n: &$t) -> $t {
                self.remainder_euclid(*n)
            }
        }
    )* };
}
with_integers!(remainders);

/// `sum % n`.
#[inline(always)]
#[track_caller]
pub fn remainder<T: Remainder<N>, N>(sum: T, n: N) -> T {
    sum.remainder(n)
}

/// `sum.rem_euclid(n)`.
#[inline(always)]
#[track_caller]
pub fn remainder_euclid<T: Remainder<N>, N>(sum: T, n: N) -> T {
    sum.remainder_euclid(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn as_the_operators() {
        for a in i8::MIN..=i8::MAX {
            for n in i8::MIN..=i8::MAX {
                let same = |ours: fn(i8, i8) -> i8, theirs: Option<i8>| match theirs {
                    Some(r) => assert_eq!(ours(a, n), r, "{a} and {n}"),
                    // A few of them are enough.
                    None if a % 64 != 0 => {}
                    None => assert!(catch_unwind(|| ours(a, n)).is_err(), "{a} and {n}"),
                };
                same(remainder, a.checked_rem(n));
                same(remainder_euclid, a.checked_rem_euclid(n));
            }
        }
        for a in 0..=u8::MAX {
            for n in 1..=u8::MAX {
                assert_eq!(remainder(a, &n), a % n);
                assert_eq!(remainder_euclid(a, n), a % n);
            }
            assert!(catch_unwind(|| remainder(a, 0)).is_err());
        }
    }
}
