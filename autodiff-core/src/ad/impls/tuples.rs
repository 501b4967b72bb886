//! Tuples of one to twelve entries.

use crate::ad::{Acc, Ct, Differentiable, Factor, Mode, SquareSum, Tangent};

macro_rules! tuple {
    ($($T:ident $A:ident $i:tt),+) => {
        impl<$($T),+> crate::ad::NotBoxed for ($($T,)+) {}
        impl<$($T: Differentiable),+> Differentiable for ($($T,)+) {
            type Tangent = ($($T::Tangent,)+);
            type Proto = ($($T::Proto,)+);
            type Adj<M: Mode> = ($($T::Adj<M>,)+);
            type Others = crate::ad::On;

            #[inline(always)]
            fn proto(&self) -> Self::Proto { ($(self.$i.proto(),)+) }
            #[inline(always)]
            fn zero_ct(proto: &Self::Proto) -> Ct<Self> { ($($T::zero_ct(&proto.$i),)+) }
            #[inline(always)]
            fn first(proto: &Self::Proto, ct: Ct<Self>) -> Ct<Self> {
                ($($T::first(&proto.$i, ct.$i),)+)
            }
            #[inline(always)]
            fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M> {
                ($(self.$i.zero_adj(mode),)+)
            }
            #[inline(always)]
            fn zero_tangent(&self) -> Self::Tangent { ($(self.$i.zero_tangent(),)+) }
            #[inline(always)]
            fn finish(proto: &Self::Proto, ct: Ct<Self>) -> Self::Tangent {
                ($($T::finish(&proto.$i, ct.$i),)+)
            }
            #[inline(always)]
            fn start(tangent: Self::Tangent) -> Ct<Self> { ($($T::start(tangent.$i),)+) }
            #[inline(always)]
            fn add_scaled(&mut self, step: f64, tangent: &Self::Tangent) {
                $(self.$i.add_scaled(step, &tangent.$i);)+
            }
            #[inline(always)]
            fn difference(&self, other: &Self) -> Self::Tangent {
                ($(self.$i.difference(&other.$i),)+)
            }

            parts! {
                |self, seek| false $(|| seek.step($i, &self.$i))+,
                |part, way|
                match way.step() { $($i => way.adj::<M, $T, P>(&mut part.$i),)+ _ => unreachable!() },
                match way.step() { $($i => way.tangent::<$T, P>(&part.$i),)+ _ => unreachable!() },
                match way.step() { $($i => way.tangent_mut::<$T, P>(&mut part.$i),)+ _ => unreachable!() }
            }
        }

        impl<$($T: Differentiable, $A: Acc<$T>),+> Acc<($($T,)+)> for ($($A,)+) {
            const ON: bool = false $(|| $A::ON)+;
            #[inline(always)]
            fn acc(&mut self, ct: ($(Ct<$T>,)+)) { $(self.$i.acc(ct.$i);)+ }
        }

        impl<$($T: Tangent),+> Tangent for ($($T,)+) {
            #[inline(always)]
            fn add(self, other: Self) -> Self { ($(self.$i.add(other.$i),)+) }
            #[inline(always)]
            fn scale(self, factor: f64) -> Self { ($(self.$i.scale(factor),)+) }
            #[inline(always)]
            fn dot(&self, other: &Self) -> f64 { 0.0 $(+ self.$i.dot(&other.$i))+ }
            #[inline(always)]
            fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
                ($(self.$i.fill_with(next),)+)
            }
            #[inline(always)]
            fn each(&self, entry: &mut dyn FnMut(f64)) {
                $(self.$i.each(entry);)+
            }
            fn add_squares(&self, to: &mut SquareSum) {
                $(self.$i.add_squares(to);)+
            }
            fn scale_by(self, factor: &Factor<'_>) -> Self {
                ($(self.$i.scale_by(factor),)+)
            }
        }
    };
}

tuple!(T0 A0 0);
tuple!(T0 A0 0, T1 A1 1);
tuple!(T0 A0 0, T1 A1 1, T2 A2 2);
tuple!(T0 A0 0, T1 A1 1, T2 A2 2, T3 A3 3);
tuple!(T0 A0 0, T1 A1 1, T2 A2 2, T3 A3 3, T4 A4 4);
tuple!(T0 A0 0, T1 A1 1, T2 A2 2, T3 A3 3, T4 A4 4, T5 A5 5);
tuple!(T0 A0 0, T1 A1 1, T2 A2 2, T3 A3 3, T4 A4 4, T5 A5 5, T6 A6 6);
tuple!(T0 A0 0, T1 A1 1, T2 A2 2, T3 A3 3, T4 A4 4, T5 A5 5, T6 A6 6, T7 A7 7);
tuple!(T0 A0 0, T1 A1 1, T2 A2 2, T3 A3 3, T4 A4 4, T5 A5 5, T6 A6 6, T7 A7 7, T8 A8 8);
tuple!(T0 A0 0, T1 A1 1, T2 A2 2, T3 A3 3, T4 A4 4, T5 A5 5, T6 A6 6, T7 A7 7, T8 A8 8, T9 A9 9);
tuple!(T0 A0 0, T1 A1 1, T2 A2 2, T3 A3 3, T4 A4 4, T5 A5 5, T6 A6 6, T7 A7 7, T8 A8 8, T9 A9 9, T10 A10 10);
tuple!(T0 A0 0, T1 A1 1, T2 A2 2, T3 A3 3, T4 A4 4, T5 A5 5, T6 A6 6, T7 A7 7, T8 A8 8, T9 A9 9, T10 A10 10, T11 A11 11);
