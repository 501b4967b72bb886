//! Normalisation against its definition, and at its edges.

use crate::check::between;
use differentiable::prelude::*;

dim!(Rows);

/// Mean and variance of numbers.
fn moments(x: &[f64]) -> (f64, f64) {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    (mean, x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n)
}

fn assert_close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{a} is not {b}");
    }
}

#[test]
fn rows_of_odd_widths() {
    fn of<const R: usize, const N: usize>() {
        let x: Tensor<(Sz<R>, Sz<N>), f64> = between((Sz, Sz), 1, -3.0, 5.0);
        let g: Tensor<(Sz<N>,), f64> = between((Sz,), 2, -1.0, 1.0);
        let b: Tensor<(Sz<N>,), f64> = between((Sz,), 3, -1.0, 1.0);
        let (xs, gs, bs) = (x.to_vec(), g.to_vec(), b.to_vec());
        let layer: Vec<f64> = xs
            .chunks(N)
            .flat_map(|row| {
                let (m, v) = moments(row);
                let r = 1.0 / (v + 1e-5).sqrt();
                row.iter()
                    .zip(gs.iter().zip(&bs))
                    .map(move |(x, (g, b))| (x - m) * r * g + b)
                    .collect::<Vec<_>>()
            })
            .collect();
        assert_close(&x.layer_norm(&g, &b, 1e-5).to_vec(), &layer);
        let rms: Vec<f64> = xs
            .chunks(N)
            .flat_map(|row| {
                let square = row.iter().map(|x| x * x).sum::<f64>() / N as f64;
                let r = 1.0 / (square + 1e-6).sqrt();
                row.iter()
                    .zip(&gs)
                    .map(move |(x, g)| x * r * g)
                    .collect::<Vec<_>>()
            })
            .collect();
        assert_close(&x.rms_norm(&g, 1e-6).to_vec(), &rms);
    }
    of::<1, 1>();
    of::<3, 5>();
    of::<2, 257>();
    of::<130, 67>();
    of::<400, 513>();
}

#[test]
fn channels_of_images() {
    let x: Tensor![f64; 3, 6, 2, 5] = between(Default::default(), 1, -1.0, 4.0);
    let g: Tensor![f64; 6] = between(Default::default(), 2, -1.0, 1.0);
    let b: Tensor![f64; 6] = between(Default::default(), 3, -1.0, 1.0);
    let (xs, gs, bs) = (x.to_vec(), g.to_vec(), b.to_vec());
    let entry = |i: usize| (i / 60, i / 10 % 6);
    // Entries with the same key are normalised together.
    let by = |key: &dyn Fn(usize, usize) -> usize| -> Vec<f64> {
        (0..xs.len())
            .map(|i| {
                let (n, c) = entry(i);
                let together: Vec<f64> = (0..xs.len())
                    .filter(|&j| key(entry(j).0, entry(j).1) == key(n, c))
                    .map(|j| xs[j])
                    .collect();
                let (m, v) = moments(&together);
                (xs[i] - m) / (v + 1e-5).sqrt() * gs[c] + bs[c]
            })
            .collect()
    };
    assert_close(&x.batch_norm(&g, &b, 1e-5).to_vec(), &by(&|_, c| c));
    assert_close(
        &x.instance_norm(&g, &b, 1e-5).to_vec(),
        &by(&|n, c| n * 6 + c),
    );
    assert_close(
        &x.group_norm::<3>(&g, &b, 1e-5).to_vec(),
        &by(&|n, c| n * 3 + c / 2),
    );
    assert_close(&x.group_norm::<1>(&g, &b, 1e-5).to_vec(), &by(&|n, _| n));
}

#[differentiable]
fn energy(x: &Tensor![f64; 400, 65], g: &Tensor![f64; 65], b: &Tensor![f64; 65]) -> f64 {
    let y = x.layer_norm(g, b, 1e-5);
    (&y * &y * &y).sum().item()
}

