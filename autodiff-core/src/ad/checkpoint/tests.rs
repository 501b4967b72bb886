use super::*;

/// What a loop of `n` steps did, whose state is the number of its steps.
struct Run {
    /// The steps that were run again without the tape.
    advanced: usize,
    /// The most snapshots at once.
    most: usize,
    /// The longest part that was run with the tape.
    longest: usize,
    /// The position of the last snapshot of the forward run.
    last: usize,
}

/// Runs a loop and its reverse, and checks that each step is reversed once, from the state before it.
fn run(mut c: Checkpoints<usize>, n: usize) -> Run {
    let mut done = Run {
        advanced: 0,
        most: 0,
        longest: 0,
        last: 0,
    };
    for state in 0..n {
        c.step(|| state);
        done.most = done.most.max(c.len());
    }
    done.last = c.snapshots.last().map_or(0, |(k, _)| *k);
    assert_eq!(c.is_done(), n == 0);
    let mut left = n;
    let mut state = usize::MAX;
    while let Some(action) = c.next_action() {
        match action {
            Action::Restore => state = c.state(),
            Action::Store => c.store(state),
            Action::Advance(from, to) => {
                assert!(state == from && from < to && to < left);
                done.advanced += to - from;
                state = to;
            }
            Action::Reverse(from, to) => {
                assert!(state == from && from < to && to == left);
                done.longest = done.longest.max(to - from);
                left = from;
            }
        }
        done.most = done.most.max(c.len());
    }
    assert!(left == 0 && c.is_done() && c.is_empty());
    done
}

const LENGTHS: [usize; 16] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 97, 100, 101, 210, 1009];

#[test]
fn a_snapshot_each_so_many_steps() {
    for n in LENGTHS {
        for k in [1, 2, 3, 7, 100, 2000, usize::MAX] {
            let done = run(Checkpoints::every(k, Some(n)), n);
            assert_eq!(done.advanced, 0);
            assert_eq!(done.most, n.div_ceil(k));
            assert_eq!(done.longest, k.min(n));
        }
    }
}

#[test]
fn as_many_snapshots_as_steps_between_them() {
    for n in LENGTHS {
        let root = (n as f64).sqrt().ceil() as usize;
        let done = run(Checkpoints::balanced(Some(n)), n);
        assert!(done.advanced == 0 && done.most <= root && done.longest <= root);
        let done = run(Checkpoints::balanced(None), n);
        let root = (2.0 * n as f64).sqrt().ceil() as usize;
        assert!(done.advanced == 0 && done.most <= root && done.longest <= root);
    }
}

/// The least number of steps that are run forward, by trying all schedules; a table by `s` and `n`.
fn least(most: usize, snapshots: usize) -> Vec<Vec<usize>> {
    let mut t = vec![vec![0; most + 1]; snapshots + 1];
    for n in 2..=most {
        t[1][n] = n * (n - 1) / 2;
        for s in 2..=snapshots {
            let of = |m: usize| m + t[s - 1][n - m] + t[s][m];
            t[s][n] = (1..n).map(of).min().expect("a split");
        }
    }
    t
}

#[test]
fn a_known_number_of_steps_takes_the_least() {
    let t = least(210, 8);
    for s in 1..=8 {
        for n in (1..40).chain([64, 97, 100, 101, 210]) {
            let done = run(Checkpoints::slots(s, Some(n)), n);
            // The forward run has made the steps to the last snapshot, and goes on for the value.
            assert_eq!(
                done.advanced + done.last,
                t[s][n],
                "{n} steps, {s} snapshots"
            );
            assert!(done.most <= s && done.longest == 1);
        }
    }
    for s in [1000, 1009, 5000, usize::MAX] {
        let done = run(Checkpoints::slots(s, Some(1009)), 1009);
        assert!(done.most <= s && done.advanced <= 1009);
    }
}

#[test]
fn an_unknown_number_of_steps_stays_within_the_snapshots() {
    for s in [1, 2, 3, 4, 10, 100, 5000] {
        for n in LENGTHS {
            let done = run(Checkpoints::slots(s, None), n);
            assert!(done.most <= s, "{} of {s}", done.most);
            assert!(done.longest <= 1);
            if s >= n {
                assert_eq!(done.advanced, 0);
            }
        }
    }
    // Not far from what would have been best.
    let n = 1000;
    let t = least(n, 10);
    let done = run(Checkpoints::slots(10, None), n);
    assert!(
        done.advanced <= 2 * t[10][n],
        "{} {}",
        done.advanced,
        t[10][n]
    );
}

#[test]
fn a_loop_that_is_left_early() {
    // Known to the schedule are more steps than run.
    for n in [1, 2, 10, 50] {
        let done = run(Checkpoints::slots(3, Some(100)), n);
        assert!(done.most <= 3);
    }
}

#[test]
fn memory_is_counted_in_bytes() {
    let one = size_of::<(usize, usize)>();
    for (bytes, slots) in [(1, 1), (one, 1), (2 * one + 1, 2), (7 * one, 7)] {
        for length in [None, Some(101)] {
            let done = run(Checkpoints::memory(bytes, length, |_| 0), 101);
            let same = run(Checkpoints::slots(slots, length), 101);
            assert_eq!(done.most, same.most);
            assert_eq!(done.advanced, same.advanced);
        }
    }
    // A state that grows: what is kept stays within the bytes, beside the one state that must be there.
    let heap = |state: &Vec<u8>| state.len();
    for length in [None, Some(60)] {
        let mut c = Checkpoints::memory(2000, length, heap);
        let held = |c: &Checkpoints<Vec<u8>>| -> usize {
            let each = |(_, s): &(usize, Vec<u8>)| size_of::<(usize, Vec<u8>)>() + s.len();
            c.snapshots.iter().map(each).sum()
        };
        let mut most = 0;
        for n in 0..60 {
            c.step(|| vec![0; 10 * n]);
            most = most.max(held(&c));
        }
        let mut state = Vec::new();
        while let Some(action) = c.next_action() {
            match action {
                Action::Restore => state = c.state(),
                Action::Store => c.store(state.clone()),
                Action::Advance(_, to) => state = vec![0; 10 * to],
                Action::Reverse(..) => {}
            }
            most = most.max(held(&c));
        }
        assert!(most <= 2000 + 10 * 60, "{most}");
    }
}

#[test]
#[should_panic(expected = "`#[checkpoint(snapshots = ..)]` of a loop is 0")]
fn no_snapshots() {
    Checkpoints::<()>::slots(0, None);
}

#[test]
fn sizes_on_the_heap() {
    assert_eq!(1.0f64.heap_size(), 0);
    assert_eq!(vec![1.0f32; 5].heap_size(), 20);
    let nested = vec![vec![0u8; 3], vec![]];
    assert_eq!(nested.heap_size(), 2 * size_of::<Vec<u8>>() + 3);
    assert_eq!((Some(Box::new([0.0; 4])), "ab".to_string()).heap_size(), 34);
}
