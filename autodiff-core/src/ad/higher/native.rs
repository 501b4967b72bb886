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
//!
//! A closure knows its types from the function that it is given to, and stays as the user wrote it. So does the whole
//! call then, and the variables that it names are numbers in it:
//!
//! ```text
//! {
//!     let x = Named::new(&x).hold();
//!     let x = x.give();
//!     Value(bisect(|t| t * t - x, 0.0, 1.0)).over()
//! }
//! ```

use super::recast::{Recast, ToFloats, ToScalars};
use core::marker::PhantomData;
use core::ops::Deref;

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

/// What is taken out once, by value or by reference.
#[derive(Debug)]
struct Once<X>(Option<X>);

impl<X> Once<X> {
    #[inline(always)]
    fn take(&mut self) -> X {
        self.0.take().expect("it is taken once")
    }
}

/// An argument that goes in the way `W`, for a function of the float `F`.
#[derive(Debug)]
pub struct Argument<W, F, X> {
    value: Once<X>,
    of: PhantomData<(W, F)>,
}

impl<W, F, X> Argument<W, F, X> {
    /// This one.
    #[inline(always)]
    pub fn new(_: W, x: X) -> Self {
        Argument {
            value: Once(Some(x)),
            of: PhantomData,
        }
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
        Owned(self.value.take())
    }
}

impl<F, X: Recast<ToFloats<F>> + ?Sized> Argument<AsNumbers, F, &X> {
    /// Numbers in the place of scalars that are lent.
    #[inline(always)]
    pub fn hold(mut self) -> Lent<X::Out> {
        Lent(self.value.take().recast())
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
        Owned(self.value.take().recast())
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
        Owned(self.value.take())
    }
}

/// The value of a call, in code over the scalar `S`.
#[derive(Debug)]
pub struct Value<S, X> {
    value: Once<X>,
    of: PhantomData<S>,
}

impl<S, X> Value<S, X> {
    /// This one.
    #[inline(always)]
    pub fn new(x: X) -> Self {
        Value {
            value: Once(Some(x)),
            of: PhantomData,
        }
    }
}

/// A value of which a function lent a part: what stands for it is read in its place.
#[derive(Debug)]
pub struct Read<X>(X);

impl<X> Deref for Read<X> {
    type Target = X;
    #[inline(always)]
    fn deref(&self) -> &X {
        &self.0
    }
}

impl<S, X: Recast<ToScalars<S>> + ?Sized> Value<S, &X> {
    /// Scalars in the place of floats.
    #[inline(always)]
    pub fn over(mut self) -> Read<X::Out> {
        Read(self.value.take().recast())
    }
}

/// The method of [`Value`] for floats, and for what is made of them.
pub trait ValueOver<S> {
    /// The value.
    type Out;
    /// Scalars in the place of floats.
    fn over(self) -> Self::Out;
}

impl<S, X: Recast<ToScalars<S>>> ValueOver<S> for Value<S, X> {
    type Out = X::Out;
    #[inline(always)]
    fn over(mut self) -> X::Out {
        self.value.take().recast()
    }
}

/// The method of [`Value`] for what is over the scalar, or has no numbers.
pub trait ValueItself {
    /// The value.
    type Out;
    /// The value itself.
    fn over(self) -> Self::Out;
}

impl<S, X> ValueItself for &mut Value<S, X> {
    type Out = X;
    #[inline(always)]
    fn over(self) -> X {
        self.value.take()
    }
}

/// A variable that a call names, which takes numbers of the float `F`.
#[derive(Debug)]
pub struct Named<'a, F, X>(&'a X, PhantomData<F>);

impl<'a, F, X> Named<'a, F, X> {
    /// This one.
    #[inline(always)]
    pub fn new(x: &'a X) -> Self {
        Named(x, PhantomData)
    }
}

impl<F, X: Recast<ToFloats<F>> + ?Sized> Named<'_, F, &X> {
    /// Numbers in the place of scalars that are lent.
    #[inline(always)]
    pub fn hold(self) -> Lent<X::Out> {
        Lent(self.0.recast())
    }
}

/// The method of [`Named`] for values.
pub trait NamedNumbers<F> {
    /// The value.
    type Out;
    /// Numbers in the place of scalars.
    fn hold(self) -> Owned<Self::Out>;
}

impl<F, X: Recast<ToFloats<F>>> NamedNumbers<F> for Named<'_, F, X> {
    type Out = X::Out;
    #[inline(always)]
    fn hold(self) -> Owned<X::Out> {
        Owned(self.0.recast())
    }
}

/// The method of [`Named`] for what has no scalars.
pub trait NamedOthers<'a> {
    /// The value.
    type Out;
    /// The value, lent.
    fn hold(self) -> Owned<&'a Self::Out>;
}

impl<'a, F, X> NamedOthers<'a> for &mut Named<'a, F, X> {
    type Out = X;
    #[inline(always)]
    fn hold(self) -> Owned<&'a X> {
        Owned(self.0)
    }
}
