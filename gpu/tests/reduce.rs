//! Sums, extremes and other folds against plain loops.

#[path = "support/nest.rs"]
mod nest;
mod support;

use differentiable_gpu::{Arg, Gpu};
use nest::{Real, Strides, all, close, dense, down, nest, noise, places, run, up};
use std::sync::Arc;
use support::{get, gpu, put, set_order};

const FILES: [&str; 3] = [
    include_str!("../kernels/group.cuh"),
    include_str!("../kernels/fold.cuh"),
    include_str!("../kernels/reduce.cu"),
];
const AGAIN: &str = include_str!("../kernels/fold_again.cu");
const PULLBACK: &str = include_str!("../kernels/fold_pullback.cu");
const OTHERS: &str = include_str!("../kernels/fold_others.cu");

/// The folds, by which `fold.cuh` numbers them.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Sum,
    Mean,
    Max,
    Min,
    Prod,
    MeanAbout,
    Variance,
    Rest,
    Norm1,
    Norm2,
    NormP,
    LogSumExp,
    Exponentials,
    Hits,
    Moments,
    NormSums,
    ArgMax,
    ArgMin,
    Count,
    IntegerSum,
}
use Op::*;

/// An operand, and which of its axes are reduced.
#[derive(Clone, Debug)]
struct Case {
    dims: Vec<usize>,
    strides: Strides,
    reduced: Vec<bool>,
}

impl Case {
    fn new(dims: &[usize], strides: Strides, reduced: &[usize]) -> Case {
        let reduced = (0..dims.len()).map(|axis| reduced.contains(&axis));
        Case {
            dims: dims.into(),
            strides,
            reduced: reduced.collect(),
        }
    }
    fn dense(dims: &[usize], reduced: &[usize]) -> Case {
        Case::new(dims, dense(dims), reduced)
    }
    /// The sizes of the axes that are kept, or of the others; the rest 1.
    fn sizes(&self, reduced: bool) -> Vec<usize> {
        let axes = self.dims.iter().zip(&self.reduced);
        axes.map(|(n, is)| if *is == reduced { *n } else { 1 })
            .collect()
    }
    fn outputs(&self) -> usize {
        self.sizes(false).iter().product()
    }
    fn count(&self) -> usize {
        self.sizes(true).iter().product()
    }
    /// The elements of the buffer.
    fn len(&self) -> usize {
        places(&self.dims, &self.strides)
            .into_iter()
            .max()
            .map_or(1, |last| last + 1)
    }
    /// The places of the elements of each output.
    fn rows(&self) -> Vec<Vec<usize>> {
        let inside = places(&self.sizes(true), &Strides(self.strides.0.clone(), 0));
        let first = places(&self.sizes(false), &self.strides);
        first
            .iter()
            .map(|at| inside.iter().map(|i| at + i).collect())
            .collect()
    }
    fn kept(&self) -> Vec<u8> {
        let dims = self.sizes(false);
        let own = dense(&dims);
        nest(
            &dims,
            &[self.strides.clone(), own.clone(), own.clone(), own],
        )
    }
    fn inside(&self) -> Vec<u8> {
        nest(&self.sizes(true), &[Strides(self.strides.0.clone(), 0)])
    }
}

/// Numbers that some folds take beside the elements.
#[derive(Clone, Copy)]
struct Given {
    free: f64,
    p: f64,
    flag: i32,
}
const NONE: Given = Given {
    free: 1.0,
    p: 1.0,
    flag: 0,
};

type Buffers<'a> = [Arg<'a>; 6];

/// Launches a fold; `buffers` are x, z, a, b, out and second.
fn launch(
    gpu: &Arc<Gpu>,
    (op, c): (Op, &str),
    case: &Case,
    (kernel, side, parts): (&str, usize, usize),
    buffers: Buffers<'_>,
    given: Given,
) {
    let before = format!("typedef {c} T;\n#define OP {}\n", op as i32);
    let norm = [Norm2, NormP].contains(&op);
    let files = [&FILES[..], if norm { &[AGAIN] } else { &[] }].concat();
    let (kept, inside) = (case.kept(), case.inside());
    let (outputs, part) = (
        case.outputs(),
        case.count().div_ceil(parts).next_multiple_of(4),
    );
    let partial = gpu.alloc(16 * parts * outputs.max(1)).unwrap();
    let mut args = buffers.to_vec();
    args.push(if parts > 1 {
        (&partial).into()
    } else {
        Arg::Address(0)
    });
    args.extend([Arg::Bytes(&kept), Arg::Bytes(&inside)]);
    args.extend([parts as i64, part as i64].map(Arg::I64));
    args.push(Arg::I32(side as i32));
    args.extend([case.count() as f64, given.free, given.p].map(Arg::F64));
    args.push(Arg::I32(given.flag));
    // Few blocks, so that each has several turns.
    run(
        gpu,
        &before,
        &files,
        kernel,
        [2, if parts > 1 { 2 } else { 1 }],
        &args,
    );
    if parts > 1 {
        args[11] = Arg::I32(32);
        run(gpu, &before, &files, "fold_parts", [1, 1], &args);
    }
}

