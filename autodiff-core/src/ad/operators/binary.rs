//! `a + b`, `a - b`, `a * b`, `a / b`.

use super::{Binary, Kept, Operands, Ruled, ops};
use crate::ad::{Acc, AddRule, Ct, Differentiable, DivRule, MulRule, SubRule, Wit};

// In the lists of parameters, `own` are those of a rule and `other` the same without names.
macro_rules! operator {
    (
        $Op:ident $Rule:ident $Ruled:ident $keep:ident $push_l:ident $push_r:ident $both_of:ident;
        $both:ident($($own:tt)*) [$($other:tt)*] |$ct:ident, $da:ident, $db:ident| { $($both_code:tt)* };
        $left:ident($($own_l:tt)*) [$($other_l:tt)*] |$ct_l:ident, $d_l:ident| { $($left_code:tt)* };
        $right:ident($($own_r:tt)*) [$($other_r:tt)*] |$ct_r:ident, $d_r:ident| { $($right_code:tt)* };
    ) => {
        kept_operands! {
            $Op $keep $push_l $push_r $both_of;
            $both[$($other)*] $left[$($other_l)*] $right[$($other_r)*]
        }

        /// The same for operands with a rule.
        pub trait $Ruled<A: Differentiable, B: Differentiable>: Sized {
            /// Keeps nothing.
            #[inline(always)]
            fn $keep(self) -> Ruled {
                Ruled
            }
            /// The part of the left operand in the tangent of the result.
            fn $push_l(self, out: &A::Out, t: &A::Tangent) -> <A::Out as Differentiable>::Tangent
            where
                A: $Rule<B>;
            /// The part of the right operand in the tangent of the result.
            fn $push_r(self, out: &A::Out, t: &B::Tangent) -> <A::Out as Differentiable>::Tangent
            where
                A: $Rule<B>;
        }

        impl<A: Differentiable, B: Differentiable> $Ruled<A, B> for Operands<'_, A, B> {
            #[inline(always)]
            fn $push_l(self, out: &A::Out, t: &A::Tangent) -> <A::Out as Differentiable>::Tangent
            where
                A: $Rule<B>,
            {
                A::push_l(self.0, self.1, out, t)
            }
            #[inline(always)]
            fn $push_r(self, out: &A::Out, t: &B::Tangent) -> <A::Out as Differentiable>::Tangent
            where
                A: $Rule<B>,
            {
                A::push_r(self.0, self.1, out, t)
            }
        }

        impl Ruled {
            /// Adds to the cotangents of both operands.
            #[inline(always)]
            #[allow(clippy::too_many_arguments)] // values and witnesses of both sides
            pub fn $both<A: $Rule<B>, B: Differentiable, D: Acc<A>, E: Acc<B>>(
                self, $($own)*, $ct: Ct<A::Out>, $da: &mut D, $db: &mut E,
            ) {
                $($both_code)*
            }
            /// Adds to the cotangent of the left operand.
            #[inline(always)]
            pub fn $left<A: $Rule<B>, B: Differentiable, D: Acc<A>>(
                self, $($own_l)*, $ct_l: Ct<A::Out>, $d_l: &mut D,
            ) {
                $($left_code)*
            }
            /// Adds to the cotangent of the right operand.
            #[inline(always)]
            pub fn $right<A: $Rule<B>, B: Differentiable, D: Acc<B>>(
                self, $($own_r)*, $ct_r: Ct<A::Out>, $d_r: &mut D,
            ) {
                $($right_code)*
            }
        }
    };
}

operator! {
    Add AddRule RuledAdd keep_add add_push_l add_push_r both_of_add;
    add(a: &Wit<A>, b: &Wit<B>) [_: &Wit<A>, _: &Wit<B>] |ct, da, db| {
        A::pull_l(a, b, &ct, da);
        A::pull_r(a, b, &ct, db);
    };
    add_l(a: &Wit<A>, b: &Wit<B>) [_: &Wit<A>, _: &Wit<B>] |ct, d| { A::pull_l(a, b, &ct, d); };
    add_r(a: &Wit<A>, b: &Wit<B>) [_: &Wit<A>, _: &Wit<B>] |ct, d| { A::pull_r(a, b, &ct, d); };
}

operator! {
    Sub SubRule RuledSub keep_sub sub_push_l sub_push_r both_of_sub;
    sub(a: &Wit<A>, b: &Wit<B>) [_: &Wit<A>, _: &Wit<B>] |ct, da, db| {
        A::pull_l(a, b, &ct, da);
        A::pull_r(a, b, &ct, db);
    };
    sub_l(a: &Wit<A>, b: &Wit<B>) [_: &Wit<A>, _: &Wit<B>] |ct, d| { A::pull_l(a, b, &ct, d); };
    sub_r(a: &Wit<A>, b: &Wit<B>) [_: &Wit<A>, _: &Wit<B>] |ct, d| { A::pull_r(a, b, &ct, d); };
}

operator! {
    Mul MulRule RuledMul keep_mul mul_push_l mul_push_r both_of_mul;
    mul(wa: &Wit<A>, a: &A, wb: &Wit<B>, b: &B) [_: &Wit<A>, _: &A, _: &Wit<B>, _: &B] |ct, da, db| {
        A::pull_l(wa, b, &ct, da);
        A::pull_r(a, wb, &ct, db);
    };
    mul_l(a: &Wit<A>, b: &B) [_: &Wit<A>, _: &B] |ct, d| { A::pull_l(a, b, &ct, d); };
    mul_r(a: &A, b: &Wit<B>) [_: &A, _: &Wit<B>] |ct, d| { A::pull_r(a, b, &ct, d); };
}

operator! {
    Div DivRule RuledDiv keep_div div_push_l div_push_r both_of_div;
    div(a: &Wit<A>, b: &B, out: &A::Out) [_: &Wit<A>, _: &B, _: &A::Out] |ct, da, db| {
        A::pull_l(a, b, &ct, da);
        A::pull_r(a, b, out, &ct, db);
    };
    div_l(a: &Wit<A>, b: &B) [_: &Wit<A>, _: &B] |ct, d| { A::pull_l(a, b, &ct, d); };
    div_r(a: &Wit<A>, b: &B, out: &A::Out) [_: &Wit<A>, _: &B, _: &A::Out] |ct, d| {
        A::pull_r(a, b, out, &ct, d);
    };
}
