//! Operators between tensors and scalars inside `#[differentiable]` functions, in both modes.

use crate::check::between;
use crate::coverage::covered;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Batch);

type Ragged = Tensor![f64; Batch, 3];

fn ragged(seed: u64) -> Ragged {
    between((Batch(4), Sz), seed, 0.1, 0.9)
}

const HALF: f64 = 0.5;

covered! {
    literal_on_the_right at (ragged(1)) = |x: Ragged| -> Ragged { ((x * 2.0 + 3.0) / 4.0 - 5.0) * x }
    literal_on_the_left at (ragged(1)) = |x: Ragged| -> Ragged { 2.0 * (3.0 + x) - 4.0 / (5.0 - x) }
    literal_and_owned at (ragged(1)) = |x: Ragged| -> Ragged {
        let y = x.exp();
        2.0 / (y * 3.0) + 1.0 / x.sin()
    }
    constants at (ragged(1)) = |x: Ragged| -> Ragged {
        let n = x.shape().0.size();
        HALF * x * (1.0 / n as f64) + std::f64::consts::PI
    }
    assigned_literals at (ragged(1)) = |x: Ragged| -> Ragged {
        let mut y = x * x;
        y *= 3.0;
        y += HALF;
        y /= 7.0;
        y -= 1.0;
        y
    }
    active_on_the_right at (ragged(1), 0.7) = |x: Ragged, s: f64| -> Ragged {
        (x * *s + *s) / *s - *s * 0.5
    }
    active_on_the_left at (ragged(1), 0.7) = |x: Ragged, s: f64| -> Ragged {
        *s * (*s + x) - *s / (*s - 2.0 * x)
    }
    active_local at (ragged(1), 0.7) = |x: Ragged, s: f64| -> Ragged {
        let t = s.sin() * 2.0;
        let y = t * x;
        y.exp() / t + t
    }
    active_assigned at (ragged(1), 0.7) = |x: Ragged, s: f64| -> Ragged {
        let mut y = x * x;
        let t = s * s;
        y *= t;
        y += t;
        y /= t.exp();
        y -= t;
        y
    }
    active_from_the_tensor at (ragged(1)) = |x: Ragged| -> Ragged {
        let largest = x.max().item();
        (x - largest).exp() / x[[0, 1]]
    }
    active_in_a_loop at (ragged(1), vec![0.7, -0.2, 1.3]) = |x: Ragged, s: Vec<f64>| -> Ragged {
        let mut y = x.clone();
        for i in 0..s.len() {
            y = s[i] * y.sin() - x / (s[i] + 3.0) + s[i];
        }
        y
    }
    negated at (ragged(1), 0.7) = |x: Ragged, s: f64| -> Ragged { -*s * x / -(2.0 * x + *s) }
}

#[test]
fn by_value() {
    #[differentiable]
    fn function(x: Ragged, s: f64) -> Ragged {
        let y = s * &x;
        (y + x) / s - 1.0
    }
    check_grads::<function, _>(&(ragged(1), -1.5)).unwrap();
}

#[test]
fn a_constant_scalar() {
    #[differentiable]
    fn function(x: &Ragged, #[constant] s: f64) -> Ragged {
        s * x + x / s - (s - x)
    }
    let x = ragged(1);
    let (_, pullback) = function::vjp(&x, 4.0);
    let ones = Tensor::ones_with(x.shape());
    assert_eq!(pullback(ones.clone()), &ones * 5.25);
    let error = function::jvp((&x, &x), 4.0).1 - &x * 5.25;
    assert!(error.abs().max().item() < 1e-14);
}

#[test]
fn single_precision() {
    #[differentiable]
    fn function(x: &Tensor![2, 3], s: f32) -> Tensor![2, 3] {
        2.0 * x / s + (s - x * 0.5) * s / 3.0
    }
    let x: Tensor![2, 3] = Tensor::iota();
    check_grads::<function, _>(&(x, 1.25)).unwrap();
}
