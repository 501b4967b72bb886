//! The second derivative of every function of numbers, against central differences of the first.

use crate::near;
use differentiable::prelude::*;

macro_rules! second {
    ($($name:ident($x:ident) $value:expr, at $($at:expr),*;)*) => { $(
        #[test]
        fn $name() {
            #[differentiable(higher_order)]
            fn f($x: f64) -> f64 {
                $value
            }
            for x in [$($at),*] {
                let h = 1e-5;
                let difference = (f::grad(x + h) - f::grad(x - h)) / (2.0 * h);
                near(f::hessian(x), difference, 1e-8);
                near(f::hvp((x, -0.5)), -0.5 * difference, 1e-8);
            }
        }
    )* };
}

second! {
    exp(x) x.exp() + x.exp2() * x.exp_m1(), at -1.0, 0.0, 0.7;
    logarithms(x) x.ln() * x.log2() + x.log10() * x.ln_1p(), at 0.4, 1.0, 3.0;
    roots(x) x.sqrt() * x.cbrt() + x.recip(), at 0.4, 2.0;
    trigonometric(x) x.sin() * x.cos() + x.tan(), at -0.6, 0.0, 1.1;
    inverse(x) x.asin() + x.acos() * x.atan(), at -0.6, 0.0, 0.4;
    hyperbolic(x) x.sinh() * x.cosh() + x.tanh(), at -0.6, 0.0, 1.1;
    inverse_hyperbolic(x) x.asinh() * (x + 2.0).acosh() + (x / 3.0).atanh(), at -0.6, 0.0, 0.4;
    powers(x) x.powi(3) - x.powi(-2) + x.powf(2.5) * x.powf(x), at 0.4, 1.0, 2.0;
    pairs(x) x.atan2(x * x + 1.0) * x.hypot(2.0), at -0.6, 0.0, 1.4;
    extremes(x) (x * x).max(1.0 + x) * (x * x * x).min(2.0), at -0.4, 0.7, 1.7;
    limits(x) (x * x).clamp(0.2, 2.0) * x, at 0.1, 0.8, 1.7;
    pieces(x) x.abs() * x.fract() + x.floor() * x * x + x.signum() * x.powi(3), at -0.4, 0.7, 1.2;
    remainders(x) (x * x) % 0.7 * x + x.rem_euclid(0.3) * x * x, at 0.5, 1.1;
    others(x) x.mul_add(x * x, x) + x.copysign(-1.0) * x + x.to_radians() * x.to_degrees(), at 0.4, 2.0;
    both(x) { let (s, c) = (x * x).sin_cos(); s * c + s }, at 0.4, 1.2;
}
