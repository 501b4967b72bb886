//! `a + b`, `a - b`, `a * b` whose pullback gets the values of both operands again: nothing is kept of them here.
//!
//! Generated code asks for this where it has both values in the reverse pass anyway: of a product of two active factors, and of
//! the operators of a type that the same file defines.

use super::{Binary, Operands, Ruled, ops};
use crate::ad::{Acc, AddRule, Ct, Differentiable, MulRule, SubRule, Wit};

/// Stands for operands of a user's type.
#[derive(Clone, Copy, Debug)]
pub struct Values;

/// The cotangents of both operands.
#[inline(always)]
pub(super) fn both<Op, A: Binary<Op, B>, B: Differentiable>(
    a: &A,
    b: &B,
    ct: Ct<A::Out>,
) -> (Ct<A>, Ct<B>) {
    let (mut da, mut db) = (A::zero_ct(&a.proto()), B::zero_ct(&b.proto()));
    A::pull(a, b, ct, &mut da, &mut db);
    (da, db)
}

// After each method, that of the rule, and which of the witnesses and values it reads.
macro_rules! of_values {
    (
        $Op:ident $Rule:ident $Ruled:ident $keep:ident ($wa:ident $a:ident $wb:ident $b:ident);
        $both:ident $rule:ident($($read:ident),*);
        $left:ident $rule_l:ident($($read_l:ident),*);
        $right:ident $rule_r:ident($($read_r:ident),*);
    ) => {
        impl<A, B> Operands<'_, A, B>
        where
            A: Binary<ops::$Op, B> + Clone,
            B: Differentiable + Clone,
        {
            /// Keeps nothing.
            #[inline(always)]
            pub fn $keep(self) -> Values {
                Values
            }
        }

        /// The same for operands with a rule.
        pub trait $Ruled: Sized {
            /// Keeps nothing.
            #[inline(always)]
            fn $keep(self) -> Ruled {
                Ruled
            }
        }

        impl<A, B> $Ruled for Operands<'_, A, B> {}

        impl Values {
            /// Adds to the cotangents of both operands.
            #[inline(always)]
            #[allow(clippy::too_many_arguments)] // values and witnesses of both sides
            pub fn $both<A: Binary<ops::$Op, B>, B: Differentiable, D: Acc<A>, E: Acc<B>>(
                self,
                _: &Wit<A>,
                a: &A,
                _: &Wit<B>,
                b: &B,
                ct: Ct<A::Out>,
                da: &mut D,
                db: &mut E,
            ) {
                let (l, r) = both(a, b, ct);
                da.acc(l);
                db.acc(r);
            }
            /// Adds to the cotangent of the left operand.
            #[inline(always)]
            pub fn $left<A: Binary<ops::$Op, B>, B: Differentiable, D: Acc<A>>(
                self,
                _: &Wit<A>,
                a: &A,
                _: &Wit<B>,
                b: &B,
                ct: Ct<A::Out>,
                d: &mut D,
            ) {
                d.acc(both(a, b, ct).0);
            }
            /// Adds to the cotangent of the right operand.
            #[inline(always)]
            pub fn $right<A: Binary<ops::$Op, B>, B: Differentiable, D: Acc<B>>(
                self,
                _: &Wit<A>,
                a: &A,
                _: &Wit<B>,
                b: &B,
                ct: Ct<A::Out>,
                d: &mut D,
            ) {
                d.acc(both(a, b, ct).1);
            }
        }

        #[allow(unused_variables)] // a rule reads the values or the witnesses
        impl Ruled {
            /// Adds to the cotangents of both operands.
            #[inline(always)]
            #[allow(clippy::too_many_arguments)] // values and witnesses of both sides
            pub fn $both<A: $Rule<B>, B: Differentiable, D: Acc<A>, E: Acc<B>>(
                self,
                $wa: &Wit<A>,
                $a: &A,
                $wb: &Wit<B>,
                $b: &B,
                ct: Ct<A::Out>,
                da: &mut D,
                db: &mut E,
            ) {
                self.$rule($($read),*, ct, da, db);
            }
            /// Adds to the cotangent of the left operand.
            #[inline(always)]
            pub fn $left<A: $Rule<B>, B: Differentiable, D: Acc<A>>(
                self,
                $wa: &Wit<A>,
                $a: &A,
                $wb: &Wit<B>,
                $b: &B,
                ct: Ct<A::Out>,
                d: &mut D,
            ) {
                self.$rule_l($($read_l),*, ct, d);
            }
            /// Adds to the cotangent of the right operand.
            #[inline(always)]
            pub fn $right<A: $Rule<B>, B: Differentiable, D: Acc<B>>(
                self,
                $wa: &Wit<A>,
                $a: &A,
                $wb: &Wit<B>,
                $b: &B,
                ct: Ct<A::Out>,
                d: &mut D,
            ) {
                self.$rule_r($($read_r),*, ct, d);
            }
        }
    };
}

of_values! {
    Add AddRule RuledAddOfValues keep_add_of_values (wa a wb b);
    add_of_values add(wa, wb);
    add_of_values_l add_l(wa, wb);
    add_of_values_r add_r(wa, wb);
}

of_values! {
    Sub SubRule RuledSubOfValues keep_sub_of_values (wa a wb b);
    sub_of_values sub(wa, wb);
    sub_of_values_l sub_l(wa, wb);
    sub_of_values_r sub_r(wa, wb);
}

of_values! {
    Mul MulRule RuledMulOfValues keep_mul_of_values (wa a wb b);
    mul_of_values mul(wa, a, wb, b);
    mul_of_values_l mul_l(wa, b);
    mul_of_values_r mul_r(a, wb);
}
