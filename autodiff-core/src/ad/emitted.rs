//! Helpers that only emitted code calls.

use super::{Acc, Ct, Differentiable, Tangent, Wit};

/// Adds the cotangent of a copied slice to the accumulators of its entries.
#[inline(always)]
pub fn acc_vec<T: Differentiable, D: Acc<T>>(_: &Wit<Vec<T>>, ct: Vec<Ct<T>>, d: &mut [D]) {
    for (d, ct) in d.iter_mut().zip(ct) {
        d.acc(ct);
    }
}

/// Where the indices of a range end; 0 for a range without any.
#[inline(always)]
pub fn end_of(range: core::ops::Range<usize>) -> usize {
    if range.start < range.end {
        range.end
    } else {
        0
    }
}

/// The witness of an `f64`.
pub const F64: Wit<f64> = Wit(());
/// The witness of an `f32`.
pub const F32: Wit<f32> = Wit(());

/// The witness of a type that needs no value for it.
#[inline(always)]
pub fn witness_of<T: Differentiable<Proto = ()>>() -> Wit<T> {
    Wit(())
}

/// The sum of the contributions of two operands.
#[inline(always)]
pub fn tangent_sum<T: Tangent>(a: T, b: T) -> T {
    a.add(b)
}

/// Adds to a tangent in place.
#[inline(always)]
pub fn tangent_add<T: Tangent>(a: &mut T, b: T) {
    *a = a.clone().add(b);
}

/// Says what a vector holds that is empty so far: what the closure, which is never called, would give.
#[inline(always)]
pub fn stored<T>(_: &Vec<T>, _: impl FnOnce() -> T) {}

/// A value of a type, in code that only says types and never runs.
pub fn any<T>() -> T {
    unreachable!("this code says types and never runs")
}

/// A value of the same type, in code that only says types and never runs.
pub fn same_as<T>(_: &T) -> T {
    any()
}

/// Lets an opaque return type mention lifetimes it captures.
pub trait Captures<T: ?Sized> {}
impl<T: ?Sized, U: ?Sized> Captures<T> for U {}

/// Stands for a method in the message about outputs that are not scalars.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum this_method {}

/// A type as the user wrote it, in code over any scalar.
#[doc(hidden)]
#[macro_export]
macro_rules! __written {
    ($t:ty) => {
        $t
    };
}

/// Finds the companion of a called function; without one, a fallback whose use is an error.
///
/// A single import takes precedence over a glob, name by name and namespace by namespace: when the
/// path has an item in the type namespace (the companion), that is it; else the glob provides one.
/// The fallback asks for a trait that nothing implements. The bound names a lifetime, so that it is
/// checked at the call; only the reverse companion has it, so that the error comes once.
#[doc(hidden)]
#[macro_export]
macro_rules! __companion {
    ($message:tt $alias:ident $module:ident $name:ident [$($arg:ident)*] [$($tangent:ident)*] $($path:tt)+) => {
        #[allow(unused_imports)]
        use $($path)+ as $alias;
        #[allow(unused_imports)]
        use $module::*;
        #[allow(non_camel_case_types, non_snake_case, dead_code, missing_docs, unused, clippy::all)]
        mod $module {
            pub use self::named::$name as $alias;
            mod named {
            #[diagnostic::on_unimplemented(message = $message, label = "this has no derivative")]
            pub trait HasDerivative<'z> {}
            pub enum $name {}
            impl $name {
                pub const __WEIGHT: usize = 1;
                pub const __OVER: bool = true;
                $crate::__companion_functions! { $name [$($arg)*] [$($tangent)*] }
            }
            impl<S> $crate::__rt::Over<S> for $name {
                type Item = $name;
            }
            }
        }
    };
}

/// The companions of a fallback, beside a trait `HasDerivative` that says what is missing.
#[doc(hidden)]
#[macro_export]
macro_rules! __companion_functions {
    ($name:ident [$($arg:ident)*] [$($tangent:ident)*]) => {
            pub fn __vjp<'z, M, $($arg,)* R>(_: M, $(_: $arg,)*) -> R
            where
                $name: HasDerivative<'z>,
            {
                unreachable!()
            }
            pub fn __jvp<$($arg, $tangent,)* R>($(_: $arg, _: $tangent,)*) -> R {
                unreachable!()
            }
            pub fn __over<$($arg,)* R>($(_: $arg,)*) -> R {
                unreachable!()
            }
            pub fn __code<'z, E, A, R>(_: E, _: A) -> R
            where
                $name: HasDerivative<'z>,
            {
                unreachable!()
            }
            pub fn __forward_code<E, TE, A, T, R>(_: E, _: TE, _: A, _: T) -> R {
                unreachable!()
            }
    };
}

/// Names the companion of a called function over any scalar; without one, a fallback whose use is an error.
#[doc(hidden)]
#[macro_export]
macro_rules! __companion_over {
    ($message:tt $alias:ident $over:ident $module:ident $name:ident [$($arg:ident)*] [$($tangent:ident)*]) => {
        #[allow(non_camel_case_types)]
        type $over<S> = <$crate::__rt::Choice<{
            use $crate::__rt::methods::*;
            $alias::__OVER
        }> as $crate::__rt::Choose<$alias, $module::$name, S>>::Item;
        #[allow(non_camel_case_types, non_snake_case, dead_code, missing_docs, unused, clippy::all)]
        mod $module {
            #[diagnostic::on_unimplemented(message = $message, label = "this has a first derivative only")]
            pub trait HasDerivative<'z> {}
            pub enum $name {}
            impl $name {
                $crate::__companion_functions! { $name [$($arg)*] [$($tangent)*] }
            }
        }
    };
}

