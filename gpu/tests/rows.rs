//! Softmax, cross entropy and norms of rows against plain loops.

#[path = "rows/cross_entropy.rs"]
mod cross_entropy;
#[path = "support/nest.rs"]
mod nest;
#[path = "rows/norm.rs"]
mod norm;
mod support;

use differentiable_gpu::{Arg, Gpu};
use nest::{Real, Strides, close, nest, noise, run, up};
use std::sync::Arc;
use support::{get, gpu, set_order};

const GROUP: &str = differentiable_gpu::text::GROUP;
const ROW: &str = differentiable_gpu::text::ROW;
const ROWS: &str = differentiable_gpu::text::ROWS;

/// How a row is divided: the threads of a group, the elements that each keeps, and whether they come by packs.
type Way = (usize, usize, bool);

fn head<T: Real>((group, per, packed): Way) -> String {
    let packed = i32::from(packed);
    format!(
        "typedef {} T;\n#define GROUP {group}\n#define PER {per}\n#define PACKED {packed}\n",
        T::C
    )
}

/// Widths, the steps inside of a row, and ways that are good for them.
fn ways<T: Real>() -> Vec<(usize, usize, Way)> {
    let pack = 16 / size_of::<T>();
    let ways = vec![
        (1, 1, (1, 1, false)),
        (3, 1, (4, 1, false)),
        (10, 3, (16, 1, false)),
        (37, 1, (32, 2, false)),
        (64, 1, (32, pack, true)),
        (
            300,
            1,
            (32, 300usize.div_ceil(32).next_multiple_of(pack), true),
        ),
        (
            1500,
            1,
            (256, 1500usize.div_ceil(256).next_multiple_of(pack), true),
        ),
        (700, 2, (256, 3, false)),
        (1100, 1, (256, 0, true)),
        (601, 1, (256, 0, false)),
    ];
    // The others differ in nothing but their type.
    let some = |(_, _, way): &(usize, usize, Way)| size_of::<T>() == 4 || way.2 || way.0 < 32;
    ways.into_iter().filter(some).collect()
}

/// Rows with numbers of any size: an infinity, a NaN or nothing but −∞ in some.
fn rows_of<T: Real>(rows: usize, width: usize, special: bool) -> Vec<f64> {
    let mut x: Vec<f64> = noise(rows * width, 11)
        .iter()
        .map(|x| T::new(9.0 * x + 50.0).value())
        .collect();
    if special {
        x[width / 2] = f64::NAN;
        x[width + width / 3] = f64::INFINITY;
        x[2 * width..3 * width].fill(f64::NEG_INFINITY);
        x[3 * width] = f64::NEG_INFINITY;
    }
    x
}

/// The elements with a step between them, and 2 numbers in front.
fn apart(x: &[f64], step: usize) -> Vec<f64> {
    let mut apart = vec![f64::NAN; 4 + x.len() * step];
    x.iter()
        .enumerate()
        .for_each(|(i, x)| apart[4 + i * step] = *x);
    apart
}

/// Where rows begin.
fn heads(rows: usize, width: usize, step: usize) -> Strides {
    assert!(rows > 0);
    Strides(vec![width * step], 4)
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(f64::NEG_INFINITY, |m, x| {
        if x.is_nan() || m.is_nan() {
            f64::NAN
        } else {
            m.max(*x)
        }
    })
}

fn softmax_of(x: &[f64], logarithm: bool) -> Vec<f64> {
    let m = largest(x);
    let sum: f64 = x.iter().map(|x| (x - m).exp()).sum();
    x.iter()
        .map(|x| {
            if logarithm {
                x - m - sum.ln()
            } else {
                (x - m).exp() / sum
            }
        })
        .collect()
}

