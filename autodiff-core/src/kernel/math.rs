//! Special functions that the standard library lacks.

use core::f64::consts::FRAC_2_SQRT_PI;

/// The error function, to a few units in the last place.
///
/// Below 2.5 by `2/√π · e^(−x²) Σ 2ⁿ x^(2n+1) / (2n+1)!!` (DLMF 7.6.2: all terms have one sign),
/// above by the continued fraction of `erfc` (DLMF 7.9.2), whose result is subtracted from 1.
pub fn erf(x: f64) -> f64 {
    let a = x.abs();
    if a < 2.5 {
        let (mut term, mut sum, mut n) = (x, x, 1.0);
        while term.abs() > 1e-17 * sum.abs() {
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
            n += 1.0;
        }
        return FRAC_2_SQRT_PI * (-x * x).exp() * sum;
    }
    if x.is_nan() {
        return x;
    }
    if a > 6.0 {
        return 1f64.copysign(x);
    }
    let mut f = a;
    for k in (1..60).rev() {
        f = a + f64::from(k) / 2.0 / f;
    }
    let erfc = (-a * a).exp() / f * (FRAC_2_SQRT_PI / 2.0);
    (1.0 - erfc).copysign(x)
}
