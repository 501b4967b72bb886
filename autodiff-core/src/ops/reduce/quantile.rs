//! Quantiles along an axis: `quantile_axis`, `median_axis`.
//!
//! Of `n` elements in ascending order `s`, with `h = q·(n − 1)`, `i = ⌊h⌋` and `w = h − i`, the quantile is
//! `s_i + w·(s_(i+1) − s_i)`, as NumPy, JAX and PyTorch interpolate. The elements that stand at `i` and `i + 1` get the
//! cotangent times `1 − w` and `w`; among equal elements the order decides, as in [`sort`](Tensor::sort). A NaN among
//! them makes the quantile NaN, and its derivative as well.

use crate::ad::{Acc, Adj, Ct, Inactive, Mode};
use crate::device::{Backend, BinaryOp, CompareOp, Dims, Float, SortOrder};
use crate::shape::{Axis, Shape};
use crate::tensor::{Raw, Tensor};

/// Which elements a quantile is made of.
#[derive(Clone)]
struct Between<T: Float, D: Backend> {
    axis: usize,
    /// Their positions along the axis, and their weights: one element or two.
    order: Raw<i64, D>,
    weights: Vec<T>,
    /// Where there is a NaN.
    undefined: Raw<bool, D>,
}

#[track_caller]
fn taken<T: Float, D: Backend>(x: &Raw<T, D>, axis: usize, order: &Raw<i64, D>) -> Raw<T, D> {
    x.take_along(axis, order)
        .expect("an order names positions of the axis")
}

impl<T: Float, D: Backend> Between<T, D> {
    #[track_caller]
    fn find(name: &str, x: &Raw<T, D>, axis: usize, q: f64) -> Self {
        assert!(
            (0.0..=1.0).contains(&q),
            "{name}: `q` is {q}, expected a number between 0 and 1"
        );
        let n = x.dims()[axis];
        assert!(n > 0, "{name}: axis {axis} has size 0, expected an element");
        let order = x.argsort(SortOrder::Ascending, axis, n);
        let h = q * (n - 1) as f64;
        let (at, w) = (h as usize, h.fract());
        let weights = match w {
            0.0 => vec![T::ONE],
            _ => vec![T::lit(1.0 - w), T::lit(w)],
        };
        // A NaN comes last.
        let last = taken(x, axis, &order.slice(axis, n - 1, 1));
        Between {
            axis,
            order: order.slice(axis, at, weights.len()),
            weights,
            undefined: Raw::compare(CompareOp::Ne, &last, &last),
        }
    }

    /// The sum of the elements by their weights; the axis keeps size 1.
    #[track_caller]
    fn of(&self, x: &Raw<T, D>) -> Raw<T, D> {
        let found = taken(x, self.axis, &self.order);
        let part = |(i, &w)| self.weighted(found.slice(self.axis, i, 1), w);
        let parts = self.weights.iter().enumerate().map(part);
        let sum = parts.reduce(|a, b| Raw::binary(BinaryOp::Add, a, b));
        sum.expect("one element at least")
    }

    /// Times a weight, NaN where the quantile is.
    #[track_caller]
    fn weighted(&self, x: Raw<T, D>, weight: T) -> Raw<T, D> {
        let x = x.binary_scalar(BinaryOp::Mul, weight);
        Raw::select(&self.undefined, &Raw::scalar(x.device(), T::NAN), &x)
    }

    /// The cotangent at the places of the elements.
    #[track_caller]
    fn transposed(&self, ct: &Raw<T, D>, dims: Dims) -> Raw<T, D> {
        let parts: Vec<_> = self
            .weights
            .iter()
            .map(|&w| self.weighted(ct.clone(), w))
            .collect();
        let parts = Raw::concat(self.axis, &parts.iter().collect::<Vec<_>>());
        let mut out = Raw::zeros(ct.device(), dims);
        out.put_along(self.axis, &self.order, &parts)
            .expect("an order names positions of the axis");
        out
    }
}

