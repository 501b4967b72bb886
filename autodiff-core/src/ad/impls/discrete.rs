//! Types without a derivative: their tangent is `()` and their accumulator [`NoGrad`], so that an
//! imprecise activity analysis costs nothing and does no harm.

use crate::ad::{Differentiable, Mode, NoGrad, Tangent};
use core::cmp::Ordering;
use core::marker::PhantomData;
use core::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

macro_rules! discrete {
    ($([$($generics:tt)*] $t:ty),* $(,)?) => {$(
        impl $($generics)* crate::ad::NotBoxed for $t {}
        impl $($generics)* Differentiable for $t {
            type Tangent = ();
            type Proto = ();
            type Adj<M: Mode> = NoGrad;
            type Others = crate::ad::On;

            #[inline(always)]
            fn proto(&self) {}
            #[inline(always)]
            fn zero_ct(_: &()) -> NoGrad { NoGrad }
            #[inline(always)]
            fn zero_adj<M: Mode>(&self, _: M) -> NoGrad { NoGrad }
            #[inline(always)]
            fn zero_tangent(&self) {}
            #[inline(always)]
            fn finish(_: &(), _: NoGrad) {}
            #[inline(always)]
            fn start((): ()) -> NoGrad { NoGrad }
            #[inline(always)]
            fn add_scaled(&mut self, _: f64, (): &()) {}
            #[inline(always)]
            fn difference(&self, _: &Self) {}
            #[inline(always)]
            fn __seek(&self, _: &mut $crate::ad::Seek) -> bool { false }
        }
    )*};
}

macro_rules! plain {
    ($($t:tt)*) => { discrete! { $([] $t),* } };
}

macro_rules! ranges {
    ($($t:tt)*) => { discrete! { $(
        [] Range<$t>, [] RangeInclusive<$t>, [] RangeFrom<$t>, [] RangeTo<$t>, [] RangeToInclusive<$t>
    ),* } };
}

with_integers!(plain bool char () str String);
with_integers!(ranges);
plain! { RangeFull Duration Instant SystemTime Path PathBuf OsStr OsString Ordering }
// Keys are compared or hashed, which floats are not; values of maps have to be discrete too.
discrete! {
    [<K>] BTreeSet<K>, [<K, H>] HashSet<K, H>,
    [<K, V: Differentiable<Tangent = ()>>] BTreeMap<K, V>,
    [<K, V: Differentiable<Tangent = ()>, H>] HashMap<K, V, H>,
}
discrete! { [<T>] crate::ad::Inert<T>, [<T: ?Sized>] PhantomData<T>, [<T: ?Sized>] crate::ad::Unlifted<'_, T> }
#[cfg(feature = "ndarray")]
discrete! {
    [] ndarray::Axis,
    [<I: AsRef<[ndarray::SliceInfoElem]>, D: ndarray::Dimension, E: ndarray::Dimension>] ndarray::SliceInfo<I, D, E>,
}

impl Tangent for () {
    #[inline(always)]
    fn add(self, (): ()) {}
    #[inline(always)]
    fn scale(self, _: f64) {}
    #[inline(always)]
    fn dot(&self, (): &()) -> f64 {
        0.0
    }
    #[inline(always)]
    fn fill_with(&self, _: &mut dyn FnMut() -> f64) {}
    #[inline(always)]
    fn each(&self, _: &mut dyn FnMut(f64)) {}
}
