//! Sums, means, parts and constructors. What is a view in ndarray is a copy where there is a derivative.

use super::Real;
use super::functions::shaped;
use crate::ad::{Acc, Adj, Differentiable, Mode, Viewed, quotient};
use crate::interop::rule::Itself;
use ndarray::{
    Array, Array1, ArrayView, Axis, Dimension, IntoDimension, Ix1, Ix2, NdIndex, RemoveAxis,
    ShapeError, SliceArg,
};

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
        let pullback = |ct: Array<T, D>, _: &mut Adj<H, M>, d: &mut Adj<T, N>| d.acc(ct.sum());
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
            if let Some(ct) = ct {
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

/// A part of an array that is a view in ndarray: the copy here, and its cotangent added to that part of the whole.
macro_rules! part {
    ($name:ident $vjp:ident $jvp:ident [$($i:ident: $I:ty as $M:ident),*] -> $D:ty; |$a:ident| $part:expr, $part_mut:expr) => {
        part! { $name $vjp $jvp [$($i: $I as $M),*] -> $D; |$a| $part, $part_mut; D; D }
    };
    ($name:ident $vjp:ident $jvp:ident [$($i:ident: $I:ty as $M:ident),*] -> $D:ty; |$a:ident| $part:expr, $part_mut:expr;
     $Of:ty; $($n:ident)?) => {
        fn $vjp<M: Mode $(, $M: Mode)*>(
            &self,
            _: (M, $($M,)*),
            $($i: $I,)*
        ) -> (
            Array<T, $D>,
            impl FnOnce(
                Array<T, $D>,
                &Array<T, $Of>,
                &mut Array<Adj<T, M>, $Of>
                $(, &mut Adj<$I, $M>)*
            ) + Clone + use<Self, T, $($n,)? M $(, $M)*>,
        ) {
            let $a = self.itself();
            ($part.to_owned(), move |ct, _: &Array<T, $Of>, $a: &mut Array<Adj<T, M>, $Of> $(, _: &mut Adj<$I, $M>)*| {
                if M::ON {
                    $part_mut.zip_mut_with(&ct, |d, ct| d.acc(*ct));
                }
            })
        }
        fn $jvp(&self, t: &Array<T, $Of>, $($i: $I, _: ()),*) -> (Array<T, $D>, Array<T, $D>) {
            let pushed = {
                let $a = t;
                $part.to_owned()
            };
            let $a = self.itself();
            ($part.to_owned(), pushed)
        }
    };
}

/// The derivatives of parts of an array of any number of axes.
#[allow(clippy::type_complexity, missing_docs)]
pub trait PartRules<T: Real, D: Dimension>: Itself<Array<T, D>> + Sized {
    part! { t __t_vjp __t_jvp [] -> D; |a| a.t(), a.view_mut().reversed_axes() }
    part! { view __view_vjp __view_jvp [] -> D; |a| a.view(), a.view_mut() }
    part! { diag __diag_vjp __diag_jvp [] -> Ix1; |a| a.diag(), a.diag_mut() }

    /// `a.slice(s![..])` in reverse mode.
    fn __slice_vjp<M: Mode, N: Mode, I: SliceArg<D> + Differentiable + Clone>(
        &self,
        _: (M, N),
        info: I,
    ) -> (
        Array<T, I::OutDim>,
        impl FnOnce(Array<T, I::OutDim>, &Array<T, D>, &mut Array<Adj<T, M>, D>, &mut Adj<I, N>)
        + Clone
        + use<Self, T, D, M, N, I>,
    ) {
        let part = self.itself().slice(info.clone()).to_owned();
        let pullback = move |ct: Array<T, I::OutDim>,
                             _: &Array<T, D>,
                             d: &mut Array<Adj<T, M>, D>,
                             _: &mut Adj<I, N>| {
            if M::ON {
                d.slice_mut(info).zip_mut_with(&ct, |d, ct| d.acc(*ct));
            }
        };
        (part, pullback)
    }
    /// `a.slice(s![..])` in forward mode.
    fn __slice_jvp<I: SliceArg<D> + Clone>(
        &self,
        t: &Array<T, D>,
        info: I,
        _: (),
    ) -> (Array<T, I::OutDim>, Array<T, I::OutDim>) {
        let pushed = t.slice(info.clone()).to_owned();
        (self.itself().slice(info).to_owned(), pushed)
    }
    /// `a[[i, j]]` in reverse mode.
    fn __at_vjp<M: Mode, N: Mode, const R: usize>(
        &self,
        _: (M, N),
        index: [usize; R],
    ) -> (
        T,
        impl FnOnce(T, &Array<T, D>, &mut Array<Adj<T, M>, D>, &mut Adj<[usize; R], N>)
        + Clone
        + use<Self, T, D, M, N, R>,
    )
    where
        [usize; R]: NdIndex<D>,
    {
        let pullback =
            move |ct, _: &Array<T, D>, d: &mut Array<Adj<T, M>, D>, _: &mut Adj<[usize; R], N>| {
                d[index].acc(ct);
            };
        (self.itself()[index], pullback)
    }
    /// `a[[i, j]]` in forward mode.
    fn __at_jvp<const R: usize>(&self, t: &Array<T, D>, index: [usize; R], _: impl Sized) -> (T, T)
    where
        [usize; R]: NdIndex<D>,
    {
        (self.itself()[index], t[index])
    }
}
impl<T: Real, D: Dimension> PartRules<T, D> for Array<T, D> {}

/// The derivatives of rows, columns and other entries along an axis.
#[allow(clippy::type_complexity, missing_docs)]
pub trait SubviewRules<T: Real, D: RemoveAxis>: Itself<Array<T, D>> + Sized {
    part! { index_axis __index_axis_vjp __index_axis_jvp [axis: Axis as N, index: usize as K] -> D::Smaller;
    |a| a.index_axis(axis, index), a.index_axis_mut(axis, index) }
}
impl<T: Real, D: RemoveAxis> SubviewRules<T, D> for Array<T, D> {}

/// The derivatives of rows and columns.
#[allow(clippy::type_complexity, missing_docs)]
pub trait MatrixRules<T: Real>: Itself<Array<T, Ix2>> + Sized {
    part! { row __row_vjp __row_jvp [index: usize as N] -> Ix1; |a| a.row(index), a.row_mut(index); Ix2; }
    part! { column __column_vjp __column_jvp [index: usize as N] -> Ix1; |a| a.column(index), a.column_mut(index); Ix2; }
}
impl<T: Real> MatrixRules<T> for Array<T, Ix2> {}

impl<T: Clone, D: Dimension> Viewed<ArrayView<'_, T, D>> {
    /// A copy of the entries.
    #[doc(hidden)]
    pub fn own(self) -> Array<T, D> {
        self.0.to_owned()
    }
}

crate::ad::viewed::numbers! { [D: Dimension] Array [, D]; }
