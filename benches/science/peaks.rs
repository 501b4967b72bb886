//! Levenberg and Marquardt over a sum of Gaussian peaks.
use crate::Report;
use differentiable::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Peak {
    height: f64,
    centre: f64,
    width: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Curve {
    peaks: Vec<Peak>,
    baseline: (f64, f64),
}

#[differentiable]
impl Curve {
    fn eval(&self, x: f64) -> f64 {
        let (a, b) = self.baseline;
        self.peaks
            .iter()
            .map(
                |&Peak {
                     height,
                     centre,
                     width,
                 }| height * (-((x - centre) / width).powi(2)).exp(),
            )
            .sum::<f64>()
            + a
            + b * x
    }
}

#[differentiable]
fn residuals(curve: &Curve, #[constant] points: &[(f64, f64)]) -> Vec<f64> {
    points.iter().map(|&(x, y)| curve.eval(x) - y).collect()
}

pub fn measure(report: &mut Report) {
    let peak = |height, centre, width| Peak {
        height,
        centre,
        width,
    };
    let truth = Curve {
        peaks: vec![peak(2.0, 1.0, 0.4), peak(1.0, 2.5, 0.7)],
        baseline: (0.1, 0.05),
    };
    let xs = (0..1000).map(|i| 0.004 * f64::from(i));
    let points: Vec<(f64, f64)> = xs.map(|x| (x, truth.eval(x))).collect();
    let start = Curve {
        peaks: vec![peak(1.5, 0.8, 0.5), peak(1.2, 2.8, 0.5)],
        baseline: (0.0, 0.0),
    };
    report.columns(
        "peaks, Jacobian of 1000 residuals",
        8,
        || residuals(&start, &points),
        || residuals::jacobian_matrix(&start, &points),
    );
}
