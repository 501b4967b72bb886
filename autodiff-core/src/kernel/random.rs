//! Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011).
//!
//! Element `i` of a tensor is a function of the seed, the stream and `i`, so the numbers do not
//! depend on how the work is divided.

use super::par;
use crate::device::{Float, Random};

/// One block of four words.
pub(super) fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let p0 = u64::from(counter[0]) * 0xD251_1F53;
        let p1 = u64::from(counter[2]) * 0xCD9E_8D57;
        counter = [
            (p1 >> 32) as u32 ^ counter[1] ^ key[0],
            p1 as u32,
            (p0 >> 32) as u32 ^ counter[3] ^ key[1],
            p0 as u32,
        ];
        key[0] = key[0].wrapping_add(0x9E37_79B9);
        key[1] = key[1].wrapping_add(0xBB67_AE85);
    }
    counter
}

fn words(seed: u64, stream: u64, block: u64) -> [u32; 4] {
    philox(
        [
            block as u32,
            (block >> 32) as u32,
            stream as u32,
            (stream >> 32) as u32,
        ],
        [seed as u32, (seed >> 32) as u32],
    )
}

/// 53 bits of two words in `[0, 1)`.
fn unit(a: u32, b: u32) -> f64 {
    ((u64::from(a) << 32 | u64::from(b)) >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Fills `out`.
pub fn fill<T: Float>(law: Random, seed: u64, stream: u64, out: &mut [T]) {
    // Blocks give two numbers; parts start at even positions.
    par::parts(out, 16, |start, part| {
        for (i, pair) in part.chunks_mut(2).enumerate() {
            let w = words(seed, stream, (start / 2 + i) as u64);
            let (u, v) = (unit(w[0], w[1]), unit(w[2], w[3]));
            let two = match law {
                Random::Uniform { low, high } => [u, v].map(|u| uniform::<T>(low, high, u)),
                Random::Normal { mean, std } => {
                    // Box and Muller; 1 − u is never 0.
                    let r = (-2.0 * (1.0 - u).ln()).sqrt();
                    let (sin, cos) = (core::f64::consts::TAU * v).sin_cos();
                    [T::lit(mean + std * r * cos), T::lit(mean + std * r * sin)]
                }
            };
            pair.copy_from_slice(&two[..pair.len()]);
        }
    });
}

fn uniform<T: Float>(low: f64, high: f64, u: f64) -> T {
    let (x, end) = (T::lit(low + (high - low) * u), T::lit(high));
    // Rounding to a narrow type may reach the upper end, which is excluded.
    if x >= end { T::lit(low) } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn philox_matches_the_published_vectors() {
        // kat_vectors of Random123, philox4x32 10.
        assert_eq!(
            philox([0; 4], [0; 2]),
            [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]
        );
        assert_eq!(
            philox([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]
        );
        assert_eq!(
            philox(
                [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
                [0xa4093822, 0x299f31d0]
            ),
            [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]
        );
    }
}
