//! Positions as rotations of queries and keys.

use autodiff_core::prelude::*;
use autodiff_core::shape::Axis;
use autodiff_core::tensor::raw::Raw;

/// Rotary positions (Su et al. 2021) for heads of `K` entries, of which `i` and `i + K/2` form a pair, as in Llama: at
/// position `t` the pair turns by the angle `t/base^(2i/K)`.
#[module]
#[derive(Copy, PartialEq)]
pub struct Rotary<const K: usize> {
    /// Of the slowest rotation.
    #[config]
    #[init(10_000.0)]
    pub base: f64,
}

impl<const K: usize> Rotary<K> {
    /// The cosines of the angles, and the sines with the sign that they have in each half, in the shape of a tensor.
    fn tables<S: Shape, T: Float>(
        &self,
        x: &Tensor<S, T>,
        from: usize,
    ) -> (Tensor<S, T>, Tensor<S, T>) {
        const {
            assert!(
                K.is_multiple_of(2),
                "rotary positions need heads of an even size"
            )
        };
        let dims = x.dims();
        let length = dims[dims.rank() - 2];
        let angle = |at: usize| {
            let (t, i) = (from + at / K, at % K % (K / 2));
            t as f64 / self.base.powf(2.0 * i as f64 / K as f64)
        };
        let sign = |at: usize| if at % K < K / 2 { -1.0 } else { 1.0 };
        let table = |f: &dyn Fn(usize) -> f64| {
            let all: Vec<T> = (0..length * K).map(|at| T::lit(f(at))).collect();
            let mut table = x.clone();
            *table.raw_mut() = Raw::from_slice(x.device(), [length, K], &all).expand(dims);
            table
        };
        (
            table(&|at| angle(at).cos()),
            table(&|at| angle(at).sin() * sign(at)),
        )
    }
}

#[differentiable]
impl<const K: usize> Rotary<K> {
    /// Queries or keys `[.., L, K]` turned by their positions, of which the first is `from`.
    pub fn forward<S: Shape + Axis<-1, Dim = Sz<K>> + Axis<-2>, T: Float>(
        &self,
        x: &Tensor<S, T>,
        from: usize,
    ) -> Tensor<S, T> {
        let (cos, sin) = no_grad!(self.tables(x, from));
        x * &cos + x.roll::<-1>(no_grad!((K / 2) as isize)) * &sin
    }
}
