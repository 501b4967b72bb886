//! The memory that a plan says against what a run takes, orders, and budgets.

use crate::programs::{bits, gpt};
use counting::peak;
use differentiable::graph::{Feeds, Graph, Passes, Recording, Session};
use differentiable::prelude::*;

#[path = "../../../tests/support/peak.rs"]
mod counting;

const KIB: usize = 1024;
/// Elements of a tensor of 256 KiB.
const N: usize = 65536;

/// What a session says and what its first run takes, on a thread without recycled buffers.
fn said_and_measured(passes: &Passes) -> (usize, usize) {
    let run = || {
        let r = Recording::new();
        let x: Tensor![65536] = r.input("x", Default::default());
        let (a, b) = (x.exp(), x.tanh());
        let (c, d) = (&a * &b, &b - 1.0_f32);
        let y = (c.cos() + d.sin() * &a).sum() + (&a * &b).cos().sum();
        r.output("y", &y);
        let x_: Tensor![65536] = Tensor::zeros();
        let feeds = Feeds::new().with(&x, &x_);
        let mut session = Session::new(&r, &Device::cpu());
        let memory = session.prepare(&y, passes).unwrap();
        assert_eq!(memory.given, 256 * KIB);
        let (y, measured) = peak(|| session.run(&y, &feeds).unwrap());
        assert!(y.item().is_finite());
        (memory.made, measured)
    };
    std::thread::scope(|s| s.spawn(run).join().expect("it runs"))
}

#[test]
fn the_estimate_is_what_a_run_takes() {
    assert_eq!(N * 4, 256 * KIB);
    for passes in [
        Passes::none(),
        Passes::default(),
        Passes::default().reorder(true),
    ] {
        let (said, measured) = said_and_measured(&passes);
        assert!(said >= 2 * 256 * KIB, "{said} bytes, {passes:?}");
        // Besides the buffers there are the lists of a run and the partial sums of a reduction.
        assert!(
            (said..said + 48 * KIB).contains(&measured),
            "{said} bytes said, {measured} measured: {passes:?}"
        );
    }
}

/// Of a transformer and its gradient a run takes what is said and more: buffers of one size are kept when the next ones have
/// another, and products of matrices pack their operands.
#[test]
fn the_estimate_of_a_transformer() {
    let run = || {
        let r = gpt(2, 2048);
        let shape = r.tokens.shape();
        let tokens = Tensor::from_fn_with(shape, |i| (i * 5 % 11) as i64);
        let feeds = Feeds::new()
            .with(&r.tokens, &tokens)
            .with(&r.targets, &tokens);
        let mut session = Session::new(&r.recording, &Device::cpu());
        let fetch = (&r.loss, &r.gradient.out.weight);
        let memory = session.prepare(fetch, &Passes::default()).unwrap();
        let (_, measured) = peak(|| session.run(fetch, &feeds).unwrap());
        (memory.made, measured)
    };
    let (said, measured) = std::thread::scope(|s| s.spawn(run).join().expect("it runs"));
    assert!(
        measured > said && measured < 4 * said,
        "{said} bytes said, {measured} measured"
    );
}

#[test]
fn live_ranges_and_places() {
    let r = Recording::new();
    let x: Tensor![256] = r.input("x", Default::default());
    let y = x.exp().cos() + &x; // the sum is in place of the cosine
    r.output("y", &y);
    let graph = r.graph();
    let plan = graph.plan(&graph.wanted());
    let memory = graph.memory(&plan);
    assert_eq!(
        (memory.given, memory.made, memory.peak()),
        (KIB, 2 * KIB, 3 * KIB)
    );
    let ranges: Vec<_> = memory
        .ranges
        .iter()
        .map(|r| (r.from, r.to, r.in_place))
        .collect();
    assert_eq!(ranges, [(0, 1, false), (1, 1, false), (2, 3, true)]);
    assert_eq!(
        memory.to_string(),
        "3072 bytes at the peak: 1024 given, 2048 made"
    );
    assert_eq!(graph.peak_bytes(plan.order(), &graph.wanted()), 3 * KIB);
    assert_eq!(graph.bytes(memory.ranges[0].value), KIB);
}