macro_rules! quantiles {
    ($(
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident ($($q:ident: $MQ:ident)?) at $at:expr;
        $out:ident |$shape:ident| $made:expr; |$axis:ident, $y:ident| $forward:expr; |$ct:ident| $back:expr;
    )*) => { $(
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            ///
            /// # Panics
            /// If the axis has size 0.
            #[track_caller]
            pub fn $name<const I: isize>(&self $(, $q: f64)?) -> Tensor<<S as Axis<I>>::$out, T, D>
            where
                S: Axis<I>,
            {
                let ($axis, $shape) = (<S as Axis<I>>::INDEX, self.shape());
                let $y = Between::find(stringify!($name), self.raw(), $axis, $at).of(self.raw());
                Tensor::new($made, $forward)
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, $($MQ: Inactive,)? const I: isize>(
                &self,
                _: (M0, $($MQ)?),
                $($q: f64)?
            ) -> (
                Tensor<<S as Axis<I>>::$out, T, D>,
                impl FnOnce(Ct<Tensor<<S as Axis<I>>::$out, T, D>>, &Self, &mut Adj<Self, M0> $(, &mut Adj<f64, $MQ>)?)
                + Clone
                + use<M0, $($MQ,)? S, T, D, I>,
            )
            where
                S: Axis<I>,
            {
                let ($axis, $shape) = (<S as Axis<I>>::INDEX, self.shape());
                let found = Between::find(stringify!($name), self.raw(), $axis, $at);
                let $y = found.of(self.raw());
                let out = Tensor::new($made, $forward);
                let saved = M0::ON.then_some(found);
                (out, move |ct, x, d $(, _: &mut Adj<f64, $MQ>)?| {
                    if let (Some(found), Some($ct)) = (&saved, ct.raw()) {
                        d.acc(Tensor::new(x.shape(), found.transposed(&$back, x.dims())).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp<const I: isize>(
                &self,
                t: &Self
                $(, $q: f64, _: quantiles!(@sized $MQ))?
            ) -> (Tensor<<S as Axis<I>>::$out, T, D>, Tensor<<S as Axis<I>>::$out, T, D>)
            where
                S: Axis<I>,
            {
                let ($axis, $shape) = (<S as Axis<I>>::INDEX, self.shape());
                let found = Between::find(stringify!($name), self.raw(), $axis, $at);
                let make = |$y: Raw<T, D>| Tensor::new($made, $forward);
                (make(found.of(self.raw())), make(found.of(t.raw())))
            }
        }
    )* };
    (@sized $M:ident) => { impl Sized };
}

quantiles! {
    /// The quantile `q` along axis `I`, between 0 (the smallest) and 1 (the largest), interpolated between two elements as
    /// in NumPy: `x.quantile_axis::<-1>(0.9)`. It is NaN where an element is.
    quantile_axis __quantile_axis_vjp __quantile_axis_jvp (q: M1) at q;
    Without |shape| shape.without(); |axis, y| y.squeeze(axis); |ct| ct.unsqueeze(<S as Axis<I>>::INDEX);

    /// As [`quantile_axis`](Tensor::quantile_axis); axis `I` stays with size 1.
    quantile_axis_keepdim __quantile_axis_keepdim_vjp __quantile_axis_keepdim_jvp (q: M1) at q;
    Keep |shape| shape.keep(); |_axis, y| y; |ct| ct;

    /// The middle element along axis `I`, or the mean of the two in the middle, as in NumPy (PyTorch's `median` takes the
    /// lower one). It is NaN where an element is.
    median_axis __median_axis_vjp __median_axis_jvp () at 0.5;
    Without |shape| shape.without(); |axis, y| y.squeeze(axis); |ct| ct.unsqueeze(<S as Axis<I>>::INDEX);

    /// As [`median_axis`](Tensor::median_axis); axis `I` stays with size 1.
    median_axis_keepdim __median_axis_keepdim_vjp __median_axis_keepdim_jvp () at 0.5;
    Keep |shape| shape.keep(); |_axis, y| y; |ct| ct;
}
