//! `tensordot`: sums over several axes of two tensors at once.
//!
//! With the axes summed over as one, it is a matrix product `C = A·B`, and so are its pullbacks, `c·Bᵀ` and
//! `Aᵀ·c`. For axes that do not stand at the ends there is [`einsum!`](crate::einsum).

use crate::device::{Backend, Dims, Float};
use crate::ops::OrPanic;
use crate::ops::product::matmul::add_product;
use crate::shape::{Contract, Contracted, Shape, ShapeError};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

/// As a matrix whose columns are the last `n` axes.
#[track_caller]
fn rows<T: Float, D: Backend>(x: &Raw<T, D>, n: usize) -> Raw<T, D> {
    let (first, last) = x.dims().split_at(x.dims().rank() - n);
    x.reshape([first.iter().product(), last.iter().product()])
}

/// The two matrices.
#[track_caller]
fn matrices<T: Float, D: Backend>(a: &Raw<T, D>, b: &Raw<T, D>, n: usize) -> [Raw<T, D>; 2] {
    [rows(a, n), rows(b, b.dims().rank() - n)]
}

#[track_caller]
fn product<T: Float, D: Backend>(a: &Raw<T, D>, b: &Raw<T, D>, n: usize, out: Dims) -> Raw<T, D> {
    let [a, b] = matrices(a, b, n);
    Raw::matmul(&a, &b).into_reshaped(out)
}

/// The run-time sizes of the dimensions that the types have found equal.
#[track_caller]
fn check<S: Shape, R: Shape>(a: S, b: R, n: usize) -> Result<(), ShapeError> {
    let (l, r) = (a.dims(), b.dims());
    let first = l.rank() - n;
    match (0..n).find(|&j| l[first + j] != r[j]) {
        None => Ok(()),
        Some(j) => Err(ShapeError::Dimension {
            left: S::NAMES[first + j],
            left_size: l[first + j],
            right: R::NAMES[j],
            right_size: r[j],
        }),
    }
}

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// The sum of products over the last `N` axes of `self` and the first `N` of `other`, which are the
    /// same: `[A, K, L]` and `[K, L, B]` give `[A, B]`.
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// let x: Tensor![5, 2, 3] = Tensor::iota();
    /// let w: Tensor![2, 3, 7] = Tensor::ones();
    /// let y: Tensor![5, 7] = x.tensordot::<2, _>(&w);
    /// assert_eq!(y[[0, 0]], 15.0);
    /// ```
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[derivative(
        active other;
        pull |ct, a, b, d_a, d_b| {
            let Some(ct) = ct.raw() else { return };
            let [left, right] = matrices(a.raw(), b.raw(), N);
            let ct = ct.reshape([left.dims()[0], right.dims()[1]]);
            if M0::ON {
                add_product::<M0, _, _, _>(d_a, a, &ct, &right.transpose(0, 1), left.dims());
            }
            if M1::ON {
                add_product::<M1, _, _, _>(d_b, b, &left.transpose(0, 1), &ct, right.dims());
            }
        };
        push {
            let mut tangent = t.tensordot::<N, R>(other);
            let second = self.tensordot::<N, R>(t_other);
            tangent.raw_mut().add_assign(second.raw());
            tangent
        };
    )]
    #[track_caller]
    pub fn tensordot<const N: usize, R: Shape>(
        &self,
        other: &Tensor<R, T, D>,
    ) -> Tensor<<S as Contract<N, R>>::Out, T, D>
    where
        S: Contract<N, R>,
        <S as Contract<N, R>>::Pairs: Contracted<S, R>,
    {
        check(self.shape(), other.shape(), N).or_panic("tensordot");
        let shape = self.shape().contract(other.shape());
        let out = product(self.raw(), other.raw(), N, shape.dims());
        Tensor::new(shape, out)
    }
}
