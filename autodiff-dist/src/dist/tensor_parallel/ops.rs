use super::layers::Split;
use crate::dist::flat::{Exchanged, Leaf};
use crate::dist::{CommError, Numbers, Ranks, Reduce};
use crate::prelude::*;
use crate::shape::Shape;
use crate::tensor::Raw;

crate::__discrete!([] Ranks);

/// The sum over all ranks.
#[track_caller]
fn sum<S: Shape, T: Exchanged>(x: &Tensor<S, T>, ranks: &Ranks) -> Tensor<S, T> {
    if ranks.size() == 1 {
        return x.clone();
    }
    let all = call(|| {
        let all = x
            .raw()
            .numbers()
            .map_err(|why| CommError::Device { index: 0, why })?;
        ranks.all_reduce(all, Reduce::Sum).wait()
    });
    let mut sum = x.raw().clone();
    sum.set(&all, 0);
    Tensor::new(x.shape(), sum)
}

#[track_caller]
fn call(call: impl FnOnce() -> Result<Numbers, CommError>) -> Numbers {
    call().unwrap_or_else(|e| panic!("{e}"))
}

/// The sum of a tensor over all ranks. Its cotangent, which all ranks have, goes to each rank's tensor as it is.
///
/// # Panics
/// If a rank ended, did not come in time, or has a tensor of another size.
pub fn summed<S: Shape, T: Exchanged>(x: &Tensor<S, T>, ranks: &Ranks) -> Tensor<S, T> {
    sum(x, ranks)
}

#[derivative(of = summed, jvp = summed_forward)]
#[doc(hidden)]
pub fn summed_rule<S: Shape, T: Exchanged>(
    x: &Tensor<S, T>,
    ranks: &Ranks,
) -> (
    Tensor<S, T>,
    impl Fn(Tensor<S, T>) -> (Tensor<S, T>, ()) + Clone,
) {
    (sum(x, ranks), |ct| (ct, ()))
}

fn summed_forward<S: Shape, T: Exchanged>(
    (x, t): (&Tensor<S, T>, &Tensor<S, T>),
    (ranks, _): (&Ranks, &()),
) -> (Tensor<S, T>, Tensor<S, T>) {
    (sum(x, ranks), sum(t, ranks))
}

/// A tensor that all ranks have, before each does something of its own with it. Its cotangent is the sum over all ranks.
///
/// # Panics
/// As [`summed()`], in the reverse pass.
pub fn copied<S: Shape, T: Exchanged>(x: &Tensor<S, T>, ranks: &Ranks) -> Tensor<S, T> {
    let _ = ranks;
    x.clone()
}

#[derivative(of = copied, jvp = copied_forward)]
#[doc(hidden)]
pub fn copied_rule<S: Shape, T: Exchanged>(
    x: &Tensor<S, T>,
    ranks: &Ranks,
) -> (
    Tensor<S, T>,
    impl Fn(Tensor<S, T>) -> (Tensor<S, T>, ()) + Clone,
) {
    let (value, ranks) = (x.clone(), ranks.clone());
    (value, move |ct: Tensor<S, T>| (sum(&ct, &ranks), ()))
}

fn copied_forward<S: Shape, T: Exchanged>(
    (x, t): (&Tensor<S, T>, &Tensor<S, T>),
    _: (&Ranks, &()),
) -> (Tensor<S, T>, Tensor<S, T>) {
    (x.clone(), t.clone())
}

/// The columns of all ranks side by side, on each rank. The cotangent of a rank's columns are those columns of the cotangent, which all
/// ranks have.
///
/// # Panics
/// As [`summed()`], and if the ranks have not `O` columns together.
pub fn gathered<B: Dim, const O: usize, T: Exchanged>(
    x: &Tensor<(B, Split), T>,
    ranks: &Ranks,
) -> Tensor<(B, Sz<O>), T> {
    let (rows, columns) = (x.dims()[0], x.dims()[1]);
    let own: Vec<T::As> = x.to_vec().into_iter().map(T::out).collect();
    let all = ranks.gather_all(&own).unwrap_or_else(|e| panic!("{e}"));
    let found: usize = all.iter().map(|part| part.len() / rows.max(1)).sum();
    assert!(
        found == O || rows == 0,
        "the ranks have {found} columns together, expected {O}; this one has {columns}"
    );
    let mut joined = Vec::with_capacity(rows * O);
    for row in 0..rows {
        for part in &all {
            let n = part.len() / rows;
            joined.extend(part[row * n..(row + 1) * n].iter().map(|x| T::back(*x)));
        }
    }
    let shape = (x.shape().0, Sz::<O>);
    Tensor::new(shape, Raw::from_slice(x.device(), [rows, O], &joined))
}

#[derivative(of = gathered, jvp = gathered_forward)]
#[doc(hidden)]
pub fn gathered_rule<B: Dim, const O: usize, T: Exchanged>(
    x: &Tensor<(B, Split), T>,
    ranks: &Ranks,
) -> (
    Tensor<(B, Sz<O>), T>,
    impl Fn(Tensor<(B, Sz<O>), T>) -> (Tensor<(B, Split), T>, ()) + Clone,
) {
    let (columns, at) = own_columns(x.dims()[1], ranks);
    let pull = move |ct: Tensor<(B, Sz<O>), T>| (ct.narrow::<1, _>(at, Split(columns)), ());
    (gathered(x, ranks), pull)
}

fn gathered_forward<B: Dim, const O: usize, T: Exchanged>(
    (x, t): (&Tensor<(B, Split), T>, &Tensor<(B, Split), T>),
    (ranks, _): (&Ranks, &()),
) -> (Tensor<(B, Sz<O>), T>, Tensor<(B, Sz<O>), T>) {
    (gathered(x, ranks), gathered(t, ranks))
}

/// This rank's columns: how many, and where they begin.
fn own_columns(columns: usize, ranks: &Ranks) -> (usize, usize) {
    let all = ranks
        .gather_all(&[columns as i64])
        .unwrap_or_else(|e| panic!("{e}"));
    let before = all[..ranks.rank()].iter().flatten().sum::<i64>();
    (columns, before as usize)
}
