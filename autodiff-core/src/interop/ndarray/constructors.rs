//! Arrays made of numbers, and of other shapes.

use super::Real;
use super::functions::shaped;
use crate::ad::{Acc, Adj, Differentiable, Mode};
use crate::interop::rule::Itself;
use ndarray::{Array, Array1, Dimension, IntoDimension, ShapeError};

/// The derivatives of constructors of arrays.
#[allow(clippy::type_complexity, missing_docs)]
pub trait ConstructorRules<T: Real, D: Dimension>: Sized {
    fn __from_elem_vjp<M: Mode, N: Mode, H: IntoDimension<Dim = D> + Differentiable>(
        _: (M, N),
        shape: H,
        x: T,
    ) -> (
        Array<T, D>,
        impl FnOnce(Array<T, D>, &mut Adj<H, M>, &mut Adj<T, N>) + Clone + use<Self, T, D, M, N, H>,
    ) {
        let pullback = |ct: Array<T, D>, _: &mut Adj<H, M>, d: &mut Adj<T, N>| {
            if N::ON {
                d.acc(ct.sum());
            }
        };
        (Array::from_elem(shape.into_dimension(), x), pullback)
    }
    fn __from_elem_jvp<H: IntoDimension<Dim = D>, U>(
        shape: H,
        _: U,
        x: T,
        t: T,
    ) -> (Array<T, D>, Array<T, D>) {
        let shape = shape.into_dimension();
        (
            Array::from_elem(shape.clone(), x),
            Array::from_elem(shape, t),
        )
    }
    fn __into_shape_with_order_vjp<M: Mode, N: Mode, H: IntoDimension + Differentiable>(
        &self,
        _: (M, N),
        shape: H,
    ) -> (
        Result<Array<T, H::Dim>, ShapeError>,
        impl FnOnce(Option<Array<T, H::Dim>>, &Array<T, D>, &mut Array<Adj<T, M>, D>, &mut Adj<H, N>)
        + Clone
        + use<Self, T, D, M, N, H>,
    )
    where
        Self: Itself<Array<T, D>>,
    {
        let pullback = |ct: Option<Array<T, H::Dim>>,
                        a: &Array<T, D>,
                        d: &mut Array<Adj<T, M>, D>,
                        _: &mut Adj<H, N>| {
            if let (true, Some(ct)) = (M::ON, ct) {
                d.acc(shaped(a.raw_dim(), ct.iter().copied().collect()));
            }
        };
        let array = self.itself().clone();
        (
            array.into_shape_with_order(shape.into_dimension()),
            pullback,
        )
    }
    fn __into_shape_with_order_jvp<H: IntoDimension, U>(
        &self,
        t: &Array<T, D>,
        shape: H,
        _: U,
    ) -> (
        Result<Array<T, H::Dim>, ShapeError>,
        Option<Array<T, H::Dim>>,
    )
    where
        Self: Itself<Array<T, D>>,
    {
        let shape = shape.into_dimension();
        // The layout of a tangent may be another one.
        let t: Vec<T> = t.iter().copied().collect();
        let pushed = Array::from_shape_vec(shape.clone(), t);
        (
            self.itself().clone().into_shape_with_order(shape),
            pushed.ok(),
        )
    }
    fn __from_shape_vec_vjp<M: Mode, N: Mode, H: IntoDimension<Dim = D> + Differentiable>(
        _: (M, N),
        shape: H,
        v: Vec<T>,
    ) -> (
        Result<Array<T, D>, ShapeError>,
        impl FnOnce(Option<Array<T, D>>, &mut Adj<H, M>, &mut Adj<Vec<T>, N>)
        + Clone
        + use<Self, T, D, M, N, H>,
    ) {
        let pullback = |ct: Option<Array<T, D>>, _: &mut Adj<H, M>, d: &mut Adj<Vec<T>, N>| {
            if let (true, Some(ct)) = (N::ON, ct) {
                Acc::<Vec<T>>::acc(d, ct.iter().copied().collect());
            }
        };
        (Array::from_shape_vec(shape.into_dimension(), v), pullback)
    }
    fn __from_shape_vec_jvp<H: IntoDimension<Dim = D>, U>(
        shape: H,
        _: U,
        v: Vec<T>,
        t: Vec<T>,
    ) -> (Result<Array<T, D>, ShapeError>, Option<Array<T, D>>) {
        let shape = shape.into_dimension();
        let pushed = Array::from_shape_vec(shape.clone(), t);
        (Array::from_shape_vec(shape, v), pushed.ok())
    }
}
impl<T: Real, D: Dimension> ConstructorRules<T, D> for Array<T, D> {}

rules! {
    /// The derivatives of constructors of vectors.
    lent Array1Rules [T: Real] [T] for Array1<T> where [];
    fn from_vec __from_vec_vjp __from_vec_jvp |ct| [v dv: Vec<T> => ct.to_vec()] -> Array1<T>;
        push Array1::from_vec(dv);
    fn from __from_vjp __from_jvp |ct| [v dv: Vec<T> => ct.to_vec()] -> Array1<T>; push Array1::from_vec(dv);
}

crate::ad::viewed::numbers! { [D: Dimension] Array [, D]; }
