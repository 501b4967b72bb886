//! Feeds, fetches, variables and assignments.

use differentiable::graph::{Feeds, GraphError, Recording, Session};
use differentiable::prelude::*;

#[test]
fn only_what_is_fetched_runs() {
    let r = Recording::new();
    let a: Tensor![2] = r.input("a", Default::default());
    let b: Tensor![2] = r.input("b", Default::default());
    let (double, product) = (&a + &a, &a * &b);
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&a, &tensor([1.0, 2.0]));
    assert_eq!(session.run(&double, &feeds).unwrap().to_vec(), [2.0, 4.0]);
    let error = session.run(&product, &feeds).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the input `b` is not given, expected f32 [2]"
    );
    assert!(matches!(error, GraphError::Missing { .. }));
}

#[test]
fn a_value_in_the_middle_is_fetched_too() {
    let r = Recording::new();
    let a: Tensor![] = r.input("a", ());
    let b: Tensor![] = r.input("b", ());
    // The program of mini_tensorflow: (a·b) / (a + b).
    let (product, sum) = (&a * &b, &a + &b);
    let quotient = &product / &sum;
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&a, &tensor(15.0)).with(&b, &tensor(5.0));
    let (p, s, q) = session.run((&product, &sum, &quotient), &feeds).unwrap();
    assert_eq!((p.item(), s.item(), q.item()), (75.0, 20.0, 3.75));
}

#[test]
fn variables_change_by_assignments_alone() {
    let r = Recording::new();
    let count: Tensor![] = r.variable("count", &tensor(1.0));
    let step: Tensor![] = r.input("step", ());
    let next = &count + &step;
    let assign = r.assign(&count, &next);
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&step, &tensor(2.0));
    for expected in [3.0, 5.0, 7.0] {
        // The fetched value was computed with the contents from before.
        let (next, ()) = session.run((&next, &assign), &feeds).unwrap();
        assert_eq!(next.item(), expected);
        assert_eq!(session.variable(&count).item(), expected);
    }
    assert_eq!(session.run(&next, &feeds).unwrap().item(), 9.0);
    assert_eq!(session.variable(&count).item(), 7.0);
    // Another session begins anew.
    let session = Session::new(&r, &Device::cpu());
    assert_eq!(session.variable(&count).item(), 1.0);
}

#[test]
fn two_variables_are_exchanged() {
    let r = Recording::new();
    let a: Tensor![2] = r.variable("a", &tensor([1.0, 2.0]));
    let b: Tensor![2] = r.variable("b", &tensor([3.0, 4.0]));
    let exchange = r.assign(&a, &b).and(r.assign(&b, &a));
    let mut session = Session::new(&r, &Device::cpu());
    session.run(&exchange, &Feeds::new()).unwrap();
    assert_eq!(session.variable(&a).to_vec(), [3.0, 4.0]);
    assert_eq!(session.variable(&b).to_vec(), [1.0, 2.0]);
}

#[test]
fn a_constant_is_fetched_and_assigned() {
    let r = Recording::new();
    let a: Tensor![2] = r.variable("a", &tensor([1.0, 2.0]));
    let c: Tensor![2] = r.scope(|| tensor([5.0, 6.0]));
    let reset = r.assign(&a, &c);
    let mut session = Session::new(&r, &Device::cpu());
    let (c, ()) = session.run((&c, &reset), &Feeds::new()).unwrap();
    assert_eq!(c.to_vec(), [5.0, 6.0]);
    assert_eq!(session.variable(&a).to_vec(), [5.0, 6.0]);
}

#[test]
fn parts_and_transposes_are_fed_and_fetched() {
    let x: Tensor![4, 3] = Tensor::from_fn(|i| i as f32);
    let r = Recording::new();
    let rx: Tensor![3, 2] = r.input("x", Default::default());
    let t = rx.transpose::<0, 1>();
    let mut session = Session::new(&r, &Device::cpu());
    // Rows 1 and 2, transposed: neither dense nor at the start of its buffer.
    let part = x.slice::<0, 1, 2>().transpose::<0, 1>();
    let out = session.run(&t, &Feeds::new().with(&rx, &part)).unwrap();
    assert_eq!(out.to_vec(), x.to_vec()[3..9]);
}

