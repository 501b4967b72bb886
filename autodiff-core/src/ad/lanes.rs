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
