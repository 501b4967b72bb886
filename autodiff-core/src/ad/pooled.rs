//! A pullback without its type, in memory of the thread's pool.
//!
//! A `Box<dyn FnOnce(..)>` would do, but for two things: it cannot be cloned, and it comes from the
//! general allocator, where a recursive function spends most of its time (see [`pool`]). A box of our
//! own cannot be called as `dyn FnOnce`. So the caller has [`CallRoom`] for a closure that takes the pullback out of its
//! block and calls it: that closure is the `dyn FnMut(..)` that is called. The block is given back before the pullback
//! runs, so that the blocks of the calls that it made are the last ones of the pool.

use super::pool;
use core::alloc::Layout;
use core::fmt::{self, Debug, Formatter};
use core::marker::PhantomData;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr::{NonNull, addr_of_mut};

/// A pullback in memory of the pool, which is called as the function `F`; what it holds lives for `'h`.
///
/// It is one pointer: recursive functions keep as many as they make calls, and are as slow as their memory is large.
pub struct Pooled<'h, F: ?Sized> {
    /// The block, of which only the beginning is known here.
    block: NonNull<Head>,
    holds: PhantomData<(&'h (), Box<F>)>,
}

/// The beginning of a block: what is done with it by somebody who does not know its type.
struct Head {
    actions: &'static Actions,
}

struct Actions {
    /// Writes the closure that calls the pullback into the room, and a pointer to it as `*mut F`.
    function: unsafe fn(NonNull<Head>, &mut CallRoom, *mut ()),
    again: unsafe fn(NonNull<Head>) -> NonNull<Head>,
    drop: unsafe fn(NonNull<Head>),
}

#[repr(C)] // the head first
struct Block<P> {
    head: Head,
    pullback: P,
}

impl<P> Block<P> {
    const LAYOUT: Layout = Layout::new::<Self>();

    /// Takes the pullback out and gives the memory back.
    ///
    /// # Safety
    /// `Of::place` made the block for a `P`, and it is not used again.
    #[inline(always)]
    unsafe fn take(block: NonNull<Head>) -> P {
        let block = block.cast::<Self>();
        // SAFETY: by the contract.
        unsafe {
            let pullback = addr_of_mut!((*block.as_ptr()).pullback).read();
            pool::put_block(block.cast(), Self::LAYOUT);
            pullback
        }
    }
}

/// Room for the closure that calls a pullback, which holds an [`InPool`].
#[derive(Debug)]
pub struct CallRoom(MaybeUninit<*const ()>);

impl CallRoom {
    /// Empty room.
    #[inline(always)]
    #[expect(clippy::new_without_default, reason = "used by expansions alone")]
    pub const fn new() -> Self {
        CallRoom(MaybeUninit::uninit())
    }
}

/// Where the pullback is, for the closure that calls it.
pub struct InPool<P> {
    block: Option<NonNull<Head>>,
    holds: PhantomData<P>,
}

impl<P> InPool<P> {
    /// Takes the pullback out.
    ///
    /// # Panics
    /// If that was done before.
    #[inline(always)]
    pub fn take(&mut self) -> P {
        let block = self.block.take().expect("a pullback is called once");
        // SAFETY: `Of::function` made this for a block of a `P`, which nobody else uses: its `Pooled` has forgotten it.
        unsafe { Block::take(block) }
    }
}

/// The actions of the blocks of these types. `make` and `forget` are functions without captures: their types are enough.
struct Of<P, C, M, T, F: ?Sized>(PhantomData<(P, C, M, T, Box<F>)>);

impl<P, C, M, T, F> Of<P, C, M, T, F>
where
    P: Clone,
    M: Fn(InPool<P>) -> C + Copy,
    T: Fn(*mut C) -> *mut F + Copy,
    F: ?Sized,
{
    /// Puts a pullback into memory of the pool.
    #[inline(always)]
    fn place(pullback: P) -> NonNull<Head> {
        const {
            assert!(size_of::<M>() == 0 && size_of::<T>() == 0);
            assert!(
                size_of::<C>() <= size_of::<CallRoom>()
                    && align_of::<C>() <= align_of::<CallRoom>()
            );
        }
        let block = pool::get_block(Block::<P>::LAYOUT).cast::<Block<P>>();
        let head = Head {
            actions: &Actions {
                function: Self::function,
                again: Self::again,
                drop: Self::drop,
            },
        };
        // SAFETY: the memory has the size and alignment of a block and is ours.
        unsafe { block.write(Block { head, pullback }) };
        block.cast()
    }

    /// Writes the closure, and a pointer to it.
    ///
    /// # Safety
    /// `place` made the block with these types; nobody but the closure uses it from now on. `to` has room for a `*mut F`.
    unsafe fn function(block: NonNull<Head>, room: &mut CallRoom, to: *mut ()) {
        let inside = InPool {
            block: Some(block),
            holds: PhantomData,
        };
        let place = room.0.as_mut_ptr().cast::<C>();
        // SAFETY: `new` was given a `make` and a `forget`. They have no size and may be copied, so that a copy can be read
        // from anywhere. The room is large enough (see `place`). `forget` can only return the address that it gets: there is
        // no other of its type.
        unsafe {
            let (make, forget) = (
                NonNull::<M>::dangling().read(),
                NonNull::<T>::dangling().read(),
            );
            place.write(make(inside));
            to.cast::<*mut F>().write(forget(place));
        }
    }

    /// A second block with a clone of the pullback.
    ///
    /// # Safety
    /// `place` made the block with these types.
    unsafe fn again(block: NonNull<Head>) -> NonNull<Head> {
        // SAFETY: by the contract.
        let block = unsafe { block.cast::<Block<P>>().as_ref() };
        Self::place(block.pullback.clone())
    }

    /// Drops the block and gives its memory back.
    ///
    /// # Safety
    /// `place` made the block with these types, and it is not used again.
    unsafe fn drop(block: NonNull<Head>) {
        let block = block.cast::<Block<P>>();
        // SAFETY: by the contract. It is dropped where it is: pullbacks of deep recursion would need a deep stack to be moved to.
        unsafe {
            block.drop_in_place();
            pool::put_block(block.cast(), Block::<P>::LAYOUT);
        }
    }
}

