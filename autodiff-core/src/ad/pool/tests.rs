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
            assert_eq!(kept_memory(), n);
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
        limit_kept_memory(1 << 10);
        let blocks: Vec<_> = (0..100).map(|_| get(100, 8)).collect();
        for (ptr, n) in blocks {
            // SAFETY: the memory came from `get` and is not used again.
            unsafe { put(ptr, n, 8) };
        }
        assert!((512..=1 << 10).contains(&kept_memory()));
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
        assert_eq!(kept_memory(), n);
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
