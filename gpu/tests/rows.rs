//! Softmax, cross entropy and norms of rows against plain loops.

#[path = "support/nest.rs"]
mod nest;
mod support;

use differentiable_gpu::{Arg, Gpu, GpuError};
use nest::{Real, Strides, close, down, nest, noise, run, up};
use std::sync::Arc;
use support::{get, gpu, put, set_order};

const GROUP: &str = include_str!("../kernels/group.cuh");
const ROW: &str = include_str!("../kernels/row.cuh");
const ROWS: &str = include_str!("../kernels/rows.cu");
const CROSS_ENTROPY: &str = include_str!("../kernels/cross_entropy.cu");
const NORM: &str = include_str!("../kernels/norm.cu");
const CHANNELS: &str = include_str!("../kernels/channels.cu");

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
            let bytes = nest(&[rows], &[at.clone()]);
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

/// What `cross_entropy` and its pullback give: lse, losses and the cotangent.
fn cross_entropy<T: Real>(
    gpu: &Arc<Gpu>,
    x: &[f64],
    targets: &[i64],
    (width, step, way): (usize, usize, Way),
    narrow: bool,
    add: i32,
) -> Vec<Vec<T>> {
    let rows = targets.len();
    let (xd, ct) = (up::<T>(gpu, &apart(x, step)), up::<T>(gpu, &[1.5]));
    let classes = match narrow {
        true => put(gpu, &targets.iter().map(|t| *t as u32).collect::<Vec<_>>()),
        false => put(gpu, targets),
    };
    let (lse, losses) = (
        up::<T>(gpu, &vec![7.0; rows]),
        up::<T>(gpu, &vec![7.0; rows]),
    );
    let out = up::<T>(gpu, &vec![0.25; rows * width]);
    let files = [GROUP, ROW, CROSS_ENTROPY];
    let text = format!("typedef {} U;\n", if narrow { "u32" } else { "i64" }) + &head::<T>(way);
    let bytes = nest(
        &[rows],
        &[
            heads(rows, width, step),
            Strides(vec![1], 0),
            Strides(vec![1], 0),
        ],
    );
    let args = [
        (&xd).into(),
        (&classes).into(),
        (&lse).into(),
        (&losses).into(),
        (rows as i64).into(),
        (width as i32).into(),
        (step as i64).into(),
        Arg::Fault,
        7u32.into(),
        Arg::Bytes(&bytes),
    ];
    run(gpu, &text, &files, "cross_entropy", [2, 1], &args);
    let args = [
        (&xd).into(),
        (&classes).into(),
        (&lse).into(),
        (&out).into(),
        (&ct).into(),
        (rows as i64).into(),
        (width as i32).into(),
        (step as i64).into(),
        add.into(),
        Arg::Fault,
        7u32.into(),
        Arg::Bytes(&bytes),
    ];
    run(gpu, &text, &files, "cross_entropy_pullback", [2, 1], &args);
    // A report comes with the first reading.
    let error = gpu.synchronise().err();
    if let Some(error) = error {
        panic!("{error}");
    }
    vec![
        get::<T>(gpu, &lse),
        get::<T>(gpu, &losses),
        get::<T>(gpu, &out),
    ]
}

fn cross_entropies<T: Real>(gpu: &Arc<Gpu>) {
    let rows = 9;
    for way in ways::<T>() {
        let width = way.0;
        let x = rows_of::<T>(rows, width, false);
        let targets: Vec<i64> = (0..rows).map(|row| (row * 7 % width) as i64).collect();
        for (narrow, add) in [(false, 0), (true, 1)] {
            let found = in_all_orders(|| cross_entropy::<T>(gpu, &x, &targets, way, narrow, add));
            let (mut lse, mut losses, mut cts) = (Vec::new(), Vec::new(), Vec::new());
            for (x, target) in x.chunks(width).zip(&targets) {
                let m = largest(x);
                let l = x.iter().map(|x| (x - m).exp()).sum::<f64>().ln();
                lse.push(l);
                losses.push(l + m - x[*target as usize]);
                let share = |(i, x): (usize, &f64)| {
                    let before = if add == 1 { 0.25 } else { 0.0 };
                    before
                        + 1.5 / rows as f64 * ((x - m - l).exp() - f64::from(i as i64 == *target))
                };
                cts.extend(x.iter().enumerate().map(share));
            }
            close((way, "lse"), &found[0], &lse, 1.0);
            close((way, "losses"), &found[1], &losses, 1.0);
            close((way, "ct"), &found[2], &cts, 1.0);
        }
    }
}

