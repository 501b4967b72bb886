//! Attention, recurrent layers, alignments.

use super::*;
use crate::kernel::attention::{Gradients, Mask, Problem, Strided, Tangents};
use crate::kernel::ctc::Sequences;
use crate::kernel::recurrent::{Cotangents, Gradients as RecurrentSlices, Ran};

/// Whether the lengths of an attention's keys are inside; a length is one of 0, 1, … keys.
#[track_caller]
fn check_lengths<T: Float>(input: &AttentionInput<'_, T, Cpu>) -> Result<(), IndexError> {
    match &input.mask {
        AttentionMask::Lengths(n) => picked("attention", *n, input.shape.keys + 1).map(drop),
        _ => Ok(()),
    }
}

#[track_caller]
pub(super) fn attention<T: Float>(
    input: AttentionInput<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
    stats: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    check_lengths(&input)?;
    T::attention(input.problem(), dense(out).0, dense(stats).0);
    Ok(())
}

pub(super) fn attention_pullback<T: Float>(
    input: AttentionInput<'_, T, Cpu>,
    saved: [View<'_, T, Cpu>; 2],
    ct: View<'_, T, Cpu>,
    into: AttentionGradients<'_, T, Cpu>,
) {
    T::attention_pullback(input.problem(), saved.map(flat), flat(ct), into.slices());
}

pub(super) fn attention_pushforward<T: Float>(
    input: AttentionInput<'_, T, Cpu>,
    saved: [View<'_, T, Cpu>; 2],
    tangents: AttentionTangents<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    let (tangents, out) = (tangents.strided(), dense(out).0);
    T::attention_pushforward(input.problem(), saved.map(flat), tangents, out);
}

#[allow(clippy::too_many_arguments, reason = "as the method of the seam")]
pub(super) fn recurrence<T: Float>(
    shape: &Recurrence,
    weights: View<'_, T, Cpu>,
    bias: View<'_, T, Cpu>,
    h0: View<'_, T, Cpu>,
    c0: View<'_, T, Cpu>,
    slots: ViewMut<'_, T, Cpu>,
    memory: ViewMut<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    let [weights, bias, h0, c0] = [weights, bias, h0, c0].map(flat);
    let [slots, memory, out] = [slots, memory, out].map(|x| dense(x).0);
    T::recurrence(shape, weights, bias, h0, c0, slots, memory, out);
}

pub(super) fn recurrence_pullback<T: Float>(
    shape: &Recurrence,
    weights: View<'_, T, Cpu>,
    ran: Recurred<'_, T, Cpu>,
    ct: RecurrentCotangents<'_, T, Cpu>,
    into: RecurrentGradients<'_, T, Cpu>,
) {
    let (weights, ran) = (flat(weights), ran.slices());
    T::recurrence_pullback(shape, weights, ran, ct.slices(), into.slices());
}

#[allow(clippy::too_many_arguments, reason = "as the method of the seam")]
pub(super) fn recurrence_pushforward<T: Float>(
    shape: &Recurrence,
    weights: View<'_, T, Cpu>,
    ran: Recurred<'_, T, Cpu>,
    slots: View<'_, T, Cpu>,
    t_slots: View<'_, T, Cpu>,
    t_h0: View<'_, T, Cpu>,
    t_c: ViewMut<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    let [weights, slots, t_slots, t_h0] = [weights, slots, t_slots, t_h0].map(flat);
    let [t_c, out] = [t_c, out].map(|x| dense(x).0);
    T::recurrence_pushforward(shape, weights, ran.slices(), slots, t_slots, t_h0, t_c, out);
}

fn strided<'a, T: Elem>(x: View<'a, T, Cpu>) -> Strided<'a, T> {
    (x.buf, x.layout)
}

impl<'a, T: Float> AttentionInput<'a, T, Cpu> {
    /// As the kernels of the processor take it.
    fn problem(self) -> Problem<'a, T> {
        Problem {
            shape: self.shape,
            qkv: [strided(self.q), strided(self.k), strided(self.v)],
            mask: match self.mask {
                AttentionMask::None => Mask::None,
                AttentionMask::Visible(m) => Mask::Visible(strided(m)),
                AttentionMask::Bias(b) => Mask::Bias(strided(b)),
                AttentionMask::Lengths(n) => Mask::Lengths(strided(n)),
            },
        }
    }
}

impl<'a, T: Float> AttentionTangents<'a, T, Cpu> {
    /// As the kernels of the processor take them.
    fn strided(self) -> Tangents<'a, T> {
        Tangents {
            qkv: [strided(self.q), strided(self.k), strided(self.v)],
            bias: self.bias.map(strided),
        }
    }
}

impl<'a, T: Float> AttentionGradients<'a, T, Cpu> {
    /// As the kernels of the processor take them.
    fn slices(self) -> Gradients<'a, T> {
        let slice = |d: ViewMut<'a, T, Cpu>| {
            assert!(d.layout.is_contiguous(), "outputs are dense");
            let (at, n) = (d.layout.offset(), d.layout.numel());
            &mut d.buf[at..at + n]
        };
        Gradients {
            q: self.q.map(slice),
            k: self.k.map(slice),
            v: self.v.map(slice),
            bias: self.bias.map(slice),
        }
    }
}

impl<'a, T: Float> Recurred<'a, T, Cpu> {
    /// As the kernels of the processor take it.
    fn slices(self) -> Ran<'a, T> {
        Ran {
            memory: flat(self.memory),
            out: flat(self.out),
            h0: flat(self.h0),
            c0: flat(self.c0),
        }
    }
}

impl<'a, T: Float> RecurrentCotangents<'a, T, Cpu> {
    /// As the kernels of the processor take them.
    fn slices(self) -> Cotangents<'a, T> {
        Cotangents {
            out: self.out.map(flat),
            h: self.h.map(flat),
            c: self.c.map(flat),
        }
    }
}

impl<'a, T: Float> RecurrentGradients<'a, T, Cpu> {
    /// As the kernels of the processor take them.
    fn slices(self) -> RecurrentSlices<'a, T> {
        RecurrentSlices {
            slots: dense(self.slots).0,
            bias: dense(self.bias).0,
            h0: dense(self.h0).0,
            c0: dense(self.c0).0,
        }
    }
}

fn sequences<'a, T: Float>(
    blank: usize,
    x: View<'a, T, Cpu>,
    labels: View<'a, i64, Cpu>,
    lengths: View<'a, i64, Cpu>,
) -> Sequences<'a, T> {
    let sizes = [x.layout.dims()[1], x.layout.dims()[2]];
    Sequences {
        sizes,
        blank,
        x: flat(x),
        labels: flat(labels),
        lengths: flat(lengths),
    }
}

pub(super) fn ctc<T: Float>(
    blank: usize,
    x: View<'_, T, Cpu>,
    labels: View<'_, i64, Cpu>,
    lengths: View<'_, i64, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::ctc(sequences(blank, x, labels, lengths), dense(out).0);
}

pub(super) fn ctc_pullback<T: Float>(
    blank: usize,
    x: View<'_, T, Cpu>,
    labels: View<'_, i64, Cpu>,
    lengths: View<'_, i64, Cpu>,
    ct: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    let sequences = sequences(blank, x, labels, lengths);
    T::ctc_pullback(sequences, flat(ct), dense(out).0);
}
