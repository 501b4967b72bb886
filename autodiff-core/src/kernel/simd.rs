//! Loops compiled for wider vectors than the build's baseline, chosen at run time.
//!
//! Every level runs the same operations in the same order on each element, and never contracts a
//! product and a sum, so results do not depend on the processor: `tests/simd.rs` compares the bits.
//! How far each function is from the exact value stands in `docs/book/src/reference/accuracy.md`.
//!
//! The level is the best that the processor has. `DIFFERENTIABLE_SIMD=avx512`, `avx2` or `baseline` in
//! the environment caps it: a level that the processor lacks gives the best below it, another value is a
//! panic at the first operation. It is read once. Matrix products, factorisations and Fourier
//! transforms choose their instructions themselves.

use crate::device::Elem;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// A set of instructions, the narrowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Level {
    /// What the program was compiled for: on x86-64, vectors of 128 bits unless flags say more.
    Baseline = 1,
    /// 256 bits.
    Avx2,
    /// 512 bits: AVX-512 F, VL, DQ and BW.
    Avx512,
}

impl Level {
    /// All levels, the narrowest first.
    pub const ALL: [Level; 3] = [Level::Baseline, Level::Avx2, Level::Avx512];

    /// The name in the environment.
    pub fn name(self) -> &'static str {
        match self {
            Level::Baseline => "baseline",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// The best level of this processor.
    pub fn of_processor() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let wide = has!("avx512f") && has!("avx512vl") && has!("avx512dq") && has!("avx512bw");
            if has!("avx2") && wide {
                return Level::Avx512;
            }
            if has!("avx2") {
                return Level::Avx2;
            }
        }
        Level::Baseline
    }
}

/// The variable of the environment that caps the level.
const VARIABLE: &str = "DIFFERENTIABLE_SIMD";

/// The level in use; 0 until it is known. Never above that of the processor.
static LEVEL: AtomicU8 = AtomicU8::new(0);

/// The level in use.
///
/// # Panics
/// If `DIFFERENTIABLE_SIMD` is set to something that is no level.
#[inline(always)]
pub fn level() -> Level {
    match LEVEL.load(Relaxed) {
        3 => Level::Avx512,
        2 => Level::Avx2,
        1 => Level::Baseline,
        _ => first(),
    }
}

#[cold]
#[inline(never)]
fn first() -> Level {
    let named = std::env::var_os(VARIABLE);
    let cap = named.map_or(Level::Avx512, |name| {
        let name = name.to_string_lossy();
        parse(&name).unwrap_or_else(|| {
            panic!("{VARIABLE} is `{name}`: expected `avx512`, `avx2` or `baseline`")
        })
    });
    let level = cap.min(Level::of_processor());
    LEVEL.store(level as u8, Relaxed);
    level
}

fn parse(name: &str) -> Option<Level> {
    Level::ALL.into_iter().find(|l| l.name() == name)
}

/// Runs `f` with the whole process at the level, also the threads that `f` makes work, whatever the
/// environment says; `None` if the processor lacks it. For tests; calls wait for each other, and must not be
/// nested.
#[doc(hidden)]
pub fn at_level<R>(level: Level, f: impl FnOnce() -> R) -> Option<R> {
    static ONE: Mutex<()> = Mutex::new(());
    struct Back(u8);
    impl Drop for Back {
        fn drop(&mut self) {
            LEVEL.store(self.0, Relaxed);
        }
    }
    if level > Level::of_processor() {
        return None;
    }
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let _back = Back(LEVEL.swap(level as u8, Relaxed));
    Some(f())
}

/// Runs `f`, a loop over elements `T`, compiled for the level in use.
///
/// `f` has to be inlined to profit: write `vectorize::<T, _>(#[inline(always)] || …)`. Loops over elements that are
/// several numbers are compiled for the baseline alone: those are compiled in the user's crate, and wider vectors
/// gain little where neighbours are not numbers of the same kind.
#[inline(always)]
pub fn vectorize<T: Elem, R>(f: impl FnOnce() -> R) -> R {
    if const { T::COMPOSITE } {
        return f();
    }
    match level() {
        // SAFETY: the level is one that the processor has, and so are its instructions.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512(f) },
        // SAFETY: likewise.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { avx2(f) },
        _ => f(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names() {
        for level in Level::ALL {
            assert_eq!(parse(level.name()), Some(level));
        }
        assert_eq!([parse("AVX2"), parse(""), parse("sse")], [None; 3]);
    }

    #[test]
    fn a_level_is_forced_and_given_back() {
        let best = Level::of_processor();
        for l in Level::ALL {
            let found = at_level(l, || std::thread::spawn(level).join().unwrap());
            assert_eq!(found, (l <= best).then_some(l));
        }
        let thrown = std::panic::catch_unwind(|| at_level(Level::Baseline, || panic!("here")));
        assert!(thrown.is_err());
    }
}
