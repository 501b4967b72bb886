//! Functions and closures that are passed to an annotated function.
//!
//! A closure cannot be taken apart where it is called, so it is taken apart where it is written: into
//! the values that it captures, its *environment* `E`, which has a cotangent like every other value,
//! and code without captures. `integrate(|t| (k * t).sin(), 0.0, 1.0)` becomes
//!
//! ```text
//! let env = (k.to_owned(),);
//! integrate::__vjp(modes, &env, |env, (t,)| { …; (value, move |ct, env, (t,), d_env, (d_t,)| …) }, …)
//! ```
//!
//! What it captures and what it is called with is there again in the reverse pass, so that its
//! pullback keeps only what it computed itself. The code is one function for all modes: a cotangent
//! that nobody wants goes to an accumulator that is dropped ([`Argument::with`]).
// One function for each number of arguments, with types that only the compiler reads.
#![allow(clippy::too_many_arguments, clippy::type_complexity)]

use super::mode::{Mode, NoGrad, On};
use super::traits::{Acc, Adj, Ct, Differentiable};
use core::borrow::BorrowMut;

/// What a function that is passed on can be called with, by reference: a value or a slice.
pub trait Argument {
    /// Its accumulator.
    type Acc<M: Mode>: ?Sized;
    /// Its tangent.
    type Direction: ?Sized;
    /// Runs `then` on the accumulator, or on one that is dropped.
    fn with<M: Mode>(&self, acc: &mut Self::Acc<M>, then: impl FnOnce(&mut Self::Acc<On>));
    /// The tangent of an argument that has none, lent to `then`.
    fn still<R>(&self, then: impl FnOnce(&Self::Direction) -> R) -> R;
}

impl<T: Differentiable> Argument for T {
    type Acc<M: Mode> = T::Adj<M>;
    type Direction = T::Tangent;
    #[inline(always)]
    fn with<M: Mode>(&self, acc: &mut T::Adj<M>, then: impl FnOnce(&mut Ct<T>)) {
        match M::same::<T>(acc) {
            Some(acc) => then(acc),
            None => then(&mut self.zero_adj(On)),
        }
    }
    #[inline(always)]
    fn still<R>(&self, then: impl FnOnce(&T::Tangent) -> R) -> R {
        then(&self.zero_tangent())
    }
}

impl<T: Differentiable> Argument for [T] {
    type Acc<M: Mode> = [T::Adj<M>];
    type Direction = [T::Tangent];
    #[inline(always)]
    fn with<M: Mode>(&self, acc: &mut [T::Adj<M>], then: impl FnOnce(&mut [Ct<T>])) {
        match M::same_all::<T>(acc) {
            Some(acc) => then(acc),
            None => {
                let mut zeros: Vec<_> = self.iter().map(|x| x.zero_adj(On)).collect();
                then(zeros.borrow_mut());
            }
        }
    }
    #[inline(always)]
    fn still<R>(&self, then: impl FnOnce(&[T::Tangent]) -> R) -> R {
        let zeros: Vec<_> = self.iter().map(T::zero_tangent).collect();
        then(&zeros)
    }
}

/// A captured value without a derivative.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<T>(pub T);

/// Owns a captured value without a derivative.
#[inline(always)]
pub fn fixed<T: ToOwned + ?Sized>(value: &T) -> Fixed<T::Owned> {
    Fixed(value.to_owned())
}

impl<T> super::NotBoxed for Fixed<T> {}

impl<T> Differentiable for Fixed<T> {
    type Tangent = ();
    type Proto = ();
    type Adj<M: Mode> = NoGrad;
    type Others = crate::ad::On;
    #[inline(always)]
    fn proto(&self) {}
    #[inline(always)]
    fn zero_ct((): &()) -> NoGrad {
        NoGrad
    }
    #[inline(always)]
    fn zero_adj<M: Mode>(&self, _: M) -> NoGrad {
        NoGrad
    }
    #[inline(always)]
    fn zero_tangent(&self) {}
    #[inline(always)]
    fn finish((): &(), _: NoGrad) {}
    #[inline(always)]
    fn start((): ()) -> NoGrad {
        NoGrad
    }
    #[inline(always)]
    fn add_scaled(&mut self, _: f64, (): &()) {}
    #[inline(always)]
    fn difference(&self, _: &Self) {}
}

/// A parameter that is a function, in reverse mode.
#[derive(Debug)]
pub struct Callable<'e, E, C> {
    /// What it captures.
    pub env: &'e E,
    /// `Fn(&E, (&A, …)) -> (R, pullback)`
    pub code: C,
}

impl<E, C: Copy> Clone for Callable<'_, E, C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, C: Copy> Copy for Callable<'_, E, C> {}

