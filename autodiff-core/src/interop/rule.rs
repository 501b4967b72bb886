//! How the rules of other crates' methods and operators are written down.
//!
//! An entry is a method, and beside each of its operands what the operand is given of the cotangent:
//!
//! ```text
//! dot __dot_vjp __dot_jvp |ct| [a da => b * ct] [] [b db: DVec3 => a * ct] -> f64;
//!     push da.dot(b) + a.dot(db);
//! ```
//!
//! The receiver comes first, then arguments by reference, then those by value. `da` and `db` are the tangents in
//! `push`. Formulas are written over tangents, which are values of the other crate: the cotangent `ct` too.

use crate::ad::{Ct, Differentiable};

/// The type itself: what the methods of a trait that belongs to one type know of `Self`.
pub trait Itself<T> {
    /// The value.
    fn itself(&self) -> &T;
}

impl<T> Itself<T> for T {
    #[inline(always)]
    fn itself(&self) -> &T {
        self
    }
}

/// A value whose tangent holds the same numbers as its cotangent.
pub trait Flat: Differentiable {
    /// The cotangent as a tangent.
    fn flat(ct: Ct<Self>) -> Self::Tangent;
}

macro_rules! same {
    ($($t:ty),*) => { $(
        impl Flat for $t {
            #[inline(always)]
            fn flat(ct: $t) -> $t {
                ct
            }
        }
    )* };
}
same!(f32, f64);

impl<T: Flat> Flat for Option<T> {
    #[inline(always)]
    fn flat(ct: Option<Ct<T>>) -> Option<T::Tangent> {
        ct.map(T::flat)
    }
}

impl<T: Flat, const N: usize> Flat for [T; N] {
    #[inline(always)]
    fn flat(ct: [Ct<T>; N]) -> [T::Tangent; N] {
        ct.map(T::flat)
    }
}

/// Adds what an operand is given of the cotangent to its accumulator.
#[cfg(any(feature = "glam", feature = "nalgebra"))]
#[inline(always)]
pub(crate) fn pulled<A: Differentiable, Out: Flat, D: crate::ad::Acc<A>>(
    ct: &Ct<Out>,
    d: &mut D,
    given: impl FnOnce(Out::Tangent) -> A::Tangent,
) {
    if D::ON {
        d.acc(A::start(given(Out::flat(ct.clone()))));
    }
}

/// The operand of a formula: by value where types are copied (`copy`), else by reference (`lent`, and `cloned` where
/// the method takes its receiver by value).
macro_rules! operand {
    (copy $a:ident) => {
        let $a = *$a;
    };
    ($_:ident $a:ident) => {};
}

/// The receiver of the method itself, which may take it by value.
macro_rules! receiver {
    (cloned $a:ident) => {
        $a.clone()
    };
    ($_:ident $a:ident) => {
        $a
    };
}

