//! Tangents of the steps in order.

use super::cells::{self, Step, Tangent};
use super::panels::Panels;
use super::{Groups, Ran, for_cell};
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
    for_cell!(
        shape.cell,
        run::<T>(shape, weights, ran, slots, tz, h0, c, out)
    );
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
            let [h, c, c2] = groups.around(&ran, t, first, rows);
            let base = (t * shape.batch + first) * width;
            vectorize::<T, _>(
                #[inline(always)]
                || {
                    for r in 0..rows {
                        let at = r * n..(r + 1) * n;
                        let m = if S::MEMORY { at.clone() } else { 0..0 };
                        S::tangent(Tangent {
                            slots: &slots[base + r * width..][..width],
                            tz: &tz[base + r * width..][..width],
                            p: &products[r * panels.columns..][..panels.columns],
                            h: &h[at.clone()],
                            c: &c[m.clone()],
                            c2: &c2[m.clone()],
                            th: &th[at.clone()],
                            tc: &tc_before[m.clone()],
                            th2: &mut th2[at],
                            tc2: &mut tc[m],
                        });
                    }
                },
            );
            tc_before.copy_from_slice(tc);
            th = th2;
        }
    });
}
