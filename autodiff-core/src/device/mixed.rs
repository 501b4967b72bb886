//! Numbers of mixed precision as elements of tensors: those of `f32`, and a [`DType`] of their own by which a machine
//! knows that their products of matrices round.

use super::elem::sealed::Sealed;
use super::{DType, Elem, Float, FloatElem, Math};
use crate::ad::{Format, Half, Mixed};

impl<H: Half> Sealed for Mixed<H> {}

impl<H: Half> Elem for Mixed<H> {
    const DTYPE: DType = match H::FORMAT {
        Format::Bf16 => DType::MixedBf16,
        Format::F16 => DType::MixedF16,
    };
    const ONE: Self = Mixed::new(1.0);
    const ANY_BITS: bool = true;
    const INTEGER: bool = false;
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self.into()
    }
    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        Mixed::new(x as f32)
    }
    #[inline(always)]
    fn to_i64(self) -> i64 {
        self.get() as i64
    }
    #[inline(always)]
    fn from_i64(x: i64) -> Self {
        Mixed::new(x as f32)
    }
}

/// The functions of numbers of mixed precision: those of `f32`.
#[derive(Debug)]
pub enum OfMixed {}

impl<H: Half> FloatElem for Mixed<H> {
    type Math = OfMixed;
}

macro_rules! functions {
    ({ one $($own:ident)*; two $($two:ident)* }
        [$($(#[$doc:meta])* $f:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
    ) => {
        impl<H: Half> Math<Mixed<H>> for OfMixed {
            const ZERO: Mixed<H> = Mixed::new(<f32 as Float>::ZERO);
            const NAN: Mixed<H> = Mixed::new(<f32 as Float>::NAN);
            const INFINITY: Mixed<H> = Mixed::new(<f32 as Float>::INFINITY);
            const MIN_POSITIVE: Mixed<H> = Mixed::new(<f32 as Float>::MIN_POSITIVE);
            #[inline(always)]
            fn lit(x: f64) -> Mixed<H> {
                Mixed::new(x as f32)
            }
            #[inline(always)]
            fn is_nan(x: Mixed<H>) -> bool {
                Float::is_nan(x.get())
            }
            #[inline(always)]
            fn powi(x: Mixed<H>, n: i32) -> Mixed<H> {
                Mixed::new(Float::powi(x.get(), n))
            }
            $(
                #[inline(always)]
                fn $f(x: Mixed<H>) -> Mixed<H> {
                    Mixed::new(Float::$f(x.get()))
                }
            )*
            $(
                #[inline(always)]
                fn $own(x: Mixed<H>) -> Mixed<H> {
                    Mixed::new(Float::$own(x.get()))
                }
            )*
            $(
                #[inline(always)]
                fn $two(x: Mixed<H>, y: Mixed<H>) -> Mixed<H> {
                    Mixed::new(Float::$two(x.get(), y.get()))
                }
            )*
        }
    };
}

autodiff_vocabulary::functions!(short functions, {
    one sigmoid erf erfc ln_gamma digamma trigamma;
    two powf atan2 hypot remainder maximum minimum
} [numbers turns shifts flat]);
