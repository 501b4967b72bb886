//! Sums, means, parts and constructors. What is a view in ndarray is a copy where there is a derivative.

use super::{Real, Storage};
use crate::ad::{Acc, Adj, Differentiable, Mode, Scalar, Viewed};
use crate::interop::rule::Itself;
use ndarray::{
    Array, Array1, ArrayBase, ArrayView, Axis, Dimension, IntoDimension, Ix1, Ix2, NdIndex, RemoveAxis, SliceArg, ShapeError,
};

/// The number of entries.
fn number<T: Real>(n: usize) -> T {
    T::lit(n as f64)
}

/// Repeated along an axis, as often as `a` is long there.
fn spread<T: Real, D: RemoveAxis>(ct: Array<T, D::Smaller>, shape: D, axis: Axis) -> Array<T, D> {
    let ct = ct.into_dyn().insert_axis(axis);
    let spread = ct.broadcast(shape.into_dyn()).expect("the other axes are the same");
    spread.to_owned().into_dimensionality().expect("one axis more")
}

rules! {
    /// The derivatives of methods of arrays.
    lent ArrayRules [S: Storage, D: Dimension] [S D] for ArrayBase<S, D> where [];
    sum __sum_vjp __sum_jvp |ct| [a da => Array::from_elem(a.raw_dim(), ct)] [] [] -> S::T; push da.sum();
    mean __mean_vjp __mean_jvp |ct| [a da => {
            let ct: S::T = ct.unwrap_or(S::T::ZERO);
            Array::from_elem(a.raw_dim(), if a.is_empty() { ct } else { ct / number(a.len()) })
        }] [] [] -> Option<S::T>;
        push da.mean();
    to_owned __to_owned_vjp __to_owned_jvp |ct| [a da => ct] [] [] -> Array<S::T, D>; push da.clone();
}

rules! {
    /// The derivatives of methods of arrays that own their entries.
    cloned OwnedRules [T: Real, D: Dimension] [T D] for Array<T, D> where [];
    reversed_axes __reversed_axes_vjp __reversed_axes_jvp |ct| [a da => ct.reversed_axes()] [] [] -> Array<T, D>;
        push da.clone().reversed_axes();
}