/// Many long branches that are all begun before one is finished.
fn wide() -> (Recording, Tensor![], Tensor![4096]) {
    let r = Recording::new();
    let x: Tensor![4096] = r.input("x", Default::default());
    let begun: Vec<Tensor![4096]> = (1..=8).map(|k| (&x * k as f32).exp()).collect();
    let mut sum: Tensor![] = begun[0].sum();
    for part in &begun[1..] {
        sum += part.sum();
    }
    r.output("sum", &sum);
    (r, sum, x)
}

#[test]
fn another_order_needs_less() {
    let (r, sum, x) = wide();
    let graph = r.graph();
    let wanted = graph.wanted();
    let recorded = graph.plan(&wanted).order().to_vec();
    let order = graph.lowest_peak_order(&wanted);
    let (before, after) = (
        graph.peak_bytes(&recorded, &wanted),
        graph.peak_bytes(&order, &wanted),
    );
    assert!(before >= 9 * 16 * KIB, "{before}");
    assert!(
        after <= 3 * 16 * KIB + 256,
        "{after}: one branch after the other"
    );
    let mut sorted = order;
    sorted.sort_unstable();
    assert_eq!(sorted, recorded);
    let x_: Tensor![4096] = Tensor::randn(1);
    let feeds = Feeds::new().with(&x, &x_);
    let results: Vec<_> = [Passes::none(), Passes::none().reorder(true)]
        .iter()
        .map(|passes| {
            let mut session = Session::new(&r, &Device::cpu());
            session.prepare(&sum, passes).unwrap();
            bits(&session.run(&sum, &feeds).unwrap())
        })
        .collect();
    assert_eq!(results[0], results[1]);
}

#[test]
fn an_order_is_never_worse_than_the_recorded_one() {
    for (blocks, time) in [(1, 3), (3, 8)] {
        let graph = gpt(blocks, time).recording.graph();
        let wanted = graph.wanted();
        let recorded = graph.plan(&wanted).order().to_vec();
        let found = graph.lowest_peak_order(&wanted);
        assert!(graph.peak_bytes(&found, &wanted) <= graph.peak_bytes(&recorded, &wanted));
    }
}

/// A long chain whose gradient reads every value again.
#[allow(clippy::type_complexity, reason = "shapes are types")]
fn chain(length: usize) -> (Recording, Tensor![], Tensor![4096], Tensor![4096]) {
    #[differentiable(unfused)]
    fn deep(x: &Tensor![4096], #[constant] length: usize) -> Tensor![] {
        let mut y = x.sin();
        for _ in 1..length {
            y = y.sin();
        }
        y.sum()
    }
    let r = Recording::new();
    let x: Tensor![4096] = r.input("x", Default::default());
    let (value, slope) = r.scope(|| deep::value_and_grad(&x, length));
    r.output("value", &value);
    r.output("slope", &slope);
    (r, value, slope, x)
}

