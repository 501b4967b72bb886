//! The steps in order.

use super::cells::{self, Forward, Step};
use super::panels::Panels;
use super::{Groups, for_cell};
use crate::device::{Cell, Float, Recurrence};
use crate::kernel::simd::vectorize;

/// `slots` has the products of the inputs, and gets what is kept; `memory` and `out` get `c` and `h` after each step.
/// `weights` is the matrix that `h` is multiplied by: units, recurrent slots and units.
#[allow(clippy::too_many_arguments)]
pub fn forward<T: Float>(
    shape: &Recurrence,
    weights: &[T],
    bias: &[T],
    h0: &[T],
    c0: &[T],
    slots: &mut [T],
    memory: &mut [T],
    out: &mut [T],
) {
    for_cell!(
        shape.cell,
        run::<T>(shape, weights, bias, h0, c0, slots, memory, out)
    );
}

#[allow(clippy::too_many_arguments)]
fn run<S: Step, T: Float>(
    shape: &Recurrence,
    weights: &[T],
    bias: &[T],
    h0: &[T],
    c0: &[T],
    slots: &mut [T],
    memory: &mut [T],
    out: &mut [T],
) {
    let n = shape.hidden;
    if out.is_empty() {
        return;
    }
    let panels = Panels::new(weights, S::RECURRENT * n);
    let groups = Groups::new(shape);
    let tasks = groups
        .parts(slots, S::SLOTS * n)
        .into_iter()
        .zip(groups.parts(memory, n))
        .zip(groups.parts(out, n));
    groups.each(tasks, |first, rows, ((slots, memory), out)| {
        let mut products = panels.room(rows);
        let state = |x| groups.part(x, 0, first, rows);
        let (mut h, mut c) = (state(h0), state(c0));
        for ((slots, c2), h2) in slots.into_iter().zip(memory).zip(out) {
            panels.multiply(h, n, rows, &mut products);
            vectorize::<T, _>(
                #[inline(always)]
                || {
                    for r in 0..rows {
                        let at = r * n..(r + 1) * n;
                        let m = if S::MEMORY { at.clone() } else { 0..0 };
                        S::forward(Forward {
                            slots: &mut slots[r * S::SLOTS * n..][..S::SLOTS * n],
                            p: &products[r * panels.columns..][..panels.columns],
                            b: bias,
                            h: &h[at.clone()],
                            c: &c[m.clone()],
                            h2: &mut h2[at],
                            c2: &mut c2[m],
                        });
                    }
                },
            );
            (h, c) = (h2, c2);
        }
    });
}
