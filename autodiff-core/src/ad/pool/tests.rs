use super::*;

/// On a thread of its own, whose lists are empty.
fn alone(f: impl FnOnce() + Send + 'static) {
    std::thread::spawn(f).join().unwrap();
}

#[test]
fn every_size_has_a_class_that_holds_it() {
    for bytes in 1..=20_000 {
        for align in [1, 8, 16, 64] {
            let (ptr, true_bytes) = get(bytes, align);
            assert!(true_bytes >= bytes, "{bytes}");
            assert_eq!(ptr.as_ptr() as usize % align, 0);
            // SAFETY: the memory came from `get` and is not used again.
            unsafe { put(ptr, true_bytes, align) };
        }
        if bytes > 300 && bytes % 257 != 0 && cfg!(miri) {
            break;
        }
    }
}

#[test]
fn a_block_is_used_again() {
    alone(|| {
        for bytes in [24, 1000, 5000, 100_000] {
            let (ptr, n) = get(bytes, 8);
            // SAFETY: the memory came from `get` and is not used again.
            unsafe { put(ptr, n, 8) };
            assert!((n..=n.max(stack::CHUNK)).contains(&kept_memory()));
            let (again, _) = get(bytes, 8);
            assert_eq!(ptr, again);
            assert_eq!(kept_memory(), 0);
            // SAFETY: as above.
            unsafe { put(again, n, 8) };
            release_memory();
            assert_eq!(kept_memory(), 0);
        }
    });
}

#[test]
fn no_more_is_kept_than_the_limit() {
    alone(|| {
        limit_kept_memory(20_000);
        let blocks: Vec<_> = (0..500).map(|_| get(100, 8)).collect();
        for (ptr, n) in blocks {
            // SAFETY: the memory came from `get` and is not used again.
            unsafe { put(ptr, n, 8) };
        }
        assert!((stack::CHUNK..=20_000).contains(&kept_memory()));
        limit_kept_memory(100);
        assert_eq!(kept_memory(), 0);
    });
}

#[test]
fn small_blocks_and_large_buffers_share_the_limit() {
    alone(|| {
        limit_kept_memory(100_000);
        let sizes = [1000; 50].into_iter().chain([30_000; 5]);
        let blocks: Vec<_> = sizes.map(|bytes| get(bytes, 8)).collect();
        for (ptr, n) in blocks {
            // SAFETY: the memory came from `get` and is not used again.
            unsafe { put(ptr, n, 8) };
        }
        assert!((80_000..=100_000).contains(&kept_memory()));
        let (ptr, n) = get(30_000, 8);
        assert!(kept_memory() <= 70_000);
        // SAFETY: as above.
        unsafe { put(ptr, n, 8) };
        release_memory();
        assert_eq!(kept_memory(), 0);
    });
}

#[test]
fn another_thread_may_give_a_block_back() {
    struct Sent(NonNull<u8>, usize);
    // SAFETY: nobody else uses the block.
    unsafe impl Send for Sent {}
    let (ptr, n) = get(48, 8);
    let sent = Sent(ptr, n);
    std::thread::spawn(move || {
        let Sent(ptr, n) = { sent };
        // SAFETY: the memory came from `get` and is not used again.
        unsafe { put(ptr, n, 8) };
        assert_eq!(kept_memory(), 0, "the chunk is the other's");
    })
    .join()
    .unwrap();
}

#[test]
fn a_thread_that_ends_can_still_give_back() {
    struct Late(NonNull<u8>, usize);
    impl Drop for Late {
        fn drop(&mut self) {
            // SAFETY: the memory came from `get` and is not used again.
            unsafe { put(self.0, self.1, 8) };
        }
    }
    thread_local! {
        static LATE: core::cell::RefCell<Vec<Late>> = const { core::cell::RefCell::new(Vec::new()) };
    }
    alone(|| {
        LATE.with(|late| {
            let blocks = [40, 40_000].map(|bytes| get(bytes, 8));
            late.borrow_mut()
                .extend(blocks.map(|(ptr, n)| Late(ptr, n)));
        });
        let (ptr, n) = get(40, 8);
        // SAFETY: the memory came from `get` and is not used again.
        unsafe { put(ptr, n, 8) };
    });
}

