//! A parameter server: one rank has the parameters and takes the steps, the others compute gradients (Li et al. 2014, "Scaling
//! Distributed Machine Learning with the Parameter Server").
//!
//! A worker sends a header (what it is, the version of the parameters that it used, the rows) and the numbers of its gradient; the
//! server answers with the version and the parameters.

mod serve;
mod worker;

pub use serve::{Serve, Served};
pub use worker::Worker;

use crate::dist::flat::KINDS;
use crate::dist::{CommError, Kind, Numbers, Ranks};

/// Headers of workers, answers of the server, and the numbers behind each.
const TO_SERVER: u16 = 32;
const TO_WORKER: u16 = 33;
const NUMBERS: u16 = 34;

/// What a header says.
const GRADIENT: i64 = 1;
const READ: i64 = 2;
const DONE: i64 = 3;

/// Sends numbers to a rank: all of one kind in one message.
fn send(ranks: &Ranks, to: usize, all: &[Numbers]) {
    for kind in KINDS {
        let mut row = Numbers::zeros(kind, 0);
        all.iter().filter(|x| x.kind() == kind).for_each(|x| {
            row.append(x);
        });
        drop(ranks.send(row, to, NUMBERS));
    }
}

/// Receives numbers of these kinds and lengths.
fn receive(ranks: &Ranks, from: usize, like: &[(Kind, usize)]) -> Result<Vec<Numbers>, CommError> {
    let mut rows = Vec::new();
    for kind in KINDS {
        let row = ranks.receive(from, NUMBERS).wait()?;
        let expected = like
            .iter()
            .filter(|(k, _)| *k == kind)
            .map(|(_, len)| len)
            .sum();
        if row.kind() != kind || row.len() != expected {
            return Err(CommError::Received {
                expected: kind,
                expected_len: expected,
                found: row.kind(),
                found_len: row.len(),
            });
        }
        rows.push((kind, row, 0));
    }
    let part = |(kind, len): &(Kind, usize)| {
        let (_, row, at) = rows
            .iter_mut()
            .find(|(k, _, _)| k == kind)
            .expect("one of the kinds");
        *at += len;
        row.part(*at - len, *len)
    };
    Ok(like.iter().map(part).collect())
}
