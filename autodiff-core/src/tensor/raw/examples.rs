//! Tensors whose buffers have a part for each example of `vmap!(#[batched] ..)`.

use super::Raw;
use crate::ad::{Ct, Differentiable, change_tensors};
use crate::device::{Backend, Batch, Dims, Elem, Float, Layout, ReduceOp};

/// How the tensors of a tangent change: to their sums over the examples.
pub(super) struct OfExamples(pub(super) Batch);

/// The cotangent of what all examples share: the sum over them.
///
/// In the reverse pass every cotangent depends on those of the results, so it has a part for each example unless it is zero or a
/// sum already, as that of a number is, or a [product](Raw::summed_product) that was owed.
#[track_caller]
pub(crate) fn shared_cotangent<E: Differentiable>(env: &E, own: Ct<E>, batch: Batch) -> Ct<E> {
    batch.settle(|| E::start(change_tensors(env.finish_here(own), &OfExamples(batch))))
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

    /// Whose examples are in the buffer, if it has a part for each.
    #[doc(hidden)]
    pub fn examples(&self) -> Option<Batch> {
        Some(D::examples(&self.buf)?.1)
    }
}

impl<T: Float, D: Backend> Raw<T, D> {
    /// The sum over the examples; what has no parts is one.
    #[must_use]
    #[track_caller]
    pub(crate) fn sum_of_examples(&self, batch: Batch) -> Self {
        let Some((buf, _)) = D::examples(&self.buf) else {
            return self.clone();
        };
        // Of the buffer, whose parts are one axis whatever the axes of an example are.
        let parts = Dims::new(&[batch.examples(), D::len(&self.buf)]);
        let parts = Raw::from_shared(&self.device, buf, Layout::dense(parts));
        parts.reduce_axis(ReduceOp::Sum, 0).with_layout(self.layout)
    }

    /// Whether the product of two matrices need not be computed for each example: in the reverse pass, where it may be asked for
    /// summed.
    pub(super) fn is_owed_by_examples(left: &Self, right: &Self) -> bool {
        let of_batch = |x: &Self| x.examples().is_some_and(Batch::is_reversed);
        let matrices = left.dims().rank() == 2 && right.dims().rank() == 2;
        matrices && of_batch(left) && of_batch(right)
    }

    /// The sum over the examples of products of matrices, as one product, where that is asked for.
    #[track_caller]
    pub(super) fn summed_product(left: &Self, right: &Self) -> Option<Self> {
        let batch = left.examples().filter(|b| b.is_settled())?;
        let inner = batch.examples() * right.dims()[0];
        let (m, n) = (left.dims()[0], right.dims()[1]);
        let left = left.of_examples(batch).permute(&[1, 0, 2]);
        let right = right.of_examples(batch);
        Some(Raw::matmul(
            &left.reshape([m, inner]),
            &right.reshape([inner, n]),
        ))
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
