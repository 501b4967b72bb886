//! Type parameters bounded by traits of the user's own: nothing says besides that their values carry a derivative.

use crate::check;
use differentiable::ad::Scalar;
use differentiable::prelude::*;
use std::fmt::Debug;

#[differentiable]
trait Activation<T: Scalar>: Clone {
    fn apply(&self, x: T) -> T;
    fn twice(&self, x: T) -> T {
        self.apply(self.apply(x))
    }
    fn name(&self) -> &'static str {
        "activation"
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Swish<T> {
    beta: T,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Leaky;

#[differentiable]
impl<T: Scalar> Activation<T> for Swish<T> {
    fn apply(&self, x: T) -> T {
        x / (T::ONE + (-self.beta * x).exp())
    }
    fn name(&self) -> &'static str {
        "swish"
    }
}

#[differentiable]
impl<T: Scalar> Activation<T> for Leaky {
    fn apply(&self, x: T) -> T {
        if x > T::ZERO { x } else { T::lit(0.1) * x }
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
    fn square(w: Vec<Vec<T>>, activation: A) -> Self {
        let b = w.iter().map(|row| row[0]).collect();
        Dense { w, b, activation }
    }

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
) -> T {
    let mut total = T::ZERO;
    for x in xs {
        let mut h = x.clone();
        for layer in layers {
            h = layer.forward(&h);
        }
        total += h.iter().copied().sum::<T>();
    }
    total * total
}

#[differentiable]
fn made<T, A>(w: &[Vec<T>], a: &A, x: &[T]) -> T
where
    T: Scalar,
    A: Activation<T>,
{
    let dense = Dense::square(w.to_vec(), a.clone());
    let mut sum = T::ZERO;
    for y in dense.forward(x) {
        sum += dense.activation.twice(y);
    }
    sum
}

// The trait says nothing of a derivative, and no value of the parameter has one.
trait Named {
    fn len(&self) -> usize;
}
impl Named for String {
    fn len(&self) -> usize {
        String::len(self)
    }
}

#[differentiable]
fn of_a_constant<T: Scalar, N: Named>(x: &[T], #[constant] name: &N) -> T {
    x[name.len() % x.len()] * x[0]
}

fn layers<A: Clone>(p: &[f64; 5], activation: A) -> Vec<Dense<f64, A>> {
    let layer = |k: f64| Dense {
        w: vec![vec![p[0], k * p[1]], vec![p[2] * k, p[3]]],
        b: vec![p[4], -p[4]],
        activation: activation.clone(),
    };
    vec![layer(1.0), layer(-0.7)]
}

fn xs() -> Vec<Vec<f64>> {
    vec![vec![0.3, -0.8], vec![1.1, 0.4]]
}

fn swish(p: &[f64; 5]) -> f64 {
    mean_square(&layers(p, Swish { beta: p[3] }), &xs())
}

#[test]
fn layers_with_an_activation() {
    type Layers = Vec<Dense<f64, Swish<f64>>>;
    let p = [0.4, -0.9, 0.7, 1.2, 0.2];
    let at = layers(&p, Swish { beta: p[3] });
    let (value, gradient) = mean_square::value_and_grad(&at[..], &xs());
    assert_eq!(value, swish(&p));
    let h = 1e-5;
    let by = |change: &dyn Fn(&mut Layers, f64)| {
        let f = |h: f64| {
            let mut moved = at.clone();
            change(&mut moved, h);
            mean_square(&moved, &xs())
        };
        (f(h) - f(-h)) / (2.0 * h)
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-7 * b.abs().max(1.0), "{a} {b}");
    close(gradient[0].w[1][0], by(&|l, h| l[0].w[1][0] += h));
    close(gradient[1].b[0], by(&|l, h| l[1].b[0] += h));
    close(
        gradient[0].activation.beta,
        by(&|l, h| l[0].activation.beta += h),
    );
    let plain = layers(&p, Leaky);
    let gradient = mean_square::grad(&plain[..], &xs());
    let f = |h: f64| {
        let mut moved = plain.clone();
        moved[0].w[0][1] += h;
        mean_square(&moved, &xs())
    };
    close(gradient[0].w[0][1], (f(h) - f(-h)) / (2.0 * h));
    assert_eq!(Activation::<f64>::name(&Leaky), "activation");
    assert_eq!(Activation::<f64>::name(&Swish { beta: 1.0 }), "swish");
}

#[test]
fn parameters_without_a_bound_of_ours() {
    let w = vec![vec![0.4, -0.9], vec![0.7, 0.3]];
    check::<made, _>(&(w, Swish { beta: 0.8 }, vec![0.3, 0.9]));
    let (value, gradient) = of_a_constant::value_and_grad(&[2.0, 3.0][..], &"one".to_string());
    assert_eq!((value, gradient), (6.0, vec![3.0, 2.0]));
}

// A constant whose methods have derivatives by their arguments.
#[differentiable]
trait LogDensity {
    fn log_prob(&self, x: &[f64]) -> f64;
}

#[derive(Clone, Differentiable)]
struct Funnel {
    width: f64,
}

#[differentiable]
impl LogDensity for Funnel {
    fn log_prob(&self, x: &[f64]) -> f64 {
        let [mu, log_sigma] = x else {
            panic!("two dimensions")
        };
        -0.5 * (log_sigma / self.width).powi(2) - 0.5 * (mu / log_sigma.exp()).powi(2) - log_sigma
    }
}

#[differentiable]
fn expected<P: LogDensity>(
    mean: &[f64],
    #[constant] target: &P,
    #[constant] noise: &[Vec<f64>],
) -> f64 {
    let shifted = |e: &[f64]| -> Vec<f64> { mean.iter().zip(e).map(|(m, e)| m + e).collect() };
    let mut total = target.log_prob(mean);
    for e in noise {
        total += target.log_prob(&shifted(e));
    }
    total
        + noise
            .iter()
            .map(|e| target.log_prob(&shifted(e)))
            .sum::<f64>()
}

#[differentiable]
fn twice<P>(mean: &[f64], #[constant] target: &P, #[constant] noise: &[Vec<f64>]) -> f64
where
    P: LogDensity + Clone,
{
    expected(mean, target, noise) * mean[0] + target.log_prob(mean)
}

#[test]
fn methods_of_a_constant() {
    let (mean, target, noise) = (vec![0.3, -0.4], Funnel { width: 1.35 }, xs());
    let gradient = twice::grad(&mean, &target, &noise);
    for i in 0..2 {
        let f = |h: f64| {
            let mut moved = mean.clone();
            moved[i] += h;
            twice(&moved, &target, &noise)
        };
        let slope = (f(1e-5) - f(-1e-5)) / 2e-5;
        assert!((gradient[i] - slope).abs() < 1e-7 * slope.abs().max(1.0));
    }
}
