//! The operations of each method of `Backend` and its relatives.
//!
//! Dense linear algebra: Golub and Van Loan, *Matrix Computations*, 4th edition; where a method iterates, the usual number of
//! sweeps. Fourier transforms: `5 n log₂ n` for a row, as fftw counts.

use super::call::Call;
use super::functions::{DIVISION, EXPONENTIAL, Part, binary, binary_pullback, region, unary};
use autodiff_core::device::{
    AdamStep, AttentionShape, BinaryOp, ConvShape, FoldOp, Interpolation, NormShape, PoolShape,
    Recurrence, Resample, SgdStep, UnaryOp,
};

/// How many operations a call takes.
type Operations = fn(&Call<'_>) -> f64;

macro_rules! table {
    ($($($name:literal)|+ => $operations:expr;)*) => {
        /// The row of a method; none if it is not in the table.
        pub(super) fn operations(name: &str) -> Option<Operations> {
            Some(match name {
                $($($name)|+ => $operations,)*
                _ => return None,
            })
        }
    };
}

/// Whether a method reads the buffers that it writes without saying so: the step of an optimiser.
pub(super) fn changes(name: &str) -> bool {
    matches!(
        name,
        "add_scaled" | "sgd" | "adam" | "scatter_add" | "add_along" | "add_axis" | "triangle"
    )
}

table! {
    "fill" | "copy" | "gather" | "take_along" | "select_axis" | "put_along" => |_| 0.0;
    "triangle" => |_| 0.0;
    "cast" | "compare" | "select" | "integer" => |c| c.made();
    "integer_sum" | "count" | "arg_reduce" => |c| c.numel("x");
    // A counter-based generator and the change of its bits into a number.
    "random" => |c| 20.0 * c.made();
    "dropout" => |c| 20.0 * c.made();
    "gemm" => |c| {
        let beta = c.attribute::<f64>("beta").unwrap_or(0.0);
        2.0 * c.numel("out") * c.size("a", 1) + if beta == 0.0 { 0.0 } else { c.numel("out") }
    };
    "unary" => |c| c.made() * c.attribute::<UnaryOp>("op").map_or(0.0, |op| unary(op).0);
    "unary_pullback" => |c| c.made() * c.attribute::<UnaryOp>("op").map_or(0.0, |op| unary(op).1) + c.added();
    "binary" => |c| c.made() * c.attribute::<BinaryOp>("op").map_or(0.0, binary) + c.added();
    "binary_pullback" => |c| c.made() * c.attribute::<BinaryOp>("op").map_or(0.0, binary_pullback) + c.added();
    "reduce" => |c| c.numel("x") + c.added();
    "scatter_add" | "add_along" | "add_axis" => |c| c.numel("x");
    "region" => |c| c.region_numel() * region(c, &Part::Value);
    "region_pullback" => |c| c.region_numel() * region(c, &Part::Pullback);
    "region_sum" => |c| {
        let slopes = if c.node.results().len() > 1 { region(c, &Part::Pullback) } else { 0.0 };
        c.region_numel() * (1.0 + region(c, &Part::Value) + slopes)
    };
    "region_along" => |c| c.region_numel() * (1.0 + region(c, &Part::Value));
    "region_pushforward" => |c| c.region_numel() * region(c, &Part::Pushforward);
    "add_scaled" => |c| 2.0 * c.numel("x");
    "affine" => |c| c.numel("out") * (2.0 * c.size("x", 1) + 1.0);
    "extreme_pullback" => |c| 3.0 * c.numel("x") + c.added();
    // The largest, the difference, its exponential, the sum, the quotient.
    "softmax" => |c| c.numel("x") * (3.0 + EXPONENTIAL + DIVISION);
    "softmax_pullback" => |c| 4.0 * c.numel("y") + c.added();
    "cross_entropy" => |c| c.numel("x") * (3.0 + EXPONENTIAL);
    "cross_entropy_pullback" => |c| c.numel("x") * (3.0 + EXPONENTIAL) + c.added();
    // Mean and variance, then a product and a sum twice.
    "norm" => |c| 8.0 * norm(c);
    "norm_pullback" => |c| 16.0 * norm(c);
    "norm_pushforward" => |c| 10.0 * norm(c);
    "channel_affine" => |c| 3.0 * c.numel("x");
    "channel_moments" => |c| 3.0 * c.numel("x");
    "sgd" => |c| {
        let step = c.attribute::<SgdStep>("step");
        let more = step.map_or(0.0, |s| {
            2.0 * f64::from(u8::from(s.weight_decay != 0.0)) + 4.0 * f64::from(u8::from(s.momentum != 0.0))
        });
        c.numel("grad") * (2.0 + more)
    };
    "adam" => |c| {
        let decay = c.attribute::<AdamStep>("step").is_some_and(|s| s.weight_decay != 0.0);
        c.numel("grad") * (14.0 + if decay { 2.0 } else { 0.0 })
    };
    "attention" => |c| attention(c, 1.0, 1.0, 1.0);
    // The scores again, the cotangents of the weights, and three products.
    "attention_pullback" => |c| attention(c, 3.0, 2.0, 1.5);
    "attention_pushforward" => |c| attention(c, 3.0, 2.0, 1.5);
    "recurrence" => |c| recurrence(c, 1.0);
    "recurrence_pullback" => |c| recurrence(c, 1.0);
    "recurrence_pushforward" => |c| recurrence(c, 1.0);
    // Two ways through twice the labels for each frame; both directions for the derivative.
    "ctc" => |c| ctc(c);
    "ctc_pullback" => |c| 2.0 * ctc(c) + c.numel("x");
    "fold" => |c| c.numel("x") * fold(c);
    "fold_pullback" => |c| c.numel("x") * (fold(c) + 2.0);
    "scan" => |c| c.numel("x");
    "cumprod_pullback" => |c| 4.0 * c.numel("x");
    "cumprod_pushforward" => |c| 4.0 * c.numel("x");
    "argsort" => |c| c.numel("x") * log2(c.size("x", 1));

    "conv" => |c| convolution(c);
    "conv_input" => |c| convolution(c);
    "conv_weight" => |c| convolution(c);
    "unfold_windows" => |_| 0.0;
    "fold_windows" => |c| c.numel("matrix");
    "pool" => |c| pooling(c);
    "pool_pullback" => |c| pooling(c) + c.numel("ct");
    "pool_pushforward" => |c| pooling(c);
    // The sum of two neighbours along each of two axes.
    "resample" | "resample_pullback" => |c| match c.attribute::<Resample>("shape").map(|s| s.by) {
        Some(Interpolation::Nearest) => c.numel("ct"),
        _ => 6.0 * c.numel("out").max(c.numel("ct")),
    };

    "lu" => |c| cubes(c, "x", 2.0 / 3.0);
    "determinant" => |c| cubes(c, "x", 2.0 / 3.0);
    "lu_solve" => |c| 2.0 * c.numel("out") * c.size("lu", 1);
    "lu_determinant" => |c| c.numel("lu").sqrt() * (1.0 + EXPONENTIAL);
    // By singular values.
    "cofactor" => |c| cubes(c, "x", 24.0);
    "solve_triangular" => |c| c.numel("out") * c.size("a", 1);
    "cholesky" => |c| cubes(c, "x", 1.0 / 3.0);
    "qr" => |c| {
        let (count, m, n) = c.matrices("x");
        let k = m.min(n);
        count * 2.0 * (2.0 * m * n * k - (m + n) * k * k + 2.0 / 3.0 * k * k * k)
    };
    "eigh" => |c| cubes(c, "x", if c.node.results().len() > 1 { 9.0 } else { 4.0 / 3.0 });
    "svd" => |c| {
        let (count, m, n) = c.matrices("x");
        let (m, n) = (m.max(n), m.min(n));
        let vectors = c.node.results().len() > 1;
        count * if vectors { 14.0 * m * n * n + 8.0 * n * n * n } else { 2.0 * m * n * n + 2.0 * n * n * n }
    };
    "divide_gaps" => |c| (1.0 + DIVISION) * c.numel("x");
    // An approximant of degree 13: six products, a solution, and a few squarings (Higham 2005).
    "matrix_exp" => |c| cubes(c, "x", 18.0);
    // Of a matrix of twice the size.
    "matrix_exp_derivative" => |c| cubes(c, "x", 8.0 * 18.0);

    "fft" => |c| fourier(c.numel("x"), c.size("x", 1));
    "rfft" => |c| fourier(c.numel("x"), c.size("x", 1)) / 2.0;
    "irfft" => |c| fourier(c.numel("out"), c.size("out", 1)) / 2.0;
}

fn log2(n: f64) -> f64 {
    n.max(2.0).log2()
}

fn fourier(all: f64, row: f64) -> f64 {
    5.0 * all * log2(row)
}

fn norm(c: &Call<'_>) -> f64 {
    c.attribute::<NormShape>("shape")
        .map_or(0.0, |s| (s.rows * s.width) as f64)
}

/// Products of queries and keys, products with values, and what is done with each weight.
fn attention(c: &Call<'_>, scores: f64, values: f64, weights: f64) -> f64 {
    c.attribute::<AttentionShape>("shape").map_or(0.0, |s| {
        let seen: usize = (0..s.queries).map(|i| s.seen(i, s.keys)).sum();
        let bias = if s.biases > 0 { 1.0 } else { 0.0 };
        let dropout = if s.dropout.is_some() { 20.0 } else { 0.0 };
        let each = 2.0 * scores * s.width as f64
            + 2.0 * values * s.value_width as f64
            + weights * (4.0 + EXPONENTIAL + bias + dropout);
        (s.heads * seen) as f64 * each
    })
}

fn recurrence(c: &Call<'_>, products: f64) -> f64 {
    c.attribute::<Recurrence>("shape").map_or(0.0, |s| {
        let units = (s.steps * s.batch * s.hidden) as f64;
        let product = 2.0 * (s.hidden * s.cell.recurrent()) as f64;
        // A sigmoid or hyperbolic tangent for each slot, and the new state.
        units * (products * product + 16.0 * s.cell.slots() as f64 + 6.0)
    })
}

fn ctc(c: &Call<'_>) -> f64 {
    let (examples, frames) = (c.size("x", 3), c.size("x", 2));
    // Three ways into each of the labels and the blanks between them, added as logarithms.
    examples * frames * (2.0 * c.size("labels", 1) + 1.0) * (3.0 * EXPONENTIAL + 4.0)
}

fn fold(c: &Call<'_>) -> f64 {
    match c.attribute::<FoldOp>("op") {
        Some(FoldOp::Prod) => 1.0,
        Some(FoldOp::Var(_) | FoldOp::Std(_)) => 4.0,
        Some(FoldOp::Norm(p)) => {
            if p == 1.0 || p == 2.0 {
                2.0
            } else {
                25.0
            }
        }
        Some(FoldOp::LogSumExp) => 3.0 + EXPONENTIAL,
        None => 0.0,
    }
}

fn convolution(c: &Call<'_>) -> f64 {
    c.attribute::<ConvShape>("shape").map_or(0.0, |s| {
        let outputs = s.images * s.out_channels * s.output_len();
        2.0 * outputs as f64 * (s.channels / s.groups.max(1) * s.windows.volume()) as f64
    })
}

fn pooling(c: &Call<'_>) -> f64 {
    c.attribute::<PoolShape>("shape").map_or(0.0, |s| {
        let (input, output): (usize, usize) = (s.input.iter().product(), s.output.iter().product());
        // Windows that part the input see each entry about once.
        let each = s.windows.map_or(input, |w| output * w.volume());
        (s.rows * each) as f64
    })
}

/// A multiple of the cubes of square matrices.
fn cubes(c: &Call<'_>, name: &str, factor: f64) -> f64 {
    let (count, rows, columns) = c.matrices(name);
    factor * count * rows * columns * columns
}
