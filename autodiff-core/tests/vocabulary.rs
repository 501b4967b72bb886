//! Every function of the table, wherever it is: scalars, duals, batches and tensors have the same values, and the
//! derivative of each is that of central differences.

use autodiff_core::ad::{self, Batch, Dual, On, Scalar};
use autodiff_core::shape::Sz;
use autodiff_core::tensor::{Tensor, TensorAcc};
use autodiff_vocabulary::functions;

const POINTS: usize = 101;
type Vector = Tensor<(Sz<POINTS>,), f64>;

/// Points of an interval, away from its middle, where some functions have a kink.
fn points([lo, hi]: [f64; 2]) -> Vec<f64> {
    let at = |k: usize| lo + (hi - lo) * (k as f64 + 0.37) / POINTS as f64;
    (0..POINTS).map(at).collect()
}

fn vector(x: &[f64]) -> Vector {
    Tensor::from_vec(x.to_vec()).expect("a vector")
}

fn close(what: &str, x: f64, found: f64, expected: f64, tolerance: f64) {
    let size = expected.abs().max(1.0);
    let same = found.is_nan() && expected.is_nan() || (found - expected).abs() <= tolerance * size;
    assert!(same, "{what} at {x}: {found}, expected {expected}");
}

/// The derivative by Richardson extrapolation of central differences.
fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let central = |h: f64| (f(x + h) - f(x - h)) / (2.0 * h);
    let h = 1e-3;
    (4.0 * central(h / 2.0) - central(h)) / 3.0
}

/// Whether the interval around a point has a kink or a step of one of the functions made of pieces.
fn near_a_kink(name: &str, x: f64) -> bool {
    let kinks: &[f64] = match name {
        "hardswish" | "hardsigmoid" => &[-3.0, 3.0],
        "abs" | "relu" | "selu" => &[0.0],
        // The second derivative has a step.
        "softsign" => &[0.0],
        _ => &[],
    };
    kinks.iter().any(|k| (x - k).abs() < 2e-3)
}

macro_rules! of_scalars {
    ({ $check:ident }
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]
    ) => { $(
        $check!($name $Rule $domain);
    )* };
}

#[test]
fn scalars_duals_and_batches_have_the_same_values_and_slopes() {
    macro_rules! check {
        ($name:ident $Rule:ident $domain:tt) => {
            for x in points($domain) {
                let name = stringify!($name);
                let y = f64::$name(x);
                let slope = ad::$name::push(&x, &y, &1.0);
                if !near_a_kink(name, x) {
                    close(name, x, slope, difference(f64::$name, x), 1e-7);
                }
                let mut pulled = 0.0;
                let saved = if reads_output(name) { y } else { x };
                ad::$name::pull(&saved, &2.0, &mut pulled);
                close(name, x, pulled, 2.0 * slope, 1e-15);
                let dual = Scalar::$name(Dual {
                    value: x,
                    tangents: [1.0, -3.0],
                });
                assert_eq!(dual.value, y, "{name} of a dual at {x}");
                close(name, x, dual.tangents[0], slope, 1e-15);
                close(name, x, dual.tangents[1], -3.0 * slope, 1e-15);
                let batch = Scalar::$name(Batch([x, 0.5 * x]));
                assert_eq!(batch.0[0], y, "{name} of a batch at {x}");
                let narrow = f32::$name(x as f32);
                close(
                    name,
                    x,
                    f64::from(narrow),
                    f64::$name(f64::from(x as f32)),
                    1e-5,
                );
            }
        };
    }
    functions!(short of_scalars, { check } [numbers turns shifts scales scalars]);
}

#[test]
fn flat_functions_have_no_slope() {
    macro_rules! check {
        ($name:ident $Rule:tt $domain:tt) => {
            for x in points($domain) {
                let y = f64::$name(x);
                assert_eq!(
                    difference(f64::$name, x),
                    0.0,
                    "{} at {x}",
                    stringify!($name)
                );
                let dual = Scalar::$name(Dual {
                    value: x,
                    tangents: [1.0],
                });
                assert_eq!((dual.value, dual.tangents[0]), (y, 0.0));
            }
        };
    }
    functions!(short of_scalars, { check } [flat flat_scalars]);
}

