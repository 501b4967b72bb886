//! Products of tangents over any scalar.

use crate::ad::Scalar;

/// The sum of the products of the scalars of two tangents, in their own arithmetic: what
/// [`Tangent::dot`](crate::ad::Tangent::dot) is in `f64`, with the tangents that they have themselves.
#[diagnostic::on_unimplemented(
    message = "the forward rule does not follow from the pullback for arguments with the tangent `{Self}`",
    label = "give it too: `#[derivative(of = f, jvp = f_jvp)]`"
)]
pub trait Pairing<S> {
    /// Adds the products to a sum.
    fn pairing(&self, other: &Self, sum: S) -> S;
}

impl<S: Scalar> Pairing<S> for S {
    #[inline(always)]
    fn pairing(&self, other: &S, sum: S) -> S {
        sum + *self * *other
    }
}

impl<S, P: Pairing<S>> Pairing<S> for [P] {
    #[inline]
    fn pairing(&self, other: &[P], sum: S) -> S {
        assert_eq!(
            self.len(),
            other.len(),
            "the pullback of a rule gave a gradient of another length than its argument"
        );
        let pairs = self.iter().zip(other);
        pairs.fold(sum, |sum, (a, b)| a.pairing(b, sum))
    }
}

impl<S, P: Pairing<S>, const N: usize> Pairing<S> for [P; N] {
    #[inline]
    fn pairing(&self, other: &[P; N], sum: S) -> S {
        self[..].pairing(&other[..], sum)
    }
}

impl<S, P: Pairing<S>> Pairing<S> for Vec<P> {
    #[inline]
    fn pairing(&self, other: &Vec<P>, sum: S) -> S {
        self[..].pairing(&other[..], sum)
    }
}

macro_rules! tuples {
    ($(($($P:ident $i:tt),+))*) => { $(
        impl<S, $($P: Pairing<S>),+> Pairing<S> for ($($P,)+) {
            #[inline]
            fn pairing(&self, other: &Self, sum: S) -> S {
                $(let sum = self.$i.pairing(&other.$i, sum);)+
                sum
            }
        }
    )* };
}
tuples!((A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3));
