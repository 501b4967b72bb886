//! Matrix products, through the `gemm` crate.

use super::nest::Nest;
use crate::device::{Float, Layout};
use gemm::Parallelism;
use rayon::prelude::*;

/// Multiplications below which one thread is faster.
const CUT: usize = 384 * 384 * 384;

/// Sizes of a matrix, and the steps from row to row and from column to column.
#[derive(Clone, Copy)]
pub(super) struct Mat {
    pub rows: usize,
    pub cols: usize,
    pub row_step: usize,
    pub col_step: usize,
}

fn mat(l: &Layout) -> (Mat, Layout) {
    let r = l.dims().rank();
    assert!(r >= 2, "a matrix product needs at least two axes");
    let m = Mat {
        rows: l.dims()[r - 2],
        cols: l.dims()[r - 1],
        row_step: l.strides()[r - 2],
        col_step: l.strides()[r - 1],
    };
    let heads = l
        .slice(r - 1, 0, m.cols.min(1))
        .slice(r - 2, 0, m.rows.min(1));
    (m, heads)
}

/// `out ← beta·out + a·b`, for each matrix of the batch.
pub fn gemm<T: Float>(beta: T, a: (&[T], Layout), b: (&[T], Layout), out: (&mut [T], Layout)) {
    let ((ma, ha), (mb, hb), (mo, ho)) = (mat(&a.1), mat(&b.1), mat(&out.1));
    assert!(
        ma.cols == mb.rows && mo.rows == ma.rows && mo.cols == mb.cols,
        "{:?} times {:?} is not {:?}",
        a.1.dims(),
        b.1.dims(),
        out.1.dims()
    );
    let r = out.1.dims().rank() - 2;
    assert!(
        a.1.dims()[..r] == out.1.dims()[..r] && b.1.dims()[..r] == out.1.dims()[..r],
        "batches differ"
    );
    let count = out.1.dims()[..r].iter().product();
    if count == 0 || mo.rows == 0 || mo.cols == 0 {
        return;
    }
    for (l, n) in [(&a.1, a.0.len()), (&b.1, b.0.len()), (&out.1, out.0.len())] {
        assert!(l.end() <= n, "a matrix ends after its buffer");
    }
    if ma.cols > 0 {
        // Matrices that follow one another and meet the same right operand are one tall matrix.
        if hb.strides()[..r].iter().all(|&s| s == 0)
            && let (Some(ta), Some(to)) = (tall(&a.1), tall(&out.1))
        {
            return one(
                true,
                [T::ONE, beta],
                (a.0, a.1.offset(), ta),
                (b.0, b.1.offset(), mb),
                (out.0, out.1.offset(), to),
            );
        }
        let nest = Nest::new(ho.dims(), [&ha, &hb, &ho]);
        let work = mo.rows * mo.cols * ma.cols;
        if out.1.is_contiguous()
            && work < CUT
            && work * count >= CUT / 2
            && rayon::current_num_threads() > 1
        {
            // Small matrices: each is a task of one thread.
            let size = mo.rows * mo.cols;
            let group = (CUT / 8 / work).clamp(1, count);
            let out = &mut out.0[out.1.offset()..][..count * size];
            let each = |(i, part): (usize, &mut [T])| {
                nest.runs(
                    i * group,
                    i * group + part.len() / size,
                    1,
                    |at, [ia, ib, _], _| {
                        let io = (at - i * group) * size;
                        one(
                            false,
                            [T::ONE, beta],
                            (a.0, ia, ma),
                            (b.0, ib, mb),
                            (part, io, mo),
                        );
                    },
                );
            };
            return out.par_chunks_mut(group * size).enumerate().for_each(each);
        }
        nest.runs(0, count, 1, |_, [ia, ib, io], _| {
            one(
                true,
                [T::ONE, beta],
                (a.0, ia, ma),
                (b.0, ib, mb),
                (out.0, io, mo),
            )
        });
        return;
    }
    // An empty sum.
    Nest::new(out.1.dims(), [&out.1]).runs(0, out.1.numel(), 1, |_, [at], _| {
        out.0[at] = if beta == T::ZERO {
            T::ZERO
        } else {
            beta * out.0[at]
        };
    });
}

/// All rows of a batch as one matrix, if a single step leads from row to row.
fn tall(l: &Layout) -> Option<Mat> {
    let r = l.dims().rank();
    let (mut rows, step) = (l.dims()[r - 2], l.strides()[r - 2]);
    for i in (0..r - 2).rev() {
        if l.dims()[i] != 1 && l.strides()[i] != rows * step {
            return None;
        }
        rows *= l.dims()[i];
    }
    Some(Mat {
        rows,
        cols: l.dims()[r - 1],
        row_step: step,
        col_step: l.strides()[r - 1],
    })
}

/// `out ← beta·out + alpha·a·b`; each operand is a buffer, where the matrix begins in it, and the matrix. With
/// `beta` 0 the output is not read; with `threads`, a large product is divided.
pub(super) fn one<T: Float>(
    threads: bool,
    [alpha, beta]: [T; 2],
    a: (&[T], usize, Mat),
    b: (&[T], usize, Mat),
    out: (&mut [T], usize, Mat),
) {
    let (m, n, k) = (out.2.rows, out.2.cols, a.2.cols);
    let par = if threads && m * n * k >= CUT && rayon::current_num_threads() > 1 {
        Parallelism::Rayon(0)
    } else {
        Parallelism::None
    };
    let step = |s: usize| isize::try_from(s).expect("a stride fits isize");
    // SAFETY: the caller has checked that every element of the three layouts lies in its slice;
    // `out` is exclusive, and its layout is that of a dense or sliced tensor, without overlaps.
    // The crate computes `dst ← alpha·dst + beta·lhs·rhs` and takes column strides first.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.0.as_mut_ptr().add(out.1),
            step(out.2.col_step),
            step(out.2.row_step),
            beta != T::ZERO,
            a.0.as_ptr().add(a.1),
            step(a.2.col_step),
            step(a.2.row_step),
            b.0.as_ptr().add(b.1),
            step(b.2.col_step),
            step(b.2.row_step),
            beta,
            alpha,
            false,
            false,
            false,
            par,
        );
    }
}
