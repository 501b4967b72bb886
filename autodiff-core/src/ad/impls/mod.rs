//! [`Differentiable`](super::Differentiable) for the types of the language and of `std`.

/// The methods of `Differentiable` that find a part by where it is: whether it is in the value, and on from its
/// accumulator, its tangent, and its tangent to be written.
macro_rules! parts {
    (|$this:ident, $seek:ident| $found:expr, |$part:ident, $way:ident| $adj:expr, $tangent:expr, $tangent_mut:expr) => {
        #[inline(always)]
        fn __seek(&$this, $seek: &mut $crate::ad::Seek) -> bool
        where
            Self: 'static,
        {
            $found
        }
        #[inline(always)]
        fn __adj_part<'a, M: $crate::ad::Mode, P: $crate::ad::Part + ?Sized>(
            $part: &'a mut Self::Adj<M>,
            $way: &mut $crate::ad::Way<'_>,
        ) -> &'a mut P::Adj<M>
        where
            Self: 'static,
        {
            $adj
        }
        #[inline(always)]
        fn __tangent_part<'a, P: $crate::ad::Part + ?Sized>(
            $part: &'a Self::Tangent,
            $way: &mut $crate::ad::Way<'_>,
        ) -> &'a P::Tangent
        where
            Self: 'static,
        {
            $tangent
        }
        #[inline(always)]
        fn __tangent_part_mut<'a, P: $crate::ad::Part + ?Sized>(
            $part: &'a mut Self::Tangent,
            $way: &mut $crate::ad::Way<'_>,
        ) -> &'a mut P::Tangent
        where
            Self: 'static,
        {
            $tangent_mut
        }
    };
}

mod containers;
mod discrete;
mod floats;
mod sequences;
mod tuples;

pub(super) use sequences::acc_entries;
