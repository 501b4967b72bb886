//! What cannot be recorded, and what goes wrong in a run.

use crate::message;
use differentiable::graph::{Feeds, GraphError, Recording, Session};
use differentiable::prelude::*;

#[test]
fn a_number_that_depends_on_an_input_cannot_be_read() {
    let r = Recording::new();
    let x: Tensor![3] = r.input("x", Default::default());
    let y: Tensor![3] = r.input("y", Default::default());
    let said = message(|| {
        let _ = (&x * &y).sum().item();
    });
    assert!(said.contains("depends on `x`, `y`"), "{said}");
    let error = x.try_to_vec().unwrap_err().to_string();
    assert!(
        error.contains("depends on `x` while it is recorded"),
        "{error}"
    );
}

#[test]
fn a_number_that_depends_on_constants_is_computed() {
    let r = Recording::new();
    r.scope(|| {
        let x: Tensor![3] = tensor([1.0, 2.0, 3.0]);
        assert_eq!((&x * &x).sum().item(), 14.0);
        assert_eq!(
            Tensor::<shape![4]>::randn(3).to_vec(),
            Device::cpu()
                .scope(|| Tensor::<shape![4]>::randn(3))
                .to_vec()
        );
    });
}

#[test]
fn a_wrong_index_names_the_line() {
    let r = Recording::new();
    let x: Tensor![3, 2] = r.input("x", Default::default());
    let index: Tensor![i64; 2] = r.input("index", Default::default());
    let rows = x.index_select::<0, _, _>(&index);
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = |at| {
        Feeds::new()
            .with(&x, &Tensor::ones())
            .with(&index, &tensor([0, at]))
    };
    assert!(session.run(&rows, &feeds(2)).is_ok());
    let error = session.run(&rows, &feeds(3)).unwrap_err();
    assert!(matches!(error, GraphError::Index { .. }), "{error}");
    let said = error.to_string();
    assert!(
        said.contains("errors.rs") && said.contains("index 3 at position 1"),
        "{said}"
    );
}

#[test]
fn operands_of_two_recordings_do_not_mix() {
    let (r, s) = (Recording::new(), Recording::new());
    let x: Tensor![3] = r.input("x", Default::default());
    let y: Tensor![3] = s.input("y", Default::default());
    let said = message(|| drop(&x + &y));
    assert!(said.contains("on two devices"), "{said}");
    let said = message(|| drop(&x + &tensor([1.0, 2.0, 3.0])));
    assert!(said.contains("on two devices"), "{said}");
}

#[test]
fn a_tensor_that_is_not_recorded_is_no_output() {
    let r = Recording::new();
    let x: Tensor![3] = tensor([1.0, 2.0, 3.0]);
    assert!(message(|| r.output("x", &x)).contains("`x` is not recorded"));
}

#[test]
fn a_singular_matrix_names_the_line() {
    let r = Recording::new();
    let a: Tensor![f64; 2, 2] = r.input("a", Default::default());
    let b: Tensor![f64; 2] = r.input("b", Default::default());
    let x = a.solve_vec(&b);
    let mut session = Session::new(&r, &Device::cpu());
    let b = Feeds::new().with(&b, &tensor([2.0, 4.0]));
    let feeds = b.with(&a, &tensor([[1.0, 2.0], [2.0, 4.0]]));
    let error = session.run(&x, &feeds).unwrap_err();
    assert!(
        matches!(error, GraphError::Factorise { matrix: 0, .. }),
        "{error}"
    );
    assert!(error.to_string().contains("errors.rs"), "{error}");
}

#[test]
fn only_whole_inputs_are_given() {
    let r = Recording::new();
    let x: Tensor![2, 2] = r.input("x", Default::default());
    let t = x.transpose::<0, 1>();
    let said = message(|| drop(Feeds::new().with(&t, &Tensor::ones())));
    assert!(said.contains("expected the tensor itself"), "{said}");
    let row = x.slice::<0, 0, 1>();
    let said = message(|| drop(Feeds::new().with(&row, &Tensor::ones())));
    assert!(said.contains("expected the tensor itself"), "{said}");
    let plain: Tensor![2, 2] = Tensor::ones();
    let said = message(|| drop(Feeds::new().with(&plain, &plain)));
    assert!(said.contains("the input is not recorded"), "{said}");
}

#[test]
fn recordings_are_told_apart() {
    let (r, s) = (Recording::new(), Recording::new());
    let x: Tensor![2] = r.variable("x", &Tensor::ones());
    let y: Tensor![2] = s.variable("y", &Tensor::zeros());
    let mut session = Session::new(&r, &Device::cpu());
    let said = message(|| drop(session.run(&y, &Feeds::new())));
    assert!(said.contains("belongs to another recording"), "{said}");
    let said = message(|| drop(session.run(&x, &Feeds::new().with(&y, &Tensor::ones()))));
    assert!(said.contains("belongs to another recording"), "{said}");
    let said = message(|| drop(r.assign(&x, &y)));
    assert!(said.contains("belongs to another recording"), "{said}");
    let said = message(|| drop(r.assign(&x.flip::<0>(), &x)));
    assert!(
        said.contains("is computed: only variables are assigned"),
        "{said}"
    );
    let input: Tensor![2] = r.input("input", Default::default());
    let said = message(|| drop(r.assign(&input, &x)));
    assert!(
        said.contains("`input` is an input: only variables are assigned"),
        "{said}"
    );
    let said = message(|| drop(session.set_variable(&input, &Tensor::ones())));
    assert!(
        said.contains("`input` is an input: only variables keep contents"),
        "{said}"
    );
    let said = message(|| drop(session.variable(&y)));
    assert!(said.contains("belongs to another recording"), "{said}");
    let said = message(|| drop(session.module(&y)));
    assert!(said.contains("belongs to another recording"), "{said}");
}

#[test]
fn sizes_that_are_known_at_run_time_are_compared() {
    dim!(Batch);
    let r = Recording::new();
    let x: Tensor![Batch] = r.input("x", (Batch(3),));
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&x, &Tensor::ones_with((Batch(2),)));
    let error = session.run(&x.sum(), &feeds).unwrap_err();
    assert!(matches!(error, GraphError::Sizes { .. }), "{error}");
    assert_eq!(error.to_string(), "the input `x` is f32 [3], found [2]");
}
