//! Convolutions, pooling and other sizes of images, against plain loops.

#[path = "support/layers.rs"]
mod layers;
mod support;

use differentiable_gpu::{Arg, Gpu};
use layers::{Real, Sizes, WINDOWS, all_orders, close, run, wave};
use std::sync::Arc;
use support::{get, gpu, put};

fn conv_text() -> String {
    WINDOWS.to_owned() + differentiable_gpu::text::CONV
}

fn pool_text() -> String {
    WINDOWS.to_owned() + differentiable_gpu::text::POOL
}

const RESAMPLE: &str = differentiable_gpu::text::RESAMPLE;

#[derive(Clone, Copy, Debug)]
struct Windows {
    size: [usize; 3],
    stride: [usize; 3],
    pad: [usize; 3],
    dilation: [usize; 3],
}

impl Windows {
    fn output(&self, input: [usize; 3]) -> [usize; 3] {
        std::array::from_fn(|a| {
            let reach = self.dilation[a] * (self.size[a] - 1) + 1;
            (input[a] + 2 * self.pad[a] - reach) / self.stride[a] + 1
        })
    }
    fn volume(&self) -> usize {
        self.size.iter().product()
    }
    fn push(&self, sizes: Sizes) -> Sizes {
        sizes
            .push(&self.size)
            .push(&self.stride)
            .push(&self.pad)
            .push(&self.dilation)
    }
    /// Calls `f(window, entry, position)` for all entries inside.
    fn each(&self, input: [usize; 3], mut f: impl FnMut(usize, usize, usize)) {
        let output = self.output(input);
        let three = |n: [usize; 3]| {
            (0..n[0])
                .flat_map(move |i| (0..n[1]).flat_map(move |j| (0..n[2]).map(move |k| [i, j, k])))
        };
        let flat = |at: [usize; 3], n: [usize; 3]| (at[0] * n[1] + at[1]) * n[2] + at[2];
        for o in three(output) {
            for e in three(self.size) {
                let at: [Option<usize>; 3] = std::array::from_fn(|a| {
                    (o[a] * self.stride[a] + e[a] * self.dilation[a])
                        .checked_sub(self.pad[a])
                        .filter(|at| *at < input[a])
                });
                if let [Some(i), Some(j), Some(k)] = at {
                    f(flat(o, output), flat(e, self.size), flat([i, j, k], input));
                }
            }
        }
    }
}

fn windows() -> Vec<(Windows, [usize; 3])> {
    let w = |size, stride, pad, dilation| Windows {
        size,
        stride,
        pad,
        dilation,
    };
    vec![
        (w([1, 3, 3], [1, 1, 1], [0, 1, 1], [1; 3]), [1, 7, 9]),
        (w([1, 2, 2], [1, 2, 2], [0; 3], [1; 3]), [1, 7, 8]),
        (w([1, 3, 2], [1, 2, 3], [0, 1, 0], [1, 2, 3]), [1, 9, 11]),
        (w([1, 1, 5], [1, 1, 2], [0, 0, 4], [1, 1, 2]), [1, 1, 20]),
        (w([2, 3, 2], [1, 2, 1], [1, 1, 1], [1, 1, 2]), [4, 5, 6]),
        (w([1, 2, 2], [1, 3, 4], [0; 3], [1; 3]), [1, 8, 9]),
    ]
}

