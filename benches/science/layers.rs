//! One function for f32 and f64, with traits of the user's own.
use crate::Report;
use differentiable::ad::Scalar;
use differentiable::prelude::*;
use std::fmt::Debug;

#[differentiable]
trait Activation<T: Scalar>: Clone {
    fn apply(&self, x: T) -> T;
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Swish<T> {
    beta: T,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Relu;

#[differentiable]
impl<T: Scalar> Activation<T> for Swish<T> {
    fn apply(&self, x: T) -> T {
        x / (T::ONE + (-self.beta * x).exp())
    }
}

#[differentiable]
impl<T: Scalar> Activation<T> for Relu {
    fn apply(&self, x: T) -> T {
        if x > T::ZERO { x } else { T::ZERO }
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Dense<T, A> {
    w: Vec<Vec<T>>,
    b: Vec<T>,
    activation: A,
}

#[differentiable]
impl<T: Scalar, A: Activation<T>> Dense<T, A> {
    fn forward(&self, x: &[T]) -> Vec<T> {
        self.w
            .iter()
            .zip(&self.b)
            .map(|(row, b)| row.iter().zip(x).map(|(w, x)| *w * *x).sum::<T>() + *b)
            .map(|z| self.activation.apply(z))
            .collect()
    }
}

#[differentiable]
fn mean_square<T: Scalar, A: Activation<T> + Debug>(
    layers: &[Dense<T, A>],
    #[constant] xs: &[Vec<T>],
    #[constant] ys: &[T],
) -> T {
    let mut total = T::ZERO;
    for (x, y) in xs.iter().zip(ys) {
        let mut h = x.clone();
        for layer in layers {
            h = layer.forward(&h);
        }
        let e = h.iter().copied().sum::<T>() - *y;
        total += e * e;
    }
    total / T::lit(ys.len() as f64)
}

pub fn measure(report: &mut Report) {
    let layer = |r: usize, c: usize| Dense {
        w: (0..r)
            .map(|i| {
                (0..c)
                    .map(|j| (1.1 * i as f64 + 0.7 * j as f64).sin())
                    .collect()
            })
            .collect(),
        b: vec![0.1; r],
        activation: Swish { beta: 1.3 },
    };
    let layers = [layer(5, 3), layer(4, 5)];
    let x = |i: usize| (0..3).map(|j| (i as f64 * 0.4 + j as f64).cos()).collect();
    let xs: Vec<Vec<f64>> = (0..1000).map(x).collect();
    let ys: Vec<f64> = (0..1000).map(|i| 0.1 * f64::from(i)).collect();
    report.case(
        "generic layers, 1000 examples",
        mean_square(&layers[..], &xs, &ys),
        || mean_square(&layers[..], &xs, &ys),
        || mean_square::value_and_grad(&layers[..], &xs, &ys),
    );
}