#[differentiable]
fn of_one(x: &Tensor![f64; 1, 65], g: &Tensor![f64; 65], b: &Tensor![f64; 65]) -> f64 {
    let y = x.layer_norm(g, b, 1e-5);
    (&y * &y * &y).sum().item()
}

/// Divided among threads, the gradients are those of the rows one by one.
#[test]
fn gradients_of_many_rows() {
    let x: Tensor![f64; 400, 65] = between(Default::default(), 1, -1.0, 1.0);
    let g: Tensor![f64; 65] = between(Default::default(), 2, -1.0, 1.0);
    let b: Tensor![f64; 65] = between(Default::default(), 3, -1.0, 1.0);
    let (d_x, d_g, d_b) = energy::grad(&x, &g, &b);
    let (mut sum_g, mut sum_b) = (vec![0.0; 65], vec![0.0; 65]);
    for n in 0..400 {
        let one = of_one::grad(&x.narrow::<0, _>(n, Sz::<1>), &g, &b);
        assert_close(&one.0.to_vec(), &d_x.narrow::<0, _>(n, Sz::<1>).to_vec());
        sum_g
            .iter_mut()
            .zip(one.1.to_vec())
            .for_each(|(s, d)| *s += d);
        sum_b
            .iter_mut()
            .zip(one.2.to_vec())
            .for_each(|(s, d)| *s += d);
    }
    assert_close(&d_g.to_vec(), &sum_g);
    assert_close(&d_b.to_vec(), &sum_b);
}

#[test]
fn constant_rows_and_large_means() {
    let g: Tensor![f64; 4] = Tensor::ones();
    let b: Tensor![f64; 4] = Tensor::zeros();
    // No spread: the output is the shift, and finite.
    let x: Tensor![f64; 1, 4] = Tensor::full(7.0);
    assert_eq!(x.layer_norm(&g, &b, 1e-5).to_vec(), [0.0; 4]);
    // A mean of 10⁸ takes no digits of deviations of 1, as a sum of squares would.
    let x: Tensor![f64; 1, 4] =
        Tensor::from_slice(&[1e8 - 1.0, 1e8 + 1.0, 1e8 - 1.0, 1e8 + 1.0]).unwrap();
    assert_close(&x.layer_norm(&g, &b, 0.0).to_vec(), &[-1.0, 1.0, -1.0, 1.0]);
    // A NaN stays in its row.
    let x: Tensor![f64; 2, 4] =
        Tensor::from_slice(&[f64::NAN, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 4.0]).unwrap();
    let y = x.layer_norm(&g, &b, 1e-5).to_vec();
    assert!(y[..4].iter().all(|v| v.is_nan()) && y[4..].iter().all(|v| v.is_finite()));
}

#[test]
fn single_precision_and_views() {
    let x: Tensor![5, 64] = Tensor::randn(1);
    let g: Tensor![5] = Tensor::ones();
    let b: Tensor![5] = Tensor::zeros();
    let y = x.transpose::<0, 1>().layer_norm(&g, &b, 1e-5);
    let copy: Tensor![64, 5] = Tensor::from_slice(&x.transpose::<0, 1>().to_vec()).unwrap();
    assert_eq!(y.to_vec(), copy.layer_norm(&g, &b, 1e-5).to_vec());
    for row in y.to_vec().chunks(5) {
        assert!(row.iter().sum::<f32>().abs() < 1e-5);
    }
}

#[test]
#[should_panic(expected = "layer_norm: dimension `Rows` is 4 in the tensor and 8 in the scale")]
fn a_scale_of_another_run_time_size() {
    let x: Tensor![f64; 2, Rows] = Tensor::zeros_with((Sz, Rows(4)));
    let (scale, shift) = (
        Tensor::ones_with((Rows(8),)),
        Tensor::zeros_with((Rows(8),)),
    );
    let _ = x.layer_norm(&scale, &shift, 1e-5);
}