#[test]
fn cross_entropy_and_its_pullback() {
    let Some(gpu) = gpu() else { return };
    cross_entropies::<f32>(&gpu);
    cross_entropies::<f64>(&gpu);
}

#[test]
fn a_class_out_of_range_is_reported() {
    let Some(gpu) = gpu() else { return };
    for way in [(3, 1, (4, 1, false)), (601, 1, (256, 0, false))] {
        let width = way.0;
        let x = rows_of::<f32>(5, width, false);
        for wrong in [-1, width as i64, i64::MAX] {
            let targets = [0, 2, wrong, 1, 1];
            let (bytes, xd) = (
                nest(
                    &[5],
                    &[heads(5, width, 1), Strides(vec![1], 0), Strides(vec![1], 0)],
                ),
                up::<f32>(&gpu, &apart(&x, 1)),
            );
            let (classes, lse, losses) = (
                put(&gpu, &targets),
                up::<f32>(&gpu, &[0.0; 5]),
                up::<f32>(&gpu, &[0.0; 5]),
            );
            let text = "typedef i64 U;\n".to_owned() + &head::<f32>(way.2);
            let args = [
                (&xd).into(),
                (&classes).into(),
                (&lse).into(),
                (&losses).into(),
                5i64.into(),
                (width as i32).into(),
                1i64.into(),
                Arg::Fault,
                7u32.into(),
                Arg::Bytes(&bytes),
            ];
            run(
                &gpu,
                &text,
                &[GROUP, ROW, CROSS_ENTROPY],
                "cross_entropy",
                [1, 1],
                &args,
            );
            let expected = GpuError::Index {
                operation: 7,
                position: 2,
                found: wrong,
                len: width as i64,
            };
            let mut bytes = [0; 20];
            assert_eq!(gpu.download(&losses, &mut bytes), Err(expected));
            // The loss of the nearest class.
            let nearest = if wrong < 0 { 0 } else { width - 1 };
            let row = &x[2 * width..3 * width];
            let log = softmax_of(row, true)[nearest];
            close("nearest", &get::<f32>(&gpu, &losses)[2..3], &[-log], 1.0);
        }
    }
}

/// A norm: sizes as in `NormShape`.
#[derive(Clone, Copy, Debug)]
struct Shape {
    rows: usize,
    width: usize,
    groups: usize,
    inner: usize,
    centred: bool,
    way: Way,
}

impl Shape {
    fn per_group(self) -> usize {
        self.width / self.inner
    }
    fn channel(self, row: usize, i: usize) -> usize {
        row % self.groups * self.per_group() + i / self.inner
    }
    fn sizes(self) -> [Arg<'static>; 5] {
        let small = [self.width, self.groups, self.per_group(), self.inner];
        let [a, b, c, d] = small.map(|n| Arg::I32(n as i32));
        [Arg::I64(self.rows as i64), a, b, c, d]
    }
}

const EPS: f64 = 1e-3;

