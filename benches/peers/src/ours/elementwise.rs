//! W6: `Σ gelu(x w + b) sigmoid(x)` over 10⁶ elements, gradients of all three; W7: over 64 × 256; W8: over
//! 6.4·10⁷. With a `t` the tanh form of GELU.

use crate::later::report;
use differentiable::prelude::*;
use std::time::Instant;

macro_rules! chains {
    ($($name:ident $gelu:ident [$($shape:tt)*];)*) => { $(
        pub fn $name(start: Instant, seconds: f64) {
            #[differentiable]
            fn chain(x: &Tensor![$($shape)*], w: &Tensor![$($shape)*], b: &Tensor![$($shape)*]) -> Tensor![] {
                ((x * w + b).$gelu() * x.sigmoid()).sum()
            }
            let (x, w, b) = (Tensor::randn(1), Tensor::randn(2), Tensor::randn(3));
            report(start, seconds, || {
                let (loss, grad) = chain::value_and_grad(&x, &w, &b);
                std::hint::black_box(&grad);
                loss
            });
        }
    )* };
}

chains! {
    large gelu [1000, 1000];
    large_tanh gelu_tanh [1000, 1000];
    small gelu [64, 256];
    small_tanh gelu_tanh [64, 256];
    huge gelu [8000, 8000];
}
