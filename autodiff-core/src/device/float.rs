//! What kernels compute with: [`Float`], element types with the functions of a real number.
//!
//! An element type brings its functions as a [`Math`], and is a `Float` by that. Code over any scalar has
//! [`FloatElem`] as its bound: there `x.exp()` is the function of [`Scalar`](crate::ad::Scalar), and kernels, which
//! have the bound `Float`, use that of the element type, which is written for vectors.

use super::Elem;
use crate::ad::FloatRules;
use crate::kernel::fourier::FourierKernels;
use crate::kernel::gemm::Product;
use crate::kernel::linalg::LinalgKernels;
pub(crate) use crate::kernel::normal::Normal;
use crate::kernel::random::Draw;
pub(crate) use crate::kernel::trig::Trig;
use crate::kernel::{FloatKernels, activation, exponential, math, special, trig};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// The functions of an element type, as [`Math`]; types that have one are [`Float`]s.
#[diagnostic::on_unimplemented(
    message = "tensors of `{Self}` have no arithmetic with derivatives",
    label = "expected `f32`, `f64` or `Mixed`, or an `ad::Dual` of them",
    note = "with `higher_order`, where tensors are behind the names of other types, say `#[differentiable(higher_order(Tensor))]`"
)]
pub trait FloatElem:
    Elem
    + FloatKernels
    + Product
    + FourierKernels
    + LinalgKernels
    + Normal
    + Trig
    + Draw
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Where the functions are.
    type Math: Math<Self>;
}

