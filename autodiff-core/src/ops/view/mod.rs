//! The same elements in other places: shapes, slices, joins, padding, copies.

pub(in crate::ops) mod entry;
pub(in crate::ops) mod extent;
pub(in crate::ops) mod grid;
pub(in crate::ops) mod join;
pub(in crate::ops) mod padding;
pub(in crate::ops) mod parts;
pub(in crate::ops) mod rearrange;
pub(in crate::ops) mod rolling;
pub(in crate::ops) mod shape;
pub(in crate::ops) mod stacked;
pub(in crate::ops) mod stated;

use crate::ad::{Acc, Adj, Mode};
use crate::device::{Backend, Float};
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};

/// Adds to each of several tensors that were joined its part of a cotangent.
#[track_caller]
fn give_parts<M: Mode, S: Shape, T: Float, D: Backend>(
    parts: &[Tensor<S, T, D>],
    d: &mut [Adj<Tensor<S, T, D>, M>],
    part_of: impl Fn(usize) -> Raw<T, D>,
) {
    if M::ON {
        for (k, (part, d)) in parts.iter().zip(d).enumerate() {
            d.acc(Tensor::new(part.shape(), part_of(k)).into());
        }
    }
}