#[test]
fn results_outlive_the_next_run() {
    let r = Recording::new();
    let x: Tensor![3] = r.input("x", Default::default());
    let y = x.exp();
    let mut session = Session::new(&r, &Device::cpu());
    let first = session
        .run(&y, &Feeds::new().with(&x, &tensor([0.0, 0.0, 0.0])))
        .unwrap();
    let _ = session
        .run(&y, &Feeds::new().with(&x, &tensor([1.0, 1.0, 1.0])))
        .unwrap();
    assert_eq!(first.to_vec(), [1.0; 3]);
}

#[test]
fn what_is_recorded_later_is_known() {
    let r = Recording::new();
    let x: Tensor![3] = r.input("x", Default::default());
    let mut session = Session::new(&r, &Device::cpu());
    let y = &x * 2.0;
    let y = session
        .run(&y, &Feeds::new().with(&x, &tensor([1.0, 2.0, 3.0])))
        .unwrap();
    assert_eq!(y.to_vec(), [2.0, 4.0, 6.0]);
}

#[test]
fn inputs_are_not_overwritten() {
    // The operation takes its operand by value, and works in place where it is the only owner.
    let r = Recording::new();
    let x: Tensor![3] = r.input("x", Default::default());
    let kept = x.clone();
    let y = x + 1.0;
    let given: Tensor![3] = tensor([1.0, 2.0, 3.0]);
    let mut session = Session::new(&r, &Device::cpu());
    for _ in 0..2 {
        let y = session.run(&y, &Feeds::new().with(&kept, &given)).unwrap();
        assert_eq!(y.to_vec(), [2.0, 3.0, 4.0]);
        assert_eq!(given.to_vec(), [1.0, 2.0, 3.0]);
    }
}

/// A value that a run is given is not taken for an equal one that it computes, nor the other way round.
#[test]
fn what_is_given_is_not_merged() {
    let r = Recording::new();
    let x: Tensor![2] = r.input("x", Default::default());
    let (a, b) = (x.exp(), x.exp());
    let y = (&a * 2.0, &b * 3.0);
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = || Feeds::new().with(&x, &Tensor::zeros());
    let given = tensor([5.0, 7.0]);
    let (by_a, by_b) = session
        .run((&y.0, &y.1), &feeds().with(&b, &given))
        .unwrap();
    assert_eq!(
        (by_a.to_vec(), by_b.to_vec()),
        (vec![2.0; 2], vec![15.0, 21.0])
    );
    let (by_a, by_b) = session
        .run((&y.0, &y.1), &feeds().with(&a, &given))
        .unwrap();
    assert_eq!(
        (by_a.to_vec(), by_b.to_vec()),
        (vec![10.0, 14.0], vec![3.0; 2])
    );
}

/// An operation makes two values: one is given, the other one is computed.
#[test]
fn one_of_two_results_is_given() {
    let far = Device::far();
    for (parallel, placed) in [(false, false), (true, false), (false, true)] {
        let r = Recording::new();
        let x: Tensor![f64; 2, 2] = r.input("x", Default::default());
        let (values, vectors) = x.eigh();
        let after = &vectors * 1.0;
        let double = &values * 2.0;
        let more = match placed {
            true => r.on(&far, || &double + 1.0),
            false => &double + 1.0,
        };
        let mut session = Session::new(&r, &Device::cpu()).parallel(parallel);
        let feeds = Feeds::new()
            .with(&x, &tensor([[2.0, 0.0], [0.0, 5.0]]))
            .with(&values, &tensor([10.0, 20.0]));
        let fetch = (&values, &after, &more);
        let (values, after, more) = session.run(fetch, &feeds).unwrap();
        assert_eq!(values.to_vec(), [10.0, 20.0]);
        assert_eq!(more.to_vec(), [21.0, 41.0]);
        assert_eq!(after.square().to_vec(), [1.0, 0.0, 0.0, 1.0]);
    }
}

