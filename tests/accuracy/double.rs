//! Numbers of 106 bits as the unevaluated sum of two `f64` (Dekker 1971), and exact enough functions of
//! them: some 30 digits, from Taylor series, continued fractions and Newton's method, none of which the
//! kernels use. `tests/accuracy/exact.txt` holds values of mpmath that they are compared with.

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::LazyLock;

/// `0 + 1`, with `|1|` at most half a unit in the last place of `0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Double(pub f64, pub f64);

pub const LN_2: Double = Double(std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
pub const PI: Double = Double(std::f64::consts::PI, 1.224_646_799_147_353_2e-16);
/// `π/2` to 160 bits.
const FRAC_PI_2: [f64; 3] = [
    std::f64::consts::FRAC_PI_2,
    6.123_233_995_736_766e-17,
    -1.497_384_904_859_169_8e-33,
];
const ONE: Double = Double(1.0, 0.0);
const ZERO: Double = Double(0.0, 0.0);

/// `1/k`.
static INVERSE: LazyLock<Vec<Double>> =
    LazyLock::new(|| (0..=600u32).map(|k| ONE / f64::from(k).into()).collect());

fn two_sum(a: f64, b: f64) -> Double {
    let s = a + b;
    let t = s - a;
    Double(s, (a - (s - t)) + (b - t))
}

/// For `|a| ≥ |b|`.
fn quick(a: f64, b: f64) -> Double {
    let s = a + b;
    Double(s, b - (s - a))
}

fn two_product(a: f64, b: f64) -> Double {
    let p = a * b;
    Double(p, a.mul_add(b, -p))
}

impl From<f64> for Double {
    fn from(x: f64) -> Double {
        Double(x, 0.0)
    }
}

impl Add for Double {
    type Output = Double;
    fn add(self, o: Double) -> Double {
        let (s, t) = (two_sum(self.0, o.0), two_sum(self.1, o.1));
        let s = quick(s.0, s.1 + t.0);
        quick(s.0, s.1 + t.1)
    }
}

impl Neg for Double {
    type Output = Double;
    fn neg(self) -> Double {
        Double(-self.0, -self.1)
    }
}

impl Sub for Double {
    type Output = Double;
    fn sub(self, o: Double) -> Double {
        self + -o
    }
}

impl Mul for Double {
    type Output = Double;
    fn mul(self, o: Double) -> Double {
        let p = two_product(self.0, o.0);
        quick(p.0, p.1 + (self.0 * o.1 + self.1 * o.0))
    }
}

impl Div for Double {
    type Output = Double;
    fn div(self, o: Double) -> Double {
        let a = self.0 / o.0;
        if !a.is_finite() {
            return a.into();
        }
        let rest = self - o * a.into();
        let b = rest.0 / o.0;
        let rest = rest - o * b.into();
        quick(a, b) + (rest.0 / o.0).into()
    }
}

impl Double {
    /// The product with a power of two.
    fn scale(self, n: i32) -> Double {
        let power = |n: i32| f64::from_bits(((1023 + n) as u64) << 52);
        let half = n / 2;
        let by = |x: f64| x * power(half) * power(n - half);
        Double(by(self.0), by(self.1))
    }

    pub fn abs(self) -> Double {
        if self.0 < 0.0 { -self } else { self }
    }

    pub fn recip(self) -> Double {
        ONE / self
    }

    pub fn sqrt(self) -> Double {
        if self.0 <= 0.0 || self.0 == f64::INFINITY {
            return Double(self.0.sqrt(), 0.0);
        }
        if self.0 < 1e-270 {
            // The second half of a square would be cut off.
            return self.scale(200).sqrt().scale(-100);
        }
        let r = Double::from(self.0.sqrt());
        r + (self - r * r) / (r + r)
    }

    /// `Σ x^k/k!` from `k = 1`.
    fn exp_m1_series(self, last: usize) -> Double {
        let mut sum = ZERO;
        for k in (1..=last).rev() {
            sum = (sum + ONE) * self * INVERSE[k];
        }
        sum
    }

    pub fn exp(self) -> Double {
        if self.0.abs() > 760.0 {
            return if self.0 < 0.0 {
                ZERO
            } else {
                f64::INFINITY.into()
            };
        }
        let n = (self.0 / LN_2.0).round();
        let r = self - LN_2 * n.into();
        // A sixteenth leaves a short series; the square of 1 + y without the 1 keeps the digits of y.
        let mut y = r.scale(-4).exp_m1_series(16);
        for _ in 0..4 {
            y = y * y + y + y;
        }
        (y + ONE).scale(n as i32)
    }

    pub fn exp_m1(self) -> Double {
        if self.0.abs() < 0.3 {
            self.exp_m1_series(26)
        } else {
            self.exp() - ONE
        }
    }

    /// `ln((1 + t)/(1 − t))` for small `t`.
    fn log_ratio(t: Double) -> Double {
        let z = t * t;
        let mut sum = ZERO;
        for k in (0..=24).rev() {
            sum = sum * z + INVERSE[2 * k + 1];
        }
        (t + t) * sum
    }

    pub fn ln(self) -> Double {
        if self.0 == 0.0 {
            return f64::NEG_INFINITY.into();
        }
        if (self.0 - 1.0).abs() < 0.3 {
            return Double::log_ratio((self - ONE) / (self + ONE));
        }
        // Powers of two apart, which could overflow.
        let n = (self.0.to_bits() >> 52) as i32 - 1023;
        let m = self.scale(-n);
        let y = Double::from(m.0.ln());
        let d = m * (-y).exp() - ONE;
        // The correction ln(1 + d) to second order; d is a rounding error.
        y + d - d * d * 0.5.into() + LN_2 * f64::from(n).into()
    }

    pub fn ln_1p(self) -> Double {
        if self.0.abs() < 0.3 {
            Double::log_ratio(self / (self + Double(2.0, 0.0)))
        } else {
            (self + ONE).ln()
        }
    }

    /// Sine and cosine, for `|x|` up to some 10⁶ where `x` is an `f64`.
    fn sin_cos(self) -> (Double, Double) {
        let n = (self.0 / FRAC_PI_2[0]).round();
        let mut r = self;
        for part in FRAC_PI_2 {
            r = r - two_product(n, part);
        }
        let z = r * r;
        let (mut s, mut c) = (ZERO, ZERO);
        for k in (1..=12).rev() {
            s = -((ONE + s) * z) * INVERSE[2 * k * (2 * k + 1)];
            c = -((ONE + c) * z) * INVERSE[2 * k * (2 * k - 1)];
        }
        let (s, c) = (r + r * s, ONE + c);
        match n.rem_euclid(4.0) as i32 {
            0 => (s, c),
            1 => (c, -s),
            2 => (-s, -c),
            _ => (-c, s),
        }
    }

    pub fn sin(self) -> Double {
        self.sin_cos().0
    }

    pub fn cos(self) -> Double {
        self.sin_cos().1
    }

    pub fn tan(self) -> Double {
        let (s, c) = self.sin_cos();
        s / c
    }

    pub fn tanh(self) -> Double {
        let e = (self.abs() + self.abs()).exp_m1();
        let y = e / (e + Double(2.0, 0.0));
        // Beyond, the exponential is too large.
        let y = if self.0.abs() > 300.0 { ONE } else { y };
        if self.0 < 0.0 { -y } else { y }
    }

    /// `2x/√π e^(−x²) Σ (2x²)^k/(1·3·…·(2k+1))`, all terms of which have one sign.
    pub fn erf(self) -> Double {
        if self.0.abs() > 7.0 {
            return Double(self.0.signum(), 0.0);
        }
        let z = (self * self).scale(1);
        let last = 40 + (2.5 * z.0) as usize;
        let mut sum = ONE;
        for k in (1..=last).rev() {
            sum = sum * z * INVERSE[2 * k + 1] + ONE;
        }
        let two = self + self;
        two / PI.sqrt() * (-(self * self)).exp() * sum
    }

    /// Above 3 by the continued fraction (DLMF 7.9.1).
    pub fn erfc(self) -> Double {
        if self.0 < 3.0 {
            return ONE - self.erf();
        }
        let mut f = self;
        for k in (1..=220).rev() {
            f = self + Double::from(f64::from(k) * 0.5) / f;
        }
        (-(self * self)).exp() / (PI.sqrt() * f)
    }

    pub fn sigmoid(self) -> Double {
        let e = (-self.abs()).exp();
        let y = (ONE + e).recip();
        if self.0 < 0.0 { e * y } else { y }
    }

    pub fn softplus(self) -> Double {
        let l = (-self.abs()).exp().ln_1p();
        if self.0 > 0.0 { self + l } else { l }
    }

    pub fn sinh(self) -> Double {
        let e = self.abs().exp_m1();
        let y = (e + e / (e + ONE)).scale(-1);
        if self.0 < 0.0 { -y } else { y }
    }

    pub fn cosh(self) -> Double {
        let e = self.abs().exp();
        (e + e.recip()).scale(-1)
    }

    pub fn cbrt(self) -> Double {
        if self.0 == 0.0 {
            return self;
        }
        if self.0.abs() < 1e-270 {
            return self.scale(300).cbrt().scale(-100);
        }
        let r = Double::from(self.0.cbrt());
        let square = r * r;
        r + (self - square * r) / (square + square + square)
    }

    pub fn atan(self) -> Double {
        if self.0.is_infinite() {
            let quarter = Double(FRAC_PI_2[0], FRAC_PI_2[1]);
            return if self.0 < 0.0 { -quarter } else { quarter };
        }
        let y = Double::from(self.0.atan());
        // The tangent of the difference, which is as small as a rounding error.
        let (s, c) = y.sin_cos();
        y + (self * c - s) / (c + self * s)
    }

    pub fn asin(self) -> Double {
        (self / ((ONE - self) * (ONE + self)).sqrt()).atan()
    }

    pub fn acos(self) -> Double {
        ((ONE - self) / (ONE + self)).sqrt().atan().scale(1)
    }

    pub fn asinh(self) -> Double {
        let (a, z) = (self.abs(), self * self);
        let y = (a + z / (ONE + (ONE + z).sqrt())).ln_1p();
        // The rest is 1/4x².
        let y = if a.0 > 1e16 { a.ln() + LN_2 } else { y };
        if self.0 < 0.0 { -y } else { y }
    }

    pub fn acosh(self) -> Double {
        if self.0 > 1e16 {
            return self.ln() + LN_2;
        }
        let t = self - ONE;
        (t + (t * (t + Double(2.0, 0.0))).sqrt()).ln_1p()
    }

    pub fn atanh(self) -> Double {
        if self.0.abs() == 1.0 {
            return (self.0 / 0.0).into();
        }
        ((self + self) / (ONE - self)).ln_1p().scale(-1)
    }
}
