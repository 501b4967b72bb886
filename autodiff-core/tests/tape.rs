//! The loop tape: order, growth, ownership.

use autodiff_core::ad::{LongTape, Tape};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Counts the values that are alive.
struct Counted<'a>(&'a Cell<i64>, usize);

impl<'a> Counted<'a> {
    fn new(alive: &'a Cell<i64>, id: usize) -> Self {
        alive.set(alive.get() + 1);
        Counted(alive, id)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

fn reserved<T>(n: usize) -> Tape<T> {
    let mut tape = Tape::new();
    tape.reserve(n);
    tape
}

#[test]
fn pops_what_was_pushed_in_reverse() {
    // From small buffers through pooled ones, and through several of them.
    let large = if cfg!(miri) { 10_000 } else { 1_000_000 };
    for n in [0, 1, 4, 5, 1000, large] {
        for mut tape in [Tape::new(), reserved(n), reserved(3)] {
            (0..n).for_each(|i| tape.push((i as u64, i as f32)));
            assert_eq!(tape.len(), n);
            (0..n)
                .rev()
                .for_each(|i| assert_eq!(tape.pop(), (i as u64, i as f32)));
            assert!(tape.is_empty());
        }
    }
}

#[test]
fn a_long_tape_goes_on_in_other_buffers() {
    let large = if cfg!(miri) { 10_000 } else { 1_000_000 };
    for n in [0, 1, 4, 5, 33, 1000, large] {
        let mut tape = LongTape::new();
        // Up and down across the ends of buffers.
        for turn in [n, n / 2, n] {
            while tape.len() < turn {
                tape.push((tape.len() as u64, 1.0f32));
            }
            while tape.len() > turn {
                assert_eq!(tape.pop().0, tape.len() as u64);
            }
        }
        (0..n)
            .rev()
            .for_each(|i| assert_eq!(tape.pop().0, i as u64));
        assert!(tape.is_empty());
    }
    let alive = Cell::new(0);
    let mut tape = LongTape::new();
    (0..5000).for_each(|i| tape.push(Counted::new(&alive, i)));
    assert_eq!(tape.pop().1, 4999);
    drop(tape);
    assert_eq!(alive.get(), 0);
    let mut units = LongTape::new();
    (0..100).for_each(|_| units.push(()));
    assert_eq!(units.len(), 100);
}

#[test]
fn a_long_tape_makes_room_before_entries_come() {
    let mut tape = LongTape::new();
    let mut next = 0;
    for _ in 0..6 {
        let room = tape.room();
        assert!(room > 0);
        // Part of the room, and then the rest.
        for _ in 0..room.div_ceil(2) {
            tape.push_reserved(next.to_string());
            next += 1;
        }
        for _ in 0..tape.room() {
            tape.push_reserved(next.to_string());
            next += 1;
        }
    }
    for i in (0..next).rev() {
        assert_eq!(tape.pop(), i.to_string());
    }
    let mut nothing = LongTape::new();
    assert!(nothing.room() > 0);
    nothing.push_reserved(());
    assert_eq!(nothing.len(), 1);
}

#[test]
#[should_panic(expected = "more than it had reserved")]
fn a_long_tape_refuses_what_it_has_no_room_for() {
    let mut tape = LongTape::new();
    for i in 0..=tape.room() {
        tape.push_reserved(i);
    }
}

#[test]
#[should_panic(expected = "popped more")]
fn an_empty_long_tape_has_nothing_to_pop() {
    LongTape::<f64>::new().pop();
}

#[test]
fn the_last_entries_stand_together() {
    let mut tape = Tape::new();
    for i in 0..40_000u64 {
        tape.push(i);
    }
    let mut end = 40_000u64;
    for n in [1, 4096, 3, 20_000, 10_000, 5_000] {
        let group: Vec<u64> = (end - n..end).collect();
        assert_eq!(tape.last(n as usize), group);
        end -= n;
        assert_eq!(tape.len() as u64, end);
        // Between the groups entries come and go.
        tape.push(7);
        assert_eq!(tape.pop(), 7);
    }
    tape.drop_last(100);
    assert_eq!(tape.pop(), end - 101);
    tape.drop_last(usize::MAX);
    assert!(tape.is_empty() && tape.try_pop().is_none());
}

#[test]
fn every_value_is_dropped_once() {
    let alive = Cell::new(0);
    for n in [1, 7, 5000, 50_000] {
        let mut tape = Tape::new();
        (0..n).for_each(|i| tape.push(Counted::new(&alive, i)));
        assert_eq!(alive.get(), n as i64);
        assert_eq!(tape.pop().1, n - 1);
        assert_eq!(alive.get(), n as i64 - 1);
        drop(tape);
        assert_eq!(alive.get(), 0);
    }
}

#[test]
fn a_panic_in_the_forward_pass_leaks_nothing() {
    let alive = Cell::new(0);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut tape = reserved(10);
        for i in 0..10_000 {
            tape.push(Counted::new(&alive, i));
            assert!(i < 9_000, "a failure of the user's code");
        }
    }));
    assert!(result.is_err());
    assert_eq!(alive.get(), 0);
}

