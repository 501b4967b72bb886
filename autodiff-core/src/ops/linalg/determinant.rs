//! `det slogdet logdet`.
//!
//! - `d = det A`: the gradient is the matrix of cofactors `K`, which exists for singular matrices too.
//! - `l = ln |det A|`: the gradient is `A⁻ᵀ`. For a singular matrix the value is −∞ and the gradient NaN.
//!   The sign is piecewise constant: its derivative is 0. `logdet` is NaN where the determinant is
//!   negative, as in PyTorch.

use super::rule::{Ran, Rule, operations};
use super::{LinalgError, square};
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Factorize, Linalg, UnaryOp};
use crate::shape::{Matrices, Square};
use crate::tensor::{Lu, Raw, Tensor};

struct Det;
struct Slogdet;
struct Logdet;

operations! {
    /// The determinant of each matrix.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let a: Tensor![f64; 2, 2] = tensor([[1.0, 2.0], [3.0, 4.0]]);
    /// assert!((a.det().item() + 2.0).abs() < 1e-12);
    /// ```
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    det, pub(crate) try_det, __det_vjp, __det_jvp by Det where [S: Square];
    check square;
    |s| d: S::Batch = s.batch();

    /// The sign of the determinant of each matrix, 0 if it is singular, and the logarithm of the absolute
    /// value: `let (sign, log) = a.slogdet();`.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    slogdet, pub(crate) try_slogdet, __slogdet_vjp, __slogdet_jvp by Slogdet where [S: Square];
    check square;
    |s| sign: S::Batch = s.batch(), log: S::Batch = s.batch();

    /// The logarithm of the determinant of each matrix: −∞ if that is zero, NaN if it is negative.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    logdet, pub(crate) try_logdet, __logdet_vjp, __logdet_jvp by Logdet where [S: Square];
    check square;
    |s| log: S::Batch = s.batch();
}

impl Rule<1> for Det {
    type Saved<T: Factorize, D: Linalg> = ();
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, 1> {
        Ok(([x.determinant()], ()))
    }
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        _: &(),
        x: &Raw<T, D>,
        [ct]: [Option<&Raw<T, D>>; 1],
    ) -> Raw<T, D> {
        let ct = ct.expect("the only cotangent is not zero");
        x.cofactor().times_each(ct)
    }
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(_: &(), x: &Raw<T, D>, t: &Raw<T, D>) -> [Raw<T, D>; 1] {
        [x.cofactor().inner(t.clone())]
    }
}

/// The transposed inverse times one number for each matrix.
#[track_caller]
fn inverse_pull<T: Factorize, D: Linalg>(
    lu: &Lu<T, D>,
    x: &Raw<T, D>,
    ct: &Raw<T, D>,
) -> Raw<T, D> {
    let ones = Raw::identity(x.device(), *x.dims());
    lu.solve(true, &ones.times_each(ct)).0
}

/// The trace of `A⁻¹T`.
#[track_caller]
fn inverse_push<T: Factorize, D: Linalg>(lu: &Lu<T, D>, t: &Raw<T, D>) -> Raw<T, D> {
    lu.inverse().0.flipped().inner(t.clone())
}

impl Rule<2> for Slogdet {
    type Saved<T: Factorize, D: Linalg> = Lu<T, D>;
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, 2> {
        let lu = x.lu();
        let [sign, log] = lu.determinant();
        Ok(([sign, log], lu))
    }
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        lu: &Lu<T, D>,
        x: &Raw<T, D>,
        [_, ct]: [Option<&Raw<T, D>>; 2],
    ) -> Raw<T, D> {
        match ct {
            Some(ct) => inverse_pull(lu, x, ct),
            None => Raw::zeros(x.device(), *x.dims()),
        }
    }
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(
        lu: &Lu<T, D>,
        x: &Raw<T, D>,
        t: &Raw<T, D>,
    ) -> [Raw<T, D>; 2] {
        [Raw::zeros(x.device(), x.batch()), inverse_push(lu, t)]
    }
}

impl Rule<1> for Logdet {
    type Saved<T: Factorize, D: Linalg> = (Lu<T, D>, Raw<T, D>);
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, 1> {
        let lu = x.lu();
        let [sign, log] = lu.determinant();
        // 0, or −∞, or NaN.
        let log = log.plus(sign.unary(UnaryOp::Ln));
        Ok(([log.clone()], (lu, log)))
    }
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        (lu, log): &(Lu<T, D>, Raw<T, D>),
        x: &Raw<T, D>,
        [ct]: [Option<&Raw<T, D>>; 1],
    ) -> Raw<T, D> {
        let ct = ct.expect("the only cotangent is not zero");
        inverse_pull(lu, x, &defined(ct, log))
    }
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(
        (lu, log): &(Lu<T, D>, Raw<T, D>),
        _: &Raw<T, D>,
        t: &Raw<T, D>,
    ) -> [Raw<T, D>; 1] {
        [defined(&inverse_push(lu, t), log)]
    }
}

/// A derivative where the value is one.
#[track_caller]
fn defined<T: Factorize, D: Linalg>(x: &Raw<T, D>, value: &Raw<T, D>) -> Raw<T, D> {
    let mut zero = value.copied();
    zero.add_scaled(-T::ONE, value);
    x.clone().plus(zero)
}
