//! Forms of two inputs.

use autodiff_core::nn::Init;
use autodiff_core::prelude::*;

/// `y_k = x1ᵀ·W_k·x2 + b_k` for `I` and `J` features and `O` outputs.
#[module]
pub struct Bilinear<const I: usize, const J: usize, const O: usize, T: Float = f32> {
    /// `O` × `I` × `J`, uniform on `(−1/√I, 1/√I)` at first.
    #[init(Init::FanIn.tensor(I, O, seeds))]
    pub weight: Tensor![T; { O }, { I }, { J }],
    /// One number for each output.
    #[init(Init::FanIn.tensor(I, O, seeds))]
    pub bias: Tensor![T; { O }],
}

#[differentiable]
impl<const I: usize, const J: usize, const O: usize, T: Float> Bilinear<I, J, O, T> {
    /// The form of each row.
    pub fn forward<B: Dim>(
        &self,
        x1: &Tensor![T; B, { I }],
        x2: &Tensor![T; B, { J }],
    ) -> Tensor![T; B, { O }] {
        let y = einsum!("bi,oij,bj->bo", x1, &self.weight, x2);
        y + &self.bias
    }
}