impl<'e, E, C: Copy> Callable<'e, E, C> {
    /// As [`Val::__v`](super::Val::__v).
    #[inline(always)]
    pub fn __v(&self) -> &Self {
        self
    }
    /// What it captures, as a companion takes it.
    #[inline(always)]
    pub fn env(&self) -> &'e E {
        self.env
    }
    /// Its code.
    #[inline(always)]
    pub fn code(&self) -> C {
        self.code
    }
    /// The same function, as a part of what a closure captures; with its pullback.
    #[inline(always)]
    pub fn __owned_vjp<M: Mode>(
        &self,
        _: (M,),
    ) -> (
        OwnedCallable<E, C>,
        impl FnOnce(Ct<OwnedCallable<E, C>>, &E, &mut Adj<E, M>) + Clone + use<E, C, M>,
    )
    where
        E: Differentiable + Clone,
    {
        let owned = OwnedCallable {
            env: self.env.clone(),
            code: self.code,
        };
        (owned, |ct: OwnedAdj<Ct<E>>, _: &E, d: &mut Adj<E, M>| {
            d.acc(ct.0)
        })
    }
}

/// A parameter that is a function, in forward mode.
#[derive(Debug)]
pub struct ForwardCallable<'e, E, C> {
    /// What it captures.
    pub env: &'e E,
    /// `Fn(&E, &E::Tangent, (&A, …), (&A::Tangent, …)) -> (R, R::Tangent)`
    pub code: C,
}

impl<E, C: Copy> Clone for ForwardCallable<'_, E, C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, C: Copy> Copy for ForwardCallable<'_, E, C> {}

impl<'e, E, C: Copy> ForwardCallable<'e, E, C> {
    /// As [`Val::__v`](super::Val::__v).
    #[inline(always)]
    pub fn __v(&self) -> &Self {
        self
    }
    /// What it captures, as a companion takes it.
    #[inline(always)]
    pub fn env(&self) -> &'e E {
        self.env
    }
    /// Its code.
    #[inline(always)]
    pub fn code(&self) -> C {
        self.code
    }
    /// The same function, as a part of what a closure captures; with its tangent.
    #[inline(always)]
    pub fn __owned_jvp(&self, t_env: &E::Tangent) -> (OwnedForward<E, C>, E::Tangent)
    where
        E: Differentiable + Clone,
    {
        let owned = OwnedForward {
            env: self.env.clone(),
            code: self.code,
        };
        (owned, t_env.clone())
    }
}

macro_rules! owned {
    ($(#[doc = $doc:literal] $name:ident lends $lent:ident;)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, Debug)]
        pub struct $name<E, C> {
            env: E,
            code: C,
        }

        impl<E, C> super::NotBoxed for $name<E, C> {}

        impl<E, C: Copy> $name<E, C> {
            #[inline(always)]
            fn lend(&self) -> $lent<'_, E, C> {
                $lent {
                    env: &self.env,
                    code: self.code,
                }
            }
            /// What it captures, as a companion takes it.
            #[inline(always)]
            pub fn env(&self) -> &E {
                &self.env
            }
            /// Its code.
            #[inline(always)]
            pub fn code(&self) -> C {
                self.code
            }
        }

        /// The derivative of a function is that of what it captures.
        impl<E: Differentiable, C> Differentiable for $name<E, C> {
            type Tangent = E::Tangent;
            type Proto = E::Proto;
            type Adj<M: Mode> = OwnedAdj<E::Adj<M>>;
            type Others = crate::ad::On;
            #[inline(always)]
            fn proto(&self) -> E::Proto {
                self.env.proto()
            }
            #[inline(always)]
            fn zero_ct(proto: &E::Proto) -> Ct<Self> {
                OwnedAdj(E::zero_ct(proto))
            }
            #[inline(always)]
            fn zero_adj<M: Mode>(&self, mode: M) -> OwnedAdj<E::Adj<M>> {
                OwnedAdj(self.env.zero_adj(mode))
            }
            #[inline(always)]
            fn zero_tangent(&self) -> E::Tangent {
                self.env.zero_tangent()
            }
            #[inline(always)]
            fn finish(proto: &E::Proto, ct: Ct<Self>) -> E::Tangent {
                E::finish(proto, ct.0)
            }
            #[inline(always)]
            fn start(tangent: E::Tangent) -> Ct<Self> {
                OwnedAdj(E::start(tangent))
            }
            #[inline(always)]
            fn add_scaled(&mut self, step: f64, tangent: &E::Tangent) {
                self.env.add_scaled(step, tangent);
            }
            #[inline(always)]
            fn difference(&self, other: &Self) -> E::Tangent {
                self.env.difference(&other.env)
            }
        }

        impl<E: Differentiable, C, A: Acc<E>> Acc<$name<E, C>> for OwnedAdj<A> {
            const ON: bool = A::ON;
            #[inline(always)]
            fn acc(&mut self, ct: Ct<$name<E, C>>) {
                self.0.acc(ct.0);
            }
        }
    )*};
}

