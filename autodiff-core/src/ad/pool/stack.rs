//! The smallest blocks, one after the other in chunks, as they are taken.
//!
//! A gradient by recursion takes a block for each call, and a second one for each call's loop. The reverse pass reads them
//! from the last to the first. Lists of free blocks hand them out in no order, so that each read waits for the memory: two
//! thirds of the reverse pass of a determinant by minors. Here the next block begins where the last one ends, so that the
//! processor fetches what comes next by itself, and a block costs no more than its bytes.
//!
//! A chunk counts its blocks, and is free when it has none. The last block of a chunk may be taken again at once. Others
//! wait for their chunk: a block that is kept for long keeps [`CHUNK`] bytes.

use super::{BUDGET, fresh};
use core::cell::Cell;
use core::ptr::{self, NonNull};
use core::sync::atomic::{
    AtomicIsize, AtomicU64, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed},
};
use std::alloc::{Layout, dealloc};

/// The alignment of every block, and what its size is a multiple of.
pub(super) const STEP: usize = 16;
/// The largest block.
pub(super) const LARGEST: usize = 1 << 10;
/// Chunks begin at multiples of this.
pub(super) const CHUNK: usize = 8 << 10;
/// Their size. With the 16 bytes that allocators write before each, glibc puts them side by side: no gap is left that it would
/// give to the program later, far from what it gave before.
const BYTES: usize = CHUNK - 16;
const LAYOUT: Layout = match Layout::from_size_align(BYTES, CHUNK) {
    Ok(layout) => layout,
    Err(_) => unreachable!(),
};

/// The beginning of a chunk; its blocks follow. All but the atomic fields belong to the owner.
#[repr(C, align(16))]
struct Chunk {
    /// The number of the thread that takes blocks from it; 0 if that thread has ended.
    owner: AtomicU64,
    /// The blocks that were taken, less those that the owner gave back.
    taken: Cell<isize>,
    /// The blocks that others gave back, less `taken` once the owner has ended.
    returned: AtomicIsize,
    /// Where the next block begins, while this is not the top chunk.
    top: Cell<*mut u8>,
    /// The chunk that was used before this one; of a spare chunk, the next spare one.
    below: Cell<*mut Chunk>,
    above: Cell<*mut Chunk>,
}

impl Chunk {
    /// The beginning of a chunk with so many blocks, in the memory of one; and where its first block begins.
    ///
    /// # Safety
    /// The memory has the layout of a chunk, and nobody else knows it.
    unsafe fn begin(
        memory: *mut Chunk,
        owner: u64,
        taken: isize,
        below: *mut Chunk,
    ) -> NonNull<u8> {
        // SAFETY: by the contract; there is room for the largest block behind it.
        unsafe {
            memory.write(Chunk {
                owner: AtomicU64::new(owner),
                taken: Cell::new(taken),
                returned: AtomicIsize::new(0),
                top: Cell::new(ptr::null_mut()),
                below: Cell::new(below),
                above: Cell::new(ptr::null_mut()),
            });
            NonNull::new_unchecked(memory.cast::<u8>().add(size_of::<Chunk>()))
        }
    }
}

/// The chunks of a thread.
struct Stack {
    /// Where the next block begins in the chunk `current`, and where that chunk ends; all are null if there is none.
    top: Cell<*mut u8>,
    end: Cell<*mut u8>,
    current: Cell<*mut Chunk>,
    /// Chunks without blocks, linked by `below`.
    spare: Cell<*mut Chunk>,
    /// Chunks with blocks.
    in_use: Cell<usize>,
    /// Look for chunks that others have emptied when so many are in use.
    look_at: Cell<usize>,
    /// The number of this thread. 0: it took no block so far, or it ends.
    id: Cell<u64>,
    ended: Cell<bool>,
}

thread_local! {
    // Without a destructor, so that a block costs no check whether the chunks are still there.
    static STACK: Stack = const {
        Stack {
            top: Cell::new(ptr::null_mut()),
            end: Cell::new(ptr::null_mut()),
            current: Cell::new(ptr::null_mut()),
            spare: Cell::new(ptr::null_mut()),
            in_use: Cell::new(0),
            look_at: Cell::new(LOOK_FIRST),
            id: Cell::new(0),
            ended: Cell::new(false),
        }
    };
    static END: End = const { End };
}

/// See [`Stack::look_at`].
const LOOK_FIRST: usize = 8;

/// The number of the last thread that has chunks.
static THREADS: AtomicU64 = AtomicU64::new(0);
/// How many blocks were given back by another thread than the one that took them.
static RETURNED: AtomicUsize = AtomicUsize::new(0);

/// Leaves the chunks to those who still have blocks when the thread ends.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        STACK.with(Stack::end);
    }
}

