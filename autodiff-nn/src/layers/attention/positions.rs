//! Where in a sequence a vector stands.

use autodiff_core::prelude::*;

/// `0, 1, 2, …` along an axis: the rows of a learned table of positions, `table.forward(&positions(length))`.
pub fn positions<L: Dim>(length: L) -> Tensor<(L,), i64> {
    Tensor::from_fn_with((length,), |i| i as i64)
}

/// `sin(t/10000^(i/D))` for even entries `i` and `cos(t/10000^((i−1)/D))` for odd ones, at position `t` (Vaswani et al. 2017).
pub fn sinusoidal<const D: usize, L: Dim, T: Float>(length: L) -> Tensor<(L, Sz<D>), T> {
    Tensor::from_fn_with((length, Sz::<D>), |at| {
        let (t, i) = ((at / D) as f64, at % D);
        let angle = t / 10_000_f64.powf((i - i % 2) as f64 / D as f64);
        T::lit(if i % 2 == 0 { angle.sin() } else { angle.cos() })
    })
}

/// The bias `−m_h·|i − j|` of a query at `i` and a key at `j` in head `h` of `H`, with the slopes `m_h = 2^(−8(h + 1)/H)`
/// (Press et al. 2022): for `attention_biased`.
pub fn alibi<const H: usize, Q: Dim, M: Dim, T: Float>(
    queries: Q,
    keys: M,
) -> Tensor<(Sz<H>, Q, M), T> {
    let (q, m) = (queries.size(), keys.size());
    Tensor::from_fn_with((Sz::<H>, queries, keys), |at| {
        let (h, i, j) = (at / (q * m), at / m % q, at % m);
        let slope = 2_f64.powf(-8.0 * (h + 1) as f64 / H as f64);
        // With more keys than queries the last positions agree, as in causal attention.
        T::lit(-slope * ((i + m) as f64 - (j + q) as f64).abs())
    })
}

/// `a·t + b` at position `t`, with `D` numbers `a` and `b` that are trained.
#[module]
pub struct LinearPositions<const D: usize, T: Float = f32> {
    /// The slopes, 0 at first.
    #[init(Tensor::zeros())]
    pub slope: Tensor![T; { D }],
    /// The values at position 0, 0 at first.
    #[init(Tensor::zeros())]
    pub start: Tensor![T; { D }],
}

#[differentiable]
impl<const D: usize, T: Float> LinearPositions<D, T> {
    /// The encodings of the first positions of a sequence.
    pub fn forward<L: Dim>(&self, #[constant] length: L) -> Tensor![T; L, { D }] {
        let times = no_grad!(Tensor::<(L, Sz<D>), T>::from_fn_with(
            (length, Sz::<D>),
            |at| T::lit((at / D) as f64)
        ));
        times * &self.slope + &self.start
    }
}