fn unfold_and_fold<T: Real>() {
    let Some(gpu) = gpu() else { return };
    for (w, input) in windows() {
        let (images, channels) = (3, 2);
        let output = w.output(input);
        let [places, columns] = [input, output].map(|n| n.iter().product::<usize>());
        let rows = channels * w.volume();
        let sizes = Sizes::default().push(&[channels, channels]);
        let sizes = w.push(sizes).push(&input).push(&output);
        let x = wave::<T>(images * channels * places, 0.37);
        // Columns of all images, side by side in each row; and images one after the other.
        for (image_step, row_step) in [(columns, images * columns), (rows * columns, columns)] {
            let found = all_orders(|| {
                let (xd, out) = (
                    put(&gpu, &x),
                    put(&gpu, &vec![T::new(9.0); images * rows * columns]),
                );
                let args = [
                    sizes.arg(),
                    (&xd).into(),
                    (images as i64).into(),
                    (&out).into(),
                    (image_step as i64).into(),
                    (row_step as i64).into(),
                ];
                run::<T>(&gpu, &conv_text(), "unfold", 2, &args);
                get::<T>(&gpu, &out)
            });
            let mut expected = vec![0.0; found.len()];
            for n in 0..images * channels {
                let to = n / channels * image_step + n % channels * w.volume() * row_step;
                w.each(input, |o, e, at| {
                    expected[to + e * row_step + o] = x[n * places + at].value()
                });
            }
            assert_eq!(
                found,
                expected.iter().map(|x| T::new(*x)).collect::<Vec<_>>()
            );
        }
        let matrix = wave::<T>(images * rows * columns, 0.73);
        let found = all_orders(|| {
            let (from, out) = (put(&gpu, &matrix), put(&gpu, &x));
            let args = [
                sizes.arg(),
                (&from).into(),
                (images as i64).into(),
                (&out).into(),
            ];
            run::<T>(&gpu, &conv_text(), "fold", 3, &args);
            get::<T>(&gpu, &out)
        });
        let mut expected = vec![0.0; found.len()];
        for n in 0..images * channels {
            let from = n * w.volume() * columns;
            w.each(input, |o, e, at| {
                expected[n * places + at] += matrix[from + e * columns + o].value()
            });
        }
        close("fold", &found, &expected);
    }
}

fn depthwise<T: Real>() {
    let Some(gpu) = gpu() else { return };
    for (w, input) in windows() {
        let (images, channels, each) = (2, 3, 2);
        let outs = channels * each;
        let output = w.output(input);
        let [places, columns] = [input, output].map(|n| n.iter().product::<usize>());
        let sizes = Sizes::default().push(&[channels, outs]);
        let sizes = w.push(sizes).push(&input).push(&output);
        let x = wave::<T>(images * channels * places, 0.37);
        let weights = wave::<T>(outs * w.volume(), 0.91);
        let ct = wave::<T>(images * outs * columns, 0.53);
        let call = |kernel: &str, a: &[T], b: &[T], len: usize| {
            all_orders(|| {
                let (a, b, out) = (
                    put(&gpu, a),
                    put(&gpu, b),
                    put(&gpu, &vec![T::new(9.0); len]),
                );
                let args = [
                    sizes.arg(),
                    (&a).into(),
                    (&b).into(),
                    (images as i64).into(),
                    (&out).into(),
                ];
                run::<T>(&gpu, &conv_text(), kernel, 3, &args);
                get::<T>(&gpu, &out)
            })
        };
        let mut y = vec![0.0; ct.len()];
        let (mut dx, mut dw) = (vec![0.0; x.len()], vec![0.0; weights.len()]);
        for n in 0..images * outs {
            let (c, k) = (n / each, n % outs);
            w.each(input, |o, e, at| {
                let (at, e, o) = (c * places + at, k * w.volume() + e, n * columns + o);
                y[o] += x[at].value() * weights[e].value();
                dx[at] += ct[o].value() * weights[e].value();
                dw[e] += ct[o].value() * x[at].value();
            });
        }
        close("conv", &call("conv_depthwise", &x, &weights, y.len()), &y);
        close(
            "input",
            &call("conv_input_depthwise", &weights, &ct, dx.len()),
            &dx,
        );
        close(
            "weight",
            &call("conv_weight_depthwise", &x, &ct, dw.len()),
            &dw,
        );
    }
}

