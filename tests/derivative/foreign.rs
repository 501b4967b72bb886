//! Functions of elsewhere, numbers and slices.

use differentiable::ad::check_grads;
use differentiable::prelude::*;

/// What the macro could not read.
mod library {
    pub fn cube_root(x: f64) -> f64 {
        let mut y = if x < 0.0 { -1.0 } else { 1.0 };
        loop {
            let next = y - (y * y * y - x) / (3.0 * y * y);
            if (next - y).abs() <= 1e-15 * y.abs() {
                break next;
            }
            y = next;
        }
    }

    pub fn log_sum_exp(x: &[f64]) -> f64 {
        let most = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most + x.iter().map(|x| (x - most).exp()).sum::<f64>().ln()
    }

    pub fn power(x: f32, n: i32, scale: f32) -> f32 {
        (0..n).fold(scale, |y, _| y * x)
    }

    pub mod deep {
        pub fn weighted(x: &[f64], w: &[f64], k: f64) -> f64 {
            x.iter().zip(w).map(|(x, w)| x * w).sum::<f64>() * k
        }
    }
}

mod rules {
    use super::library;
    use differentiable::prelude::*;

    #[derivative(of = library::cube_root)]
    pub fn cube_root_rule(x: f64) -> (f64, impl Fn(f64) -> f64) {
        let y = library::cube_root(x);
        (y, move |ct| ct / (3.0 * y * y))
    }

    #[derivative(of = library::log_sum_exp)]
    pub fn log_sum_exp_rule(x: &[f64]) -> (f64, impl Fn(f64) -> Vec<f64>) {
        let y = library::log_sum_exp(x);
        let soft: Vec<f64> = x.iter().map(|x| (x - y).exp()).collect();
        (y, move |ct| soft.iter().map(|s| ct * s).collect())
    }

    #[derivative(of = library::power)]
    pub fn power_rule(x: f32, n: i32, scale: f32) -> (f32, impl Fn(f32) -> (f32, f32)) {
        let pow = x.powi(n);
        (scale * pow, move |ct| {
            (ct * scale * n as f32 * x.powi(n - 1), ct * pow)
        })
    }

    #[derivative(of = library::deep::weighted)]
    pub fn weighted_rule(
        x: &[f64],
        #[constant] w: &[f64],
        k: f64,
    ) -> (f64, impl Fn(f64) -> (Vec<f64>, f64)) {
        let (w, sum) = (w.to_vec(), library::deep::weighted(x, w, 1.0));
        (k * sum, move |ct| {
            (w.iter().map(|w| ct * k * w).collect(), ct * sum)
        })
    }
}

use library::{cube_root, deep::weighted, log_sum_exp, power};
use rules::{cube_root, log_sum_exp, power, weighted};

#[differentiable]
fn once(x: f64) -> f64 {
    cube_root(x * x + 1.0) * x
}

#[differentiable]
fn in_loops(x: &[f64], k: f64) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        if x[i] > 0.0 {
            total += cube_root(x[i] + k) * log_sum_exp(&x[i..]);
        } else {
            total -= log_sum_exp(x);
        }
    }
    total + x.iter().map(|x| cube_root(*x * k)).sum::<f64>()
}

#[differentiable]
fn with_constants(x: &[f64], #[constant] w: &[f64], k: f64) -> f64 {
    weighted(x, w, k * k).sin()
}

#[differentiable]
fn single(x: f32) -> f32 {
    power(x + 0.5, 3, x)
}

#[test]
fn numbers() {
    assert_eq!(once(2.0), library::cube_root(5.0) * 2.0);
    for x in [-2.0, 0.3, 5.0] {
        check_grads::<once, _>(&(x,)).unwrap();
        check_grads::<cube_root, _>(&(x,)).unwrap();
    }
    assert!((cube_root::grad(8.0) - 1.0 / 12.0).abs() < 1e-15);
    let (y, t) = cube_root::jvp((8.0, 3.0));
    assert!((y - 2.0).abs() < 1e-15 && (t - 0.25).abs() < 1e-15);
    let (y, d) = single::value_and_grad(1.5);
    assert!((y - 12.0).abs() < 1e-5 && (d - (8.0 + 3.0 * 4.0 * 1.5)).abs() < 1e-4);
}

#[test]
fn slices() {
    let x = vec![0.5, -0.3, 1.2, 0.1];
    check_grads::<log_sum_exp, _>(&(x.clone(),)).unwrap();
    check_grads::<in_loops, _>(&(x.clone(), 0.7)).unwrap();
    let soft = log_sum_exp::grad(&x);
    assert!((soft.iter().sum::<f64>() - 1.0).abs() < 1e-14);
    let w = [1.0, 2.0, -1.0, 0.5];
    let (d, by_k) = with_constants::grad(&x, &w, 1.5);
    let step = 1e-6;
    let at = |k: f64| with_constants(&x, &w, k);
    assert!((by_k - (at(1.5 + step) - at(1.5 - step)) / (2.0 * step)).abs() < 1e-8);
    for i in 0..x.len() {
        let at = |s: f64| {
            let mut x = x.clone();
            x[i] += s;
            with_constants(&x, &w, 1.5)
        };
        assert!((d[i] - (at(step) - at(-step)) / (2.0 * step)).abs() < 1e-8);
    }
}

/// A rule that is wrong is found out.
#[test]
fn wrong_rules_fail_the_check() {
    mod wrong {
        use differentiable::prelude::*;
        pub fn twice(x: f64) -> f64 {
            2.0 * x
        }
        #[derivative(of = twice)]
        pub fn twice_rule(x: f64) -> (f64, impl Fn(f64) -> f64) {
            (2.0 * x, |ct| 3.0 * ct)
        }
        pub fn thrice(x: f64) -> f64 {
            3.0 * x
        }
        #[derivative(of = thrice, jvp = thrice_jvp)]
        pub fn thrice_rule(x: f64) -> (f64, impl Fn(f64) -> f64) {
            (3.0 * x, |ct| 3.0 * ct)
        }
        pub fn thrice_jvp((x, dx): (f64, f64)) -> (f64, f64) {
            (3.0 * x, 2.0 * dx)
        }
    }
    assert!(check_grads::<wrong::twice, _>(&(0.5,)).is_err());
    assert!(check_grads::<wrong::thrice, _>(&(0.5,)).is_err());
}
