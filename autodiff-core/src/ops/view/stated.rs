//! Longer axes whose size is stated, as one that is known at run time only must be: `repeat_to
//! repeat_interleave_to pad_to pad_reflect_to pad_replicate_to`.
//!
//! They are [`repeat`](Tensor::repeat), [`pad`](Tensor::pad) and their like with the same derivatives: what was
//! copied several times gets the sum of the cotangents, padding with a value the sum of those that it filled.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, Dims, Elem, Float, ReduceOp};
use crate::ops::view::padding::{clamped, frame_sum, framed, gathered, mirrored};
use crate::ops::view::rearrange::around;
use crate::shape::{Axis, Dim, Shape};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

/// A dimension and its size, for messages.
#[track_caller]
pub(in crate::ops) fn named<N: Dim>(n: N) -> String {
    match N::NAME {
        "" => n.size().to_string(),
        name => format!("{name}({})", n.size()),
    }
}

/// How many copies of `from` entries make `n`.
#[track_caller]
fn copies<N: Dim>(name: &str, from: usize, n: N) -> usize {
    let to = n.size();
    let count = to.checked_div(from).unwrap_or(0);
    assert_eq!(
        count * from,
        to,
        "{name}: copies of {from} entries do not make {}",
        named(n)
    );
    count
}

/// How many entries are behind `before` and the `from` that are there.
#[track_caller]
fn behind<N: Dim>(name: &str, before: usize, from: usize, n: N) -> usize {
    match n.size().checked_sub(before + from) {
        Some(rest) => rest,
        None => panic!(
            "{name}: {before} entries before {from} are more than {}",
            named(n)
        ),
    }
}

/// An entry of the old axis for each of the new one.
#[track_caller]
fn picks<N: Dim>(
    name: &str,
    pick: fn(usize, usize, usize) -> Vec<i64>,
    least: usize,
    from: usize,
    before: usize,
    n: N,
) -> Vec<i64> {
    let after = behind(name, before, from, n);
    // What a reflection needs beside the entries that it adds.
    let enough = from > least * before.max(after);
    assert!(
        enough || before + after == 0,
        "{name}: {from} entries are too few to make {}",
        named(n)
    );
    pick(from, before, after)
}

