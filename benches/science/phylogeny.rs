//! Likelihood of a phylogenetic tree (Felsenstein's pruning), by branch lengths and kappa.
use crate::Report;
use differentiable::prelude::*;
use std::collections::HashMap;

#[derive(Clone, Debug, Differentiable)]
enum Tree {
    Leaf { name: String, length: f64 },
    Node { children: Vec<Tree>, length: f64 },
}

#[derive(Clone, Debug, Differentiable)]
struct Model {
    kappa: f64,
    frequencies: [f64; 4],
}

#[differentiable]
impl Model {
    /// Transition probabilities of HKY85 at equal frequencies: Kimura's.
    fn transition(&self, t: f64) -> [[f64; 4]; 4] {
        let beta = 1.0 / (2.0 + self.kappa);
        let e1 = (-4.0 * beta * t).exp();
        let e2 = (-2.0 * (1.0 + self.kappa) * beta * t).exp();
        let same = 0.25 + 0.25 * e1 + 0.5 * e2;
        let transition = 0.25 + 0.25 * e1 - 0.5 * e2;
        let transversion = 0.25 - 0.25 * e1;
        let mut p = [[0.0; 4]; 4];
        for (i, row) in p.iter_mut().enumerate() {
            for (j, p) in row.iter_mut().enumerate() {
                *p = match (i, j) {
                    _ if i == j => same,
                    (0, 2) | (2, 0) | (1, 3) | (3, 1) => transition,
                    _ => transversion,
                };
            }
        }
        p
    }
}

#[differentiable]
impl Tree {
    fn partial(
        &self,
        model: &Model,
        #[constant] sequences: &HashMap<String, Vec<u8>>,
        site: usize,
    ) -> [f64; 4] {
        let (below, length) = match self {
            Tree::Leaf { name, length } => {
                let below = match sequences.get(name).map(|s| s[site]) {
                    Some(b'A') => [1.0, 0.0, 0.0, 0.0],
                    Some(b'C') => [0.0, 1.0, 0.0, 0.0],
                    Some(b'G') => [0.0, 0.0, 1.0, 0.0],
                    Some(b'T') => [0.0, 0.0, 0.0, 1.0],
                    _ => [1.0; 4],
                };
                (below, length)
            }
            Tree::Node { children, length } => {
                let below = children
                    .iter()
                    .map(|c| c.partial(model, sequences, site))
                    .fold([1.0; 4], |acc, p| {
                        [acc[0] * p[0], acc[1] * p[1], acc[2] * p[2], acc[3] * p[3]]
                    });
                (below, length)
            }
        };
        let p = model.transition(*length);
        let mut out = [0.0; 4];
        for i in 0..4 {
            out[i] = p[i].iter().zip(&below).map(|(p, b)| p * b).sum();
        }
        out
    }

    fn log_likelihood(
        &self,
        model: &Model,
        #[constant] sequences: &HashMap<String, Vec<u8>>,
    ) -> f64 {
        let sites = sequences.values().next().map_or(0, |s| s.len());
        (0..sites)
            .map(|site| {
                let root = self.partial(model, sequences, site);
                root.iter()
                    .zip(&model.frequencies)
                    .map(|(r, f)| r * f)
                    .sum::<f64>()
                    .ln()
            })
            .sum()
    }
}

pub fn measure(report: &mut Report) {
    fn balanced(depth: usize, id: &mut usize) -> Tree {
        let length = 0.05 + 0.03 * (*id as f64).sin().abs();
        *id += 1;
        match depth {
            0 => Tree::Leaf {
                name: format!("t{id}"),
                length,
            },
            _ => Tree::Node {
                children: (0..2).map(|_| balanced(depth - 1, id)).collect(),
                length,
            },
        }
    }
    fn names(tree: &Tree, out: &mut Vec<String>) {
        match tree {
            Tree::Leaf { name, .. } => out.push(name.clone()),
            Tree::Node { children, .. } => children.iter().for_each(|c| names(c, out)),
        }
    }
    let tree = balanced(5, &mut 0);
    let mut leaves = vec![];
    names(&tree, &mut leaves);
    let site = |i: usize, s: usize| b"ACGT-"[(s * 7 + (i / 4) * (s % 3) + (i * s) % 17 / 12) % 5];
    let sequence = |i| (0..100).map(|s| site(i, s)).collect();
    let sequences: HashMap<String, Vec<u8>> = leaves
        .into_iter()
        .enumerate()
        .map(|(i, name)| (name, sequence(i)))
        .collect();
    let model = Model {
        kappa: 2.0,
        frequencies: [0.25; 4],
    };
    report.case(
        "phylogeny, 32 leaves, 100 sites",
        tree.log_likelihood(&model, &sequences),
        || tree.log_likelihood(&model, &sequences),
        || tree.log_likelihood_value_and_grad(&model, &sequences),
    );
}
