//! Models of files that PyTorch wrote: values against onnxruntime, gradients against PyTorch, training, devices, recordings,
//! and bad files.

#![allow(
    clippy::type_complexity,
    reason = "the types of models are written out, as in the book"
)]

mod archive;
mod bad;
mod devices;
mod edges;
mod elements;
mod ends;
mod networks;
mod training;
mod write;

use archive::{Data, Entry, Record};
use differentiable::prelude::*;

/// A tensor of the elements of an entry, with the run-time sizes that it has.
fn tensor<S: Shape, T: Elem>(entry: &Entry) -> Tensor<S, T> {
    let run_time = S::STATIC.iter().zip(&entry.dims);
    let run_time = run_time.filter(|(size, _)| size.is_none());
    let shape = S::take(&mut run_time.map(|(_, &n)| n));
    let all: Vec<T> = match &entry.data {
        Data::F32(x) => x.iter().map(|&x| T::from_f64(f64::from(x))).collect(),
        Data::F64(x) => x.iter().map(|&x| T::from_f64(x)).collect(),
        Data::I64(x) => x.iter().map(|&x| T::from_i64(x)).collect(),
        Data::Bool(x) => x.iter().map(|&x| T::from_i64(i64::from(x))).collect(),
        Data::Bytes(_) => panic!("bytes are no tensor"),
    };
    Tensor::from_slice_with(shape, &all).unwrap()
}

/// The array of a name.
fn get<S: Shape, T: Elem>(record: &Record, name: &str) -> Tensor<S, T> {
    let found = record.entries.iter().find(|e| e.name == name);
    tensor(found.unwrap_or_else(|| panic!("no `{name}`")))
}

/// Whether numbers agree, relative to the largest.
#[track_caller]
fn near(name: &str, expected: &[f32], found: &[f32], tolerance: f32) {
    assert_eq!(expected.len(), found.len(), "{name}");
    let largest = expected.iter().fold(1e-3f32, |m, x| m.max(x.abs()));
    for (a, b) in expected.iter().zip(found) {
        assert!(
            (a - b).abs() <= tolerance * largest,
            "{name}: expected {a}, found {b}, of {largest} at most"
        );
    }
}
