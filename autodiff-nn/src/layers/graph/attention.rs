//! Attention along the edges of a graph.

use super::sparse::agree;
use super::{Edge, Edges};
use autodiff_core::nn::Init;
use autodiff_core::prelude::*;
use autodiff_core::shape::StaticDim;
use autodiff_core::shape::arith::Times;

/// Attention of `H` heads of `O` features each to the neighbours of a node (Veličković et al. 2018):
/// `y_i = Σ_j softmax_j(leaky_relu(from·h_j + to·h_i))·h_j` with `h = x·W`, over the edges from `j` to `i`.
///
/// A node without incoming edges gives the bias alone: [`with_loops`](Edges::with_loops) adds the node itself.
///
/// ```
/// use differentiable::nn::{Edges, GraphAttention};
/// use differentiable::prelude::*;
///
/// let edges = Edges::new(Sz::<3>, [(0, 1), (1, 2)])?.undirected().with_loops();
/// let layer = GraphAttention::<4, 8, 2>::new(&mut Seeds::new(0));
/// let y: Tensor![3, 16] = layer.forward(&Tensor::ones(), &edges);
/// # Ok::<(), differentiable::nn::EdgeError>(())
/// ```
#[module]
pub struct GraphAttention<const I: usize, const O: usize, const H: usize = 1, T: Float = f32> {
    /// Makes features.
    #[init(Init::XavierUniform.tensor(I, H * O, seeds))]
    pub weight: Tensor![T; { I }, { H }, { O }],
    /// Scores the source of an edge.
    #[init(Init::XavierUniform.tensor(O, 1, seeds))]
    pub from: Tensor![T; { H }, { O }],
    /// Scores the target of an edge.
    #[init(Init::XavierUniform.tensor(O, 1, seeds))]
    pub to: Tensor![T; { H }, { O }],
    /// Added to each node, 0 at first.
    #[init(Tensor::zeros())]
    pub bias: Tensor![T; { H }, { O }],
    /// The slope of negative scores, 0.2.
    #[config]
    #[init(0.2)]
    pub slope: f64,
}

#[differentiable]
impl<const I: usize, const O: usize, const H: usize, T: Float> GraphAttention<I, O, H, T> {
    /// The heads of each node side by side: `[N, I]` gives `[N, H·O]`.
    pub fn forward<N: Dim, W: StaticDim>(
        &self,
        x: &Tensor![T; N, { I }],
        edges: &Edges<N>,
    ) -> Tensor<(N, W), T>
    where
        Sz<H>: Times<Sz<O>, Out = W>,
    {
        self.heads(x, edges).flatten()
    }

    /// The mean over the heads, for a last layer: `[N, I]` gives `[N, O]`.
    pub fn forward_mean<N: Dim>(
        &self,
        x: &Tensor![T; N, { I }],
        edges: &Edges<N>,
    ) -> Tensor![T; N, { O }] {
        self.heads(x, edges).mean_axis::<1>()
    }

    /// The heads of each node.
    pub fn heads<N: Dim>(
        &self,
        x: &Tensor![T; N, { I }],
        edges: &Edges<N>,
    ) -> Tensor![T; N, { H }, { O }] {
        let nodes: N = no_grad!(edges.nodes());
        no_grad!(agree(x.dims()[0], nodes.size(), "nodes of the graph"));
        let sources: Tensor<(Edge,), i64> = no_grad!(edges.sources.clone());
        let targets: Tensor<(Edge,), i64> = no_grad!(edges.targets.clone());
        let slope: T = no_grad!(T::lit(self.slope));
        let h = x.tensordot::<1, _>(&self.weight);
        let from = einsum!("nho,ho->nh", &h, &self.from);
        let to = einsum!("nho,ho->nh", &h, &self.to);
        let scores = from.index_select::<0, _, _>(&sources) + to.index_select::<0, _, _>(&targets);
        let scores = scores.leaky_relu(slope);
        // A softmax is the same after a shift, so the largest score of each target is a constant.
        let largest: Tensor![T; Edge, { H }] = no_grad!(largest(&scores, &targets, nodes));
        let parts = (&scores - &largest).exp();
        let none: Tensor![T; N, { H }] =
            no_grad!(Tensor::<(N, Sz<H>), T>::zeros_with((nodes, Sz)).to(x.device()));
        let sums = none.index_add::<0, _, _>(&targets, &parts);
        let weights = parts / sums.index_select::<0, _, _>(&targets);
        let given =
            h.index_select::<0, _, _>(&sources) * weights.unsqueeze::<2>().expand::<2, _>(Sz::<O>);
        let start: Tensor![T; N, { H }, { O }] =
            no_grad!(Tensor::<(N, Sz<H>, Sz<O>), T>::zeros_with((nodes, Sz, Sz)).to(x.device()));
        start.index_add::<0, _, _>(&targets, &given) + &self.bias
    }
}

/// The largest score among the edges with the same target, for each edge.
fn largest<N: Dim, const H: usize, T: Float>(
    scores: &Tensor<(Edge, Sz<H>), T>,
    targets: &Tensor<(Edge,), i64>,
    nodes: N,
) -> Tensor<(Edge, Sz<H>), T> {
    // Of several that are scattered to one place the last stays: in ascending order that is the largest.
    let order = scores.argsort::<0>();
    let by_head: Tensor<(Edge, Sz<H>), i64> = targets.unsqueeze::<1>().expand::<1, _>(Sz::<H>);
    let found = Tensor::<(N, Sz<H>), T>::full_with_on(scores.device(), (nodes, Sz), -T::INFINITY);
    let found = found.scatter::<0, _, _>(
        &by_head.gather::<0, _, _>(&order),
        &scores.gather::<0, _, _>(&order),
    );
    found.index_select::<0, _, _>(targets)
}
