//! Batches: what `vmap!` takes examples from, and how it joins what it makes of them.
//!
//! A tensor is a batch along its first axis, whose dimension the results have too; a slice, an array or
//! a `Vec` is one of its entries, and the results are a `Vec`. For `vmap!(|x| f(x), &xs)` stands
//!
//! ```text
//! let (n, dim) = (xs.batch_examples(), xs.batch_dim());
//! let mut results = Vec::with_capacity(n);
//! for i in 0..n { let x = &xs.batch_example(i); results.push(f(x)); }
//! dim.batch_stacked(results)
//! ```
//!
//! in plain code and in annotated functions alike, where the methods have rules: the cotangent of an
//! example is added to its part of that of the batch, and that of a result is its part of the joined one.

mod batched;
mod examples;
mod join;
mod joined;
mod sequence;
mod stack;
mod tensor;

pub use batched::{Batched1, Batched2, Batched3, Batched4};
pub use examples::{Examples, ExamplesRule};
pub use join::Join;
pub use joined::{Joined, JoinedRule};
pub use sequence::{Sequence, SliceBatch};
pub use stack::{Stack, StackRule};