macro_rules! functions {
    ({ $($own:tt)* }
        [$($(#[$doc:meta])* $f:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
    ) => {
        functions! { $( $(#[$doc])* $f(); )* $($own)* }
    };
    ($( $(#[$doc:meta])* $name:ident($($arg:ident: $t:ty)?); )*) => {
        functions!(@list ($) $( $name($($arg)?); )*);

        /// The functions of an element type, apart from the type: they do not meet the methods of the same name that
        /// scalars have.
        pub trait Math<T> {
            /// Zero.
            const ZERO: T;
            /// Not a number.
            const NAN: T;
            /// Positive infinity.
            const INFINITY: T;
            /// The smallest positive number with all digits.
            const MIN_POSITIVE: T;
            /// A constant, rounded to the type.
            fn lit(x: f64) -> T;
            /// Whether not a number.
            fn is_nan(x: T) -> bool;
            /// `x^n`.
            fn powi(x: T, n: i32) -> T;
            $( $(#[$doc])* fn $name(x: T $(, $arg: $t)?) -> T; )*
        }

        /// An element type with full arithmetic and derivatives: `f32`, `f64` and [`Mixed`](crate::ad::Mixed), and
        /// [`Dual`](crate::ad::Dual)s of them.
        pub trait Float: FloatElem + FloatRules {
            /// Zero.
            const ZERO: Self;
            /// Not a number.
            const NAN: Self;
            /// Positive infinity.
            const INFINITY: Self;
            /// The smallest positive number with all digits.
            const MIN_POSITIVE: Self;
            /// A constant, rounded to the type.
            fn lit(x: f64) -> Self;
            /// Whether not a number.
            fn is_nan(self) -> bool;
            /// `self^n`.
            fn powi(self, n: i32) -> Self;
            $( functions!(@method $(#[$doc])* $name $($arg: $t)?); )*
        }

        /// A number that formulas are written over: an element of a tensor, or a symbol that records what is done with it
        /// ([`Sym`](crate::device::symbolic::Sym)).
        ///
        /// It has what regions and the functions of the table need, and no kernels. Every [`Float`] is one.
        pub trait Real:
            Copy + PartialOrd + Normal + Trig
            + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
        {
            /// Zero.
            const ZERO: Self;
            /// One.
            const ONE: Self;
            /// Not a number.
            const NAN: Self;
            /// Positive infinity.
            const INFINITY: Self;
            /// A constant, rounded to the type.
            fn lit(x: f64) -> Self;
            /// The first constant in single precision, the second in double.
            fn by_width(narrow: f64, wide: f64) -> Self;
            /// Whether it is zero, and so are all tangents that it carries.
            fn stays_zero(self) -> bool;
            /// Whether not a number.
            fn is_nan(self) -> bool;
            /// `self^n`.
            fn powi(self, n: i32) -> Self;
            /// The value of a formula of `N` numbers, which has a name: a symbol records it once, by its name and
            /// its fixed `parameters`.
            fn formula<const N: usize>(
                name: &'static str,
                parameters: &[f64],
                x: [Self; N],
                formula: impl Fn([Self; N]) -> Self,
            ) -> Self;
            $( functions!(@method $(#[$doc])* $name $($arg: $t)?); )*
        }

        impl<T: Float> Real for T {
            const ZERO: T = <T as Float>::ZERO;
            const ONE: T = <T as Elem>::ONE;
            const NAN: T = <T as Float>::NAN;
            const INFINITY: T = <T as Float>::INFINITY;
            #[inline(always)]
            fn lit(x: f64) -> T {
                <T as Float>::lit(x)
            }
            #[inline(always)]
            fn by_width(narrow: f64, wide: f64) -> T {
                let single = Elem::to_f64(<T as Float>::MIN_POSITIVE) > f64::MIN_POSITIVE;
                <T as Float>::lit(if single { narrow } else { wide })
            }
            #[inline(always)]
            fn stays_zero(self) -> bool {
                self == <T as Float>::ZERO && !self.changes()
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                <T as Float>::is_nan(self)
            }
            #[inline(always)]
            fn powi(self, n: i32) -> T {
                <T as Float>::powi(self, n)
            }
            #[inline(always)]
            fn formula<const N: usize>(
                _: &'static str,
                _: &[f64],
                x: [T; N],
                formula: impl Fn([T; N]) -> T,
            ) -> T {
                formula(x)
            }
            $(
                #[inline(always)]
                fn $name(self $(, $arg: T)?) -> T {
                    <T as Float>::$name(self $(, $arg)?)
                }
            )*
        }

        impl<T: FloatElem + FloatRules> Float for T {
            const ZERO: T = <T::Math as Math<T>>::ZERO;
            const NAN: T = <T::Math as Math<T>>::NAN;
            const INFINITY: T = <T::Math as Math<T>>::INFINITY;
            const MIN_POSITIVE: T = <T::Math as Math<T>>::MIN_POSITIVE;
            #[inline(always)]
            fn lit(x: f64) -> T {
                T::Math::lit(x)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                T::Math::is_nan(self)
            }
            #[inline(always)]
            fn powi(self, n: i32) -> T {
                T::Math::powi(self, n)
            }
            $(
                #[inline(always)]
                fn $name(self $(, $arg: $t)?) -> T {
                    T::Math::$name(self $(, $arg)?)
                }
            )*
        }
    };
    (@list ($dollar:tt) $($methods:tt)*) => {
        /// Calls a macro with the functions of [`Real`], each with its second argument.
        macro_rules! real_methods {
            ($dollar then:ident) => {
                $dollar then! { $($methods)* }
            };
        }
        pub(crate) use real_methods;
    };
    (@method $(#[$doc:meta])* $name:ident) => {
        $(#[$doc])* fn $name(self) -> Self;
    };
    (@method $(#[$doc:meta])* $name:ident $arg:ident: $t:ty) => {
        $(#[$doc])* fn $name(self, $arg: Self) -> Self;
    };
}

autodiff_vocabulary::functions!(short functions, {
    /// `1/(1 + e^−x)`.
    sigmoid();
    /// The error function.
    erf();
    /// `1 − erf`, accurate where that is small.
    erfc();
    /// `ln |Γ|`.
    ln_gamma();
    /// The derivative of `ln |Γ|`.
    digamma();
    /// The second derivative of `ln |Γ|`.
    trigamma();
    /// `self^p`.
    powf(p: T);
    /// The angle of the point `(x, self)`.
    atan2(x: T);
    /// `√(self² + y²)` without overflow.
    hypot(y: T);
    /// The remainder of the division rounded towards zero.
    remainder(y: T);
    /// The larger, ignoring NaN.
    maximum(o: T);
    /// The smaller, ignoring NaN.
    minimum(o: T);
} [numbers turns shifts flat]);

/// The functions of the machine's numbers.
#[derive(Debug)]
pub enum Native {}

macro_rules! native {
    ($t:ident: [$($std:ident)*] [$($std2:ident $name2:ident)*] [$($name:ident $path:path,)*]) => {
        impl FloatElem for $t {
            type Math = Native;
        }
        impl Math<$t> for Native {
            const ZERO: $t = 0.0;
            const NAN: $t = $t::NAN;
            const INFINITY: $t = $t::INFINITY;
            const MIN_POSITIVE: $t = $t::MIN_POSITIVE;
            #[inline(always)]
            fn lit(x: f64) -> $t {
                x as $t
            }
            #[inline(always)]
            fn is_nan(x: $t) -> bool {
                x.is_nan()
            }
            #[inline(always)]
            fn powi(x: $t, n: i32) -> $t {
                x.powi(n)
            }
            #[inline(always)]
            fn remainder(x: $t, y: $t) -> $t {
                x % y
            }
            $(
                #[inline(always)]
                fn $std(x: $t) -> $t { <$t>::$std(x) }
            )*
            $(
                #[inline(always)]
                fn $name2(x: $t, y: $t) -> $t { <$t>::$std2(x, y) }
            )*
            $(
                #[inline(always)]
                fn $name(x: $t) -> $t { $path(x) }
            )*
            native!(@powf $t);
        }
    };
    (@powf f32) => {
        #[inline(always)]
        fn powf(x: f32, p: f32) -> f32 { exponential::powf_f32(x, p) }
    };
    (@powf f64) => {
        #[inline(always)]
        fn powf(x: f64, p: f64) -> f64 { x.powf(p) }
    };
    ($t:ident $($own:tt)*) => {
        native!($t:
            [sqrt cbrt recip exp2 log2 log10 asin acos atan sinh cosh abs floor ceil round trunc fract signum]
            [atan2 atan2 hypot hypot max maximum min minimum]
            [exp_m1 exponential::exp_m1, ln_1p exponential::ln_1p, asinh exponential::asinh,
             acosh exponential::acosh, atanh exponential::atanh, sigmoid activation::sigmoid, $($own)*]);
    };
}
native!(f32 exp math::exp_f32, ln math::ln_f32, sin trig::sin_f32, cos trig::cos_f32, tan trig::tan_f32,
    tanh math::tanh_f32, erf math::erf_f32, erfc special::erfc_f32, ln_gamma special::ln_gamma_f32,
    digamma special::digamma_f32, trigamma special::trigamma_f32,);
native!(f64 exp math::exp_f64, ln math::ln_f64, sin trig::sin_f64, cos trig::cos_f64, tan trig::tan_f64,
    tanh math::tanh_f64, erf math::erf_f64, erfc special::erfc_f64, ln_gamma special::ln_gamma_f64,
    digamma special::digamma_f64, trigamma special::trigamma_f64,);
