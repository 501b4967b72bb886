//! Products of matrices whose operands are rounded to half precision, with sums in `f32`.

use super::plain::{Plain, numbers, numbers_mut};
use crate::ad::{Format, Half, Mixed};
use crate::device::{ConvShape, Layout};
use crate::kernel::gemm::{Factor, Mat, Product};
use crate::kernel::map::Arg;
use crate::kernel::pool::Buffer;
use crate::kernel::simd::vectorize;
use crate::kernel::{ElemKernels, FloatKernels, par};

/// The work of rounding a number, in the units of [`par`].
const COST: usize = 2;

/// `to ← from`, rounded.
fn round(format: Format, from: &[f32], to: &mut [f32]) {
    let pairs = to.iter_mut().zip(from);
    // The format is known inside each loop.
    match format {
        Format::Bf16 => vectorize::<f32, _>(
            #[inline(always)]
            || pairs.for_each(|(to, &x)| *to = Format::Bf16.round(x)),
        ),
        Format::F16 => vectorize::<f32, _>(
            #[inline(always)]
            || pairs.for_each(|(to, &x)| *to = Format::F16.round(x)),
        ),
    }
}

/// A rounded copy.
fn rounded(format: Format, x: &[f32]) -> Buffer<f32> {
    let mut out = Buffer::unspecified(x.len());
    par::parts(&mut out, COST, |start, part| {
        round(format, &x[start..start + part.len()], part)
    });
    out
}

/// A rounded copy of a view: of all that it spans, or dense where it leaves out more than it has.
fn rounded_view(format: Format, (x, layout): (&[f32], Layout)) -> (Buffer<f32>, Layout) {
    if layout.numel() == 0 {
        return (Buffer::unspecified(0), Layout::dense(*layout.dims()));
    }
    let (start, end) = (layout.offset(), layout.end());
    if end - start <= 2 * layout.numel() {
        return (rounded(format, &x[start..end]), layout.at(0));
    }
    let mut dense = Buffer::unspecified(layout.numel());
    <f32 as ElemKernels>::copy(&mut dense, layout.dims(), Arg::View(x, layout));
    (rounded(format, &dense), Layout::dense(*layout.dims()))
}

/// A rounded copy of a matrix without gaps, whose neighbours stay neighbours.
fn rounded_matrix(format: Format, (x, at, mat): Factor<'_, f32>) -> (Buffer<f32>, Mat) {
    let columns = mat.row_step == 1 && mat.col_step != 1;
    let [lines, length, step, inner] = match columns {
        true => [mat.cols, mat.rows, mat.col_step, 1],
        false => [mat.rows, mat.cols, mat.row_step, mat.col_step],
    };
    let mut out = Buffer::unspecified(lines * length);
    if step == length && inner == 1 {
        round(format, &x[at..at + lines * length], &mut out);
    } else if length > 0 {
        for (i, line) in out.chunks_exact_mut(length).enumerate() {
            let from = &x[at + i * step..];
            if inner == 1 {
                round(format, &from[..length], line);
            } else {
                for (j, to) in line.iter_mut().enumerate() {
                    *to = format.round(from[j * inner]);
                }
            }
        }
    }
    let [row_step, col_step] = if columns { [1, length] } else { [length, 1] };
    let mat = Mat {
        row_step,
        col_step,
        ..mat
    };
    (out, mat)
}

fn matrix_product(
    format: Format,
    threads: bool,
    scale: [f32; 2],
    a: Factor<'_, f32>,
    b: Factor<'_, f32>,
    out: (&mut [f32], usize, Mat),
) {
    let ((a, mat_a), (b, mat_b)) = (rounded_matrix(format, a), rounded_matrix(format, b));
    <f32 as Product>::matrix_product(threads, scale, (&a, 0, mat_a), (&b, 0, mat_b), out);
}

/// Inside attention and recurrent layers, and of numbers with tangents.
impl<H: Half> Product for Mixed<H> {
    fn matrix_product(
        threads: bool,
        scale: [Self; 2],
        (a, at_a, mat_a): Factor<'_, Self>,
        (b, at_b, mat_b): Factor<'_, Self>,
        (out, at_out, mat_out): (&mut [Self], usize, Mat),
    ) {
        matrix_product(
            H::FORMAT,
            threads,
            scale.plain(),
            (numbers(a), at_a, mat_a),
            (numbers(b), at_b, mat_b),
            (numbers_mut(out), at_out, mat_out),
        );
    }
}

/// `out ← beta·out + a·b`, for each matrix of the batch.
pub fn gemm<H: Half>(
    beta: Mixed<H>,
    a: (&[Mixed<H>], Layout),
    b: (&[Mixed<H>], Layout),
    out: (&mut [Mixed<H>], Layout),
) {
    let (a, b) = (
        rounded_view(H::FORMAT, a.plain()),
        rounded_view(H::FORMAT, b.plain()),
    );
    <f32 as FloatKernels>::gemm(beta.plain(), (&a.0, a.1), (&b.0, b.1), out.plain());
}

// Unfolding takes entries as they are: rounded before, they are rounded once.

macro_rules! convolutions {
    ($($(#[$doc:meta])* $name:ident($a:ident, $b:ident);)*) => { $(
        $(#[$doc])*
        pub fn $name<H: Half>(shape: &ConvShape, $a: &[Mixed<H>], $b: &[Mixed<H>], out: &mut [Mixed<H>]) {
            let [a, b] = [$a, $b].map(|x| rounded(H::FORMAT, numbers(x)));
            <f32 as FloatKernels>::$name(shape, &a, &b, numbers_mut(out));
        }
    )* };
}
convolutions! {
    /// `out ← W · unfold(x)`
    conv(x, w);
    /// `out ← unfoldᵀ(Wᵀ · ct)`
    conv_input(w, ct);
    /// `out ← Σ ct · unfold(x)ᵀ`
    conv_weight(x, ct);
}
