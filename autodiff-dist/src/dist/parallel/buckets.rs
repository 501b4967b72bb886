//! Which tensors of a gradient go together.
//!
//! A call costs microseconds whatever its length, and a gradient has hundreds of tensors; so they travel in buckets of some
//! megabytes, as in PyTorch's DistributedDataParallel (Li et al. 2020, "PyTorch Distributed", VLDB). A bucket holds numbers of one
//! kind.

use crate::dist::{CommError, Kind, Numbers, Pending, Ranks, Reduce};

/// A tensor of a gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) len: usize,
}

/// The tensors, given by their places in the gradient, in buckets, in this order.
pub(super) fn buckets(pieces: &[Piece], order: &[usize], bytes: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut open: Option<(Kind, usize)> = None;
    for &at in order {
        let piece = pieces[at];
        let size = piece.len * piece.kind.bytes();
        open = match (open, all.last_mut()) {
            (Some((kind, full)), Some(last)) if kind == piece.kind && full + size <= bytes => {
                last.push(at);
                Some((kind, full + size))
            }
            _ => {
                all.push(vec![at]);
                Some((piece.kind, size))
            }
        };
    }
    all
}

/// The mean of a bucket over all ranks, weighted: begins.
pub(super) fn begin(
    ranks: &Ranks,
    parts: impl IntoIterator<Item = Result<Numbers, CommError>>,
    weight: f64,
) -> Result<Pending, CommError> {
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or(Ok(Numbers::U8(Vec::new())))?;
    for part in parts {
        all.append(&part?);
    }
    // Without rows there is nothing to add, whatever the gradient is.
    match weight == 0.0 {
        true => all = Numbers::zeros(all.kind(), all.len()),
        false => all.scale(weight),
    }
    Ok(ranks.all_reduce(all, Reduce::Sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_filled_and_hold_one_kind() {
        let f = |len| Piece {
            kind: Kind::F32,
            len,
        };
        let d = |len| Piece {
            kind: Kind::F64,
            len,
        };
        let pieces = [f(2), f(2), d(1), f(9), f(1), f(0)];
        let found = buckets(&pieces, &[0, 1, 2, 3, 4, 5], 16);
        assert_eq!(found, [vec![0, 1], vec![2], vec![3], vec![4, 5]]);
        assert_eq!(buckets(&pieces, &[5, 4, 0], 1), [vec![5], vec![4], vec![0]]);
        assert!(buckets(&[], &[], 16).is_empty());
    }
}