const WAYS: [(&str, usize, usize); 8] = [
    ("fold_rows", 1, 1),
    ("fold_rows", 8, 1),
    ("fold_rows", 32, 1),
    ("fold_rows", 256, 1),
    ("fold_rows", 256, 3),
    ("fold_columns", 4, 1),
    ("fold_columns", 32, 2),
    ("fold_columns", 256, 1),
];

fn cases() -> Vec<Case> {
    vec![
        Case::dense(&[5, 37], &[1]),
        Case::dense(&[37, 5], &[0]),
        Case::dense(&[3, 4, 50], &[0, 2]),
        Case::dense(&[7, 6, 70], &[0, 1, 2]),
        Case::dense(&[2, 3, 4, 5, 6], &[0, 2, 4]),
        Case::new(&[9, 40], Strides(vec![1, 9], 3), &[1]),
        Case::new(&[6, 10], Strides(vec![40, 2], 5), &[1]),
        Case::new(&[6, 10], Strides(vec![0, 1], 0), &[0]),
        Case::dense(&[4, 0, 3], &[1]),
        Case::dense(&[4, 0, 3], &[0]),
        Case::dense(&[70], &[]),
        Case::dense(&[2100, 3], &[0]),
    ]
}

fn reference(op: Op, x: &[f64], shift: f64, mate: f64, given: Given) -> f64 {
    let n = x.len() as f64;
    let sum = |f: &dyn Fn(f64) -> f64| x.iter().map(|x| f(*x)).sum::<f64>();
    let largest = |x: &[f64]| x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match op {
        Sum => sum(&|x| x),
        Mean | MeanAbout => sum(&|x| x) / n,
        Max => largest(x),
        Min => -largest(&x.iter().map(|x| -x).collect::<Vec<_>>()),
        Prod => x.iter().product(),
        Variance => {
            let mean = sum(&|x| x) / n;
            let v = sum(&|x| (x - mean).powi(2)) / given.free;
            if given.flag == 1 { v.sqrt() } else { v }
        }
        Norm1 => sum(&f64::abs),
        Norm2 => sum(&|x| x * x).sqrt(),
        NormP => sum(&|x| x.abs().powf(given.p)).powf(1.0 / given.p),
        LogSumExp => {
            let m = largest(x);
            if m.is_infinite() {
                m
            } else {
                m + sum(&|x| (x - m).exp()).ln()
            }
        }
        Hits => match sum(&|x| f64::from(x == shift)) {
            0.0 => f64::NAN,
            hits => mate / hits,
        },
        _ => unreachable!("compared elsewhere"),
    }
}

