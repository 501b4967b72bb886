//! One axis of a shape.

use crate::ad::Differentiable;
use core::fmt::Debug;

/// One axis of a shape: a static size [`Sz`] or a name made by [`dim!`](crate::dim).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dimension",
    note = "a dimension is a literal size `Sz<784>` (write `784` inside `shape![..]`), or a name made with `dim!(Batch)`"
)]
pub trait Dim:
    Copy + Debug + PartialEq + Send + Sync + Differentiable<Tangent = ()> + 'static
{
    /// The size, if it is known at compile time.
    const STATIC: Option<usize>;
    /// What is known of the size at compile time: it is a multiple of this.
    const FACTOR: usize = match Self::STATIC {
        Some(n) => n,
        None => 1,
    };
    /// The name of a run-time dimension; empty for a static one.
    const NAME: &'static str;
    /// The names of the axes whose size is known at run time only, in order, in front of `Tail`.
    type Names<Tail>;
    /// The size.
    fn size(self) -> usize;
    /// Appends the run-time sizes in this dimension, one for each name.
    fn put(self, sizes: &mut Vec<usize>);
    /// Takes the value of this dimension from the run-time sizes still to be placed.
    fn take(sizes: &mut dyn Iterator<Item = usize>) -> Self;
}

/// A dimension whose size is known at compile time.
pub trait StaticDim: Dim + Default {}

/// The static size `N`. Written as a bare number inside `shape![..]` and `Tensor![..]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sz<const N: usize>;

impl<const N: usize> Dim for Sz<N> {
    const STATIC: Option<usize> = Some(N);
    const NAME: &'static str = "";
    type Names<Tail> = Tail;
    fn size(self) -> usize {
        N
    }
    fn put(self, _: &mut Vec<usize>) {}
    fn take(_: &mut dyn Iterator<Item = usize>) -> Self {
        Sz
    }
}

impl<const N: usize> StaticDim for Sz<N> {}

/// `impl Differentiable` for a type without a derivative.
#[doc(hidden)]
#[macro_export]
macro_rules! __discrete {
    ([$($generics:tt)*] $t:ty) => {
        impl<$($generics)*> $crate::ad::NotBoxed for $t {}
        impl<$($generics)*> $crate::ad::Differentiable for $t {
            type Tangent = ();
            type Proto = ();
            type Adj<M: $crate::ad::Mode> = $crate::ad::NoGrad;
            type Others = $crate::ad::On;
            fn proto(&self) {}
            fn zero_ct(_: &()) -> $crate::ad::NoGrad {
                $crate::ad::NoGrad
            }
            fn zero_adj<M: $crate::ad::Mode>(&self, _: M) -> $crate::ad::NoGrad {
                $crate::ad::NoGrad
            }
            fn zero_tangent(&self) {}
            fn finish(_: &(), _: $crate::ad::NoGrad) {}
            fn start(_: ()) -> $crate::ad::NoGrad {
                $crate::ad::NoGrad
            }
            fn add_scaled(&mut self, _: f64, _: &()) {}
            fn difference(&self, _: &Self) {}
        }
        impl<__T: $crate::ad::Scalar, __U: $crate::ad::Extends<__T>, $($generics)*> $crate::ad::Lift<__T, __U> for $t {
            type Lifted = Self;
            fn lift<__F: FnMut(__T) -> __U>(&self, _: &mut __F) -> Self {
                ::core::clone::Clone::clone(self)
            }
            fn lift_along<__F: FnMut(__T, __T) -> __U>(&self, _: &(), _: &mut __F) -> Self {
                ::core::clone::Clone::clone(self)
            }
            fn part<__F: Fn(__U) -> __T>(_: &(), _: &__F) {}
            fn read<__F: FnMut(__U)>(_: &(), _: &mut __F) {}
            fn visit<__F: FnMut(__U)>(_: &Self, _: &mut __F) {}
            fn fill<__F: FnMut() -> __T>(&self, _: &mut __F) {}
        }
        impl<__T: $crate::ad::Scalar, $($generics)*> $crate::ad::WithScalar<__T> for $t {
            type Type = Self;
        }
        impl<'__z, $($generics)*> $crate::ad::Lower<'__z, $t> for $t {
            fn lower(lifted: &Self) -> Self {
                ::core::clone::Clone::clone(lifted)
            }
        }
        impl<__To, $($generics)*> $crate::ad::Recast<__To> for $t {
            type Out = Self;
            fn recast(&self) -> Self {
                ::core::clone::Clone::clone(self)
            }
        }
        impl<$($generics)*> $crate::ad::Layout for $t {
            type With<__G> = ();
            fn count(&self) -> usize {
                0
            }
            fn with<__G>(&self, _: &mut impl FnMut() -> __G) {}
        }
    };
}

/// The same for one that functions over any scalar hold, take and return: a size, options.
#[doc(hidden)]
#[macro_export]
macro_rules! __setting {
    ($t:ty) => {
        $crate::__discrete!([] $t);
        impl $crate::ad::Held for $t {
            type Out = Self;
            fn held(self) -> Self {
                self
            }
        }
        impl $crate::ad::NoDerivative for $t {}
    };
}

