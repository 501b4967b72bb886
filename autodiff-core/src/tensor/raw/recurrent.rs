//! Recurrent layers of untyped tensors.
//!
//! Products with the input are one product for all steps, and so are those for the cotangents of weights and input, and
//! for the tangents of the weights; the device runs the steps.

use super::Raw;
use crate::device::{
    Backend, Cell, Dims, Float, Recurred, Recurrence, RecurrentCotangents, RecurrentGradients,
    ViewMut,
};

/// The operands of a recurrent layer, or their tangents. Gates and units are one axis.
pub struct Layer<T: Float, D: Backend> {
    /// The length of the sequences.
    pub steps: usize,
    /// Steps and batch, inputs.
    pub x: Raw<T, D>,
    /// Gates and units, inputs.
    pub w_ih: Raw<T, D>,
    /// Gates and units, units.
    pub w_hh: Raw<T, D>,
    /// Slots and units.
    pub bias: Raw<T, D>,
    /// Batch, units.
    pub h0: Raw<T, D>,
    /// Batch, units; empty for cells without `c`.
    pub c0: Raw<T, D>,
}

/// A recurrent layer that has run, for its derivatives.
#[derive(Clone, Debug)]
pub struct LayerRun<T: Float, D: Backend> {
    shape: Recurrence,
    slots: Raw<T, D>,
    memory: Raw<T, D>,
    out: Raw<T, D>,
}

/// The cotangents of the results.
pub struct LayerCotangents<'a, T: Float, D: Backend> {
    /// Of `h` after each step.
    pub out: Option<&'a Raw<T, D>>,
    /// Of the last `h`.
    pub h: Option<&'a Raw<T, D>>,
    /// Of the last `c`.
    pub c: Option<&'a Raw<T, D>>,
}

/// Neighbouring slots with products of the input: the first of them, how many, and the first gate.
#[track_caller]
fn input_slots(cell: Cell) -> &'static [[usize; 3]] {
    match cell {
        Cell::Rnn => &[[0, 1, 0]],
        Cell::Gru => &[[0, 2, 0], [3, 1, 2]],
        Cell::Lstm => &[[0, 4, 0]],
    }
}

/// `out[rows, columns] ← beta·out[rows, columns] + a·b`
#[track_caller]
fn product<T: Float, D: Backend>(
    beta: T,
    a: &Raw<T, D>,
    b: &Raw<T, D>,
    out: &mut Raw<T, D>,
    [row, column]: [usize; 2],
) {
    let (rows, columns) = (a.dims()[0], b.dims()[1]);
    let device = out.device().clone();
    let ViewMut { buf, layout } = out.view_mut();
    let layout = layout.slice(0, row, rows).slice(1, column, columns);
    device.gemm(beta, a.view(), b.view(), ViewMut { buf, layout });
}

impl<T: Float, D: Backend> Layer<T, D> {
    fn shape(&self, cell: Cell) -> Recurrence {
        let (batch, hidden) = (self.h0.dims()[0], self.h0.dims()[1]);
        Recurrence {
            cell,
            steps: self.steps,
            batch,
            hidden,
        }
    }

    /// Adds the products of inputs `x` and weights `w_ih` to the slots.
    #[track_caller]
    fn project(beta: T, cell: Cell, x: &Raw<T, D>, w_ih: &Raw<T, D>, slots: &mut Raw<T, D>) {
        let n = slots.dims()[1] / cell.slots();
        for &[slot, count, gate] in input_slots(cell) {
            let w = w_ih.slice(0, gate * n, count * n).transpose(0, 1);
            product(beta, x, &w, slots, [0, slot * n]);
        }
    }

    /// Runs the steps.
    #[must_use]
    #[track_caller]
    pub fn run(&self, cell: Cell) -> LayerRun<T, D> {
        let shape = self.shape(cell);
        let device = self.x.device().clone();
        let (rows, n) = (shape.steps * shape.batch, shape.hidden);
        let mut slots = Raw::unspecified(&device, [rows, cell.slots() * n]);
        Self::project(T::ZERO, cell, &self.x, &self.w_ih, &mut slots);
        let memory: usize = if cell.has_memory() { rows } else { 0 };
        let mut memory = Raw::unspecified(&device, [memory, n]);
        let mut out = Raw::unspecified(&device, [rows, n]);
        device.recurrence(
            &shape,
            self.w_hh.transpose(0, 1).contiguous().view(),
            self.bias.view(),
            self.h0.view(),
            self.c0.view(),
            slots.view_mut(),
            memory.view_mut(),
            out.view_mut(),
        );
        LayerRun {
            shape,
            slots,
            memory,
            out,
        }
    }
}

impl<T: Float, D: Backend> LayerRun<T, D> {
    /// `h` after each step: steps, batch, units.
    #[must_use]
    #[track_caller]
    pub fn out(&self) -> Raw<T, D> {
        let Recurrence {
            steps,
            batch,
            hidden,
            ..
        } = self.shape;
        self.out.reshape([steps, batch, hidden])
    }

    /// The last of `steps`, or what there was before the first.
    #[track_caller]
    fn last(&self, steps: &Raw<T, D>, before: &Raw<T, D>) -> Raw<T, D> {
        let Recurrence {
            steps: t, batch, ..
        } = self.shape;
        match t {
            0 => before.clone(),
            // A copy, which does not keep the other steps alive.
            _ => steps.slice(0, (t - 1) * batch, batch).copied(),
        }
    }

    /// The last `h`.
    #[must_use]
    #[track_caller]
    pub fn h(&self, layer: &Layer<T, D>) -> Raw<T, D> {
        self.last(&self.out, &layer.h0)
    }