/// The size of a block for so many bytes.
#[inline(always)]
const fn size(bytes: usize) -> usize {
    bytes.next_multiple_of(STEP)
}

/// A block of at least `bytes` bytes, which is between 1 and [`LARGEST`], and its size.
#[inline(always)]
pub(super) fn get(bytes: usize) -> (NonNull<u8>, usize) {
    let bytes = size(bytes);
    let block = STACK.with(|stack| {
        let top = stack.top.get();
        if stack.end.get().addr() - top.addr() < bytes {
            return stack.get_above(bytes);
        }
        // SAFETY: there are so many bytes from `top` to the end of the top chunk, and the chunk is ours.
        unsafe {
            stack.top.set(top.add(bytes));
            let taken = &(*stack.current.get()).taken;
            taken.set(taken.get() + 1);
            NonNull::new_unchecked(top)
        }
    });
    (block, bytes)
}

/// Gives a block back.
///
/// # Safety
/// [`get`] returned it for so many bytes, or with this size, and it is not used again.
#[inline(always)]
pub(super) unsafe fn put(block: NonNull<u8>, bytes: usize) {
    let block = block.as_ptr();
    let chunk = block
        .map_addr(|address| address & !(CHUNK - 1))
        .cast::<Chunk>();
    STACK.with(|stack| {
        if chunk != stack.current.get() {
            // SAFETY: by the contract; `get` takes blocks from chunks.
            return unsafe { stack.put_elsewhere(chunk, block, bytes) };
        }
        // SAFETY: by the contract; the top chunk is ours.
        let others = unsafe { stack.count_down(chunk) };
        if others && block.wrapping_add(size(bytes)) == stack.top.get() {
            stack.top.set(block);
        }
    });
}

/// Gives all free chunks back to the allocator.
pub(super) fn release() {
    STACK.with(Stack::release);
}

/// How many chunks of this thread have blocks, as far as it knows.
#[cfg(test)]
pub(super) fn in_use() -> usize {
    STACK.with(|stack| stack.in_use.get())
}

impl Stack {
    /// A block from another chunk than the top one, which becomes the top one.
    #[cold]
    #[inline(never)]
    fn get_above(&self, bytes: usize) -> NonNull<u8> {
        if self.id.get() == 0 && !self.start() {
            return orphan();
        }
        if self.in_use.get() >= self.look_at.get() {
            self.look();
        }
        let chunk = self.spare.get();
        let chunk = match NonNull::new(chunk) {
            Some(spare) => {
                // SAFETY: a spare chunk is there, and ours.
                self.spare.set(unsafe { spare.as_ref() }.below.get());
                BUDGET.with(|budget| budget.give(BYTES));
                spare.as_ptr()
            }
            None => fresh(LAYOUT).as_ptr().cast::<Chunk>(),
        };
        let below = self.current.get();
        // SAFETY: the memory of a chunk, which nobody else knows. `below` is ours.
        unsafe {
            let first = Chunk::begin(chunk, self.id.get(), 1, below);
            if let Some(below) = below.as_ref() {
                below.top.set(self.top.get());
                below.above.set(chunk);
            }
            self.current.set(chunk);
            self.in_use.set(self.in_use.get() + 1);
            self.top.set(first.as_ptr().add(bytes));
            self.end.set(chunk.cast::<u8>().add(BYTES));
            first
        }
    }

    /// Gives the thread its number, and sees to it that its chunks are left to others when it ends. `false` if it ends already.
    fn start(&self) -> bool {
        if self.ended.get() || END.try_with(|_| ()).is_err() {
            return false;
        }
        self.id.set(THREADS.fetch_add(1, Relaxed) + 1);
        true
    }

    /// Gives back a block of a chunk that is not the top one: an older one, or one of another thread.
    ///
    /// # Safety
    /// The block is one of the chunk, and was not given back.
    #[cold]
    #[inline(never)]
    unsafe fn put_elsewhere(&self, chunk: *mut Chunk, block: *mut u8, bytes: usize) {
        // SAFETY: a chunk is there as long as one of its blocks was not given back. If it is of another thread, only atomic
        // fields are used.
        let this = unsafe { &*chunk };
        if this.owner.load(Relaxed) != self.id.get() || self.id.get() == 0 {
            RETURNED.fetch_add(1, Relaxed);
            if this.returned.fetch_add(1, AcqRel) == -1 {
                // SAFETY: the owner has ended, and this was the last block.
                unsafe { dealloc(chunk.cast(), LAYOUT) };
            }
            return;
        }
        // SAFETY: by the contract; the chunk is ours.
        let others = unsafe { self.count_down(chunk) };
        if others && block.wrapping_add(size(bytes)) == this.top.get() {
            this.top.set(block);
        }
    }

