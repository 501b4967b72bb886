//! `a += b`, `a -= b`.

use super::{Assigning, Kept, Operands, Ruled, ops};
use crate::ad::{Acc, AddRule, Ct, Differentiable, SubRule, Tangent, Wit};

macro_rules! operator {
    ($Op:ident $Rule:ident $Ruled:ident $keep:ident $push:ident $both:ident $left:ident) => {
        impl<A, B> Operands<'_, A, B>
        where
            A: Assigning<ops::$Op, B> + Clone,
            B: Differentiable + Clone,
        {
            /// Keeps both operands.
            #[inline(always)]
            pub fn $keep(self) -> Kept<A, B> {
                Kept(self.0.clone(), self.1.clone())
            }
            /// Turns the tangent of the old value into that of the new one.
            #[inline(always)]
            pub fn $push(self, ta: &mut A::Tangent, tb: Option<&B::Tangent>) {
                match tb {
                    Some(tb) => A::push(self.0, self.1, ta, tb),
                    None => A::push(self.0, self.1, ta, &self.1.zero_tangent()),
                }
            }
        }

        /// The same for operands with a rule.
        pub trait $Ruled<A: Differentiable, B: Differentiable>: Sized {
            /// Keeps nothing.
            #[inline(always)]
            fn $keep(self) -> Ruled {
                Ruled
            }
            /// Adds the part of the right operand to the tangent of the left one.
            fn $push(self, ta: &mut A::Tangent, tb: Option<&B::Tangent>)
            where
                A: $Rule<B, Out = A>;
        }

        impl<A: Differentiable, B: Differentiable> $Ruled<A, B> for Operands<'_, A, B> {
            #[inline(always)]
            fn $push(self, ta: &mut A::Tangent, tb: Option<&B::Tangent>)
            where
                A: $Rule<B, Out = A>,
            {
                if let Some(tb) = tb {
                    *ta = ta.clone().add(A::push_r(self.0, self.1, self.0, tb));
                }
            }
        }

        impl Ruled {
            /// Adds to the cotangent of the right operand; that of the left one stays.
            #[inline(always)]
            pub fn $both<A: $Rule<B, Out = A>, B: Differentiable, D: Acc<B>>(
                self,
                a: &Wit<A>,
                b: &Wit<B>,
                da: &mut Ct<A>,
                db: &mut D,
            ) {
                A::pull_r(a, b, da, db);
            }
            /// The right operand has no derivative.
            #[inline(always)]
            pub fn $left<D>(self, _: &mut D) {}
        }

        impl<A: Assigning<ops::$Op, B>, B: Differentiable> Kept<A, B> {
            /// Turns the cotangent of the new value into that of the old one; adds to that of `b`.
            #[inline(always)]
            pub fn $both<D: Acc<B>>(self, _: &Wit<A>, _: &Wit<B>, da: &mut Ct<A>, db: &mut D) {
                let mut r = B::zero_ct(&self.1.proto());
                A::pull(&self.0, &self.1, da, &mut r);
                db.acc(r);
            }
            /// The right operand has no derivative.
            #[inline(always)]
            pub fn $left(self, da: &mut Ct<A>) {
                let mut r = B::zero_ct(&self.1.proto());
                A::pull(&self.0, &self.1, da, &mut r);
            }
        }
    };
}

operator!(Add AddRule RuledAddAssign keep_add_assign add_assign_push add_assign add_assign_l);
operator!(Sub SubRule RuledSubAssign keep_sub_assign sub_assign_push sub_assign sub_assign_l);
