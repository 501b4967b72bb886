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
fn both<Op, A: Binary<Op, B>, B: Differentiable>(a: &A, b: &B, ct: Ct<A::Out>) -> (Ct<A>, Ct<B>) {
    let (mut da, mut db) = (A::zero_ct(&a.proto()), B::zero_ct(&b.proto()));
    A::pull(a, b, ct, &mut da, &mut db);
    (da, db)
}

// After the names of the methods: the pullbacks of the rule, of the witness and the value of each operand.
macro_rules! of_values {
    (
        $Op:ident $Rule:ident $Ruled:ident $keep:ident $both:ident $left:ident $right:ident;
        |$wa:ident, $a:ident, $wb:ident, $b:ident, $ct:ident, $d:ident| $pull_l:expr, $pull_r:expr
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
                wa: &Wit<A>,
                a: &A,
                wb: &Wit<B>,
                b: &B,
                ct: Ct<A::Out>,
                da: &mut D,
                db: &mut E,
            ) {
                self.$left(wa, a, wb, b, ct.clone(), da);
                self.$right(wa, a, wb, b, ct, db);
            }
            /// Adds to the cotangent of the left operand.
            #[inline(always)]
            pub fn $left<A: $Rule<B>, B: Differentiable, D: Acc<A>>(
                self,
                $wa: &Wit<A>,
                $a: &A,
                $wb: &Wit<B>,
                $b: &B,
                $ct: Ct<A::Out>,
                $d: &mut D,
            ) {
                $pull_l;
            }
            /// Adds to the cotangent of the right operand.
            #[inline(always)]
            pub fn $right<A: $Rule<B>, B: Differentiable, D: Acc<B>>(
                self,
                $wa: &Wit<A>,
                $a: &A,
                $wb: &Wit<B>,
                $b: &B,
                $ct: Ct<A::Out>,
                $d: &mut D,
            ) {
                $pull_r;
            }
        }
    };
}

of_values! {
    Add AddRule RuledAddOfValues keep_add_of_values add_of_values add_of_values_l add_of_values_r;
    |wa, a, wb, b, ct, d| A::pull_l(wa, wb, &ct, d), A::pull_r(wa, wb, &ct, d)
}

of_values! {
    Sub SubRule RuledSubOfValues keep_sub_of_values sub_of_values sub_of_values_l sub_of_values_r;
    |wa, a, wb, b, ct, d| A::pull_l(wa, wb, &ct, d), A::pull_r(wa, wb, &ct, d)
}

of_values! {
    Mul MulRule RuledMulOfValues keep_mul_of_values mul_of_values mul_of_values_l mul_of_values_r;
    |wa, a, wb, b, ct, d| A::pull_l(wa, b, &ct, d), A::pull_r(a, wb, &ct, d)
}
