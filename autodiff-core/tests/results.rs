//! `Result`: the value of an `Ok` has a derivative, an error has none; and access to what is inside.

use autodiff_core::ad::{
    Acc, Ct, Differentiable, NoDerivative, Off, On, OptionLens, Tangent, query,
};
use std::panic::catch_unwind;

type Root = Result<Vec<f64>, String>;

fn ok(entries: &[f64]) -> Root {
    Ok(entries.to_vec())
}

fn err() -> Root {
    Err("negative".into())
}

fn message<R>(run: impl FnOnce() -> R + std::panic::UnwindSafe) -> String {
    let panic = catch_unwind(run).err().expect("a panic");
    let text = panic.downcast_ref::<String>().cloned();
    text.unwrap_or_else(|| (*panic.downcast_ref::<&str>().expect("a message")).to_owned())
}

#[test]
fn the_tangent_of_an_error_is_none() {
    assert_eq!(ok(&[1.0, 2.0]).zero_tangent(), Some(vec![0.0, 0.0]));
    assert_eq!(err().zero_tangent(), None);
    // Numbers in an error are constants.
    assert_eq!(Err::<f64, f64>(1.0).zero_tangent(), None);
}

#[test]
fn steps_and_differences() {
    let mut moved = ok(&[1.0, 2.0]);
    moved.add_scaled(2.0, &Some(vec![0.5, -1.0]));
    assert_eq!(moved, ok(&[2.0, 0.0]));
    assert_eq!(moved.difference(&ok(&[1.0, 1.0])), Some(vec![1.0, -1.0]));
    moved.add_scaled(2.0, &None);
    assert_eq!(moved, ok(&[2.0, 0.0]));

    let mut error = err();
    error.add_scaled(1.0, &None);
    assert_eq!((error.difference(&err()), error), (None, err()));
}

#[test]
fn accumulators_add_what_is_ok() {
    let value = ok(&[1.0, 2.0]);
    let mut d = value.zero_adj(On);
    for _ in 0..2 {
        Acc::<Root>::acc(&mut d, Root::start(Some(vec![1.0, 10.0])));
    }
    Acc::<Root>::acc(&mut d, None);
    d.__adj_Ok_0()[0] += 0.5;
    assert_eq!(Root::finish(&value.proto(), d), Some(vec![2.5, 20.0]));

    let lazy: Ct<Root> = Root::start(None);
    assert_eq!(Root::finish(&value.proto(), lazy), Some(vec![0.0, 0.0]));
    let zero = Root::zero_ct(&value.proto());
    assert_eq!(Root::finish(&value.proto(), zero), Some(vec![0.0, 0.0]));

    let mut d = err().zero_adj(On);
    Acc::<Root>::acc(&mut d, None);
    assert_eq!(Root::finish(&err().proto(), d), None);
}

#[test]
fn inactive_results_take_no_part() {
    fn on<T: Differentiable, D: Acc<T>>(_: &D) -> bool {
        D::ON
    }
    let value = Ok::<f64, String>(1.0);
    assert!(on::<Result<f64, String>, _>(&value.zero_adj(On)));
    assert!(!on::<Result<f64, String>, _>(&value.zero_adj(Off)));
    assert!(!on::<Result<usize, f64>, _>(&Ok::<_, f64>(1).zero_adj(On)));
}

#[test]
fn an_error_and_a_value_do_not_mix() {
    let given = "a tangent `Some(..)` was given for the value `Err(..)`";
    let some = || Some(vec![1.0]);
    assert_eq!(message(|| err().add_scaled(1.0, &some())), given);
    assert_eq!(message(|| Root::finish(&err().proto(), some())), given);
    assert_eq!(
        message(|| Acc::<Root>::acc(&mut err().zero_adj(On), some())),
        given
    );
    assert_eq!(
        message(|| err().difference(&ok(&[1.0]))),
        "`Ok` and `Err` have no difference"
    );
}

#[test]
fn lenses_reach_inside() {
    let mut d = Some(1.0).zero_adj(On);
    *d.__adj_Some_0() += 2.0;
    *d.__adj_Ok_0() += 3.0;
    assert_eq!(d, Some(5.0));
    let mut t = Some(1.0);
    *t.__tan_mut_Some_0() += *t.clone().__tan_Some_0();
    *t.__tan_mut_Ok_0() += *t.clone().__tan_Ok_0();
    assert_eq!(t, Some(4.0));
}

#[test]
fn lenses_of_nothing_panic() {
    let text = |derivative: &str, of: &str| {
        format!("the {derivative} of `{of}` has another variant than the value")
    };
    let none = || None::<f64>;
    let (ct, tan) = ("cotangent", "tangent");
    assert_eq!(message(|| *none().__adj_Some_0()), text(ct, "Option"));
    assert_eq!(message(|| *none().__adj_Ok_0()), text(ct, "Result"));
    assert_eq!(message(|| *none().__tan_Some_0()), text(tan, "Option"));
    assert_eq!(message(|| *none().__tan_Ok_0()), text(tan, "Result"));
    assert_eq!(message(|| *none().__tan_mut_Some_0()), text(tan, "Option"));
    assert_eq!(message(|| *none().__tan_mut_Ok_0()), text(tan, "Result"));
}

#[test]
fn a_result_of_queries_is_a_query() {
    fn is_query<T: NoDerivative>(value: T) -> T {
        query(value)
    }
    assert_eq!(is_query([1usize, 3].binary_search(&2)), Err(1));
}

#[test]
fn boxes_are_added_in_place() {
    let (a, b) = (Box::new(vec![1.0, 2.0]), Box::new(vec![10.0, 20.0]));
    let place = &raw const *a;
    let sum = a.add(b).scale(2.0);
    assert_eq!((&raw const *sum, *sum), (place, vec![22.0, 44.0]));
}
