//! Numbers that are none, large means, norms that overflow.

use super::nest::{all, down};
use super::*;

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
