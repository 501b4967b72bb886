//! Sums, extremes and other folds against plain loops.

#[path = "support/nest.rs"]
mod nest;
#[path = "reduce/positions.rs"]
mod positions;
#[path = "reduce/pullbacks.rs"]
mod pullbacks;
mod support;
#[path = "reduce/values.rs"]
mod values;

use differentiable_gpu::{Arg, Gpu};
use nest::{Real, Strides, close, dense, nest, noise, places, run, up};
use std::sync::Arc;
use support::{get, gpu, set_order};

const FILES: [&str; 3] = [
    differentiable_gpu::text::GROUP,
    differentiable_gpu::text::FOLD,
    differentiable_gpu::text::REDUCE,
];
const AGAIN: &str = differentiable_gpu::text::FOLD_AGAIN;

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
