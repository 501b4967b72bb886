//! Computes the value of Boolean formulas with a network that has the shape of each formula: a recursive network (Socher
//! et al. 2011).
//!
//! Each part of a formula becomes a vector, made of the vectors of its own parts. `encode` calls itself, and its
//! derivative is a function that calls itself too: nothing is recorded on a tape.
//!
//! `cargo run --release --example tree -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::Result;
use clap::Parser;
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer, clip_grad_norm};
use differentiable::prelude::*;
use std::fmt;
use std::process::ExitCode;
use support::data::below;
use support::pictures::{self, Line, Plot, Style};
use support::{Common, Goal, Plan, Step};

/// Learns the value of formulas such as `(t and not f) or f`, and draws the loss into the folder of --out. Prints the
/// share of 500 new formulas whose value is found, which are deeper than those it learned from.
#[derive(Debug, Parser)]
#[command(name = "tree")]
struct Args {
    /// Training steps of 32 formulas, those of a resumed run included [default: 1000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    #[command(flatten)]
    common: Common,
}

/// A formula.
#[derive(Clone, Debug, Differentiable)]
enum Tree {
    Leaf(bool),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
}

impl Tree {
    /// A formula of a depth of at most `depth`.
    fn grow(depth: usize, seeds: &mut Seeds) -> Tree {
        let choice = if depth == 0 { 0 } else { below(seeds, 7) };
        let mut part = || Box::new(Tree::grow(depth - 1, seeds));
        match choice {
            0 => Tree::Leaf(below(seeds, 2) == 1),
            1 | 2 => Tree::Not(part()),
            3 | 4 => Tree::And(part(), part()),
            _ => Tree::Or(part(), part()),
        }
    }

    fn value(&self) -> bool {
        match self {
            Tree::Leaf(value) => *value,
            Tree::Not(a) => !a.value(),
            Tree::And(a, b) => a.value() && b.value(),
            Tree::Or(a, b) => a.value() || b.value(),
        }
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Leaf(value) => f.write_str(if *value { "t" } else { "f" }),
            Tree::Not(a) => write!(f, "not {a}"),
            Tree::And(a, b) => write!(f, "({a} and {b})"),
            Tree::Or(a, b) => write!(f, "({a} or {b})"),
        }
    }
}

#[module]
struct TreeNet {
    leaves: Embedding<2, 16>,
    not: Linear<16, 16>,
    and: Linear<32, 16>,
    or: Linear<32, 16>,
    out: Linear<16, 1>,
}

#[differentiable]
impl TreeNet {
    /// The vector of a formula.
    fn encode(&self, #[constant] tree: &Tree) -> Tensor![16] {
        match tree {
            Tree::Leaf(value) => self.leaves.weight.index::<0>(usize::from(*value)),
            Tree::Not(a) => self.not.forward(&self.encode(a)).tanh(),
            Tree::And(a, b) => {
                let both = self.encode(a).concat::<0, _>(&self.encode(b));
                self.and.forward(&both).tanh()
            }
            Tree::Or(a, b) => {
                let both = self.encode(a).concat::<0, _>(&self.encode(b));
                self.or.forward(&both).tanh()
            }
        }
    }

    /// The logit of its value.
    fn forward(&self, #[constant] tree: &Tree) -> Tensor![1] {
        self.out.forward(&self.encode(tree))
    }

    fn loss(&self, #[constant] trees: &[Tree]) -> Tensor![] {
        let mut sum = Tensor::zeros();
        for tree in trees {
            let target = no_grad!(tensor([if tree.value() { 1.0f32 } else { 0.0 }]));
            sum += self.forward(tree).bce_with_logits(&target);
        }
        sum / no_grad!(trees.len() as f32)
    }
}

impl TreeNet {
    fn guess(&self, tree: &Tree) -> bool {
        self.forward(tree).index::<0>(0).item() > 0.0
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let mut net = TreeNet::new(&mut Seeds::new(common.seed));
    let mut opt = Adam::new(3e-3);
    let plan = Plan {
        program: "tree",
        unit: "step",
        measure: "loss",
        length: common.length(args.steps, 1000, 250),
    };
    let losses = common.train(&plan, &mut net, &mut opt, |net, opt, step: &mut Step| {
        let trees: Vec<Tree> = (0..32).map(|_| Tree::grow(4, &mut step.seeds)).collect();
        let (loss, grad) = net.loss_value_and_grad(&trees);
        opt.step(net, &clip_grad_norm(grad, 1.0).0);
        Ok(f64::from(loss.item()))
    })?;

    let seeds = &mut Seeds::new(!common.seed);
    let deep: Vec<Tree> = (0..500).map(|_| Tree::grow(6, seeds)).collect();
    if let Some(path) = common.file("tree.png") {
        let points = losses.iter().enumerate();
        let loss = Line {
            name: "training".into(),
            points: points.map(|(i, loss)| (i as f64, *loss)).collect(),
            style: Style::Line,
        };
        let plot = Plot {
            x: "step",
            y: "loss",
            series: vec![loss],
        };
        pictures::plot(&path, &plot)?;
    }
    let short = deep
        .iter()
        .filter(|t| (20..60).contains(&t.to_string().len()));
    let shown: Vec<String> = short
        .take(4)
        .map(|t| format!("{t} = {}", net.guess(t)))
        .collect();
    common.show("tree.txt", &shown.join("\n"))?;
    let right = deep.iter().filter(|t| net.guess(t) == t.value()).count();
    common.report(
        "accuracy of deeper formulas",
        right as f64 / 500.0,
        Goal::AtLeast(0.85),
    )
}
