//! Cotangents of folds and extremes.

use super::*;

const PULLBACK: &str = differentiable_gpu::text::FOLD_PULLBACK;
const OTHERS: &str = differentiable_gpu::text::FOLD_OTHERS;

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
