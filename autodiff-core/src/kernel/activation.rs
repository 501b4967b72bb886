//! The activation functions of networks, and their derivatives.
//!
//! | function | value | derivative |
//! |---|---|---|
//! | `elu(α)` | `x` above 0, else `α(e^x − 1)` | 1, `α e^x` |
//! | `celu(α)` | `x` above 0, else `α(e^(x/α) − 1)` | 1, `e^(x/α)` |
//! | `selu` | `λ elu(α)` with the constants of Klambauer et al. 2017 | likewise |
//! | `leaky_relu(s)` | `x` above 0, else `s x` | 1, `s` |
//! | `mish` | `x tanh(softplus x)` (Misra 2019) | `y/x + x (1 − (y/x)²) sigmoid x` |
//! | `hardsigmoid` | `(x + 3)/6` between 0 and 1 | ⅙ inside, 0 at −3 and 3 |
//! | `hardswish` | `x hardsigmoid(x)` | `x/3 + ½` inside, 0 from −3 down, 1 from 3 up |
//! | `softsign` | `x/(1 + abs x)` | `1/(1 + abs x)²` |
//! | `log_sigmoid` | `−ln(1 + e^−x)` | `sigmoid(−x)` |
//!
//! At 0 the negative side counts, as in PyTorch. Errors: `docs/book/src/reference/accuracy.md`.

use crate::device::Real;

/// The scale and the slope of `selu`.
pub const SELU: (f64, f64) = (1.050_700_987_355_480_5, 1.673_263_242_354_377_2);

/// `1/(1 + e^−x)` of a number of the machine; code over any float calls [`Real::sigmoid`].
#[inline(always)]
pub fn sigmoid<T: Real>(x: T) -> T {
    T::ONE / (T::ONE + (-x).exp())
}

/// `e^−|x|`, with the slope that it has below 0 also at 0, where the absolute value has none.
#[inline(always)]
fn exp_of_negative<T: Real>(x: T) -> T {
    let x = if x > T::ZERO { -x } else { x };
    x.exp()
}

/// `ln(1 + e^x) = max(x, 0) + ln(1 + e^−|x|)`.
#[inline(always)]
pub fn softplus<T: Real>(x: T) -> T {
    let l = exp_of_negative(x).ln_1p();
    if x > T::ZERO { x + l } else { l }
}

/// `elu` with slope `a` at 0 from below, and the scale `1/r` of its argument there.
#[inline(always)]
pub fn elu<T: Real>(x: T, a: T, r: T) -> T {
    if x > T::ZERO { x } else { a * (x * r).exp_m1() }
}

/// The derivative of [`elu`].
#[inline(always)]
pub fn elu_slope<T: Real>(x: T, a: T, r: T) -> T {
    if x > T::ZERO {
        T::ONE
    } else {
        a * r * (x * r).exp()
    }
}

/// The derivative of `celu` by `α`, where `r = 1/α`: `e^z (1 − z) − 1` for `z = x/α < 0`.
#[inline(always)]
pub fn celu_by_alpha<T: Real>(x: T, r: T) -> T {
    let z = x * r;
    if x > T::ZERO {
        T::ZERO
    } else {
        z.exp_m1() - z * z.exp()
    }
}

/// `tanh(softplus x)`, through the exponential of a negative number.
#[inline(always)]
fn tanh_softplus<T: Real>(x: T) -> T {
    let two = T::lit(2.0);
    let e = exp_of_negative(x);
    let n = if x > T::ZERO {
        T::ONE + two * e
    } else {
        e * (e + two)
    };
    let rest = if x > T::ZERO { two * e * e } else { two };
    n / (n + rest)
}

/// `x · tanh(softplus x)`.
#[inline(always)]
pub fn mish<T: Real>(x: T) -> T {
    x * tanh_softplus(x)
}

/// The derivative of [`mish`].
#[inline(always)]
pub fn mish_slope<T: Real>(x: T) -> T {
    let t = tanh_softplus(x);
    t + x * (T::ONE - t * t) * x.sigmoid()
}

/// `(x + 3)/6` between 0 and 1.
#[inline(always)]
pub fn hardsigmoid<T: Real>(x: T) -> T {
    let three = T::lit(3.0);
    if x <= -three {
        T::ZERO
    } else if x >= three {
        T::ONE
    } else {
        (x + three) / T::lit(6.0)
    }
}

/// `x · hardsigmoid(x)`.
#[inline(always)]
pub fn hardswish<T: Real>(x: T) -> T {
    let three = T::lit(3.0);
    if x <= -three {
        T::ZERO
    } else if x >= three {
        x
    } else {
        x * (x + three) / T::lit(6.0)
    }
}

/// The derivative of [`hardswish`].
#[inline(always)]
pub fn hardswish_slope<T: Real>(x: T) -> T {
    let three = T::lit(3.0);
    if x <= -three {
        T::ZERO
    } else if x >= three {
        T::ONE
    } else {
        x / three + T::lit(0.5)
    }
}

/// `|x|^p`'s derivative divided by `p`: `|x|^(p−1)` with the sign of `x`; 0 at 0.
#[inline(always)]
pub fn signed_power<T: Real>(x: T, q: T) -> T {
    if x == T::ZERO {
        // Of the square it is the element itself, which may have a derivative.
        if q == T::ONE { x } else { T::ZERO }
    } else if x > T::ZERO {
        x.powf(q)
    } else {
        -(-x).powf(q)
    }
}