rules! {
    /// The derivatives of sums along an axis.
    lent AxisRules [S: Storage, D: RemoveAxis] [S D] for ArrayBase<S, D> where [];
    sum_axis __sum_axis_vjp __sum_axis_jvp |ct| [a da => spread(ct, a.raw_dim(), axis)] []
        [axis _d: Axis => ()] -> Array<S::T, D::Smaller>;
        push da.sum_axis(axis);
    mean_axis __mean_axis_vjp __mean_axis_jvp |ct| [a da => match ct {
            Some(ct) => spread(ct.mapv_into(|x| x / number(a.len_of(axis))), a.raw_dim(), axis),
            None => Array::from_elem(a.raw_dim(), S::T::ZERO),
        }] [] [axis _d: Axis => ()] -> Option<Array<S::T, D::Smaller>>;
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
        (Array::from_elem(shape.clone(), x), Array::from_elem(shape, t))
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
        let pullback =
            |ct: Option<Array<T, D>>, _: &mut Adj<H, M>, d: &mut Adj<Vec<T>, N>| {
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
            Array<S::T, $D>,
            impl FnOnce(
                Array<S::T, $D>,
                &ArrayBase<S, $Of>,
                &mut Array<Adj<S::T, M>, $Of>
                $(, &mut Adj<$I, $M>)*
            ) + Clone + use<Self, S, $($n,)? M $(, $M)*>,
        ) {
            let $a = self.itself();
            ($part.to_owned(), move |ct, _: &ArrayBase<S, $Of>, $a: &mut Array<Adj<S::T, M>, $Of> $(, _: &mut Adj<$I, $M>)*| {
                if M::ON {
                    $part_mut.zip_mut_with(&ct, |d, ct| d.acc(*ct));
                }
            })
        }
        fn $jvp(&self, t: &Array<S::T, $Of>, $($i: $I, _: ()),*) -> (Array<S::T, $D>, Array<S::T, $D>) {
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
pub trait PartRules<S: Storage, D: Dimension>: Itself<ArrayBase<S, D>> + Sized {
    part! { t __t_vjp __t_jvp [] -> D; |a| a.t(), a.view_mut().reversed_axes() }
    part! { view __view_vjp __view_jvp [] -> D; |a| a.view(), a.view_mut() }
    part! { diag __diag_vjp __diag_jvp [] -> Ix1; |a| a.diag(), a.diag_mut() }

    /// `a.slice(s![..])` in reverse mode.
    fn __slice_vjp<M: Mode, N: Mode, I: SliceArg<D> + Differentiable + Clone>(
        &self,
        _: (M, N),
        info: I,
    ) -> (
        Array<S::T, I::OutDim>,
        impl FnOnce(Array<S::T, I::OutDim>, &ArrayBase<S, D>, &mut Array<Adj<S::T, M>, D>, &mut Adj<I, N>)
        + Clone
        + use<Self, S, D, M, N, I>,
    ) {
        let part = self.itself().slice(info.clone()).to_owned();
        let pullback = move |ct: Array<S::T, I::OutDim>,
                             _: &ArrayBase<S, D>,
                             d: &mut Array<Adj<S::T, M>, D>,
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
        t: &Array<S::T, D>,
        info: I,
        _: (),
    ) -> (Array<S::T, I::OutDim>, Array<S::T, I::OutDim>) {
        let pushed = t.slice(info.clone()).to_owned();
        (self.itself().slice(info).to_owned(), pushed)
    }
    /// `a[[i, j]]` in reverse mode.
    fn __at_vjp<M: Mode, N: Mode, const R: usize>(
        &self,
        _: (M, N),
        index: [usize; R],
    ) -> (
        S::T,
        impl FnOnce(S::T, &ArrayBase<S, D>, &mut Array<Adj<S::T, M>, D>, &mut Adj<[usize; R], N>)
        + Clone
        + use<Self, S, D, M, N, R>,
    )
    where
        [usize; R]: NdIndex<D>,
    {
        let pullback = move |ct,
                             _: &ArrayBase<S, D>,
                             d: &mut Array<Adj<S::T, M>, D>,
                             _: &mut Adj<[usize; R], N>| {
            d[index].acc(ct);
        };
        (self.itself()[index], pullback)
    }
    /// `a[[i, j]]` in forward mode.
    fn __at_jvp<const R: usize>(&self, t: &Array<S::T, D>, index: [usize; R], _: impl Sized) -> (S::T, S::T)
    where
        [usize; R]: NdIndex<D>,
    {
        (self.itself()[index], t[index])
    }
}
impl<S: Storage, D: Dimension> PartRules<S, D> for ArrayBase<S, D> {}

/// The derivatives of rows, columns and other entries along an axis.
#[allow(clippy::type_complexity, missing_docs)]
pub trait SubviewRules<S: Storage, D: RemoveAxis>: Itself<ArrayBase<S, D>> + Sized {
    part! { index_axis __index_axis_vjp __index_axis_jvp [axis: Axis as N, index: usize as K] -> D::Smaller;
        |a| a.index_axis(axis, index), a.index_axis_mut(axis, index) }
}
impl<S: Storage, D: RemoveAxis> SubviewRules<S, D> for ArrayBase<S, D> {}

/// The derivatives of rows and columns.
#[allow(clippy::type_complexity, missing_docs)]
pub trait MatrixRules<S: Storage>: Itself<ArrayBase<S, Ix2>> + Sized {
    part! { row __row_vjp __row_jvp [index: usize as N] -> Ix1; |a| a.row(index), a.row_mut(index); Ix2; }
    part! { column __column_vjp __column_jvp [index: usize as N] -> Ix1; |a| a.column(index), a.column_mut(index); Ix2; }
}
impl<S: Storage> MatrixRules<S> for ArrayBase<S, Ix2> {}

impl<T: Clone, D: Dimension> Viewed<ArrayView<'_, T, D>> {
    /// A copy of the entries.
    #[doc(hidden)]
    pub fn own(self) -> Array<T, D> {
        self.0.to_owned()
    }
}
