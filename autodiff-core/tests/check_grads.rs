//! `check_grads` accepts right derivatives and says what is wrong with wrong ones.

use autodiff_core::ad::{
    CheckOptions, DifferentiableFn, GradientMismatch, Identity, check_grads, check_grads_with,
};

type Args = (Vec<f64>, f64);

/// `Σ sin(xᵢ) · w²`, with an error added to one entry of a derivative.
macro_rules! function {
    ($name:ident, reverse + $in_x:expr, $in_w:expr; forward + $in_t:expr; value + $in_value:expr) => {
        struct $name;
        impl DifferentiableFn<Args> for $name {
            type Output = f64;
            fn call((x, w): &Args) -> f64 {
                x.iter().map(|x| x.sin()).sum::<f64>() * w * w
            }
            fn vjp((x, w): &Args, ct: f64) -> Args {
                let mut d_x: Vec<f64> = x.iter().map(|x| ct * x.cos() * w * w).collect();
                d_x[1] += $in_x * ct;
                let sum: f64 = x.iter().map(|x| x.sin()).sum();
                (d_x, ct * (2.0 * w * sum + $in_w))
            }
            fn jvp(args: &Args, t: &Args) -> (f64, f64) {
                let (x, w) = args;
                let along_x: f64 = x.iter().zip(&t.0).map(|(x, t)| t * x.cos()).sum();
                let sum: f64 = x.iter().map(|x| x.sin()).sum();
                let tangent = along_x * w * w + 2.0 * w * sum * t.1 + $in_t * t.0[2];
                (Self::call(args) + $in_value, tangent)
            }
        }
    };
}

function!(Right, reverse + 0.0, 0.0; forward + 0.0; value + 0.0);
function!(WrongX, reverse + 1e-3, 0.0; forward + 0.0; value + 0.0);
function!(WrongW, reverse + 0.0, 1e-3; forward + 0.0; value + 0.0);
function!(WrongTangent, reverse + 0.0, 0.0; forward + 1e-3; value + 0.0);
function!(SlightlyWrong, reverse + 1e-10, 0.0; forward + 0.0; value + 0.0);
function!(WrongValue, reverse + 0.0, 0.0; forward + 0.0; value + 0.5);

fn args() -> Args {
    (vec![0.3, -0.7, 1.1, 0.2], 1.5)
}

#[track_caller]
fn entry(result: Result<(), GradientMismatch>) -> (Identity, usize, usize) {
    match result {
        Err(GradientMismatch::Entry {
            identity,
            argument,
            entry,
            ..
        }) => (identity, argument, entry),
        other => panic!("not the mismatch of an entry: {other:?}"),
    }
}

#[test]
fn right_derivatives_pass() {
    check_grads::<Right, _>(&args()).unwrap();
}

#[test]
fn a_wrong_entry_is_named() {
    assert_eq!(
        entry(check_grads::<WrongX, _>(&args())),
        (Identity::Reverse, 0, 1)
    );
    assert_eq!(
        entry(check_grads::<WrongW, _>(&args())),
        (Identity::Reverse, 1, 0)
    );
    assert_eq!(
        entry(check_grads::<WrongTangent, _>(&args())),
        (Identity::Forward, 0, 2)
    );
}

#[test]
fn the_message_says_what_was_expected() {
    let message = check_grads::<WrongW, _>(&args()).unwrap_err().to_string();
    assert!(
        message.starts_with(
            "reverse mode disagrees with central differences: entry 0 of argument 1: expected "
        ),
        "{message}"
    );
}

#[test]
fn the_adjoint_identity_sees_what_differences_cannot() {
    assert_eq!(
        entry(check_grads::<SlightlyWrong, _>(&args())),
        (Identity::Adjoint, 0, 1)
    );
}

#[test]
fn random_directions_see_what_no_single_entry_was_asked_for() {
    let options = CheckOptions {
        entries: 0,
        ..CheckOptions::default()
    };
    let result = check_grads_with::<WrongX, _>(&args(), options);
    assert!(matches!(
        result,
        Err(GradientMismatch::Direction {
            identity: Identity::Reverse,
            ..
        })
    ));
}

#[test]
fn a_wrong_value_is_reported() {
    assert_eq!(
        check_grads::<WrongValue, _>(&args()),
        Err(GradientMismatch::Value { distance: 0.5 })
    );
}

#[test]
fn single_precision_is_checked_with_its_own_step() {
    struct Tanh;
    impl DifferentiableFn<([f32; 3],)> for Tanh {
        type Output = [f32; 3];
        fn call((x,): &([f32; 3],)) -> [f32; 3] {
            x.map(f32::tanh)
        }
        fn vjp((x,): &([f32; 3],), ct: [f32; 3]) -> ([f32; 3],) {
            (std::array::from_fn(|i| ct[i] * (1.0 - x[i].tanh().powi(2))),)
        }
        fn jvp((x,): &([f32; 3],), (t,): &([f32; 3],)) -> ([f32; 3], [f32; 3]) {
            (
                x.map(f32::tanh),
                std::array::from_fn(|i| t[i] * (1.0 - x[i].tanh().powi(2))),
            )
        }
    }
    check_grads::<Tanh, _>(&([0.3, -1.2, 2.0],)).unwrap();
}

