//! Layers over graphs, and mixtures of experts, against dense formulas and differences.

use differentiable::ad::check_grads;
use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch);

fn path() -> Edges<Sz<5>> {
    let edges = Edges::new(Sz::<5>, [(0, 1), (1, 2), (2, 3), (0, 3)]).unwrap();
    edges.undirected().with_loops()
}

fn close<S: Shape>(a: &Tensor<S, f64>, b: &Tensor<S, f64>) {
    for (a, b) in a.to_vec().into_iter().zip(b.to_vec()) {
        assert!((a - b).abs() <= 1e-12 * a.abs().max(1.0), "{a} and {b}");
    }
}

#[differentiable]
fn product(a: &Sparse<Sz<2>, Sz<3>, f64>, x: &Tensor![f64; 3, 4], w: &Tensor![f64; 2, 4]) -> f64 {
    (a.matmul(x).tanh() * w).sum().item()
}

#[test]
fn a_sparse_product_is_the_dense_one_with_its_derivatives() {
    let entries = [(1, 2, 0.5), (0, 0, -1.5), (1, 0, 2.0), (0, 0, 0.25)];
    let a = Sparse::new((Sz::<2>, Sz::<3>), entries).unwrap();
    assert_eq!(a.len(), 3); // two at one place add up
    assert_eq!(a.to_dense(), tensor([[-1.25, 0.0, 0.0], [2.0, 0.0, 0.5]]));
    let (x, w) = (Tensor::randn(1), Tensor::randn(2));
    close(&a.matmul(&x), &a.to_dense().matmul(&x));
    check_grads::<product, _>(&(a.clone(), x.clone(), w.clone())).unwrap();
    let outside = Sparse::new((Sz::<2>, Sz::<3>), [(0, 1, 1.0), (2, 0, 1.0)]);
    assert_eq!(
        outside.unwrap_err().to_string(),
        "entry 1 is at row 2 and column 0, counted from 0, of a matrix of 2 rows and 3 columns"
    );
}

#[test]
fn a_matrix_without_entries_is_zero() {
    let a = Sparse::<_, _, f64>::new((Sz::<2>, Sz::<3>), []).unwrap();
    assert!(a.is_empty());
    assert_eq!(
        a.matmul(&Tensor::<shape![3, 4], f64>::ones()),
        Tensor::zeros()
    );
}

#[test]
fn edges_name_nodes_of_the_graph() {
    let wrong = Edges::new(Sz::<3>, [(0, 1), (1, 3)]).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "edge 1 goes from node 1 to node 3, in a graph of 3 nodes, counted from 0"
    );
}

#[test]
fn the_normalised_adjacency_is_that_of_kipf_and_welling() {
    let edges = path();
    let dense = edges.adjacency::<f64>().to_dense();
    let degree = dense.sum_axis::<1>().rsqrt();
    let scale = degree.unsqueeze::<1>().expand::<1, _>(Sz::<5>);
    close(
        &edges.normalised().to_dense(),
        &(&dense * &scale * scale.t()),
    );
    close(
        &edges.mean::<f64>().to_dense().sum_axis::<1>(),
        &Tensor::ones(),
    );
}

#[differentiable]
fn conv(net: &GraphConv<3, 2, f64>, x: &Tensor![f64; 5, 3], a: &Sparse<Sz<5>, Sz<5>, f64>) -> f64 {
    net.forward(x, a).tanh().sum().item()
}

#[differentiable]
fn attention(
    net: &GraphAttention<3, 4, 2, f64>,
    x: &Tensor![f64; 5, 3],
    #[constant] edges: &Edges<Sz<5>>,
) -> f64 {
    net.forward(x, edges).tanh().sum().item() + net.forward_mean(x, edges).square().sum().item()
}

