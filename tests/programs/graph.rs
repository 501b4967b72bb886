//! Attention along the edges of a graph.

use super::common::*;

/// Zachary's karate club (1977): who meets whom.
const FRIENDS: [(usize, usize); 78] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (0, 5),
    (0, 6),
    (0, 7),
    (0, 8),
    (0, 10),
    (0, 11),
    (0, 12),
    (0, 13),
    (0, 17),
    (0, 19),
    (0, 21),
    (0, 31),
    (1, 2),
    (1, 3),
    (1, 7),
    (1, 13),
    (1, 17),
    (1, 19),
    (1, 21),
    (1, 30),
    (2, 3),
    (2, 7),
    (2, 8),
    (2, 9),
    (2, 13),
    (2, 27),
    (2, 28),
    (2, 32),
    (3, 7),
    (3, 12),
    (3, 13),
    (4, 6),
    (4, 10),
    (5, 6),
    (5, 10),
    (5, 16),
    (6, 16),
    (8, 30),
    (8, 32),
    (8, 33),
    (9, 33),
    (13, 33),
    (14, 32),
    (14, 33),
    (15, 32),
    (15, 33),
    (18, 32),
    (18, 33),
    (19, 33),
    (20, 32),
    (20, 33),
    (22, 32),
    (22, 33),
    (23, 25),
    (23, 27),
    (23, 29),
    (23, 32),
    (23, 33),
    (24, 25),
    (24, 27),
    (24, 31),
    (25, 31),
    (26, 29),
    (26, 33),
    (27, 33),
    (28, 31),
    (28, 33),
    (29, 32),
    (29, 33),
    (30, 32),
    (30, 33),
    (31, 32),
    (31, 33),
    (32, 33),
];

/// Those on the side of the instructor.
const FIRST: [i64; 17] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21];

#[module]
struct Gcn {
    first: GraphConv<34, 16>,
    second: GraphConv<16, 2>,
}

#[module]
struct Gat {
    first: GraphAttention<34, 8, 4>,
    second: GraphAttention<32, 2>,
}

#[differentiable]
impl Gcn {
    fn forward(&self, a: &Sparse<Sz<34>, Sz<34>>) -> Tensor![34, 2] {
        let h = self
            .first
            .forward(&no_grad!(Tensor::<shape![34, 34]>::eye()), a)
            .relu();
        self.second.forward(&h, a)
    }

    fn loss(&self, a: &Sparse<Sz<34>, Sz<34>>) -> Tensor![] {
        let known = self
            .forward(a)
            .index_select::<0, _, _>(&no_grad!(tensor([0i64, 33])));
        known.cross_entropy(&no_grad!(tensor([0i64, 1])))
    }
}

#[differentiable]
impl Gat {
    fn forward(&self, edges: &Edges<Sz<34>>) -> Tensor![34, 2] {
        let h = self
            .first
            .forward(&no_grad!(Tensor::<shape![34, 34]>::eye()), edges)
            .elu(1.0);
        self.second.forward(&h, edges)
    }

    fn loss(&self, edges: &Edges<Sz<34>>) -> Tensor![] {
        let known = self
            .forward(edges)
            .index_select::<0, _, _>(&no_grad!(tensor([0i64, 33])));
        known.cross_entropy(&no_grad!(tensor([0i64, 1])))
    }
}

fn right(logits: &Tensor![34, 2]) -> usize {
    let sides = logits.argmax::<1>().to_vec();
    (0..34)
        .filter(|i| (sides[*i as usize] == 0) == FIRST.contains(i))
        .count()
}

#[test]
fn two_members_tell_the_sides_of_a_club() {
    let edges = Edges::new(Sz::<34>, FRIENDS)
        .unwrap()
        .undirected()
        .with_loops();
    let a = edges.normalised();
    let (mut gcn, mut opt) = (Gcn::new(&mut Seeds::new(5)), Adam::new(0.01));
    for _ in 0..200 {
        let (_, grad) = gcn.loss_value_and_grad(&a);
        opt.step(&mut gcn, &grad);
    }
    assert!(right(&gcn.forward(&a)) >= 32);

    let (mut gat, mut opt) = (
        Gat::new(&mut Seeds::new(5)),
        Adam::new(0.01).weight_decay(5e-4),
    );
    for _ in 0..200 {
        let (_, grad) = gat.loss_value_and_grad(&edges);
        opt.step(&mut gat, &grad);
    }
    assert!(right(&gat.forward(&edges)) >= 29);
}