/// The accumulator of a captured function: that of what it captures itself.
#[derive(Clone, Debug)]
pub struct OwnedAdj<A>(pub A);

impl<A> OwnedAdj<A> {
    /// The accumulator of what the function captures.
    #[inline(always)]
    pub fn env(&mut self) -> &mut A {
        &mut self.0
    }
}

owned! {
    /// A [`Callable`] that a closure captures.
    OwnedCallable lends Callable;
    /// A [`ForwardCallable`] that a closure captures.
    OwnedForward lends ForwardCallable;
}

/// Lends accumulators of any mode as those of mode [`On`].
macro_rules! with_all {
    ([] $then:expr) => { $then };
    ([$value:ident $M:ident $d:ident, $($rest:tt)*] $then:expr) => {
        $value.with::<$M>($d, |$d| with_all!([$($rest)*] $then))
    };
}

/// Lends the tangents of arguments that have none.
macro_rules! still_all {
    ([] $then:expr) => { $then };
    ([$value:ident $t:ident, $($rest:tt)*] $then:expr) => {
        $value.still(|$t| still_all!([$($rest)*] $then))
    };
}

macro_rules! calls {
    ($call:ident $vjp:ident $jvp:ident $($a:ident $A:ident $M:ident $d:ident $t:ident),*) => {
        impl<E: Differentiable, C> Callable<'_, E, C> {
            /// The value.
            #[inline(always)]
            pub fn $call<R, P, $($A: Argument + ?Sized),*>(&self, $($a: &$A),*) -> R
            where
                C: Fn(&E, ($(&$A,)*)) -> (R, P),
            {
                (self.code)(self.env, ($($a,)*)).0
            }

            /// The value and its pullback.
            #[inline(always)]
            pub fn $vjp<MF: Mode, $($M: Mode,)* R: Differentiable, P, $($A: Argument + ?Sized),*>(
                &self,
                _: (MF, $($M,)*),
                $($a: &$A),*
            ) -> (
                R,
                impl FnOnce(Ct<R>, &E, $(&$A,)* &mut Adj<E, MF>, $(&mut $A::Acc<$M>),*) + Clone
                    + use<E, C, R, P, MF, $($M,)* $($A),*>,
            )
            where
                C: Fn(&E, ($(&$A,)*)) -> (R, P),
                P: FnOnce(Ct<R>, &E, ($(&$A,)*), &mut Ct<E>, ($(&mut $A::Acc<On>,)*)) + Clone,
            {
                let (value, pullback) = (self.code)(self.env, ($($a,)*));
                let pullback = move |ct: Ct<R>, env: &E, $($a: &$A,)* d_env: &mut Adj<E, MF>, $($d: &mut $A::Acc<$M>),*| {
                    with_all!([env MF d_env, $($a $M $d,)*] pullback(ct, env, ($($a,)*), d_env, ($($d,)*)))
                };
                (value, pullback)
            }
        }

        impl<E: Differentiable, C: Copy> OwnedCallable<E, C> {
            /// The value.
            #[inline(always)]
            pub fn $call<R, P, $($A: Argument + ?Sized),*>(&self, $($a: &$A),*) -> R
            where
                C: Fn(&E, ($(&$A,)*)) -> (R, P),
            {
                self.lend().$call($($a),*)
            }

            /// The value and its pullback.
            #[inline(always)]
            pub fn $vjp<MF: Mode, $($M: Mode,)* R: Differentiable, P, $($A: Argument + ?Sized),*>(
                &self,
                modes: (MF, $($M,)*),
                $($a: &$A),*
            ) -> (
                R,
                impl FnOnce(Ct<R>, &Self, $(&$A,)* &mut OwnedAdj<Adj<E, MF>>, $(&mut $A::Acc<$M>),*) + Clone
                    + use<E, C, R, P, MF, $($M,)* $($A),*>,
            )
            where
                C: Fn(&E, ($(&$A,)*)) -> (R, P),
                P: FnOnce(Ct<R>, &E, ($(&$A,)*), &mut Ct<E>, ($(&mut $A::Acc<On>,)*)) + Clone,
            {
                let (value, pullback) = self.lend().$vjp(modes, $($a),*);
                let pullback = move |ct: Ct<R>, this: &Self, $($a: &$A,)* d_env: &mut OwnedAdj<Adj<E, MF>>, $($d: &mut $A::Acc<$M>),*| {
                    pullback(ct, &this.env, $($a,)* &mut d_env.0, $($d),*)
                };
                (value, pullback)
            }
        }

        impl<E: Differentiable, C: Copy> OwnedForward<E, C> {
            /// The value.
            #[inline(always)]
            pub fn $call<R, T, $($A: Argument + ?Sized),*>(&self, $($a: &$A),*) -> R
            where
                C: Fn(&E, &E::Tangent, ($(&$A,)*), ($(&$A::Direction,)*)) -> (R, T),
            {
                self.lend().$call($($a),*)
            }

            /// The value and its tangent.
            #[inline(always)]
            pub fn $jvp<R, T, $($A: Argument + ?Sized),*>(
                &self,
                t_env: &E::Tangent,
                $($a: &$A, $t: &$A::Direction),*
            ) -> (R, T)
            where
                C: Fn(&E, &E::Tangent, ($(&$A,)*), ($(&$A::Direction,)*)) -> (R, T),
            {
                self.lend().$jvp(t_env, $($a, $t),*)
            }
        }

        impl<E: Differentiable, C> ForwardCallable<'_, E, C> {
            /// The value.
            #[inline(always)]
            pub fn $call<R, T, $($A: Argument + ?Sized),*>(&self, $($a: &$A),*) -> R
            where
                C: Fn(&E, &E::Tangent, ($(&$A,)*), ($(&$A::Direction,)*)) -> (R, T),
            {
                let (env, code) = (self.env, &self.code);
                env.still(|t_env| still_all!([$($a $t,)*] code(env, t_env, ($($a,)*), ($($t,)*)).0))
            }

            /// The value and its tangent.
            #[inline(always)]
            pub fn $jvp<R, T, $($A: Argument + ?Sized),*>(
                &self,
                t_env: &E::Tangent,
                $($a: &$A, $t: &$A::Direction),*
            ) -> (R, T)
            where
                C: Fn(&E, &E::Tangent, ($(&$A,)*), ($(&$A::Direction,)*)) -> (R, T),
            {
                (self.code)(self.env, t_env, ($($a,)*), ($($t,)*))
            }
        }
    };
}

