//! A gradient in three ways: by an annotated function, by a session of what it records, and on a tape, where the whole function
//! is one operation or where each operation is.
//!
//! `cargo bench -p differentiable --bench ways`; add `-- --quick` to only check that it runs.

mod support;

use differentiable::graph::{Feeds, Recording, Session};
use differentiable::prelude::*;
use differentiable::tape::Tape;
use support::{Effort, assert_close, case, compare};

/// A small formula of numbers: here the way itself is what takes time.
#[differentiable]
fn formula(x1: f64, x2: f64) -> f64 {
    x1.ln() + x1 * x2 - x2.sin()
}

fn numbers(effort: Effort) {
    let by_operations = || {
        let tape = Tape::new();
        let (x1, x2) = (tape.var(2.0), tape.var(5.0));
        let y = x1.ln() + &x1 * &x2 - x2.sin();
        tape.gradient(&y, (&x1, &x2))
    };
    let by_call = || {
        let tape = Tape::new();
        let (x1, x2) = (tape.var(2.0), tape.var(5.0));
        let y = tape.call::<formula, _>((&x1, &x2));
        tape.gradient(&y, (&x1, &x2))
    };
    let expected = formula::grad(2.0, 5.0);
    for found in [by_operations(), by_call()] {
        assert_close(
            "the gradient",
            &[found.0, found.1],
            &[expected.0, expected.1],
            1e-15,
        );
    }
    compare(
        effort,
        "gradient of ln(x1) + x1·x2 − sin(x2)",
        f64::NAN,
        case("annotated function", || {
            formula::grad(std::hint::black_box(2.0), std::hint::black_box(5.0))
        }),
        vec![
            case("tape, one call", by_call),
            case("tape, six operations", by_operations),
        ],
    );
}

/// Defines a comparison of the gradient of one layer and a squared loss, for a number of inputs.
macro_rules! layer {
    ($name:ident, $loss:ident, $n:literal, $title:literal) => {
        #[differentiable]
        fn $loss(
            w: &Tensor![$n, $n],
            #[constant] x: &Tensor![64, $n],
            #[constant] y: &Tensor![64, $n],
        ) -> Tensor![] {
            let h = x.matmul(w).tanh();
            (h.matmul(w) - y).square().mean()
        }

        fn $name(effort: Effort) {
            let w: Tensor![$n, $n] = Tensor::randn(1) * 0.1;
            let (x, y): (Tensor![64, $n], Tensor![64, $n]) = (Tensor::randn(2), Tensor::randn(3));

            let recording = Recording::new();
            let a = recording.input("w", w.shape());
            let (b, c) = (
                recording.input("x", x.shape()),
                recording.input("y", y.shape()),
            );
            let (value, slope) = recording.scope(|| $loss::value_and_grad(&a, &b, &c));
            let mut session = Session::new(&recording, &Device::cpu());
            let feeds = Feeds::new().with(&a, &w).with(&b, &x).with(&c, &y);
            let mut by_session = || {
                let run = session.run((&value, &slope), &feeds);
                run.unwrap_or_else(|error| panic!("{error}"))
            };
            let by_call = || {
                let tape = Tape::new();
                let (w, x, y) = (
                    tape.var(w.clone()),
                    tape.constant(x.clone()),
                    tape.constant(y.clone()),
                );
                let loss = tape.call::<$loss, _>((&w, &x, &y));
                (loss.value().clone(), tape.gradient(&loss, &w))
            };
            let by_operations = || {
                let tape = Tape::new();
                let (w, x, y) = (
                    tape.var(w.clone()),
                    tape.constant(x.clone()),
                    tape.constant(y.clone()),
                );
                let h = x.matmul(&w).tanh();
                let loss = (h.matmul(&w) - &y).square().mean();
                (loss.value().clone(), tape.gradient(&loss, &w))
            };

            let numbers =
                |x: &Tensor![$n, $n]| x.to_vec().iter().map(|x| f64::from(*x)).collect::<Vec<_>>();
            let expected = numbers(&$loss::grad(&w, &x, &y));
            assert_close("by a session", &numbers(&by_session().1), &expected, 0.0);
            for (what, found) in [
                ("by a call", by_call().1),
                ("by operations", by_operations().1),
            ] {
                assert_close(what, &numbers(&found), &expected, 1e-5);
            }
            compare(
                effort,
                $title,
                f64::NAN,
                case("annotated function", || $loss::value_and_grad(&w, &x, &y)),
                vec![
                    case("session", by_session),
                    case("tape, one call", by_call),
                    case("tape, six operations", by_operations),
                ],
            );
        }
    };
}

layer!(small, small_loss, 16, "gradient of two layers, 64 × 16");
layer!(large, large_loss, 256, "gradient of two layers, 64 × 256");

/// What it costs to record and to plan.
fn recording(effort: Effort) {
    let record = || {
        let recording = Recording::new();
        let w = recording.input("w", Default::default());
        let (x, y) = (
            recording.input("x", Default::default()),
            recording.input("y", Default::default()),
        );
        let (value, slope) = recording.scope(|| small_loss::value_and_grad(&w, &x, &y));
        (recording, value, slope)
    };
    let session = || {
        let (recording, value, slope) = record();
        (Session::new(&recording, &Device::cpu()), value, slope)
    };
    compare(
        effort,
        "two layers and their gradient as a graph",
        f64::NAN,
        case("recording", record),
        vec![case("recording and a session", session)],
    );
}

fn main() {
    let effort = Effort::from_args();
    numbers(effort);
    small(effort);
    large(effort);
    recording(effort);
}
