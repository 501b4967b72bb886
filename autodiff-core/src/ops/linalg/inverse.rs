//! `inv matrix_exp`.
//!
//! - `Y = A⁻¹`: the pullback of `C` is `−Yᵀ C Yᵀ`, the pushforward of `T` is `−Y T Y`.
//! - `Y = exp A`: with `L(A, T)` the derivative at `A` in the direction `T`, the pullback of `C` is
//!   `L(Aᵀ, C)`.

use super::rule::{Ran, Rule, operations};
use super::{LinalgError, found, square};
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Factorize, Linalg};
use crate::shape::{Matrices, Square};
use crate::tensor::{Raw, Tensor};

struct Inv;
struct Exp;

operations! {
    /// The inverse of each matrix. To solve a system, [`solve`](Tensor::solve) is faster and more accurate.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let a: Tensor![f64; 2, 2] = tensor([[2.0, 0.0], [1.0, 4.0]]);
    /// let expected = tensor([[0.5, 0.0], [-0.125, 0.25]]);
    /// assert!((a.inv() - expected).norm().item() < 1e-15);
    /// ```
    ///
    /// # Panics
    /// If a matrix is singular, or run-time dimensions of one name have different sizes.
    inv, pub try_inv, __inv_vjp, __inv_jvp by Inv where [S: Square];
    check square;
    |s| y: S = s;

    /// The exponential `Σ Aᵏ/k!` of each matrix.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let a: Tensor![f64; 2, 2] = tensor([[0.0, 1.0], [0.0, 0.0]]);
    /// let expected = tensor([[1.0, 1.0], [0.0, 1.0]]);
    /// assert!((a.matrix_exp() - expected).norm().item() < 1e-15);
    /// ```
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    matrix_exp, pub(crate) try_matrix_exp, __matrix_exp_vjp, __matrix_exp_jvp by Exp where [S: Square];
    check square;
    |s| y: S = s;
}

impl Rule<1> for Inv {
    type Saved<T: Factorize, D: Linalg> = Raw<T, D>;
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, 1> {
        let error = |matrix| LinalgError::Singular { matrix };
        found(x.lu().inverse(), error).map(|y| ([y.clone()], y))
    }
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        y: &Raw<T, D>,
        _: &Raw<T, D>,
        [ct]: [Option<&Raw<T, D>>; 1],
    ) -> Raw<T, D> {
        let ct = ct.expect("the only cotangent is not zero");
        y.flipped().by(ct).by(&y.flipped()).negated()
    }
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(
        y: &Raw<T, D>,
        _: &Raw<T, D>,
        t: &Raw<T, D>,
    ) -> [Raw<T, D>; 1] {
        [y.by(t).by(y).negated()]
    }
}

impl Rule<1> for Exp {
    type Saved<T: Factorize, D: Linalg> = ();
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, 1> {
        Ok(([x.matrix_exp()], ()))
    }
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        _: &(),
        x: &Raw<T, D>,
        [ct]: [Option<&Raw<T, D>>; 1],
    ) -> Raw<T, D> {
        let ct = ct.expect("the only cotangent is not zero");
        x.flipped().matrix_exp_derivative(ct)
    }
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(_: &(), x: &Raw<T, D>, t: &Raw<T, D>) -> [Raw<T, D>; 1] {
        [x.matrix_exp_derivative(t)]
    }
}
