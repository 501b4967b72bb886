//! Recorded programs as ONNX models: `onnx.checker` accepts them, and onnxruntime gives the numbers of the program.
//!
//! `pip install onnx onnxruntime`; `DIFFERENTIABLE_PYTHON` names the interpreter, if it is not `python3`. All models are
//! written first, and one process checks them.

#![allow(clippy::type_complexity, reason = "shapes are types")]

mod arithmetic;
mod errors;
mod gradients;
mod harness;
mod images;
mod models;
mod networks;
mod places;
mod sequences;
mod table;

use harness::Cases;

#[test]
fn onnxruntime_gives_the_numbers_of_the_programs() {
    let mut cases = Cases::new();
    arithmetic::cases(&mut cases);
    places::cases(&mut cases);
    images::cases(&mut cases);
    sequences::cases(&mut cases);
    gradients::cases(&mut cases);
    networks::cases(&mut cases);
    cases.check();
}
