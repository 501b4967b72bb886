//! A neural ordinary differential equation, by fixed and by adaptive steps.
use crate::Report;
use differentiable::ode::{OdeError, Options, dopri5_at};
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Layer {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
}

#[derive(Clone, Debug, Differentiable)]
struct Net {
    layers: Vec<Layer>,
}

#[differentiable]
impl Layer {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        self.w
            .iter()
            .zip(&self.b)
            .map(|(row, b)| row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b)
            .collect()
    }
}

#[differentiable]
impl Net {
    fn predict(&self, y: &[f64; 2]) -> [f64; 2] {
        let (last, hidden) = self.layers.split_last().unwrap();
        let x = hidden
            .iter()
            .fold(y.map(|v| v.powi(3)).to_vec(), |x, layer| {
                layer.forward(&x).iter().map(|v| v.tanh()).collect()
            });
        let out = last.forward(&x);
        [out[0], out[1]]
    }
}

#[differentiable]
fn train_loss(
    net: &Net,
    #[constant] start: &[f64; 2],
    #[constant] times: &[f64],
    #[constant] data: &[[f64; 2]],
) -> Result<f64, OdeError> {
    let options = Options {
        rtol: 1e-6,
        atol: 1e-8,
        ..Default::default()
    };
    let path = dopri5_at(|_t, y| net.predict(y), start, 0.0, times, &options)?;
    let total: f64 = path
        .iter()
        .zip(data)
        .flat_map(|(p, d)| p.iter().zip(d))
        .map(|(a, b)| (a - b).abs())
        .sum();
    Ok(total / (2 * data.len()) as f64)
}

#[differentiable]
fn rk4_loss(net: &Net) -> f64 {
    let y = differentiable::ode::rk4(
        |_t, y: &[f64; 2]| net.predict(y),
        &[2.0, 0.0],
        0.0,
        1.5,
        200,
    );
    y.iter().map(|v| v * v).sum()
}

fn truth(y: &[f64; 2]) -> [f64; 2] {
    let [a, b] = y.map(|v| v * v * v);
    [-0.1 * a - 2.0 * b, 2.0 * a - 0.1 * b]
}

pub fn measure(report: &mut Report) {
    let layer = |rows: usize, cols: usize, s: f64| Layer {
        w: (0..rows)
            .map(|i| {
                (0..cols)
                    .map(|j| 0.3 * (s + 1.7 * i as f64 + 0.9 * j as f64).sin())
                    .collect()
            })
            .collect(),
        b: (0..rows).map(|i| 0.1 * (s + i as f64).cos()).collect(),
    };
    let net = Net {
        layers: vec![layer(50, 2, 0.1), layer(2, 50, 0.7)],
    };
    report.case(
        "neural ODE, 200 steps of Runge and Kutta",
        rk4_loss(&net),
        || rk4_loss(&net),
        || rk4_loss::value_and_grad(&net),
    );
    let times: Vec<f64> = (1..30).map(|i| 1.5 * f64::from(i) / 29.0).collect();
    let start = [2.0, 0.0];
    let data: Vec<[f64; 2]> = times.iter().map(|_| truth(&start)).collect();
    let loss = || train_loss(&net, &start, &times, &data);
    report.case(
        "neural ODE, adaptive steps",
        loss().expect("a path"),
        loss,
        || {
            let (value, pullback) = train_loss::vjp(&net, &start, &times, &data);
            (value, pullback(Some(1.0)))
        },
    );
}
