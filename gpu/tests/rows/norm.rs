//! Norms of rows, and affine maps of channels.

use super::nest::down;
use super::*;

const NORM: &str = differentiable_gpu::text::NORM;
const CHANNELS: &str = differentiable_gpu::text::CHANNELS;

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
