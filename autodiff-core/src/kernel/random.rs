//! Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011).
//!
//! Element `i` of a tensor is a function of the seed, the stream and `i`, so the numbers depend neither on how the
//! work is divided nor on the processor. Sixteen blocks are computed side by side, which compiles to vector code.
//!
//! Normal numbers come in pairs `r cos θ`, `r sin θ` with `r = √(−2 ln u)` (Box and Muller 1958). In `f32`, `u` and
//! `θ` have a word each: `u ≥ 2⁻³³`, so numbers end at 6.76. In `f64` they have two, and numbers end at 8.57.

use super::par;
use super::simd::vectorize;
use super::{math, trig};
use crate::device::{Float, Random};
use core::f32::consts::FRAC_PI_4;
use core::f64::consts::FRAC_PI_2;

/// Blocks computed together.
pub(super) const LANES: usize = 16;

/// A word of each of the blocks.
pub(super) type Lanes = [u32; LANES];

/// The four words of `LANES` consecutive blocks.
#[inline(always)]
pub(super) fn philox(first: u64, seed: u64, stream: u64) -> [Lanes; 4] {
    let (s0, s1) = (stream as u32, (stream >> 32) as u32);
    let mut c: [Lanes; 4] = [[0; LANES], [0; LANES], [s0; LANES], [s1; LANES]];
    for i in 0..LANES {
        let block = first + i as u64;
        c[0][i] = block as u32;
        c[1][i] = (block >> 32) as u32;
    }
    let (mut k0, mut k1) = (seed as u32, (seed >> 32) as u32);
    for _ in 0..10 {
        for i in 0..LANES {
            let p0 = u64::from(c[0][i]) * 0xD251_1F53;
            let p1 = u64::from(c[2][i]) * 0xCD9E_8D57;
            (c[0][i], c[1][i], c[2][i], c[3][i]) = (
                (p1 >> 32) as u32 ^ c[1][i] ^ k0,
                p1 as u32,
                (p0 >> 32) as u32 ^ c[3][i] ^ k1,
                p0 as u32,
            );
        }
        k0 = k0.wrapping_add(0x9E37_79B9);
        k1 = k1.wrapping_add(0xBB67_AE85);
    }
    c
}

/// What the numbers of an element type are made of.
pub trait Draw: Sized + Copy {
    /// Numbers that one block gives.
    const PER_BLOCK: usize;
    /// Fills the first `LANES · PER_BLOCK` of `out`.
    #[doc(hidden)]
    fn draw(law: Random, words: &[[u32; 16]; 4], out: &mut [Self; 64]);
}

/// Fills `out`.
pub fn fill<T: Float>(law: Random, seed: u64, stream: u64, out: &mut [T]) {
    // Parts start at multiples of a group.
    par::parts(out, 8, |start, part| {
        vectorize::<T, _>(
            #[inline(always)]
            || {
                for (g, group) in part.chunks_mut(LANES * T::PER_BLOCK).enumerate() {
                    let first = start / T::PER_BLOCK + g * LANES;
                    let words = philox(first as u64, seed, stream);
                    let mut numbers = [T::ZERO; 64];
                    T::draw(law, &words, &mut numbers);
                    group.copy_from_slice(&numbers[..group.len()]);
                }
            },
        );
    });
}

/// Word `j` of block `i` stands at `16 j + i` of a group: no numbers change places.
impl Draw for f32 {
    const PER_BLOCK: usize = 4;

    #[inline(always)]
    fn draw(law: Random, words: &[Lanes; 4], out: &mut [f32; 64]) {
        let (rows, _) = out.as_chunks_mut::<LANES>();
        match law {
            Random::Uniform { low, high } => {
                let width = (high - low) * (1.0 / 4_294_967_296.0);
                for (row, words) in rows.iter_mut().zip(words) {
                    for i in 0..LANES {
                        let x = (low + width * f64::from(words[i])) as f32;
                        // Rounding may reach the upper end, which is excluded.
                        row[i] = if x >= high as f32 { low as f32 } else { x };
                    }
                }
            }
            Random::Normal { mean, std } => {
                let (mean, std) = (mean as f32, std as f32);
                for half in 0..2 {
                    let [cos, sin] = &mut rows[2 * half..2 * half + 2] else {
                        unreachable!("a group has four rows");
                    };
                    let (u, v) = (&words[2 * half], &words[2 * half + 1]);
                    for i in 0..LANES {
                        let u = u[i] as f32 * (1.0 / 4_294_967_296.0) + 0.5 / 4_294_967_296.0;
                        let r = std * (-2.0 * math::ln_f32(u)).sqrt();
                        // Two bits are the quadrant, the others the angle in it.
                        let (quadrant, angle) = (v[i] >> 30, (v[i] << 2) as i32);
                        let angle = angle as f32 * (FRAC_PI_4 / 2_147_483_648.0);
                        let pair = trig::polynomials_f32(angle);
                        cos[i] = mean + r * trig::turn_f32(quadrant + 1, pair);
                        sin[i] = mean + r * trig::turn_f32(quadrant, pair);
                    }
                }
            }
        }
    }
}

