//! Attention of untyped tensors.

use super::Raw;
use crate::device::{
    AttentionGradients, AttentionInput, AttentionMask, AttentionShape, AttentionTangents, Backend,
    Float,
};

/// Which keys a query sees, or how much.
pub enum Masking<'a, T: Float, D: Backend> {
    /// All of them.
    None,
    /// Those with `true`: trailing axes of the scores.
    Visible(&'a Raw<bool, D>),
    /// By what is added to the scores: trailing axes of theirs.
    Bias(&'a Raw<T, D>),
    /// The first ones, how many for each entry of the first axis.
    Lengths(&'a Raw<i64, D>),
}

/// Attention that has been computed, for its derivatives.
#[derive(Clone, Debug)]
pub struct Attended<T: Float, D: Backend> {
    shape: AttentionShape,
    /// The output.
    out: Raw<T, D>,
    /// Two numbers for each query.
    stats: Raw<T, D>,
}

/// The sizes of queries, keys and values.
fn shape<T: Float, D: Backend>(
    [q, k, v]: [&Raw<T, D>; 3],
    mask: &Masking<'_, T, D>,
    options: AttentionShape,
) -> AttentionShape {
    let r = q.dims().rank();
    let heads: usize = q.dims()[..r - 2].iter().product();
    let met: usize = k.dims()[..r - 2].iter().product();
    AttentionShape {
        heads,
        group: heads.checked_div(met).unwrap_or(1).max(1),
        queries: q.dims()[r - 2],
        keys: k.dims()[r - 2],
        width: q.dims()[r - 1],
        value_width: v.dims()[r - 1],
        biases: match mask {
            Masking::Bias(b) => b.dims()[..b.dims().rank().saturating_sub(2)]
                .iter()
                .product(),
            _ => 0,
        },
        ..options
    }
}

/// Calls `f` with the operands as a device takes them.
#[track_caller]
fn with_input<T: Float, D: Backend, R>(
    shape: &AttentionShape,
    [q, k, v]: [&Raw<T, D>; 3],
    mask: &Masking<'_, T, D>,
    f: impl FnOnce(AttentionInput<'_, T, D>) -> R,
) -> R {
    let r = q.dims().rank();
    let scores = q.dims().with(r - 1, shape.keys);
    let (visible, bias);
    let mask = match mask {
        Masking::None => AttentionMask::None,
        Masking::Visible(m) => {
            visible = m.expand(scores);
            AttentionMask::Visible(visible.view())
        }
        Masking::Bias(b) => {
            bias = b.expand(scores);
            AttentionMask::Bias(bias.view())
        }
        Masking::Lengths(n) => AttentionMask::Lengths(n.view()),
    };
    let (q, k, v) = (q.view(), k.view(), v.view());
    f(AttentionInput {
        shape,
        q,
        k,
        v,
        mask,
    })
}

impl<T: Float, D: Backend> Raw<T, D> {
    /// Attention of queries, keys and values; of `options` the sizes are filled in.
    ///
    /// # Panics
    /// If a length is negative or greater than the number of keys, where the device knows it at once.
    #[track_caller]
    pub fn attention(
        qkv: [&Self; 3],
        mask: &Masking<'_, T, D>,
        options: AttentionShape,
    ) -> Attended<T, D> {
        let [q, ..] = qkv;
        let shape = shape(qkv, mask, options);
        let device = q.device().clone();
        let dims = q.dims().with(q.dims().rank() - 1, shape.value_width);
        let mut out = Raw::unspecified(&device, dims);
        let mut stats = Raw::unspecified(&device, [shape.heads, shape.queries, 2]);
        with_input(&shape, qkv, mask, |input| {
            let known = device.attention(input, out.view_mut(), stats.view_mut());
            known.unwrap_or_else(|e| {
                panic!(
                    "attention_padded: the length {} at position {} is not between 0 and {}",
                    e.found, e.position, shape.keys
                )
            });
        });
        Attended { shape, out, stats }
    }
}

impl<T: Float, D: Backend> Attended<T, D> {
    /// The output.
    #[must_use]
    #[track_caller]
    pub fn value(&self) -> Raw<T, D> {
        self.out.clone()
    }

    /// The cotangents of queries, keys, values and bias, those of them that are `wanted`.
    #[must_use]
    #[track_caller]
    pub fn pullback(
        &self,
        qkv: [&Raw<T, D>; 3],
        mask: &Masking<'_, T, D>,
        ct: &Raw<T, D>,
        wanted: [bool; 4],
    ) -> [Option<Raw<T, D>>; 4] {
        let device = ct.device().clone();
        let ct = ct.clone().contiguous();
        let [q, k, v] = qkv;
        let (biases, rows, columns) = (self.shape.biases, self.shape.keys, self.shape.queries);
        let mut d_q = wanted[0].then(|| Raw::unspecified(&device, *q.dims()));
        let mut d_k = wanted[1].then(|| Raw::unspecified(&device, *k.dims()));
        let mut d_v = wanted[2].then(|| Raw::unspecified(&device, *v.dims()));
        let mut d_bias = wanted[3].then(|| Raw::unspecified(&device, [biases, rows, columns]));
        let into = AttentionGradients {
            q: d_q.as_mut().map(Raw::view_mut),
            k: d_k.as_mut().map(Raw::view_mut),
            v: d_v.as_mut().map(Raw::view_mut),
            bias: d_bias.as_mut().map(Raw::view_mut),
        };
        with_input(&self.shape, qkv, mask, |input| {
            let saved = [self.out.view(), self.stats.view()];
            device.attention_pullback(input, saved, ct.view(), into);
        });
        let d_bias = d_bias.map(|d| match mask {
            // One bias for all queries, or for everything.
            Masking::Bias(b) if b.dims().rank() < 2 => d.transpose(1, 2).sum_to(b.dims()),
            Masking::Bias(b) => d.transpose(1, 2).into_reshaped(*b.dims()),
            _ => d,
        });
        [d_q, d_k, d_v, d_bias]
    }

    /// The tangent of the output from those of queries, keys, values and bias.
    #[must_use]
    #[track_caller]
    pub fn pushforward(
        &self,
        qkv: [&Raw<T, D>; 3],
        mask: &Masking<'_, T, D>,
        tangents: [&Raw<T, D>; 3],
        bias: Option<&Raw<T, D>>,
    ) -> Raw<T, D> {
        let device = self.out.device().clone();
        let mut out = Raw::unspecified(&device, *self.out.dims());
        let [q, k, v] = tangents;
        let bias = bias.map(|b| {
            let r = q.dims().rank();
            b.expand(q.dims().with(r - 1, self.shape.keys))
        });
        let tangents = AttentionTangents {
            q: q.view(),
            k: k.view(),
            v: v.view(),
            bias: bias.as_ref().map(Raw::view),
        };
        with_input(&self.shape, qkv, mask, |input| {
            let saved = [self.out.view(), self.stats.view()];
            device.attention_pushforward(input, saved, tangents, out.view_mut());
        });
        out
    }
}