    /// The last `c`.
    #[must_use]
    #[track_caller]
    pub fn c(&self, layer: &Layer<T, D>) -> Raw<T, D> {
        self.last(&self.memory, &layer.c0)
    }

    #[track_caller]
    fn recurred<'a>(&'a self, layer: &'a Layer<T, D>) -> Recurred<'a, T, D> {
        Recurred {
            memory: self.memory.view(),
            out: self.out.view(),
            h0: layer.h0.view(),
            c0: layer.c0.view(),
        }
    }

    /// Calls `f(rows, first of them, h)` with the `h` before the steps: the first one, and those after all steps but
    /// the last.
    #[track_caller]
    fn before(&self, layer: &Layer<T, D>, mut f: impl FnMut(usize, usize, &Raw<T, D>)) {
        let Recurrence { steps, batch, .. } = self.shape;
        if steps > 0 {
            f(0, batch, &layer.h0);
        }
        if steps > 1 {
            let rest = (steps - 1) * batch;
            f(batch, rest, &self.out.slice(0, 0, rest));
        }
    }

    /// The cotangents of input, input weights, weights of `h`, bias, first `h` and first `c`; the first three if they are
    /// `wanted`.
    #[must_use]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn pullback(
        mut self,
        layer: &Layer<T, D>,
        ct: LayerCotangents<'_, T, D>,
        wanted: [bool; 3],
    ) -> ([Option<Raw<T, D>>; 3], [Raw<T, D>; 3]) {
        let Recurrence {
            cell,
            batch,
            hidden: n,
            ..
        } = self.shape;
        let device = self.out.device().clone();
        let rows = self.out.dims()[0];
        let [out, h, c] = [ct.out, ct.h, ct.c].map(|x| x.map(|x| x.clone().contiguous()));
        let cotangents = RecurrentCotangents {
            out: out.as_ref().map(Raw::view),
            h: h.as_ref().map(Raw::view),
            c: c.as_ref().map(Raw::view),
        };
        let mut bias = Raw::unspecified(&device, [cell.slots() * n]);
        let mut h0 = Raw::unspecified(&device, [batch, n]);
        let mut c0 = Raw::unspecified(&device, *layer.c0.dims());
        // In place, unless the pullback is called again.
        let mut slots = core::mem::replace(&mut self.slots, Raw::unspecified(&device, [0]));
        let into = RecurrentGradients {
            slots: slots.view_mut(),
            bias: bias.view_mut(),
            h0: h0.view_mut(),
            c0: c0.view_mut(),
        };
        let w_hh = layer.w_hh.clone().contiguous();
        device.recurrence_pullback(
            &self.shape,
            w_hh.view(),
            self.recurred(layer),
            cotangents,
            into,
        );
        let dz = |slot: usize, count: usize| slots.slice(1, slot * n, count * n);
        let x = wanted[0].then(|| {
            let mut d = Raw::unspecified(&device, *layer.x.dims());
            for (i, &[slot, count, gate]) in input_slots(cell).iter().enumerate() {
                let beta = if i == 0 { T::ZERO } else { T::ONE };
                let w = layer.w_ih.slice(0, gate * n, count * n);
                product(beta, &dz(slot, count), &w, &mut d, [0, 0]);
            }
            d
        });
        let w_ih = wanted[1].then(|| {
            let mut d = Raw::unspecified(&device, *layer.w_ih.dims());
            for &[slot, count, gate] in input_slots(cell) {
                let dz = dz(slot, count).transpose(0, 1);
                product(T::ZERO, &dz, &layer.x, &mut d, [gate * n, 0]);
            }
            d
        });
        let w_hh = wanted[2].then(|| {
            let mut d = Raw::unspecified(&device, *layer.w_hh.dims());
            if rows == 0 {
                return Raw::zeros(&device, *layer.w_hh.dims());
            }
            let dz = dz(0, cell.recurrent());
            self.before(layer, |first, count, h| {
                let dz = dz.slice(0, first, count).transpose(0, 1);
                let beta = if first == 0 { T::ZERO } else { T::ONE };
                product(beta, &dz, h, &mut d, [0, 0]);
            });
            d
        });
        ([x, w_ih, w_hh], [bias, h0, c0])
    }

    /// The tangents of `h` after each step, of the last `h` and of the last `c` from those of the operands.
    #[must_use]
    #[track_caller]
    pub fn pushforward(&self, layer: &Layer<T, D>, t: &Layer<T, D>) -> [Raw<T, D>; 3] {
        let Recurrence {
            cell, steps, batch, ..
        } = self.shape;
        let device = self.out.device().clone();
        let mut tz = t.bias.expand(*self.slots.dims()).copied();
        Layer::project(T::ONE, cell, &t.x, &layer.w_ih, &mut tz);
        Layer::project(T::ONE, cell, &layer.x, &t.w_ih, &mut tz);
        let w = t.w_hh.transpose(0, 1);
        self.before(layer, |first, _, h| {
            product(T::ONE, h, &w, &mut tz, [first, 0])
        });
        let mut out = Raw::unspecified(&device, *self.out.dims());
        let mut t_c = t.c0.copied();
        device.recurrence_pushforward(
            &self.shape,
            layer.w_hh.transpose(0, 1).contiguous().view(),
            self.recurred(layer),
            self.slots.view(),
            tz.view(),
            t.h0.view(),
            t_c.view_mut(),
            out.view_mut(),
        );
        let t_h = self.last(&out, &t.h0);
        let dims: Dims = [steps, batch, self.shape.hidden].into();
        [out.into_reshaped(dims), t_h, t_c]
    }
}
