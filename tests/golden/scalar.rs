//! Scalar functions against values and derivatives computed with 60 digits: both modes.

use crate::values::{difference, numbers, read};
use differentiable::prelude::*;
use std::collections::BTreeMap;

/// The value, the gradient by the reverse mode, the gradient by the forward mode.
type Answer = (f64, Vec<f64>, Vec<f64>);
type Subject = fn(&[f64]) -> Answer;

/// Adds differentiable functions to a table by the name that the golden file gives them.
macro_rules! subjects {
    ($table:ident; $($name:literal: |$($x:ident),+| $body:expr;)+) => {$({
        #[differentiable]
        fn subject($($x: f64),+) -> f64 {
            $body
        }
        let run: Subject = |at| answer!(at, subject, $($x)+);
        assert!($table.insert($name, run).is_none(), "{} stands twice", $name);
    })+};
}

macro_rules! answer {
    ($at:ident, $f:ident, $x:ident) => {{
        let (value, gradient) = $f::value_and_grad($at[0]);
        assert_eq!(value, $f($at[0]));
        (value, vec![gradient], vec![$f::jvp(($at[0], 1.0)).1])
    }};
    ($at:ident, $f:ident, $x:ident $y:ident) => {{
        let (value, (dx, dy)) = $f::value_and_grad($at[0], $at[1]);
        assert_eq!(value, $f($at[0], $at[1]));
        let forward = |tx, ty| $f::jvp(($at[0], tx), ($at[1], ty)).1;
        (
            value,
            vec![dx, dy],
            vec![forward(1.0, 0.0), forward(0.0, 1.0)],
        )
    }};
    ($at:ident, $f:ident, $x:ident $y:ident $z:ident) => {{
        let (value, (dx, dy, dz)) = $f::value_and_grad($at[0], $at[1], $at[2]);
        assert_eq!(value, $f($at[0], $at[1], $at[2]));
        let forward = |tx, ty, tz| $f::jvp(($at[0], tx), ($at[1], ty), ($at[2], tz)).1;
        let tangents = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)];
        (
            value,
            vec![dx, dy, dz],
            tangents.map(|(x, y, z)| forward(x, y, z)).to_vec(),
        )
    }};
}

fn table() -> BTreeMap<&'static str, Subject> {
    let mut table = BTreeMap::new();
    subjects! { table;
        "exp": |x| x.exp();
        "exp2": |x| x.exp2();
        "exp_m1": |x| x.exp_m1();
        "ln": |x| x.ln();
        "ln_1p": |x| x.ln_1p();
        "log2": |x| x.log2();
        "log10": |x| x.log10();
        "sqrt": |x| x.sqrt();
        "cbrt": |x| x.cbrt();
        "recip": |x| x.recip();
        "sin": |x| x.sin();
        "cos": |x| x.cos();
        "tan": |x| x.tan();
        "asin": |x| x.asin();
        "acos": |x| x.acos();
        "atan": |x| x.atan();
        "sinh": |x| x.sinh();
        "cosh": |x| x.cosh();
        "tanh": |x| x.tanh();
        "asinh": |x| x.asinh();
        "acosh": |x| x.acosh();
        "atanh": |x| x.atanh();
        "abs": |x| x.abs();
        "signum": |x| x.signum();
        "floor": |x| x.floor();
        "ceil": |x| x.ceil();
        "round": |x| x.round();
        "trunc": |x| x.trunc();
        "fract": |x| x.fract();
        "to_degrees": |x| x.to_degrees();
        "to_radians": |x| x.to_radians();
        "powi_3": |x| x.powi(3);
        "powi_0": |x| x.powi(0);
        "powi_-2": |x| x.powi(-2);
        "neg": |x| -x;
        "add": |x, y| x + y;
        "sub": |x, y| x - y;
        "mul": |x, y| x * y;
        "div": |x, y| x / y;
        "atan2": |x, y| x.atan2(y);
        "hypot": |x, y| x.hypot(y);
        "powf": |x, y| x.powf(y);
        "max": |x, y| x.max(y);
        "min": |x, y| x.min(y);
        "mul_add": |x, y, z| x.mul_add(y, z);
        "clamp": |x, y, z| x.clamp(y, z);
    }
    table
}

#[test]
fn scalar_functions_match_the_golden_values() {
    let table = table();
    let mut untested: Vec<&str> = table.keys().copied().collect();
    let mut failures = Vec::new();
    for case in read(include_str!("scalar.json")) {
        let name = case["fn"].as_str().expect("the name of a function");
        let (at, gradient) = (numbers(&case["at"]), numbers(&case["gradient"]));
        let value = case["value"].as_f64().expect("a value");
        let Some(subject) = table.get(name) else {
            failures.push(format!("`{name}` has golden values and no subject"));
            continue;
        };
        untested.retain(|other| *other != name);
        let (found, reverse, forward) = subject(&at);
        for (what, found, expected) in [
            ("value", &vec![found], &vec![value]),
            ("reverse mode", &reverse, &gradient),
            ("forward mode", &forward, &gradient),
        ] {
            if let Some(text) = difference(found, expected, 1e-14) {
                failures.push(format!("{name} at {at:?}, {what}: {text}"));
            }
        }
    }
    failures.extend(
        untested
            .iter()
            .map(|name| format!("`{name}` has no golden values")),
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