fn reads_output(name: &str) -> bool {
    let f = autodiff_vocabulary::function(name).expect("a function of the table");
    f.saves == autodiff_vocabulary::Saves::Output
}

/// Compares a function of tensors, and its derivative in both modes, with a function of numbers.
fn of_tensor(
    name: &str,
    domain: [f64; 2],
    value: impl Fn(&Vector) -> Vector,
    push: impl Fn(&Vector, &Vector) -> Vector,
    pull: impl Fn(&Vector, &Vector) -> Option<Vector>,
    number: Option<fn(f64) -> f64>,
) {
    let x = points(domain);
    let (operand, twice) = (vector(&x), vector(&[2.0; POINTS]));
    let (y, tangent) = (value(&operand).to_vec(), push(&operand, &twice).to_vec());
    let pulled = pull(&operand, &twice).map_or(vec![0.0; POINTS], |d| d.to_vec());
    for (k, &x) in x.iter().enumerate() {
        if let Some(number) = number {
            close(name, x, y[k], number(x), 1e-14);
        }
        if !near_a_kink(name, x) {
            let alone = |x: f64| value(&vector(&[x; POINTS])).to_vec()[k];
            close(name, x, tangent[k], 2.0 * difference(alone, x), 1e-7);
        }
        assert_eq!(tangent[k], pulled[k], "{name} at {x}: forward and reverse");
    }
}

macro_rules! of_rule {
    ($name:ident $Rule:ident $domain:tt, $number:expr) => {
        of_tensor(
            stringify!($name),
            $domain,
            |x| x.$name(),
            |x, t| <Vector as ad::$Rule>::push(x, &x.$name(), t),
            |x, ct| {
                let saved = if reads_output(stringify!($name)) {
                    x.$name()
                } else {
                    x.clone()
                };
                let mut d = TensorAcc::ZERO;
                <Vector as ad::$Rule>::pull(&saved, &ct.clone().into(), &mut d);
                d.get()
            },
            $number,
        )
    };
}

#[test]
fn tensors_have_the_values_and_slopes_of_numbers() {
    macro_rules! check {
        ($name:ident $Rule:ident $domain:tt) => {
            of_rule!($name $Rule $domain, Some(f64::$name))
        };
    }
    functions!(short of_scalars, { check } [numbers turns shifts scales]);
}

#[test]
fn activations_have_the_slopes_of_differences() {
    macro_rules! check {
        ($name:ident $Rule:ident $domain:tt) => {
            of_rule!($name $Rule $domain, None)
        };
    }
    functions!(short of_scalars, { check }[activations]);
}

#[test]
fn functions_of_tensors_alone_have_the_slopes_of_differences() {
    macro_rules! check {
        ($name:ident ($vjp:ident $jvp:ident) $domain:tt) => {
            of_tensor(
                stringify!($name),
                $domain,
                |x| x.$name(),
                |x, t| x.$jvp(t).1,
                |x, ct| {
                    let mut d = TensorAcc::ZERO;
                    x.$vjp((On,)).1(ct.clone().into(), x, &mut d);
                    d.get()
                },
                None,
            )
        };
    }
    functions!(short of_scalars, { check } [elements apart flat flat_elements]);
}

#[test]
fn names_and_domains_make_sense() {
    let mut names: Vec<_> = autodiff_vocabulary::functions().map(|f| f.name).collect();
    assert!(names.len() > 50, "{} functions", names.len());
    names.sort_unstable();
    let twice = names.windows(2).find(|w| w[0] == w[1]);
    assert_eq!(twice, None, "a function has two rows");
    for f in autodiff_vocabulary::functions() {
        assert!(f.domain[0] < f.domain[1], "{}", f.name);
        assert!(f.cost > 0 && f.pull_cost > 0, "{}", f.name);
    }
}
