//! Golden files whose cases are functions of tensors, each with its inputs, its output, a cotangent and the
//! gradients.

use crate::values::{difference, numbers, read};
use differentiable::prelude::*;
use serde_json::Value;

/// A golden file, and how far values may be from it.
pub struct Cases {
    /// The text of the file.
    pub json: &'static str,
    /// Relative to the larger of 1 and the value.
    pub tolerance: f64,
}

impl Cases {
    /// The case of an operation.
    pub fn case(&self, name: &str) -> Value {
        let found = read(self.json).into_iter().find(|c| c["op"] == name);
        found.unwrap_or_else(|| panic!("{name} is no golden case"))
    }

    /// Panics unless the entries are those of the golden tensor.
    #[track_caller]
    pub fn same(&self, what: &str, found: &[f64], expected: &Value) {
        if let Some(d) = difference(found, &numbers(&expected["data"]), self.tolerance) {
            panic!("{what}: {d}");
        }
    }
}

/// A golden tensor, whose sizes must be those of its type.
pub fn array<S: StaticShape>(v: &Value) -> Tensor<S, f64> {
    let sizes: Vec<usize> = numbers(&v["shape"]).iter().map(|n| *n as usize).collect();
    assert_eq!(
        S::default().dims().as_slice(),
        sizes,
        "the sizes of the case"
    );
    Tensor::from_slice(&numbers(&v["data"])).unwrap()
}
