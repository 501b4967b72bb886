//! Cross entropy, and classes that are none.

use super::support::put;
use super::*;
use differentiable_gpu::GpuError;

const CROSS_ENTROPY: &str = differentiable_gpu::text::CROSS_ENTROPY;

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
