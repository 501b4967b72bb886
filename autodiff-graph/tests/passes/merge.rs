//! Common subexpressions and constants: the same bits from fewer nodes.

use crate::programs::{bits, gpt};
use differentiable::graph::{Feeds, Graph, Passes, Recording, Session};
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;

/// How many nodes run for the outputs of a graph.
fn counts(graph: &Graph, passes: &Passes) -> usize {
    let plan = graph.plan_with(&graph.wanted(), passes).unwrap();
    plan.order().len()
}

fn merging() -> Passes {
    Passes::none().merge(true)
}

#[test]
fn equal_nodes_run_once() {
    let r = Recording::new();
    let x: Tensor![3] = r.input("x", Default::default());
    let (a, b) = (r.named("here", || x.exp()), r.named("there", || x.exp()));
    // By steps: what the sums are of is equal only because the exponentials are.
    let y = (&a + 1.0_f32).sum() * (&b + 1.0_f32).sum();
    r.output("y", &y);
    let graph = r.graph();
    assert_eq!(counts(&graph, &Passes::none()), 7);
    assert_eq!(counts(&graph, &merging()), 4);
    assert_eq!(graph.merged().dropped().len(), 3);
    let x_ = tensor([0.5, -1.0, 2.0]);
    let feeds = Feeds::new().with(&x, &x_);
    let mut session = Session::new(&r, &Device::cpu());
    let (y, a, b) = session.run((&y, &a, &b), &feeds).unwrap();
    let eager = (x_.exp() + 1.0_f32).sum();
    assert_eq!(bits(&y), bits(&(&eager * &eager)));
    assert_eq!(bits(&a), bits(&x_.exp()));
    assert_eq!(bits(&b), bits(&x_.exp()));
}

/// Attributes, layouts, scalars, the order of operands.
#[test]
fn what_differs_is_not_merged() {
    let r = Recording::new();
    let x: Tensor![2, 2] = r.input("x", Default::default());
    let z: Tensor![2, 2] = r.input("z", Default::default());
    let parts: Vec<Tensor![2, 2]> = vec![
        &x * 0.0_f32,
        &x * -0.0_f32,
        &x - &z,
        &z - &x,
        x.matmul(&z),
        x.t().matmul(&z),
        x.elu(1.0),
        x.elu(2.0),
        x.leaky_relu(0.1),
        x.powi(2),
        x.powi(3),
    ];
    for (k, part) in parts.iter().enumerate() {
        r.output(&format!("part {k}"), part);
    }
    let graph = r.graph();
    assert_eq!(graph.merged().dropped(), [0_usize; 0]);
    let mut session = Session::new(&r, &Device::cpu());
    let (x_, z_) = (
        tensor([[1.0, 2.0], [3.0, 4.0]]),
        tensor([[0.5, 1.0], [-1.0, 2.0]]),
    );
    let feeds = Feeds::new().with(&x, &x_).with(&z, &z_);
    let (a, b) = session.run((&parts[0], &parts[1]), &feeds).unwrap();
    assert_ne!(bits(&a), bits(&b), "0 and -0");
    let (a, b) = session.run((&parts[2], &parts[3]), &feeds).unwrap();
    assert_eq!(bits(&a), bits(&(&x_ - &z_)));
    assert_eq!(bits(&b), bits(&(&z_ - &x_)));
}

#[differentiable]
fn difference(x: &Tensor![6], y: &Tensor![6]) -> Tensor![6] {
    x.tanh() - y.tanh() * 2.0
}

#[differentiable]
fn same_difference(x: &Tensor![6], y: &Tensor![6]) -> Tensor![6] {
    x.tanh() - y.tanh() * 2.0
}

#[differentiable]
fn other_difference(x: &Tensor![6], y: &Tensor![6]) -> Tensor![6] {
    y.tanh() - x.tanh() * 2.0
}

