//! What every engine must do: checked on threads, and by `tests/mpi.rs` on processes.

mod engine;

use autodiff_dist::dist::{CommError, Numbers, Ranks, Reduce, threads, threads_within};
use std::time::{Duration, Instant};

#[test]
fn all_calls_on_one_to_five_ranks() {
    engine::every_call(&Ranks::alone());
    for size in 1..=5 {
        threads(size, |ranks| engine::every_call(&ranks));
    }
}

#[test]
fn ten_thousand_random_calls() {
    for size in [2, 4] {
        threads(size, |ranks| {
            engine::random_calls(&ranks, 10_000, size as u64)
        });
    }
}

#[test]
fn ranks_that_disagree_are_told_how() {
    let errors = threads(2, |ranks| {
        ranks.barrier().unwrap();
        let x = match ranks.rank() {
            0 => ranks.all_reduce(Numbers::F32(vec![0.0; 4]), Reduce::Sum),
            _ => ranks.all_reduce(Numbers::F32(vec![0.0; 5]), Reduce::Sum),
        };
        x.wait().unwrap_err()
    });
    assert_eq!(errors[0], errors[1]);
    let CommError::Mismatch {
        number: 2,
        call,
        other_call,
        ..
    } = &errors[0]
    else {
        panic!("{}", errors[0])
    };
    let mut calls = [&**call, &**other_call];
    calls.sort();
    assert_eq!(
        calls,
        ["all_reduce of 4 f32 by sum", "all_reduce of 5 f32 by sum"]
    );
}

#[test]
fn a_rank_that_ends_or_hangs_is_named() {
    let results = threads(3, |ranks| match ranks.rank() {
        1 => Ok(()),
        _ => ranks.barrier(),
    });
    for rank in [0, 2] {
        let error = results[rank].clone().unwrap_err();
        assert!(matches!(error, CommError::Gone { rank: 1, .. }), "{error}");
    }
    let start = Instant::now();
    let results = threads_within(3, Duration::from_millis(100), |ranks| {
        if ranks.rank() == 2 {
            std::thread::sleep(Duration::from_millis(500));
            return Ok(());
        }
        ranks.barrier()
    });
    assert!(start.elapsed() < Duration::from_secs(5));
    for rank in [0, 1] {
        let error = results[rank].clone().unwrap_err();
        assert!(
            matches!(error, CommError::TimedOut { rank: 2, .. }),
            "{error}"
        );
    }
}

#[test]
fn a_rank_that_fails_says_why() {
    let results = threads(2, |ranks| {
        if ranks.rank() == 1 {
            ranks.abort("the file is gone");
        }
        ranks.barrier()
    });
    for result in results {
        let error = result.unwrap_err().to_string();
        assert_eq!(error, "rank 1 could not go on: the file is gone");
    }
}

#[test]
fn what_makes_no_sense_is_an_error() {
    threads(2, |ranks| {
        let odd = ranks.reduce_scatter(Numbers::F32(vec![0.0; 3]), Reduce::Sum);
        let text = odd.wait().unwrap_err().to_string();
        assert!(
            text.starts_with("3 numbers cannot be divided evenly among 2 ranks"),
            "{text}"
        );
        let nobody = ranks.send(Numbers::U8(vec![]), 2, 0).wait().unwrap_err();
        assert!(
            matches!(
                nobody,
                CommError::NoRank {
                    rank: 2,
                    size: 2,
                    ..
                }
            ),
            "{nobody}"
        );
        // The calls after it are in order.
        assert_eq!(ranks.sum(1.0), Ok(2.0));
    });
}

#[test]
#[should_panic(expected = "of rank 1")]
fn a_panic_goes_on_in_the_caller() {
    threads(2, |ranks| {
        assert!(ranks.rank() == 0, "of rank 1");
        let _ = ranks.barrier();
    });
}