calls!(call0 __call0_vjp __call0_jvp);
calls!(call1 __call1_vjp __call1_jvp a0 A0 M0 d0 t0);
calls!(call2 __call2_vjp __call2_jvp a0 A0 M0 d0 t0, a1 A1 M1 d1 t1);
calls!(call3 __call3_vjp __call3_jvp a0 A0 M0 d0 t0, a1 A1 M1 d1 t1, a2 A2 M2 d2 t2);
calls!(call4 __call4_vjp __call4_jvp a0 A0 M0 d0 t0, a1 A1 M1 d1 t1, a2 A2 M2 d2 t2, a3 A3 M3 d3 t3);
calls!(call5 __call5_vjp __call5_jvp a0 A0 M0 d0 t0, a1 A1 M1 d1 t1, a2 A2 M2 d2 t2, a3 A3 M3 d3 t3, a4 A4 M4 d4 t4);
calls!(call6 __call6_vjp __call6_jvp a0 A0 M0 d0 t0, a1 A1 M1 d1 t1, a2 A2 M2 d2 t2, a3 A3 M3 d3 t3, a4 A4 M4 d4 t4, a5 A5 M5 d5 t5);

/// A closure's argument that is used by value.
#[diagnostic::on_unimplemented(
    message = "this parameter of a closure is a reference, `&{Self}`: write its type in the closure",
    label = "the closure takes it by value, unless it says otherwise",
    note = "for example `|y: &[f64]| norm(y)`"
)]
pub trait ByValue<'z> {
    /// The value.
    type Value;
    /// A copy of the value.
    fn value(&self) -> Self::Value;
}

impl<T: Clone> ByValue<'_> for T {
    type Value = T;
    #[inline(always)]
    fn value(&self) -> T {
        self.clone()
    }
}

/// The value of a closure's argument.
#[inline(always)]
pub fn by_value<'z, T: ByValue<'z> + ?Sized>(value: &T) -> T::Value {
    value.value()
}

/// Stands for a function that takes functions where a user asks for its gradient.
#[derive(Debug)]
pub enum FunctionOfFunctions {}

/// What no function of functions has.
#[diagnostic::on_unimplemented(
    message = "a function that takes functions has no gradient of its own",
    label = "differentiate a function that calls it",
    note = "for example `#[differentiable] fn area(b: f64) -> f64 {{ integrate(|x| x * x, 0.0, b) }}`, and `area::grad`"
)]
pub trait HasGradient<'z> {}
