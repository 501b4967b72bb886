//! The table. A row reads
//!
//! ```text
//! /// What it computes.
//! name Operation Rule reads (cost of the value, cost of the pullback) [from, to]
//!     |x| the value;
//!     |t, v| the pushforward of `t`, which is the pullback too;
//! ```
//!
//! where `v` is what the pullback *reads*: the operand (`input`), the value (`output`), or `nothing`. `Operation` names the
//! variant of `UnaryOp`; `Rule` the trait that emitted code calls, or the two methods. `-` stands where there is none. Costs
//! are in additions.
//! Between *from* and *to* the function is smooth but for a few points: tests try it there.
//!
//! Formulas are over a type `T` of numbers, and have no branches that the compiler could not turn into a choice: kernels are
//! vector code. `unless_zero(t, image)` is `t` where that is a zero, also where the slope is infinite; `quotient(t, d)` is
//! such a division.

/// Calls `then! { { with } [rows] … }`, with the rows of the sections that each pair of brackets names. `functions!(short
/// then, …)` leaves the formulas out: `name Operation Rule reads (cost cost) [from, to];`.
///
/// The rows of a section are written once, here; see the module for how one reads.
#[macro_export]
macro_rules! functions {
    ($then:ident, { $($with:tt)* } $([$($section:ident)*])*) => {
        $crate::functions! { @ (whole $then) { $($with)* } () () $([$($section)*])* }
    };
    (short $then:ident, { $($with:tt)* } $([$($section:ident)*])*) => {
        $crate::functions! { @ (short $then) { $($with)* } () () $([$($section)*])* }
    };
    (@ (whole $then:ident) $with:tt ($($done:tt)*) ()) => {
        $then! { $with $($done)* }
    };
    (@ (short $then:ident) $with:tt ($([$(
        $(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt
            |$x:ident| $value:expr; |$t:ident, $v:ident| $pull:expr;
    )*])*) ()) => {
        $then! { $with $([$( $(#[$doc])* $name $Op $Rule $reads $costs $domain; )*])* }
    };
    (@ $then:tt $with:tt ($($done:tt)*) ($($rows:tt)*) [] $($groups:tt)*) => {
        $crate::functions! { @ $then $with ($($done)* [$($rows)*]) () $($groups)* }
    };

    // Methods of `f64` that tensors have too.
    (@ $then:tt $with:tt $done:tt ($($rows:tt)*) [numbers $($section:ident)*] $($groups:tt)*) => {
        $crate::functions! { @ $then $with $done ($($rows)*
            /// `e^x`.
            exp Exp ExpRule output (8 1) [-5.0, 5.0]
                |x| x.exp();
                |t, y| unless_zero_at(t, y, t * y);
            /// `2^x`.
            exp2 Exp2 Exp2Rule output (8 1) [-5.0, 5.0]
                |x| x.exp2();
                |t, y| unless_zero(t, t * (y * T::lit(LN_2)));
            /// `e^x − 1`, accurate near 0.
            #[doc(alias = "expm1")]
            exp_m1 ExpM1 ExpM1Rule output (16 1) [-5.0, 5.0]
                |x| x.exp_m1();
                |t, y| unless_zero(t, t * (y + T::ONE));
            /// The square root.
            sqrt Sqrt SqrtRule output (2 2) [0.1, 9.0]
                |x| x.sqrt();
                // The quotient does not wait for the cotangent.
                |t, y| { let slope = T::lit(0.5) / y; unless_zero_at(t, slope, t * slope) };
            /// The cube root.
            cbrt Cbrt CbrtRule output (16 2) [0.1, 9.0]
                |x| x.cbrt();
                |t, y| quotient(t, T::lit(3.0) * y * y);
            /// The hyperbolic tangent.
            tanh Tanh TanhRule output (16 1) [-3.0, 3.0]
                |x| x.tanh();
                |t, y| t * (T::ONE - y * y);
            /// `1/x`.
            #[doc(alias = "reciprocal")]
            recip Recip RecipRule output (2 1) [0.2, 5.0]
                |x| x.recip();
                |t, y| unless_zero_at(t, y, -(t * y * y));
            /// The natural logarithm.
            ln Ln LnRule input (8 2) [0.1, 9.0]
                |x| x.ln();
                |t, x| quotient(t, x);
            /// The logarithm to base 2.
            log2 Log2 Log2Rule input (8 2) [0.1, 9.0]
                |x| x.log2();
                |t, x| quotient(t, x * T::lit(LN_2));
            /// The logarithm to base 10.
            log10 Log10 Log10Rule input (8 2) [0.1, 9.0]
                |x| x.log10();
                |t, x| quotient(t, x * T::lit(LN_10));
            /// `ln(1 + x)`, accurate near 0.
            #[doc(alias = "log1p")]
            ln_1p Ln1p Ln1pRule input (16 2) [-0.9, 9.0]
                |x| x.ln_1p();
                |t, x| quotient(t, T::ONE + x);
            /// The hyperbolic sine.
            sinh Sinh SinhRule input (16 16) [-3.0, 3.0]
                |x| x.sinh();
                |t, x| unless_zero(t, t * x.cosh());
            /// The hyperbolic cosine.
            cosh Cosh CoshRule input (16 16) [-3.0, 3.0]
                |x| x.cosh();
                |t, x| unless_zero(t, t * x.sinh());
            /// The inverse sine.
            asin Asin AsinRule input (16 2) [-0.9, 0.9]
                |x| x.asin();
                // `(1 − x)(1 + x)` and not `1 − x²`: no cancellation near ±1, where the slope is large.
                |t, x| quotient(t, ((T::ONE - x) * (T::ONE + x)).sqrt());
            /// The inverse cosine.
            acos Acos AcosRule input (16 2) [-0.9, 0.9]
                |x| x.acos();
                |t, x| -quotient(t, ((T::ONE - x) * (T::ONE + x)).sqrt());
            /// The inverse tangent.
            atan Atan AtanRule input (16 2) [-5.0, 5.0]
                |x| x.atan();
                // As `over_square_norm`, for one number.
                |t, x| {
                    let [large, shrink, ..] = squares::<T>();
                    let s = if x.abs() > large { shrink } else { T::ONE };
                    let v = x * s;
                    t * (s / (s * s + v * v)) * s
                };
            /// The inverse hyperbolic sine.
            asinh Asinh AsinhRule input (16 2) [-5.0, 5.0]
                |x| x.asinh();
                // `x²` overflows long before the slope vanishes.
                |t, x| {
                    let size = x.abs();
                    t / if size > T::lit(FAR) { size } else { (x * x + T::ONE).sqrt() }
                };
            /// The inverse hyperbolic cosine.
            acosh Acosh AcoshRule input (16 2) [1.1, 9.0]
                |x| x.acosh();
                // Below 1 the product is negative, and the root NaN as the value is.
                |t, x| {
                    let root = ((x - T::ONE) * (x.abs() + T::ONE)).sqrt();
                    quotient(t, if x > T::lit(FAR) { x } else { root })
                };
            /// The inverse hyperbolic tangent.
            atanh Atanh AtanhRule input (16 2) [-0.9, 0.9]
                |x| x.atanh();
                |t, x| quotient(t, (T::ONE - x) * (T::ONE + x));
            /// The absolute value.
            abs Abs AbsRule input (1 1) [-5.0, 5.0]
                |x| x.abs();
                // 0 at 0, NaN at NaN.
                |t, x| if x > T::ZERO { t } else if x < T::ZERO { -t } else { t * constant(x) };
        ) [$($section)*] $($groups)* }
    };

    // The same. Their kernels have a faster form for operands of the usual size.
    (@ $then:tt $with:tt $done:tt ($($rows:tt)*) [turns $($section:ident)*] $($groups:tt)*) => {
        $crate::functions! { @ $then $with $done ($($rows)*
            /// The sine.
            sin Sin SinRule input (8 8) [-9.0, 9.0]
                |x| x.sin();
                |t, x| t * x.cos();
            /// The cosine.
            cos Cos CosRule input (8 8) [-9.0, 9.0]
                |x| x.cos();
                |t, x| t * -x.sin();
            /// The tangent.
            tan Tan TanRule output (8 1) [-1.4, 1.4]
                |x| x.tan();
                |t, y| t * (T::ONE + y * y);
        ) [$($section)*] $($groups)* }
    };

    // Methods of `f64` that tensors have too, with the derivative 1.
    (@ $then:tt $with:tt $done:tt ($($rows:tt)*) [shifts $($section:ident)*] $($groups:tt)*) => {
        $crate::functions! { @ $then $with $done ($($rows)*
            /// The part after the decimal point.
            fract Fract FractRule nothing (1 1) [0.1, 0.9]
                |x| x.fract();
                |t, _x| t;
        ) [$($section)*] $($groups)* }
    };

    // Multiplications by a constant.
    (@ $then:tt $with:tt $done:tt ($($rows:tt)*) [scales $($section:ident)*] $($groups:tt)*) => {
        $crate::functions! { @ $then $with $done ($($rows)*
            /// Radians to degrees.
            to_degrees - ToDegreesRule nothing (1 1) [-5.0, 5.0]
                |x| x * T::lit(180.0 / PI);
                |t, _x| t * T::lit(180.0 / PI);
            /// Degrees to radians.
            to_radians - ToRadiansRule nothing (1 1) [-5.0, 5.0]
                |x| x * T::lit(PI / 180.0);
                |t, _x| t * T::lit(PI / 180.0);
        ) [$($section)*] $($groups)* }
    };

    // Methods of `f64` that tensors do not have, with the derivative 1.
    (@ $then:tt $with:tt $done:tt ($($rows:tt)*) [scalars $($section:ident)*] $($groups:tt)*) => {
        $crate::functions! { @ $then $with $done ($($rows)*
            /// The least number above.
            next_up - NextUpRule nothing (1 1) [-5.0, 5.0]
                |x| x.next_up();
                |t, _x| t;
            /// The greatest number below.
            next_down - NextDownRule nothing (1 1) [-5.0, 5.0]
                |x| x.next_down();
                |t, _x| t;
        ) [$($section)*] $($groups)* }
    };

    // Methods of tensors that emitted code calls by the name of their rule.
    (@ $then:tt $with:tt $done:tt ($($rows:tt)*) [activations $($section:ident)*] $($groups:tt)*) => {
        $crate::functions! { @ $then $with $done ($($rows)*
            /// `1/(1 + e^−x)`.
            sigmoid Sigmoid SigmoidRule output (8 1) [-6.0, 6.0]
                |x| x.sigmoid();
                |t, y| t * y * (T::ONE - y);
            /// `x` where it is positive, else 0.
            relu Relu ReluRule output (1 1) [-5.0, 5.0]
                // NaN stays NaN.
                |x| if x <= T::ZERO { T::ZERO } else { x };
                |t, y| if y > T::ZERO { t } else { T::ZERO };
            /// `x · Φ(x)` with the normal distribution function `Φ`.
            gelu Gelu GeluRule input (16 32) [-5.0, 5.0]
                |x| x * x.normal().0;
                |t, x| t * gelu_slope(x);
            /// `x · sigmoid(x)`.
            silu Silu SiluRule input (8 8) [-6.0, 6.0]
                |x| x * x.sigmoid();
                |t, x| {
                    let s = x.sigmoid();
                    let change = s * (T::ONE - s);
                    // Beside the flat ends it would be 0·∞.
                    t * if change == T::ZERO { s } else { s + x * change }
                };
            /// `ln(1 + e^x)`.
            softplus Softplus SoftplusRule input (16 8) [-6.0, 6.0]
                |x| activation::softplus(x);
                |t, x| t * x.sigmoid();
        ) [$($section)*] $($groups)* }
    };

    // Methods of tensors.
    (@ $then:tt $with:tt $done:tt ($($rows:tt)*) [elements $($section:ident)*] $($groups:tt)*) => {
        $crate::functions! { @ $then $with $done ($($rows)*
            /// `1/√x`.
            rsqrt Rsqrt (__rsqrt_vjp __rsqrt_jvp) output (4 1) [0.2, 9.0]
                |x| T::ONE / x.sqrt();
                |t, y| unless_zero_at(t, y, -(t * (T::lit(0.5) * y * y * y)));
            /// `x²`.
            square Square (__square_vjp __square_jvp) input (1 1) [-5.0, 5.0]
                |x| x * x;
                |t, x| t * T::lit(2.0) * x;
            /// The approximation of `gelu` by the hyperbolic tangent.
            gelu_tanh GeluTanh (__gelu_tanh_vjp __gelu_tanh_jvp) input (8 8) [-5.0, 5.0]
                |x| x * gelu_inner(x).sigmoid();
                |t, x| t * gelu_tanh_slope(x);
            /// The error function, `2/√π ∫₀ˣ e^(−t²) dt`.
            erf Erf (__erf_vjp __erf_jvp) input (32 8) [-3.0, 3.0]
                |x| x.erf();
                |t, x| t * T::lit(FRAC_2_SQRT_PI) * bell(x);
            /// `1 − erf(x)`, accurate where that is small.
            erfc Erfc (__erfc_vjp __erfc_jvp) input (16 8) [-3.0, 3.0]
                |x| x.erfc();
                |t, x| -t * T::lit(FRAC_2_SQRT_PI) * bell(x);
            /// `x · tanh(softplus(x))`.
            mish Mish (__mish_vjp __mish_jvp) input (16 16) [-5.0, 5.0]
                |x| activation::mish(x);
                |t, x| t * activation::mish_slope(x);
            /// `x · hardsigmoid(x)`: `silu` made of straight pieces.
            hardswish Hardswish (__hardswish_vjp __hardswish_jvp) input (1 1) [-5.0, 5.0]
                |x| activation::hardswish(x);
                |t, x| t * activation::hardswish_slope(x);
            /// `(x + 3)/6`, cut off at 0 and 1.
            hardsigmoid Hardsigmoid (__hardsigmoid_vjp __hardsigmoid_jvp) input (1 1) [-5.0, 5.0]
                |x| activation::hardsigmoid(x);
                |t, x| if x.abs() < T::lit(3.0) { t * T::lit(1.0 / 6.0) } else { T::ZERO };
            /// `x/(1 + |x|)`.
            softsign Softsign (__softsign_vjp __softsign_jvp) input (2 2) [-5.0, 5.0]
                |x| x / (T::ONE + x.abs());
                |t, x| {
                    let d = T::ONE + x.abs();
                    t / (d * d)
                };
            /// `ln(sigmoid(x))`, accurate on both sides.
            log_sigmoid LogSigmoid (__log_sigmoid_vjp __log_sigmoid_jvp) input (16 8) [-6.0, 6.0]
                |x| -activation::softplus(-x);
                |t, x| t * (-x).sigmoid();
            /// `λx` above 0, `λα(e^x − 1)` below, with the constants of self-normalising networks.
            selu Selu (__selu_vjp __selu_jvp) input (16 8) [-5.0, 5.0]
                |x| T::lit(SELU.0) * activation::elu(x, T::lit(SELU.1), T::ONE);
                |t, x| t * T::lit(SELU.0) * activation::elu_slope(x, T::lit(SELU.1), T::ONE);
        ) [$($section)*] $($groups)* }
    };

    // Methods of tensors that are no part of a fused region.
    (@ $then:tt $with:tt $done:tt ($($rows:tt)*) [apart $($section:ident)*] $($groups:tt)*) => {
        $crate::functions! { @ $then $with $done ($($rows)*
            /// `ln |Γ(x)|`; ∞ at 0 and the negative integers, where the derivative is NaN.
            lgamma Lgamma (__lgamma_vjp __lgamma_jvp) input (64 64) [0.2, 9.0]
                |x| x.ln_gamma();
                |t, x| t * x.digamma();
            /// The derivative of `ln |Γ(x)|`; NaN at 0 and the negative integers.
            digamma Digamma (__digamma_vjp __digamma_jvp) input (64 64) [0.2, 9.0]
                |x| x.digamma();
                |t, x| t * x.trigamma();
        ) [$($section)*] $($groups)* }
    };

    // Methods of `f64` and of tensors whose derivative is zero.
    (@ $then:tt $with:tt $done:tt ($($rows:tt)*) [flat $($section:ident)*] $($groups:tt)*) => {
        $crate::functions! { @ $then $with $done ($($rows)*
            /// The largest integer not above; derivative 0.
            floor Floor (__floor_vjp __floor_jvp) nothing (1 1) [0.1, 0.9]
                |x| x.floor();
                |_t, _x| T::ZERO;
            /// The smallest integer not below; derivative 0.
            ceil Ceil (__ceil_vjp __ceil_jvp) nothing (1 1) [0.1, 0.9]
                |x| x.ceil();
                |_t, _x| T::ZERO;
            /// The nearest integer, halves away from 0; derivative 0.
            round Round (__round_vjp __round_jvp) nothing (1 1) [0.6, 1.4]
                |x| x.round();
                |_t, _x| T::ZERO;
            /// The integer part; derivative 0.
            trunc Trunc (__trunc_vjp __trunc_jvp) nothing (1 1) [0.1, 0.9]
                |x| x.trunc();
                |_t, _x| T::ZERO;
            /// −1 or 1, by the sign, also of a zero; derivative 0. See `sign`.
            signum Signum (__signum_vjp __signum_jvp) nothing (1 1) [0.1, 5.0]
                |x| x.signum();
                |_t, _x| T::ZERO;
        ) [$($section)*] $($groups)* }
    };

    // Methods of `f64` alone whose derivative is zero.
    (@ $then:tt $with:tt $done:tt ($($rows:tt)*) [flat_scalars $($section:ident)*] $($groups:tt)*) => {
        $crate::functions! { @ $then $with $done ($($rows)*
            /// The nearest integer, halves to the even one; derivative 0.
            round_ties_even - - nothing (1 1) [0.6, 1.4]
                |x| x.round_ties_even();
                |_t, _x| T::ZERO;
        ) [$($section)*] $($groups)* }
    };

    // Methods of tensors alone whose derivative is zero.
    (@ $then:tt $with:tt $done:tt ($($rows:tt)*) [flat_elements $($section:ident)*] $($groups:tt)*) => {
        $crate::functions! { @ $then $with $done ($($rows)*
            /// −1 below 0, 1 above, and 0 at 0; derivative 0.
            sign Sign (__sign_vjp __sign_jvp) nothing (1 1) [0.1, 5.0]
                // A zero keeps its sign, NaN stays NaN; neither has a slope.
                |x| if x > T::ZERO { T::ONE } else if x < T::ZERO { -T::ONE } else { x * T::ZERO };
                |_t, _x| T::ZERO;
        ) [$($section)*] $($groups)* }
    };
}