#[test]
fn derivatives_of_graph_layers_are_those_of_differences() {
    let seeds = &mut Seeds::new(3);
    let x = Tensor::randn(1);
    check_grads::<conv, _>(&(GraphConv::new(seeds), x.clone(), path().normalised())).unwrap();
    check_grads::<attention, _>(&(GraphAttention::new(seeds), x.clone(), path())).unwrap();
}

/// By a dense matrix of scores, masked.
fn dense(
    net: &GraphAttention<3, 4, 2, f64>,
    x: &Tensor![f64; 5, 3],
    edges: &Edges<Sz<5>>,
) -> Tensor![f64; 5, 8] {
    let h = x.tensordot::<1, _>(&net.weight);
    let from = einsum!("nho,ho->hn", &h, &net.from);
    let to = einsum!("nho,ho->hn", &h, &net.to);
    let scores =
        to.unsqueeze::<2>().expand::<2, _>(Sz::<5>) + from.unsqueeze::<1>().expand::<1, _>(Sz::<5>);
    let linked = edges.adjacency::<f64>().to_dense();
    let hidden: Tensor![bool; 2, 5, 5] = Tensor::from_fn(|at| linked[[at % 25 / 5, at % 5]] == 0.0);
    let weights = scores
        .leaky_relu(0.2)
        .masked_fill(&hidden, f64::NEG_INFINITY)
        .softmax::<-1>();
    let y = einsum!("hij,jho->iho", &weights, &h) + &net.bias;
    y.flatten()
}

#[test]
fn attention_along_edges_is_dense_attention_with_a_mask() {
    let net = GraphAttention::<3, 4, 2, f64>::new(&mut Seeds::new(5));
    // The largest scores overflow without a shift.
    for scale in [1.0, 1e4] {
        let x = Tensor::randn(1) * scale;
        close(&net.forward(&x, &path()), &dense(&net, &x, &path()));
    }
}

#[test]
fn a_node_without_neighbours_gives_the_bias() {
    let mut net = GraphAttention::<3, 4, 2, f64>::new(&mut Seeds::new(5));
    net.bias = Tensor::ones();
    let edges = Edges::new(Sz::<5>, [(0, 1)]).unwrap();
    let y = net.forward(&Tensor::randn(1), &edges);
    assert_eq!(y.to_vec()[16..24], [1.0; 8]);
}

#[differentiable]
fn mixture(net: &MixtureOfExperts<4, 6, 3, 2, f64>, x: &Tensor![f64; 5, 4]) -> f64 {
    let (y, balance) = net.forward(x);
    y.tanh().sum().item() + balance.item()
}

#[test]
fn derivatives_of_a_mixture_are_those_of_differences() {
    check_grads::<mixture, _>(&(MixtureOfExperts::new(&mut Seeds::new(3)), Tensor::randn(1)))
        .unwrap();
}

#[test]
fn a_mixture_of_all_experts_is_their_weighted_sum() {
    let net = MixtureOfExperts::<4, 6, 3, 3, f64>::new(&mut Seeds::new(3));
    let x: Tensor![f64; Batch, 4] = Tensor::randn_with((Batch(7), Sz), 1);
    let p = net.gate.forward(&x).softmax::<-1>();
    let mut sum = Tensor::zeros_with(x.shape());
    for (e, expert) in net.experts.iter().enumerate() {
        sum += expert.forward(&x) * p.index::<1>(e).unsqueeze::<1>().expand::<1, _>(Sz::<4>);
    }
    let (y, balance) = net.forward(&x);
    close(&y, &sum);
    // Each expert has a third of the choices.
    assert!((balance.item() - 1.0).abs() < 1e-12);
}

#[test]
fn positions_of_sequences_are_rows() {
    let net = MixtureOfExperts::<4, 6, 3, 1, f64>::new(&mut Seeds::new(3));
    let x: Tensor![f64; 2, 3, 4] = Tensor::randn(1);
    let (y, _) = net.forward_sequences(&x);
    let (rows, _) = net.forward(&x.reshape::<shape![6, 4]>());
    assert_eq!(y.to_vec(), rows.to_vec());
}
