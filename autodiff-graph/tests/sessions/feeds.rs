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