/// The same bits for all orders of threads.
#[track_caller]
fn in_all_orders<T: Real>(mut f: impl FnMut() -> Vec<Vec<T>>) -> Vec<Vec<T>> {
    let bits = |all: &[Vec<T>]| {
        all.iter()
            .flatten()
            .map(|x| x.value().to_bits())
            .collect::<Vec<_>>()
    };
    let mut first: Option<Vec<Vec<T>>> = None;
    for order in [1, 2, 0] {
        set_order(order);
        let found = f();
        if let Some(first) = &first {
            assert!(
                bits(first) == bits(&found),
                "another result in another order"
            );
        }
        first = Some(found);
    }
    first.unwrap()
}

fn softmaxes<T: Real>(gpu: &Arc<Gpu>) {
    let rows = 9;
    for ((width, step, way), logarithm) in ways::<T>()
        .into_iter()
        .flat_map(|way| [(way, false), (way, true)])
    {
        let x = rows_of::<T>(rows, width, true);
        let xd = up::<T>(gpu, &apart(&x, step));
        let files = [GROUP, ROW, ROWS];
        let flag = i32::from(logarithm);
        let at = heads(rows, width, step);
        let found = in_all_orders(|| {
            let out = up::<T>(gpu, &vec![7.0; rows * width]);
            let bytes = nest(&[rows], std::slice::from_ref(&at));
            let args = [
                (&xd).into(),
                (&out).into(),
                (rows as i64).into(),
                (width as i32).into(),
                (step as i64).into(),
                flag.into(),
                Arg::Bytes(&bytes),
            ];
            run(gpu, &head::<T>(way), &files, "softmax", [2, 1], &args);
            vec![get::<T>(gpu, &out)]
        });
        let expected: Vec<f64> = x
            .chunks(width)
            .flat_map(|x| softmax_of(x, logarithm))
            .collect();
        close((width, way, logarithm), &found[0], &expected, 1.0);

        let y: Vec<f64> = rows_of::<T>(rows, width, false)
            .chunks(width)
            .flat_map(|x| softmax_of(x, logarithm))
            .collect();
        let y: Vec<f64> = y.iter().map(|y| T::new(*y).value()).collect();
        let ct: Vec<f64> = noise(rows * width, 5)
            .iter()
            .map(|x| T::new(*x).value())
            .collect();
        let (yd, ctd) = (
            up::<T>(gpu, &apart(&y, step)),
            up::<T>(gpu, &apart(&ct, step)),
        );
        for add in [0, 1] {
            let found = in_all_orders(|| {
                let out = up::<T>(gpu, &vec![0.5; rows * width]);
                let bytes = nest(&[rows], &[at.clone(), at.clone()]);
                let args = [
                    (&yd).into(),
                    (&ctd).into(),
                    (&out).into(),
                    (rows as i64).into(),
                    (width as i32).into(),
                    (step as i64).into(),
                    (step as i64).into(),
                    flag.into(),
                    add.into(),
                    Arg::Bytes(&bytes),
                ];
                run(
                    gpu,
                    &head::<T>(way),
                    &files,
                    "softmax_pullback",
                    [2, 1],
                    &args,
                );
                vec![get::<T>(gpu, &out)]
            });
            let before = if add == 1 { 0.5 } else { 0.0 };
            let of_row = |(y, ct): (&[f64], &[f64])| -> Vec<f64> {
                let sum: f64 = y
                    .iter()
                    .zip(ct)
                    .map(|(y, c)| if logarithm { *c } else { y * c })
                    .sum();
                let one = |(y, c): (&f64, &f64)| {
                    before
                        + if logarithm {
                            c - y.exp() * sum
                        } else {
                            y * (c - sum)
                        }
                };
                y.iter().zip(ct).map(one).collect()
            };
            let expected: Vec<f64> = y
                .chunks(width)
                .zip(ct.chunks(width))
                .flat_map(of_row)
                .collect();
            close((width, way, logarithm, add), &found[0], &expected, 4.0);
        }
    }
}

#[test]
fn softmax_and_its_pullback() {
    let Some(gpu) = gpu() else { return };
    softmaxes::<f32>(&gpu);
    softmaxes::<f64>(&gpu);
}
