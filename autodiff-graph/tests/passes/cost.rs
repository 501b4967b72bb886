//! What nodes cost, against counts by hand.

use crate::programs::gpt;
use differentiable::graph::{Recording, Work};
use differentiable::prelude::*;

dim!(Batch);

/// The methods that a machine has, as the lists in the core name them.
fn methods() -> Vec<&'static str> {
    const LISTS: [&str; 4] = [
        include_str!("../../../autodiff-core/src/device/backend.rs"),
        include_str!("../../../autodiff-core/src/device/images.rs"),
        include_str!("../../../autodiff-core/src/device/linalg.rs"),
        include_str!("../../../autodiff-core/src/device/fourier.rs"),
    ];
    let lines = LISTS.iter().flat_map(|list| list.lines());
    // `fn gemm[T: Float](beta: T; a: ..`: the macros that read the lists have a `$` there.
    let names = lines.filter_map(|line| line.trim().strip_prefix("fn ")?.split_once('['));
    let names = names.map(|(name, _)| name);
    names
        .filter(|name| !name.contains(['$', '<', '(']))
        .collect()
}

#[test]
fn every_method_is_in_the_table() {
    let methods = methods();
    assert!(methods.len() > 80, "{methods:?}");
    assert!(methods.contains(&"gemm") && methods.contains(&"irfft") && methods.contains(&"svd"));
    let missing: Vec<&str> = methods
        .into_iter()
        .filter(|name| !differentiable::graph::has_cost(name))
        .collect();
    assert!(
        missing.is_empty(),
        "add to passes/cost/table.rs: {missing:?}"
    );
}

/// The work of what is recorded in `f`.
fn work<R>(f: impl FnOnce(&Recording) -> R) -> Work {
    let r = Recording::new();
    let _result = f(&r);
    let cost = r.graph().cost();
    assert_eq!(cost.total().unknown, 0);
    cost.total().work
}

/// Another input at each call.
fn x(r: &Recording) -> Tensor![6, 4] {
    let count = r.graph().inputs().count();
    r.input(&format!("x{count}"), Default::default())
}

#[test]
fn operations_are_counted_as_by_hand() {
    let ops = |f: fn(&Recording) -> Vec<()>| work(f).operations;
    macro_rules! count {
        ($f:expr) => {
            ops(|r| {
                let f: fn(&Recording) -> _ = $f;
                drop(f(r));
                Vec::new()
            })
        };
    }
    assert_eq!(count!(|r| x(r) + 1.0_f32), 24);
    assert_eq!(count!(|r| x(r).leaky_relu(0.1)), 24 * 2);
    assert_eq!(count!(|r| x(r) * x(r)), 24);
    assert_eq!(count!(|r| x(r).exp()), 24 * 8);
    assert_eq!(count!(|r| x(r).sum()), 24);
    assert_eq!(count!(|r| x(r).matmul(&x(r).t())), 2 * 6 * 6 * 4);
    assert_eq!(count!(|r| x(r).reshape::<shape![3, 8]>().t()), 0);
    // A batch of products.
    assert_eq!(
        count!(|r| {
            let a: Tensor![5, 2, 3] = r.input("a", Default::default());
            let b: Tensor![5, 3, 7] = r.input("b", Default::default());
            a.matmul(&b)
        }),
        2 * 5 * 2 * 3 * 7
    );
    // Images 2, channels 3 to 4, windows 3 by 3 at 6 by 6 places.
    assert_eq!(
        count!(|r| {
            let x: Tensor![2, 3, 8, 8] = r.input("x", Default::default());
            let w: Tensor![4, 3, 3, 3] = r.input("w", Default::default());
            x.conv2d(&w, Win::new())
        }),
        2 * (2 * 4 * 36) * (3 * 9)
    );
}

#[differentiable]
fn fused(x: &Tensor![100]) -> Tensor![] {
    (x * x + x.exp()).sum()
}

#[test]
fn regions_cost_what_their_formulas_do() {
    let value = work(|r| {
        let x = r.input("x", <shape![100]>::default());
        r.scope(|| fused(&x))
    });
    // A product, an exponential, a sum, and the sum of all.
    assert_eq!(value.operations, 100 * (1 + 8 + 1 + 1));
    assert_eq!((value.read, value.written), (400, 4));
    let both = work(|r| {
        let x = r.input("x", <shape![100]>::default());
        r.scope(|| fused::value_and_grad(&x))
    });
    assert!(both.operations > value.operations && both.operations < 4 * value.operations);
    assert!(both.written >= 404);
}

#[test]
fn bytes_are_those_of_operands() {
    // What is broadcast is read once, an accumulation reads what is there.
    let work = work(|r| {
        let x: Tensor![8, 16] = r.input("x", Default::default());
        let b: Tensor![16] = r.input("b", Default::default());
        x + b
    });
    assert_eq!((work.read, work.written), (4 * (128 + 16), 4 * 128));
    assert!((work.intensity() - 128.0 / (4.0 * 272.0)).abs() < 1e-12);
}

#[test]
fn totals_are_sums_and_a_table_shows_them() {
    let r = gpt(2, 8);
    let graph = r.recording.graph();
    let cost = graph.cost();
    let sum = |f: fn(&Work) -> u64| cost.nodes().iter().map(f).sum::<u64>();
    assert_eq!(cost.total().nodes, graph.nodes().len());
    assert_eq!(cost.total().unknown, 0);
    assert_eq!(cost.total().work.operations, sum(|w| w.operations));
    assert_eq!(cost.total().work.bytes(), sum(Work::bytes));
    let of_operations: u64 = cost
        .by_operation()
        .values()
        .map(|c| c.work.operations)
        .sum();
    let of_scopes: u64 = cost.by_scope().values().map(|c| c.work.operations).sum();
    assert_eq!(
        (of_operations, of_scopes),
        (sum(|w| w.operations), sum(|w| w.operations))
    );
    // Products of matrices: a step backward has twice those forward.
    let of = |name| cost.by_operation()[name].work.operations;
    let products = of("gemm") + of("affine");
    let tokens = 2 * 8;
    let forward = 2 * tokens * (2 * (4 * 16 * 16 + 2 * 16 * 32) + 16 * 11);
    // Layers add their biases in their products.
    let biases = tokens * (2 * (32 + 16 + 16) + 11);
    assert_eq!(products, 3 * forward + biases);
    let text = cost.to_string();
    let mut lines = text.lines();
    assert_eq!(
        lines.next().unwrap().split_whitespace().collect::<Vec<_>>(),
        [
            "operation",
            "nodes",
            "operations",
            "bytes",
            "read",
            "written"
        ]
    );
    assert!(text.contains("gemm") && text.contains("\ntotal"), "{text}");
}