/// `x·c`, where `c` is a constant that has no gradient; with another slope of `x` when asked.
struct Scaled<const WRONG: bool>;
impl<const WRONG: bool> DifferentiableFn<(f64, f64)> for Scaled<WRONG> {
    const ACTIVE: &'static [bool] = &[true, false];
    type Output = f64;
    fn call((x, c): &(f64, f64)) -> f64 {
        x * c
    }
    fn vjp((_, c): &(f64, f64), ct: f64) -> (f64, f64) {
        (if WRONG { ct } else { ct * c }, 0.0)
    }
    fn jvp((x, c): &(f64, f64), (t, _): &(f64, f64)) -> (f64, f64) {
        (x * c, if WRONG { *t } else { t * c })
    }
}

#[test]
fn constant_arguments_are_held() {
    check_grads::<Scaled<false>, _>(&(1.5, 3.0)).unwrap();
    assert!(check_grads::<Scaled<true>, _>(&(1.5, 3.0)).is_err());
}

/// `Σ cos(xᵢ) + 1` or its like in the order of the terms, with an error in one entry of the derivative.
struct Sum<T, const WRONG: usize>(std::marker::PhantomData<T>);

const RIGHT: usize = usize::MAX;

macro_rules! sums {
    ($($t:ty)*) => { $(
        impl<const WRONG: usize> DifferentiableFn<(Vec<$t>,)> for Sum<$t, WRONG> {
            type Output = $t;
            fn call((x,): &(Vec<$t>,)) -> $t {
                x.iter().fold(0.0, |sum, x| sum + (x.cos() + 1.0))
            }
            fn vjp((x,): &(Vec<$t>,), ct: $t) -> (Vec<$t>,) {
                let factor = |i| if i == WRONG { 1.001 } else { 1.0 };
                (x.iter().enumerate().map(|(i, x)| -ct * x.sin() * factor(i)).collect(),)
            }
            fn jvp(args: &(Vec<$t>,), (t,): &(Vec<$t>,)) -> ($t, $t) {
                let (_, d) = (0, Self::vjp(args, 1.0).0);
                let tangent = d.iter().zip(t).fold(0.0, |sum: f64, (d, t)| sum + f64::from(d * t));
                (Self::call(args), tangent as $t)
            }
        }
    )* };
}
sums!(f32 f64);

#[test]
fn sums_of_many_terms() {
    for n in [10, 1_000, 10_000, 100_000] {
        let x: Vec<f64> = (0..n).map(|i| 0.5 + (i % 97) as f64 / 50.0).collect();
        let options = CheckOptions {
            entries: 40,
            ..CheckOptions::default()
        };
        check_grads_with::<Sum<f64, RIGHT>, _>(&(x,), options).unwrap();
    }
    for n in [10, 1_000] {
        let x: Vec<f32> = (0..n).map(|i| 0.5 + (i % 97) as f32 / 50.0).collect();
        check_grads::<Sum<f32, RIGHT>, _>(&(x,)).unwrap();
    }
}

#[test]
fn a_wrong_entry_among_many_terms() {
    for n in [10, 1_000, 4_000] {
        let x: Vec<f64> = (0..n).map(|i| 0.5 + (i % 97) as f64 / 50.0).collect();
        let options = CheckOptions {
            entries: n,
            directions: 1,
            ..CheckOptions::default()
        };
        let result = check_grads_with::<Sum<f64, 7>, _>(&(x,), options);
        assert_eq!(entry(result), (Identity::Forward, 0, 7));
    }
}

// A large argument: the sum with a short step is rounded.
#[test]
fn large_arguments() {
    struct Scaled<const WRONG: bool>;
    impl<const WRONG: bool> DifferentiableFn<(f64,)> for Scaled<WRONG> {
        type Output = f64;
        fn call((x,): &(f64,)) -> f64 {
            3.0 * x
        }
        fn vjp(_: &(f64,), ct: f64) -> (f64,) {
            (ct * if WRONG { 3.003 } else { 3.0 },)
        }
        fn jvp((x,): &(f64,), (t,): &(f64,)) -> (f64, f64) {
            (3.0 * x, if WRONG { 3.003 } else { 3.0 } * t)
        }
    }
    for x in [1.0, 1e4, 1e6, 1e8] {
        check_grads::<Scaled<false>, _>(&(x,)).unwrap();
        assert!(check_grads::<Scaled<true>, _>(&(x,)).is_err(), "{x}");
    }
}