impl<'h, F: ?Sized + 'h> Pooled<'h, F> {
    /// Puts a pullback into memory of the pool. `make` makes the closure that calls it from where it
    /// is, and `forget` returns its argument with less type; neither captures anything.
    #[inline(always)]
    pub fn new<P: Clone + 'h, C: 'h>(
        pullback: P,
        make: impl Fn(InPool<P>) -> C + Copy + 'h,
        forget: impl Fn(*mut C) -> *mut F + Copy + 'h,
    ) -> Self {
        Pooled {
            block: placed(pullback, make, forget),
            holds: PhantomData,
        }
    }
}

/// [`Of::place`] with the types of these functions.
#[inline(always)]
fn placed<P: Clone, C, M, T, F: ?Sized>(pullback: P, _: M, _: T) -> NonNull<Head>
where
    M: Fn(InPool<P>) -> C + Copy,
    T: Fn(*mut C) -> *mut F + Copy,
{
    Of::<P, C, M, T, F>::place(pullback)
}

impl<F: ?Sized> Pooled<'_, F> {
    /// The function, which is called once and drops the pullback. What is not called is lost.
    #[inline(always)]
    pub fn function<'a>(self, room: &'a mut CallRoom) -> &'a mut F
    where
        Self: 'a,
    {
        let block = ManuallyDrop::new(self).block;
        let mut function = MaybeUninit::<*mut F>::uninit();
        // SAFETY: `place` made the block, with the types that `function` knows, for this `F`. The closure is in the room,
        // which is borrowed as long as the closure is; what it holds lives as long as `self`.
        unsafe {
            (block.as_ref().actions.function)(block, room, function.as_mut_ptr().cast());
            &mut *function.assume_init()
        }
    }
}

impl<F: ?Sized> Clone for Pooled<'_, F> {
    fn clone(&self) -> Self {
        // SAFETY: `place` made the block, with the types that `again` knows.
        let block = unsafe { (self.block.as_ref().actions.again)(self.block) };
        Pooled {
            block,
            holds: PhantomData,
        }
    }
}

impl<F: ?Sized> Drop for Pooled<'_, F> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: `place` made the block, with the types that `drop` knows, and it ends here.
        unsafe { (self.block.as_ref().actions.drop)(self.block) }
    }
}

impl<F: ?Sized> Debug for Pooled<'_, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pullback").finish_non_exhaustive()
    }
}

impl<P> Debug for InPool<P> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("InPool").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Function = dyn FnMut(f64, &mut Vec<f64>);

    fn placed<P: FnOnce(f64, &mut Vec<f64>) + Clone + 'static>(
        pullback: P,
    ) -> Pooled<'static, Function> {
        Pooled::<Function>::new(
            pullback,
            |mut inside| move |x: f64, to: &mut Vec<f64>| inside.take()(x, to),
            |call| call,
        )
    }

    #[test]
    fn a_pullback_is_called_cloned_and_dropped() {
        let kept = std::rc::Rc::new(());
        for bytes in [1_usize, 100, 3000] {
            let (held, numbers) = (kept.clone(), vec![2.0; bytes]);
            let one = placed(move |x, to: &mut Vec<f64>| {
                to.push(x * numbers.iter().sum::<f64>());
                std::mem::drop(held);
            });
            let two = one.clone();
            let unused = one.clone();
            assert_eq!(std::rc::Rc::strong_count(&kept), 4);
            let mut to = vec![];
            one.function(&mut CallRoom::new())(3.0, &mut to);
            two.function(&mut CallRoom::new())(4.0, &mut to);
            assert_eq!(to, [6.0 * bytes as f64, 8.0 * bytes as f64]);
            std::mem::drop(unused);
            assert_eq!(std::rc::Rc::strong_count(&kept), 1);
        }
    }

    #[test]
    fn a_pullback_too_large_for_the_pool_has_memory_of_its_own() {
        let (kept, numbers) = (std::rc::Rc::new(()), [2.0; 4096]);
        let held = kept.clone();
        let before = pool::kept_memory();
        let one = placed(move |x, to: &mut Vec<f64>| {
            to.push(x * numbers.iter().sum::<f64>());
            std::mem::drop(held);
        });
        let (two, mut to) = (one.clone(), vec![]);
        one.function(&mut CallRoom::new())(1.0, &mut to);
        two.function(&mut CallRoom::new())(2.0, &mut to);
        assert_eq!(to, [8192.0, 16384.0]);
        assert_eq!(std::rc::Rc::strong_count(&kept), 1);
        assert_eq!(pool::kept_memory(), before);
    }

    #[test]
    #[should_panic(expected = "a pullback is called once")]
    fn a_second_call_is_an_error() {
        let mut room = CallRoom::new();
        let one = placed(|_, _| ()).function(&mut room);
        one(1.0, &mut vec![]);
        one(1.0, &mut vec![]);
    }
}
