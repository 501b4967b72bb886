//! Recurrent layers.

use crate::import::tape::Tape;
use crate::import::value::{Array, Number, Storage};
use autodiff_core::device::{Cell, Device};
use autodiff_core::tensor::{Layer, LayerCotangents, Raw};

/// The operands of a recurrent layer, as [`Layer`] has them.
pub struct Operands<T: Number> {
    /// The length of the sequences.
    pub steps: usize,
    /// Steps and batch, inputs.
    pub x: Array<T>,
    /// Gates and units, inputs.
    pub w_ih: Array<T>,
    /// Gates and units, units.
    pub w_hh: Array<T>,
    /// Slots and units.
    pub bias: Array<T>,
    /// Batch, units.
    pub h0: Array<T>,
    /// Batch, units; no rows for cells without `c`.
    pub c0: Array<T>,
}

fn layer<T: Number>(steps: usize, operands: [&Storage<T>; 6]) -> Layer<T, Device> {
    let [x, w_ih, w_hh, bias, h0, c0] = operands.map(|x| x.clone().contiguous());
    Layer {
        steps,
        x,
        w_ih,
        w_hh,
        bias,
        h0,
        c0,
    }
}

/// `h` after each step (steps, batch, units), the last `h` and the last `c`.
pub fn recurrence<T: Number>(tape: &Tape, cell: Cell, operands: &Operands<T>) -> [Array<T>; 3] {
    let Operands {
        steps,
        x,
        w_ih,
        w_hh,
        bias,
        h0,
        c0,
    } = operands;
    let (steps, read) = (*steps, [x, w_ih, w_hh, bias, h0, c0]);
    let raws = read.map(|x| x.raw.clone());
    let run = layer(steps, raws.each_ref()).run(cell);
    let this = layer(steps, raws.each_ref());
    let last = match cell.has_memory() {
        true => run.c(&this),
        false => this.c0.clone(),
    };
    let made = [run.out(), run.h(&this), last];
    let (again, raws2) = (run.clone(), raws.clone());
    tape.many(
        made,
        read,
        move |[out, h, c], wanted| {
            let layer = layer(steps, raws.each_ref());
            let c = c.filter(|_| cell.has_memory());
            let cts = LayerCotangents { out, h, c };
            let first = [wanted[0], wanted[1], wanted[2]];
            let ([x, w_ih, w_hh], [bias, h, c]) = run.clone().pullback(&layer, cts, first);
            let part = |on: bool, part| on.then_some(part);
            [
                x,
                w_ih,
                w_hh,
                part(wanted[3], bias),
                part(wanted[4], h),
                part(wanted[5], c),
            ]
        },
        move |tangents| {
            let mut tangents = tangents.into_iter().zip(&raws2).map(|(t, x)| match t {
                Some(t) => t.clone(),
                None => Raw::zeros(x.device(), *x.dims()),
            });
            let all: [Storage<T>; 6] =
                core::array::from_fn(|_| tangents.next().expect("a tangent for each operand"));
            let t = layer(steps, all.each_ref());
            let (this, again) = (layer(steps, raws2.each_ref()), &again);
            again.pushforward(&this, &t).map(Some)
        },
    )
}