    /// Counts a block that is given back, and frees the chunk if it was the last. Whether it has others.
    ///
    /// # Safety
    /// The chunk is one in use of this thread.
    #[inline(always)]
    unsafe fn count_down(&self, chunk: *mut Chunk) -> bool {
        // SAFETY: a chunk in use is there.
        let this = unsafe { &*chunk };
        let taken = this.taken.get() - 1;
        this.taken.set(taken);
        let others = taken != this.returned.load(Acquire);
        if !others {
            // SAFETY: all its blocks were given back.
            unsafe { self.free(chunk) };
        }
        others
    }

    /// Takes an empty chunk out of those in use, and keeps it or gives it back to the allocator.
    ///
    /// # Safety
    /// It is a chunk in use of this thread, and all its blocks were given back.
    #[cold]
    #[inline(never)]
    unsafe fn free(&self, chunk: *mut Chunk) {
        // SAFETY: chunks in use are there, and ours; so are those below and above them.
        unsafe {
            let (below, above) = ((*chunk).below.get(), (*chunk).above.get());
            if let Some(below) = below.as_ref() {
                below.above.set(above);
            }
            match above.as_ref() {
                Some(above) => above.below.set(below),
                None => self.go_to(below),
            }
        }
        let in_use = self.in_use.get() - 1;
        self.in_use.set(in_use);
        self.look_at
            .set(self.look_at.get().min((2 * in_use).max(LOOK_FIRST)));
        if BUDGET.with(|budget| budget.take(BYTES)) {
            // SAFETY: as above.
            unsafe { &*chunk }.below.set(self.spare.get());
            self.spare.set(chunk);
        } else {
            // SAFETY: `fresh` made it with this layout, and nobody uses it any more.
            unsafe { dealloc(chunk.cast(), LAYOUT) };
        }
    }

    /// Makes this the top chunk; null if there is none.
    ///
    /// # Safety
    /// It is a chunk in use of this thread.
    unsafe fn go_to(&self, chunk: *mut Chunk) {
        self.current.set(chunk);
        // SAFETY: by the contract.
        let top = unsafe { chunk.as_ref() }.map_or(ptr::null_mut(), |chunk| chunk.top.get());
        self.top.set(top);
        self.end.set(match chunk.is_null() {
            true => ptr::null_mut(),
            false => chunk.cast::<u8>().wrapping_add(BYTES),
        });
    }

    /// Frees the chunks whose last block another thread gave back, which this one has not noticed.
    #[cold]
    fn look(&self) {
        if RETURNED.load(Relaxed) > 0 {
            let mut chunk = self.current.get();
            // SAFETY: chunks in use are there, and ours; `free` is told of those without blocks.
            unsafe {
                while !chunk.is_null() {
                    let below = (*chunk).below.get();
                    if (*chunk).taken.get() == (*chunk).returned.load(Acquire) {
                        self.free(chunk);
                    }
                    chunk = below;
                }
            }
        }
        self.look_at.set((2 * self.in_use.get()).max(LOOK_FIRST));
    }

    fn release(&self) {
        self.look();
        let mut chunk = self.spare.replace(ptr::null_mut());
        while !chunk.is_null() {
            // SAFETY: a spare chunk is there and ours; it left the list above, and `fresh` made it with this layout.
            unsafe {
                let next = (*chunk).below.get();
                dealloc(chunk.cast(), LAYOUT);
                chunk = next;
            }
            BUDGET.with(|budget| budget.give(BYTES));
        }
    }

    /// Leaves the chunks in use to those who have their blocks.
    fn end(&self) {
        self.ended.set(true);
        self.release();
        let mut chunk = self.current.get();
        self.id.set(0);
        // SAFETY: chunks in use are there, and ours. Who takes the count to 0 is the last one to use the chunk.
        unsafe {
            self.go_to(ptr::null_mut());
            while !chunk.is_null() {
                let (below, taken) = ((*chunk).below.get(), (*chunk).taken.get());
                (*chunk).owner.store(0, Relaxed);
                if (*chunk).returned.fetch_sub(taken, AcqRel) == taken {
                    dealloc(chunk.cast(), LAYOUT);
                }
                chunk = below;
            }
        }
    }
}

/// A block for a thread that ends: alone in a chunk, which has no owner.
#[cold]
fn orphan() -> NonNull<u8> {
    let chunk = fresh(LAYOUT).as_ptr().cast::<Chunk>();
    // SAFETY: the memory is ours.
    unsafe {
        let first = Chunk::begin(chunk, 0, 0, ptr::null_mut());
        // As if the owner had ended with one block taken.
        (*chunk).returned.store(-1, Relaxed);
        first
    }
}
