//! A deep Gaussian process of two layers, as in HIPS autograd.
use crate::Report;
use differentiable::prelude::*;

type Matrix = Vec<Vec<f64>>;

#[derive(Debug)]
#[allow(dead_code, reason = "for messages")]
enum GpError {
    NotPositiveDefinite { pivot: usize },
}

#[derive(Clone, Debug, Differentiable)]
struct Gp {
    mean: f64,
    log_noise: f64,
    log_scale: f64,
    log_lengths: Vec<f64>,
}

#[differentiable]
fn cholesky(a: &Matrix) -> Result<Matrix, GpError> {
    let n = a.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let s: f64 = l[i][..j].iter().zip(&l[j][..j]).map(|(x, y)| x * y).sum();
            if i == j {
                let d = a[i][i] - s;
                if d <= 0.0 {
                    return Err(GpError::NotPositiveDefinite { pivot: i });
                }
                l[i][i] = d.sqrt();
            } else {
                l[i][j] = (a[i][j] - s) / l[j][j];
            }
        }
    }
    Ok(l)
}

#[differentiable]
impl Gp {
    fn covariance(&self, x: &[f64], y: &[f64]) -> f64 {
        let r2: f64 = x
            .iter()
            .zip(y)
            .zip(&self.log_lengths)
            .map(|((a, b), l)| ((a - b) / l.exp()).powi(2))
            .sum();
        self.log_scale.exp() * (-0.5 * r2).exp()
    }

    fn log_marginal_likelihood(&self, xs: &[Vec<f64>], ys: &[f64]) -> Result<f64, GpError> {
        let noise = self.log_noise.exp() + 1e-4;
        let mut k: Matrix = xs
            .iter()
            .map(|x| xs.iter().map(|y| self.covariance(x, y)).collect())
            .collect();
        for (i, row) in k.iter_mut().enumerate() {
            row[i] += noise;
        }
        let l = cholesky(&k)?;
        // forward substitution
        let mut z = Vec::with_capacity(ys.len());
        for (i, y) in ys.iter().enumerate() {
            let s: f64 = l[i].iter().zip(&z).map(|(a, b)| a * b).sum();
            z.push((y - self.mean - s) / l[i][i]);
        }
        let log_det: f64 = l.iter().enumerate().map(|(i, row)| row[i].ln()).sum();
        let n = ys.len() as f64;
        Ok(-0.5 * z.iter().map(|z| z * z).sum::<f64>()
            - log_det
            - 0.5 * n * (2.0 * std::f64::consts::PI).ln())
    }
}

#[derive(Clone, Debug, Differentiable)]
struct DeepGp {
    first: Gp,
    second: Gp,
    hidden: Vec<f64>,
}

#[differentiable]
impl DeepGp {
    fn log_marginal_likelihood(
        &self,
        #[constant] xs: &[Vec<f64>],
        #[constant] ys: &[f64],
    ) -> Result<f64, GpError> {
        let hidden: Vec<Vec<f64>> = self.hidden.iter().map(|h| vec![*h]).collect();
        Ok(self.first.log_marginal_likelihood(xs, &self.hidden)?
            + self.second.log_marginal_likelihood(&hidden, ys)?)
    }
}

pub fn measure(report: &mut Report) {
    for (n, name) in [
        (20, "deep Gaussian process, 20 points"),
        (100, "deep Gaussian process, 100 points"),
    ] {
        let xs: Vec<Vec<f64>> = (0..n)
            .map(|i| vec![-2.0 + 4.0 * i as f64 / (n - 1) as f64])
            .collect();
        let ys: Vec<f64> = xs
            .iter()
            .enumerate()
            .map(|(i, x)| x[0].signum() + 0.1 * (7.3 * i as f64).sin())
            .collect();
        let gp = Gp {
            mean: 0.05,
            log_noise: -2.0,
            log_scale: 0.1,
            log_lengths: vec![-0.2],
        };
        let hidden = (0..n).map(|i| (0.5 * i as f64).sin()).collect();
        let deep = DeepGp {
            first: gp.clone(),
            second: gp,
            hidden,
        };
        let likelihood = || deep.log_marginal_likelihood(&xs, &ys);
        let value = likelihood().expect("a positive definite covariance");
        report.case(name, value, likelihood, || {
            let (value, pullback) = deep.log_marginal_likelihood_vjp(&xs, &ys);
            (value, pullback(Some(1.0)))
        });
    }
}