/// A region may run in place of any of its operands, and differentiate by any of them.
#[test]
fn regions_are_the_same_if_their_formulas_are() {
    let r = Recording::new();
    let x: Tensor![6] = r.input("x", Default::default());
    let y: Tensor![6] = r.input("y", Default::default());
    r.scope(|| {
        r.output("a", &difference(&x, &y));
        r.output("b", &same_difference(&x, &y));
    });
    assert_eq!(r.graph().merged().dropped().len(), 1, "{}", r.graph());
    r.scope(|| r.output("c", &other_difference(&x, &y)));
    assert_eq!(r.graph().merged().dropped().len(), 1);
    r.scope(|| r.output("d", &difference(&y, &x))); // what the other one is
    assert_eq!(r.graph().merged().dropped().len(), 2);

    let r = Recording::new();
    let x: Tensor![6] = r.input("x", Default::default());
    let y: Tensor![6] = r.input("y", Default::default());
    let ct: Tensor![6] = r.input("ct", Default::default());
    // In place of the first operand and of the second one.
    let by_first = r.scope(|| difference(&x.exp(), &y));
    let by_second = r.scope(|| difference(&y, &x.exp()));
    let (dx, dy) = r.scope(|| difference::vjp(&x, &y).1(ct.clone()));
    let mut session = Session::new(&r, &Device::cpu());
    let x_: Tensor![6] = Tensor::randn(1);
    let y_: Tensor![6] = Tensor::randn(2);
    let ct_: Tensor![6] = Tensor::randn(3);
    let feeds = Feeds::new().with(&x, &x_).with(&y, &y_).with(&ct, &ct_);
    let (a, b, dx, dy) = session
        .run((&by_first, &by_second, &dx, &dy), &feeds)
        .unwrap();
    assert_eq!(bits(&a), bits(&difference(&x_.exp(), &y_)));
    assert_eq!(bits(&b), bits(&difference(&y_, &x_.exp())));
    let (ex, ey) = difference::vjp(&x_, &y_).1(ct_);
    assert_eq!((bits(&dx), bits(&dy)), (bits(&ex), bits(&ey)));
}

/// A draw with the same seed is the same draw, also in a run that draws others.
#[test]
fn draws_are_the_same_if_their_seeds_are() {
    let r = Recording::new();
    let [a, b, c] = r.scope(|| [1, 1, 2].map(Tensor::<shape![8]>::randn));
    for (name, x) in [("a", &a), ("b", &b), ("c", &c)] {
        r.output(name, x);
    }
    assert_eq!(r.graph().merged().dropped().len(), 1);
    let mut session = Session::new(&r, &Device::cpu());
    let mut seen = Vec::new();
    for feeds in [Feeds::new(), Feeds::new().seed(1), Feeds::new().seed(2)] {
        let (a, b, c) = session.run((&a, &b, &c), &feeds).unwrap();
        assert_eq!(bits(&a), bits(&b));
        assert_ne!(bits(&a), bits(&c));
        assert!(!seen.contains(&bits(&a)), "a draw that was folded");
        seen.push(bits(&a));
    }
    assert_eq!(seen[0], bits(&Tensor::<shape![8]>::randn(1)));
}

/// Writes over a part of a buffer, and sums into one.
#[test]
fn what_is_written_over_is_kept_apart() {
    let r = Recording::new();
    let x: Tensor![4] = r.input("x", Default::default());
    let index: Tensor![i64; 3] = r.input("index", Default::default());
    let y: Tensor![3] = r.input("y", Default::default());
    let twice = |y: &Tensor![3]| {
        let mut base = x.exp();
        base = base.index_add::<0, _, _>(&index, y);
        base
    };
    let (once, again) = (twice(&y), twice(&(&y * 2.0_f32)));
    let (same, joined) = (twice(&y), once.concat::<0, _>(&again));
    let twice_joined = once.concat::<0, _>(&again);
    r.output("joined", &joined);
    let mut session = Session::new(&r, &Device::cpu());
    let (x_, y_, index_) = (
        tensor([0.1, 0.2, 0.3, 0.4]),
        tensor([1.0, 2.0, 3.0]),
        tensor([0_i64, 3, 0]),
    );
    let feeds = Feeds::new()
        .with(&x, &x_)
        .with(&y, &y_)
        .with(&index, &index_);
    let (once_, again_, same_) = session.run((&once, &again, &same), &feeds).unwrap();
    let eager = |y: &Tensor![3]| x_.exp().index_add::<0, _, _>(&index_, y);
    assert_eq!(bits(&once_), bits(&eager(&y_)));
    assert_eq!(bits(&again_), bits(&eager(&(&y_ * 2.0_f32))));
    assert_eq!(bits(&same_), bits(&once_));
    let (a, b) = session.run((&joined, &twice_joined), &feeds).unwrap();
    assert_eq!(bits(&a), bits(&b));
    assert_eq!(bits(&a)[..4], bits(&once_));
    assert_eq!(bits(&a)[4..], bits(&again_));
}

