//! Images as sequences.

use autodiff_core::nn::Init;
use autodiff_core::prelude::*;
use autodiff_core::shape::{MergeLast, Slide};

/// An image `[B, C, H, W]` cut into `N` squares of `P` by `P` pixels, each of which becomes a vector of `D` features
/// (Dosovitskiy et al. 2021): `[B, N, D]` with `N = (H/P)·(W/P)`.
#[module]
pub struct PatchEmbedding<
    const C: usize,
    const P: usize,
    const N: usize,
    const D: usize,
    T: Float = f32,
> {
    /// A filter for each feature, uniform on `(−a, a)` with `a = 1/√(C·P·P)` at first.
    #[init(Init::FanIn.tensor(C * P * P, D, seeds))]
    pub weight: Tensor![T; { D }, { C }, { P }, { P }],
    /// One number for each feature.
    #[init(Init::FanIn.tensor(C * P * P, D, seeds))]
    pub bias: Tensor![T; { D }],
}

#[differentiable]
impl<const C: usize, const P: usize, const N: usize, const D: usize, T: Float>
    PatchEmbedding<C, P, N, D, T>
{
    /// The vectors of the patches, row by row. `HP` and `WP` are the numbers of patches along the two sides.
    pub fn forward<
        B: Dim,
        H: Dim + Slide<Sz<P>, Win<P>, Out = HP>,
        W: Dim + Slide<Sz<P>, Win<P>, Out = WP>,
        HP: Dim,
        WP: Dim,
    >(
        &self,
        x: &Tensor![T; B, { C }, H, W],
    ) -> Tensor![T; B, { N }, { D }]
    where
        (B, Sz<D>, HP, WP): MergeLast<Out = (B, Sz<D>, Sz<N>)>,
    {
        let y = x.conv2d(&self.weight, Win::<P>).add_channels(&self.bias);
        y.merge_last().transpose::<1, 2>()
    }
}
