//! From a function to its companions over another scalar.

/// A function with companions over the scalar `S`: they are functions of `Item`.
///
/// Implemented for functions that are generic over their scalar, where it is the companion itself, and for
/// those with `higher_order`.
pub trait Over<S> {
    /// What the companions are functions of.
    type Item;
}

/// Whether a companion is one of a function over any scalar.
///
/// Such companions have a constant of this name themselves, which comes before that of the trait.
pub trait FirstOrder {
    /// It is not.
    const __OVER: bool = false;
    /// What is called where its derivatives are differentiated is found by itself, not by [`OwnScalar`].
    const __OWN: bool = false;
}

impl<T: ?Sized> FirstOrder for T {}

/// Stands for the choice between a companion over another scalar and the error that there is none.
#[derive(Debug)]
pub struct Choice<const OVER: bool>;

/// The companion of the function `G` over the scalar `S`, or the fallback `F` whose use is an error.
pub trait Choose<G, F, S> {
    /// What the companions are functions of.
    type Item;
}

impl<G: Over<S>, F, S> Choose<G, F, S> for Choice<true> {
    type Item = G::Item;
}

impl<G, F, S> Choose<G, F, S> for Choice<false> {
    type Item = F;
}

/// A function that is written in a float, with its companions over this float: those by which its derivatives are
/// differentiated are there once for all scalars.
pub trait OwnScalar {
    /// What the companions are functions of.
    type Item;
}

/// Where the companions of derivatives of the function `G` are.
pub trait Owned<G> {
    /// What they are functions of.
    type Item;
}

impl<G: OwnScalar> Owned<G> for Choice<true> {
    type Item = G::Item;
}

impl<G> Owned<G> for Choice<false> {
    type Item = G;
}

/// A function whose value is a scalar, so that it has a Hessian. Nothing implements it: it stands where
/// the value is none.
#[diagnostic::on_unimplemented(
    message = "the output of `{Self}` is not a scalar: it has no Hessian",
    label = "use `{Self}::jacobian`, or `{Self}::linearize`"
)]
pub trait HasHessian<'z> {}
