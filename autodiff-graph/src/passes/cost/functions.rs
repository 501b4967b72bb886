//! What functions of elements cost, in additions.

use super::call::Call;
use autodiff_core::device::record::RegionAttr;
use autodiff_core::device::symbolic::{Formula, Operation, Straight, StraightStep};
use autodiff_core::device::{BinaryOp, UnaryOp};
use autodiff_vocabulary::functions;

/// A division, as fused regions count it.
pub(super) const DIVISION: f64 = 2.0;
/// An exponential or a logarithm.
pub(super) const EXPONENTIAL: f64 = 8.0;
/// A function that the vocabulary does not list.
const OTHER: f64 = 8.0;

macro_rules! costs {
    ({ $op:ident }
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
    ) => {
        match $op {
            $(UnaryOp::$Op => ($cost as f64, $pull_cost as f64),)*
            UnaryOp::Neg => (1.0, 1.0),
            UnaryOp::Affine(..) => (2.0, 1.0),
            UnaryOp::Clamp(..) => (2.0, 2.0),
            UnaryOp::LeakyRelu(_) => (2.0, 2.0),
            UnaryOp::Elu(_) | UnaryOp::Celu(_) => (10.0, 10.0),
            UnaryOp::CeluByAlpha(_) => (12.0, 0.0),
            UnaryOp::Powi(n) => (powi(n), powi(n - 1) + 2.0),
            UnaryOp::Powf(_) => (24.0, 26.0),
        }
    };
}

/// Multiplications by squaring.
fn powi(n: i32) -> f64 {
    let n = n.unsigned_abs().max(1);
    f64::from(31 - n.leading_zeros() + n.count_ones() - 1)
}

/// The value and the pullback of a function of one number.
pub(super) fn unary(op: UnaryOp) -> (f64, f64) {
    functions!(short costs, { op } [numbers turns shifts activations elements apart flat flat_elements])
}

/// A function of two numbers.
pub(super) fn binary(op: BinaryOp) -> f64 {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Max | BinaryOp::Min => 1.0,
        BinaryOp::Div => DIVISION,
        BinaryOp::Rem => 4.0,
        BinaryOp::Hypot => 6.0,
        BinaryOp::Powf => 24.0,
        BinaryOp::Atan2 => 16.0,
    }
}

/// Its derivative by one of them.
pub(super) fn binary_pullback(op: BinaryOp) -> f64 {
    match op {
        BinaryOp::Add | BinaryOp::Sub => 1.0,
        BinaryOp::Mul => 1.0,
        BinaryOp::Max | BinaryOp::Min => 2.0,
        _ => binary(op) + 2.0,
    }
}

/// The steps of a formula.
fn formula(formula: &Formula) -> f64 {
    straight(&formula.straight())
}

fn straight(formula: &Straight) -> f64 {
    let step = |step: &StraightStep| match step {
        StraightStep::Input(_) | StraightStep::Number(..) => 0.0,
        StraightStep::Choose { .. } => 2.0,
        StraightStep::Apply(operation, _) => match operation {
            Operation::Add | Operation::Sub | Operation::Mul | Operation::Neg => 1.0,
            Operation::Div => DIVISION,
            Operation::Powi(n) => powi(*n),
            Operation::NormalCdf => 24.0,
            Operation::NormalDensity => EXPONENTIAL + 3.0,
            Operation::Method(name) => {
                let row = autodiff_vocabulary::functions().find(|row| row.name == *name);
                row.map_or(OTHER, |row| row.cost as f64)
            }
        },
    };
    formula.steps.iter().map(step).sum()
}

/// Which of the formulas of a region run.
pub(super) enum Part {
    Value,
    Pullback,
    Pushforward,
}

/// One element of a region.
pub(super) fn region(call: &Call<'_>, part: &Part) -> f64 {
    let Some(region) = call.node.attribute::<RegionAttr>("region") else {
        return 0.0;
    };
    let formulas = region.formulas();
    match part {
        Part::Value => formula(&formulas.value),
        Part::Pullback => formula(&formulas.pullback),
        Part::Pushforward => formula(&formulas.pushforward),
    }
}