/// The derivatives of methods, and of functions without a receiver (`fn`), as a trait of one type.
macro_rules! rules {
    (
        $(#[$doc:meta])*
        $bind:ident $Trait:ident [$($g:tt)*] [$($n:ident)*] for $T:ty where [$($w:tt)*];
        $($rule:tt)*
    ) => {
        $(#[$doc])*
        #[allow(clippy::type_complexity, clippy::too_many_arguments, missing_docs, non_camel_case_types, unused_variables)]
        pub trait $Trait<$($g)*>: $crate::interop::rule::Itself<$T> + Sized where $($w)* {
            rules! { @each $bind [$($n)*] [$T]; $($rule)* }
        }
        impl<$($g)*> $Trait<$($n),*> for $T where $($w)* {}
    };
    (@each $bind:ident $names:tt [$T:ty];) => {};
    (@each $bind:ident [$($n:ident)*] [$T:ty];
        fn $name:ident $vjp:ident $jvp:ident |$ct:ident|
        [$($v:ident $dv:ident : $V:ty => $pv:expr),*] -> $Out:ty; push $push:expr;
        $($rest:tt)*
    ) => {
        #[inline]
        fn $vjp<$($v: $crate::ad::Mode),*>(
            _: ($($v,)*),
            $($v: $V),*
        ) -> (
            $Out,
            impl FnOnce($crate::ad::Ct<$Out>, $(&mut $crate::ad::Adj<$V, $v>),*) + Clone + use<Self, $($n,)* $($v),*>,
        ) {
            use $crate::ad::{Acc, Differentiable, Mode};
            (<$T>::$name($($v),*), move |ct: $crate::ad::Ct<$Out>, $($dv: &mut $crate::ad::Adj<$V, $v>),*| {
                let $ct = <$Out as $crate::interop::rule::Flat>::flat(ct);
                $(if <$v as Mode>::ON {
                    Acc::<$V>::acc($dv, <$V as Differentiable>::start($pv));
                })*
            })
        }
        #[inline]
        fn $jvp($($v: $V, $dv: <$V as $crate::ad::Differentiable>::Tangent),*)
            -> ($Out, <$Out as $crate::ad::Differentiable>::Tangent)
        {
            (<$T>::$name($($v),*), $push)
        }
        rules! { @each $bind [$($n)*] [$T]; $($rest)* }
    };
    (@each $bind:ident [$($n:ident)*] [$T:ty];
        $name:ident $vjp:ident $jvp:ident |$ct:ident| [$a:ident $da:ident => $pa:expr]
        [$($r:ident $dr:ident : $R:ty => $pr:expr),*] [$($v:ident $dv:ident : $V:ty => $pv:expr),*]
        -> $Out:ty $(, $out:ident)?; push $push:expr;
        $($rest:tt)*
    ) => {
        #[inline]
        fn $vjp<$a: $crate::ad::Mode $(, $r: $crate::ad::Mode)* $(, $v: $crate::ad::Mode)*>(
            &self,
            _: ($a, $($r,)* $($v,)*),
            $($r: &$R,)*
            $($v: $V),*
        ) -> (
            $Out,
            impl FnOnce(
                $crate::ad::Ct<$Out>,
                &$T,
                $(&$R,)*
                &mut $crate::ad::Adj<$T, $a>
                $(, &mut $crate::ad::Adj<$R, $r>)*
                $(, &mut $crate::ad::Adj<$V, $v>)*
            ) + Clone + use<Self, $($n,)* $a $(, $r)* $(, $v)*>,
        ) {
            use $crate::ad::{Acc, Differentiable, Mode};
            let $a: &$T = self.itself();
            operand!($bind $a);
            let value = receiver!($bind $a).$name($($r,)* $($v),*);
            $(let $out = value.clone();)?
            (value, move |
                ct: $crate::ad::Ct<$Out>,
                $a: &$T,
                $($r: &$R,)*
                $da: &mut $crate::ad::Adj<$T, $a>
                $(, $dr: &mut $crate::ad::Adj<$R, $r>)*
                $(, $dv: &mut $crate::ad::Adj<$V, $v>)*
            | {
                operand!($bind $a);
                $(operand!($bind $r);)*
                let $ct = <$Out as $crate::interop::rule::Flat>::flat(ct);
                if <$a as Mode>::ON {
                    Acc::<$T>::acc($da, <$T as Differentiable>::start($pa));
                }
                $(if <$r as Mode>::ON {
                    Acc::<$R>::acc($dr, <$R as Differentiable>::start($pr));
                })*
                $(if <$v as Mode>::ON {
                    Acc::<$V>::acc($dv, <$V as Differentiable>::start($pv));
                })*
            })
        }
        #[inline]
        fn $jvp(
            &self,
            $da: &<$T as $crate::ad::Differentiable>::Tangent,
            $($r: &$R, $dr: &<$R as $crate::ad::Differentiable>::Tangent,)*
            $($v: $V, $dv: <$V as $crate::ad::Differentiable>::Tangent),*
        ) -> ($Out, <$Out as $crate::ad::Differentiable>::Tangent) {
            let $a: &$T = self.itself();
            operand!($bind $a);
            operand!($bind $da);
            let value = receiver!($bind $a).$name($($r,)* $($v),*);
            $(operand!($bind $r); operand!($bind $dr);)*
            let pushed = {
                $(let $out = value.clone();)?
                $push
            };
            (value, pushed)
        }
        rules! { @each $bind [$($n)*] [$T]; $($rest)* }
    };
}

/// `a + b` or `a - b`: what each operand is given of the cotangent, and the tangents' parts of the result.
#[cfg(any(feature = "glam", feature = "nalgebra"))]
macro_rules! additive {
    ($Rule:ident [$($g:tt)*] $A:ty, $B:ty => $Out:ty;
     |$ct:ident| $pull_l:expr, $pull_r:expr; |$t:ident| $push_l:expr, $push_r:expr) => {
        impl<$($g)*> $crate::ad::$Rule<$B> for $A {
            type Out = $Out;
            #[inline]
            fn pull_l<D: $crate::ad::Acc<$A>>(
                _: &$crate::ad::Wit<$A>, _: &$crate::ad::Wit<$B>, ct: &$crate::ad::Ct<$Out>, d: &mut D,
            ) {
                $crate::interop::rule::pulled::<$A, $Out, _>(ct, d, |$ct| $pull_l);
            }
            #[inline]
            fn pull_r<D: $crate::ad::Acc<$B>>(
                _: &$crate::ad::Wit<$A>, _: &$crate::ad::Wit<$B>, ct: &$crate::ad::Ct<$Out>, d: &mut D,
            ) {
                $crate::interop::rule::pulled::<$B, $Out, _>(ct, d, |$ct| $pull_r);
            }
            #[inline]
            fn push_l(_: &$A, _: &$B, _: &$Out, t: &<$A as $crate::ad::Differentiable>::Tangent)
                -> <$Out as $crate::ad::Differentiable>::Tangent
            {
                let $t = t.clone();
                $push_l
            }
            #[inline]
            fn push_r(_: &$A, _: &$B, _: &$Out, t: &<$B as $crate::ad::Differentiable>::Tangent)
                -> <$Out as $crate::ad::Differentiable>::Tangent
            {
                let $t = t.clone();
                $push_r
            }
        }
    };
}

/// `a * b`, linear in both operands: tangents go through the operator itself.
#[cfg(any(feature = "glam", feature = "nalgebra"))]
macro_rules! product {
    ([$($g:tt)*] $A:ty, $B:ty => $Out:ty; |$ct:ident, $a:ident, $b:ident| $pull_l:expr, $pull_r:expr) => {
        product! { [$($g)*] $A, $B => $Out; |$ct, $a, $b| $pull_l, $pull_r; |a, b| a * b }
    };
    ([$($g:tt)*] $A:ty, $B:ty => $Out:ty; |$ct:ident, $a:ident, $b:ident| $pull_l:expr, $pull_r:expr;
     |$x:ident, $y:ident| $product:expr) => {
        impl<$($g)*> $crate::ad::MulRule<$B> for $A {
            type Out = $Out;
            #[inline]
            fn pull_l<D: $crate::ad::Acc<$A>>(
                _: &$crate::ad::Wit<$A>, $b: &$B, ct: &$crate::ad::Ct<$Out>, d: &mut D,
            ) {
                $crate::interop::rule::pulled::<$A, $Out, _>(ct, d, |$ct| $pull_l);
            }
            #[inline]
            fn pull_r<D: $crate::ad::Acc<$B>>(
                $a: &$A, _: &$crate::ad::Wit<$B>, ct: &$crate::ad::Ct<$Out>, d: &mut D,
            ) {
                $crate::interop::rule::pulled::<$B, $Out, _>(ct, d, |$ct| $pull_r);
            }
            #[inline]
            fn push_l(_: &$A, b: &$B, _: &$Out, t: &<$A as $crate::ad::Differentiable>::Tangent)
                -> <$Out as $crate::ad::Differentiable>::Tangent
            {
                let ($x, $y) = (t, b);
                $product
            }
            #[inline]
            fn push_r(a: &$A, _: &$B, _: &$Out, t: &<$B as $crate::ad::Differentiable>::Tangent)
                -> <$Out as $crate::ad::Differentiable>::Tangent
            {
                let ($x, $y) = (a, t);
                $product
            }
        }
    };
}

/// `a / b`: what the operands are given of the cotangent; `push_r` is the tangent of the result for one of `b`.
#[cfg(any(feature = "glam", feature = "nalgebra"))]
macro_rules! quotient {
    ([$($g:tt)*] $A:ty, $B:ty => $Out:ty;
     |$ct:ident, $b:ident, $out:ident| $pull_l:expr, $pull_r:expr; |$t:ident| $push_l:expr, $push_r:expr) => {
        impl<$($g)*> $crate::ad::DivRule<$B> for $A {
            type Out = $Out;
            #[inline]
            fn pull_l<D: $crate::ad::Acc<$A>>(
                _: &$crate::ad::Wit<$A>, $b: &$B, ct: &$crate::ad::Ct<$Out>, d: &mut D,
            ) {
                $crate::interop::rule::pulled::<$A, $Out, _>(ct, d, |$ct| $pull_l);
            }
            #[inline]
            fn pull_r<D: $crate::ad::Acc<$B>>(
                _: &$crate::ad::Wit<$A>, $b: &$B, $out: &$Out, ct: &$crate::ad::Ct<$Out>, d: &mut D,
            ) {
                $crate::interop::rule::pulled::<$B, $Out, _>(ct, d, |$ct| $pull_r);
            }
            #[inline]
            fn push_l(_: &$A, $b: &$B, _: &$Out, t: &<$A as $crate::ad::Differentiable>::Tangent)
                -> <$Out as $crate::ad::Differentiable>::Tangent
            {
                let $t = t.clone();
                $push_l
            }
            #[inline]
            fn push_r(_: &$A, $b: &$B, $out: &$Out, t: &<$B as $crate::ad::Differentiable>::Tangent)
                -> <$Out as $crate::ad::Differentiable>::Tangent
            {
                let $t = t.clone();
                $push_r
            }
        }
    };
}
