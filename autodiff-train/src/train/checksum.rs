//! The checksum of a checkpoint: a bit that a disk or a copy has changed in a weight shows nowhere else.

// Reading a file dwarfs the move of an error.
#![allow(clippy::result_large_err)]

use crate::io::{Checkpoint, CheckpointError};
use crate::nn::HostData;
use flate2::Crc;

const KEY: &str = "fit.checksum";

/// Adds the checksum of everything that the checkpoint has so far.
pub(super) fn seal(checkpoint: Checkpoint) -> Checkpoint {
    let sum = of(&checkpoint);
    checkpoint.with(KEY, sum)
}

/// An error if the checkpoint does not hold what it was sealed with.
pub(super) fn check(checkpoint: &Checkpoint) -> Result<(), CheckpointError> {
    let sum = of(checkpoint);
    let expected = format!("{sum}, the checksum of what the file holds: it is damaged");
    checkpoint.get_valid(KEY, &expected, |found: &String| *found == sum)?;
    Ok(())
}

/// CRC-32 of all entries but itself and of all tensors, by their names.
fn of(checkpoint: &Checkpoint) -> String {
    let mut sum = Crc::new();
    let text = |sum: &mut Crc, text: &str| {
        // The length keeps texts apart that follow each other.
        sum.update(&(text.len() as u64).to_le_bytes());
        sum.update(text.as_bytes());
    };
    for (key, value) in checkpoint.entries() {
        if key != KEY {
            text(&mut sum, key);
            text(&mut sum, value);
        }
    }
    for (name, tensor) in checkpoint.tensors() {
        text(&mut sum, name);
        text(&mut sum, &format!("{:?}", tensor.dims()));
        match tensor.data() {
            HostData::F32(x) => numbers(&mut sum, x, |v| v.to_le_bytes()),
            HostData::F64(x) => numbers(&mut sum, x, |v| v.to_le_bytes()),
            HostData::Bf16(x) => numbers(&mut sum, x, |v| v.to_le_bytes()),
            HostData::F16(x) => numbers(&mut sum, x, |v| v.to_le_bytes()),
            other => text(&mut sum, &format!("{other:?}")),
        }
    }
    format!("{:08x}", sum.sum())
}

/// In pieces, so that no second copy of the tensor is made.
fn numbers<T: Copy, const N: usize>(sum: &mut Crc, numbers: &[T], bytes: impl Fn(T) -> [u8; N]) {
    const PIECE: usize = 4096;
    let mut buffer = Vec::with_capacity(PIECE * N);
    for piece in numbers.chunks(PIECE) {
        buffer.clear();
        piece.iter().for_each(|&v| buffer.extend(bytes(v)));
        sum.update(&buffer);
    }
}
