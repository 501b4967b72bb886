//! Named constants of the program in code over any scalar: their floats become scalars without tangents.

use crate::ad::Scalar;

/// A named constant of the program, such as `PI`: floats become the scalar.
#[derive(Debug)]
pub struct Constant<X>(pub X);

/// A part of one, such as `LIMITS[i].0`.
#[derive(Debug)]
pub struct ConstantPart<'a, X: ?Sized>(pub &'a X);

/// A constant that is made of floats and of what has no derivative.
pub trait Known {
    /// The same, with scalars in the place of floats.
    type Over<S: Scalar>;
    /// Makes it.
    fn over<S: Scalar>(self) -> Self::Over<S>;
}

macro_rules! floats {
    ($($t:ident)*) => { $(
        impl Known for $t {
            type Over<S: Scalar> = S;
            #[inline(always)]
            fn over<S: Scalar>(self) -> S {
                S::lit(self.into())
            }
        }
        impl Known for &[$t] {
            type Over<S: Scalar> = Vec<S>;
            #[inline]
            fn over<S: Scalar>(self) -> Vec<S> {
                self.iter().map(|x| S::lit((*x).into())).collect()
            }
        }
    )* };
}
floats!(f32 f64);

macro_rules! discrete {
    ($($t:ty)*) => { $(
        impl Known for $t {
            type Over<S: Scalar> = $t;
            #[inline(always)]
            fn over<S: Scalar>(self) -> $t {
                self
            }
        }
    )* };
}
with_integers!(discrete bool char &'static str);

impl<X: Known, const N: usize> Known for [X; N] {
    type Over<S: Scalar> = [X::Over<S>; N];
    #[inline(always)]
    fn over<S: Scalar>(self) -> Self::Over<S> {
        self.map(X::over)
    }
}

impl<X: Known> Known for Option<X> {
    type Over<S: Scalar> = Option<X::Over<S>>;
    #[inline(always)]
    fn over<S: Scalar>(self) -> Self::Over<S> {
        self.map(X::over)
    }
}

macro_rules! tuples {
    ($($T:ident $i:tt),*) => {
        impl<$($T: Known),*> Known for ($($T,)*) {
            type Over<S: Scalar> = ($($T::Over<S>,)*);
            #[inline(always)]
            fn over<S: Scalar>(self) -> Self::Over<S> {
                ($(self.$i.over(),)*)
            }
        }
    };
}
tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);

impl<X: Known> Constant<X> {
    /// The constant over the scalar.
    #[inline(always)]
    pub fn over<S: Scalar>(self) -> X::Over<S> {
        self.0.over()
    }
}

/// The method of [`Constant`] for all other types.
pub trait ConstantValue<X> {
    /// The constant itself.
    fn over<S>(self) -> X;
}

impl<X> ConstantValue<X> for Constant<X> {
    #[inline(always)]
    fn over<S>(self) -> X {
        self.0
    }
}

/// The method of [`ConstantPart`] for what a `Known` type is made of.
pub trait KnownPart<X: Known> {
    /// The part over the scalar.
    fn over<S: Scalar>(&self) -> X::Over<S>;
}

impl<X: Known + Copy> KnownPart<X> for &&ConstantPart<'_, X> {
    #[inline(always)]
    fn over<S: Scalar>(&self) -> X::Over<S> {
        (*self.0).over()
    }
}

/// The same for other types that are copied.
pub trait CopiedPart<X> {
    /// The part itself.
    fn over<S>(&self) -> X;
}

impl<X: Copy> CopiedPart<X> for &ConstantPart<'_, X> {
    #[inline(always)]
    fn over<S>(&self) -> X {
        *self.0
    }
}

/// The same for all else.
pub trait LentPart<'a, X: ?Sized> {
    /// The part, lent.
    fn over<S>(&self) -> &'a X;
}

impl<'a, X: ?Sized> LentPart<'a, X> for ConstantPart<'a, X> {
    #[inline(always)]
    fn over<S>(&self) -> &'a X {
        self.0
    }
}
