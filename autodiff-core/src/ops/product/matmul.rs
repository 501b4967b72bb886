//! Matrix products: matrix by matrix, vector by matrix, matrix by vector, vector by vector (the inner
//! product), batches of matrices. A batch may lack leading axes of the other.
//!
//! With `C = A·B`: the pullback of `c` is `c·Bᵀ` for `A` and `Aᵀ·c` for `B`; a batch of matrices
//! by one matrix sums the latter over the batch, which is one product of the flattened batch. Where the
//! other operand was repeated for a batch, its cotangents are summed. A cotangent that is there already is
//! the output that the product is added to: weights used at each step of a loop take no temporaries.

use crate::ad::{Adj, Mode};
use crate::device::{Backend, Dims, Float};
use crate::ops::OrPanic;
use crate::shape::{MatMul, SameBatch, SameInner, Shape, ShapeError};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

/// The two operands with rank 2 or more, and equal rank; vectors as a row and a column.
struct Operands<T: Float, D: Backend> {
    left: Raw<T, D>,
    right: Raw<T, D>,
}

/// Merges all axes but the last into one.
#[track_caller]
pub(in crate::ops) fn rows<T: Float, D: Backend>(x: &Raw<T, D>) -> Raw<T, D> {
    let dims = x.dims();
    let last = dims[dims.rank() - 1];
    let count = dims[..dims.rank() - 1].iter().product();
    x.reshape([count, last])
}

/// A batch by one matrix is one product of all its rows.
#[track_caller]
fn operands<T: Float, D: Backend>(a: &Raw<T, D>, b: &Raw<T, D>) -> Operands<T, D> {
    match (a.dims().rank(), b.dims().rank()) {
        (1, 1) => Operands {
            left: a.unsqueeze(0),
            right: b.unsqueeze(1),
        },
        (1, _) => Operands {
            left: a.unsqueeze(0),
            right: b.clone(),
        },
        (_, 1) => Operands {
            left: a.clone(),
            right: b.unsqueeze(1),
        },
        (r, 2) if r > 2 => Operands {
            left: rows(a),
            right: b.clone(),
        },
        _ => Operands {
            left: a.clone(),
            right: b.clone(),
        },
    }
}

#[track_caller]
fn swap_last<T: Float, D: Backend>(x: &Raw<T, D>) -> Raw<T, D> {
    let r = x.dims().rank();
    x.transpose(r - 2, r - 1)
}

#[track_caller]
fn product<T: Float, D: Backend>(a: &Raw<T, D>, b: &Raw<T, D>, out: &Dims) -> Raw<T, D> {
    let o = operands(a, b);
    Raw::matmul(&o.left, &o.right).into_reshaped(*out)
}

/// The sizes of the product as [`operands`] shapes it.
#[track_caller]
fn product_dims<T: Float, D: Backend>(o: &Operands<T, D>) -> Dims {
    let (l, r) = (o.left.dims(), o.right.dims());
    let (m, n) = (l[l.rank() - 2], r[r.rank() - 1]);
    let longer = if l.rank() >= r.rank() { l } else { r };
    longer.with(longer.rank() - 2, m).with(longer.rank() - 1, n)
}

/// Adds `left · right` to the cotangent of `x`, whose sizes the product has as `dims`; without a temporary
/// where there is something to add to.
#[track_caller]
pub(in crate::ops) fn add_product<M: Mode, S: Shape, T: Float, D: Backend>(
    d: &mut Adj<Tensor<S, T, D>, M>,
    x: &Tensor<S, T, D>,
    left: &Raw<T, D>,
    right: &Raw<T, D>,
    dims: &Dims,
) {
    let Some(acc) = M::leaf_mut::<Tensor<S, T, D>>(d) else {
        return;
    };
    if acc.owe(x.shape(), left, right) {
        return;
    }
    let sum = sum_with_product(acc.take().map(Tensor::into_raw), left, right, dims);
    *acc = Tensor::new(x.shape(), sum.into_reshaped(x.dims())).into();
}

