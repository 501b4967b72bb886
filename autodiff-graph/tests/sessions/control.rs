//! `cond` and `while_loop`, against Rust's `if` and `while`.

use crate::{bits, message};
use differentiable::ad::check_grads;
use differentiable::graph::{Everything, Feeds, GraphError, Recording, Session, cond, while_loop};
use differentiable::prelude::*;

#[differentiable]
fn chosen(x: &Tensor![3], w: &Tensor![3]) -> Tensor![] {
    let positive = no_grad!(x.sum().gt(0.0));
    let y = cond(
        &positive,
        |x: &Tensor![3]| x * w,
        |x: &Tensor![3]| x.sin() - w,
        x,
    );
    (y * x).sum()
}

/// The same with `if`.
#[differentiable]
fn chosen_by_if(x: &Tensor![3], w: &Tensor![3]) -> Tensor![] {
    let positive = no_grad!(x.sum().gt(0.0).item());
    let y = if positive { x * w } else { x.sin() - w };
    (y * x).sum()
}

#[test]
fn a_branch_is_chosen_by_a_run() {
    let w: Tensor![3] = Tensor::randn(1);
    let r = Recording::new();
    let (rx, rw) = (r.input("x", w.shape()), r.input("w", w.shape()));
    let (value, (by_x, by_w)) = r.scope(|| chosen::value_and_grad(&rx, &rw));
    let mut session = Session::new(&r, &Device::cpu());
    for x in [tensor([1.0, 2.0, -0.5]), tensor([-1.0, 0.25, -0.5])] {
        let feeds = Feeds::new().with(&rx, &x).with(&rw, &w);
        let (a, b, c) = session.run((&value, &by_x, &by_w), &feeds).unwrap();
        let (value, (by_x, by_w)) = chosen_by_if::value_and_grad(&x, &w);
        assert_eq!(bits(&a), bits(&value));
        assert_eq!(bits(&b), bits(&by_x));
        assert_eq!(bits(&c), bits(&by_w));
        // At once it is an `if` as well.
        let (value, (eager_by_x, _)) = chosen::value_and_grad(&x, &w);
        assert_eq!(bits(&a), bits(&value));
        assert_eq!(bits(&b), bits(&eager_by_x));
    }
}

#[test]
fn one_branch_only_runs() {
    let r = Recording::new();
    let x: Tensor![2, 2] = r.input("x", Default::default());
    let index: Tensor![i64; 1] = r.input("index", Default::default());
    let safe: Tensor![bool;] = r.input("safe", ());
    // The index is outside where the other branch is taken.
    let y = cond(
        &safe,
        |x: &Tensor![2, 2]| x.index_select::<0, _, _>(&index),
        |x: &Tensor![2, 2]| x.slice::<0, 0, 1>() * 0.0,
        &x,
    );
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = |is_safe: bool, at: i64| {
        Feeds::new()
            .with(&x, &Tensor::ones())
            .with(&index, &tensor([at]))
            .with(&safe, &tensor(is_safe))
    };
    assert_eq!(
        session.run(&y, &feeds(true, 1)).unwrap().to_vec(),
        [1.0, 1.0]
    );
    assert_eq!(
        session.run(&y, &feeds(false, 9)).unwrap().to_vec(),
        [0.0, 0.0]
    );
    let error = session.run(&y, &feeds(true, 9)).unwrap_err();
    assert!(matches!(error, GraphError::Index { .. }), "{error}");
}

/// Steps `y ← y·a + b` until the sum is large: as many as the numbers ask for.
#[differentiable]
fn looped(y: &Tensor![3], a: &Tensor![3], b: &Tensor![3]) -> Tensor![] {
    let end = while_loop(
        |y: &Tensor![3]| no_grad!(y.square().sum().lt(50.0)),
        |y: &Tensor![3]| y * a + b,
        y,
    );
    (end * b).sum()
}

#[differentiable]
fn looped_by_while(y: &Tensor![3], a: &Tensor![3], b: &Tensor![3]) -> Tensor![] {
    let mut end = y.clone();
    while no_grad!(end.square().sum().lt(50.0).item()) {
        end = &end * a + b;
    }
    (end * b).sum()
}