/// The entries of each window: those inside, or equal parts.
fn members(w: Option<Windows>, input: [usize; 3], output: [usize; 3]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); output.iter().product()];
    match w {
        Some(w) => w.each(input, |o, _, at| all[o].push(at)),
        None => {
            let part = |a: usize, i: usize| {
                i * input[a] / output[a]..((i + 1) * input[a]).div_ceil(output[a])
            };
            for (o, all) in all.iter_mut().enumerate() {
                let (i, j, k) = (
                    o / output[2] / output[1],
                    o / output[2] % output[1],
                    o % output[2],
                );
                for a in part(0, i) {
                    for b in part(1, j) {
                        all.extend(part(2, k).map(|c| (a * input[1] + b) * input[2] + c));
                    }
                }
            }
        }
    }
    all
}

fn largest<T: Real>(x: &[T], of: &[usize]) -> usize {
    let mut best = of[0];
    for &at in of {
        let (v, b) = (x[at].value(), x[best].value());
        if v > b || v.is_nan() && !b.is_nan() {
            best = at;
        }
    }
    best
}

fn pooling<T: Real>() {
    let Some(gpu) = gpu() else { return };
    let inside = |(w, _): &(Windows, [usize; 3])| (0..3).all(|a| 2 * w.pad[a] <= w.size[a]);
    let sliding = windows().into_iter().filter(inside);
    let mut cases: Vec<_> = sliding.map(|(w, n)| (Some(w), n, w.output(n))).collect();
    cases.push((None, [1, 7, 10], [1, 3, 4]));
    cases.push((None, [2, 3, 5], [4, 3, 2]));
    for (w, input, output) in cases {
        let rows = 3;
        let [n, m] = [input, output].map(|n| n.iter().product::<usize>());
        let all = members(w, input, output);
        let sizes = Sizes::default().push(&[rows, usize::from(w.is_some())]);
        let one = Windows {
            size: [1; 3],
            stride: [1; 3],
            pad: [0; 3],
            dilation: [1; 3],
        };
        let sizes = w.unwrap_or(one).push(sizes).push(&input).push(&output);
        // With equal entries, infinities and NaN.
        let mut x: Vec<T> = (0..rows * n).map(|i| T::new((i * 37 % 5) as f64)).collect();
        x[n / 2] = T::new(f64::NAN);
        x[n / 3] = T::new(f64::NAN);
        x[n..n + n / 2].fill(T::new(f64::NEG_INFINITY));
        let (t, ct) = (wave::<T>(rows * n, 0.41), wave::<T>(rows * m, 0.67));
        let divisor = |o: usize| w.map_or(all[o].len(), |w| w.volume()) as f64;

        for op in [0, 1] {
            let call = |kernel: &str, more: Option<&[T]>, with_places: bool, len: usize| {
                all_orders(|| {
                    let (xd, out) = (put(&gpu, &x), put(&gpu, &vec![T::new(9.0); len]));
                    let more = more.map(|more| put(&gpu, more));
                    let places = put(&gpu, &vec![0u32; rows * m]);
                    if with_places {
                        let args = [sizes.arg(), (&xd).into(), (&places).into()];
                        run::<T>(&gpu, &pool_text(), "pool_places", 2, &args);
                    }
                    let mut args = vec![sizes.arg()];
                    if kernel != "pool_pushforward" {
                        args.push(Arg::I32(op));
                    }
                    args.push((&xd).into());
                    if kernel == "pool_pullback" {
                        args.push(if with_places {
                            (&places).into()
                        } else {
                            Arg::Address(0)
                        });
                    }
                    args.extend(more.as_ref().map(Arg::from));
                    args.push((&out).into());
                    run::<T>(&gpu, &pool_text(), kernel, 2, &args);
                    get::<T>(&gpu, &out)
                })
            };
            let (mut y, mut tangent) = (vec![0.0; rows * m], vec![0.0; rows * m]);
            let mut dx = vec![0.0; rows * n];
            for row in 0..rows {
                let x = &x[row * n..][..n];
                for (o, of) in all.iter().enumerate() {
                    let to = row * m + o;
                    if op == 0 {
                        let best = largest(x, of);
                        y[to] = x[best].value();
                        tangent[to] = t[row * n + best].value();
                        dx[row * n + best] += ct[to].value();
                    } else {
                        y[to] = of.iter().map(|at| x[*at].value()).sum::<f64>() / divisor(o);
                        of.iter()
                            .for_each(|at| dx[row * n + at] += ct[to].value() / divisor(o));
                    }
                }
            }
            close("pool", &call("pool", None, false, y.len()), &y);
            close(
                "pullback",
                &call("pool_pullback", Some(&ct), false, dx.len()),
                &dx,
            );
            if op == 0 {
                close(
                    "by places",
                    &call("pool_pullback", Some(&ct), true, dx.len()),
                    &dx,
                );
                close(
                    "tangent",
                    &call("pool_pushforward", Some(&t), false, y.len()),
                    &tangent,
                );
            }
        }
    }
}

