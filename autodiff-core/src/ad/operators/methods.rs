//! Methods of the user's types that are named like those of floats: `a.exp()`, `a.abs()`, `a.max(b)`.

use super::{Binary, Kept, KeptOne, Operand, Operands, Ruled, Unary, ops};
use crate::ad::{Acc, Ct, Differentiable, MaxRule, MinRule, Wit, rules::*};

macro_rules! of_one {
    ($($Op:ident $op:ident $Rule:ident $Ruled:ident $keep:ident $push:ident;)*) => {$(
        impl<A: Unary<ops::$Op> + Clone> Operand<'_, A> {
            /// Keeps the operand.
            #[inline(always)]
            pub fn $keep(self) -> KeptOne<A> {
                KeptOne(self.0.clone())
            }
            /// The tangent of the result.
            #[inline(always)]
            pub fn $push(self, _: &A::Out, t: &A::Tangent) -> <A::Out as Differentiable>::Tangent {
                A::push(self.0, t)
            }
        }

        #[doc = concat!("`", stringify!($op), "` of an operand with a rule.")]
        pub trait $Ruled<A: Differentiable>: Sized {
            /// Keeps nothing.
            #[inline(always)]
            fn $keep(self) -> Ruled {
                Ruled
            }
            /// The tangent of the result.
            fn $push(self, out: &A, t: &A::Tangent) -> A::Tangent
            where
                A: $Rule;
        }

        impl<A: Differentiable> $Ruled<A> for Operand<'_, A> {
            #[inline(always)]
            fn $push(self, out: &A, t: &A::Tangent) -> A::Tangent
            where
                A: $Rule,
            {
                A::push(self.0, out, t)
            }
        }

        impl Ruled {
            /// Adds to the cotangent of the operand; needs what its rule saves.
            #[inline(always)]
            pub fn $op<A: $Rule, D: Acc<A>>(self, saved: &A, ct: Ct<A>, d: &mut D) {
                A::pull(saved, &ct, d);
            }
        }

        impl<A> KeptOne<A> {
            /// Adds to the cotangent of the operand.
            #[inline(always)]
            pub fn $op<S, D: Acc<A>>(self, _: &S, ct: Ct<A::Out>, d: &mut D)
            where
                A: Unary<ops::$Op>,
            {
                let mut da = A::zero_ct(&self.0.proto());
                A::pull(&self.0, ct, &mut da);
                d.acc(da);
            }
        }
    )*};
}

of_one! {
    Exp exp ExpRule RuledExp keep_exp exp_push;
    Sqrt sqrt SqrtRule RuledSqrt keep_sqrt sqrt_push;
    Recip recip RecipRule RuledRecip keep_recip recip_push;
    Tan tan TanRule RuledTan keep_tan tan_push;
    Tanh tanh TanhRule RuledTanh keep_tanh tanh_push;
    Ln ln LnRule RuledLn keep_ln ln_push;
    Sin sin SinRule RuledSin keep_sin sin_push;
    Cos cos CosRule RuledCos keep_cos cos_push;
    Sinh sinh SinhRule RuledSinh keep_sinh sinh_push;
    Cosh cosh CoshRule RuledCosh keep_cosh cosh_push;
    Abs abs AbsRule RuledAbs keep_abs abs_push;
    Fract fract FractRule RuledFract keep_fract fract_push;
}

/// What the rule of `max` or `min` saves.
#[derive(Clone, Copy, Debug)]
pub struct Picked<S>(S);

macro_rules! of_two {
    ($($Op:ident $Rule:ident $Ruled:ident $keep:ident $both:ident $left:ident $right:ident $push_l:ident $push_r:ident $both_of:ident;)*) => {$(
        kept_operands! {
            $Op $keep $push_l $push_r $both_of;
            $both[_: &Wit<A>, _: &Wit<B>] $left[_: &Wit<A>, _: &Wit<B>] $right[_: &Wit<A>, _: &Wit<B>]
        }

        /// The same for operands with a rule.
        pub trait $Ruled<A: Differentiable, B: Differentiable>: Sized {
            /// Keeps which operand was taken.
            fn $keep(self) -> Picked<A::Sel>
            where
                A: $Rule<B>;
            /// The part of the left operand in the tangent of the result.
            fn $push_l(self, out: &A, t: &A::Tangent) -> A::Tangent
            where
                A: $Rule<B>;
            /// The part of the right operand in the tangent of the result.
            fn $push_r(self, out: &A, t: &B::Tangent) -> A::Tangent
            where
                A: $Rule<B>;
        }

        impl<A: Differentiable, B: Differentiable> $Ruled<A, B> for Operands<'_, A, B> {
            #[inline(always)]
            fn $keep(self) -> Picked<A::Sel>
            where
                A: $Rule<B>,
            {
                Picked(A::sel(self.0, self.1))
            }
            #[inline(always)]
            fn $push_l(self, out: &A, t: &A::Tangent) -> A::Tangent
            where
                A: $Rule<B>,
            {
                A::push_l(self.0, self.1, out, t)
            }
            #[inline(always)]
            fn $push_r(self, out: &A, t: &B::Tangent) -> A::Tangent
            where
                A: $Rule<B>,
            {
                A::push_r(self.0, self.1, out, t)
            }
        }

        impl<S> Picked<S> {
            /// Adds to the cotangents of both operands.
            #[inline(always)]
            pub fn $both<A: $Rule<B, Sel = S>, B: Differentiable, D: Acc<A>, E: Acc<B>>(
                self, a: &Wit<A>, b: &Wit<B>, ct: Ct<A>, da: &mut D, db: &mut E,
            ) {
                A::pull_l(a, b, &self.0, &ct, da);
                A::pull_r(a, b, &self.0, &ct, db);
            }
            /// Adds to the cotangent of the left operand.
            #[inline(always)]
            pub fn $left<A: $Rule<B, Sel = S>, B: Differentiable, D: Acc<A>>(
                self, a: &Wit<A>, b: &Wit<B>, ct: Ct<A>, d: &mut D,
            ) {
                A::pull_l(a, b, &self.0, &ct, d);
            }
            /// Adds to the cotangent of the right operand.
            #[inline(always)]
            pub fn $right<A: $Rule<B, Sel = S>, B: Differentiable, D: Acc<B>>(
                self, a: &Wit<A>, b: &Wit<B>, ct: Ct<A>, d: &mut D,
            ) {
                A::pull_r(a, b, &self.0, &ct, d);
            }
        }
    )*};
}

of_two! {
    Max MaxRule RuledMax keep_max max max_l max_r max_push_l max_push_r both_of_max;
    Min MinRule RuledMin keep_min min min_l min_r min_push_l min_push_r both_of_min;
}
