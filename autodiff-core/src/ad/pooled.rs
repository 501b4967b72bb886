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
use core::ptr::{NonNull, addr_of_mut};

/// A pullback in memory of the pool, which is called as the function `F`; what it holds lives for `'h`.
pub struct Pooled<'h, F: ?Sized> {
    /// The closure in the block.
    function: NonNull<F>,
    /// The whole block, of which only the beginning is known here.
    block: NonNull<Actions<F>>,
    holds: PhantomData<(&'h (), Box<F>)>,
}

/// The closure in a block, and the block.
type Parts<F> = (NonNull<F>, NonNull<Actions<F>>);

/// How a block is cloned and dropped by somebody who does not know its type.
struct Actions<F: ?Sized> {
    /// The true size of the memory.
    bytes: usize,
    again: unsafe fn(NonNull<Self>) -> Parts<F>,
    drop: unsafe fn(NonNull<Self>),
}

#[repr(C)] // the actions first
struct Block<P, C, F: ?Sized> {
    actions: Actions<F>,
    /// What made `call`, and forgets its type: a clone needs them again.
    make: fn(InPool<P>) -> C,
    forget: fn(*mut C) -> *mut F,
    pullback: Option<P>,
    call: C,
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

/// Puts a pullback into memory of the pool. `make` makes the closure that calls it from where it is,
/// and `forget` returns its argument with less type.
fn place<P: Clone, C, F: ?Sized>(
    pullback: P,
    make: fn(InPool<P>) -> C,
    forget: fn(*mut C) -> *mut F,
) -> Parts<F> {
    let layout = Layout::new::<Block<P, C, F>>();
    let (block, bytes) = pool::get(layout.size(), layout.align());
    let block = block.cast::<Block<P, C, F>>();
    let to = block.as_ptr();
    // SAFETY: the memory has the size and alignment of a block and is ours; every field is written
    // before a reference to it exists. `forget` can only return the address that it gets: there is no
    // other of its type.
    unsafe {
        let inside = NonNull::new_unchecked(addr_of_mut!((*to).pullback));
        let actions = Actions {
            bytes,
            again: again::<P, C, F>,
            drop: drop::<P, C, F>,
        };
        addr_of_mut!((*to).actions).write(actions);
        addr_of_mut!((*to).make).write(make);
        addr_of_mut!((*to).forget).write(forget);
        inside.write(Some(pullback));
        let call = addr_of_mut!((*to).call);
        call.write(make(InPool(inside)));
        (NonNull::new_unchecked(forget(call)), block.cast())
    }
}

/// A second block with a clone of the pullback.
///
/// # Safety
/// `place` made the block with these types.
unsafe fn again<P: Clone, C, F: ?Sized>(block: NonNull<Actions<F>>) -> Parts<F> {
    // SAFETY: by the contract.
    let block = unsafe { block.cast::<Block<P, C, F>>().as_ref() };
    let pullback = block.pullback.clone();
    let pullback = pullback.expect("a pullback that was called is not cloned");
    place(pullback, block.make, block.forget)
}

/// Drops the block and gives its memory back.
///
/// # Safety
/// `place` made the block with these types, and it is not used again.
unsafe fn drop<P, C, F: ?Sized>(block: NonNull<Actions<F>>) {
    let align = align_of::<Block<P, C, F>>();
    let block = block.cast::<Block<P, C, F>>();
    // SAFETY: by the contract; `place` noted the true size of the memory.
    unsafe {
        let bytes = block.as_ref().actions.bytes;
        block.drop_in_place();
        pool::put(block.cast(), bytes, align);
    }
}

impl<'h, F: ?Sized + 'h> Pooled<'h, F> {
    /// Puts a pullback into memory of the pool. `make` makes the closure that calls it from where it
    /// is, and `forget` returns its argument with less type.
    #[inline]
    pub fn new<P: Clone + 'h, C: 'h>(
        pullback: P,
        make: fn(InPool<P>) -> C,
        forget: fn(*mut C) -> *mut F,
    ) -> Self {
        let (function, block) = place(pullback, make, forget);
        Pooled {
            function,
            block,
            holds: PhantomData,
        }
    }
}

impl<F: ?Sized> Pooled<'_, F> {
    /// The function. It is called once.
    #[inline(always)]
    pub fn function(&mut self) -> &mut F {
        // SAFETY: the block is ours, and the closure in it is borrowed as long as `self` is.
        unsafe { self.function.as_mut() }
    }
}

impl<F: ?Sized> Clone for Pooled<'_, F> {
    fn clone(&self) -> Self {
        // SAFETY: `place` made the block, with the types that `again` knows.
        let (function, block) = unsafe { (self.block.as_ref().again)(self.block) };
        Pooled {
            function,
            block,
            holds: PhantomData,
        }
    }
}

impl<F: ?Sized> Drop for Pooled<'_, F> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: `place` made the block, with the types that `drop` knows, and it ends here.
        unsafe { (self.block.as_ref().drop)(self.block) }
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
        Pooled::new(
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
    #[should_panic(expected = "a pullback is called once")]
    fn a_second_call_is_an_error() {
        let mut one = placed(|_, _| ());
        one.function()(1.0, &mut vec![]);
        one.function()(1.0, &mut vec![]);
    }
}