/// 53 bits of two words in `[0, 1)`.
#[inline(always)]
fn unit(a: u32, b: u32) -> f64 {
    ((u64::from(a) << 32 | u64::from(b)) >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Block `i` gives the numbers `2 i` and `2 i + 1` of a group.
impl Draw for f64 {
    const PER_BLOCK: usize = 2;

    #[inline(always)]
    fn draw(law: Random, w: &[Lanes; 4], out: &mut [f64; 64]) {
        let (mut first, mut second) = ([0.0; LANES], [0.0; LANES]);
        for i in 0..LANES {
            let (u, v) = (unit(w[0][i], w[1][i]), unit(w[2][i], w[3][i]));
            (first[i], second[i]) = match law {
                Random::Uniform { low, high } => {
                    let number = |u: f64| {
                        let x = low + (high - low) * u;
                        if x >= high { low } else { x }
                    };
                    (number(u), number(v))
                }
                Random::Normal { mean, std } => {
                    // 1 − u is never 0.
                    let r = std * (-2.0 * math::ln_f64(1.0 - u)).sqrt();
                    let turns = 4.0 * v + math::ROUND_64;
                    let angle = (4.0 * v - (turns - math::ROUND_64)) * FRAC_PI_2;
                    let quadrant = turns.to_bits();
                    let pair = trig::polynomials_f64(angle, 0.0);
                    (
                        mean + r * trig::turn_f64(quadrant.wrapping_add(1), pair),
                        mean + r * trig::turn_f64(quadrant, pair),
                    )
                }
            };
        }
        for i in 0..LANES {
            (out[2 * i], out[2 * i + 1]) = (first[i], second[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{simd, special};

    /// One block.
    fn one(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
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

    #[test]
    fn philox_matches_the_published_vectors() {
        // kat_vectors of Random123, philox4x32 10.
        for (counter, key, words) in [
            (
                [0; 4],
                [0; 2],
                [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
            ),
            (
                [u32::MAX; 4],
                [u32::MAX; 2],
                [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
            ),
            (
                [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
                [0xa4093822, 0x299f31d0],
                [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
            ),
        ] {
            assert_eq!(one(counter, key), words);
        }
    }

    #[test]
    fn blocks_side_by_side_are_blocks_one_by_one() {
        let seed = 0x0123_4567_89ab_cdef;
        for (first, seed, stream) in [(0, 0, 0), (u64::from(u32::MAX) - 3, seed, seed << 3)] {
            let together = philox(first, seed, stream);
            let low = |x: u64| [x as u32, (x >> 32) as u32];
            for i in 0..LANES {
                let ([a, b], [c, d]) = (low(first + i as u64), low(stream));
                assert_eq!(together.map(|w| w[i]), one([a, b, c, d], low(seed)));
            }
        }
    }

    const NORMAL: Random = Random::Normal {
        mean: 0.0,
        std: 1.0,
    };

    fn numbers<T: Float>(law: Random, seed: u64, n: usize) -> Vec<T> {
        let mut out = vec![T::ZERO; n];
        fill(law, seed, 1, &mut out);
        out
    }

    /// The largest distance of the empirical distribution from `exact`, times √n: above 1.95 once in 1000.
    fn kolmogorov(mut x: Vec<f64>, exact: impl Fn(f64) -> f64) -> f64 {
        x.sort_by(f64::total_cmp);
        let n = x.len() as f64;
        let gaps = x.iter().enumerate().map(|(i, &x)| {
            let p = exact(x);
            (p - i as f64 / n).max((i + 1) as f64 / n - p)
        });
        gaps.fold(0.0, f64::max) * n.sqrt()
    }

    fn normal_distribution<T: Float>() {
        let n = 1_000_000;
        let x: Vec<f64> = numbers::<T>(NORMAL, 5, n)
            .iter()
            .map(|x| x.to_f64())
            .collect();
        assert!(x.iter().all(|x| x.is_finite()));
        let moment = |k| x.iter().map(|x| x.powi(k)).sum::<f64>() / n as f64;
        // Five standard deviations of each.
        for (k, exact, variance) in [
            (1, 0.0, 1.0),
            (2, 1.0, 2.0),
            (3, 0.0, 15.0),
            (4, 3.0, 96.0),
            (6, 15.0, 10_170.0),
        ] {
            let sigma = f64::sqrt(variance / n as f64);
            assert!(
                (moment(k) - exact).abs() < 5.0 * sigma,
                "{k}: {}",
                moment(k)
            );
        }
        // The members of a pair and of neighbouring blocks are not correlated.
        for lag in [1, 2, 4, 16, 32, 64] {
            for power in [1, 2] {
                let mean = if power == 2 { 1.0 } else { 0.0 };
                let c = |i: usize| x[i].powi(power) - mean;
                let sum: f64 = (lag..n).map(|i| c(i) * c(i - lag)).sum();
                let sigma = (n as f64).sqrt() * if power == 2 { 2.0 } else { 1.0 };
                assert!(sum.abs() < 5.0 * sigma, "lag {lag}, power {power}: {sum}");
            }
        }
        let cdf = |x: f64| 0.5 * special::erfc_f64(-x * core::f64::consts::FRAC_1_SQRT_2);
        let d = kolmogorov(x, cdf);
        assert!(d < 1.95, "{d}");
    }

    #[test]
    fn normal_numbers_follow_the_normal_distribution() {
        normal_distribution::<f32>();
        normal_distribution::<f64>();
    }

    fn tails<T: Float>() {
        let (n, mut found) = (1 << 22, [0.0; 4]);
        for x in numbers::<T>(NORMAL, 6, n) {
            for (i, limit) in [3.0, 4.0, 4.5, 5.0].into_iter().enumerate() {
                found[i] += f64::from(u8::from(x.to_f64().abs() > limit));
            }
        }
        // 2 Φ(−limit).
        for (found, p) in found
            .iter()
            .zip([2.6998e-3, 6.3342e-5, 6.7953e-6, 5.7330e-7])
        {
            let mean = p * n as f64;
            assert!((found - mean).abs() < 4.0 * mean.sqrt(), "{found} {mean}");
        }
    }

    #[test]
    fn tails_have_their_share() {
        tails::<f32>();
        tails::<f64>();
    }

    #[test]
    fn the_words_at_the_ends_give_finite_numbers() {
        for a in [0, 1, u32::MAX - 1, u32::MAX] {
            for b in [0, 1 << 29, 1 << 30, 1 << 31, u32::MAX] {
                let (u, v) = ([a; LANES], [b; LANES]);
                let (mut narrow, mut wide) = ([0.0_f32; 64], [0.0_f64; 64]);
                Draw::draw(NORMAL, &[u, v, u, v], &mut narrow);
                Draw::draw(NORMAL, &[u, u, v, v], &mut wide);
                assert!(narrow.iter().all(|x| x.abs() < 6.77));
                assert!(wide.iter().all(|x| x.abs() < 8.58));
            }
        }
    }

    #[test]
    fn uniform_numbers_follow_the_uniform_distribution() {
        let law = Random::Uniform {
            low: -1.0,
            high: 3.0,
        };
        let n = 1_000_000;
        let narrow: Vec<f64> = numbers::<f32>(law, 3, n)
            .into_iter()
            .map(f64::from)
            .collect();
        for x in [narrow, numbers::<f64>(law, 3, n)] {
            assert!(x.iter().all(|&x| (-1.0..3.0).contains(&x)));
            let d = kolmogorov(x, |x| (x + 1.0) / 4.0);
            assert!(d < 1.95, "{d}");
        }
    }

    #[test]
    fn threads_levels_and_lengths_do_not_matter() {
        fn check<T: Float>() {
            let pool = |n| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(n)
                    .build()
                    .unwrap()
            };
            let n = 100_003;
            for law in [
                NORMAL,
                Random::Uniform {
                    low: 0.0,
                    high: 1.0,
                },
            ] {
                let all = pool(1).install(|| numbers::<T>(law, 9, n));
                assert!(pool(3).install(|| numbers::<T>(law, 9, n)) == all);
                for level in simd::Level::ALL {
                    let found = simd::at_level(level, || numbers::<T>(law, 9, n));
                    assert!(found.is_none_or(|x| x == all), "{level:?}");
                }
                for short in [0, 1, 3, 31, 65, 1000] {
                    assert!(numbers::<T>(law, 9, short) == all[..short]);
                }
            }
        }
        check::<f32>();
        check::<f64>();
    }
}
