//! Functions that code over any scalar calls where no derivative is asked: their value decides, or is held constant.
//!
//! Such a call stands there as the user wrote it, `far(x)`, and `x` has become a scalar. A function that takes the
//! scalar is called as it is; one of `f64` gets the numbers, and its value becomes scalars without tangents. What the
//! function takes decides, by method lookup (inherent methods come before those of traits):
//!
//! ```text
//! match (&far, (x, 3)) {
//!     (f, a) => match Call::<f64, _, _>::of(f, &a).way() {
//!         way => Way::<ToScalars<S>>::new().exchange(f(way.exchange(a.0).hold().give(), a.1)).hold().read(),
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
//!     Way::<ToScalars<S>>::new().exchange(bisect(|t| t * t - x, 0.0, 1.0)).hold().read()
//! }
//! ```

use super::recast::{Recast, ToFloats, ToScalars};
use core::marker::PhantomData;
use core::ops::Deref;

/// A function, the arguments that it is called with, and the float `N` of functions that do not take them.
#[derive(Debug)]
pub struct Call<N, F, A>(PhantomData<(N, F, A)>);

impl<N, F, A> Call<N, F, A> {
    /// That of `f` with these arguments.
    #[inline(always)]
    pub fn of(_: &F, _: &A) -> Self {
        Call(PhantomData)
    }
}

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

impl<N, F: Takes<A>, A> Call<N, F, A> {
    /// The function takes them.
    #[inline(always)]
    pub fn way(self) -> Way<AsTheyAre> {
        Way::new()
    }
}

/// The method of [`Call`] for a function that takes other types.
pub trait CallOfFloats<N> {
    /// The function does not take them.
    #[inline(always)]
    fn way(&self) -> Way<ToFloats<N>> {
        Way::new()
    }
}

impl<N, F, A> CallOfFloats<N> for Call<N, F, A> {}

/// What becomes of values: [`AsTheyAre`], [`ToFloats`] or [`ToScalars`].
#[derive(Debug)]
pub struct Way<To>(PhantomData<To>);

/// Values stay as they are.
#[derive(Debug)]
pub struct AsTheyAre;

impl<To> Way<To> {
    /// This one.
    #[inline(always)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Way(PhantomData)
    }

    /// A value that goes this way.
    #[inline(always)]
    pub fn exchange<X>(&self, x: X) -> Exchanged<To, X> {
        Exchanged(Some(x), PhantomData)
    }
}

/// A value that goes a way. It is taken out once, by value or by reference.
#[derive(Debug)]
pub struct Exchanged<To, X>(Option<X>, PhantomData<To>);

impl<To, X> Exchanged<To, X> {
    #[inline(always)]
    fn take(&mut self) -> X {
        self.0.take().expect("it is taken once")
    }
}

/// A value to give.
#[derive(Debug)]
pub struct Owned<X>(X);

/// A value to lend: what stands for a part that was lent.
#[derive(Debug)]
pub struct Lent<X>(X);

impl<X> Owned<X> {
    /// This one.
    #[inline(always)]
    pub fn new(x: X) -> Self {
        Owned(x)
    }

    /// As an argument.
    #[inline(always)]
    pub fn give(self) -> X {
        self.0
    }

    /// As a value.
    #[inline(always)]
    pub fn read(self) -> X {
        self.0
    }
}

impl<X> Lent<X> {
    /// This one.
    #[inline(always)]
    pub fn new(x: X) -> Self {
        Lent(x)
    }

    /// As an argument.
    #[inline(always)]
    pub fn give(&self) -> &X {
        &self.0
    }

    /// As a value, which is read where it was lent.
    #[inline(always)]
    pub fn read(self) -> Self {
        self
    }
}

impl<X> Deref for Lent<X> {
    type Target = X;
    #[inline(always)]
    fn deref(&self) -> &X {
        &self.0
    }
}

impl<X> Exchanged<AsTheyAre, X> {
    /// The value itself.
    #[inline(always)]
    pub fn hold(mut self) -> Owned<X> {
        Owned(self.take())
    }
}

macro_rules! lent {
    ($($To:ident)*) => { $(
        impl<N, X: Recast<$To<N>> + ?Sized> Exchanged<$To<N>, &X> {
            /// Other numbers in the place of those that are lent.
            #[inline(always)]
            pub fn hold(mut self) -> Lent<X::Out> {
                Lent(self.take().recast())
            }
        }
    )* };
}
lent!(ToFloats ToScalars);

/// The method of [`Exchanged`] for values with numbers.
pub trait HoldNumbers {
    /// The value.
    type Out;
    /// Other numbers in the place of its own.
    fn hold(self) -> Owned<Self::Out>;
}

impl<To, X: Recast<To>> HoldNumbers for Exchanged<To, X> {
    type Out = X::Out;
    #[inline(always)]
    fn hold(mut self) -> Owned<X::Out> {
        Owned(self.take().recast())
    }
}

/// The method of [`Exchanged`] for all else.
pub trait HoldOthers {
    /// The value.
    type Out;
    /// The value itself.
    fn hold(self) -> Owned<Self::Out>;
}

impl<To, X> HoldOthers for &mut Exchanged<To, X> {
    type Out = X;
    #[inline(always)]
    fn hold(self) -> Owned<X> {
        Owned(self.take())
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
