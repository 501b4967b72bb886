//! Sums, means and variances.

use super::Real;
use crate::ad::quotient;
use ndarray::{Array, Axis, Dimension, RemoveAxis};

/// The number of entries.
fn number<T: Real>(n: usize) -> T {
    T::lit(n as f64)
}

/// Repeated along an axis, as often as `a` is long there.
fn spread<T: Real, D: RemoveAxis>(ct: Array<T, D::Smaller>, shape: D, axis: Axis) -> Array<T, D> {
    let ct = ct.into_dyn().insert_axis(axis);
    let spread = ct
        .broadcast(shape.into_dyn())
        .expect("the other axes are the same");
    spread
        .to_owned()
        .into_dimensionality()
        .expect("one axis more")
}

rules! {
    /// The derivatives of methods of arrays.
    lent ArrayRules [T: Real, D: Dimension] [T D] for Array<T, D> where [];
    sum __sum_vjp __sum_jvp |ct| [a da => Array::from_elem(a.raw_dim(), ct)] [] [] -> T; push da.sum();
    mean __mean_vjp __mean_jvp |ct| [a da => {
            let ct: T = ct.unwrap_or(T::ZERO);
            Array::from_elem(a.raw_dim(), if a.is_empty() { ct } else { ct / number(a.len()) })
        }] [] [] -> Option<T>;
        push da.mean();
    to_owned __to_owned_vjp __to_owned_jvp |ct| [a da => ct] [] [] -> Array<T, D>; push da.clone();
}

rules! {
    /// The derivatives of methods of arrays that own their entries.
    cloned OwnedRules [T: Real, D: Dimension] [T D] for Array<T, D> where [];
    reversed_axes __reversed_axes_vjp __reversed_axes_jvp |ct| [a da => ct.reversed_axes()] [] [] -> Array<T, D>;
        push da.clone().reversed_axes();
    insert_axis __insert_axis_vjp __insert_axis_jvp |ct| [a da => {
            let ct = ct.into_dyn().index_axis_move(axis, 0);
            ct.into_dimensionality().expect("one axis less")
        }] [] [axis _d: Axis => ()] -> Array<T, D::Larger>;
        push da.clone().insert_axis(axis);
}

rules! {
    /// The derivatives of the variance and its root, `Σ (xᵢ − m)² / (n − ddof)`; that of the root is zero where it is.
    lent VarianceRules [T: Real, D: Dimension] [T D] for Array<T, D> where [T: num_traits::Float];
    var __var_vjp __var_jvp |ct| [a da => deviations(a, ddof).mapv_into(|x| ct * (x + x))] []
        [ddof dk: T => ct * out / (number::<T>(a.len()) - ddof)] -> T, out;
        push (deviations(a, ddof) * da).mapv_into(|x| x + x).sum() + dk * out / (number::<T>(a.len()) - ddof);
    std __std_vjp __std_jvp |ct| [a da => deviations(a, ddof).mapv_into(|x| quotient(ct * x, out))] []
        [ddof dk: T => ct * out / (number::<T>(2 * a.len()) - ddof - ddof)] -> T, out;
        push quotient((deviations(a, ddof) * da).sum(), out) + dk * out / (number::<T>(2 * a.len()) - ddof - ddof);
}

/// How far the entries are from their mean, over `n − ddof`.
fn deviations<T: Real, D: Dimension>(a: &Array<T, D>, ddof: T) -> Array<T, D> {
    let mean = a.mean().unwrap_or(T::ZERO);
    a.mapv(|x| (x - mean) / (number::<T>(a.len()) - ddof))
}

rules! {
    /// The derivatives of sums along an axis.
    lent AxisRules [T: Real, D: RemoveAxis] [T D] for Array<T, D> where [];
    sum_axis __sum_axis_vjp __sum_axis_jvp |ct| [a da => spread(ct, a.raw_dim(), axis)] []
        [axis _d: Axis => ()] -> Array<T, D::Smaller>;
        push da.sum_axis(axis);
    mean_axis __mean_axis_vjp __mean_axis_jvp |ct| [a da => match ct {
            Some(ct) => spread(ct.mapv_into(|x| x / number(a.len_of(axis))), a.raw_dim(), axis),
            None => Array::from_elem(a.raw_dim(), T::ZERO),
        }] [] [axis _d: Axis => ()] -> Option<Array<T, D::Smaller>>;
        push da.mean_axis(axis);
}