fn folds<T: Real>(ops: &[Op]) {
    let Some(gpu) = gpu() else { return };
    for case in cases() {
        let (outputs, count) = (case.outputs(), case.count());
        let x: Vec<f64> = noise(case.len(), 7)
            .iter()
            .map(|x| T::new((x * 8.0).round() / 8.0 + 0.5).value())
            .collect();
        let rows = case.rows();
        let elements = |o: usize| rows[o].iter().map(|at| x[*at]).collect::<Vec<_>>();
        for &op in ops {
            let given = match op {
                Variance => Given {
                    free: (count as f64 - 1.0).max(0.0),
                    flag: i32::from(count % 2 == 0),
                    ..NONE
                },
                NormP => Given { p: 3.0, ..NONE },
                _ => NONE,
            };
            let shift: Vec<f64> = match op {
                Variance => (0..outputs)
                    .map(|o| reference(Mean, &elements(o), 0.0, 0.0, NONE))
                    .collect(),
                _ => (0..outputs)
                    .map(|o| reference(Max, &elements(o), 0.0, 0.0, NONE))
                    .collect(),
            };
            let mate = noise(outputs, 3);
            let expected: Vec<f64> = (0..outputs)
                .map(|o| reference(op, &elements(o), shift[o], T::new(mate[o]).value(), given))
                .collect();
            let (xd, a, b) = (
                up::<T>(&gpu, &x),
                up::<T>(&gpu, &shift),
                up::<T>(&gpu, &mate),
            );
            for way in WAYS {
                let mut first: Option<Vec<T>> = None;
                for order in [0, 1, 2] {
                    set_order(order);
                    let out = up::<T>(&gpu, &vec![9.0; outputs]);
                    let buffers = [
                        (&xd).into(),
                        Arg::Address(0),
                        (&a).into(),
                        (&b).into(),
                        (&out).into(),
                        Arg::Address(0),
                    ];
                    launch(&gpu, (op, T::C), &case, way, buffers, given);
                    let found = get::<T>(&gpu, &out);
                    close(
                        (op, &case, way),
                        &found,
                        &expected,
                        1.0 + (count as f64).sqrt(),
                    );
                    let same = |a: &[T], b: &[T]| {
                        a.iter()
                            .zip(b)
                            .all(|(a, b)| a.value().to_bits() == b.value().to_bits())
                    };
                    assert!(
                        first.as_ref().is_none_or(|first| same(first, &found)),
                        "{op:?} {case:?} {way:?}: another order"
                    );
                    first = Some(found);
                    if count > 300 {
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn sums_and_extremes() {
    folds::<f32>(&[Sum, Mean, Max, Min, MeanAbout, Hits]);
    folds::<f64>(&[Sum, Mean, Max, Min, MeanAbout, Hits]);
}

#[test]
fn products_variances_and_norms() {
    folds::<f32>(&[Variance, Norm1, Norm2, NormP, LogSumExp]);
    folds::<f64>(&[Variance, Norm1, Norm2, NormP, LogSumExp]);
}

/// One row, all ways.
fn row<T: Real>(gpu: &Arc<Gpu>, op: Op, x: &[f64], given: Given, before: f64) -> Vec<f64> {
    let case = Case::dense(&[1, x.len()], &[1]);
    let xd = up::<T>(gpu, x);
    let mut found = Vec::new();
    for way in WAYS {
        let (out, second) = (up::<T>(gpu, &[before]), up::<T>(gpu, &[0.0]));
        let buffers = [
            (&xd).into(),
            Arg::Address(0),
            Arg::Address(0),
            Arg::Address(0),
            (&out).into(),
            (&second).into(),
        ];
        launch(gpu, (op, T::C), &case, way, buffers, given);
        found.push(down::<T>(gpu, &out)[0]);
    }
    found
}

#[test]
fn numbers_that_are_none() {
    let Some(gpu) = gpu() else { return };
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let mut x = noise(40, 5);
    let is = |op, x: &[f64], expected: f64| {
        for found in row::<f32>(&gpu, op, x, NONE, 0.0)
            .into_iter()
            .chain(row::<f64>(&gpu, op, x, NONE, 0.0))
        {
            assert!(
                found == expected || found.is_nan() && expected.is_nan(),
                "{op:?}: {found} for {expected}"
            );
        }
    };
    x[17] = inf;
    is(Max, &x, inf);
    is(LogSumExp, &x, inf);
    is(Exponentials, &x, 0.0);
    x[3] = inf;
    is(LogSumExp, &x, inf);
    x[30] = nan;
    for op in [Sum, Mean, Max, Min, Prod, LogSumExp, Norm2] {
        is(op, &x, nan);
    }
    is(LogSumExp, &[-inf; 9], -inf);
    is(Max, &[-inf; 9], -inf);
    is(Min, &[inf; 9], inf);
    is(LogSumExp, &[-inf, -inf, 0.0, -inf], 0.0);
    is(Sum, &[], 0.0);
    is(Mean, &[], nan);
    is(MeanAbout, &[], nan);
    is(Prod, &[], 1.0);
    is(Max, &[], -inf);
    is(Min, &[], inf);
    is(LogSumExp, &[], -inf);
    is(Prod, &[2.0; 20], 1048576.0);
    // A constant has no variance, to the last bit.
    let constant = vec![0.1f32 as f64; 33];
    for found in row::<f32>(&gpu, MeanAbout, &constant, NONE, 0.0) {
        assert_eq!(found, 0.1f32 as f64);
    }
}

#[test]
fn sums_are_added() {
    let Some(gpu) = gpu() else { return };
    let x = noise(50, 2);
    let sum: f64 = x.iter().sum();
    let add = Given { flag: 1, ..NONE };
    close(
        "sum",
        &all::<f32>(&row::<f32>(&gpu, Sum, &x, add, 3.0)),
        &[sum + 3.0; 8],
        7.0,
    );
    close(
        "mean",
        &row::<f64>(&gpu, Mean, &x, add, 3.0),
        &[sum / 50.0 + 3.0; 8],
        7.0,
    );
}

/// Beside a mean of many deviations the variance keeps its digits.
#[test]
fn variances_beside_a_large_mean() {
    let Some(gpu) = gpu() else { return };
    let x: Vec<f64> = noise(1000, 4)
        .iter()
        .map(|x| f64::from((1e4 + 0.01 * x) as f32))
        .collect();
    let expected = reference(
        Variance,
        &x,
        0.0,
        0.0,
        Given {
            free: 999.0,
            ..NONE
        },
    );
    let mean = row::<f32>(&gpu, MeanAbout, &x, NONE, 0.0)[0];
    let case = Case::dense(&[1, 1000], &[1]);
    let (xd, a, b) = (
        up::<f32>(&gpu, &x),
        up::<f32>(&gpu, &[mean]),
        up::<f32>(&gpu, &[expected]),
    );
    let exact = x.iter().sum::<f64>() / 1000.0;
    for way in WAYS {
        let out = up::<f32>(&gpu, &[0.0]);
        let buffers = || {
            [
                (&xd).into(),
                Arg::Address(0),
                (&a).into(),
                (&b).into(),
                (&out).into(),
                Arg::Address(0),
            ]
        };
        launch(
            &gpu,
            (Variance, "float"),
            &case,
            way,
            buffers(),
            Given {
                free: 999.0,
                ..NONE
            },
        );
        let found = down::<f32>(&gpu, &out)[0];
        assert!(
            (found / expected - 1.0).abs() < 1e-5,
            "{way:?}: {found} for {expected}"
        );
        launch(&gpu, (Rest, "float"), &case, way, buffers(), NONE);
        let rest = down::<f32>(&gpu, &out)[0];
        assert!(
            (mean + rest - exact).abs() < 1e-7,
            "{way:?}: {mean} + {rest} for {exact}"
        );
    }
}

#[test]
fn norms_whose_powers_overflow() {
    let Some(gpu) = gpu() else { return };
    for (op, p) in [(Norm2, 2.0), (NormP, 3.0)] {
        // The outputs are 300 norms of 7; some overflow, some underflow.
        let case = Case::dense(&[300, 7], &[1]);
        let x: Vec<f64> = noise(2100, 8)
            .iter()
            .enumerate()
            .map(|(i, x)| f32::new(x * [1.0, 1e25, 1e-30, 0.0][i / 7 % 4]).value())
            .collect();

        let root: f64 = (f64::from(f32::MIN_POSITIVE) * 1e20).powf(1.0 / p);
        let given = Given {
            free: root,
            p,
            flag: 0,
        };
        let expected: Vec<f64> = x
            .chunks(7)
            .map(|x| reference(NormP, x, 0.0, 0.0, given))
            .collect();
        let (xd, out) = (up::<f32>(&gpu, &x), up::<f32>(&gpu, &[0.0; 300]));
        let buffers = [
            (&xd).into(),
            Arg::Address(0),
            Arg::Address(0),
            Arg::Address(0),
            (&out).into(),
            Arg::Address(0),
        ];
        launch(
            &gpu,
            (op, "float"),
            &case,
            ("fold_rows", 8, 1),
            buffers,
            given,
        );
        launch(
            &gpu,
            (op, "float"),
            &case,
            ("fold_again", 8, 1),
            buffers,
            given,
        );
        close((op, "again"), &get::<f32>(&gpu, &out), &expected, 0.0);
    }
}

#[test]
fn positions_counts_and_whole_numbers() {
    let Some(gpu) = gpu() else { return };
    let cases = [
        Case::dense(&[5, 37], &[1]),
        Case::dense(&[37, 5], &[0]),
        Case::dense(&[1, 700], &[1]),
    ];
    for (case, way) in cases.iter().flat_map(|case| WAYS.map(|way| (case, way))) {
        let rows = case.rows();
        let x: Vec<f64> = noise(case.len(), 6)
            .iter()
            .map(|x| (x * 4.0).round())
            .collect();
        let mut with_nan = x.clone();
        (0..case.len())
            .filter(|i| i % 61 == 40)
            .for_each(|i| with_nan[i] = f64::NAN);
        let find = |op: Op, x: &[f64]| -> Vec<i64> {
            let of_row = |row: &Vec<usize>| {
                let (mut best, mut value) = (0, x[row[0]]);
                for (i, at) in row.iter().enumerate() {
                    let v = x[*at];
                    let better = if op == ArgMax { v > value } else { v < value };
                    if !value.is_nan() && (better || v.is_nan()) {
                        (best, value) = (i, v);
                    }
                }
                best as i64
            };
            rows.iter().map(of_row).collect()
        };
        let arg = |op, c: &str, xd: Arg<'_>| {
            let out = put(&gpu, &vec![-7i64; case.outputs()]);
            let buffers = [
                xd,
                Arg::Address(0),
                Arg::Address(0),
                Arg::Address(0),
                (&out).into(),
                Arg::Address(0),
            ];
            launch(&gpu, (op, c), case, way, buffers, NONE);
            get::<i64>(&gpu, &out)
        };
        for op in [ArgMax, ArgMin] {
            assert_eq!(
                arg(op, "float", (&up::<f32>(&gpu, &with_nan)).into()),
                find(op, &with_nan),
                "{op:?} {case:?} {way:?}"
            );
            let whole: Vec<i64> = x.iter().map(|x| *x as i64).collect();
            assert_eq!(
                arg(op, "i64", (&put(&gpu, &whole)).into()),
                find(op, &x),
                "{op:?} {case:?} {way:?}"
            );
            let half: Vec<half::bf16> = with_nan.iter().map(|x| half::bf16::from_f64(*x)).collect();
            assert_eq!(
                arg(op, "bf16", (&put(&gpu, &half)).into()),
                find(op, &with_nan),
                "{op:?} {case:?} {way:?}"
            );
        }
        let whole: Vec<i64> = x.iter().map(|x| *x as i64 | i64::MAX - 5).collect();
        let sums: Vec<i64> = rows
            .iter()
            .map(|row| {
                row.iter()
                    .fold(0i64, |sum, at| sum.wrapping_add(whole[*at]))
            })
            .collect();
        assert_eq!(
            arg(IntegerSum, "i64", (&put(&gpu, &whole)).into()),
            sums,
            "{case:?} {way:?}"
        );
        let bits: Vec<u8> = x.iter().map(|x| u8::from(*x > 1.0)).collect();
        let counts: Vec<i64> = rows
            .iter()
            .map(|row| row.iter().map(|at| i64::from(bits[*at])).sum())
            .collect();
        let truth = gpu.alloc(bits.len()).unwrap();
        gpu.upload(&truth, &bits);
        assert_eq!(
            arg(Count, "bool", (&truth).into()),
            counts,
            "{case:?} {way:?}"
        );
    }
}

/// `Σ z·(x − a)`, and the sums of the pullback of norms, of each channel.
#[test]
fn moments_of_channels() {
    fn of<T: Real>(gpu: &Arc<Gpu>) {
        let (images, channels, inner, width) = (3, 4, 21, 42);
        let case = Case::dense(&[images, channels, inner], &[0, 2]);
        let n = images * channels * inner;
        let (x, z, a) = (noise(n, 1), noise(n, 2), noise(channels, 3));
        let stats = noise(3 * n / width, 4);
        let (mut moments, mut sums, mut plain) = (
            vec![0.0; channels],
            vec![0.0; channels],
            vec![0.0; channels],
        );
        for i in 0..n {
            let c = i / inner % channels;
            let s = &stats[i / width * 3..];
            moments[c] += z[i] * (x[i] - a[c]);
            sums[c] += z[i] * (x[i] - s[0] - s[1]) * s[2];
            plain[c] += z[i];
        }
        let (xd, zd, ad, sd) = (
            up::<T>(gpu, &x),
            up::<T>(gpu, &z),
            up::<T>(gpu, &a),
            up::<T>(gpu, &stats),
        );
        for way in WAYS {
            let (out, second) = (up::<T>(gpu, &[9.0; 4]), up::<T>(gpu, &[9.0; 4]));
            let buffers = |a| {
                [
                    (&xd).into(),
                    (&zd).into(),
                    a,
                    Arg::Address(0),
                    (&out).into(),
                    (&second).into(),
                ]
            };
            launch(
                gpu,
                (Moments, T::C),
                &case,
                way,
                buffers((&ad).into()),
                NONE,
            );
            close(way, &get::<T>(gpu, &out), &moments, 8.0);
            launch(
                gpu,
                (NormSums, T::C),
                &case,
                way,
                buffers((&sd).into()),
                Given {
                    flag: width as i32,
                    ..NONE
                },
            );
            close(way, &get::<T>(gpu, &out), &sums, 8.0);
            close(way, &get::<T>(gpu, &second), &plain, 8.0);
        }
    }
    let Some(gpu) = gpu() else { return };
    of::<f32>(&gpu);
    of::<f64>(&gpu);
}

/// A pass over the elements; `small` are a, b, c and d of each output.
fn pull<T: Real>(
    gpu: &Arc<Gpu>,
    op: Op,
    case: &Case,
    x: &[f64],
    small: [&[f64]; 4],
    given: Given,
    before: f64,
) -> Vec<T> {
    let spread = |case: &Case| {
        let own = dense(&case.sizes(false));
        let kept = own.0.iter().zip(&case.reduced);
        Strides(
            kept.map(|(s, reduced)| if *reduced { 0 } else { *s })
                .collect(),
            0,
        )
    };
    let own = spread(case);
    let out_at = dense(&case.dims);
    let all = nest(
        &case.dims,
        &[
            case.strides.clone(),
            own.clone(),
            own.clone(),
            own.clone(),
            own.clone(),
            out_at.clone(),
        ],
    );
    let n = case.dims.iter().product();
    let (xd, out) = (up::<T>(gpu, x), up::<T>(gpu, &vec![before; n]));
    let [a, b, c, d] = small.map(|s| up::<T>(gpu, s));
    let text = format!("typedef {} T;\n#define OP {}\n", T::C, op as i32);
    let files = [
        FILES[0],
        FILES[1],
        PULLBACK,
        if op == Prod { OTHERS } else { "" },
    ];
    let args = [
        (&xd).into(),
        (&a).into(),
        (&b).into(),
        (&c).into(),
        (&d).into(),
        (&out).into(),
        given.free.into(),
        given.p.into(),
        given.flag.into(),
        Arg::Bytes(&all),
    ];
    run(gpu, &text, &files, "fold_pull", [2, 1], &args);
    if op == Prod {
        let kept = nest(
            &case.sizes(false),
            &[case.strides.clone(), own.clone(), own, out_at.clone()],
        );
        let (inside, within) = (case.inside(), nest(&case.sizes(true), &[out_at]));
        let args = [
            (&xd).into(),
            (&a).into(),
            (&b).into(),
            (&out).into(),
            Arg::Bytes(&kept),
            Arg::Bytes(&inside),
            Arg::Bytes(&within),
        ];
        run(gpu, &text, &files, "fold_others", [1, 1], &args);
    }
    get::<T>(gpu, &out)
}

fn pullbacks<T: Real>() {
    let Some(gpu) = gpu() else { return };
    let cases = [
        Case::dense(&[5, 37], &[1]),
        Case::dense(&[300, 6], &[1]),
        Case::new(&[6, 10, 2], Strides(vec![2, 12, 1], 0), &[0, 2]),
        Case::dense(&[2, 700], &[1]),
    ];
    for case in cases {
        let (outputs, count) = (case.outputs(), case.count());
        let round = |x: &f64| T::new(*x).value();
        let x: Vec<f64> = noise(case.len(), 7)
            .iter()
            .map(|x| round(&(0.9 + 0.2 * x)))
            .collect();
        let ct: Vec<f64> = noise(outputs, 9).iter().map(round).collect();
        let rows = case.rows();
        // For each element in row-major order its output.
        let strides = dense(&case.sizes(false));
        let own = strides
            .0
            .iter()
            .zip(&case.reduced)
            .map(|(s, r)| if *r { 0 } else { *s })
            .collect();
        let output_of = places(&case.dims, &Strides(own, 0));
        let at = places(&case.dims, &case.strides);
        let each = |op: Op, x: &[f64], given: Given| -> Vec<f64> {
            rows.iter()
                .map(|row| {
                    reference(
                        op,
                        &row.iter().map(|at| x[*at]).collect::<Vec<_>>(),
                        0.0,
                        0.0,
                        given,
                    )
                })
                .collect()
        };
        let expect = |x: &[f64], f: &dyn Fn(f64, usize) -> f64| -> Vec<f64> {
            at.iter()
                .zip(&output_of)
                .map(|(at, o)| f(x[*at], *o))
                .collect()
        };
        let none: &[f64] = &vec![0.0; outputs];
        for flag in [0, 1] {
            let given = Given {
                free: count as f64 - 1.0,
                flag,
                ..NONE
            };
            let (y, mean) = (each(Variance, &x, given), each(Mean, &x, NONE));
            let expected = expect(&x, &|x, o| match flag {
                1 => ct[o] * (x - mean[o]) / given.free / y[o],
                _ => ct[o] * 2.0 * (x - mean[o]) / given.free,
            });
            let rest: Vec<f64> = mean.iter().map(|m| m - round(m)).collect();
            close(
                (Variance, &case),
                &pull::<T>(
                    &gpu,
                    Variance,
                    &case,
                    &x,
                    [&y, &ct, &mean, &rest],
                    given,
                    0.0,
                ),
                &expected,
                1.0,
            );
        }
        let y = each(Norm2, &x, NONE);
        let expected = expect(&x, &|x, o| x / y[o] * ct[o]);
        close(
            (Norm2, &case),
            &pull::<T>(&gpu, Norm2, &case, &x, [&y, &ct, none, none], NONE, 0.0),
            &expected,
            1.0,
        );
        let given = Given { p: 3.0, ..NONE };
        let y = each(NormP, &x, given);
        let expected = expect(&x, &|x, o| x.signum() * (x.abs() / y[o]).powi(2) * ct[o]);
        close(
            (NormP, &case),
            &pull::<T>(&gpu, NormP, &case, &x, [&y, &ct, none, none], given, 0.0),
            &expected,
            1.0,
        );
        let expected = expect(&x, &|x, o| x.signum() * ct[o]);
        close(
            (Norm1, &case),
            &pull::<T>(&gpu, Norm1, &case, &x, [none, &ct, none, none], NONE, 0.0),
            &expected,
            1.0,
        );
        let (y, m) = (each(LogSumExp, &x, NONE), each(Max, &x, NONE));
        let s: Vec<f64> = y.iter().zip(&m).map(|(y, m)| (y - m).exp()).collect();
        let expected = expect(&x, &|x, o| (x - y[o]).exp() * ct[o]);
        close(
            (LogSumExp, &case),
            &pull::<T>(&gpu, LogSumExp, &case, &x, [&y, &ct, &m, &s], NONE, 0.0),
            &expected,
            1.0,
        );
        let expected = expect(&x, &|x, o| if x == m[o] { ct[o] + 2.0 } else { 2.0 });
        let given = Given { flag: 1, ..NONE };
        close(
            (Hits, &case),
            &pull::<T>(&gpu, Hits, &case, &x, [&m, &ct, none, none], given, 2.0),
            &expected,
            1.0,
        );
        // Products with one zero, with two, and with none.
        let mut x = x;
        rows.iter()
            .enumerate()
            .for_each(|(o, row)| (0..o % 3).for_each(|k| x[row[k * 3]] = 0.0));
        let y: Vec<f64> = each(Prod, &x, NONE).iter().map(round).collect();
        let others = |o: usize, place: usize| {
            let others = rows[o].iter().filter(|at| **at != place);
            others.map(|at| x[*at]).product::<f64>()
        };
        let expected: Vec<f64> = at
            .iter()
            .zip(&output_of)
            .map(|(at, o)| others(*o, *at) * ct[*o])
            .collect();
        let found = pull::<T>(&gpu, Prod, &case, &x, [&y, &ct, none, none], NONE, 0.0);
        let scale = expected.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        close(
            (Prod, &case),
            &found,
            &expected,
            scale * (count as f64).sqrt(),
        );
    }
}

#[test]
fn cotangents() {
    pullbacks::<f32>();
    pullbacks::<f64>();
}
