//! Products of tangents over any scalar.

use crate::ad::Scalar;

/// The sum of the products of the scalars of two tangents, in their own arithmetic: what
/// [`Tangent::dot`](crate::ad::Tangent::dot) is in `f64`, with the tangents that they have themselves.
#[diagnostic::on_unimplemented(
    message = "the forward rule does not follow from the pullback for arguments with the tangent `{Self}`",
    label = "give it too: `#[derivative(of = f, jvp = f_jvp)]`"
)]
pub trait Paired<S> {
    /// Adds the products to a sum.
    fn paired(&self, other: &Self, sum: S) -> S;
}

impl<S: Scalar> Paired<S> for S {
    #[inline(always)]
    fn paired(&self, other: &S, sum: S) -> S {
        sum + *self * *other
    }
}

impl<S, P: Paired<S>> Paired<S> for [P] {
    #[inline]
    fn paired(&self, other: &[P], sum: S) -> S {
        let pairs = self.iter().zip(other);
        pairs.fold(sum, |sum, (a, b)| a.paired(b, sum))
    }
}

impl<S, P: Paired<S>, const N: usize> Paired<S> for [P; N] {
    #[inline]
    fn paired(&self, other: &[P; N], sum: S) -> S {
        self[..].paired(&other[..], sum)
    }
}

impl<S, P: Paired<S>> Paired<S> for Vec<P> {
    #[inline]
    fn paired(&self, other: &Vec<P>, sum: S) -> S {
        self[..].paired(&other[..], sum)
    }
}

macro_rules! tuples {
    ($(($($P:ident $i:tt),+))*) => { $(
        impl<S, $($P: Paired<S>),+> Paired<S> for ($($P,)+) {
            #[inline]
            fn paired(&self, other: &Self, sum: S) -> S {
                $(let sum = self.$i.paired(&other.$i, sum);)+
                sum
            }
        }
    )* };
}
tuples!((A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3));
