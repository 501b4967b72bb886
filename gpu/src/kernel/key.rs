//! Keys of modules.

use std::hash::{DefaultHasher, Hash, Hasher};

/// What tells modules apart in memory: anything that can be hashed, such as a type, an element type and a kind of layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key([u64; 2]);

impl Key {
    /// The key of a value. 128 bits: no two values that a program has will share one.
    pub fn of(value: impl Hash) -> Self {
        Self([0u64, 1].map(|salt| {
            let mut hasher = DefaultHasher::new();
            salt.hash(&mut hasher);
            value.hash(&mut hasher);
            hasher.finish()
        }))
    }
}

/// A hash that is the same in every process and release: FNV-1a.
pub(super) struct Fnv(u128);

impl Fnv {
    pub(super) fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Adds a part, and its length, so that parts cannot run into each other.
    pub(super) fn add(mut self, part: &[u8]) -> Self {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        for byte in part.iter().chain(&(part.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
        self
    }

    pub(super) fn finish(&self) -> u128 {
        self.0
    }
}
