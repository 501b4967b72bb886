//! `trace matrix_power`.
//!
//! - `trace`: the pullback of `c` is `c·I`.
//! - `Y = Aⁿ` by repeated squaring, of the inverse if `n < 0`. The derivative in the direction `T` is the
//!   upper right block of `[[A, T], [0, A]]ⁿ`; the pullback is that of `Aᵀ` in the direction `C`.

use super::error::square;
use super::{LinalgError, found};
use crate::ad::{Acc, Adj, Ct, Inactive, Mode};
use crate::device::{Backend, Factorize, Float, Linalg, ReduceOp};
use crate::ops::OrPanic;
use crate::ops::rule::linear;
use crate::shape::{Matrices, Shape, Square};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

linear! { Float;
    /// The sum of the diagonal of each matrix.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let a: Tensor![f64; 2, 2] = tensor([[1.0, 2.0], [3.0, 4.0]]);
    /// assert_eq!(a.trace().item(), 5.0);
    /// ```
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    trace, __trace_vjp, __trace_jvp [] -> [<S as Matrices>::Batch] where [S: Square];
    shape |s| {
        square(s).or_panic("trace");
        s.batch()
    };
    forward |x, _| {
        let diagonals = x.diagonals();
        diagonals.reduce_axis(ReduceOp::Sum, diagonals.dims().rank() - 1)
    };
    pullback |ct, dims| {
        let (r, n) = (ct.dims().rank(), dims[ct.dims().rank()]);
        let diagonals = ct.unsqueeze(r).expand(ct.dims().insert(r, n));
        Raw::placed(&diagonals, dims, |l| l.diagonal(r, r + 1))
    };
}

/// `Aⁿ`, and the first matrix that has no inverse.
#[track_caller]
fn power<T: Factorize, D: Linalg>(a: &Raw<T, D>, n: i32) -> (Raw<T, D>, Option<usize>) {
    let (mut base, failed) = if n < 0 {
        a.lu().inverse()
    } else {
        (a.clone(), None)
    };
    let mut left = n.unsigned_abs();
    let mut product: Option<Raw<T, D>> = None;
    while left > 0 {
        if left % 2 == 1 {
            product = Some(product.map_or_else(|| base.clone(), |p| p.by(&base)));
        }
        left /= 2;
        if left > 0 {
            base = base.by(&base);
        }
    }
    let one = || Raw::identity(a.device(), *a.dims());
    (product.unwrap_or_else(one), failed)
}

/// The derivative of `Aⁿ` in the direction `t`.
#[track_caller]
fn derivative<T: Factorize, D: Linalg>(a: &Raw<T, D>, t: &Raw<T, D>, n: i32) -> Raw<T, D> {
    let r = a.dims().rank();
    let size = a.sizes()[0];
    let top = Raw::concat(r - 1, &[a, t]);
    let bottom = Raw::concat(r - 1, &[&Raw::zeros(a.device(), *a.dims()), a]);
    let (whole, _) = power(&Raw::concat(r - 2, &[&top, &bottom]), n);
    whole
        .slice(r - 2, 0, size)
        .slice(r - 1, size, size)
        .copied()
}

#[rule]
impl<S: Matrices, T: Factorize, D: Linalg> Tensor<S, T, D> {
    /// The product of `n` factors, each the matrix itself; the identity for 0, of the inverse for negative
    /// `n`.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let a: Tensor![f64; 2, 2] = tensor([[1.0, 1.0], [1.0, 0.0]]);
    /// assert_eq!(a.matrix_power(10), tensor([[89.0, 55.0], [55.0, 34.0]]));
    /// ```
    ///
    /// # Panics
    /// If `n` is negative and a matrix is singular, or run-time dimensions of one name have different
    /// sizes.
    #[derivative(
        mode n: Inactive;
        pull self => derivative(&self.raw().flipped(), ct, n);
        push {
            let tangent = derivative(self.raw(), t.raw(), n);
            Tensor::new(self.shape(), tangent)
        };
    )]
    #[track_caller]
    pub fn matrix_power(&self, n: i32) -> Self
    where
        S: Square,
    {
        let y = square(self.shape()).and_then(|()| {
            found(power(self.raw(), n), |matrix| LinalgError::Singular {
                matrix,
            })
        });
        let y = y.or_panic("matrix_power");
        Tensor::new(self.shape(), y)
    }
}
