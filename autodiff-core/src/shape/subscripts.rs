//! The subscripts of `einsum!` as types.
//!
//! The macro numbers the axes: `"ij,jk->ik"` is [`Einsum`] with the output `(Of<0, 0>, Of<1, 1>)` (axis 0
//! of operand 0, axis 1 of operand 1) and the conditions `(Rank<0, 2>, (Rank<1, 2>, (Letter<'j', Of<0, 1>,
//! Of<1, 0>>, ())))`. Shapes of operands are a tuple of shapes.

use super::{Axis, Dim, Shape};
use core::marker::PhantomData;

/// Axis `I` of operand `K`.
#[derive(Clone, Copy, Debug)]
pub struct Of<const K: usize, const I: isize>;

/// The letter `L` stands at the two axes `X` and `Y`.
#[derive(Clone, Copy, Debug)]
pub struct Letter<const L: char, X, Y>(PhantomData<(X, Y)>);

/// Operand `K` has `N` letters.
#[derive(Clone, Copy, Debug)]
pub struct Rank<const K: usize, const N: usize>;

/// Subscripts: the letters of up to three operands and of the output, as the bytes of a number, first
/// letter lowest; the axes that make the output; the conditions.
#[derive(Clone, Copy, Debug)]
pub struct Einsum<const A: u64, const B: u64, const C: u64, const O: u64, P, L>(
    PhantomData<(P, L)>,
);

/// A list of operands that has the axis `Self`.
pub trait Pick<Shapes> {
    /// The dimension there.
    type Dim: Dim;
    /// The dimension there.
    fn pick(shapes: &Shapes) -> Self::Dim;
}

/// The shape of an operand, by its number.
pub trait Operand<const K: usize> {
    /// The shape.
    type Shape: Shape;
}

macro_rules! operands {
    ($($k:tt $s:ident: ($($all:ident),*);)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($all: Shape,)* const I: isize> Pick<($($all,)*)> for Of<$k, I>
        where
            $s: Axis<I>,
        {
            type Dim = <$s as Axis<I>>::Dim;
            fn pick(shapes: &($($all,)*)) -> Self::Dim {
                Axis::<I>::axis(shapes.$k)
            }
        }
        impl<$($all: Shape),*> Operand<$k> for ($($all,)*) {
            type Shape = $s;
        }
    )* };
}
operands! {
    0 X: (X);
    0 X: (X, Y);
    1 Y: (X, Y);
    0 X: (X, Y, Z);
    1 Y: (X, Y, Z);
    2 Z: (X, Y, Z);
}

/// A list of axes that makes a shape.
pub trait Picks<Shapes> {
    /// The shape.
    type Out: Shape;
    /// The shape.
    fn shape(shapes: &Shapes) -> Self::Out;
}

macro_rules! picks {
    ($($p:ident)*) => {
        impl<Shapes, $($p: Pick<Shapes>),*> Picks<Shapes> for ($($p,)*) {
            type Out = ($($p::Dim,)*);
            #[allow(clippy::unused_unit, unused_variables)]
            fn shape(shapes: &Shapes) -> Self::Out {
                ($($p::pick(shapes),)*)
            }
        }
    };
}
picks!();
picks!(A);
picks!(A B);
picks!(A B C);
picks!(A B C D);
picks!(A B C D E);
picks!(A B C D E F);

/// Subscripts for operands of the given shapes.
pub trait Subscripts<Shapes> {
    /// The shape of the result.
    type Out: Shape;
    /// What must hold for the shapes: [`Letters`].
    type Letters;
    /// The letters of each operand, and those of the output.
    const WORDS: [u64; 4];
    /// The shape of the result.
    fn shape(shapes: &Shapes) -> Self::Out;
}

impl<Shapes, const A: u64, const B: u64, const C: u64, const O: u64, P: Picks<Shapes>, L>
    Subscripts<Shapes> for Einsum<A, B, C, O, P, L>
{
    type Out = P::Out;
    type Letters = L;
    const WORDS: [u64; 4] = [A, B, C, O];
    fn shape(shapes: &Shapes) -> P::Out {
        P::shape(shapes)
    }
}

/// Conditions on the shapes of the operands.
pub trait Letters<Shapes> {}
impl<Shapes> Letters<Shapes> for () {}

impl<Shapes, const L: char, X, Y, Rest> Letters<Shapes> for (Letter<L, X, Y>, Rest)
where
    X: Pick<Shapes>,
    Y: Pick<Shapes>,
    (X::Dim, Y::Dim): SameLetter<L>,
    Rest: Letters<Shapes>,
{
}

impl<Shapes, const K: usize, const N: usize, Rest> Letters<Shapes> for (Rank<K, N>, Rest)
where
    Shapes: Operand<K>,
    Shapes::Shape: Lettered<N>,
    Rest: Letters<Shapes>,
{
}

/// The two dimensions of the letter `L` are one.
pub trait SameLetter<const L: char> {}
impl<const L: char, X: LetterDim<L, Y>, Y> SameLetter<L> for (X, Y) {}

/// `Self` and `Y` are one dimension.
#[diagnostic::on_unimplemented(
    message = "einsum: the letter {L} stands for the dimensions `{Self}` and `{Y}`",
    label = "{L} is `{Self}` and `{Y}`",
    note = "a letter stands for one dimension wherever it is written"
)]
pub trait LetterDim<const L: char, Y> {}
#[diagnostic::do_not_recommend]
impl<const L: char, X> LetterDim<L, X> for X {}
// Holds for no dimension. With one impl only, rustc would infer `Y` from it and report a type mismatch
// instead of the message above.
#[diagnostic::do_not_recommend]
impl<const L: char, X: Dim> LetterDim<L, super::along::Undecided> for X {}

/// A shape with as many axes as the subscripts have letters.
#[diagnostic::on_unimplemented(
    message = "einsum: a `{Self}` tensor has one letter for each axis, not {N}",
    label = "letters: {N}, shape: `{Self}`"
)]
pub trait Lettered<const N: usize> {}

macro_rules! lettered {
    ($($n:literal ($($d:ident),*);)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($d: Dim),*> Lettered<$n> for ($($d,)*) {}
    )* };
}
lettered! {
    0 ();
    1 (A);
    2 (A, B);
    3 (A, B, C);
    4 (A, B, C, D);
    5 (A, B, C, D, E);
    6 (A, B, C, D, E, F);
}