macro_rules! stated {
    ($(
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident ($($arg:ident: $ty:ty, $M:ident)?);
        forward |$x:ident, $axis:ident, $n:ident| $forward:expr;
        pullback |$ct:ident, $dims:ident, $paxis:ident, $pn:ident| $pullback:expr;
    )*) => { $(
        impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name<const I: isize, N: Dim>(&self, $($arg: $ty,)? n: N) -> Tensor<<S as Axis<I>>::With<N>, T, D>
            where
                S: Axis<I>,
            {
                let ($x, $axis, $n) = (self.raw(), <S as Axis<I>>::INDEX, n);
                let shape = Axis::<I>::with(self.shape(), n);
                Tensor::new(shape, Raw::into_reshaped($forward, shape.dims()))
            }
        }

        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, $($M: Mode,)? MN: Mode, const I: isize, N: Dim>(
                &self,
                _: (M0, $($M,)? MN),
                $($arg: $ty,)?
                n: N,
            ) -> (
                Tensor<<S as Axis<I>>::With<N>, T, D>,
                impl FnOnce(
                    Ct<Tensor<<S as Axis<I>>::With<N>, T, D>>,
                    &Self,
                    &mut Adj<Self, M0>,
                    $(&mut Adj<$ty, $M>,)?
                    &mut Adj<N, MN>,
                ) + Clone + use<M0, $($M,)? MN, I, N, S, T, D>,
            )
            where
                S: Axis<I>,
            {
                (self.$name::<I, N>($($arg,)? n), move |ct, x, d, $(stated!(@ignore $arg),)? _| {
                    if M0::ON && let Some($ct) = ct.raw() {
                        let ($dims, $paxis, $pn) = (x.dims(), <S as Axis<I>>::INDEX, n);
                        d.acc(Tensor::new(x.shape(), $pullback).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp<const I: isize, N: Dim>(
                &self,
                t: &Self,
                $($arg: $ty, _: (),)?
                n: N,
                _: (),
            ) -> (Tensor<<S as Axis<I>>::With<N>, T, D>, Tensor<<S as Axis<I>>::With<N>, T, D>)
            where
                S: Axis<I>,
            {
                (self.$name::<I, N>($($arg,)? n), t.$name::<I, N>($($arg,)? n))
            }
        }
    )* };
    (@ignore $arg:ident) => { _ };
}

/// The sum over the copies, which are the axis before or behind the entries.
#[track_caller]
fn summed<T: Float, D: Backend>(ct: &Raw<T, D>, sizes: [usize; 3], dims: Dims) -> Raw<T, D> {
    ct.reshape(sizes)
        .reduce_axis(ReduceOp::Sum, 1)
        .into_reshaped(dims)
}

stated! {
    /// [`repeat`](Tensor::repeat) to the stated size, which may be a run-time one:
    /// `x.repeat_to::<0, _>(Length(6))`.
    ///
    /// # Panics
    /// If no number of copies makes that size.
    repeat_to __repeat_to_vjp __repeat_to_jvp ();
    forward |x, axis, n| {
        let [outer, len, inner] = around(x.dims(), axis);
        let k = copies("repeat_to", len, n);
        x.reshape([outer, 1, len * inner]).expand([outer, k, len * inner]).copied()
    };
    pullback |ct, dims, axis, n| {
        let [outer, len, inner] = around(&dims, axis);
        summed(ct, [outer, copies("repeat_to", len, n), len * inner], dims)
    };

    /// [`repeat_interleave`](Tensor::repeat_interleave) to the stated size, which may be a run-time one:
    /// `x.repeat_interleave_to::<0, _>(Length(6))`.
    ///
    /// # Panics
    /// If no number of copies makes that size.
    repeat_interleave_to __repeat_interleave_to_vjp __repeat_interleave_to_jvp ();
    forward |x, axis, n| {
        let [outer, len, inner] = around(x.dims(), axis);
        let k = copies("repeat_interleave_to", len, n);
        x.reshape([outer * len, 1, inner]).expand([outer * len, k, inner]).copied()
    };
    pullback |ct, dims, axis, n| {
        let [outer, len, inner] = around(&dims, axis);
        summed(ct, [outer * len, copies("repeat_interleave_to", len, n), inner], dims)
    };

    /// [`pad_reflect`](Tensor::pad_reflect) to the stated size, which may be a run-time one, with `before`
    /// entries before: `x.pad_reflect_to::<-1, _>(1, Length(7))`.
    ///
    /// # Panics
    /// If there are not enough entries to mirror, or more than the stated size.
    pad_reflect_to __pad_reflect_to_vjp __pad_reflect_to_jvp (before: usize, M1);
    forward |x, axis, n| {
        x.select_known(axis, &picks("pad_reflect_to", mirrored, 1, x.dims()[axis], before, n))
    };
    pullback |ct, dims, axis, n| {
        gathered(ct, dims, axis, &picks("pad_reflect_to", mirrored, 1, dims[axis], before, n))
    };

    /// [`pad_replicate`](Tensor::pad_replicate) to the stated size, which may be a run-time one, with
    /// `before` entries before: `x.pad_replicate_to::<-1, _>(1, Length(7))`.
    ///
    /// # Panics
    /// If there is no entry to repeat, or there are more than the stated size.
    pad_replicate_to __pad_replicate_to_vjp __pad_replicate_to_jvp (before: usize, M1);
    forward |x, axis, n| {
        x.select_known(axis, &picks("pad_replicate_to", clamped, 0, x.dims()[axis], before, n))
    };
    pullback |ct, dims, axis, n| {
        gathered(ct, dims, axis, &picks("pad_replicate_to", clamped, 0, dims[axis], before, n))
    };
}

#[rule]
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// [`pad`](Tensor::pad) to the stated size, which may be a run-time one: `before` entries of `value`
    /// before those along axis `I`, and behind them as many as are missing.
    /// `x.pad_to::<-1, _>(1, Length(7), 0.0)`.
    ///
    /// # Panics
    /// If there are more entries than the stated size.
    #[derivative(
        where T: Float;
        active value;
        pull |ct, x, d, _, _, d_value| {
            let Some(ct) = ct.raw() else { return };
            let axis = <S as Axis<I>>::INDEX;
            let len = x.dims()[axis];
            if M0::ON {
                d.acc(Tensor::new(x.shape(), ct.slice(axis, before, len)).into());
            }
            if M3::ON {
                d_value.acc(frame_sum(ct, axis, before, len));
            }
        };
        push t.pad_to::<I, N>(before, n, t_value);
    )]
    #[track_caller]
    pub fn pad_to<const I: isize, N: Dim>(
        &self,
        before: usize,
        n: N,
        value: T,
    ) -> Tensor<<S as Axis<I>>::With<N>, T, D>
    where
        S: Axis<I>,
    {
        let axis = <S as Axis<I>>::INDEX;
        behind("pad_to", before, self.dims()[axis], n);
        let shape = Axis::<I>::with(self.shape(), n);
        Tensor::new(shape, framed(self.raw(), shape.dims(), axis, before, value))
    }
}
