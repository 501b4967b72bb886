//! Random numbers and dropout: the bits of the CPU's generator, written down once more.

#[path = "support/nests.rs"]
mod nests;
mod support;

use differentiable_gpu::{Arg, Gpu};
use nests::{Named, all_orders, run};
use std::sync::Arc;
use support::{get, gpu, put};

const TEXT: &str = differentiable_gpu::text::RANDOM;

fn philox(block: u64, seed: u64, stream: u64) -> [u32; 4] {
    let mut c = [
        block as u32,
        (block >> 32) as u32,
        stream as u32,
        (stream >> 32) as u32,
    ];
    let mut key = [seed as u32, (seed >> 32) as u32];
    for _ in 0..10 {
        let p = [u64::from(c[0]) * 0xD251_1F53, u64::from(c[2]) * 0xCD9E_8D57];
        c = [
            (p[1] >> 32) as u32 ^ c[1] ^ key[0],
            p[1] as u32,
            (p[0] >> 32) as u32 ^ c[3] ^ key[1],
            p[0] as u32,
        ];
        key = [
            key[0].wrapping_add(0x9E37_79B9),
            key[1].wrapping_add(0xBB67_AE85),
        ];
    }
    c
}

/// The words of element `i` of a float: its own, those of its pair, and whether it is the second.
fn words_of_float(i: usize, seed: u64, stream: u64) -> (u32, [u32; 2], bool) {
    let (group, place) = (i / 64, i % 64);
    let w = philox((group * 16 + place % 16) as u64, seed, stream);
    let j = place / 16;
    (w[j], [w[j / 2 * 2], w[j / 2 * 2 + 1]], j % 2 == 1)
}

fn unit(a: u32, b: u32) -> f64 {
    ((u64::from(a) << 32 | u64::from(b)) >> 11) as f64 / (1u64 << 53) as f64
}

fn draw<T: Named>(
    gpu: &Arc<Gpu>,
    law: i32,
    [a, b]: [f64; 2],
    seed: u64,
    stream: u64,
    n: usize,
) -> Vec<T> {
    all_orders(|| {
        let out = gpu.alloc(n * size_of::<T>()).unwrap();
        let args = [
            law.into(),
            a.into(),
            b.into(),
            seed.into(),
            Arg::Address(0),
            stream.into(),
            (&out).into(),
            Arg::I64(n as i64),
        ];
        run::<T, T>(gpu, TEXT, "draw", 2, &args);
        get::<T>(gpu, &out)
    })
}

const SEED: u64 = 0x0123_4567_89ab_cdef;

#[test]
fn uniform_numbers_have_the_bits_of_the_processor() {
    let Some(gpu) = gpu() else { return };
    for (n, [low, high], stream) in [
        (5, [0.0, 1.0], 0),
        (1000, [-0.3, 7.1], SEED << 3),
        (128, [2.0, 2.0], 1),
    ] {
        let narrow: Vec<f32> = draw(&gpu, 0, [low, high], SEED, stream, n);
        let expected = |i: usize| {
            let word = words_of_float(i, SEED, stream).0;
            let x = (low + (high - low) * (1.0 / 4_294_967_296.0) * f64::from(word)) as f32;
            if x >= high as f32 { low as f32 } else { x }
        };
        assert_eq!(narrow, (0..n).map(expected).collect::<Vec<_>>());
        let wide: Vec<f64> = draw(&gpu, 0, [low, high], SEED, stream, n);
        let expected = |i: usize| {
            let w = philox(i as u64 / 2, SEED, stream);
            let x = low + (high - low) * unit(w[i % 2 * 2], w[i % 2 * 2 + 1]);
            if x >= high { low } else { x }
        };
        assert_eq!(wide, (0..n).map(expected).collect::<Vec<_>>());
    }
}

#[test]
fn normal_numbers_are_those_of_the_processor() {
    let Some(gpu) = gpu() else { return };
    let (n, [mean, std]) = (3001, [0.5, 2.0]);
    let narrow: Vec<f32> = draw(&gpu, 1, [mean, std], SEED, 9, n);
    for (i, x) in narrow.iter().enumerate() {
        let (_, [u, v], second) = words_of_float(i, SEED, 9);
        let r = std * (-2.0 * ((f64::from(u) + 0.5) / 4_294_967_296.0).ln()).sqrt();
        // The angle has a sign of its own in each quadrant.
        let angle = (f64::from(v >> 30) + f64::from((v << 2) as i32) / 4_294_967_296.0)
            * std::f64::consts::FRAC_PI_2;
        let y = mean + r * if second { angle.sin() } else { angle.cos() };
        assert!((f64::from(*x) - y).abs() < 4e-6, "{i}: {x} {y}");
    }
    let wide: Vec<f64> = draw(&gpu, 1, [mean, std], SEED, 9, n);
    for (i, x) in wide.iter().enumerate() {
        let w = philox(i as u64 / 2, SEED, 9);
        let r = std * (-2.0 * (1.0 - unit(w[0], w[1])).ln()).sqrt();
        let angle = unit(w[2], w[3]) * std::f64::consts::TAU;
        let y = mean + r * if i % 2 == 1 { angle.sin() } else { angle.cos() };
        assert!((x - y).abs() < 1e-14, "{i}: {x} {y}");
    }
}

fn dropped<T: Named>(gpu: &Arc<Gpu>, number: impl Fn(f64) -> T, arg: impl Fn(f64) -> Arg<'static>) {
    let n = 1003;
    // Elements that begin beside a multiple of 16 bytes, and infinite ones.
    for (p, at) in [(0.3, 0), (0.5, 1), (0.0, 0), (1.0, 2)] {
        let x: Vec<T> = (0..n + at)
            .map(|i| number(if i % 50 == 0 { f64::INFINITY } else { i as f64 }))
            .collect();
        let xd = put(gpu, &x);
        let more = put(gpu, &[SEED - 5]);
        let limit = (p * 4_294_967_296.0_f64).round() as u64;
        let found = all_orders(|| {
            let out = gpu.alloc((n + at) * size_of::<T>()).unwrap();
            let offset = at * size_of::<T>();
            let args = [
                limit.into(),
                arg(1.0 / (1.0 - p)),
                5u64.into(),
                (&more).into(),
                xd.at(offset).into(),
                out.at(offset).into(),
                Arg::I64(n as i64),
            ];
            run::<T, T>(gpu, TEXT, "dropout", 2, &args);
            get::<T>(gpu, &out).split_off(at)
        });
        let expected = (0..n).map(|i| {
            let kept = u64::from(philox(i as u64 / 4, SEED, 0x6d61_736b)[i % 4]) >= limit;
            let x = if (i + at) % 50 == 0 {
                f64::INFINITY
            } else {
                (i + at) as f64
            };
            let scaled = if size_of::<T>() == 4 {
                f64::from(x as f32 * (1.0 / (1.0 - p)) as f32)
            } else {
                x * (1.0 / (1.0 - p))
            };
            number(if kept { scaled } else { 0.0 })
        });
        assert_eq!(found, expected.collect::<Vec<_>>(), "p {p}");
    }
}

#[test]
fn dropout_has_the_masks_of_the_processor() {
    let Some(gpu) = gpu() else { return };
    dropped::<f32>(&gpu, |x| x as f32, |x| Arg::F32(x as f32));
    dropped::<f64>(&gpu, |x| x, Arg::F64);
}
