//! Positions, counts, whole numbers, and sums of two operands.

use super::support::put;
use super::*;

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
        let whole: Vec<i64> = x.iter().map(|x| *x as i64 | (i64::MAX - 5)).collect();
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
