//! Arithmetic of several numbers at once, for [`Batch`](super::Batch): two `f64` lie in one register of x86-64.
//!
//! The compiler makes vectors of scalar code by itself, but pairs numbers as they come, not lane by lane, and then
//! spends an instruction in four on moving them about.

/// Applies `op` in each lane.
#[inline(always)]
pub(super) fn each<T: Copy, const N: usize>(
    mut a: [T; N],
    b: [T; N],
    op: impl Fn(T, T) -> T,
) -> [T; N] {
    for k in 0..N {
        a[k] = op(a[k], b[k]);
    }
    a
}

// The methods of `Scalar` for lanes, of `f64`; elsewhere and for other types they are loops.
macro_rules! of_f64 {
    () => {
        $crate::ad::lanes::of_f64!(add_lanes _mm_add_pd +);
        $crate::ad::lanes::of_f64!(sub_lanes _mm_sub_pd -);
        $crate::ad::lanes::of_f64!(mul_lanes _mm_mul_pd *);
        $crate::ad::lanes::of_f64!(div_lanes _mm_div_pd /);

        #[cfg(target_arch = "x86_64")]
        #[inline(always)]
        fn where_zero_lanes<const N: usize>(t: [f64; N], zero: [f64; N], other: [f64; N]) -> [f64; N] {
            $crate::ad::lanes::two::where_zero(t, zero, other)
        }
    };
    ($name:ident $intrinsic:ident $op:tt) => {
        #[cfg(target_arch = "x86_64")]
        #[inline(always)]
        fn $name<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
            // SAFETY: SSE2 is a part of x86-64.
            let two = |a, b| unsafe { core::arch::x86_64::$intrinsic(a, b) };
            $crate::ad::lanes::two::each(a, b, two, |a, b| a $op b)
        }
    };
}
pub(super) use of_f64;

#[cfg(target_arch = "x86_64")]
pub(super) mod two {
    use core::arch::x86_64::{
        __m128d, _mm_and_pd, _mm_andnot_pd, _mm_cmpeq_pd, _mm_loadu_pd, _mm_or_pd, _mm_setzero_pd,
        _mm_storeu_pd,
    };

    #[inline(always)]
    fn load(two: &[f64; 2]) -> __m128d {
        // SAFETY: SSE2 is a part of x86-64; the array has the two numbers that are read.
        unsafe { _mm_loadu_pd(two.as_ptr()) }
    }

    #[inline(always)]
    fn store(two: __m128d, to: &mut [f64; 2]) {
        // SAFETY: SSE2 is a part of x86-64; the array has room for the two numbers that are written.
        unsafe { _mm_storeu_pd(to.as_mut_ptr(), two) }
    }

    /// Applies an operation to two lanes at a time, and to the last one if their number is odd.
    #[inline(always)]
    pub(in crate::ad) fn each<const N: usize>(
        mut a: [f64; N],
        b: [f64; N],
        two: impl Fn(__m128d, __m128d) -> __m128d,
        one: impl Fn(f64, f64) -> f64,
    ) -> [f64; N] {
        let ((a_twos, a_last), (b_twos, b_last)) = (a.as_chunks_mut(), b.as_chunks());
        for (a, b) in a_twos.iter_mut().zip(b_twos) {
            store(two(load(a), load(b)), a);
        }
        for (a, b) in a_last.iter_mut().zip(b_last) {
            *a = one(*a, *b);
        }
        a
    }

    /// The lanes of `zero` where `t` is zero, elsewhere those of `other`.
    #[inline(always)]
    pub(in crate::ad) fn where_zero<const N: usize>(
        t: [f64; N],
        zero: [f64; N],
        mut other: [f64; N],
    ) -> [f64; N] {
        let ((t_twos, t_last), (zeros, last_zero)) = (t.as_chunks(), zero.as_chunks());
        let (others, last) = other.as_chunks_mut();
        for ((t, zero), other) in t_twos.iter().zip(zeros).zip(others) {
            // SAFETY: SSE2 is a part of x86-64.
            let chosen = unsafe {
                let is_zero = _mm_cmpeq_pd(load(t), _mm_setzero_pd());
                _mm_or_pd(
                    _mm_and_pd(is_zero, load(zero)),
                    _mm_andnot_pd(is_zero, load(other)),
                )
            };
            store(chosen, other);
        }
        for ((t, zero), other) in t_last.iter().zip(last_zero).zip(last) {
            if *t == 0.0 {
                *other = *zero;
            }
        }
        other
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scalar;

    const NUMBERS: [f64; 9] = [
        0.0,
        -0.0,
        1.5,
        -3.0,
        5e-324,
        1e308,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];

    fn lanes<const N: usize>() {
        let same = |found: [f64; N], expected: [f64; N]| {
            // NaN has a sign that an operation need not keep.
            let bits = |x: [f64; N]| x.map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() });
            assert_eq!(bits(found), bits(expected));
        };
        for shift in 0..NUMBERS.len() {
            let a: [f64; N] = core::array::from_fn(|k| NUMBERS[k % 9]);
            let b: [f64; N] = core::array::from_fn(|k| NUMBERS[(k * 2 + shift) % 9]);
            let of = |op: fn(f64, f64) -> f64| core::array::from_fn(|k| op(a[k], b[k]));
            same(f64::add_lanes(a, b), of(|a, b| a + b));
            same(f64::sub_lanes(a, b), of(|a, b| a - b));
            same(f64::mul_lanes(a, b), of(|a, b| a * b));
            same(f64::div_lanes(a, b), of(|a, b| a / b));
            let chosen = core::array::from_fn(|k| if b[k] == 0.0 { a[k] } else { b[k] });
            same(f64::where_zero_lanes(b, a, b), chosen);
        }
    }

    #[test]
    fn each_lane_is_a_number_of_its_own() {
        lanes::<0>();
        lanes::<1>();
        lanes::<2>();
        lanes::<3>();
        lanes::<4>();
        lanes::<9>();
    }
}
