//! Which side does each member of a club take, and to which community does each node of a network belong? Graph networks
//! tell it from who knows whom, though the answer is given for a few nodes only.
//!
//! The first graph is Zachary's karate club (*An information flow model for conflict and fission in small groups*, 1977):
//! 34 members, of whom two are known, the instructor and the president. A graph convolution (Kipf & Welling 2017) reads it.
//! The second is drawn: 90 nodes in three communities, an edge within a community with probability 0.25, between two of
//! them with 0.02, and two known nodes each. Attention along the edges (Veličković et al. 2018) reads it.
//!
//! `cargo run --release --example gnn -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::Result;
use clap::Parser;
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::pictures::{self, Graph};
use support::{Common, Goal, Plan, data};

/// Finds the sides of a club and the communities of a network, and draws both into the folder of --out: known nodes have
/// a ring, wrong ones a cross. Prints the share of unknown nodes that are right.
#[derive(Debug, Parser)]
#[command(name = "gnn")]
struct Args {
    /// Training steps, those of a resumed run included [default: 40]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    #[command(flatten)]
    common: Common,
}

const MEMBERS: usize = 34;
const NODES: usize = 90;
const COMMUNITIES: usize = 3;

/// Each member, and those of higher number whom they meet.
#[rustfmt::skip]
const FRIENDS: [(usize, &[usize]); 26] = [
    (0, &[1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31]),
    (1, &[2, 3, 7, 13, 17, 19, 21, 30]),
    (2, &[3, 7, 8, 9, 13, 27, 28, 32]),
    (3, &[7, 12, 13]),
    (4, &[6, 10]),
    (5, &[6, 10, 16]),
    (6, &[16]),
    (8, &[30, 32, 33]),
    (9, &[33]),
    (13, &[33]),
    (14, &[32, 33]),
    (15, &[32, 33]),
    (18, &[32, 33]),
    (19, &[33]),
    (20, &[32, 33]),
    (22, &[32, 33]),
    (23, &[25, 27, 29, 32, 33]),
    (24, &[25, 27, 31]),
    (25, &[31]),
    (26, &[29, 33]),
    (27, &[33]),
    (28, &[31, 33]),
    (29, &[32, 33]),
    (30, &[32, 33]),
    (31, &[32, 33]),
    (32, &[33]),
];

/// Those on the side of the instructor, member 0. The others went with the president, member 33.
const FIRST: [usize; 17] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21];

/// A graph, the classes of its nodes, and the nodes whose class is given.
struct Task<const N: usize> {
    edges: Edges<Sz<N>>,
    classes: Vec<usize>,
    known: Vec<usize>,
}

fn club() -> Result<Task<MEMBERS>> {
    let pairs = FRIENDS
        .iter()
        .flat_map(|(a, others)| others.iter().map(|b| (*a, *b)));
    Ok(Task {
        edges: Edges::new(Sz, pairs)?.undirected().with_loops(),
        classes: (0..MEMBERS)
            .map(|i| usize::from(!FIRST.contains(&i)))
            .collect(),
        known: vec![0, MEMBERS - 1],
    })
}

/// Node `i` is in community `i % 3`.
fn communities(seeds: &mut Seeds) -> Result<Task<NODES>> {
    let classes: Vec<usize> = (0..NODES).map(|i| i % COMMUNITIES).collect();
    let mut pairs = Vec::new();
    for a in 0..NODES {
        for b in a + 1..NODES {
            let of_100 = if classes[a] == classes[b] { 25 } else { 2 };
            if data::below(seeds, 100) < of_100 {
                pairs.push((a, b));
            }
        }
    }
    Ok(Task {
        edges: Edges::new(Sz, pairs)?.undirected().with_loops(),
        classes,
        known: (0..2 * COMMUNITIES).collect(),
    })
}

/// Two graph convolutions. A node has no features but its name, so the input is the identity.
#[module]
struct Club {
    first: GraphConv<MEMBERS, 16>,
    second: GraphConv<16, 2>,
}

/// Attention with four heads, and with one.
#[module]
struct Network {
    first: GraphAttention<NODES, 8, 4>,
    second: GraphAttention<32, COMMUNITIES>,
}

