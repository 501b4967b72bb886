//! `+ - * /` and the sign, by value, by reference and assigning.
//!
//! With a cotangent `C` of `A B`, the matrix `A` is given `C Bᵀ` and `B` is given `Aᵀ C`.

use super::Real;
use crate::ad::{Acc, Ct, Differentiable, NegRule, Wit, quotient as entry};
use crate::interop::rule::Flat;
use nalgebra::{DMatrix, DVector, SMatrix};

/// What every kind of matrix has.
macro_rules! linear {
    ($([$($g:tt)*] $M:ty;)*) => { $(
        impl<$($g)*> NegRule for $M {
            #[inline]
            fn pull<D: Acc<$M>>(_: &Wit<$M>, ct: &Ct<$M>, d: &mut D) {
                if D::ON {
                    d.acc(<$M>::start(-<$M>::flat(ct.clone())));
                }
            }
            #[inline]
            fn push(_: &$M, _: &$M, t: &$M) -> $M {
                -t
            }
        }
        additive! { AddRule [$($g)*] $M, $M => $M; |ct| ct, ct; |t| t, t }
        additive! { SubRule [$($g)*] $M, $M => $M; |ct| ct, -ct; |t| t, -t }
        quotient! { [$($g)*] $M, T => $M;
            |ct, k, out| ct.map(|c| entry(c, *k)), inner_over(ct.as_slice(), out.as_slice(), *k);
            |t| t.map(|t| entry(t, *k)), (-(out * t)).map(|t| entry(t, *k)) }
        product! { [$($g)*] $M, T => $M; |ct, a, k| ct * *k, ct.dot(a); |a, k| a * *k }
    )* };
}
linear! {
    [T: Real, const R: usize, const C: usize] SMatrix<T, R, C>;
    [T: Real] DVector<T>;
    [T: Real] DMatrix<T>;
}

/// What a divisor is given: `−⟨ct, out⟩ / k`, and zero where the inner product is.
#[inline]
fn inner_over<T: Real>(ct: &[T], out: &[T], k: T) -> T {
    let inner: T = ct.iter().zip(out).map(|(c, o)| *c * *o).sum();
    crate::ad::unless_zero(inner, -inner / k)
}

/// A number on the left: for the types of numbers, as nalgebra has it.
macro_rules! scaled {
    ($($T:ident)*) => { $(
        product! { [const R: usize, const C: usize] $T, SMatrix<$T, R, C> => SMatrix<$T, R, C>;
            |ct, k, a| ct.dot(a), ct * *k; |k, a| *k * a }
        product! { [] $T, DVector<$T> => DVector<$T>; |ct, k, a| ct.dot(a), ct * *k; |k, a| *k * a }
        product! { [] $T, DMatrix<$T> => DMatrix<$T>; |ct, k, a| ct.dot(a), ct * *k; |k, a| *k * a }
    )* };
}
scaled!(f32 f64);

product! { [T: Real, const R: usize, const K: usize, const C: usize]
SMatrix<T, R, K>, SMatrix<T, K, C> => SMatrix<T, R, C>; |ct, a, b| ct * b.transpose(), a.transpose() * ct }
product! { [T: Real] DMatrix<T>, DMatrix<T> => DMatrix<T>; |ct, a, b| ct * b.transpose(), a.transpose() * ct }
product! { [T: Real] DMatrix<T>, DVector<T> => DVector<T>; |ct, a, v| ct * v.transpose(), a.transpose() * ct }
