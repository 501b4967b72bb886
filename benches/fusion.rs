//! An elementwise chain and its gradients: fused, operation by operation, and written by hand.
//!
//! `cargo bench --bench fusion`; add `-- --quick` to only check that it runs. `RAYON_NUM_THREADS=1`
//! for one thread.

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

fn main() {
    let effort = Effort::from_args();
    large::run("gelu(x w + b) sigmoid(x), 1000 x 1000", effort);
    large_tanh::run("the same with the tanh form", effort);
    small::run("64 x 256", effort);
    small_tanh::run("64 x 256 with the tanh form", effort);
}
