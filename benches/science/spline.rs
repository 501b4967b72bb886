//! A B-spline fit: coefficients and knots, de Boor's recursion on slices, binary search on knots.
use crate::Report;
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Spline {
    knots: Vec<f64>,
    coefficients: Vec<f64>,
    degree: usize,
}

#[differentiable]
impl Spline {
    fn span(&self, x: f64) -> usize {
        let n = self.coefficients.len();
        let i = self.knots.partition_point(|k| *k <= x);
        (i - 1).clamp(self.degree, n - 1)
    }

    fn eval(&self, x: f64) -> f64 {
        let p = self.degree;
        let k = self.span(x);
        let mut d = self.coefficients[k - p..=k].to_vec();
        let t = &self.knots[k - p..];
        for r in 1..=p {
            for j in (r..=p).rev() {
                let alpha = (x - t[j]) / (t[j + 1 + p - r] - t[j]);
                d[j] = (1.0 - alpha) * d[j - 1] + alpha * d[j];
            }
        }
        d[p]
    }

    fn eval_binary(&self, x: f64) -> f64 {
        // piecewise linear, with binary_search_by
        let i = match self.knots.binary_search_by(|k| k.partial_cmp(&x).unwrap()) {
            Ok(i) => i,
            Err(0) => return self.coefficients[0],
            Err(i) => i - 1,
        };
        match (&self.knots[i..], &self.coefficients[i..]) {
            ([a, b, ..], [ca, cb, ..]) => ca + (cb - ca) * (x - a) / (b - a),
            _ => *self.coefficients.last().unwrap(),
        }
    }

    fn roughness(&self) -> f64 {
        self.coefficients
            .windows(3)
            .map(|w| match w {
                [a, b, c] => (a - 2.0 * b + c).powi(2),
                _ => unreachable!(),
            })
            .sum()
    }
}

#[differentiable]
fn loss(spline: &Spline, #[constant] points: &[(f64, f64)], smoothing: f64) -> f64 {
    let fit: f64 = points
        .iter()
        .map(|&(x, y)| (spline.eval(x) - y).powi(2))
        .sum();
    fit + smoothing * spline.roughness() + 1e-3 * spline.eval_binary(0.45)
}

/// The same from the interior knots, unsorted.
#[differentiable]
fn loss_free_knots(
    interior: &[f64],
    coefficients: &[f64],
    #[constant] points: &[(f64, f64)],
) -> f64 {
    let mut sorted = interior.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let knots: Vec<f64> = std::iter::repeat_n(0.0, 4)
        .chain(sorted)
        .chain(std::iter::repeat_n(1.0, 4))
        .collect();
    let spline = Spline {
        knots,
        coefficients: coefficients.to_vec(),
        degree: 3,
    };
    loss(&spline, points, 0.01)
}

pub fn measure(report: &mut Report) {
    let interior = [0.5, 0.2, 0.8, 0.35, 0.65];
    let c: Vec<f64> = (0..9).map(|i| (0.8 * f64::from(i)).cos()).collect();
    let xs = (0..10_000).map(|i| (f64::from(i) + 0.5) / 10_000.0);
    let points: Vec<(f64, f64)> = xs.map(|x| (x, (9.0 * x).sin())).collect();
    report.case(
        "spline with free knots, 10 000 points",
        loss_free_knots(&interior, &c, &points),
        || loss_free_knots(&interior, &c, &points),
        || loss_free_knots::value_and_grad(&interior, &c, &points),
    );
}
