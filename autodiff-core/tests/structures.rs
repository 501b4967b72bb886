//! Accumulators and tangents of the types of the language and of `std`.

use autodiff_core::ad::{self, Acc, Ct, Differentiable, NoGrad, Off, On, Tangent, Wit, wit};
use proptest::prelude::*;

type Deep = (f64, Vec<[f32; 2]>, Option<Box<f64>>, usize, (String, f64));

fn deep(entries: &[f64]) -> Deep {
    let pairs = entries.iter().map(|&x| [x as f32, -x as f32]).collect();
    (
        entries[0],
        pairs,
        Some(Box::new(entries[1])),
        7,
        ("s".into(), entries[2]),
    )
}

/// A tangent at `at` with the entries 1, 2, 3 ...
fn counting<T: Differentiable>(at: &T) -> T::Tangent {
    let mut next = 0.0;
    at.zero_tangent().fill_with(&mut || {
        next += 1.0;
        next
    })
}

proptest! {
    #[test]
    fn moving_along_a_tangent_and_back(entries in prop::collection::vec(-8i32..8, 3..6), step in -4i32..4) {
        // Small integers, so that all sums are exact.
        let start = deep(&entries.into_iter().map(f64::from).collect::<Vec<_>>());
        let tangent = counting(&start);
        let step = f64::from(step);
        let mut moved = start.clone();
        moved.add_scaled(step, &tangent);
        prop_assert_eq!(moved.difference(&start), tangent.scale(step));
    }

    #[test]
    fn adding_cotangents_twice_doubles_them(entries in prop::collection::vec(-8i32..8, 3..6)) {
        let value = deep(&entries.into_iter().map(f64::from).collect::<Vec<_>>());
        let tangent = counting(&value);
        let mut d = value.zero_adj(On);
        for _ in 0..2 {
            Acc::<Deep>::acc(&mut d, Deep::start(tangent.clone()));
        }
        let total = Deep::finish(&value.proto(), d);
        prop_assert_eq!(total.dot(&tangent), 2.0 * tangent.dot(&tangent));
        prop_assert_eq!(total, tangent.clone().add(tangent));
    }
}

#[test]
fn inactive_accumulators_have_no_entries() {
    assert_eq!(size_of_val(&[1.0; 8].zero_adj(Off)), 0);
    assert_eq!(size_of_val(&(1.0f32, 2usize, [3.0; 4]).zero_adj(Off)), 0);
    let off = vec![1.0; 8].zero_adj(Off);
    assert_eq!(off, vec![NoGrad; 8]);
    let mut off = ad::no_adj(&[1.0, 2.0]);
    Acc::<[f64; 2]>::acc(&mut off, [1.0, 2.0]);
}

#[test]
fn discrete_types_have_no_tangent() {
    fn discrete<T>(_: &T) -> Ct<T>
    where
        T: Differentiable<Tangent = (), Proto = (), Adj<On> = NoGrad> + ?Sized,
    {
        NoGrad
    }
    let _ = (
        discrete(&1u8),
        discrete(&1i128),
        discrete(&true),
        discrete(&'c'),
        discrete("str"),
    );
}

#[test]
fn take_leaves_zero() {
    let value = vec![1.0, 2.0];
    let mut d = vec![3.0, 4.0];
    assert_eq!(ad::take(&wit(&value), &mut d), vec![3.0, 4.0]);
    assert_eq!(d, vec![0.0, 0.0]);
}

#[test]
fn slices_accumulate_in_place() {
    let value: &[f64] = &[1.0, 2.0, 3.0];
    let witness: Wit<[f64]> = wit(value);
    let mut d = [10.0, 20.0, 30.0, 40.0];
    ad::acc_slice(&witness, vec![1.0, 2.0, 3.0], &mut d[1..]);
    assert_eq!(d, [10.0, 21.0, 32.0, 43.0]);
    assert_eq!(ad::zero_tangent(value), vec![0.0; 3]);
}

#[test]
#[should_panic(expected = "a tangent of 2 entries was given for a value of 3 entries")]
fn a_cotangent_of_another_length_is_refused() {
    let mut d = vec![0.0; 3];
    Acc::<Vec<f64>>::acc(&mut d, vec![1.0; 2]);
}

#[test]
#[should_panic(expected = "for the value `None`")]
fn a_cotangent_of_what_is_absent_is_refused() {
    let mut d: Option<f64> = None;
    Acc::<Option<f64>>::acc(&mut d, Some(1.0));
}

#[test]
fn none_is_the_zero_of_an_option() {
    assert_eq!(Some(1.0).add(None), Some(1.0));
    assert_eq!(Some(2.0).dot(&None), 0.0);
}