fn norms<T: Real>(gpu: &Arc<Gpu>, s: Shape, x: &[f64]) {
    let (n, w, channels) = (s.rows * s.width, s.width, s.groups * s.per_group());
    let round = |x: &f64| T::new(*x).value();
    let [scale, shift] = [21, 22].map(|seed| {
        noise(channels, seed)
            .iter()
            .map(round)
            .collect::<Vec<f64>>()
    });
    let [ct, t] = [23, 24].map(|seed| noise(n, seed).iter().map(round).collect::<Vec<f64>>());
    let [xd, scaled, shifted, ctd, td] = [x, &scale, &shift, &ct, &t].map(|x| up::<T>(gpu, x));
    let stats = up::<T>(gpu, &vec![7.0; 3 * s.rows]);
    let fast = s.groups == 1 && s.inner == 1 && s.way.1 > 0;
    let centred = Arg::I32(i32::from(s.centred));
    let files = [GROUP, ROW, NORM];
    let text = head::<T>(s.way);
    let launch = |kernel: &str, args: &[Arg<'_>]| run(gpu, &text, &files, kernel, [2, 1], args);
    let found = in_all_orders(|| {
        let [out, d_x, tangent] = [0, 1, 2].map(|_| up::<T>(gpu, &vec![7.0; n]));
        let [d_scale, d_shift] = [0, 1].map(|_| up::<T>(gpu, &vec![0.0; channels]));
        let sums = up::<T>(gpu, &vec![0.0; 2 * 2 * w]);
        let buffers = [&xd, &scaled, &shifted, &out, &stats].map(Arg::from);
        launch(
            "norm_rows",
            &[&buffers[..], &s.sizes(), &[EPS.into(), centred]].concat(),
        );
        let place = if fast {
            (&sums).into()
        } else {
            Arg::Address(0)
        };
        let buffers = [
            (&xd).into(),
            (&stats).into(),
            (&scaled).into(),
            (&ctd).into(),
            (&d_x).into(),
            place,
        ];
        launch(
            "norm_pull",
            &[&buffers[..], &s.sizes(), &[centred]].concat(),
        );
        if fast {
            launch(
                "norm_sums",
                &[
                    (&sums).into(),
                    2i32.into(),
                    (w as i32).into(),
                    (&d_scale).into(),
                    (&d_shift).into(),
                ],
            );
        }
        let buffers = [
            (&xd).into(),
            (&stats).into(),
            Arg::Address(0),
            (&td).into(),
            (&tangent).into(),
            Arg::Address(0),
        ];
        launch(
            "norm_pull",
            &[&buffers[..], &s.sizes(), &[centred]].concat(),
        );
        [&out, &stats, &d_x, &tangent, &d_scale, &d_shift]
            .map(|buffer| get::<T>(gpu, buffer))
            .into()
    });
    let (mut y, mut d_x, mut tangent) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    let (mut d_scale, mut d_shift) = (vec![0.0; channels], vec![0.0; channels]);
    for row in 0..s.rows {
        let part = row * w..(row + 1) * w;
        let x = &x[part.clone()];
        let mean = if s.centred {
            x.iter().sum::<f64>() / w as f64
        } else {
            0.0
        };
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / w as f64;
        let r = 1.0 / (variance + EPS).sqrt();
        let hat: Vec<f64> = x.iter().map(|x| (x - mean) * r).collect();
        let differential = |t: &[f64]| -> Vec<f64> {
            let middle = if s.centred {
                t.iter().sum::<f64>() / w as f64
            } else {
                0.0
            };
            let along = hat.iter().zip(t).map(|(h, t)| h * t).sum::<f64>() / w as f64;
            hat.iter()
                .zip(t)
                .map(|(h, t)| r * (t - middle - h * along))
                .collect()
        };
        let ct = &ct[part.clone()];
        let g: Vec<f64> = (0..w).map(|i| ct[i] * scale[s.channel(row, i)]).collect();
        d_x[part.clone()].copy_from_slice(&differential(&g));
        tangent[part.clone()].copy_from_slice(&differential(&t[part.clone()]));
        for i in 0..w {
            let c = s.channel(row, i);
            y[row * w + i] = hat[i] * scale[c] + shift[c];
            d_scale[c] += hat[i] * ct[i];
            d_shift[c] += ct[i];
        }
    }
    let r = T::new(found[1][2].value()).value().max(1.0);
    close((s, "y"), &found[0], &y, 4.0);
    close((s, "d_x"), &found[2], &d_x, 4.0 * r);
    close((s, "tangent"), &found[3], &tangent, 4.0 * r);
    if fast {
        close((s, "d_scale"), &found[4], &d_scale, 8.0);
        close((s, "d_shift"), &found[5], &d_shift, 8.0);
    }
}

fn shapes<T: Real>(gpu: &Arc<Gpu>) {
    let pack = 16 / size_of::<T>();
    let per = |width: usize, group: usize| width.div_ceil(group).next_multiple_of(pack);
    let shape = |rows, width, groups, inner, way| Shape {
        rows,
        width,
        groups,
        inner,
        centred: true,
        way,
    };
    for s in [
        shape(11, 5, 1, 1, (8, 1, false)),
        shape(19, 40, 1, 1, (32, 2, false)),
        shape(19, 256, 1, 1, (32, 8, true)),
        shape(5, 1040, 1, 1, (256, per(1040, 256), true)),
        shape(5, 1030, 1, 1, (256, 0, false)),
        shape(6, 1040, 1, 1, (256, 0, true)),
        shape(6, 24, 3, 6, (32, 1, false)),
        shape(6, 600, 2, 20, (256, 4, true)),
        shape(6, 1200, 2, 100, (256, 0, true)),
    ] {
        for centred in [true, false] {
            let s = Shape { centred, ..s };
            let x: Vec<f64> = noise(s.rows * s.width, 12)
                .iter()
                .map(|x| T::new(2.0 * x + 0.5).value())
                .collect();
            norms::<T>(gpu, s, &x);
        }
    }
}

#[test]
fn norms_and_their_derivatives() {
    let Some(gpu) = gpu() else { return };
    shapes::<f32>(&gpu);
    shapes::<f64>(&gpu);
}

/// Some rows have means of many deviations.
#[test]
fn norms_beside_a_large_mean() {
    let Some(gpu) = gpu() else { return };
    for way in [
        (32, 2, false),
        (16, 3, false),
        (256, 1, false),
        (256, 0, false),
    ] {
        let s = Shape {
            rows: 8,
            width: 40,
            groups: 1,
            inner: 1,
            centred: true,
            way,
        };
        let x: Vec<f64> = noise(320, 13)
            .iter()
            .enumerate()
            .map(|(i, x)| f64::from(if i / 40 % 3 == 0 { 1e4 + x } else { *x } as f32))
            .collect();
        norms::<f32>(&gpu, s, &x);
    }
}

#[test]
fn affine_maps_of_channels() {
    fn of<T: Real>(gpu: &Arc<Gpu>, packed: bool, [images, channels, inner]: [usize; 3]) {
        let n = images * channels * inner;
        let [x, centre, scale, shift] =
            [(n, 1), (channels, 2), (channels, 3), (channels, 4)].map(|(n, seed)| noise(n, seed));
        let [xd, a, b, c] = [&x, &centre, &scale, &shift].map(|x| up::<T>(gpu, x));
        let out = up::<T>(gpu, &vec![7.0; n]);
        let args = [
            (&xd).into(),
            (&a).into(),
            (&b).into(),
            (&c).into(),
            (&out).into(),
            (n as i64).into(),
            (channels as i64).into(),
            (inner as i64).into(),
        ];
        run(
            gpu,
            &head::<T>((32, 4, packed)),
            &[GROUP, CHANNELS],
            "channel_affine",
            [2, 1],
            &args,
        );
        let expected: Vec<f64> = (0..n)
            .map(|i| {
                let c = i / inner % channels;
                (x[i] - centre[c]) * scale[c] + shift[c]
            })
            .collect();
        close(
            (packed, inner),
            &down::<T>(gpu, &out)
                .iter()
                .map(|x| T::new(*x))
                .collect::<Vec<_>>(),
            &expected,
            2.0,
        );
    }
    let Some(gpu) = gpu() else { return };
    of::<f32>(&gpu, false, [3, 5, 7]);
    of::<f32>(&gpu, true, [3, 5, 8]);
    of::<f64>(&gpu, false, [40, 6, 1]);
    of::<f64>(&gpu, true, [2, 3, 200]);
}