#[differentiable]
impl Club {
    fn forward(&self, a: &Sparse<Sz<MEMBERS>, Sz<MEMBERS>>) -> Tensor![{ MEMBERS }, 2] {
        let names = no_grad!(Tensor::<shape![{ MEMBERS }, { MEMBERS }]>::eye());
        self.second
            .forward(&self.first.forward(&names, a).relu(), a)
    }
}

#[differentiable]
impl Network {
    fn forward(&self, edges: &Edges<Sz<NODES>>) -> Tensor![{ NODES }, { COMMUNITIES }] {
        let names = no_grad!(Tensor::<shape![{ NODES }, { NODES }]>::eye());
        let h = self.first.forward(&names, edges).elu(1.0);
        self.second.forward(&h, edges)
    }
}

dim!(Known);

/// The nodes whose class is given, and their classes.
type Labels = (Tensor![i64; Known], Tensor![i64; Known]);

impl<const N: usize> Task<N> {
    fn labels(&self) -> Labels {
        let known = Known(self.known.len());
        let node = |i: usize| self.known[i] as i64;
        let class = |i: usize| self.classes[self.known[i]] as i64;
        (
            Tensor::from_fn_with((known,), node),
            Tensor::from_fn_with((known,), class),
        )
    }

    /// The graph with the classes that were found, and how many of the unknown nodes are right.
    fn judged(&self, found: &[i64]) -> (Graph, usize) {
        let classes: Vec<usize> = found.iter().map(|c| *c as usize).collect();
        let wrong = |i: &usize| classes[*i] != self.classes[*i];
        let crossed: Vec<usize> = (0..N).filter(wrong).collect();
        let unknown = (0..N).filter(|i| !self.known.contains(i));
        let right = unknown.filter(|i| !crossed.contains(i)).count();
        let mut edges = self.edges.pairs();
        edges.retain(|(a, b)| a < b);
        let ringed = self.known.clone();
        let graph = Graph {
            edges,
            classes,
            ringed,
            crossed,
        };
        (graph, right)
    }
}

/// Both networks, so that one checkpoint holds them.
#[module]
struct Nets {
    club: Club,
    network: Network,
}

#[differentiable]
impl Nets {
    /// Only the known nodes have a loss; the gradient reaches the others along the edges.
    fn loss(
        &self,
        a: &Sparse<Sz<MEMBERS>, Sz<MEMBERS>>,
        sides: &Labels,
        edges: &Edges<Sz<NODES>>,
        groups: &Labels,
    ) -> Tensor![] {
        let first = self.club.forward(a).index_select::<0, _, _>(&sides.0);
        let second = self
            .network
            .forward(edges)
            .index_select::<0, _, _>(&groups.0);
        first.cross_entropy(&sides.1) + second.cross_entropy(&groups.1)
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let seeds = &mut Seeds::new(common.seed);
    let (club, network) = (club()?, communities(seeds)?);
    let (a, sides, groups) = (club.edges.normalised(), club.labels(), network.labels());
    let mut nets = Nets::new(seeds);
    let mut opt = Adam::new(0.01).weight_decay(5e-4);
    let plan = Plan {
        program: "gnn",
        unit: "step",
        measure: "loss",
        // A long training learns the known nodes by their names: it is right about them and worse about the others.
        length: common.length(args.steps, 40, 40),
    };
    common.train(&plan, &mut nets, &mut opt, |nets, opt, _| {
        let (loss, grad) = nets.loss_value_and_grad(&a, &sides, &network.edges, &groups);
        opt.step(nets, &grad);
        Ok(f64::from(loss.item()))
    })?;
    let found = nets.club.forward(&a).argmax::<1>().to_vec();
    let (first, right) = club.judged(&found);
    let found = nets.network.forward(&network.edges).argmax::<1>().to_vec();
    let (second, also_right) = network.judged(&found);
    if let Some(path) = common.file("gnn.png") {
        pictures::graphs(&path, &[first, second])?;
    }
    let unknown = MEMBERS + NODES - club.known.len() - network.known.len();
    let accuracy = (right + also_right) as f64 / unknown as f64;
    common.report("accuracy of unknown nodes", accuracy, Goal::AtLeast(0.7))
}
