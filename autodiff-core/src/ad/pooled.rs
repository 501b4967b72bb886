//! A pullback without its type, in memory of the thread's pool.
//!
//! A `Box<dyn FnOnce(..)>` would do, but for two things: it cannot be cloned, and it comes from the
//! general allocator, where a recursive function spends most of its time (see [`pool`]). A box of our
//! own cannot be called as `dyn FnOnce`. So the block in memory has the pullback, and beside it a
//! closure that takes the pullback out and calls it: that closure is the `dyn FnMut(..)` that is called.

use super::pool;
use core::alloc::Layout;
use core::fmt::{self, Debug, Formatter};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
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
    /// Writes a pointer to the closure in the block, as `*mut F`.
    function: unsafe fn(NonNull<Head>, *mut ()),
    again: unsafe fn(NonNull<Head>) -> NonNull<Head>,
    drop: unsafe fn(NonNull<Head>),
}

#[repr(C)] // the head first
struct Block<P, C, M, T> {
    head: Head,
    pullback: Option<P>,
    call: C,
    /// What made `call`, and forgets its type: functions without a size.
    make: M,
    forget: T,
}

/// Where the pullback is, for the closure beside it.
pub struct InPool<P>(NonNull<Option<P>>);

impl<P> InPool<P> {
    /// Takes the pullback out.
    ///
    /// # Panics
    /// If that was done before.
    #[inline(always)]
    pub fn take(&mut self) -> P {
        // SAFETY: `place` makes an `InPool` for the closure of the same block alone, which is called
        // by `&mut Pooled`: the block is there, and nobody else uses it meanwhile.
        let pullback = unsafe { self.0.as_mut() };
        pullback.take().expect("a pullback is called once")
    }
}

/// The actions of the blocks of these types.
struct Of<P, C, M, T, F: ?Sized>(PhantomData<(P, C, M, T, Box<F>)>);

impl<P, C, M, T, F> Of<P, C, M, T, F>
where
    P: Clone,
    M: Fn(InPool<P>) -> C + Copy,
    T: Fn(*mut C) -> *mut F + Copy,
    F: ?Sized,
{
    const LAYOUT: Layout = Layout::new::<Block<P, C, M, T>>();

    /// Puts a pullback into memory of the pool.
    #[inline(always)]
    fn place(pullback: P, make: M, forget: T) -> NonNull<Head> {
        let block = pool::get_block(Self::LAYOUT).cast::<Block<P, C, M, T>>();
        let to = block.as_ptr();
        // SAFETY: the memory has the size and alignment of a block and is ours; every field is written
        // before a reference to it exists.
        unsafe {
            let inside = NonNull::new_unchecked(addr_of_mut!((*to).pullback));
            inside.write(Some(pullback));
            addr_of_mut!((*to).head).write(Head {
                actions: &Actions {
                    function: Self::function,
                    again: Self::again,
                    drop: Self::drop,
                },
            });
            addr_of_mut!((*to).call).write(make(InPool(inside)));
            addr_of_mut!((*to).make).write(make);
            addr_of_mut!((*to).forget).write(forget);
        }
        block.cast()
    }

    /// Writes a pointer to the closure.
    ///
    /// # Safety
    /// `place` made the block with these types, and `to` has room for a `*mut F`.
    unsafe fn function(block: NonNull<Head>, to: *mut ()) {
        let block = block.cast::<Block<P, C, M, T>>().as_ptr();
        // SAFETY: by the contract. `forget` can only return the address that it gets: there is no other of its type.
        unsafe {
            let function: *mut F = ((*block).forget)(addr_of_mut!((*block).call));
            to.cast::<*mut F>().write(function);
        }
    }

    /// A second block with a clone of the pullback.
    ///
    /// # Safety
    /// `place` made the block with these types.
    unsafe fn again(block: NonNull<Head>) -> NonNull<Head> {
        // SAFETY: by the contract.
        let block = unsafe { block.cast::<Block<P, C, M, T>>().as_ref() };
        let pullback = block.pullback.clone();
        let pullback = pullback.expect("a pullback that was called is not cloned");
        Self::place(pullback, block.make, block.forget)
    }

    /// Drops the block and gives its memory back.
    ///
    /// # Safety
    /// `place` made the block with these types, and it is not used again.
    unsafe fn drop(block: NonNull<Head>) {
        let block = block.cast::<Block<P, C, M, T>>();
        // SAFETY: by the contract.
        unsafe {
            block.drop_in_place();
            pool::put_block(block.cast(), Self::LAYOUT);
        }
    }
}

impl<'h, F: ?Sized + 'h> Pooled<'h, F> {
    /// Puts a pullback into memory of the pool. `make` makes the closure that calls it from where it
    /// is, and `forget` returns its argument with less type.
    #[inline(always)]
    pub fn new<P: Clone + 'h, C: 'h>(
        pullback: P,
        make: impl Fn(InPool<P>) -> C + Copy + 'h,
        forget: impl Fn(*mut C) -> *mut F + Copy + 'h,
    ) -> Self {
        Pooled {
            block: Of::place(pullback, make, forget),
            holds: PhantomData,
        }
    }
}

impl<F: ?Sized> Pooled<'_, F> {
    /// The function. It is called once.
    #[inline(always)]
    pub fn function(&mut self) -> &mut F {
        let mut function = MaybeUninit::<*mut F>::uninit();
        // SAFETY: `place` made the block, with the types that `function` knows, for this `F`. The block is ours, and the
        // closure in it is borrowed as long as `self` is.
        unsafe {
            (self.block.as_ref().actions.function)(self.block, function.as_mut_ptr().cast());
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
    #[inline]
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
            let mut one = placed(move |x, to: &mut Vec<f64>| {
                to.push(x * numbers.iter().sum::<f64>());
                std::mem::drop(held);
            });
            let mut two = one.clone();
            let unused = one.clone();
            assert_eq!(std::rc::Rc::strong_count(&kept), 4);
            let mut to = vec![];
            one.function()(3.0, &mut to);
            two.function()(4.0, &mut to);
            assert_eq!(to, [6.0 * bytes as f64, 8.0 * bytes as f64]);
            std::mem::drop((one, two, unused));
            assert_eq!(std::rc::Rc::strong_count(&kept), 1);
        }
    }

    #[test]
    fn a_pullback_too_large_for_the_pool_has_memory_of_its_own() {
        let (kept, numbers) = (std::rc::Rc::new(()), [2.0; 4096]);
        let held = kept.clone();
        let before = pool::kept_memory();
        let mut one = placed(move |x, to: &mut Vec<f64>| {
            to.push(x * numbers.iter().sum::<f64>());
            std::mem::drop(held);
        });
        let (mut two, mut to) = (one.clone(), vec![]);
        one.function()(1.0, &mut to);
        two.function()(2.0, &mut to);
        assert_eq!(to, [8192.0, 16384.0]);
        std::mem::drop((one, two));
        assert_eq!(std::rc::Rc::strong_count(&kept), 1);
        assert_eq!(pool::kept_memory(), before);
    }

    #[test]
    #[should_panic(expected = "a pullback is called once")]
    fn a_second_call_is_an_error() {
        let mut one = placed(|_, _| ());
        one.function()(1.0, &mut vec![]);
        one.function()(1.0, &mut vec![]);
    }
}
