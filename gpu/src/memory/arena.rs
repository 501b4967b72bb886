//! Which parts of the segments are in use: addresses only, no driver.

use std::collections::{BTreeMap, BTreeSet};

/// All blocks begin at a multiple of this.
const UNIT: usize = 512;
/// Blocks up to this size have segments of their own, so that large blocks find whole ones.
const SMALL: usize = 1 << 20;
/// A rest of a large block is split off from here on.
const LEAST_REST: usize = 1 << 20;

/// Small or large blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Small,
    Large,
}

/// The size class of a request: an eighth of the next smaller power of two at a time, so that at most an eighth is lost
/// and blocks fit later requests.
pub(super) fn class(bytes: usize) -> usize {
    let bytes = bytes.max(UNIT);
    let step = (1usize << bytes.ilog2() >> 3).max(UNIT);
    bytes.next_multiple_of(step)
}

pub(super) fn kind(class: usize) -> Kind {
    if class <= SMALL {
        Kind::Small
    } else {
        Kind::Large
    }
}

/// How much to ask the driver for when no block is free.
pub(super) fn segment(class: usize) -> usize {
    match class.div_ceil(1 << 20) {
        ..2 => 2 << 20,
        2..=8 => 16 << 20,
        9..=128 => class.next_power_of_two(),
        _ => class.next_multiple_of(2 << 20),
    }
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    bytes: usize,
    segment: u64,
    free: bool,
}

/// Segments, cut into pieces without gaps.
#[derive(Debug, Default)]
pub(super) struct Arena {
    segments: BTreeMap<u64, (usize, Kind)>,
    pieces: BTreeMap<u64, Piece>,
    /// Free pieces by size, then address: small and large.
    free: [BTreeSet<(usize, u64)>; 2],
}

impl Arena {
    pub(super) fn add_segment(&mut self, address: u64, bytes: usize, kind: Kind) {
        self.segments.insert(address, (bytes, kind));
        self.pieces.insert(
            address,
            Piece {
                bytes,
                segment: address,
                free: true,
            },
        );
        self.free[kind as usize].insert((bytes, address));
    }

    /// The smallest free piece that has room for a class, cut to it.
    pub(super) fn take(&mut self, class: usize) -> Option<u64> {
        let kind = kind(class);
        let &(bytes, address) = self.free[kind as usize].range((class, 0)..).next()?;
        self.free[kind as usize].remove(&(bytes, address));
        let piece = self.pieces.get_mut(&address)?;
        piece.free = false;
        let rest = bytes - class;
        let least = if kind == Kind::Small {
            UNIT
        } else {
            LEAST_REST
        };
        if rest >= least {
            piece.bytes = class;
            let segment = piece.segment;
            self.pieces.insert(
                address + class as u64,
                Piece {
                    bytes: rest,
                    segment,
                    free: true,
                },
            );
            self.free[kind as usize].insert((rest, address + class as u64));
        }
        Some(address)
    }

    /// Gives a piece back, joined with its free neighbours.
    pub(super) fn give(&mut self, address: u64) {
        let Some(mut piece) = self.pieces.remove(&address) else {
            return;
        };
        let kind = self.segments[&piece.segment].1 as usize;
        let mut start = address;
        let next = address + piece.bytes as u64;
        if let Some(after) = self
            .pieces
            .get(&next)
            .copied()
            .filter(|after| after.free && after.segment == piece.segment)
        {
            self.pieces.remove(&next);
            self.free[kind].remove(&(after.bytes, next));
            piece.bytes += after.bytes;
        }
        let before = self
            .pieces
            .range(..address)
            .next_back()
            .map(|(start, piece)| (*start, *piece));
        if let Some((at, before)) =
            before.filter(|(_, before)| before.free && before.segment == piece.segment)
        {
            self.pieces.remove(&at);
            self.free[kind].remove(&(before.bytes, at));
            piece.bytes += before.bytes;
            start = at;
        }
        piece.free = true;
        self.pieces.insert(start, piece);
        self.free[kind].insert((piece.bytes, start));
    }

    /// Bytes that a block has.
    pub(super) fn bytes(&self, address: u64) -> usize {
        self.pieces.get(&address).map_or(0, |piece| piece.bytes)
    }

    /// Takes out the segments of which no block is in use.
    pub(super) fn remove_free_segments(&mut self) -> Vec<u64> {
        let whole = |address: &u64, bytes: usize| {
            self.pieces
                .get(address)
                .is_some_and(|piece| piece.free && piece.bytes == bytes)
        };
        let free: Vec<u64> = self
            .segments
            .iter()
            .filter(|(address, (bytes, _))| whole(address, *bytes))
            .map(|(address, _)| *address)
            .collect();
        for address in &free {
            if let Some((bytes, kind)) = self.segments.remove(address) {
                self.pieces.remove(address);
                self.free[kind as usize].remove(&(bytes, *address));
            }
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_lose_an_eighth_at_most() {
        assert_eq!(class(0), 512);
        assert_eq!(class(513), 1024);
        for bytes in [5000usize, 70_000, 1 << 20, (1 << 20) + 1, 50_000_000] {
            let class = class(bytes);
            assert!(
                class >= bytes && class.is_multiple_of(512) && class - bytes <= bytes / 8 + 512,
                "{bytes} {class}"
            );
            assert!(segment(class) >= class);
        }
    }

    #[test]
    fn pieces_are_cut_joined_and_used_again() {
        let mut arena = Arena::default();
        arena.add_segment(1 << 30, 2 << 20, Kind::Small);
        let blocks: Vec<u64> = (0..4).map(|_| arena.take(4096).unwrap()).collect();
        assert_eq!(blocks, [0, 1, 2, 3].map(|at| (1 << 30) + at * 4096));
        arena.give(blocks[1]);
        assert_eq!(arena.take(4096), Some(blocks[1]));
        arena.give(blocks[1]);
        arena.give(blocks[2]);
        assert_eq!(arena.take(8192), Some(blocks[1]));
        assert!(arena.remove_free_segments().is_empty());
        for block in [blocks[0], blocks[1], blocks[3]] {
            arena.give(block);
        }
        assert_eq!(arena.remove_free_segments(), [1 << 30]);
        assert_eq!(arena.take(512), None);
    }

    #[test]
    fn any_order_leaves_whole_segments() {
        let mut arena = Arena::default();
        arena.add_segment(0x1000_0000, 16 << 20, Kind::Large);
        arena.add_segment(0x2000_0000, 2 << 20, Kind::Small);
        let mut random = 7u64;
        let mut live: Vec<(u64, usize)> = Vec::new();
        for _ in 0..5000 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let wanted =
                class((random >> 33) as usize % if random & 64 == 0 { 4 << 20 } else { 60_000 });
            if random & 1 << 20 == 0 {
                let Some(address) = arena.take(wanted) else {
                    continue;
                };
                let end = address + wanted as u64;
                assert!(
                    live.iter()
                        .all(|(start, bytes)| end <= *start || start + *bytes as u64 <= address)
                );
                live.push((address, wanted));
            } else if !live.is_empty() {
                arena.give(live.swap_remove((random >> 40) as usize % live.len()).0);
            }
        }
        live.iter().for_each(|(address, _)| arena.give(*address));
        assert_eq!(arena.remove_free_segments().len(), 2);
    }
}
