//! Convolutions of graphs.

use super::Sparse;
use autodiff_core::nn::Init;
use autodiff_core::prelude::*;

/// `y = A·x·W + b` for features `I` of each node and an adjacency matrix `A`, usually
/// [`normalised`](super::Edges::normalised) (Kipf & Welling 2017).
///
/// ```
/// use differentiable::nn::{Edges, GraphConv};
/// use differentiable::prelude::*;
///
/// let a = Edges::new(Sz::<3>, [(0, 1), (1, 2)])?.undirected().with_loops().normalised();
/// let layer = GraphConv::<4, 2>::new(&mut Seeds::new(0));
/// let y: Tensor![3, 2] = layer.forward(&Tensor::ones(), &a);
/// # Ok::<(), differentiable::nn::EdgeError>(())
/// ```
#[module]
pub struct GraphConv<const I: usize, const O: usize, T: Float = f32> {
    /// `I` × `O`, by the rule of Glorot & Bengio (2010) at first.
    #[init(Init::XavierUniform.tensor(I, O, seeds))]
    pub weight: Tensor![T; { I }, { O }],
    /// Added to each node, 0 at first.
    #[init(Tensor::zeros())]
    pub bias: Tensor![T; { O }],
}

#[differentiable]
impl<const I: usize, const O: usize, T: Float> GraphConv<I, O, T> {
    /// The new features of each node of `N`, from those of `M`.
    pub fn forward<N: Dim, M: Dim>(
        &self,
        x: &Tensor![T; M, { I }],
        adjacency: &Sparse<N, M, T>,
    ) -> Tensor![T; N, { O }] {
        adjacency.matmul(&x.matmul(&self.weight)) + &self.bias
    }
}