fn neighbours(by: usize, i: usize, n: usize, m: usize) -> (usize, f64) {
    let (above, below) = match by {
        0 => return (i * n / m, 0.0),
        1 => (((2 * i + 1) * n).saturating_sub(m), 2 * m),
        _ => (i * (n - 1), (m - 1).max(1)),
    };
    match above / below {
        at if at + 1 < n => (at, (above % below) as f64 / below as f64),
        _ => (n - 1, 0.0),
    }
}

fn resampling<T: Real>(gpu: &Arc<Gpu>, by: usize, input: [usize; 2], output: [usize; 2]) {
    let images = 2;
    let sizes = Sizes::default()
        .push(&[by, images])
        .push(&input)
        .push(&output);
    let (n, m) = (input[0] * input[1], output[0] * output[1]);
    let (x, ct) = (wave::<T>(images * n, 0.61), wave::<T>(images * m, 0.29));
    let call = |kernel: &str, x: &[T], len: usize| {
        all_orders(|| {
            let (xd, out) = (put(gpu, x), put(gpu, &vec![T::new(9.0); len]));
            run::<T>(
                gpu,
                RESAMPLE,
                kernel,
                2,
                &[sizes.arg(), (&xd).into(), (&out).into()],
            );
            get::<T>(gpu, &out)
        })
    };
    let (mut y, mut dx) = (vec![0.0; images * m], vec![0.0; images * n]);
    for k in 0..images * m {
        let (image, i, j) = (k / m, k / output[1] % output[0], k % output[1]);
        let (a, u) = neighbours(by, i, input[0], output[0]);
        let (b, v) = neighbours(by, j, input[1], output[1]);
        for (di, dj, share) in [
            (0, 0, (1.0 - u) * (1.0 - v)),
            (0, 1, (1.0 - u) * v),
            (1, 0, u * (1.0 - v)),
            (1, 1, u * v),
        ] {
            if share != 0.0 {
                let at = image * n + (a + di) * input[1] + b + dj;
                y[k] += share * x[at].value();
                dx[at] += share * ct[k].value();
            }
        }
    }
    let what = format!("{by} {input:?} {output:?}");
    close(&what, &call("resample", &x, y.len()), &y);
    close(&what, &call("resample_pullback", &ct, dx.len()), &dx);
}

fn other_sizes<T: Real>() {
    let Some(gpu) = gpu() else { return };
    for by in 0..3 {
        let sizes = [[1, 1], [2, 3], [5, 4], [9, 13], [1, 7], [8, 1]];
        for input in sizes {
            for output in sizes {
                resampling::<T>(&gpu, by, input, output);
            }
        }
    }
}

#[test]
fn windows_as_columns_and_back() {
    unfold_and_fold::<f32>();
    unfold_and_fold::<f64>();
}

#[test]
fn convolutions_of_single_channels() {
    depthwise::<f32>();
    depthwise::<f64>();
}

#[test]
fn pools_and_their_derivatives() {
    pooling::<f32>();
    pooling::<f64>();
}

#[test]
fn images_of_other_sizes() {
    other_sizes::<f32>();
    other_sizes::<f64>();
}