#[test]
fn a_budget_is_met_by_computing_twice() {
    let (r, value, slope, x) = chain(32);
    let graph = r.graph();
    let wanted = graph.wanted();
    let plain = graph.memory(&graph.plan(&wanted)).peak();
    assert!(plain > 30 * 16 * KIB, "{plain}");
    let x_: Tensor![4096] = Tensor::randn(1);
    let feeds = Feeds::new().with(&x, &x_);
    let run = |passes: &Passes| {
        let mut session = Session::new(&r, &Device::cpu());
        let memory = session.prepare((&value, &slope), passes).unwrap();
        let (value, slope) = session.run((&value, &slope), &feeds).unwrap();
        (memory, bits(&value), bits(&slope))
    };
    let (_, expected, expected_slope) = run(&Passes::none());
    for part in [2, 3] {
        let budget = plain / part;
        let plan = graph.within(&wanted, budget).unwrap();
        let memory = graph.memory(&plan);
        assert!(memory.peak() <= budget, "{} of {budget}", memory.peak());
        let nodes = graph.plan(&wanted).order().len();
        assert!(plan.order().len() > nodes, "nothing was computed twice");
        let (memory, value, slope) = run(&Passes::none().within(budget));
        assert!(memory.peak() <= budget);
        assert_eq!((value, slope), (expected.clone(), expected_slope.clone()));
    }
    let error = graph.within(&wanted, 16 * KIB).unwrap_err();
    assert_eq!(error.budget, 16 * KIB);
    assert!(error.smallest < plain / 3, "{error}");
    // What is said to be possible is.
    let plan = graph.within(&wanted, error.smallest).unwrap();
    assert_eq!(graph.memory(&plan).peak(), error.smallest);
    let text = format!(
        "a run within 16384 bytes is not possible: the smallest peak that was found is {} bytes",
        error.smallest
    );
    assert_eq!(error.to_string(), text);
}

/// A budget for a gradient is a budget for what a run takes.
#[test]
fn a_budget_holds_for_what_a_run_takes() {
    let run = || {
        let (r, value, slope, x) = chain(32);
        let graph = r.graph();
        let budget = graph.memory(&graph.plan(&graph.wanted())).peak() / 2;
        let mut session = Session::new(&r, &Device::cpu());
        let memory = session
            .prepare((&value, &slope), &Passes::default().within(budget))
            .unwrap();
        let x_: Tensor![4096] = Tensor::randn(1);
        let feeds = Feeds::new().with(&x, &x_);
        let (_, measured) = peak(|| session.run((&value, &slope), &feeds).unwrap());
        assert!(memory.peak() <= budget);
        (memory.made, measured)
    };
    let (said, measured) = std::thread::scope(|s| s.spawn(run).join().expect("it runs"));
    assert!(
        (said..said + 48 * KIB).contains(&measured),
        "{said} said, {measured} measured"
    );
}

/// The gradient of a transformer in less memory: the same bits.
#[test]
fn a_transformer_within_a_budget() {
    let r = gpt(2, 8);
    let fetch = (&r.loss, &r.gradient.out.weight, &r.gradient.embed.weight);
    let shape = r.tokens.shape();
    let tokens = Tensor::from_fn_with(shape, |i| (i * 5 % 11) as i64);
    let feeds = Feeds::new()
        .with(&r.tokens, &tokens)
        .with(&r.targets, &tokens);
    let mut session = Session::new(&r.recording, &Device::cpu());
    let plain = session.prepare(fetch, &Passes::default()).unwrap();
    let (a, b, c) = session.run(fetch, &feeds).unwrap();
    let budget = plain.given + plain.made * 4 / 5;
    let less = session
        .prepare(fetch, &Passes::default().within(budget))
        .unwrap();
    assert!(less.peak() <= budget);
    let (d, e, f) = session.run(fetch, &feeds).unwrap();
    assert_eq!(
        (bits(&a), bits(&b), bits(&c)),
        (bits(&d), bits(&e), bits(&f))
    );
}

#[test]
#[should_panic(expected = "is read before it is made")]
fn an_order_that_is_none() {
    let (r, ..) = wide();
    let graph: Graph = r.graph();
    let mut order = graph.topological(&graph.wanted());
    order.reverse();
    let _ = graph.peak_bytes(&order, &graph.wanted());
}

/// Nothing runs that could be run twice.
#[test]
fn a_budget_below_what_is_given() {
    let r = Recording::new();
    let x: Tensor![256] = r.input("x", Default::default());
    let error = Session::new(&r, &Device::cpu())
        .prepare(&x, &Passes::default().within(KIB - 1))
        .unwrap_err();
    assert_eq!((error.budget, error.smallest), (KIB - 1, KIB));
}
