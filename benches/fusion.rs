//! An elementwise chain and its gradients, fused and operation by operation; and regions against the speed of memory: the
//! time of `memcpy` for the same number of bytes, read and written.
//!
//! `cargo bench -p differentiable --bench fusion`; add `-- --quick` to only check that it runs. `RAYON_NUM_THREADS=1`
//! for one thread, `-- KiB` for the groups with `KiB` in their titles.

mod support;

use differentiable::prelude::*;
use support::{Effort, assert_close, case, compare};

macro_rules! workloads {
    ($($name:ident [$($shape:tt)*] $gelu:ident;)*) => { $(
        mod $name {
            use super::*;
            #[differentiable]
            pub fn fused(x: &Tensor![$($shape)*], w: &Tensor![$($shape)*], b: &Tensor![$($shape)*]) -> Tensor![] {
                ((x * w + b).$gelu() * x.sigmoid()).sum()
            }
            #[differentiable(unfused)]
            pub fn single(x: &Tensor![$($shape)*], w: &Tensor![$($shape)*], b: &Tensor![$($shape)*]) -> Tensor![] {
                ((x * w + b).$gelu() * x.sigmoid()).sum()
            }
            pub fn run(title: &str, effort: Effort) {
                let (x, w, b) = (Tensor::randn(1), Tensor::randn(2), Tensor::randn(3));
                let sums = [fused::value_and_grad(&x, &w, &b), single::value_and_grad(&x, &w, &b)]
                    .map(|(y, (x, w, b))| [y, x.sum(), w.sum(), b.sum()].map(|t| f64::from(t.item())));
                assert_close(title, &sums[0], &sums[1], 1e-4);
                compare(
                    effort,
                    title,
                    1.0,
                    case("operation by operation", || single::value_and_grad(&x, &w, &b)),
                    vec![
                        case("fused", || fused::value_and_grad(&x, &w, &b)),
                        case("three sums of two tensors", || (&x + &w, &w + &b, &b + &x)),
                    ],
                );
            }
        }
    )* };
}

workloads! {
    large [1000, 1000] gelu;
    large_tanh [1000, 1000] gelu_tanh;
    small [64, 256] gelu;
    small_tanh [64, 256] gelu_tanh;
}

/// The variance of rows beside a shift, and the gradients of its sum.
mod rows {
    use super::*;
    #[differentiable]
    fn fused(x: &Tensor![1000, 1000], b: &Tensor![1000]) -> Tensor![] {
        (x - b).square().mean_axis::<1>().ln().sum()
    }
    #[differentiable(unfused)]
    fn single(x: &Tensor![1000, 1000], b: &Tensor![1000]) -> Tensor![] {
        (x - b).square().mean_axis::<1>().ln().sum()
    }
    pub fn run(title: &str, effort: Effort) {
        let (x, b) = (Tensor::randn(1), Tensor::randn(2));
        let sums = [
            fused::value_and_grad(&x, &b),
            single::value_and_grad(&x, &b),
        ]
        .map(|(y, (x, b))| [y, x.sum(), b.sum()].map(|t| f64::from(t.item())));
        assert_close(title, &sums[0], &sums[1], 1e-3);
        compare(
            effort,
            title,
            1.0,
            case("operation by operation", || single::value_and_grad(&x, &b)),
            vec![case("fused", || fused::value_and_grad(&x, &b))],
        );
    }
}

/// `to ← from + 1` as an expert writes it: what vectors that are loaded, changed and stored can reach, where `memcpy` has
/// instructions of its own.
fn by_hand(to: &mut [f32], from: &[f32]) {
    #[inline(always)]
    fn add(to: &mut [f32], from: &[f32]) {
        to.iter_mut().zip(from).for_each(|(to, x)| *to = x + 1.0);
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f")]
        fn wide(to: &mut [f32], from: &[f32]) {
            add(to, from);
        }
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has the instructions.
            return unsafe { wide(to, from) };
        }
    }
    add(to, from);
}

/// Regions of one array size. Copies move two arrays' bytes each.
macro_rules! bandwidth {
    ($($name:ident [$n:literal];)*) => { $(
        mod $name {
            use super::*;
            #[differentiable]
            fn mul_add(a: &Tensor![$n], b: &Tensor![$n], c: &Tensor![$n]) -> Tensor![$n] {
                a * b + c
            }
            #[differentiable]
            fn slopes(a: &Tensor![$n], b: &Tensor![$n], c: &Tensor![$n]) -> Tensor![] {
                (a * b + c).sum()
            }
            #[differentiable]
            fn relu(x: &Tensor![$n], k: f32) -> Tensor![$n] {
                (x + k).relu()
            }
            #[differentiable]
            fn gelu(x: &Tensor![$n], k: f32) -> Tensor![$n] {
                (x + k).gelu_tanh()
            }
            pub fn run(title: &str, effort: Effort) {
                let (a, b, c) = (Tensor::randn(1), Tensor::randn(2), Tensor::randn(3));
                let (from, mut to) = (vec![1.0f32; $n], vec![0.0f32; $n]);
                let mut copy = || to.copy_from_slice(std::hint::black_box(&from));
                let (numbers, mut place) = (a.to_vec(), vec![0.0f32; $n]);
                compare(effort, title, 1.0 / 0.85, case("one copy", &mut copy), vec![
                    case("x + 1 by hand", || by_hand(&mut place, &numbers)),
                    case("relu(x + k)", || relu(&a, 0.5)),
                    case("gelu_tanh(x + k)", || gelu(&a, 0.5)),
                    case("a b + c, over 2", || mul_add(&a, &b, &c)),
                    case("sum(a b + c), gradients, over 3", || slopes::value_and_grad(&a, &b, &c)),
                ]);
            }
        }
    )* };
}

bandwidth! {
    cached [16_384];
    middle [262_144];
    far [16_777_216];
}

fn main() {
    let effort = Effort::from_args();
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let all = [
        (
            "gelu(x w + b) sigmoid(x), 1000 x 1000",
            large::run as fn(&str, Effort),
        ),
        ("the same with the tanh form", large_tanh::run),
        ("64 x 256", small::run),
        ("64 x 256 with the tanh form", small_tanh::run),
        ("ln of means of squares along rows", rows::run),
        ("64 KiB for each array", cached::run),
        ("1 MiB for each array", middle::run),
        ("64 MiB for each array", far::run),
    ];
    for (title, run) in all {
        if asked.is_empty() || asked.iter().any(|part| title.contains(part)) {
            run(title, effort);
        }
    }
}
