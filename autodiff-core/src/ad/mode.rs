//! Activity modes: which arguments the caller wants a cotangent for.
//!
//! A mode is a zero-sized value, one for each argument, passed to `__vjp` by the caller. It selects
//! the type of the argument's accumulator: [`On`] gives the real one, [`Off`] gives [`NoGrad`],
//! whose accumulation is a no-op, so that the work for an inactive argument is compiled out.

use super::traits::{Acc, Ct, Differentiable, Leaf};

/// The cotangent of this argument is wanted.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct On;

/// The cotangent of this argument is not wanted.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Off;

/// As [`Off`], of what is constant and lent to be changed by a call that active values are given to: the call may store
/// one of them there only if its parameter is constant too, and it checks that none is.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Unfollowed;

/// The accumulator of an inactive leaf: it takes no room and drops what is added to it.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct NoGrad;

/// The parts of what has no gradient have none.
impl<I> core::ops::Index<I> for NoGrad {
    type Output = NoGrad;
    #[inline(always)]
    fn index(&self, _: I) -> &NoGrad {
        self
    }
}

impl<I> core::ops::IndexMut<I> for NoGrad {
    #[inline(always)]
    fn index_mut(&mut self, _: I) -> &mut NoGrad {
        self
    }
}

/// [`On`] or [`Off`].
pub trait Mode: Copy + Default + Send + Sync + 'static {
    /// Whether cotangents are accumulated.
    const ON: bool;
    /// The accumulator of a leaf (a scalar, a tensor) in this mode.
    type Leaf<T: Leaf>: Acc<T> + Clone;
    /// A zero accumulator for the leaf `value`.
    fn leaf<T: Leaf>(value: &T) -> Self::Leaf<T>;
    /// The accumulator itself, for a rule that adds to a part of it; `None` where nothing is kept.
    fn leaf_mut<T: Leaf>(acc: &mut Self::Leaf<T>) -> Option<&mut T::LeafAdj>;
    /// An accumulator of this mode as one of mode [`On`], if that is the mode.
    fn same<T: Differentiable>(acc: &mut T::Adj<Self>) -> Option<&mut Ct<T>>;
    /// [`same`](Self::same) of the entries of a slice.
    fn same_all<T: Differentiable>(acc: &mut [T::Adj<Self>]) -> Option<&mut [Ct<T>]>;
    /// [`same`](Self::same) of an accumulator that is not needed any more.
    fn into_same<T: Differentiable + ?Sized>(acc: T::Adj<Self>) -> Option<Ct<T>>;
    /// The gradient of a method whose other arguments have this mode: `Own`, by `self` and what is marked `#[wrt]`,
    /// or `All`, by every argument.
    type Gradient<Own, All>;
    /// That gradient.
    fn gradient<Own, All>(own: Own, all: impl FnOnce(Own) -> All) -> Self::Gradient<Own, All>;
    /// An argument of a product with the Hessian: a value of type `V` and its tangent `D`, or the value alone.
    type Along<V, D>;
    /// The value, and the tangent if there is one.
    fn along<V, D>(argument: Self::Along<V, D>) -> (V, Option<D>);
}

/// The mode of an argument that a rule does not differentiate by: its caller may not want it to.
#[diagnostic::on_unimplemented(
    message = "an active value is given to an argument whose derivative is not followed",
    note = "it is marked `#[constant]`, left out by `wrt(..)`, or an option of a tensor operation: give it a literal, a parameter that is `#[constant]` itself, or `stop_gradient(..)`"
)]
pub trait Inactive: Mode {}
impl Inactive for Off {}
impl Inactive for Unfollowed {}

/// The mode of a parameter `&mut T` whose derivative is followed.
#[diagnostic::on_unimplemented(
    message = "an active value may be stored in a constant place, whose derivative is not followed",
    label = "the called function takes a `&mut` that is not `#[constant]`, and an active value beside it",
    note = "mark its parameter `#[constant]` too, remove `#[constant]` here, or wrap the active values in `stop_gradient`"
)]
pub trait Followed: Mode {}
impl Followed for On {}
impl Followed for Off {}

impl Mode for On {
    const ON: bool = true;
    type Leaf<T: Leaf> = T::LeafAdj;
    #[inline(always)]
    fn leaf<T: Leaf>(value: &T) -> T::LeafAdj {
        value.zero_leaf()
    }
    #[inline(always)]
    fn leaf_mut<T: Leaf>(acc: &mut T::LeafAdj) -> Option<&mut T::LeafAdj> {
        Some(acc)
    }
    #[inline(always)]
    fn same<T: Differentiable>(acc: &mut Ct<T>) -> Option<&mut Ct<T>> {
        Some(acc)
    }
    #[inline(always)]
    fn same_all<T: Differentiable>(acc: &mut [Ct<T>]) -> Option<&mut [Ct<T>]> {
        Some(acc)
    }
    #[inline(always)]
    fn into_same<T: Differentiable + ?Sized>(acc: Ct<T>) -> Option<Ct<T>> {
        Some(acc)
    }
    type Gradient<Own, All> = All;
    #[inline(always)]
    fn gradient<Own, All>(own: Own, all: impl FnOnce(Own) -> All) -> All {
        all(own)
    }
    type Along<V, D> = (V, D);
    #[inline(always)]
    fn along<V, D>((value, tangent): (V, D)) -> (V, Option<D>) {
        (value, Some(tangent))
    }
}

macro_rules! off {
    ($($Off:ident)*) => { $(
        impl Mode for $Off {
            const ON: bool = false;
            type Leaf<T: Leaf> = NoGrad;
            #[inline(always)]
            fn leaf<T: Leaf>(_: &T) -> NoGrad {
                NoGrad
            }
            #[inline(always)]
            fn leaf_mut<T: Leaf>(_: &mut NoGrad) -> Option<&mut T::LeafAdj> {
                None
            }
            #[inline(always)]
            fn same<T: Differentiable>(_: &mut T::Adj<$Off>) -> Option<&mut Ct<T>> {
                None
            }
            #[inline(always)]
            fn same_all<T: Differentiable>(_: &mut [T::Adj<$Off>]) -> Option<&mut [Ct<T>]> {
                None
            }
            #[inline(always)]
            fn into_same<T: Differentiable + ?Sized>(_: T::Adj<$Off>) -> Option<Ct<T>> {
                None
            }
            type Gradient<Own, All> = Own;
            #[inline(always)]
            fn gradient<Own, All>(own: Own, _: impl FnOnce(Own) -> All) -> Own {
                own
            }
            type Along<V, D> = V;
            #[inline(always)]
            fn along<V, D>(value: V) -> (V, Option<D>) {
                (value, None)
            }
        }
    )* };
}
off!(Off Unfollowed);

impl<T: Differentiable + ?Sized> Acc<T> for NoGrad {
    const ON: bool = false;
    #[inline(always)]
    fn acc(&mut self, _: Ct<T>) {}
}
