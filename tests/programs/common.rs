//! The digits, and the text that the character models read.

pub use differentiable::data::{Batches, Categorical, Split, pad, read_labelled_csv};
pub use differentiable::nn::*;
pub use differentiable::optim::{Adam, AdamW};
pub use differentiable::prelude::*;

dim!(pub Batch, pub Time);

pub fn digits() -> Split {
    let all = read_labelled_csv("data/digits.csv.gz", 64, 10, 0.0..=16.0).unwrap();
    all.scaled(1.0 / 16.0).stratified_split(0.2, 1)
}

pub fn accuracy<S>(logits: &Tensor<S, f32>, truth: &Tensor<(Batch,), i64>) -> f64
where
    S: Shape + differentiable::shape::Axis<1, Without = (Batch,)>,
{
    let right = logits.argmax::<1>().eq(truth).count();
    right.item() as f64 / truth.len() as f64
}

/// The character of a number below 96.
pub fn decode(id: i64) -> char {
    if id == 0 {
        '\n'
    } else {
        (id as u8 + 31) as char
    }
}

/// A text as numbers below 96.
pub fn encode(text: &str) -> Vec<i64> {
    let id = |c: char| {
        if (' '..='~').contains(&c) {
            c as i64 - 31
        } else {
            0
        }
    };
    text.chars().map(id).collect()
}

pub fn text() -> Vec<i64> {
    encode(&std::fs::read_to_string("README.md").unwrap())
}