crate::__discrete!([const N: usize] Sz<N>);
crate::__discrete!([A: Dim, B: Dim] Prod<A, B>);

/// Declares named run-time dimensions: `dim!(pub Batch, pub Time);` gives the types `Batch` and
/// `Time`, each holding a size.
#[macro_export]
macro_rules! dim {
    ($($(#[$meta:meta])* $vis:vis $name:ident),* $(,)?) => { $(
        $(#[$meta])*
        #[doc = concat!("The run-time dimension `", stringify!($name), "` and its size.")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        $vis struct $name(#[doc = "The size."] pub usize);
        $crate::__setting!($name);
        impl $name {
            #[doc(hidden)]
            #[allow(clippy::extra_unused_type_parameters)]
            pub fn __over_new<__T>(size: usize) -> Self {
                $name(size)
            }
        }
        impl<__K: $crate::shape::StaticDim, __W: $crate::shape::Step> $crate::shape::Slide<__K, __W> for $name {
            type Out = $crate::shape::Positions<$name, __K, __W>;
            fn slide(self) -> Self::Out {
                $crate::shape::Positions::over(self)
            }
        }
        impl<__K: $crate::shape::StaticDim, __W: $crate::shape::Step> $crate::shape::Spread<__K, __W> for $name {
            type Out = $crate::shape::Stretched<$name, __K, __W>;
            fn spread(self) -> Self::Out {
                $crate::shape::Stretched::from(self)
            }
        }
        #[diagnostic::do_not_recommend]
        impl $crate::shape::Spectral for $name {
            type Out = $crate::shape::Spectrum<$name>;
            fn spectrum(self) -> Self::Out {
                $crate::shape::Spectrum(self)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<__R: $crate::shape::Dim> $crate::shape::Product<__R> for $name {
            type Out = $crate::shape::Prod<$name, __R>;
        }
        #[diagnostic::do_not_recommend]
        impl<const __N: usize> $crate::shape::Product<$name> for $crate::shape::Sz<__N> {
            type Out = $crate::shape::Prod<$crate::shape::Sz<__N>, $name>;
        }
        #[diagnostic::do_not_recommend]
        impl $crate::shape::Smaller<$name> for $name {
            type Out = $name;
            fn smaller(self, other: $name) -> $name {
                $name(self.0.min(other.0))
            }
        }
        #[diagnostic::do_not_recommend]
        impl<const __N: usize> $crate::shape::Smaller<$crate::shape::Sz<__N>> for $name {
            type Out = $crate::shape::Min<$name, $crate::shape::Sz<__N>>;
            fn smaller(self, other: $crate::shape::Sz<__N>) -> Self::Out {
                $crate::shape::Min(self, other)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<const __N: usize> $crate::shape::Smaller<$name> for $crate::shape::Sz<__N> {
            type Out = $crate::shape::Min<$name, $crate::shape::Sz<__N>>;
            fn smaller(self, other: $name) -> Self::Out {
                $crate::shape::Min(other, self)
            }
        }
        impl $crate::shape::Dim for $name {
            const STATIC: ::core::option::Option<usize> = ::core::option::Option::None;
            const NAME: &'static str = ::core::stringify!($name);
            type Names<Tail> = ($name, Tail);
            fn size(self) -> usize {
                self.0
            }
            fn put(self, sizes: &mut ::std::vec::Vec<usize>) {
                sizes.push(self.0)
            }
            fn take(sizes: &mut dyn ::core::iter::Iterator<Item = usize>) -> Self {
                $name(sizes.next().expect("a run-time size is missing"))
            }
        }
    )* };
}

/// The product of two axes of which at least one is known at run time only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Prod<A, B>(pub A, pub B);

impl<A: Dim, B: Dim> Dim for Prod<A, B> {
    const STATIC: Option<usize> = match (A::STATIC, B::STATIC) {
        (Some(a), Some(b)) => Some(a * b),
        _ => None,
    };
    const FACTOR: usize = A::FACTOR * B::FACTOR;
    const NAME: &'static str = "product";
    type Names<Tail> = A::Names<B::Names<Tail>>;
    fn size(self) -> usize {
        self.0.size() * self.1.size()
    }
    fn put(self, sizes: &mut Vec<usize>) {
        self.0.put(sizes);
        self.1.put(sizes)
    }
    fn take(sizes: &mut dyn Iterator<Item = usize>) -> Self {
        let first = A::take(sizes);
        Prod(first, B::take(sizes))
    }
}

/// A product of two dimensions, as `shape![(A * B)]` writes it: of static sizes the size, otherwise a [`Prod`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` times `{R}` is not a dimension",
    note = "in a function that is generic over a size, write the where clause, such as `where Sz<M>: Times<Sz<N>>`"
)]
pub trait Product<R> {
    /// The product.
    type Out: Dim;
}
#[diagnostic::do_not_recommend]
impl<const M: usize, const N: usize> Product<Sz<N>> for Sz<M>
where
    Sz<M>: super::arith::Times<Sz<N>>,
{
    type Out = <Sz<M> as super::arith::Times<Sz<N>>>::Out;
}
#[diagnostic::do_not_recommend]
impl<A: Dim, B: Dim, R: Dim> Product<R> for Prod<A, B> {
    type Out = Prod<Prod<A, B>, R>;
}