/// An operand and the buffer that is written may become the same value.
#[test]
fn a_node_that_reads_what_it_writes_over() {
    let r = Recording::new();
    let x: Tensor![4] = r.input("x", Default::default());
    let (mut a, b) = (x.exp(), x.exp());
    a.add_scaled(0.5, &b);
    r.output("a", &a);
    assert_eq!(counts(&r.graph(), &merging()), 2);
    let x_ = tensor([0.1, 0.2, 0.3, 0.4]);
    let mut session = Session::new(&r, &Device::cpu());
    let a = session.run(&a, &Feeds::new().with(&x, &x_)).unwrap();
    let mut eager = x_.exp();
    eager.add_scaled(0.5, &x_.exp());
    assert_eq!(bits(&a), bits(&eager));
}

/// The gradient that is asked for twice costs one.
#[test]
fn a_second_gradient_is_free() {
    let r = gpt(2, 5);
    let once = {
        let gradient = &r.gradient;
        r.recording.output("weight", &gradient.out.weight);
        counts(&r.recording.graph(), &merging())
    };
    let (loss, gradient) = r
        .recording
        .scope(|| r.net.loss_value_and_grad(&r.tokens, &r.targets));
    r.recording.output("loss again", &loss);
    r.recording.output("weight again", &gradient.out.weight);
    let graph = r.recording.graph();
    assert_eq!(counts(&graph, &merging()), once);
    assert!(counts(&graph, &Passes::none()) > 3 * once / 2);
}

/// A training step in sessions with and without passes: the same losses and weights.
#[test]
fn training_is_the_same_bit_for_bit() {
    let run = |passes: &Passes| -> Vec<Vec<u64>> {
        let r = gpt(2, 6);
        let step = r.recording.scope(|| {
            let mut after = r.net.clone();
            Adam::new(0.01).step(&mut after, &r.gradient);
            r.recording.assign_all(&r.net, &after)
        });
        let shape = r.tokens.shape();
        let tokens = Tensor::from_fn_with(shape, |i| (i * 5 % 11) as i64);
        let targets = Tensor::from_fn_with(shape, |i| ((i + 1) * 5 % 11) as i64);
        let feeds = Feeds::new()
            .with(&r.tokens, &tokens)
            .with(&r.targets, &targets);
        let mut session = Session::new(&r.recording, &Device::cpu());
        session.prepare((&r.loss, &step), passes).unwrap();
        let mut seen = Vec::new();
        for _ in 0..3 {
            let (loss, ()) = session.run((&r.loss, &step), &feeds).unwrap();
            seen.push(bits(&loss));
        }
        seen.push(bits(&session.variable(&r.net.out.weight)));
        seen
    };
    let plain = run(&Passes::none());
    assert_eq!(run(&Passes::default()), plain);
    assert_eq!(run(&Passes::default().reorder(true)), plain);
    assert_eq!(run(&Passes::none().merge(true)), plain);
    assert_eq!(run(&Passes::none().fold(true)), plain);
}

#[test]
fn what_depends_on_constants_alone_is_computed_once() {
    let r = Recording::new();
    let x: Tensor![64] = r.input("x", Default::default());
    let table = r.scope(|| tensor([0.5_f32; 64]).to(r.device()).exp().tanh());
    let y = &x * &table;
    r.output("y", &y);
    let graph = r.graph();
    assert_eq!(counts(&graph, &Passes::none()), 3);
    assert_eq!(counts(&graph, &Passes::default()), 1);
    let mut session = Session::new(&r, &Device::cpu());
    let x_: Tensor![64] = Tensor::randn(5);
    for _ in 0..2 {
        let y = session.run(&y, &Feeds::new().with(&x, &x_)).unwrap();
        assert_eq!(bits(&y), bits(&(&x_ * tensor([0.5_f32; 64]).exp().tanh())));
    }
    // A constant that is fetched is not changed by who has it.
    let mut first = session.run(&table, &Feeds::new()).unwrap();
    first.add_scaled(1.0, &x_);
    let again = session.run(&table, &Feeds::new()).unwrap();
    assert_eq!(bits(&again), bits(&tensor([0.5_f32; 64]).exp().tanh()));
}

/// Large tensors that are quick to make are not kept; nor are draws.
#[test]
fn large_constants_are_not_kept() {
    let r = Recording::new();
    let x: Tensor![1024, 512] = r.input("x", Default::default());
    let (zeros, drawn) = r.scope(|| {
        let zeros: Tensor![1024, 512] = Tensor::zeros();
        let drawn: Tensor![4] = Tensor::randn(1);
        (zeros.cos(), drawn.exp())
    });
    r.output("y", &(&x + &zeros)); // two megabytes
    r.output("drawn", &drawn);
    let graph = r.graph();
    let plan = graph
        .plan_with(&graph.wanted(), &Passes::default())
        .unwrap();
    assert_eq!(plan.known(), [0_usize; 0]);
    assert_eq!(plan.order().len(), 5);
}
