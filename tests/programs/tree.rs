//! The value of Boolean formulas, by a network that follows their trees.

use super::common::*;

#[derive(Clone, Differentiable)]
enum Tree {
    Leaf(i64),
    Not(Box<Tree>),
    Pair(i64, Box<Tree>, Box<Tree>),
}

#[module]
struct TreeNet {
    leaves: Embedding<2, 16>,
    not: Linear<16, 16>,
    pair: [Linear<32, 16>; 2],
    out: Linear<16, 1>,
}

#[differentiable]
impl TreeNet {
    fn encode(&self, #[constant] tree: &Tree) -> Tensor![16] {
        match tree {
            Tree::Leaf(i) => self.leaves.weight.index::<0>(*i as usize),
            Tree::Not(t) => self.not.forward(&self.encode(t)).tanh(),
            Tree::Pair(op, a, b) => {
                let both = self.encode(a).concat::<0, _>(&self.encode(b));
                self.pair[*op as usize].forward(&both).tanh()
            }
        }
    }

    fn loss(&self, #[constant] trees: &[(Tree, f32)]) -> Tensor![] {
        let mut sum = Tensor::zeros();
        for (tree, value) in trees {
            let logit = self.out.forward(&self.encode(tree));
            sum += logit.bce_with_logits(&no_grad!(tensor([*value])));
        }
        sum / no_grad!(trees.len() as f32)
    }
}

fn grow(depth: usize, seeds: &mut Seeds) -> (Tree, f32) {
    let r = seeds.next_seed() >> 20;
    if depth == 0 || r.is_multiple_of(7) {
        return (Tree::Leaf((r & 1) as i64), (r & 1) as f32);
    }
    let (a, x) = grow(depth - 1, seeds);
    if r.is_multiple_of(3) {
        return (Tree::Not(Box::new(a)), 1.0 - x);
    }
    let (b, y) = grow(depth - 1, seeds);
    let value = if r % 3 == 1 { x * y } else { x.max(y) };
    let [a, b] = [a, b].map(Box::new);
    (Tree::Pair((r % 3) as i64 - 1, a, b), value)
}

#[test]
fn formulas_have_values() {
    let seeds = &mut Seeds::new(2);
    let mut net = TreeNet::new(seeds);
    let mut lot = |n: usize| -> Vec<_> { (0..n).map(|_| grow(5, seeds)).collect() };
    let mut opt = Adam::new(3e-3).clip_norm(1.0);
    for _ in 0..400 {
        let (_, grad) = net.loss_value_and_grad(&lot(32));
        opt.step(&mut net, &grad);
    }
    let right = |(tree, value): &&(Tree, f32)| {
        (net.out.forward(&net.encode(tree)).to_vec()[0] > 0.0) == (*value > 0.0)
    };
    assert!(lot(500).iter().filter(right).count() >= 490);
}
