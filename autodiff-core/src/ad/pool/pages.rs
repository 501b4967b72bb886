//! Pages of vectors: the allocator of glibc is told to keep what a gradient frees.
//!
//! The vectors of a gradient belong to the user's program: cotangents become gradients, values are returned. They come
//! from the program's allocator and go back to it. glibc gives what was freed at the end of its heap back to the system
//! after each gradient, and allocations of more than 128 KiB in any case; the next gradient then waits for the system
//! to clear the same pages again. For a stencil on 200 by 200 points that was two thirds of the time, and half of it for thirty
//! grids of 5 KB each, freed one after the other. Other allocators keep pages for a while, so there is nothing to do for them.
//!
//! `mallopt(3)` has the two settings; a program that has set them in its environment keeps its own.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// The size of vectors, alone or together, from which on glibc's way is slow: it maps what is larger, and gives back what is
/// free beyond that.
pub(in crate::ad) const LARGE: usize = 128 << 10;

/// Freed memory that the process keeps at most at the end of its heap.
pub(super) const KEPT: usize = super::MAX_KEPT_BYTES;

static TOLD: AtomicBool = AtomicBool::new(false);
/// The bytes of vectors that were asked for before.
static SEEN: AtomicUsize = AtomicUsize::new(0);

/// To be called before a vector of a gradient is allocated: has an effect once.
#[inline(always)]
pub(in crate::ad) fn keep_for(bytes: usize) {
    if !TOLD.load(Relaxed) {
        count(bytes);
    }
}

#[cold]
#[inline(never)]
fn count(bytes: usize) {
    let seen = SEEN.fetch_add(bytes, Relaxed).saturating_add(bytes);
    if seen >= LARGE && !TOLD.swap(true, Relaxed) && !set_by_user() {
        system::keep(KEPT);
    }
}

/// Keeps so much from now on.
pub(super) fn limit(bytes: usize) {
    TOLD.store(true, Relaxed);
    if !set_by_user() {
        system::keep(bytes);
    }
}

/// Gives freed pages back to the system.
pub(super) fn release() {
    system::release();
}

/// Whether the environment says what glibc keeps.
fn set_by_user() -> bool {
    let own = [
        "MALLOC_TRIM_THRESHOLD_",
        "MALLOC_MMAP_THRESHOLD_",
        "MALLOC_TOP_PAD_",
    ];
    own.iter().any(|name| std::env::var_os(name).is_some())
        || std::env::var("GLIBC_TUNABLES").is_ok_and(|all| all.contains("glibc.malloc."))
}

#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod system {
    use core::ffi::c_int;

    /// The largest size that glibc takes for [`M_MMAP_THRESHOLD`].
    const MOST_ON_THE_HEAP: usize = 32 << 20;
    const M_TRIM_THRESHOLD: c_int = -1;
    const M_MMAP_THRESHOLD: c_int = -3;

    unsafe extern "C" {
        fn mallopt(param: c_int, value: c_int) -> c_int;
        fn malloc_trim(pad: usize) -> c_int;
    }

    pub(super) fn keep(bytes: usize) {
        let number = |bytes: usize| c_int::try_from(bytes).unwrap_or(c_int::MAX);
        let on_the_heap = bytes.clamp(super::LARGE, MOST_ON_THE_HEAP);
        // SAFETY: glibc's function for its own settings, which any thread may call at any time. An answer that it does not
        // take the number leaves things as they were, which costs time alone.
        unsafe {
            mallopt(M_TRIM_THRESHOLD, number(bytes.max(super::LARGE)));
            mallopt(M_MMAP_THRESHOLD, number(on_the_heap));
        }
    }

    pub(super) fn release() {
        // SAFETY: glibc's function, which gives free memory back and touches no other.
        unsafe {
            malloc_trim(0);
        }
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
mod system {
    pub(super) fn keep(_: usize) {}
    pub(super) fn release() {}
}
