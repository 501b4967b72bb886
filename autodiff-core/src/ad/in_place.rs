//! Another value in the memory of a box.

use core::alloc::Layout;
use core::mem::MaybeUninit;

/// A box of what `f` makes of what is in a box: in the same memory, where both have one size and alignment.
///
/// A gradient of a tree of boxes is made of the accumulators of the tree, one by one.
#[inline]
pub(crate) fn map_box<A, B>(from: Box<A>, f: impl FnOnce(A) -> B) -> Box<B> {
    if Layout::new::<A>() != Layout::new::<B>() {
        return Box::new(f(*from));
    }
    let at = Box::into_raw(from);
    // SAFETY: `at` comes from a box, so that it is valid, aligned and holds a value; nothing reads that again.
    let value = unsafe { at.read() };
    // SAFETY: the memory was allocated by the global allocator with the layout of `A`, which is that of `B`, and
    // `MaybeUninit<B>` needs no value. If `f` panics, the box frees it without dropping what is in it.
    let room = unsafe { Box::from_raw(at.cast::<MaybeUninit<B>>()) };
    Box::write(room, f(value))
}

#[cfg(test)]
mod tests {
    use super::map_box;

    #[test]
    fn one_size_and_another() {
        let number = Box::new(1.5f64);
        let at: *const f64 = &*number;
        let bits = map_box(number, f64::to_bits);
        assert_eq!(*bits, 1.5f64.to_bits());
        assert_eq!((&raw const *bits).cast(), at);
        assert_eq!(*map_box(Box::new(3u8), |n| vec![n; 2]), [3, 3]);
        assert_eq!(*map_box(Box::new(()), |()| ()), ());
    }

    #[test]
    fn a_panic_frees_the_memory_once() {
        let of = Box::new(vec![1, 2]);
        let panicked = std::panic::catch_unwind(|| {
            map_box(of, |v: Vec<i32>| -> Vec<u8> { panic!("{}", v.len()) })
        });
        assert!(panicked.is_err());
    }
}