/// The fallback of a called gradient: found only where the function has none with a derivative.
///
/// The companions of a gradient are functions of the companion itself, which come before those of a trait.
#[doc(hidden)]
#[macro_export]
macro_rules! __companion_gradient {
    ($message:tt $module:ident $name:ident [$($arg:ident)*] [$($tangent:ident)*]) => {
        #[allow(unused_imports)]
        use $module::Fallback as _;
        #[allow(non_camel_case_types, non_snake_case, dead_code, missing_docs, unused, clippy::all)]
        mod $module {
            #[diagnostic::on_unimplemented(message = $message, label = "a derivative of this is a second derivative")]
            pub trait HasDerivative<'z> {}
            pub enum $name {}
            pub trait Fallback {
                $crate::__companion_of_operator! { $name __grad __grad_vjp __grad_jvp [$($arg)*] [$($tangent)*] }
                $crate::__companion_of_operator! { $name __value_and_grad __value_and_grad_vjp __value_and_grad_jvp [$($arg)*] [$($tangent)*] }
                $crate::__companion_of_operator! { $name __along __along_vjp __along_jvp [$($arg)*] [$($tangent)*] }
                $crate::__companion_of_operator! { $name __hvp __hvp_vjp __hvp_jvp [$($arg)*] [$($tangent)*] }
                $crate::__companion_of_operator! { $name __hessian __hessian_vjp __hessian_jvp [$($arg)*] [$($tangent)*] }
                $crate::__companion_of_operator! { $name __jacobian __jacobian_vjp __jacobian_jvp [$($arg)*] [$($tangent)*] }
                $crate::__companion_of_operator! { $name __pulled __pulled_vjp __pulled_jvp [$($arg)*] [$($tangent)*] }
            }
            impl<T: ?Sized> Fallback for T {}
        }
    };
}

/// The functions of one operator in such a fallback.
#[doc(hidden)]
#[macro_export]
macro_rules! __companion_of_operator {
    ($name:ident $value:ident $vjp:ident $jvp:ident [$($arg:ident)*] [$($tangent:ident)*]) => {
        fn $vjp<'z, M, $($arg,)* R>(_: M, $(_: $arg,)*) -> R
        where
            $name: HasDerivative<'z>,
        {
            unreachable!()
        }
        fn $jvp<$($arg, $tangent,)* R>($(_: $arg, _: $tangent,)*) -> R {
            unreachable!()
        }
        fn $value<$($arg,)* R>($(_: $arg,)*) -> R {
            unreachable!()
        }
    };
}

/// The fallback of a called method: found only where the receiver's type has no derivative of it.
///
/// Generated code calls companions on a plain `&T`. Method lookup tries that before `&&T`, for
/// which alone the fallback exists.
#[doc(hidden)]
#[macro_export]
macro_rules! __companion_method {
    ($message:tt $module:ident $name:ident $vjp:ident $jvp:ident [$($arg:ident)*] [$($tangent:ident)*]) => {
        $crate::__companion_method! {
            $message $module $name $vjp $jvp [$($arg)*] [$($tangent)*] [$crate::__rt::NotBoxed]
        }
    };
    // Where the receiver's type is a parameter, nothing is known of it, but that it is no `Box`.
    ($message:tt $module:ident $name:ident $vjp:ident $jvp:ident [$($arg:ident)*] [$($tangent:ident)*] [$($bound:path)?]) => {
        #[allow(unused_imports)]
        use $module::Fallback as _;
        #[allow(non_camel_case_types, non_snake_case, dead_code, missing_docs, unused, clippy::all)]
        mod $module {
            #[diagnostic::on_unimplemented(
                message = $message,
                label = "no derivative with these types; if a bound is not met, another error names it"
            )]
            pub trait HasDerivative<'z> {}
            pub enum $name {}
            pub trait Fallback {
                fn $vjp<'z, M, $($arg,)* R>(&self, _: M, $(_: $arg,)*) -> R
                where
                    $name: HasDerivative<'z>,
                {
                    unreachable!()
                }
                fn $jvp<T, $($arg, $tangent,)* R>(&self, _: T, $(_: $arg, _: $tangent,)*) -> R {
                    unreachable!()
                }
            }
            impl<T: $($bound +)? ?Sized> Fallback for &T {}
        }
    };
}

/// Takes the value of a variable that got it on the way here.
#[inline(always)]
pub fn late<T>(variable: &mut Option<T>) -> T {
    variable.take().expect("a variable is read after it is set")
}

/// The cotangent of the last entry of a `Vec`, which was pushed.
#[inline(always)]
pub fn popped<D>(d: &mut Vec<D>) -> D {
    d.pop().expect("the cotangent of a pushed entry")
}

/// A type that is not a `Box`: a method that it has not is none of what is inside.
pub trait NotBoxed {}
