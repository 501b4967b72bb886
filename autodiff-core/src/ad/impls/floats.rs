//! `f32` and `f64`: the leaves everything else is built from.

use crate::ad::{Acc, Differentiable, Factor, Leaf, Mode, Tangent};

macro_rules! float {
    ($($t:ident),*) => {$(
        impl crate::ad::NotBoxed for $t {}
        impl Differentiable for $t {
            type Tangent = $t;
            type Proto = ();
            type Adj<M: Mode> = M::Leaf<$t>;
            type Others = crate::ad::On;

            #[inline(always)]
            fn proto(&self) {}
            // -0.0 is the exact additive identity, also for -0.0 itself, so the compiler folds the
            // first accumulation away; for +0.0 it may not.
            #[inline(always)]
            fn zero_ct(_: &()) -> $t { -0.0 }
            #[inline(always)]
            fn first(_: &(), ct: $t) -> $t { ct }
            #[inline(always)]
            fn first_of_all(_: &[()], cts: Vec<$t>) -> Vec<$t> { cts }
            #[inline(always)]
            fn zero_adj<M: Mode>(&self, _: M) -> M::Leaf<$t> { M::leaf(self) }
            #[inline(always)]
            fn zero_tangent(&self) -> $t { 0.0 }
            // `-0.0 + 0.0 == 0.0`: users see an ordinary zero.
            #[inline(always)]
            fn finish(_: &(), ct: $t) -> $t { ct + 0.0 }
            // An accumulator starts at `0.0` and sums from there never give `-0.0`.
            #[inline(always)]
            fn finish_all(_: &[()], cts: Vec<$t>) -> Vec<$t> { cts }
            #[inline(always)]
            fn finish_all_here(_: &[Self], cts: Vec<$t>) -> Vec<$t> { cts }
            // A loop: `map`, which might panic half way, is not inlined for longer arrays.
            #[inline(always)]
            fn finish_array<const N: usize>(_: &[(); N], mut cts: [$t; N]) -> [$t; N] {
                for ct in &mut cts {
                    *ct += 0.0;
                }
                cts
            }
            #[inline(always)]
            fn start(tangent: $t) -> $t { tangent }
            #[inline(always)]
            fn add_scaled(&mut self, step: f64, tangent: &$t) {
                *self += (step * f64::from(*tangent)) as $t;
            }
            #[inline(always)]
            fn difference(&self, other: &Self) -> $t { self - other }
            #[inline(always)]
            fn __seek(&self, _: &mut $crate::ad::Seek) -> bool { false }
        }

        impl Leaf for $t {
            type LeafAdj = $t;
            #[inline(always)]
            fn zero_leaf(&self) -> $t { 0.0 }
        }

        impl Acc<$t> for $t {
            const ON: bool = true;
            #[inline(always)]
            fn acc(&mut self, ct: $t) { *self += ct; }
        }

        impl Tangent for $t {
            #[inline(always)]
            fn add(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn scale(self, factor: f64) -> Self { (f64::from(self) * factor) as $t }
            #[inline(always)]
            fn dot(&self, other: &Self) -> f64 { f64::from(*self) * f64::from(*other) }
            #[inline(always)]
            fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self { next() as $t }
            #[inline(always)]
            fn each(&self, entry: &mut dyn FnMut(f64)) { entry(f64::from(*self)) }
            #[inline]
            fn scale_by(mut self, factor: &Factor<'_>) -> Self {
                if factor.maps(&mut self) { self } else { Tangent::scale(self, factor.number()) }
            }
        }
    )*};
}

float!(f32, f64);
