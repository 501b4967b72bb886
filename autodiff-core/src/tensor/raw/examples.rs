//! Tensors whose buffers have a part for each example of `vmap!(#[batched] ..)`.

use super::Raw;
use crate::ad::{Tangent, change_tensors};
use crate::device::{Backend, Batch, BinaryOp, Elem, Float, Layout, ReduceOp};

/// How the tensors of a tangent change: to their sums over the examples.
pub(super) struct OfExamples(pub(super) Batch);

/// The sum of a tangent over the examples.
#[track_caller]
pub(crate) fn sum_of_examples<A: Tangent>(tangent: A, batch: Batch) -> A {
    change_tensors(tangent, &OfExamples(batch))
}

impl<T: Elem, D: Backend> Raw<T, D> {
    /// The entries along the first axis as examples. `None` on a device that takes one after the other, and inside another
    /// such call.
    #[track_caller]
    #[doc(hidden)]
    pub fn as_examples(&self, batch: Batch) -> Option<Self> {
        if D::examples(&self.buf).is_some() {
            return None;
        }
        let layout = Layout::dense(self.dims().remove(0));
        Some(Raw {
            buf: D::with_examples(self.alone(), batch, layout.numel())?,
            layout,
            device: self.device.clone(),
        })
    }

    /// The examples along a further first axis. What is the same for all is repeated.
    #[track_caller]
    #[doc(hidden)]
    pub fn of_examples(&self, batch: Batch) -> Self {
        let Some((buf, own)) = D::examples(&self.buf) else {
            return self.expand(self.dims().insert(0, batch.examples()));
        };
        assert_eq!(own, batch, "a tensor of another `#[batched]` call");
        Raw {
            buf,
            layout: self.layout.outer(batch.examples(), D::len(&self.buf)),
            device: self.device.clone(),
        }
    }

    /// Whose examples are in the buffer.
    fn examples(&self) -> Option<Batch> {
        Some(D::examples(&self.buf)?.1)
    }
}

impl<T: Float, D: Backend> Raw<T, D> {
    /// The sum over the examples.
    #[must_use]
    #[track_caller]
    pub(crate) fn sum_of_examples(&self, batch: Batch) -> Self {
        match self.examples() {
            Some(_) => self.of_examples(batch).reduce_axis(ReduceOp::Sum, 0),
            None => self
                .clone()
                .binary_scalar(BinaryOp::Mul, T::lit(batch.examples() as f64)),
        }
    }

    /// The elements as cotangents of numbers of the host. Such a number is the same for all examples, so its cotangent is the
    /// sum over them.
    #[track_caller]
    pub(crate) fn cotangents_of_numbers(&self) -> Vec<T> {
        match self.examples() {
            Some(batch) if batch.is_reversed() => self.sum_of_examples(batch).to_vec(),
            _ => self.to_vec(),
        }
    }

    /// The sum of all elements as the cotangent of a number of the host.
    #[track_caller]
    pub(crate) fn cotangent_of_number(&self) -> T {
        self.reduce_all(ReduceOp::Sum).cotangents_of_numbers()[0]
    }
}
