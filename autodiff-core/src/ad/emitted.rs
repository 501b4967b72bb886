//! Helpers that only emitted code calls.

use super::{Acc, Ct, Differentiable, Grown, Tangent, Wit};

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
///
/// The functions of the fallback are those of a trait `Derivative<Of>` that is there for no `Of`. Lookup finds them while
/// `Of` is not known; their bound says what it is (`energy: Is<This = Of>`), and the compiler, which asks for the trait
/// then, says that it is missing: in words of ours, without a note about where the bound stands, and for each companion
/// the same, which it prints once.
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
            pub use self::named::Derivative as _;
            pub type $alias = $crate::__rt::Function<named::$name>;
            mod named {
                pub enum $name {}
                #[diagnostic::on_unimplemented(message = $message, label = "this has no derivative")]
                pub trait Derivative<Of> {
                    $crate::__companion_functions! { $name [$($arg)*] [$($tangent)*] }
                }
                #[diagnostic::do_not_recommend]
                impl<Of: $crate::__rt::Nothing> Derivative<Of> for $crate::__rt::Function<$name> {}
            }
        }
    };
}

/// The companions of a fallback: functions of its trait.
#[doc(hidden)]
#[macro_export]
macro_rules! __companion_functions {
    ($name:ident [$($arg:ident)*] [$($tangent:ident)*]) => {
        $crate::__missing! { $name __vjp [M $($arg)*] }
        $crate::__missing! { $name __jvp [$($arg $tangent)*] }
        $crate::__missing! { $name __over [$($arg)*] }
        $crate::__missing! { $name __code [E A] }
        $crate::__missing! { $name __forward_code [E TE A T] }
    };
}

/// A function of a fallback's trait.
#[doc(hidden)]
#[macro_export]
macro_rules! __missing {
    ($name:ident $function:ident [$($arg:ident)*]) => {
        fn $function<$($arg,)* R>($(_: $arg,)*) -> R
        where
            $name: $crate::__rt::Is<This = Of>,
        {
            unreachable!()
        }
    };
    ($name:ident $function:ident &self [$($arg:ident)*]) => {
        fn $function<$($arg,)* R>(&self, $(_: $arg,)*) -> R
        where
            $name: $crate::__rt::Is<This = Of>,
        {
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
        }> as $crate::__rt::Choose<$alias, $crate::__rt::Function<$module::$name>, S>>::Item;
        #[allow(unused_imports)]
        use $module::HigherDerivative as _;
        #[allow(non_camel_case_types, non_snake_case, dead_code, missing_docs, unused, clippy::all)]
        mod $module {
            pub enum $name {}
            #[diagnostic::on_unimplemented(message = $message, label = "this has a first derivative only")]
            pub trait HigherDerivative<Of> {
                $crate::__companion_functions! { $name [$($arg)*] [$($tangent)*] }
            }
            #[diagnostic::do_not_recommend]
            impl<Of: $crate::__rt::Nothing> HigherDerivative<Of> for $crate::__rt::Function<$name> {}
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
        use $module::SecondDerivative as _;
        #[allow(non_camel_case_types, non_snake_case, dead_code, missing_docs, unused, clippy::all)]
        mod $module {
            pub enum $name {}
            #[diagnostic::on_unimplemented(message = $message, label = "a derivative of this is a second derivative")]
            pub trait SecondDerivative<Of> {
                $crate::__companion_of_operator! { $name __grad __grad_vjp __grad_jvp [$($arg)*] [$($tangent)*] }
                $crate::__companion_of_operator! { $name __value_and_grad __value_and_grad_vjp __value_and_grad_jvp [$($arg)*] [$($tangent)*] }
                $crate::__companion_of_operator! { $name __along __along_vjp __along_jvp [$($arg)*] [$($tangent)*] }
                $crate::__companion_of_operator! { $name __hvp __hvp_vjp __hvp_jvp [$($arg)*] [$($tangent)*] }
                $crate::__companion_of_operator! { $name __hessian __hessian_vjp __hessian_jvp [$($arg)*] [$($tangent)*] }
                $crate::__companion_of_operator! { $name __jacobian __jacobian_vjp __jacobian_jvp [$($arg)*] [$($tangent)*] }
                $crate::__companion_of_operator! { $name __pulled __pulled_vjp __pulled_jvp [$($arg)*] [$($tangent)*] }
            }
            #[diagnostic::do_not_recommend]
            impl<T: ?Sized, Of: $crate::__rt::Nothing> SecondDerivative<Of> for T {}
        }
    };
}

/// The functions of one operator in such a fallback.
#[doc(hidden)]
#[macro_export]
macro_rules! __companion_of_operator {
    ($name:ident $value:ident $vjp:ident $jvp:ident [$($arg:ident)*] [$($tangent:ident)*]) => {
        $crate::__missing! { $name $vjp [M $($arg)*] }
        $crate::__missing! { $name $jvp [$($arg $tangent)*] }
        $crate::__missing! { $name $value [$($arg)*] }
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
        use $module::Derivative as _;
        #[allow(non_camel_case_types, non_snake_case, dead_code, missing_docs, unused, clippy::all)]
        mod $module {
            pub enum $name {}
            #[diagnostic::on_unimplemented(
                message = $message,
                label = "no derivative with these types; if a bound is not met, another error names it"
            )]
            pub trait Derivative<Of> {
                $crate::__missing! { $name $vjp &self [M $($arg)*] }
                $crate::__missing! { $name $jvp &self [T $($arg $tangent)*] }
            }
            #[diagnostic::do_not_recommend]
            impl<T: $($bound +)? ?Sized, Of: $crate::__rt::Nothing> Derivative<Of> for &T {}
        }
    };
}

/// What no type is.
pub trait Nothing {}

/// Stands for the companions of a function that has none.
#[derive(Debug)]
pub struct Function<F>(F);

impl<F> Function<F> {
    /// As the companions have it.
    pub const __WEIGHT: usize = 1;
    /// It is one over any scalar: that there is none is said once.
    pub const __OVER: bool = true;
}

impl<S, F> super::Over<S> for Function<F> {
    type Item = Function<F>;
}

/// Takes the value of a variable that got it on the way here.
#[inline(always)]
pub fn late<T>(variable: &mut Option<T>) -> T {
    variable.take().expect("a variable is read after it is set")
}

/// The cotangent of the last entry of a `Vec`, which was pushed.
#[inline(always)]
pub fn popped<V: Grown>(d: &mut V) -> V::Entry {
    d.take_last().expect("the cotangent of a pushed entry")
}

/// The cotangents of the last `n` entries of a `Vec`, which a loop pushed.
#[inline(always)]
pub fn last_mut<D>(d: &mut [D], n: usize) -> &mut [D] {
    let before = pushed_before(d, n);
    &mut d[before..]
}

/// They are gone: the entries were not there before the loop.
#[inline(always)]
pub fn drop_last<D, V: Grown<Entry = D> + core::ops::Deref<Target = [D]>>(d: &mut V, n: usize) {
    let before = pushed_before(d, n);
    d.keep_first(before);
}

#[inline(always)]
fn pushed_before<D>(d: &[D], n: usize) -> usize {
    d.len()
        .checked_sub(n)
        .expect("a cotangent of each pushed entry")
}

/// A type that is not a `Box`: a method that it has not is none of what is inside.
pub trait NotBoxed {}
