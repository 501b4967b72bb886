//! The edges of a graph.

use super::Sparse;
use autodiff_core::device::{AnyStorage, HostNumber};
use autodiff_core::prelude::*;
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;

dim!(
    /// The edges of a graph, or the entries of a sparse matrix.
    pub Edge
);

/// An edge that names a node which the graph does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeError {
    /// The position of the edge.
    pub position: usize,
    /// The edge, from source to target.
    pub edge: (usize, usize),
    /// The number of nodes.
    pub nodes: usize,
}

impl fmt::Display for EdgeError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let EdgeError {
            position,
            edge: (source, target),
            nodes,
        } = self;
        write!(
            f,
            "edge {position} goes from node {source} to node {target}, in a graph of {nodes} nodes, counted from 0"
        )
    }
}

impl Error for EdgeError {}

/// The directed edges of a graph over the nodes `N`, each of them once, in the order of their targets.
///
/// ```
/// use differentiable::nn::Edges;
/// use differentiable::prelude::*;
///
/// let path = Edges::new(Sz::<3>, [(0, 1), (1, 2)])?.undirected();
/// assert_eq!(path.pairs(), [(1, 0), (0, 1), (2, 1), (1, 2)]);
/// assert_eq!(path.with_loops().len(), 7);
/// # Ok::<(), differentiable::nn::EdgeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Edges<N: Dim> {
    nodes: N,
    pub(super) sources: Tensor<(Edge,), i64>,
    pub(super) targets: Tensor<(Edge,), i64>,
}

autodiff_core::__discrete!([N: Dim] Edges<N>);
impl<N: Dim> ToDevice for Edges<N> {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        each(&mut HostNumber(self.nodes.size() as u64));
        self.sources.each_storage(each);
        self.targets.each_storage(each);
    }
}

impl<N: Dim> Edges<N> {
    /// Edges from pairs of a source and a target.
    ///
    /// # Errors
    /// If a pair names a node beyond the graph.
    pub fn new(
        nodes: N,
        pairs: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, EdgeError> {
        let mut edges = BTreeSet::new();
        let count = nodes.size();
        for (position, (source, target)) in pairs.into_iter().enumerate() {
            if source >= count || target >= count {
                return Err(EdgeError {
                    position,
                    edge: (source, target),
                    nodes: count,
                });
            }
            edges.insert((target, source));
        }
        Ok(Self::sorted(nodes, &edges))
    }

    /// Edges as pairs of target and source.
    fn sorted(nodes: N, edges: &BTreeSet<(usize, usize)>) -> Self {
        let column = |pick: fn(&(usize, usize)) -> usize| {
            let ends: Vec<i64> = edges.iter().map(|e| pick(e) as i64).collect();
            Tensor::from_fn_with((Edge(ends.len()),), |i| ends[i])
        };
        Edges {
            nodes,
            sources: column(|e| e.1),
            targets: column(|e| e.0),
        }
    }

    /// The nodes.
    pub fn nodes(&self) -> N {
        self.nodes
    }

    /// The number of edges.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sources and targets, ordered by target.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let (sources, targets) = (self.sources.to_vec(), self.targets.to_vec());
        let pairs = sources.iter().zip(&targets);
        pairs.map(|(&s, &t)| (s as usize, t as usize)).collect()
    }

    /// With each edge in both directions.
    pub fn undirected(&self) -> Self {
        let both = self.pairs().into_iter().flat_map(|(s, t)| [(s, t), (t, s)]);
        Self::sorted(self.nodes, &both.collect())
    }

    /// With an edge from each node to itself.
    pub fn with_loops(&self) -> Self {
        let edges = self.pairs().into_iter().map(|(s, t)| (t, s));
        let loops = (0..self.nodes.size()).map(|i| (i, i));
        Self::sorted(self.nodes, &edges.chain(loops).collect())
    }

    /// On another device.
    pub fn to(&self, device: &Device) -> Self {
        Edges {
            nodes: self.nodes,
            sources: self.sources.to(device),
            targets: self.targets.to(device),
        }
    }

    /// The adjacency matrix: 1 in the row of the target and the column of the source.
    pub fn adjacency<T: Float>(&self) -> Sparse<N, N, T> {
        self.weighted(|_, _| 1.0)
    }

    /// `D^(−1/2)·A·D^(−1/2)` for the degrees `D` of the nodes, counted by incoming edges for rows and by outgoing ones for
    /// columns: what a [`GraphConv`](super::GraphConv) multiplies with, usually
    /// [`with_loops`](Self::with_loops) (Kipf & Welling 2017).
    pub fn normalised<T: Float>(&self) -> Sparse<N, N, T> {
        let (mut incoming, mut outgoing) =
            (vec![0.0; self.nodes.size()], vec![0.0; self.nodes.size()]);
        for (s, t) in self.pairs() {
            outgoing[s] += 1.0;
            incoming[t] += 1.0;
        }
        self.weighted(|s, t| 1.0 / f64::sqrt(outgoing[s] * incoming[t]))
    }

    /// `D⁻¹·A`: each row is the mean over the incoming edges.
    pub fn mean<T: Float>(&self) -> Sparse<N, N, T> {
        let mut incoming = vec![0.0; self.nodes.size()];
        for (_, t) in self.pairs() {
            incoming[t] += 1.0;
        }
        self.weighted(|_, t| 1.0 / incoming[t])
    }

    /// A matrix with a number for each edge, by source and target.
    pub fn weighted<T: Float>(&self, weight: impl Fn(usize, usize) -> f64) -> Sparse<N, N, T> {
        let pairs = self.pairs();
        let values = Tensor::from_fn_with((Edge(pairs.len()),), |i| {
            T::lit(weight(pairs[i].0, pairs[i].1))
        });
        Sparse {
            shape: (self.nodes, self.nodes),
            rows: self.targets.clone(),
            columns: self.sources.clone(),
            values: values.to(self.sources.device()),
        }
    }
}