#[test]
fn trips_are_as_many_as_a_run_needs() {
    let (a, b): (Tensor![3], Tensor![3]) = (tensor([1.5, 1.25, -1.1]), tensor([0.1, -0.2, 0.3]));
    let r = Recording::new();
    let shape = a.shape();
    let (ry, ra, rb) = (
        r.input("y", shape),
        r.input("a", shape),
        r.input("b", shape),
    );
    let (value, (by_y, by_a, by_b)) = r.scope(|| looped::value_and_grad(&ry, &ra, &rb));
    let mut session = Session::new(&r, &Device::cpu());
    for y in [
        tensor([1.0, 2.0, 0.5]),
        tensor([0.1, 0.1, 0.1]),
        tensor([9.0, 0.0, 0.0]),
    ] {
        let feeds = Feeds::new().with(&ry, &y).with(&ra, &a).with(&rb, &b);
        let got = session.run((&value, &by_y, &by_a, &by_b), &feeds).unwrap();
        let (value, (by_y, by_a, by_b)) = looped_by_while::value_and_grad(&y, &a, &b);
        assert_eq!(bits(&got.0), bits(&value));
        assert_eq!(bits(&got.1), bits(&by_y));
        assert_eq!(bits(&got.2), bits(&by_a));
        // `b` is used behind the loop too: what the loop captures is summed up on its own, and `while` adds each trip.
        for (x, y) in got.3.to_vec().into_iter().zip(by_b.to_vec()) {
            assert!((x - y).abs() <= 1e-6 * y.abs(), "{x} and {y}");
        }
        // At once, the function itself sums up in the order of the graph.
        let (value, (by_y, by_a, by_b)) = looped::value_and_grad(&y, &a, &b);
        assert_eq!(bits(&got.0), bits(&value));
        assert_eq!(bits(&got.1), bits(&by_y));
        assert_eq!(bits(&got.2), bits(&by_a));
        assert_eq!(bits(&got.3), bits(&by_b));
    }
}

/// A counter, a state, and a branch inside.
#[differentiable]
fn nested(x: &Tensor![2], w: &Tensor![2], #[constant] n: &Tensor![i64;]) -> Tensor![] {
    let zero = no_grad!(n - n.clone());
    let (_, y) = while_loop(
        |s: &(Tensor![i64;], Tensor![2])| no_grad!(s.0.lt(n)),
        |s: &(Tensor![i64;], Tensor![2])| {
            let next = no_grad!(&s.0 + 1);
            let big = no_grad!(s.1.sum().gt(1.0));
            let y = cond(&big, |y: &Tensor![2]| y * w, |y: &Tensor![2]| y + w, &s.1);
            (next, y)
        },
        &(zero, x.clone()),
    );
    y.square().sum()
}

#[differentiable]
fn nested_by_while(x: &Tensor![2], w: &Tensor![2], #[constant] n: i64) -> Tensor![] {
    let mut y = x.clone();
    let mut i = 0;
    while i < n {
        i += 1;
        y = if no_grad!(y.sum().gt(1.0).item()) {
            &y * w
        } else {
            &y + w
        };
    }
    y.square().sum()
}

#[test]
fn control_flow_in_control_flow() {
    let (x, w): (Tensor![2], Tensor![2]) = (tensor([0.1, 0.2]), tensor([0.7, 0.6]));
    let r = Recording::new();
    let (rx, rw) = (r.input("x", x.shape()), r.input("w", x.shape()));
    let rn: Tensor![i64;] = r.input("n", ());
    let (value, (by_x, by_w)) = r.scope(|| nested::value_and_grad(&rx, &rw, &rn));
    let mut session = Session::new(&r, &Device::cpu());
    for n in [0, 1, 5] {
        let feeds = Feeds::new()
            .with(&rx, &x)
            .with(&rw, &w)
            .with(&rn, &tensor(n));
        let (a, b, c) = session.run((&value, &by_x, &by_w), &feeds).unwrap();
        let (value, (by_x, by_w)) = nested_by_while::value_and_grad(&x, &w, n);
        assert_eq!(bits(&a), bits(&value), "{n} trips");
        assert_eq!(bits(&b), bits(&by_x), "{n} trips");
        assert_eq!(bits(&c), bits(&by_w), "{n} trips");
    }
    // The text has the subgraphs, one inside of the other.
    r.output("value", &value);
    let text = r.graph().to_string();
    assert!(text.contains("while_loop{condition: {"), "{text}");
    assert!(text.contains("cond{then: {"), "{text}");
}

#[test]
fn tangents_go_through_both() {
    let (x, w): (Tensor![2], Tensor![2]) = (tensor([0.1, 0.2]), tensor([0.7, 0.6]));
    let (tx, tw): (Tensor![2], Tensor![2]) = (tensor([1.0, 2.0]), tensor([-1.0, 0.5]));
    let r = Recording::new();
    let (rx, rw) = (r.input("x", x.shape()), r.input("w", x.shape()));
    let (rtx, rtw) = (r.input("tx", x.shape()), r.input("tw", x.shape()));
    let rn: Tensor![i64;] = r.input("n", ());
    let (value, tangent) = r.scope(|| nested::jvp((&rx, &rtx), (&rw, &rtw), &rn));
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new()
        .with(&rx, &x)
        .with(&rw, &w)
        .with(&rtx, &tx)
        .with(&rtw, &tw);
    let feeds = feeds.with(&rn, &tensor(4));
    let (a, b) = session.run((&value, &tangent), &feeds).unwrap();
    let (value, tangent) = nested_by_while::jvp((&x, &tx), (&w, &tw), 4);
    assert_eq!(bits(&a), bits(&value));
    assert_eq!(bits(&b), bits(&tangent));
}

#[differentiable]
fn in_double(x: &Tensor![f64; 3], w: &Tensor![f64; 3]) -> Tensor![f64;] {
    let y = while_loop(
        |x: &Tensor![f64; 3]| no_grad!(x.square().sum().lt(15.0)),
        |x: &Tensor![f64; 3]| x * w + x.sin(),
        x,
    );
    let positive = no_grad!(y.sum().gt(0.0));
    cond(
        &positive,
        |y: &Tensor![f64; 3]| (y * w).sum(),
        |y: &Tensor![f64; 3]| y.square().sum(),
        &y,
    )
}

