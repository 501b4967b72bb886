//! Parts of arrays. What is a view in ndarray is a copy where there is a derivative.

use super::Real;
use crate::ad::{Acc, Adj, Differentiable, Mode, Viewed};
use crate::interop::rule::Itself;
use ndarray::{Array, ArrayView, Axis, Dimension, Ix1, Ix2, NdIndex, RemoveAxis, SliceArg};

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
