//! Matrix products, by the kernels of the `gemm` crate.

use super::nest::Nest;
use super::par;
use crate::device::{Float, Layout};
use gemm_common::Parallelism;

/// Multiplications of a matrix of a batch from which it is not left to one thread.
const CUT: usize = 384 * 384 * 384;
/// Multiplications of a part that is worth a thread.
const PART: usize = 1 << 23;
/// Rows or columns of an output that is divided. Its parts are longer than what the crate takes for a small product,
/// of which it divides the sums in another way.
const LONG: usize = 256;
/// Its other side: products by vectors and the like sum in other ways.
const THIN: usize = 8;
/// Parts have a multiple of this many columns and rows: whole tiles of the product.
const COLUMNS: usize = 64;
const ROWS: usize = 12;

/// Sizes of a matrix, and the steps from row to row and from column to column.
#[derive(Clone, Copy, Debug)]
pub struct Mat {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// From an element to the one below it.
    pub row_step: usize,
    /// From an element to the one at its right.
    pub col_step: usize,
}

/// An operand of a [`Product`]: a buffer, where the matrix begins in it, and the matrix.
pub type Factor<'a, T> = (&'a [T], usize, Mat);

/// An element type with matrix products.
pub trait Product: Sized {
    /// Whether of a cotangent that is a product only a part may be asked for.
    const OWES: bool = false;
    /// `out ← beta·out + alpha·a·b`, where the scale is `[alpha, beta]`. With `beta` 0 the output is not read;
    /// with `threads`, a large product is divided.
    fn matrix_product(
        threads: bool,
        scale: [Self; 2],
        a: Factor<'_, Self>,
        b: Factor<'_, Self>,
        out: (&mut [Self], usize, Mat),
    );
}

/// `(m, n, k, dst, dst_cs, dst_rs, read_dst, lhs, lhs_cs, lhs_rs, rhs, rhs_cs, rhs_rs, alpha, beta, conj_dst,
/// conj_lhs, conj_rhs, parallelism)`: `dst ← alpha·dst + beta·lhs·rhs`, with the steps between columns before those
/// between rows.
type Kernel<T> = unsafe fn(
    usize,
    usize,
    usize,
    *mut T,
    isize,
    isize,
    bool,
    *const T,
    isize,
    isize,
    *const T,
    isize,
    isize,
    T,
    T,
    bool,
    bool,
    bool,
    Parallelism,
);

/// A number that the `gemm` crate has kernels for.
trait Native: Float {
    /// The best kernel for this processor.
    fn kernel() -> Kernel<Self>;
}

