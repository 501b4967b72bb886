//! The steps in reverse.

use super::cells::{self, Backward, Step};
use super::panels::Panels;
use super::{Cotangents, Gradients, Groups, Ran, UNIT, for_cell};
use crate::device::{Cell, Float, Recurrence};
use crate::kernel::pool::Buffer;
use crate::kernel::simd::vectorize;

/// The cotangents. `weights` is the transpose of the matrix that `h` is multiplied by: recurrent slots and units, units.
pub fn backward<T: Float>(
    shape: &Recurrence,
    weights: &[T],
    ran: Ran<'_, T>,
    ct: Cotangents<'_, T>,
    into: Gradients<'_, T>,
) {
    for_cell!(shape.cell, run::<T>(shape, weights, ran, ct, into));
}

fn run<S: Step, T: Float>(
    shape: &Recurrence,
    weights: &[T],
    ran: Ran<'_, T>,
    ct: Cotangents<'_, T>,
    into: Gradients<'_, T>,
) {
    let n = shape.hidden;
    into.bias.fill(T::ZERO);
    if into.h0.is_empty() {
        return;
    }
    let panels = Panels::new(weights, n);
    let groups = Groups::new(shape);
    // Each unit sums its own part of the bias; they are joined in order.
    let width = S::SLOTS * n;
    let units = groups.rows / UNIT;
    let mut sums = Buffer::unspecified(shape.batch.div_ceil(UNIT) * width);
    sums.fill(T::ZERO);
    let tasks = groups
        .parts(into.slots, width)
        .into_iter()
        .zip(sums.chunks_mut(units * width))
        .zip(groups.states(into.h0).zip(groups.states(into.c0)));
    let mut nothing = Buffer::unspecified(groups.rows * n);
    nothing.fill(T::ZERO);
    groups.each(tasks, |first, rows, ((mut slots, sums), (d_h, d_c))| {
        let last = |x: Option<&'_ [T]>| {
            Buffer::from_slice(x.map_or(&nothing[..rows * n], |x| groups.part(x, 0, first, rows)))
        };
        let mut carry = last(ct.c);
        // The cotangent of `h` from the step after, in rows of `columns`.
        let columns = panels.columns;
        let mut passed = panels.room(rows);
        for (to, from) in passed.chunks_mut(columns).zip(last(ct.h).chunks(n)) {
            to[..n].copy_from_slice(from);
        }
        for t in (0..shape.steps).rev() {
            let [h, c, c2] = groups.around(&ran, t, first, rows);
            let ct = ct.out;
            let ct = ct.map_or(&nothing[..rows * n], |x| groups.part(x, t, first, rows));
            let slots = &mut slots[t];
            vectorize::<T, _>(
                #[inline(always)]
                || {
                    for r in 0..rows {
                        let at = r * n..(r + 1) * n;
                        let m = if S::MEMORY { at.clone() } else { 0..0 };
                        S::backward(Backward {
                            slots: &mut slots[r * width..][..width],
                            db: &mut sums[r / UNIT * width..][..width],
                            carry: &mut carry[at.clone()],
                            ct: &ct[at.clone()],
                            p: &passed[r * columns..][..n],
                            h: &h[at],
                            c: &c[m.clone()],
                            c2: &c2[m],
                        });
                    }
                },
            );
            panels.multiply(slots, width, rows, &mut passed);
        }
        for (to, from) in d_h.chunks_mut(n).zip(passed.chunks(columns)) {
            to.copy_from_slice(&from[..n]);
        }
        if S::MEMORY {
            d_c.copy_from_slice(&carry);
        } else {
            for (to, &x) in d_h.iter_mut().zip(&*carry) {
                *to = *to + x;
            }
        }
    });
    for sum in sums.chunks(width) {
        for (to, &x) in into.bias.iter_mut().zip(sum) {
            *to = *to + x;
        }
    }
}
