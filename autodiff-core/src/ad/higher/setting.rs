//! The argument of a method `scale`: of attention it is a setting, an `f64` whatever the elements are; of a method of
//! the user it may be a scalar. What the method takes decides, by inference.

use crate::ad::{Batch, Dual, Scalar, Traced};

/// An argument that may be a setting.
///
/// Method lookup decides: for scalars there is an inherent method, for all else that of [`SettingValue`].
#[derive(Debug)]
pub struct Setting<X>(pub X);

/// A scalar that is given where `R` is taken: itself, or its number.
pub trait TakenAs<R> {
    /// What is taken.
    fn taken(self) -> R;
}

impl<S: Scalar> Setting<S> {
    /// The scalar, or its number.
    #[inline(always)]
    pub fn get<R>(self) -> R
    where
        S: TakenAs<R>,
    {
        self.0.taken()
    }
}

/// The method of [`Setting`] for what is no scalar.
pub trait SettingValue<X> {
    /// The value itself.
    fn get(self) -> X;
}

impl<X> SettingValue<X> for Setting<X> {
    #[inline(always)]
    fn get(self) -> X {
        self.0
    }
}

impl TakenAs<f64> for f64 {
    #[inline(always)]
    fn taken(self) -> f64 {
        self
    }
}

macro_rules! scalars {
    ($([$($generics:tt)*] $t:ty;)*) => { $(
        impl<$($generics)*> TakenAs<f64> for $t {
            #[inline(always)]
            fn taken(self) -> f64 {
                Scalar::to_f64(self)
            }
        }
        impl<$($generics)*> TakenAs<$t> for $t {
            #[inline(always)]
            fn taken(self) -> $t {
                self
            }
        }
    )* };
}
scalars! {
    [] f32;
    [T: Scalar, const K: usize] Dual<T, K>;
    [T: Scalar] Traced<T>;
    [T: Scalar, const N: usize] Batch<T, N>;
}
