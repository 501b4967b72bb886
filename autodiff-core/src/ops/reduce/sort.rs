//! Sorting along an axis: `sort sort_descending argsort argsort_descending topk`.
//!
//! A NaN counts as the largest value, as with `argmax`: last in ascending order, first in descending.
//! Equal elements keep their order. Sorted values are `x` at the positions of the order, so that the
//! pullback puts the cotangent back at these positions and the pushforward takes the tangent from
//! there. Positions have no derivative. Among equal elements the order decides who gets the cotangent.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, Elem, Float, SortOrder};
use crate::shape::{Axis, Dim, Shape, Sz};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

macro_rules! sorts {
    ($(
        $Order:ident:
        $(#[$doc:meta])* $sort:ident $vjp:ident $jvp:ident,
        $(#[$arg_doc:meta])* $argsort:ident;
    )*) => { $(
        impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $sort<const I: isize>(&self) -> Self
            where
                S: Axis<I>,
            {
                let order = self.order::<I>(SortOrder::$Order);
                Tensor::new(self.shape(), taken(self.raw(), <S as Axis<I>>::INDEX, &order))
            }

            $(#[$arg_doc])*
            #[track_caller]
            pub fn $argsort<const I: isize>(&self) -> Tensor<S, i64, D>
            where
                S: Axis<I>,
            {
                Tensor::new(self.shape(), self.order::<I>(SortOrder::$Order))
            }
        }

        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            #[doc(hidden)]
            #[track_caller]
            pub fn $vjp<M: Mode, const I: isize>(
                &self,
                _: (M,),
            ) -> (Self, impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M>) + Clone + use<M, S, T, D, I>)
            where
                S: Axis<I>,
            {
                let order = self.order::<I>(SortOrder::$Order);
                let out = taken(self.raw(), <S as Axis<I>>::INDEX, &order);
                let saved = M::ON.then_some(order);
                (Tensor::new(self.shape(), out), move |ct, x, d| {
                    if let (Some(order), Some(ct)) = (&saved, ct.raw()) {
                        d.acc(put_back::<I, _, _, _>(x, ct, order).into());
                    }
                })
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn $jvp<const I: isize>(&self, t: &Self) -> (Self, Self)
            where
                S: Axis<I>,
            {
                let order = self.order::<I>(SortOrder::$Order);
                let axis = <S as Axis<I>>::INDEX;
                let take = |x: &Self| Tensor::new(x.shape(), taken(x.raw(), axis, &order));
                (take(self), take(t))
            }
        }
    )* };
}

/// The entries along `axis` at positions that an order gave.
#[track_caller]
fn taken<T: Elem, D: Backend>(x: &Raw<T, D>, axis: usize, order: &Raw<i64, D>) -> Raw<T, D> {
    x.take_along(axis, order)
        .expect("an order names positions of the axis")
}

/// The cotangent of what was taken, at its place in `x`.
#[track_caller]
fn put_back<const I: isize, S: Axis<I>, T: Float, D: Backend>(
    x: &Tensor<S, T, D>,
    ct: &Raw<T, D>,
    order: &Raw<i64, D>,
) -> Tensor<S, T, D> {
    let axis = <S as Axis<I>>::INDEX;
    let mut out = Raw::zeros(ct.device(), x.dims());
    out.put_along(axis, order, ct)
        .expect("an order names positions of the axis");
    Tensor::new(x.shape(), out)
}

impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    #[track_caller]
    fn order<const I: isize>(&self, order: SortOrder) -> Raw<i64, D>
    where
        S: Axis<I>,
    {
        let axis = <S as Axis<I>>::INDEX;
        self.raw().argsort(order, axis, self.dims()[axis])
    }
}

sorts! {
    Ascending:
    /// The elements along axis `I` in ascending order; NaN comes last.
    sort __sort_vjp __sort_jvp,
    /// The positions along axis `I` that would sort it in ascending order; NaN comes last.
    argsort;
    Descending:
    /// The elements along axis `I` in descending order; NaN comes first.
    sort_descending __sort_descending_vjp __sort_descending_jvp,
    /// The positions along axis `I` that would sort it in descending order; NaN comes first.
    argsort_descending;
}

/// The `K` best along axis `I`, and where they were.
type Top<S, T, D, const I: isize, const K: usize> = (
    Tensor<<S as Axis<I>>::With<Sz<K>>, T, D>,
    Tensor<<S as Axis<I>>::With<Sz<K>>, i64, D>,
);

#[rule]
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// The `K` largest elements along axis `I`, the largest first, and their positions; a NaN counts
    /// as largest: `let (values, positions) = x.topk::<-1, 5>();`.
    ///
    /// That there are `K` is checked when the program is built, or at run time along a run-time axis.
    #[derivative(
        where T: Float;
        let saved = M0::ON.then(|| out.1.raw().clone());
        pull |ct, x, d| {
            if let (Some(order), Some(ct)) = (&saved, ct.0.raw()) {
                d.acc(put_back::<I, _, _, _>(x, ct, order).into());
            }
        };
        both {
            let (values, order) = self.topk::<I, K>();
            let t = taken(t.raw(), <S as Axis<I>>::INDEX, order.raw());
            let t = Tensor::new(values.shape(), t);
            ((values, order), (t, ()))
        };
    )]
    #[track_caller]
    pub fn topk<const I: isize, const K: usize>(&self) -> Top<S, T, D, I, K>
    where
        S: Axis<I>,
    {
        const {
            if let Some(n) = <<S as Axis<I>>::Dim as Dim>::STATIC {
                assert!(K <= n, "topk asks for more elements than the axis has");
            }
        }
        let axis = <S as Axis<I>>::INDEX;
        let n = self.dims()[axis];
        assert!(
            K <= n,
            "topk: there are {n} elements along axis {I}, not {K}"
        );
        let order = self.raw().argsort(SortOrder::Descending, axis, K);
        let shape = self.shape().with(Sz::<K>);
        let values = taken(self.raw(), axis, &order);
        (Tensor::new(shape, values), Tensor::new(shape, order))
    }
}