macro_rules! native {
    ($($t:ident $kernels:ident)*) => { $(
        impl Native for $t {
            fn kernel() -> Kernel<$t> {
                $kernels::gemm::$t::get_gemm_fn()
            }
        }
        impl Product for $t {
            fn matrix_product(threads: bool, scale: [$t; 2], a: Factor<'_, $t>, b: Factor<'_, $t>, out: (&mut [$t], usize, Mat)) {
                whole(threads, scale, a, b, out)
            }
        }
    )* };
}
native!(f32 gemm_f32 f64 gemm_f64);

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
            return T::matrix_product(
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
                        T::matrix_product(
                            false,
                            [T::ONE, beta],
                            (a.0, ia, ma),
                            (b.0, ib, mb),
                            (part, io, mo),
                        );
                    },
                );
            };
            return par::each(out.chunks_mut(group * size).enumerate(), each);
        }
        nest.runs(0, count, 1, |_, [ia, ib, io], _| {
            T::matrix_product(
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

/// [`Product::matrix_product`] of numbers of the machine.
fn whole<T: Native>(
    threads: bool,
    scale: [T; 2],
    a: Factor<'_, T>,
    b: Factor<'_, T>,
    out: (&mut [T], usize, Mat),
) {
    let (m, n, k) = (out.2.rows, out.2.cols, a.2.cols);
    let parts = if threads && m.max(n) >= LONG && m.min(n) >= THIN {
        (m * n * k / PART).min(rayon::current_num_threads())
    } else {
        1
    };
    let read = |(x, at, mat): (&[T], usize, Mat)| Place {
        at: x[at.min(x.len())..].as_ptr().cast_mut(),
        mat,
    };
    let to = Place {
        at: out.0[out.1..].as_mut_ptr(),
        mat: out.2,
    };
    // SAFETY: the caller has checked that every element of the three layouts lies in its slice;
    // `out` is exclusive, and its layout is that of a dense or sliced tensor, without overlaps.
    unsafe { divided(parts, scale, read(a), read(b), to) }
}

/// A matrix in memory, without a borrow: threads write to parts of one output.
#[derive(Clone, Copy)]
struct Place<T> {
    at: *mut T,
    mat: Mat,
}

// SAFETY: a pointer to numbers; `divided` says who may use it for what.
unsafe impl<T: Float> Send for Place<T> {}

impl<T> Place<T> {
    fn rows(self, from: usize, to: usize) -> Self {
        Place {
            at: self.at.wrapping_add(from * self.mat.row_step),
            mat: Mat {
                rows: to - from,
                ..self.mat
            },
        }
    }

    fn transposed(self) -> Self {
        let Mat {
            rows,
            cols,
            row_step,
            col_step,
        } = self.mat;
        Place {
            at: self.at,
            mat: Mat {
                rows: cols,
                cols: rows,
                row_step: col_step,
                col_step: row_step,
            },
        }
    }

    fn columns(self, from: usize, to: usize) -> Self {
        Place {
            at: self.at.wrapping_add(from * self.mat.col_step),
            mat: Mat {
                cols: to - from,
                ..self.mat
            },
        }
    }
}

/// The product in parts of the output, of which each sums whole rows by whole columns: how many there are changes no
/// bit.
///
/// # Safety
/// All elements are in memory that may be read, those of `out` in memory that nobody else reads or writes meanwhile.
unsafe fn divided<T: Native>(parts: usize, scale: [T; 2], a: Place<T>, b: Place<T>, out: Place<T>) {
    let (m, n) = (out.mat.rows, out.mat.cols);
    if parts < 2 || m.max(n) < LONG {
        // SAFETY: as promised to this function.
        return unsafe { alone(scale, a, b, out) };
    }
    let left = parts / 2;
    let right = parts - left;
    let ((a1, b1, out1), (a2, b2, out2)) = if n >= m {
        let at = (n * left / parts).next_multiple_of(COLUMNS).min(n);
        (
            (a, b.columns(0, at), out.columns(0, at)),
            (a, b.columns(at, n), out.columns(at, n)),
        )
    } else {
        let at = (m * left / parts).next_multiple_of(ROWS).min(m);
        (
            (a.rows(0, at), b, out.rows(0, at)),
            (a.rows(at, m), b, out.rows(at, m)),
        )
    };
    par::both(
        // SAFETY: as promised to this function; the two parts of the output have no element in common.
        &mut move || unsafe { divided(left, scale, a1, b1, out1) },
        // SAFETY: as above.
        &mut move || unsafe { divided(right, scale, a2, b2, out2) },
    );
}

/// # Safety
/// As [`divided`].
unsafe fn alone<T: Native>([alpha, beta]: [T; 2], a: Place<T>, b: Place<T>, out: Place<T>) {
    // The kernels prefer outputs with the elements of a column next to each other: `outᵀ = bᵀ·aᵀ`.
    let (a, b, out) = if out.mat.col_step < out.mat.row_step {
        (b.transposed(), a.transposed(), out.transposed())
    } else {
        (a, b, out)
    };
    let step = |s: usize| isize::try_from(s).expect("a stride fits isize");
    // SAFETY: as promised to this function.
    unsafe {
        T::kernel()(
            out.mat.rows,
            out.mat.cols,
            a.mat.cols,
            out.at,
            step(out.mat.col_step),
            step(out.mat.row_step),
            beta != T::ZERO,
            a.at,
            step(a.mat.col_step),
            step(a.mat.row_step),
            b.at,
            step(b.mat.col_step),
            step(b.mat.row_step),
            beta,
            alpha,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::matrix::{Matrix, product};

    #[test]
    fn products_do_not_depend_on_threads() {
        let wave = |n: usize| -> Vec<f32> {
            let wave = |i: usize| ((i * 37 % 101) as f32 / 50.0 - 1.0).sin();
            (0..n).map(wave).collect()
        };
        // Long in either direction, with a long and a short sum; sizes that no part is a multiple of.
        for [m, n, k] in [
            [333, 257, 300],
            [40, 997, 700],
            [1601, 70, 211],
            [64, 257, 2500],
            [8, 257, 9000],
        ] {
            let (a, b) = (wave(m * k), wave(k * n));
            let with = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                let mut out = wave(m * n);
                pool.build().unwrap().install(|| {
                    let (a, b) = (Matrix::rows(&a, k), Matrix::rows(&b, n));
                    product(true, 1.5, a, b, 0.5, &mut out);
                });
                out
            };
            let one = with(1);
            assert!(m * n * k / PART > 1, "large enough to be divided");
            for threads in [2, 3, 8] {
                assert!(one == with(threads), "{m} {n} {k}, {threads} threads");
            }
        }
    }
}
