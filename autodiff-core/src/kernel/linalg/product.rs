//! Products of many numbers, which overflow or underflow only if the whole does.

/// `mantissa · 2^exponent`
#[derive(Clone, Copy)]
pub struct Product {
    mantissa: f64,
    exponent: i64,
}

impl Product {
    pub fn of(x: f64) -> Self {
        let mut product = Product {
            mantissa: 1.0,
            exponent: 0,
        };
        product.times(x);
        product
    }

    pub fn times(&mut self, x: f64) {
        let (a, e) = split(x);
        let (m, f) = split(self.mantissa * a);
        self.mantissa = m;
        self.exponent += e + f;
    }

    /// The product, rounded once.
    pub fn value(self) -> f64 {
        self.shifted(self.mantissa)
    }

    /// A number between 1 and 2 whose multiple by a power of two is the product.
    pub fn mantissa(self) -> f64 {
        self.mantissa
    }

    /// `x` times that power.
    pub fn shifted(self, x: f64) -> f64 {
        let (mut out, e) = split(x);
        let mut e = (self.exponent + e).clamp(-4000, 4000);
        // Each step is exact but the last.
        while e > 1023 {
            (out, e) = (out * 2f64.powi(1023), e - 1023);
        }
        while e < -1022 {
            (out, e) = (out * 2f64.powi(-1022), e + 1022);
        }
        out * 2f64.powi(e as i32)
    }
}

/// A number between 1 and 2 (or 0, ±∞, NaN) and the exponent of a power of two, whose product is `x`.
fn split(x: f64) -> (f64, i64) {
    const BITS: u64 = 0x7ff;
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let exponent = x.to_bits() >> 52 & BITS;
    if exponent == 0 {
        let (m, e) = split(x * 2f64.powi(64));
        return (m, e - 64);
    }
    let mantissa = f64::from_bits(x.to_bits() & !(BITS << 52) | 1023 << 52);
    (mantissa, exponent as i64 - 1023)
}
