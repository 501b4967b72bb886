//! Loops compiled for wider vectors than the build's baseline, chosen at run time.
//!
//! Every level runs the same operations in the same order on each element, and never contracts a
//! product and a sum, so results do not depend on the processor.

/// Runs `f`, compiled for the best instruction set of this processor.
///
/// `f` has to be inlined to profit: write `vectorize(#[inline(always)] || …)`.
#[inline(always)]
pub fn vectorize<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx512f") && has!("avx512vl") && has!("avx512dq") && has!("avx512bw") {
            // SAFETY: the processor has these features.
            return unsafe { avx512(f) };
        }
        if has!("avx2") {
            // SAFETY: the processor has this feature.
            return unsafe { avx2(f) };
        }
    }
    f()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2")]
fn avx512<R>(f: impl FnOnce() -> R) -> R {
    f()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<R>(f: impl FnOnce() -> R) -> R {
    f()
}
