//! Tangents of the steps in order.

use super::cells::{Gru, Lstm, Rnn, Step};
use super::panels::Panels;
use super::{Groups, Ran};
use crate::device::{Cell, Float, Recurrence};
use crate::kernel::pool::Buffer;
use crate::kernel::simd::vectorize;

/// `out` gets the tangents of `h` after each step, `c` those of the last `c`; it has those of the first before. `tz` are
/// the tangents of the slots' arguments but for what comes from the tangent of `h`. `weights` as in
/// [`forward`](super::forward()).
#[allow(clippy::too_many_arguments)]
pub fn tangent<T: Float>(
    shape: &Recurrence,
    weights: &[T],
    ran: Ran<'_, T>,
    slots: &[T],
    tz: &[T],
    h0: &[T],
    c: &mut [T],
    out: &mut [T],
) {
    match shape.cell {
        Cell::Rnn => run::<Rnn, T>(shape, weights, ran, slots, tz, h0, c, out),
        Cell::Gru => run::<Gru, T>(shape, weights, ran, slots, tz, h0, c, out),
        Cell::Lstm => run::<Lstm, T>(shape, weights, ran, slots, tz, h0, c, out),
    }
}

#[allow(clippy::too_many_arguments)]
fn run<S: Step, T: Float>(
    shape: &Recurrence,
    weights: &[T],
    ran: Ran<'_, T>,
    slots: &[T],
    tz: &[T],
    h0: &[T],
    c: &mut [T],
    out: &mut [T],
) {
    let n = shape.hidden;
    if out.is_empty() {
        return;
    }
    let panels = Panels::new(weights, S::RECURRENT * n);
    let width = S::SLOTS * n;
    let groups = Groups::new(shape);
    let tasks = groups.parts(out, n).into_iter().zip(groups.states(c));
    groups.each(tasks, |first, rows, (out, tc)| {
        let mut products = panels.room(rows);
        let mut th = groups.part(h0, 0, first, rows);
        let mut tc_before = Buffer::from_slice(tc);
        for (t, th2) in out.into_iter().enumerate() {
            panels.multiply(th, n, rows, &mut products);
            let now = |x| groups.part(x, t, first, rows);
            let before = |x, start| match t {
                0 => groups.part(start, 0, first, rows),
                _ => groups.part(x, t - 1, first, rows),
            };
            let (h, c) = (before(ran.out, ran.h0), before(ran.memory, ran.c0));
            let (h2, c2) = (now(ran.out), now(ran.memory));
            let base = (t * shape.batch + first) * width;
            vectorize(
                #[inline(always)]
                || {
                    for r in 0..rows {
                        let at = r * n..(r + 1) * n;
                        let m = if S::MEMORY { at.clone() } else { 0..0 };
                        S::tangent(
                            &slots[base + r * width..][..width],
                            &tz[base + r * width..][..width],
                            &products[r * panels.columns..][..panels.columns],
                            &h[at.clone()],
                            &c[m.clone()],
                            &h2[at.clone()],
                            &c2[m.clone()],
                            &th[at.clone()],
                            &tc_before[m.clone()],
                            &mut th2[at],
                            &mut tc[m],
                        );
                    }
                },
            );
            tc_before.copy_from_slice(tc);
            th = th2;
        }
    });
}
