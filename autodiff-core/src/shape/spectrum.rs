//! What a Fourier transform makes of an axis of real numbers.

use super::along::Undecided;
use super::arith::HalfPlusOne;
use super::{Dim, Sz};
use core::fmt::Debug;

/// An axis of real numbers whose spectrum has a type: of `N` numbers, `N/2 + 1` frequencies.
#[diagnostic::on_unimplemented(
    message = "the number of frequencies of `{Self}` has no type",
    note = "it has one for static sizes up to 4096 and for run-time dimensions made with `dim!`",
    note = "in a function that is generic over a size, write the where clause, such as `where Sz<N>: Spectral`"
)]
pub trait Spectral: Dim {
    /// The frequencies.
    type Out: Dim;
    /// The frequencies.
    fn spectrum(self) -> Self::Out;
}

#[diagnostic::do_not_recommend]
impl<const N: usize> Spectral for Sz<N>
where
    Sz<N>: HalfPlusOne,
{
    type Out = <Sz<N> as HalfPlusOne>::Out;
    fn spectrum(self) -> Self::Out {
        Self::Out::default()
    }
}

/// The frequencies of an axis whose size is known at run time only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spectrum<A>(pub A);

impl<A: Dim> Dim for Spectrum<A> {
    const STATIC: Option<usize> = None;
    const NAME: &'static str = "frequencies";
    type Names<Tail> = A::Names<Tail>;
    fn size(self) -> usize {
        self.0.size() / 2 + 1
    }
    fn put(self, sizes: &mut Vec<usize>) {
        self.0.put(sizes)
    }
    fn take(sizes: &mut dyn Iterator<Item = usize>) -> Self {
        Spectrum(A::take(sizes))
    }
}
crate::__discrete!([A: Dim] Spectrum<A>);
impl<A: Dim> crate::ad::NoDerivative for Spectrum<A> {}

/// The frequencies of `X`, and the axis of `S` that should hold them, are the same.
pub trait Frequencies<X, S> {}
impl<K: SameFrequencies<L, X, S>, L, X, S> Frequencies<X, S> for (K, L) {}

/// `Self` and `L` are one dimension.
#[diagnostic::on_unimplemented(
    message = "an axis of a `{S}` tensor is not the spectrum of `{X}`: that has the dimension `{Self}`, the axis `{L}`",
    label = "dimensions `{Self}` and `{L}`",
    note = "N real numbers have N/2 + 1 frequencies"
)]
pub trait SameFrequencies<L, X, S> {}
#[diagnostic::do_not_recommend]
impl<K, X, S> SameFrequencies<K, X, S> for K {}
// Holds for no dimension: see `Undecided`. With one impl only, the message above would be lost.
#[diagnostic::do_not_recommend]
impl<K: Dim, X, S> SameFrequencies<Undecided, X, S> for K {}