/// The same for a result that is known because it is small, while the other one is too large to be kept.
#[test]
fn one_of_two_results_is_known() {
    #[differentiable]
    fn total(x: &Tensor![300_000]) -> Tensor![] {
        (x * 2.0 + 1.0).square().sum()
    }
    let r = Recording::new();
    let x: Tensor![] = r.input("x", ());
    let (value, slope) = r.scope(|| total::value_and_grad(&Tensor::zeros()));
    let y = (&value + &x, (&slope * &x).slice::<0, 0, 1>());
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&x, &tensor(3.0));
    let (by_value, by_slope) = session.run((&y.0, &y.1), &feeds).unwrap();
    assert_eq!(by_value.item(), 300_003.0);
    assert_eq!(by_slope.to_vec(), [12.0]);
}

#[test]
fn empty_tensors_are_fetched_assigned_and_trained() {
    use differentiable::graph::{Gradient, cond, while_loop};
    use differentiable::optim::Sgd;
    let r = Recording::new();
    let none: Tensor![0] = r.variable("none", &Tensor::zeros());
    let m: Tensor![0, 3] = r.variable("m", &Tensor::zeros());
    let p: Tensor![bool;] = r.input("p", ());
    let double = &none * 2.0;
    let product = m.t().matmul(&m);
    let joined = none.concat::<0, _>(&double);
    let chosen = cond(
        &p,
        |x: &Tensor![0]| x * 2.0,
        |x: &Tensor![0]| x.clone(),
        &double,
    );
    let end = while_loop(
        |x: &Tensor![0]| x.sum().gt(0.0),
        |x: &Tensor![0]| x * 2.0,
        &double,
    );
    let assign = r.assign(&none, &double);
    let train = r.minimize(&m, &(&m * 1.0), Sgd::new(1.0));
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&p, &tensor(true));
    let gradient = &m * 3.0;
    let fetch = (
        &joined,
        &product,
        &chosen,
        &end,
        &assign,
        &train,
        Gradient(&gradient),
    );
    let (joined, product, chosen, end, (), (), _) = session.run(fetch, &feeds).unwrap();
    assert_eq!(product.to_vec(), [0.0; 9]);
    assert_eq!(
        joined.to_vec().len() + chosen.to_vec().len() + end.to_vec().len(),
        0
    );
}

/// What is computed of constants is kept from run to run, but not where a run is given one of them.
#[test]
fn what_is_given_is_no_constant() {
    let r = Recording::new();
    let c: Tensor![2] = r.scope(|| tensor([0.0, 0.0]));
    let middle = c.exp();
    let y = &middle * 2.0;
    let mut session = Session::new(&r, &Device::cpu());
    let given = || Feeds::new().with(&middle, &tensor([5.0, 7.0]));
    assert_eq!(session.run(&y, &given()).unwrap().to_vec(), [10.0, 14.0]);
    assert_eq!(session.run(&y, &Feeds::new()).unwrap().to_vec(), [2.0; 2]);
    assert_eq!(session.run(&y, &given()).unwrap().to_vec(), [10.0, 14.0]);
}

/// A module whose new weight is a view of the old one.
#[test]
fn a_transpose_of_a_variable_is_assigned() {
    use differentiable::nn::*;
    let r = Recording::new();
    let mut layer = Linear::<2, 2>::new(&mut Seeds::new(0));
    layer.weight = tensor([[1.0, 2.0], [3.0, 4.0]]);
    let net = r.module(&layer);
    let mut after = net.clone();
    after.weight = net.weight.t();
    let turn = r.assign_all(&net, &after);
    let mut session = Session::new(&r, &Device::cpu());
    session.run(&turn, &Feeds::new()).unwrap();
    assert_eq!(session.variable(&net.weight).to_vec(), [1.0, 3.0, 2.0, 4.0]);
}