#[test]
fn derivatives_agree_with_differences() {
    check_grads::<in_double, _>(&(tensor([1.0, 0.5, 0.7]), tensor([1.2, 1.1, 0.9]))).unwrap();
    check_grads::<in_double, _>(&(tensor([-1.0, 0.5, -0.7]), tensor([1.2, 1.1, 0.9]))).unwrap();
}

#[test]
fn a_tensor_of_a_body_is_not_used_outside() {
    let r = Recording::new();
    let x: Tensor![2] = r.input("x", Default::default());
    let p: Tensor![bool;] = r.input("p", ());
    let leaked = std::cell::RefCell::new(None);
    let then = |x: &Tensor![2]| {
        let y = x * 2.0;
        *leaked.borrow_mut() = Some(y.clone());
        y
    };
    let _y = cond(&p, then, |x: &Tensor![2]| x.clone(), &x);
    let leaked = leaked.take().unwrap();
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new()
        .with(&x, &Tensor::ones())
        .with(&p, &tensor(true));
    let error = session.run(&(leaked + 1.0), &feeds).unwrap_err();
    assert!(
        matches!(
            error,
            GraphError::Inside {
                operation: "cond",
                ..
            }
        ),
        "{error}"
    );
    assert!(error.to_string().contains("control.rs"), "{error}");
}

#[test]
fn bodies_give_what_is_expected() {
    dim!(Batch);
    let r = Recording::new();
    let x: Tensor![Batch] = r.input("x", (Batch(3),));
    let p: Tensor![bool;] = r.input("p", ());
    let eager: Tensor![Batch] = Tensor::ones_with((Batch(3),));
    let said = message(|| {
        drop(cond(
            &p,
            |x: &Tensor![Batch]| x.clone(),
            |_: &Tensor![Batch]| eager.clone(),
            &x,
        ))
    });
    assert!(
        said.contains("what a body of control flow gives is on the cpu"),
        "{said}"
    );
    // The recording is as it was.
    let y = &x * 2.0;
    let mut session = Session::new(&r, &Device::cpu());
    assert_eq!(
        session
            .run(&y, &Feeds::new().with(&x, &eager))
            .unwrap()
            .to_vec(),
        [2.0; 3]
    );
}

/// A number of a row, and the row.
type RowAt = (Tensor![i64; 1], Tensor![1, 2]);

#[test]
fn errors_of_a_body_name_their_line() {
    let r = Recording::new();
    let x: Tensor![2, 2] = r.input("x", Default::default());
    let start: Tensor![i64; 1] = r.input("start", Default::default());
    let state = (start.clone(), x.slice::<0, 0, 1>());
    let (_, row) = while_loop(
        |s: &RowAt| s.0.sum().lt(5),
        |s| (&s.0 + 1, x.index_select::<0, _, _>(&s.0)),
        &state,
    );
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new()
        .with(&x, &Tensor::ones())
        .with(&start, &tensor([0]));
    let error = session.run(&row, &feeds).unwrap_err();
    assert!(error.to_string().contains("index 2"), "{error}");
    assert!(error.to_string().contains("control.rs"), "{error}");
}

/// What a body recorded before it failed is not in the graph.
#[test]
fn a_body_that_fails_leaves_nothing() {
    let r = Recording::new();
    let x: Tensor![2] = r.input("x", Default::default());
    let p: Tensor![bool;] = r.input("p", ());
    let leaked = std::cell::RefCell::new(None);
    let said = message(|| {
        let fails = |x: &Tensor![2]| -> Tensor![2] {
            *leaked.borrow_mut() = Some(x * 2.0 + x.exp());
            panic!("it fails")
        };
        drop(cond(&p, fails, fails, &x));
    });
    assert_eq!(said, "it fails");
    let graph = r.graph();
    assert_eq!((graph.nodes().len(), graph.statistics().made_bytes), (0, 0));
    r.output("y", &(&x * 3.0));
    assert_eq!(r.graph().pruned().graph.nodes().len(), 1);
    let leaked = leaked.take().unwrap();
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&x, &Tensor::ones());
    let error = session.run(&leaked, &feeds).unwrap_err();
    assert!(matches!(error, GraphError::Inside { .. }), "{error}");
}

/// The states of a loop are no numbers.
#[test]
fn everything_of_a_loop_is_fetched() {
    let r = Recording::new();
    let x: Tensor![3] = r.input("y", Default::default());
    let (value, (by_x, ..)) = r.scope(|| looped::value_and_grad(&x, &x, &x));
    r.output("value", &value);
    r.output("by x", &by_x);
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&x, &tensor([1.5, 2.0, 0.5]));
    let (all, value) = session.run((&Everything, &value), &feeds).unwrap();
    let number = r.graph().outputs()[0].value;
    assert_eq!(all.get(number), Some(&[f64::from(value.item())][..]));
}
