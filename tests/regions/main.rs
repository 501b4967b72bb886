//! Regions as data: what the compiler runs on numbers, and what is recorded of it, give the same numbers.
//!
//! Three kinds of regions are recorded: those of the functions whose emitted code is a golden file, one for each function
//! of the table, and two hundred random ones.
#![allow(missing_docs)]

mod cuda;
mod generator;
#[rustfmt::skip]
#[allow(clippy::eq_op, clippy::neg_multiply, clippy::precedence)] // as they come
mod random;

use differentiable::__rt::{Region, RegionVisitor};
use differentiable::device::Float;
use differentiable::device::symbolic::{Formula, RegionFormulas};
use std::path::PathBuf;

mod golden {
    use differentiable::__rt::RegionVisitor;
    use differentiable::prelude::*;
    dim!(Batch);
    include!("../emitted/fused.rs");
    include!("../emitted/fused_sine.rs");
    include!("../emitted/network.rs");

    pub fn visit(visitor: &mut impl RegionVisitor) {
        gate::__regions(visitor);
        wave::__regions(visitor);
        network::__regions(visitor);
    }
}

macro_rules! one_for_each {
    ({}
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]
    ) => {
        mod table {
            $(
                pub mod $name {
                    use differentiable::prelude::*;
                    #[differentiable]
                    pub fn doubled(x: &Tensor![f64; 16]) -> Tensor![f64; 16] {
                        x.$name() * 2.0
                    }
                }
            )*
            pub fn visit(visitor: &mut impl differentiable::__rt::RegionVisitor) {
                $( $name::doubled::__regions(visitor); )*
            }
        }
    };
}
autodiff_vocabulary::functions!(short one_for_each, {} [numbers turns activations elements]);

