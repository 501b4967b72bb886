//! The algorithms: each file has an update rule, its settings, and the source of its formula.

mod adadelta;
mod adafactor;
mod adagrad;
mod adam;
mod lamb;
mod lion;
mod muon;
mod rms_prop;
mod sgd;

pub use adadelta::{Adadelta, AdadeltaRule};
pub use adafactor::{Adafactor, AdafactorRule};
pub use adagrad::{Adagrad, AdagradRule};
pub use adam::{Adam, AdamRule, AdamW, AdamWRule};
pub use lamb::{Lamb, LambRule};
pub use lion::{Lion, LionRule};
pub use muon::{Muon, MuonRule, MuonScale};
pub use rms_prop::{RmsProp, RmsPropRule};
pub use sgd::{Sgd, SgdRule};

use crate::device::{Backend, BinaryOp, Float, ReduceOp, UnaryOp};
use crate::tensor::raw::Raw;

/// `x²`.
fn squared<T: Float, D: Backend>(x: &Raw<T, D>) -> Raw<T, D> {
    Raw::binary_ref(BinaryOp::Mul, x, x)
}

/// `√x + ε`.
fn root<T: Float, D: Backend>(x: &Raw<T, D>, epsilon: f64) -> Raw<T, D> {
    let root = x.clone().unary(UnaryOp::Sqrt);
    root.binary_scalar(BinaryOp::Add, T::lit(epsilon))
}

/// `a / b`.
fn over<T: Float, D: Backend>(a: &Raw<T, D>, b: Raw<T, D>) -> Raw<T, D> {
    Raw::binary(BinaryOp::Div, a.clone(), b)
}

/// The root of the sum of squares, as a tensor without axes.
fn norm<T: Float, D: Backend>(x: &Raw<T, D>) -> Raw<T, D> {
    squared(x).reduce_all(ReduceOp::Sum).unary(UnaryOp::Sqrt)
}
