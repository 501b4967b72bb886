//! Names of inputs, variables and outputs.

use crate::message;
use differentiable::graph::{Feeds, GraphError, Recording, Session};
use differentiable::nn::*;
use differentiable::prelude::*;

#[test]
fn each_name_belongs_to_one_thing() {
    let r = Recording::new();
    let x: Tensor![3] = r.input("x", Default::default());
    let again = || drop(r.input::<shape![3], f32>("x", Default::default()));
    assert_eq!(
        message(again),
        "`x` is the name of an input already, expected another one for an input"
    );
    let said = message(|| drop(r.variable("x", &Tensor::<shape![3]>::zeros())));
    assert!(
        said.starts_with(
            "`x` is the name of an input already, expected another one for a variable"
        ),
        "{said}"
    );
    let y = &x * 2.0;
    let said = message(|| r.output("x", &y));
    assert_eq!(
        said,
        "`x` is the name of an input already, expected another one for an output"
    );
    r.output("y", &y);
    let said = message(|| r.output("y", &x));
    assert_eq!(
        said,
        "`y` is the name of an output already, expected another one for an output"
    );
    // An input that is an output too.
    r.output("x", &x);
    assert_eq!(r.graph().outputs().len(), 2);
    let said = message(|| drop(r.input::<shape![3], f32>("", Default::default())));
    assert_eq!(said, "the name of an input is empty, expected a text");
}

#[test]
fn a_second_module_has_a_name_of_its_own() {
    let r = Recording::new();
    let layer = Linear::<2, 3>::new(&mut Seeds::new(0));
    let _first = r.module(&layer);
    let said = message(|| drop(r.module(&layer)));
    assert!(
        said.contains("`weight` is the name of a variable already"),
        "{said}"
    );
    assert!(said.contains("`module_as`"), "{said}");
    let second = r.module_as("second", &layer);
    let mut session = Session::new(&r, &Device::cpu());
    let weight: Tensor![2, 3] = session
        .run_named("second.weight", Default::default(), &Feeds::new())
        .unwrap();
    assert_eq!(weight.to_vec(), layer.weight.to_vec());
    assert_eq!(
        session.module(&second).weight.to_vec(),
        layer.weight.to_vec()
    );
}

#[test]
fn what_has_a_name_is_fetched_by_it() {
    let r = Recording::new();
    let x: Tensor![3] = r.input("x", Default::default());
    let y = &x * 2.0;
    r.name("double", &y);
    r.output("sum", &y.sum());
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&x, &tensor([1.0, 2.0, 3.0]));
    let double: Tensor![3] = session
        .run_named("double", Default::default(), &feeds)
        .unwrap();
    assert_eq!(double.to_vec(), [2.0, 4.0, 6.0]);
    let sum: Tensor![] = session.run_named("sum", (), &feeds).unwrap();
    assert_eq!(sum.item(), 12.0);
    // A view is what it was.
    let m: Tensor![2, 2] = r.input("m", Default::default());
    r.name("turned", &m.transpose::<0, 1>());
    let given = Feeds::new().with(&m, &tensor([[1.0, 2.0], [3.0, 4.0]]));
    let turned: Tensor![2, 2] = session
        .run_named("turned", Default::default(), &given)
        .unwrap();
    assert_eq!(turned.to_vec(), [1.0, 3.0, 2.0, 4.0]);
    let error = session.run_named::<(), f32>("som", (), &feeds).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nothing is named `som`, expected one of `double`, `m`, `sum`, `turned`, `x`"
    );
    let error = session.run_named::<(), f64>("sum", (), &feeds).unwrap_err();
    assert_eq!(error.to_string(), "`sum` is f32 [], expected f64 []");
    let error = session
        .run_named::<shape![2], f32>("double", Default::default(), &feeds)
        .unwrap_err();
    assert!(matches!(error, GraphError::Kind { .. }), "{error}");
    let error = Session::new(&Recording::new(), &Device::cpu())
        .run_named::<(), f32>("x", (), &Feeds::new())
        .unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("none, because nothing has a name"),
        "{error}"
    );
}

#[test]
fn variables_begin_with_what_is_known() {
    let r = Recording::new();
    let x: Tensor![2] = r.input("x", Default::default());
    let said = message(|| drop(r.variable("v", &(&x * 2.0))));
    assert!(said.contains("`v` depend on an input"), "{said}");
    // Made inside of the recording, of constants.
    let v = r.variable("v", &r.scope(|| Tensor::<shape![2]>::ones() * 3.0));
    assert_eq!(
        Session::new(&r, &Device::cpu()).variable(&v).to_vec(),
        [3.0, 3.0]
    );
}

/// A view of an input is another thing than the input.
#[test]
fn a_view_has_a_name_of_its_own() {
    let r = Recording::new();
    let x: Tensor![2, 2] = r.input("x", Default::default());
    let said = message(|| r.output("x", &x.transpose::<0, 1>()));
    assert_eq!(
        said,
        "`x` is the name of an input already, expected another one for an output"
    );
    r.output("x", &x);
    let said = message(|| r.output("x", &x));
    assert_eq!(
        said,
        "`x` is the name of an output already, expected another one for an output"
    );
    assert_eq!(r.graph().outputs().len(), 1);
}
