//! Scaled dot-product attention in tiles: the scores of all queries and keys are never stored.
//!
//! With the scores `S = scale·Q·Kᵀ + bias` (−∞ where a key is hidden) and `P = softmax(S)` along rows, the output is
//! `O = P·V`. Rows are summed tile by tile while their maximum `m` may still grow (online softmax: Milakov &
//! Gimelshein 2018, Rabe & Staats 2021): when it does, what has been summed is multiplied by `exp(m − m′)`.
//!
//! Derivatives compute `P = exp(S − m)·r` again, tile by tile, from `m` and `r = 1/Σ exp(S − m)` of each row (Dao et al.
//! 2022). The two are kept apart instead of their logarithm `m − ln r`, which would lose the digits of `r` beside
//! a large `m`. With the cotangent `C` of `O` and `δᵢ = Σ C∘O`:
//!
//! ```text
//! dP = C·Vᵀ     dS = P∘(dP − δ)     dV = Pᵀ·C     dQ = scale·dS·K     dK = scale·dSᵀ·Q     dbias = dS
//! ```
//!
//! and with tangents, `Ṡ = scale·(Q̇·Kᵀ + Q·K̇ᵀ) + bias˙`: `Ȯ = (P∘Ṡ)·V + P·V̇ − τ∘O` with `τᵢ = Σ P∘Ṡ`.
//!
//! Dropout multiplies `P` by a mask `M` of zeros and `1/(1 − p)` after the softmax. Then `O = (P∘M)·V`, `dP = M∘(C·Vᵀ)`, `dV =
//! (P∘M)ᵀ·C` and `Ȯ = (P∘M∘Ṡ)·V + (P∘M)·V̇ − τ∘O`, with the same `δ` and `τ`.
//!
//! A row without a visible key, or with scores of −∞ only, has `r = 0`: weights, output and derivatives are 0.

mod backward;
mod forward;
mod scores;
mod tangent;
mod tile;

pub use backward::pullback;
pub use forward::forward;
pub use tangent::pushforward;

use crate::device::{AttentionShape, Layout};

/// A strided operand.
pub type Strided<'a, T> = (&'a [T], Layout);

/// What is to be computed.
#[derive(Clone, Copy)]
pub struct Problem<'a, T> {
    /// Sizes and options.
    pub shape: &'a AttentionShape,
    /// Queries, keys and values.
    pub qkv: [Strided<'a, T>; 3],
    /// Which keys a query sees.
    pub mask: Mask<'a, T>,
}

/// Tangents of the operands.
pub struct Tangents<'a, T> {
    /// Of queries, keys and values.
    pub qkv: [Strided<'a, T>; 3],
    /// Of the bias.
    pub bias: Option<Strided<'a, T>>,
}

/// [`AttentionMask`](crate::device::AttentionMask) in the memory of the processor.
#[derive(Clone, Copy)]
pub enum Mask<'a, T> {
    /// Nothing.
    None,
    /// Whether a key is seen.
    Visible(Strided<'a, bool>),
    /// Added to the scores.
    Bias(Strided<'a, T>),
    /// The number of keys.
    Lengths(Strided<'a, i64>),
}

/// The gradients to compute; all dense. `bias` is transposed: heads that share a bias are summed, keys, queries.
pub struct Gradients<'a, T> {
    /// Of the queries.
    pub q: Option<&'a mut [T]>,
    /// Of the keys.
    pub k: Option<&'a mut [T]>,
    /// Of the values.
    pub v: Option<&'a mut [T]>,
    /// Of the bias.
    pub bias: Option<&'a mut [T]>,
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn results_do_not_depend_on_threads() {
        #[differentiable]
        fn f(q: &Tensor![3, 300, 16], k: &Tensor![3, 700, 16]) -> Tensor![3, 300, 16] {
            q.attention(k, k, Attention::new().causal().dropout(0.1, 1))
        }
        let wave = |i: usize| ((i * 37 % 101) as f32 / 50.0 - 1.0).sin();
        let args = (Tensor::from_fn(wave), Tensor::from_fn(wave));
        let run = || {
            let y = <f as DifferentiableFn<_>>::call(&args);
            (<f as DifferentiableFn<_>>::vjp(&args, y.clone()), y)
        };
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(run)
        };
        assert!(with(1) == with(4), "the same bits");
    }
}