/// `sum + left · right` of sizes `dims`.
#[track_caller]
fn sum_with_product<T: Float, D: Backend>(
    sum: Option<Raw<T, D>>,
    left: &Raw<T, D>,
    right: &Raw<T, D>,
    dims: &Dims,
) -> Raw<T, D> {
    let operands = Operands {
        left: left.clone(),
        right: right.clone(),
    };
    match sum.map(|sum| sum.contiguous().into_reshaped(*dims)) {
        Some(mut sum) if product_dims(&operands) == *dims => {
            Raw::matmul_into(left, right, &mut sum);
            sum
        }
        sum => {
            let product = Raw::matmul(left, right).sum_to(dims);
            match sum {
                None => product,
                Some(mut sum) => {
                    sum.add_assign(&product);
                    sum
                }
            }
        }
    }
}

/// The run-time sizes of the dimensions that the types have found equal.
#[track_caller]
fn check<S: Shape, R: Shape>(a: S, b: R) -> Result<(), ShapeError> {
    let (l, r) = (a.dims(), b.dims());
    let inner = if r.rank() == 1 { 0 } else { r.rank() - 2 };
    let mismatch = |i: usize, j: usize| {
        (l[i] != r[j]).then(|| ShapeError::Dimension {
            left: S::NAMES[i],
            left_size: l[i],
            right: R::NAMES[j],
            right_size: r[j],
        })
    };
    // Batches are aligned at their last axis.
    let batch = |d: &Dims| d.rank().saturating_sub(2);
    let (i, j) = (batch(&l), batch(&r));
    let pairs = |k| mismatch(i - k, j - k);
    let found = mismatch(l.rank() - 1, inner).or_else(|| (1..=i.min(j)).rev().find_map(pairs));
    found.map_or(Ok(()), Err)
}

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// The matrix product. Shapes that fit: `(.., M, K)` by `(.., K, N)`, `(K,)` by `(K, N)`, `(M, K)` by
    /// `(K,)`, `(K,)` by `(K,)`.
    ///
    /// The leading axes are batches of matrices, aligned at the last of them; one side may lack some or all
    /// of the other's. A batch of one is repeated by [`expand`](Tensor::expand), which does not copy.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[derivative(
        active other;
        pull |ct, a, b, d_a, d_b| {
            let Some(ct) = ct.raw() else { return };
            let o = operands(a.raw(), b.raw());
            let ct = ct.reshape(product_dims(&o));
            if M0::ON {
                let right = swap_last(&o.right);
                add_product::<M0, _, _, _>(d_a, a, &ct, &right, o.left.dims());
            }
            if M1::ON {
                let left = swap_last(&o.left);
                add_product::<M1, _, _, _>(d_b, b, &left, &ct, o.right.dims());
            }
        };
        push {
            let mut tangent = t.matmul(other);
            tangent.raw_mut().add_assign(self.matmul(t_other).raw());
            tangent
        };
    )]
    #[track_caller]
    #[rustfmt::skip] // The bound stands below the name: that is fewer lines in the message about it.
    pub fn matmul<R: Shape>(&self, other: &Tensor<R, T, D>) -> Tensor<<S as MatMul<R>>::Out, T, D>
    where <S as MatMul<R>>::Inner: SameInner<S, R>,
        S: MatMul<R>,
        <S as MatMul<R>>::Batch: SameBatch<S, R>,
    {
        self.try_matmul(other).or_panic("matmul")
    }

    /// As [`matmul`](Tensor::matmul), with an error where run-time sizes differ.
    #[track_caller]
    pub fn try_matmul<R: Shape>(
        &self,
        other: &Tensor<R, T, D>,
    ) -> Result<Tensor<<S as MatMul<R>>::Out, T, D>, ShapeError>
    where
        S: MatMul<R>,
        <S as MatMul<R>>::Inner: SameInner<S, R>,
        <S as MatMul<R>>::Batch: SameBatch<S, R>,
    {
        check(self.shape(), other.shape())?;
        let shape = self.shape().product(other.shape());
        Ok(Tensor::new(
            shape,
            product(self.raw(), other.raw(), &shape.dims()),
        ))
    }
}