/// A block that is filled with its own number, which it checks when it goes back.
struct Filled(NonNull<u8>, usize, u8);

// SAFETY: nobody else uses the block.
unsafe impl Send for Filled {}

impl Filled {
    fn new(bytes: usize, number: u8) -> Self {
        let (ptr, n) = get(bytes, 8);
        // SAFETY: the block has `n` bytes.
        unsafe { ptr.write_bytes(number, n) };
        Filled(ptr, n, number)
    }
}

impl Drop for Filled {
    fn drop(&mut self) {
        // SAFETY: the block has so many bytes, which were written; it came from `get` and is not used again.
        unsafe {
            let bytes = core::slice::from_raw_parts(self.0.as_ptr(), self.1);
            let ends = bytes.iter().take(16).chain(bytes.iter().rev().take(16));
            assert!(ends.into_iter().all(|byte| *byte == self.2));
            put(self.0, self.1, 8);
        }
    }
}

/// Numbers that look random.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 1_usize;
    move |below| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
        (state >> 33) % below
    }
}

const ROUNDS: usize = if cfg!(miri) { 300 } else { 100_000 };

#[test]
fn blocks_do_not_overlap_in_whatever_order_they_are_given_back() {
    alone(|| {
        let (mut next, mut blocks) = (numbers(), Vec::new());
        for round in 0..ROUNDS {
            match next(5) {
                0 | 1 if !blocks.is_empty() => drop(blocks.swap_remove(next(blocks.len()))),
                2 => drop(blocks.pop()),
                _ => blocks.push(Filled::new(1 + next(1500), round as u8)),
            }
        }
        drop(blocks);
        release_memory();
        assert_eq!(kept_memory(), 0);
    });
}

#[test]
fn blocks_that_end_in_reverse_order_leave_their_place_to_the_next() {
    alone(|| {
        let addresses = |n: usize| -> Vec<_> {
            let blocks: Vec<_> = (0..n).map(|i| Filled::new(100, i as u8)).collect();
            let addresses = blocks.iter().map(|block| block.0).collect();
            blocks.into_iter().rev().for_each(drop);
            addresses
        };
        let first = addresses(500);
        assert_eq!(first, addresses(500));
        let kept = kept_memory();
        assert!((500 * 112..500 * 112 + 3 * stack::CHUNK).contains(&kept));
    });
}

#[test]
fn chunks_that_others_empty_are_used_again() {
    alone(|| {
        for _ in 0..if cfg!(miri) { 3 } else { 100 } {
            let blocks: Vec<_> = (0..200).map(|i| Filled::new(500, i as u8)).collect();
            std::thread::spawn(move || drop(blocks)).join().unwrap();
        }
        release_memory();
        assert_eq!(kept_memory(), 0);
        assert!(stack::in_use() <= 1, "{}", stack::in_use());
    });
}

#[test]
fn blocks_outlive_the_thread_that_took_them() {
    let (send, blocks) = std::sync::mpsc::channel();
    for thread in 0..4_u8 {
        let send = send.clone();
        alone(move || {
            let mine: Vec<_> = (0..50).map(|_| Filled::new(300, thread)).collect();
            for (i, block) in mine.into_iter().enumerate() {
                // Others go back before the thread ends.
                (i % 2 == 0).then(|| send.send(block).unwrap());
            }
        });
    }
    drop(send);
    assert_eq!(blocks.into_iter().count(), 100);
}

#[test]
fn threads_give_back_what_others_take_at_the_same_time() {
    let (send, blocks) = std::sync::mpsc::sync_channel(10);
    let takes = std::thread::spawn(move || {
        let mut next = numbers();
        for i in 0..ROUNDS / 10 {
            let (one, other) = (Filled::new(1 + next(900), 1), Filled::new(1 + next(900), 2));
            send.send(if i % 2 == 0 { one } else { other }).unwrap();
        }
    });
    assert_eq!(blocks.into_iter().count(), ROUNDS / 10);
    takes.join().unwrap();
}
