//! Maxima and means over windows.

use super::par;
use crate::device::{Float, PoolOp, PoolShape, Windows};

/// Along one axis, the entries that each window has inside the input.
fn axis(shape: &PoolShape, axis: usize) -> Vec<Vec<usize>> {
    let (n, out) = (shape.input[axis], shape.output[axis]);
    let window = |i: usize| -> Vec<usize> {
        match &shape.windows {
            Some(w) => sliding(w, axis, i, n),
            // Parts as even as whole entries allow; they overlap by one where they must.
            None => (i * n / out..((i + 1) * n).div_ceil(out)).collect(),
        }
    };
    (0..out).map(window).collect()
}

fn sliding(w: &Windows, axis: usize, i: usize, n: usize) -> Vec<usize> {
    (0..w.size[axis])
        .filter_map(|k| (i * w.stride[axis] + k * w.dilation[axis]).checked_sub(w.pad[axis]))
        .filter(|&at| at < n)
        .collect()
}

/// The windows of one row, and how many entries each counts.
struct Plan {
    axes: [Vec<Vec<usize>>; 3],
    input: [usize; 3],
    /// The divisor of a mean, if it is the same for all.
    volume: Option<usize>,
}

impl Plan {
    fn new(shape: &PoolShape) -> Self {
        Plan {
            axes: [axis(shape, 0), axis(shape, 1), axis(shape, 2)],
            input: shape.input,
            volume: shape.windows.as_ref().map(Windows::volume),
        }
    }

    /// Calls `f(number of the window, its entries)` for every window.
    #[inline(always)]
    fn each(&self, mut f: impl FnMut(usize, Region<'_>)) {
        let mut o = 0;
        for a in &self.axes[0] {
            for b in &self.axes[1] {
                for c in &self.axes[2] {
                    let input = self.input;
                    f(o, Region { a, b, c, input });
                    o += 1;
                }
            }
        }
    }

    fn divisor<T: Float>(&self, r: Region<'_>) -> T {
        let all = self.volume.unwrap_or(r.a.len() * r.b.len() * r.c.len());
        T::lit(all as f64)
    }
}

/// The entries of one window.
#[derive(Clone, Copy)]
struct Region<'a> {
    a: &'a [usize],
    b: &'a [usize],
    c: &'a [usize],
    input: [usize; 3],
}

impl Region<'_> {
    #[inline(always)]
    fn for_each(self, mut f: impl FnMut(usize)) {
        for &i in self.a {
            for &j in self.b {
                let line = (i * self.input[1] + j) * self.input[2];
                self.c.iter().for_each(|&k| f(line + k));
            }
        }
    }

    /// The position of the first largest entry; a NaN counts as largest.
    #[inline(always)]
    fn largest<T: Float>(self, x: &[T]) -> usize {
        let mut best = usize::MAX;
        self.for_each(|at| {
            let nan = |v: T| v.partial_cmp(&v).is_none();
            if best == usize::MAX || x[at] > x[best] || nan(x[at]) && !nan(x[best]) {
                best = at;
            }
        });
        assert!(best < usize::MAX, "a window has an entry inside the input");
        best
    }
}

/// Calls `f(number of the row, the windows, output of the row)` for every row.
fn rows<T: Float>(
    shape: &PoolShape,
    width: usize,
    out: &mut [T],
    f: impl Fn(usize, &Plan, &mut [T]) + Sync,
) {
    let plan = Plan::new(shape);
    let volume = plan.volume.unwrap_or(4);
    par::rows(out, width, 2 * volume, |first, part| {
        for (row, out) in part.chunks_mut(width).enumerate() {
            f(first + row, &plan, out);
        }
    });
}

/// Both lengths of a row: of the input and of the output.
fn lens(shape: &PoolShape) -> (usize, usize) {
    (shape.input.iter().product(), shape.output.iter().product())
}

/// `out ←` the largest, or the mean, of each window.
pub fn pool<T: Float>(op: PoolOp, shape: &PoolShape, x: &[T], out: &mut [T]) {
    let (n, m) = lens(shape);
    rows(shape, m, out, |row, plan, out| {
        let x = &x[row * n..][..n];
        match op {
            PoolOp::Max => plan.each(|o, r| out[o] = x[r.largest(x)]),
            PoolOp::Mean => plan.each(|o, r| {
                let mut sum = T::ZERO;
                r.for_each(|at| sum = sum + x[at]);
                out[o] = sum / plan.divisor(r);
            }),
        }
    });
}

/// `out ←` the cotangent of the input of [`pool`], from that of its output.
pub fn pullback<T: Float>(op: PoolOp, shape: &PoolShape, x: &[T], ct: &[T], out: &mut [T]) {
    let (n, m) = lens(shape);
    rows(shape, n, out, |row, plan, out| {
        let ct = &ct[row * m..][..m];
        out.fill(T::ZERO);
        match op {
            PoolOp::Max => {
                let x = &x[row * n..][..n];
                plan.each(|o, r| {
                    let at = r.largest(x);
                    out[at] = out[at] + ct[o];
                });
            }
            PoolOp::Mean => plan.each(|o, r| {
                let share = ct[o] / plan.divisor(r);
                r.for_each(|at| out[at] = out[at] + share);
            }),
        }
    });
}

/// `out ←` the tangent of the largest entry of each window.
pub fn pushforward<T: Float>(shape: &PoolShape, x: &[T], t: &[T], out: &mut [T]) {
    let (n, m) = lens(shape);
    rows(shape, m, out, |row, plan, out| {
        let (x, t) = (&x[row * n..][..n], &t[row * n..][..n]);
        plan.each(|o, r| out[o] = t[r.largest(x)]);
    });
}
