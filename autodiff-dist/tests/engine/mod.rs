//! Programs that every engine must run.
#![allow(dead_code)] // each test file uses some

use autodiff_dist::dist::{Kind, Number, Numbers, Pending, Ranks, Reduce};
use half::{bf16, f16};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Each call once, with each type of numbers.
pub fn every_call(ranks: &Ranks) {
    of(ranks, |x| x as f32);
    of(ranks, |x| x as f64);
    of(ranks, |x| bf16::from_f32(x as f32));
    of(ranks, |x| f16::from_f32(x as f32));
    of(ranks, |x| x);
    of(ranks, |x| x as u8);
    let nan = if ranks.is_first() { f32::NAN } else { 1.0 };
    for op in [Reduce::Max, Reduce::Min, Reduce::Sum] {
        let x: Vec<f32> = ranks
            .all_reduce(Numbers::F32(vec![nan]), op)
            .wait_for()
            .unwrap();
        assert!(x[0].is_nan());
    }
    let (me, size) = (ranks.rank(), ranks.size());
    let mine: Vec<i64> = (0..me as i64).collect();
    let all = ranks.gather_all(&mine).unwrap();
    assert_eq!(
        all,
        (0..size)
            .map(|r| (0..r as i64).collect())
            .collect::<Vec<Vec<i64>>>()
    );
    let text = if me == size - 1 {
        "from the last".as_bytes()
    } else {
        b""
    };
    assert_eq!(
        ranks.broadcast_all(text, size - 1).unwrap(),
        b"from the last"
    );
    for x in [Numbers::F32(vec![]), Numbers::zeros(Kind::U8, 0)] {
        assert_eq!(ranks.all_reduce(x.clone(), Reduce::Sum).wait().unwrap(), x);
    }
}

fn of<T: Number>(ranks: &Ranks, number: impl Fn(i64) -> T) {
    let (me, size) = (ranks.rank() as i64, ranks.size() as i64);
    let wrap = |x: &[i64]| T::wrap(x.iter().map(|x| number(*x)).collect());
    let is = |pending: Pending, expected: &[i64]| {
        assert_eq!(pending.wait().unwrap(), wrap(expected));
    };
    let ids: i64 = (0..size).sum();
    is(ranks.all_reduce(wrap(&[me, 1]), Reduce::Sum), &[ids, size]);
    is(
        ranks.all_reduce(wrap(&[me, 1]), Reduce::Max),
        &[size - 1, 1],
    );
    is(ranks.all_reduce(wrap(&[me, 1]), Reduce::Min), &[0, 1]);
    is(
        ranks.broadcast(wrap(&[me, 7]), (size - 1) as usize),
        &[size - 1, 7],
    );
    let all: Vec<i64> = (0..size).flat_map(|r| [r, r + 1]).collect();
    is(ranks.all_gather(wrap(&[me, me + 1])), &all);
    let ramp: Vec<i64> = (0..2 * size).map(|i| i % 5 + me).collect();
    let sum = |i: i64| (i % 5) * size + ids;
    is(
        ranks.reduce_scatter(wrap(&ramp), Reduce::Sum),
        &[sum(2 * me), sum(2 * me + 1)],
    );
    let most = |i: i64| i % 5 + size - 1;
    is(
        ranks.reduce_scatter(wrap(&ramp), Reduce::Max),
        &[most(2 * me), most(2 * me + 1)],
    );
    ranks.barrier().unwrap();
    if size > 1 {
        // Round in a ring, all at once, longer than what an engine sends without asking.
        let (next, before) = ((me + 1) % size, (me + size - 1) % size);
        let long = vec![me; 100_000];
        let sent = ranks.send(wrap(&long), next as usize, 3);
        let second = ranks.send(wrap(&[9]), next as usize, 3);
        is(ranks.receive(before as usize, 3), &vec![before; 100_000]);
        is(ranks.receive(before as usize, 3), &[9]);
        sent.wait().unwrap();
        second.wait().unwrap();
        // From whoever comes first.
        if me == 0 {
            let mut seen = vec![];
            for _ in 1..size {
                seen.push(ranks.receive_any(4).wait_for::<T>().unwrap()[0]);
            }
            let mut at: Vec<usize> = (1..size as usize).collect();
            at.retain(|r| !seen.contains(&number(*r as i64)));
            assert!(at.is_empty(), "{seen:?}");
        } else {
            ranks.send(wrap(&[me]), 0, 4).wait().unwrap();
        }
    }
}

/// Calls in an order that all ranks draw alike, several under way at once, and waited for in any order.
pub fn random_calls(ranks: &Ranks, count: usize, seed: u64) {
    let mut draws = ChaCha8Rng::seed_from_u64(seed);
    let mut own = ChaCha8Rng::seed_from_u64(seed + 1000 + ranks.rank() as u64);
    let (me, size) = (ranks.rank() as i64, ranks.size() as i64);
    let ids: i64 = (0..size).sum();
    let mut under: Vec<(Pending, Numbers)> = Vec::new();
    for call in 0..count as i64 {
        let (what, len) = (draws.random_range(0..7), draws.random_range(0..50_usize));
        let root = draws.random_range(0..size as usize);
        let full = |x: i64| Numbers::I64(vec![x; len]);
        under.push(match what {
            0 => (
                ranks.all_reduce(full(me + call), Reduce::Sum),
                full(ids + size * call),
            ),
            1 => (
                ranks.all_reduce(full(me + call), Reduce::Max),
                full(size - 1 + call),
            ),
            2 => (
                ranks.broadcast(full(me - call), root),
                full(root as i64 - call),
            ),
            3 => {
                let all = (0..size).flat_map(|r| vec![r * call; len]).collect();
                (ranks.all_gather(full(me * call)), Numbers::I64(all))
            }
            4 => {
                let all = (0..size).flat_map(|r| vec![r + me; len]).collect();
                (
                    ranks.reduce_scatter(Numbers::I64(all), Reduce::Sum),
                    full(size * me + ids),
                )
            }
            5 if size > 1 => {
                let next = ((me + 1) % size) as usize;
                let before = (me + size - 1) % size;
                drop(ranks.send(full(me + call), next, 9));
                (ranks.receive(before as usize, 9), full(before + call))
            }
            _ => {
                ranks.barrier().unwrap();
                continue;
            }
        });
        while under.len() > own.random_range(0..8) {
            let at = own.random_range(0..under.len());
            let (pending, expected) = under.remove(at);
            assert_eq!(pending.wait().unwrap(), expected, "call {call}");
        }
    }
    for (pending, expected) in under {
        assert_eq!(pending.wait().unwrap(), expected);
    }
}