/// Zeros, kinks, numbers on both sides of where functions change their method, infinities, NaN.
const SPECIAL: &[f64] = &[
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.0,
    -1.0,
    0.3,
    -2.7,
    3.0,
    -3.0,
    30.0,
    -30.0,
    1e-30,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Every combination of a few of the special values for `n` inputs.
fn points(n: usize) -> Vec<Vec<f64>> {
    let mut points = vec![Vec::new()];
    for k in 0..n {
        // Of many inputs not all combinations.
        let step = if n > 2 { 3 } else { 1 };
        let values = SPECIAL.iter().skip(k % step).step_by(step);
        points = values
            .flat_map(|v| {
                points
                    .iter()
                    .map(move |p: &Vec<f64>| [&p[..], &[*v]].concat())
            })
            .collect();
    }
    points
}

/// A formula, numbers for its inputs, and what the compiled region makes of them.
struct Case {
    formula: Formula,
    runs: Vec<(Vec<f64>, Vec<f64>)>,
}

#[derive(Default)]
struct Cases {
    all: Vec<Case>,
    regions: usize,
}

fn same<T: Float>(found: T, expected: T) -> bool {
    let (found, expected) = (found.to_f64(), expected.to_f64());
    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan()
}

impl Cases {
    /// Compares what is recorded with what runs, and keeps it.
    fn compare<T: Float>(formula: &Formula, x: &[f64], run: impl Fn(&[T]) -> Vec<T>) -> Vec<f64> {
        let numbers: Vec<T> = x.iter().map(|&x| T::lit(x)).collect();
        let expected = run(&numbers);
        for (how, found) in [
            ("recorded", formula.eval(&numbers)),
            ("straight", formula.straight().eval(&numbers)),
        ] {
            let agree = found.iter().zip(&expected).all(|(a, b)| same(*a, *b));
            assert!(
                agree && found.len() == expected.len(),
                "{how} {} at {x:?}: {found:?}, not {expected:?}\n{}",
                formula.name,
                formula.cuda()
            );
        }
        expected.iter().map(|y| y.to_f64()).collect()
    }

    fn add(
        &mut self,
        formula: Formula,
        points: Vec<Vec<f64>>,
        narrow: impl Fn(&[f32]) -> Vec<f32>,
        wide: impl Fn(&[f64]) -> Vec<f64>,
    ) {
        let runs = points.into_iter().map(|x| {
            Self::compare(&formula, &x, &narrow);
            let y = Self::compare(&formula, &x, &wide);
            (x, y)
        });
        let runs = runs.collect();
        self.all.push(Case { formula, runs });
    }
}

fn array<T: Copy, const N: usize>(x: &[T]) -> [T; N] {
    x.try_into().expect("as many inputs")
}

fn value<R: Region<N>, T: Float, const N: usize>(x: &[T]) -> Vec<T> {
    vec![R::value::<T, false>(array(x))]
}

/// The inputs and the cotangent: the value is computed.
fn pullback<R: Region<N>, T: Float, const N: usize>(x: &[T]) -> Vec<T> {
    R::pullback::<T, false>(array(&x[..N]), x[N], x[N + 1]).to_vec()
}

fn pushforward<R: Region<N>, T: Float, const N: usize>(x: &[T]) -> Vec<T> {
    vec![R::pushforward::<T, false>(array(&x[..N]), array(&x[N..]))]
}

impl RegionVisitor for Cases {
    fn region<R: Region<N>, const N: usize>(&mut self) {
        self.regions += 1;
        let formulas = RegionFormulas::of::<R, N>();
        let with_ct = |x: Vec<f64>| {
            let y = R::value::<f64, false>(array(&x));
            [1.5, 0.0].map(|ct| [&x[..], &[y, ct]].concat())
        };
        let with_tangents = |x: Vec<f64>| {
            let t: Vec<f64> = (0..N).map(|k| 1.0 - 0.75 * k as f64).collect();
            [x, t].concat()
        };
        self.add(
            formulas.value,
            points(N),
            value::<R, f32, N>,
            value::<R, f64, N>,
        );
        let pulled = points(N).into_iter().flat_map(with_ct).collect();
        self.add(
            formulas.pullback,
            pulled,
            pullback::<R, f32, N>,
            pullback::<R, f64, N>,
        );
        let pushed = points(N).into_iter().map(with_tangents).collect();
        self.add(
            formulas.pushforward,
            pushed,
            pushforward::<R, f32, N>,
            pushforward::<R, f64, N>,
        );
    }
}

fn cases() -> Cases {
    let mut cases = Cases::default();
    golden::visit(&mut cases);
    table::visit(&mut cases);
    random::visit(&mut cases);
    cases
}

#[test]
fn what_is_recorded_is_what_runs() {
    let cases = cases();
    assert!(cases.regions >= 240, "{} regions", cases.regions);
}

#[test]
fn printed_as_cuda_they_give_the_same_numbers() {
    cuda::compare(&cases().all);
}

#[test]
fn the_random_functions_are_what_the_generator_writes() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/regions/random.rs");
    let text = generator::text();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &text).expect("the functions are written");
    }
    let found = std::fs::read_to_string(&file).expect("the functions");
    assert!(
        found == text,
        "write them with BLESS=1 cargo test -p differentiable --test regions"
    );
}

#[test]
fn a_formula_without_names_for_its_parts_may_have_too_many_paths() {
    use differentiable::device::Real;
    use differentiable::device::symbolic::Sym;
    let many = |[x]: [Sym; 1]| {
        let mut sum = Sym::ZERO;
        for k in 0..9 {
            let kink = Sym::lit(f64::from(k));
            sum = if x > kink { sum + x } else { sum - kink };
        }
        vec![sum]
    };
    let recorded = std::panic::catch_unwind(|| Formula::record("many", many));
    let message = *recorded
        .expect_err("512 paths")
        .downcast::<String>()
        .expect("a message");
    assert!(
        message.contains("256 paths") && message.contains("Real::formula"),
        "{message}"
    );
}
