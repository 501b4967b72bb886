//! Functions that code over any scalar calls where no derivative is asked: their value decides, or is held constant.
//!
//! Such a call stands there as the user wrote it, `far(x)`, and `x` has become a scalar. A function that takes the
//! scalar is called as it is; one of `f64` gets the numbers, and its value becomes scalars without tangents. What the
//! function takes decides, by method lookup (inherent methods come before those of traits):
//!
//! ```text
//! match (&far, (x, 3)) {
//!     (f, a) => match Call::of(f, &a).way() {
//!         way => Value(f(Argument(way, a.0).hold().give(), a.1)).over(),
//!     },
//! }
//! ```

use super::recast::{Recast, ToFloats, ToScalars};
use core::marker::PhantomData;

/// A function and the arguments that it is called with.
#[derive(Debug)]
pub struct Call<F, A>(PhantomData<(F, A)>);

impl<F, A> Call<F, A> {
    /// That of `f` with these arguments.
    #[inline(always)]
    pub fn of(_: &F, _: &A) -> Self {
        Call(PhantomData)
    }
}

/// The arguments go in as they are.
#[derive(Clone, Copy, Debug)]
pub struct AsTheyAre;

/// The arguments go in as numbers.
#[derive(Clone, Copy, Debug)]
pub struct AsNumbers;

/// A function that can be called with these arguments.
pub trait Takes<A> {}

macro_rules! calls {
    ($($A:ident)*) => {
        impl<F, R, $($A),*> Takes<($($A,)*)> for F where F: FnOnce($($A),*) -> R {}
    };
}
calls!(A);
calls!(A B);
calls!(A B C);
calls!(A B C D);
calls!(A B C D E);
calls!(A B C D E G);
calls!(A B C D E G H);
calls!(A B C D E G H I);

impl<F: Takes<A>, A> Call<F, A> {
    /// The function takes them.
    #[inline(always)]
    pub fn way(self) -> AsTheyAre {
        AsTheyAre
    }
}

/// The method of [`Call`] for a function that takes other types.
pub trait CallOfFloats {
    /// The function does not take them.
    #[inline(always)]
    fn way(&self) -> AsNumbers {
        AsNumbers
    }
}

impl<F, A> CallOfFloats for Call<F, A> {}

/// An argument that goes in the way `W`, for a function of the float `F`.
#[derive(Debug)]
pub struct Argument<W, F, X>(Option<X>, PhantomData<(W, F)>);

impl<W, F, X> Argument<W, F, X> {
    /// This one.
    #[inline(always)]
    pub fn new(_: W, x: X) -> Self {
        Argument(Some(x), PhantomData)
    }

    #[inline(always)]
    fn value(&mut self) -> X {
        self.0.take().expect("it is given once")
    }
}

/// A value to give.
#[derive(Debug)]
pub struct Owned<X>(X);

/// A value to lend.
#[derive(Debug)]
pub struct Lent<X>(X);

impl<X> Owned<X> {
    /// The argument.
    #[inline(always)]
    pub fn give(self) -> X {
        self.0
    }
}

impl<X> Lent<X> {
    /// The argument.
    #[inline(always)]
    pub fn give(&self) -> &X {
        &self.0
    }
}

impl<F, X> Argument<AsTheyAre, F, X> {
    /// The argument itself.
    #[inline(always)]
    pub fn hold(mut self) -> Owned<X> {
        Owned(self.value())
    }
}

impl<F, X: Recast<ToFloats<F>> + ?Sized> Argument<AsNumbers, F, &X> {
    /// Numbers in the place of scalars that are lent.
    #[inline(always)]
    pub fn hold(mut self) -> Lent<X::Out> {
        Lent(self.value().recast())
    }
}

/// The method of [`Argument`] for values.
pub trait HoldNumbers<F> {
    /// The value.
    type Out;
    /// Numbers in the place of scalars.
    fn hold(self) -> Owned<Self::Out>;
}

impl<F, X: Recast<ToFloats<F>>> HoldNumbers<F> for Argument<AsNumbers, F, X> {
    type Out = X::Out;
    #[inline(always)]
    fn hold(mut self) -> Owned<X::Out> {
        Owned(self.value().recast())
    }
}

/// The method of [`Argument`] for what has no scalars.
pub trait HoldOthers {
    /// The value.
    type Out;
    /// The value itself.
    fn hold(self) -> Owned<Self::Out>;
}

impl<F, X> HoldOthers for &mut Argument<AsNumbers, F, X> {
    type Out = X;
    #[inline(always)]
    fn hold(self) -> Owned<X> {
        Owned(self.value())
    }
}

/// The value of a call, in code over the scalar `S`.
#[derive(Debug)]
pub struct Value<S, X>(pub X, pub PhantomData<S>);

impl<S, X> Value<S, X> {
    /// This one.
    #[inline(always)]
    pub fn new(x: X) -> Self {
        Value(x, PhantomData)
    }
}

impl<S, X: Recast<ToScalars<S>>> Value<S, X> {
    /// Scalars in the place of floats.
    #[inline(always)]
    pub fn over(self) -> X::Out {
        self.0.recast()
    }
}

/// The method of [`Value`] for what is over the scalar, or has no numbers.
pub trait ValueItself<X> {
    /// The value itself.
    fn over(self) -> X;
}

impl<S, X> ValueItself<X> for Value<S, X> {
    #[inline(always)]
    fn over(self) -> X {
        self.0
    }
}
