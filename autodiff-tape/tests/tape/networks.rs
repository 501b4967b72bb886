//! Networks whose structure is data: trees, and modules that a program names.

use differentiable::prelude::*;
use differentiable::tape::{Tape, Var};

type Code = Tensor![f64; 4];

enum Tree {
    Leaf(Code),
    Node(Box<Tree>, Box<Tree>),
}

fn tree(depth: usize, seed: u64) -> Tree {
    // Not balanced.
    match depth {
        0 => Tree::Leaf(Tensor::randn(seed)),
        d => Tree::Node(
            Box::new(tree(d - 1, 2 * seed)),
            Box::new(tree(d.saturating_sub(2), 2 * seed + 1)),
        ),
    }
}

#[differentiable]
fn join(left: &Code, right: &Code, w: &Tensor![f64; 8, 4], b: &Code) -> Code {
    (left.concat::<0, _>(right).matmul(w) + b).tanh()
}

struct Weights {
    w: Var<Tensor![f64; 8, 4]>,
    b: Var<Code>,
}

fn encode(tree: &Tree, net: &Weights) -> Var<Code> {
    let tape = net.w.tape();
    match tree {
        Tree::Leaf(x) => tape.constant(x.clone()),
        Tree::Node(l, r) => {
            tape.call::<join, _>((encode(l, net), encode(r, net), &net.w, &net.b))
        }
    }
}

/// The same by operators.
fn encode_by_operators(tree: &Tree, net: &Weights) -> Var<Code> {
    match tree {
        Tree::Leaf(x) => net.w.tape().constant(x.clone()),
        Tree::Node(l, r) => {
            let (l, r) = (encode_by_operators(l, net), encode_by_operators(r, net));
            (l.concat::<0, _, _>(r).matmul(&net.w) + &net.b).tanh()
        }
    }
}

#[test]
fn a_network_of_the_shape_of_a_tree() {
    let (w, b) = (Tensor::randn(1) * 0.4, Tensor::randn(2) * 0.1);
    let input = tree(5, 3);
    let run = |w: &Tensor![f64; 8, 4], encode: &dyn Fn(&Tree, &Weights) -> Var<Code>| {
        let tape = Tape::new();
        let net = Weights {
            w: tape.var(w.clone()),
            b: tape.var(b.clone()),
        };
        let loss = encode(&input, &net).square().sum();
        let gradient = tape.gradient(&loss, &net.w);
        (loss.value().item(), gradient, tape.len())
    };
    let (_, gradient, calls) = run(&w, &encode);
    let (_, other, operations) = run(&w, &encode_by_operators);
    assert!((&gradient - other).abs().max().item() < 1e-14);
    // A function is one operation, whatever it computes.
    assert_eq!(operations - 2, 4 * (calls - 2) - 1);
    for at in [[0, 0], [3, 1], [7, 3]] {
        let moved = |h: f64| {
            let mut numbers = w.to_vec();
            numbers[4 * at[0] + at[1]] += h;
            run(&Tensor::from_vec(numbers).unwrap(), &encode).0
        };
        let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        assert!((gradient[at] - difference).abs() < 1e-8);
    }
}

#[module]
struct Layer {
    linear: Linear<4, 4, f64>,
}

#[differentiable]
fn apply(layer: &Layer, x: &Tensor![f64; 1, 4]) -> Tensor![f64; 1, 4] {
    layer.linear.forward(x).tanh()
}

/// A module network: a program names the modules, and each is one value with a gradient of its own form.
#[test]
fn a_program_that_is_data() {
    let seeds = &mut Seeds::new(7);
    let names = ["find", "relate", "describe"];
    let modules: Vec<Layer> = names.iter().map(|_| Layer { linear: Linear::new(seeds) }).collect();
    let x: Tensor![f64; 1, 4] = Tensor::randn(5);
    let run = |modules: &[Layer], program: &str| {
        let tape = Tape::new();
        let vars: Vec<Var<Layer>> = modules.iter().map(|m| tape.var(m.clone())).collect();
        let mut value = tape.constant(x.clone());
        for word in program.split_whitespace() {
            let at = names.iter().position(|n| *n == word).expect("a module");
            value = tape.call::<apply, _>((&vars[at], value));
        }
        let loss = value.square().sum();
        (loss.value().item(), tape.gradient_or_zero(&loss, &vars))
    };
    let program = "find relate relate describe find";
    let (_, gradients) = run(&modules, program);
    for (k, name) in names.iter().enumerate() {
        let moved = |h: f64| {
            let mut modules = modules.clone();
            let mut numbers = modules[k].linear.weight.to_vec();
            numbers[4 * 2 + 1] += h;
            modules[k].linear.weight = Tensor::from_vec(numbers).unwrap();
            run(&modules, program).0
        };
        let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        let gradient = gradients[k].linear.weight[[2, 1]];
        assert!((gradient - difference).abs() < 1e-8, "{name}: {gradient} {difference}");
    }
    // What a program does not name has no gradient.
    let (_, gradients) = run(&modules, "find describe");
    assert_eq!(gradients[1].linear.weight.abs().max().item(), 0.0);
}