#[test]
fn a_pullback_that_is_never_called_leaks_nothing() {
    let alive = Cell::new(0);
    let pullback = {
        let mut tape = Tape::new();
        (0..3).for_each(|i| tape.push(Counted::new(&alive, i)));
        move || tape.pop().1
    };
    assert_eq!(alive.get(), 3);
    drop(pullback);
    assert_eq!(alive.get(), 0);
}

#[test]
fn values_without_size_are_counted() {
    let mut tape = reserved(usize::MAX);
    tape.push(());
    tape.push(());
    assert_eq!(
        (tape.try_pop(), tape.try_pop(), tape.try_pop()),
        (Some(()), Some(()), None)
    );
}

#[test]
#[should_panic(expected = "popped more than the forward pass pushed")]
fn an_empty_tape_has_nothing_to_pop() {
    Tape::<f64>::new().pop();
}

#[test]
fn entries_keep_their_alignment() {
    #[derive(Clone, Copy)]
    #[repr(align(128))]
    struct Aligned(u8);
    let mut tape = Tape::new();
    (0..1000).for_each(|i| tape.push(Aligned(i as u8)));
    (0..1000)
        .rev()
        .for_each(|i| assert_eq!(tape.pop().0, i as u8));
}

#[test]
#[should_panic(expected = "tape too long")]
fn no_memory_holds_that_many() {
    reserved::<f64>(usize::MAX);
}

#[test]
fn room_takes_what_was_reserved() {
    let mut tape = Tape::new();
    tape.reserve(100);
    (0..60u64).for_each(|i| tape.push_reserved(i));
    tape.fill_reserved(40, |k| 60 + k as u64);
    assert_eq!(tape.len(), 100);
    for i in (0..100).rev() {
        assert_eq!(tape.pop(), i);
    }
}

#[test]
#[should_panic(expected = "more than it had reserved")]
fn an_entry_without_room_is_refused() {
    Tape::new().push_reserved(1.0);
}

#[test]
#[should_panic(expected = "more than it had reserved")]
fn entries_without_room_are_refused() {
    let mut tape = Tape::new();
    tape.reserve(1);
    tape.fill_reserved(1 << 20, |_| 1.0);
}

#[test]
fn a_panic_while_entries_are_made_leaves_the_tape_as_it_was() {
    let mut tape = Tape::new();
    tape.reserve(8);
    tape.push_reserved(1);
    let filled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        tape.fill_reserved(4, |k| if k < 2 { k } else { panic!("at {k}") });
    }));
    assert!(filled.is_err());
    assert_eq!((tape.len(), tape.pop()), (1, 1));
}

#[test]
fn buffers_may_be_freed_by_another_thread() {
    let mut tape = reserved(100_000);
    (0..100_000u64).for_each(|i| tape.push(i));
    let sum: u64 = std::thread::spawn(move || {
        let mut sum = 0;
        while let Some(i) = tape.try_pop() {
            sum += i;
        }
        sum
    })
    .join()
    .unwrap();
    assert_eq!(sum, 99_999 * 100_000 / 2);
}

/// A loop that reserves for each of its runs must not move all that is there each time.
#[test]
fn room_made_again_and_again_doubles() {
    let mut tape = Tape::new();
    tape.reserve(1024); // a size that the pool of memory has: no room beyond it
    for i in 0..1024 {
        tape.push(i);
    }
    assert!(tape.is_full());
    tape.reserve(1);
    for i in 1024..2048 {
        assert!(!tape.is_full(), "full at {i}");
        tape.push(i);
    }
    for i in (0..2048).rev() {
        assert_eq!(tape.pop(), i);
    }
}
