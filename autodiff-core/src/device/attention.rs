//! Scaled dot-product attention, as the seam sees it.

use super::{Backend, Elem, View, ViewMut};

/// Attention of `heads` matrices of queries to as many, or fewer, of keys and values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttentionShape {
    /// Matrices of queries.
    pub heads: usize,
    /// Neighbouring matrices of queries that meet the same keys and values.
    pub group: usize,
    /// Queries of a head.
    pub queries: usize,
    /// Keys of a head, and values.
    pub keys: usize,
    /// Entries of a query, and of a key.
    pub width: usize,
    /// Entries of a value.
    pub value_width: usize,
    /// What the products of queries and keys are multiplied by.
    pub scale: f64,
    /// Whether query `i` sees the keys up to `i + keys − queries` only.
    pub causal: bool,
    /// Different biases: head `h` has number `h mod biases`; 0 without.
    pub biases: usize,
    /// Rate and seed of the dropout of the weights.
    pub dropout: Option<(f64, u64)>,
}

impl AttentionShape {
    /// How many of `count` keys query `i` sees; they are the first.
    pub fn seen(&self, i: usize, count: usize) -> usize {
        if self.causal {
            count.min((i + 1 + self.keys).saturating_sub(self.queries))
        } else {
            count
        }
    }
}

/// Attention to compute, or to differentiate; the operands lie by any strides.
pub struct AttentionInput<'a, T: Elem, D: Backend> {
    /// Sizes and options.
    pub shape: &'a AttentionShape,
    /// Leading axes, queries, `width`.
    pub q: View<'a, T, D>,
    /// Leading axes, keys, `width`.
    pub k: View<'a, T, D>,
    /// Leading axes, keys, `value_width`.
    pub v: View<'a, T, D>,
    /// Which keys a query sees, or how much.
    pub mask: AttentionMask<'a, T, D>,
}

/// Tangents of the operands of attention.
pub struct AttentionTangents<'a, T: Elem, D: Backend> {
    /// Of the queries.
    pub q: View<'a, T, D>,
    /// Of the keys.
    pub k: View<'a, T, D>,
    /// Of the values.
    pub v: View<'a, T, D>,
    /// Of the bias, if there is one.
    pub bias: Option<View<'a, T, D>>,
}

/// Which keys a query sees, or how much, besides causality.
pub enum AttentionMask<'a, T: Elem, D: Backend> {
    /// Nothing.
    None,
    /// Whether the key is seen; axes as those of the scores: leading axes, queries, keys.
    Visible(View<'a, bool, D>),
    /// What is added to the scores; axes as those of the scores.
    Bias(View<'a, T, D>),
    /// How many keys there are, for each of equal groups of neighbouring heads; between 0 and `keys`.
    Lengths(View<'a, i64, D>),
}

impl<T: Elem, D: Backend> Clone for AttentionMask<'_, T, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Elem, D: Backend> Copy for AttentionMask<'_, T, D> {}

/// The gradients to compute; all dense.
pub struct AttentionGradients<'a, T: Elem, D: Backend> {
    /// Of the queries.
    pub q: Option<ViewMut<'a, T, D>>,
    /// Of the keys.
    pub k: Option<ViewMut<'a, T, D>>,
    /// Of the values.
    pub v: Option<ViewMut<'a, T, D>>,
    /// Of the biases, transposed: number, keys, queries.
    pub bias: Option<ViewMut<'a, T, D>>,
}
