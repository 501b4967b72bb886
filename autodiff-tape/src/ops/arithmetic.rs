//! `+ - * /` between tensors, between floats, and between both.

use super::unary::functions;
use crate::again::linear::{self, Push2};
use crate::again::{Cotangents, Vector, bilinear, replay};
use crate::operation::{Active, Operation};
use crate::{Tape, TapeError, Var};
use autodiff_core::ad::{AddRule, Ct, DivRule, MulRule, SubRule, Wit};

macro_rules! operators {
    ($(
        $Op:ident $op:ident $Rule:ident $name:literal
        keeps |$a:ident, $b:ident, $y:ident| $kept:expr;
        left $left:expr;
        right $right:expr;
    )*) => { $(
        #[doc = concat!("`a ", $name, " b`.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Op;

        impl $Op {
            fn compute<A, B>(a: &A, b: &B) -> A::Out
            where
                A: $Rule<B> + core::ops::$Op<B, Output = <A as $Rule<B>>::Out> + Clone,
                B: Vector,
            {
                core::ops::$Op::$op(a.clone(), b.clone())
            }

            #[allow(clippy::type_complexity)] // the type of a pullback
            fn with_pullback<A, B>(
                (a, b): &(A, B),
                active: Active,
            ) -> (
                A::Out,
                impl FnOnce(&(A, B), Ct<A::Out>, &mut Ct<(A, B)>) + use<A, B>,
            )
            where
                A: $Rule<B> + core::ops::$Op<B, Output = <A as $Rule<B>>::Out> + Vector,
                A::Out: Vector,
                B: Vector,
            {
                let $y = Self::compute(a, b);
                let kept = { let ($a, $b) = (a, b); $kept };
                let pull = move |(a, b): &(A, B), ct: Ct<A::Out>, sums: &mut Ct<(A, B)>| {
                    if active.has(0) {
                        let left: fn(&A, &B, &Ct<A::Out>, &mut Ct<A>) = $left;
                        left(a, b, &ct, &mut sums.0);
                    }
                    if active.has(1) {
                        let right: fn(&A, &B, &_, &Ct<A::Out>, &mut Ct<B>) = $right;
                        right(a, b, &kept, &ct, &mut sums.1);
                    }
                };
                ($y, pull)
            }
        }
    )* };
}

operators! {
    Add add AddRule "+"
        keeps |_a, _b, y| ();
        left |a, b, ct, d| A::pull_l(&Wit(a.proto()), &Wit(b.proto()), ct, d);
        right |a, b, (), ct, d| A::pull_r(&Wit(a.proto()), &Wit(b.proto()), ct, d);
    Sub sub SubRule "-"
        keeps |_a, _b, y| ();
        left |a, b, ct, d| A::pull_l(&Wit(a.proto()), &Wit(b.proto()), ct, d);
        right |a, b, (), ct, d| A::pull_r(&Wit(a.proto()), &Wit(b.proto()), ct, d);
    Mul mul MulRule "*"
        keeps |_a, _b, y| ();
        left |a, b, ct, d| A::pull_l(&Wit(a.proto()), b, ct, d);
        right |a, b, (), ct, d| A::pull_r(a, &Wit(b.proto()), ct, d);
    Div div DivRule "/"
        keeps |_a, _b, y| y.clone();
        left |a, b, ct, d| A::pull_l(&Wit(a.proto()), b, ct, d);
        right |a, b, y, ct, d| A::pull_r(&Wit(a.proto()), b, y, ct, d);
}

/// The operation, with the cotangents of its cotangents.
macro_rules! operations {
    ($(
        $Op:ident $Rule:ident $name:literal $([$($bound:tt)*])?
        |$this:ident, $tape:ident, $args:ident, $ct:ident| $again:expr;
    )*) => { $(
        impl<A, B> Operation<(A, B)> for $Op
        where
            A: $Rule<B> + core::ops::$Op<B, Output = <A as $Rule<B>>::Out> + Vector,
            A::Out: Vector,
            B: Vector,
            $($($bound)*)?
        {
            type Output = A::Out;
            fn name(&self) -> &'static str {
                $name
            }
            fn value(&self, (a, b): &(A, B)) -> A::Out {
                Self::compute(a, b)
            }
            fn run(
                &self,
                args: &(A, B),
                active: Active,
            ) -> (A::Out, impl FnOnce(&(A, B), Ct<A::Out>, &mut Ct<(A, B)>) + use<A, B>) {
                Self::with_pullback(args, active)
            }
            fn again(
                &self,
                $tape: &Tape,
                $args: &(Var<A>, Var<B>),
                _: &Var<A::Out>,
                $ct: Cotangents,
            ) -> Result<Vec<Cotangents>, TapeError> {
                let $this = self;
                $again
            }
        }
    )* };
}

operations! {
    Add AddRule "+" |this, _tape, args, ct| linear::of_two(this, args, ct);
    Sub SubRule "-" |this, _tape, args, ct| linear::of_two(this, args, ct);
    Mul MulRule "*" |this, _tape, args, ct| bilinear::bilinear(this, args, ct);
    Div DivRule "/" [
        Mul: Operation<(A, B), Output = <A as DivRule<B>>::Out>,
        functions::recip: Operation<(B,), Output = B>,
    ] |_this, tape, args, ct| replay::of_two(tape, args, ct, |a, b| a.run_with(Mul, b.run(functions::recip)));
}

macro_rules! pushes {
    ($($Op:ident $Rule:ident;)*) => { $(
        impl<A, B> Push2<A, B> for $Op
        where
            A: $Rule<B> + core::ops::$Op<B, Output = <A as $Rule<B>>::Out> + Vector,
            A::Out: Vector,
            B: Vector,
        {
            fn push_l(&self, args: &(A, B), t: &A) -> A::Out {
                A::push_l(&args.0, &args.1, &self.value(args), t)
            }
            fn push_r(&self, args: &(A, B), t: &B) -> A::Out {
                A::push_r(&args.0, &args.1, &self.value(args), t)
            }
        }
    )* };
}
pushes! {
    Add AddRule;
    Sub SubRule;
}
