//! Scalars that carry more than a number: what [`Dual`](super::Dual), [`Traced`](super::Traced) and
//! [`Batch`](super::Batch) share.
//!
//! They differ in what an operation does with what they carry. The forms of the operators by reference and
//! in place, sums and products, and that each is its own tangent, are the same for all.

use super::{Dual, Scalar, Traced};

/// A scalar that carries an `S` and more: what arguments can be written over ([`Lift`](super::Lift)).
pub trait Extends<S: Scalar>: Scalar {
    /// The scalar that carries nothing but a number.
    fn constant(value: S) -> Self;
    /// The number.
    fn base(self) -> S;
    /// The product with a number that does not change.
    #[inline(always)]
    fn times(self, by: S) -> Self {
        self * Self::constant(by)
    }
}

impl<S: Scalar> Extends<S> for S {
    #[inline(always)]
    fn constant(value: S) -> S {
        value
    }
    #[inline(always)]
    fn base(self) -> S {
        self
    }
}

impl<S: Scalar, const K: usize> Extends<S> for Dual<S, K> {
    #[inline(always)]
    fn constant(value: S) -> Self {
        Dual::constant(value)
    }
    #[inline(always)]
    fn base(self) -> S {
        self.value
    }
    #[inline(always)]
    fn times(self, by: S) -> Self {
        self.mapped(self.value * by, |t, _| t * by)
    }
}

impl<S: Scalar> Extends<S> for Traced<S> {
    #[inline(always)]
    fn constant(value: S) -> Self {
        Traced::constant(value)
    }
    #[inline(always)]
    fn base(self) -> S {
        self.value()
    }
}

/// The number of a scalar that carries more: what comparisons and inner products look at.
#[inline(always)]
pub(super) fn number<S: Scalar, D: Extends<S>>(x: &D) -> S {
    x.base()
}

/// The forms of the operators that follow from those by value; comparisons, sums and products.
macro_rules! operators {
    ([$($generics:tt)*] $t:ty, $constant:path, $base:ty) => {
        const _: () = {
            use core::cmp::Ordering;
            use core::iter::{Product, Sum};
            use core::ops::*;

            impl<$($generics)*> PartialEq for $t {
                #[inline(always)]
                fn eq(&self, other: &Self) -> bool {
                    $crate::ad::extended::number::<$base, _>(self)
                        == $crate::ad::extended::number::<$base, _>(other)
                }
            }

            impl<$($generics)*> PartialOrd for $t {
                #[inline(always)]
                fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                    $crate::ad::extended::number::<$base, _>(self)
                        .partial_cmp(&$crate::ad::extended::number::<$base, _>(other))
                }
            }

            impl<$($generics)*> Default for $t {
                #[inline(always)]
                fn default() -> Self {
                    <Self as $crate::ad::Scalar>::ZERO
                }
            }

            impl<$($generics)*> Neg for &$t {
                type Output = $t;
                #[inline(always)]
                fn neg(self) -> $t {
                    -*self
                }
            }

            $crate::ad::extended::operators! {
                @each [$($generics)*] [$t]
                Add add AddAssign add_assign
                Sub sub SubAssign sub_assign
                Mul mul MulAssign mul_assign
                Div div DivAssign div_assign
                Rem rem RemAssign rem_assign
            }

            $crate::ad::extended::operators! {
                @folded [$($generics)*] [$t] [$constant] [$base]
                Sum sum +
                Product product *
            }
        };
    };
    (@each [$($generics:tt)*] [$t:ty]) => {};
    (@each [$($generics:tt)*] [$t:ty] $Op:ident $op:ident $Assign:ident $assign:ident $($rest:tt)*) => {
        impl<$($generics)*> $Op<&$t> for $t {
            type Output = Self;
            #[inline(always)]
            fn $op(self, b: &Self) -> Self {
                $Op::$op(self, *b)
            }
        }
        impl<$($generics)*> $Op<$t> for &$t {
            type Output = $t;
            #[inline(always)]
            fn $op(self, b: $t) -> $t {
                $Op::$op(*self, b)
            }
        }
        impl<$($generics)*> $Op<&$t> for &$t {
            type Output = $t;
            #[inline(always)]
            fn $op(self, b: &$t) -> $t {
                $Op::$op(*self, *b)
            }
        }
        impl<$($generics)*> $Assign for $t {
            #[inline(always)]
            fn $assign(&mut self, b: Self) {
                *self = $Op::$op(*self, b);
            }
        }
        impl<$($generics)*> $Assign<&$t> for $t {
            #[inline(always)]
            fn $assign(&mut self, b: &Self) {
                *self = $Op::$op(*self, *b);
            }
        }
        $crate::ad::extended::operators!(@each [$($generics)*] [$t] $($rest)*);
    };
    (@folded [$($generics:tt)*] [$t:ty] [$constant:path] [$base:ty]) => {};
    (@folded [$($generics:tt)*] [$t:ty] [$constant:path] [$base:ty]
        $Fold:ident $fold:ident $op:tt $($rest:tt)*) => {
        impl<$($generics)*> $Fold for $t {
            #[inline]
            fn $fold<I: Iterator<Item = Self>>(all: I) -> Self {
                // From where the values start: an empty sum is -0.0.
                let start = $constant(core::iter::empty::<$base>().$fold());
                all.fold(start, |a, b| a $op b)
            }
        }
        impl<'a, $($generics)*> $Fold<&'a $t> for $t {
            #[inline]
            fn $fold<I: Iterator<Item = &'a Self>>(all: I) -> Self {
                all.copied().$fold()
            }
        }
        $crate::ad::extended::operators!(@folded [$($generics)*] [$t] [$constant] [$base] $($rest)*);
    };
}

