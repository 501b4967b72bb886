//! Flattening, splitting and merging axes, and reshaping to a stated shape.

use super::arith::{DivExact, Times};
use super::text::Text;
use super::{Axis, Dim, Insert, Last, Shape, StaticDim, Sz};
use core::marker::PhantomData;

/// Everything after the first axis becomes one axis.
#[diagnostic::on_unimplemented(
    message = "cannot flatten a `{Self}` tensor",
    note = "`flatten` joins the static axes after the first one; for run-time axes use `.reshape`"
)]
pub trait Flatten: Shape {
    /// The flat shape.
    type Out: Shape;
    /// The flat shape.
    fn flatten(self) -> Self::Out;
}

impl<A: Dim, B: Dim> Flatten for (A, B) {
    type Out = Self;
    fn flatten(self) -> Self {
        self
    }
}

macro_rules! flatten {
    ($($x:ident)*: $t:ty; $($bound:tt)*) => {
        impl<A: Dim, $($x: Dim),*> Flatten for (A, $($x),*)
        where
            $($bound)*
        {
            type Out = (A, $t);
            fn flatten(self) -> Self::Out {
                (self.0, Default::default())
            }
        }
    };
}
flatten!(B C: B::Out; B: Times<C, Out: StaticDim>);
flatten!(B C D: B::Out; C: Times<D>, B: Times<C::Out>);
flatten!(B C D E: B::Out; D: Times<E>, C: Times<D::Out>, B: Times<C::Out>);
flatten!(B C D E F: B::Out; E: Times<F>, D: Times<E::Out>, C: Times<D::Out>, B: Times<C::Out>);

/// `[.., D] -> [.., H, D/H]`
#[diagnostic::on_unimplemented(
    message = "cannot split the last axis of a `{Self}` tensor into {H} parts"
)]
pub trait SplitLast<const H: usize>: Last {
    /// The split shape.
    type Out: Shape;
    /// The split shape.
    fn split_last(self) -> Self::Out;
}

type Init<S> = <S as Last>::Init;
type Push<S, X> = <S as Insert<-1>>::Out<X>;

impl<S: Last, const H: usize> SplitLast<H> for S
where
    S::Dim: DivExact<Sz<H>>,
    S::Init: Insert<-1>,
    Push<Init<S>, Sz<H>>: Insert<-1>,
{
    type Out = Push<Push<Init<S>, Sz<H>>, <S::Dim as DivExact<Sz<H>>>::Out>;
    fn split_last(self) -> Self::Out {
        self.init().insert(Sz::<H>).insert(Default::default())
    }
}

/// `[.., X, Y] -> [.., X*Y]`
#[diagnostic::on_unimplemented(message = "cannot merge the last two axes of a `{Self}` tensor")]
pub trait MergeLast: Last {
    /// The merged shape.
    type Out: Shape;
    /// The merged shape.
    fn merge_last(self) -> Self::Out;
}

impl<S: Last> MergeLast for S
where
    S::Init: Last + Axis<-1>,
    <S::Init as Last>::Dim: Times<S::Dim>,
{
    type Out = <S::Init as Axis<-1>>::With<<<S::Init as Last>::Dim as Times<S::Dim>>::Out>;
    fn merge_last(self) -> Self::Out {
        self.init().with(Default::default())
    }
}

/// Named run-time dimensions are the same on both sides of a reshape.
#[diagnostic::on_unimplemented(
    message = "cannot reshape `{S}` into `{R}`: the named run-time dimensions differ",
    label = "the same names must appear in the same order"
)]
pub trait SameNames<X, S, R> {}
impl<X, S, R> SameNames<X, S, R> for X {}

/// The element counts of a reshape, compared when the program is built.
#[derive(Clone, Copy, Debug)]
pub struct Reshape<S, R>(PhantomData<(S, R)>);

impl<S: Shape, R: Shape> Reshape<S, R> {
    const FROM: usize = S::FACTOR;
    const TO: usize = R::FACTOR;
    const MESSAGE: Text = Text::new()
        .str("cannot reshape ")
        .shape(S::STATIC, S::NAMES)
        .str(" (")
        .num(Self::FROM)
        .str(" elements) into ")
        .shape(R::STATIC, R::NAMES)
        .str(" (")
        .num(Self::TO)
        .str(" elements)");
    /// Fails to evaluate if the counts differ.
    pub const OK: () = if Self::FROM != Self::TO {
        panic!("{}", Self::MESSAGE.as_str())
    };
}

/// The axes of a tensor and their new names, compared when the program is built.
#[derive(Clone, Copy, Debug)]
pub struct Renamed<S, R>(PhantomData<(S, R)>);

impl<S: Shape, R: Shape> Renamed<S, R> {
    const MESSAGE: Text = Text::new()
        .str("cannot rename ")
        .shape(S::STATIC, S::NAMES)
        .str(" to ")
        .shape(R::STATIC, R::NAMES)
        .str(": the ranks or sizes differ");
    /// Fails to evaluate if the ranks or two static sizes differ.
    pub const OK: () = if !agree(S::STATIC, R::STATIC) {
        panic!("{}", Self::MESSAGE.as_str())
    };
}

const fn agree(from: &[Option<usize>], to: &[Option<usize>]) -> bool {
    let mut i = 0;
    while i < from.len() && i < to.len() {
        if let (Some(a), Some(b)) = (from[i], to[i])
            && a != b
        {
            return false;
        }
        i += 1;
    }
    from.len() == to.len()
}
