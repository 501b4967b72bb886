//! The variants of enums: what generated code reads of their derivatives, and the panics where two
//! of them do not fit.

/// An enum whose variants have names.
pub trait Variant {
    /// The name of the variant.
    fn variant(&self) -> &'static str;
}

impl<T: Variant + ?Sized> Variant for &T {
    fn variant(&self) -> &'static str {
        (**self).variant()
    }
}

/// Ends the program where two values of an enum meet that must have one variant.
#[cold]
#[inline(never)]
#[track_caller]
pub fn variants_differ(action: &str, of: &str, left: &str, right: &str) -> ! {
    panic!("cannot {action} of different variants: `{of}::{left}` and `{of}::{right}`")
}

/// Ends the program where the derivative of a value has not the variant of the value.
#[cold]
#[inline(never)]
#[track_caller]
pub fn wrong_variant(derivative: &str, of: &str) -> ! {
    panic!("the {derivative} of `{of}` has another variant than the value")
}

/// The derivative of what is in an `Option` or a `Result`, reached as that of a field of a derived
/// enum is.
#[allow(non_snake_case)]
pub trait OptionLens: Sized {
    /// What is inside.
    type Inside;
    /// The cotangent inside `Some`.
    fn __adj_Some_0(&mut self) -> &mut Self::Inside;
    /// The cotangent inside `Ok`.
    fn __adj_Ok_0(&mut self) -> &mut Self::Inside;
    /// The cotangent inside `Some`, where that of the whole is read no more.
    fn __ct_Some_0(self) -> Self::Inside;
    /// The cotangent inside `Ok`, where that of the whole is read no more.
    fn __ct_Ok_0(self) -> Self::Inside;
    /// The tangent inside `Some`.
    fn __tan_Some_0(&self) -> &Self::Inside;
    /// The tangent inside `Ok`.
    fn __tan_Ok_0(&self) -> &Self::Inside;
    /// The tangent inside `Some`, to be changed.
    fn __tan_mut_Some_0(&mut self) -> &mut Self::Inside;
    /// The tangent inside `Ok`, to be changed.
    fn __tan_mut_Ok_0(&mut self) -> &mut Self::Inside;
}

macro_rules! lens {
    ($name:ident, [$($mutable:tt)?], $derivative:literal, $of:literal) => {
        #[inline(always)]
        fn $name(&$($mutable)? self) -> &$($mutable)? A {
            match self {
                Some(inside) => inside,
                None => wrong_variant($derivative, $of),
            }
        }
    };
}

impl<A> OptionLens for Option<A> {
    type Inside = A;
    lens!(__adj_Some_0, [mut], "cotangent", "Option");
    lens!(__adj_Ok_0, [mut], "cotangent", "Result");
    #[inline(always)]
    fn __ct_Some_0(self) -> A {
        self.unwrap_or_else(|| wrong_variant("cotangent", "Option"))
    }
    #[inline(always)]
    fn __ct_Ok_0(self) -> A {
        self.unwrap_or_else(|| wrong_variant("cotangent", "Result"))
    }
    lens!(__tan_Some_0, [], "tangent", "Option");
    lens!(__tan_Ok_0, [], "tangent", "Result");
    lens!(__tan_mut_Some_0, [mut], "tangent", "Option");
    lens!(__tan_mut_Ok_0, [mut], "tangent", "Result");
}

macro_rules! nothing_inside {
    ($(($Mark:ty))*) => { $(
        /// Of a constant field there is nothing inside.
        #[allow(non_snake_case)]
        impl OptionLens for $Mark {
            type Inside = Self;
            #[inline(always)]
            fn __ct_Some_0(self) -> Self {
                self
            }
            #[inline(always)]
            fn __ct_Ok_0(self) -> Self {
                self
            }
            nothing_inside!(@ __adj_Some_0 [mut], __adj_Ok_0 [mut], __tan_Some_0 [], __tan_Ok_0 [],
                __tan_mut_Some_0 [mut], __tan_mut_Ok_0 [mut]);
        }
    )* };
    (@ $($name:ident [$($mutable:tt)?]),*) => { $(
        #[inline(always)]
        fn $name(&$($mutable)? self) -> &$($mutable)? Self {
            self
        }
    )* };
}
nothing_inside!((super::NoGrad)(()));