/// The scalar as a value with a derivative, which is its own tangent.
macro_rules! space {
    ([$($generics:tt)*] $t:ty, $base:ty, $zero:expr, |$x:ident, $factor:ident| $scaled:expr) => {
        const _: () = {
            use $crate::ad::{
                Acc, Differentiable, HeapSize, Leaf, Mode, NotBoxed, Rounded, ScalarOutput, Tangent,
            };

            impl<$($generics)*> Tangent for $t {
                #[inline(always)]
                fn add(self, other: Self) -> Self {
                    self + other
                }
                #[inline(always)]
                fn scale(self, $factor: f64) -> Self {
                    let $x = self;
                    $scaled
                }
                /// That of the numbers.
                #[inline(always)]
                fn dot(&self, other: &Self) -> f64 {
                    $crate::ad::extended::number::<$base, _>(self)
                        .dot(&$crate::ad::extended::number::<$base, _>(other))
                }
                #[inline(always)]
                fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
                    <Self as Scalar>::lit(next())
                }
                #[inline(always)]
                fn each(&self, entry: &mut dyn FnMut(f64)) {
                    entry(Scalar::to_f64(*self));
                }
            }

            impl<$($generics)*> HeapSize for $t {
                fn heap_size(&self) -> usize {
                    0
                }
            }

            impl<$($generics)*> Differentiable for $t {
                type Tangent = Self;
                type Proto = ();
                type Adj<__M: Mode> = __M::Leaf<Self>;
                type Others = crate::ad::On;

                #[inline(always)]
                fn proto(&self) {}
                #[inline(always)]
                fn zero_ct((): &()) -> Self {
                    $zero
                }
                #[inline(always)]
                fn zero_adj<__M: Mode>(&self, _: __M) -> __M::Leaf<Self> {
                    __M::leaf(self)
                }
                #[inline(always)]
                fn zero_tangent(&self) -> Self {
                    <Self as Scalar>::ZERO
                }
                // Users see an ordinary zero.
                #[inline(always)]
                fn finish((): &(), ct: Self) -> Self {
                    ct + <Self as Scalar>::ZERO
                }
                // An accumulator starts at `0.0` and sums from there never give `-0.0`.
                #[inline(always)]
                fn finish_all(_: &[()], cts: Vec<Self>) -> Vec<Self> {
                    cts
                }
                // A loop, as for floats.
                #[inline(always)]
                fn finish_array<const __N: usize>(_: &[(); __N], mut cts: [Self; __N]) -> [Self; __N] {
                    for ct in &mut cts {
                        *ct += <Self as Scalar>::ZERO;
                    }
                    cts
                }
                #[inline(always)]
                fn start(tangent: Self) -> Self {
                    tangent
                }
                #[inline(always)]
                fn __seek(&self, _: &mut $crate::ad::Seek) -> bool {
                    false
                }
                #[inline(always)]
                fn add_scaled(&mut self, step: f64, tangent: &Self) {
                    *self += Tangent::scale(*tangent, step);
                }
                #[inline(always)]
                fn difference(&self, other: &Self) -> Self {
                    *self - *other
                }
            }

            impl<$($generics)*> Leaf for $t {
                type LeafAdj = Self;
                #[inline(always)]
                fn zero_leaf(&self) -> Self {
                    <Self as Scalar>::ZERO
                }
            }

            impl<$($generics)*> Acc<$t> for $t {
                const ON: bool = true;
                #[inline(always)]
                fn acc(&mut self, ct: Self) {
                    *self += ct;
                }
            }

            impl<$($generics)*> $crate::ad::scalar::sealed::Sealed for $t {}
            impl<$($generics)*> Rounded for $t {}
            impl<$($generics)*> NotBoxed for $t {}

            #[diagnostic::do_not_recommend]
            impl<__F: ?Sized, $($generics)*> ScalarOutput<'_, __F, $t> for $t {
                #[inline(always)]
                fn one(&self) -> $t {
                    <Self as Scalar>::ONE
                }
            }
        };
    };
}

pub(super) use {operators, space};
