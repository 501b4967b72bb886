//! The methods and their derivatives.

use super::Attention;
use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::{Backend, Float, Index};
use crate::ops::OrPanic;
use crate::shape::{
    Attend, AttendGrouped, Attending, Axis, Broadcast, Paired, Shape, ShapeError, check_attend,
    check_same,
};
use crate::tensor::{Attended, Masking, Raw, Tensor};

#[track_caller]
fn sizes_fit(name: &str, result: Result<(), ShapeError>) {
    result.or_panic(name);
}

/// Attention with at most one more operand, whose derivative is followed if it is `active`, and a mask before it.
macro_rules! attention {
    (
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident;
        by $Attend:ident, grouped $grouped:expr;
        with [$($x:ident: $X:ty, $MX:ident, $t:ident: $TX:ty)?] [$($P:ident: $PB:ident),*] active $active:ident;
        and [$($y:ident: $Y:ty, $MY:ident)?];
        check |$q:ident, $k:ident| $check:block
        mask |$m:ident| $prepare:expr => $mask:expr;
        where [$($w:tt)*] derivative [$($dw:tt)*];
    ) => {
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name<K: Shape, V: Shape $(, $P: $PB)*>(
                &self,
                keys: &Tensor<K, T, D>,
                values: &Tensor<V, T, D>,
                $($y: &$Y,)?
                $($x: &$X,)?
                options: Attention,
            ) -> Tensor<<S as $Attend<K, V>>::Out, T, D>
            where
                S: $Attend<K, V>,
                <S as $Attend<K, V>>::Pairs: Attending<S, K, V>,
                $($w)*
            {
                let options = attention!(@checked $name $grouped, [self, keys, values] options, |$q, $k| $check);
                let $m = $prepare;
                let done = Raw::attention([self.raw(), keys.raw(), values.raw()], &$mask, options);
                Tensor::new(self.shape().attended(values.shape()), done.value())
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity, clippy::too_many_arguments)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode, M2: Mode, $($MY: Mode,)? $($MX: Mode,)? MO: Mode, K: Shape, V: Shape $(, $P: $PB)*>(
                &self,
                _: (M0, M1, M2, $($MY,)? $($MX,)? MO),
                keys: &Tensor<K, T, D>,
                values: &Tensor<V, T, D>,
                $($y: &$Y,)?
                $($x: &$X,)?
                options: Attention,
            ) -> (
                Tensor<<S as $Attend<K, V>>::Out, T, D>,
                impl FnOnce(
                    Ct<Tensor<<S as $Attend<K, V>>::Out, T, D>>,
                    &Self,
                    &Tensor<K, T, D>,
                    &Tensor<V, T, D>,
                    $(&$Y,)?
                    $(&$X,)?
                    &mut Adj<Self, M0>,
                    &mut Adj<Tensor<K, T, D>, M1>,
                    &mut Adj<Tensor<V, T, D>, M2>,
                    $(&mut Adj<$Y, $MY>,)?
                    $(&mut Adj<$X, $MX>,)?
                    &mut Adj<Attention, MO>,
                ) + Clone
                + use<M0, M1, M2, $($MY,)? $($MX,)? MO, S, K, V, $($P,)* T, D>,
            )
            where
                S: $Attend<K, V>,
                <S as $Attend<K, V>>::Pairs: Attending<S, K, V>,
                $($dw)*
                $($w)*
            {
                let options = attention!(@checked $name $grouped, [self, keys, values] options, |$q, $k| $check);
                let $m = $prepare;
                let done = Raw::attention([self.raw(), keys.raw(), values.raw()], &$mask, options);
                let out = Tensor::new(self.shape().attended(values.shape()), done.value());
                let wanted = [M0::ON, M1::ON, M2::ON, attention!(@on $active $($MX)?)];
                let saved: Option<Attended<T, D>> = wanted.contains(&true).then_some(done);
                (out, move |ct, q, k, v, $($y,)? $($x,)? d_q, d_k, d_v, $(_: &mut Adj<$Y, $MY>,)? $($t,)? _| {
                    let (Some(saved), Some(ct)) = (saved, ct.raw()) else { return };
                    let qkv = [q.raw(), k.raw(), v.raw()];
                    let $m = $prepare;
                    let [a, b, c, d] = saved.pullback(qkv, &$mask, ct, wanted);
                    if let Some(a) = a {
                        d_q.acc(Tensor::new(q.shape(), a).into());
                    }
                    if let Some(b) = b {
                        d_k.acc(Tensor::new(k.shape(), b).into());
                    }
                    if let Some(c) = c {
                        d_v.acc(Tensor::new(v.shape(), c).into());
                    }
                    attention!(@acc $active d $($x $t)?);
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity, clippy::too_many_arguments)]
            #[track_caller]
            pub fn $jvp<K: Shape, V: Shape $(, $P: $PB)*>(
                &self,
                t_q: &Self,
                keys: &Tensor<K, T, D>,
                t_k: &Tensor<K, T, D>,
                values: &Tensor<V, T, D>,
                t_v: &Tensor<V, T, D>,
                $($y: &$Y, _: attention!(@sized $MY),)?
                $($x: &$X, $t: $TX,)?
                options: Attention,
                _: impl Sized,
            ) -> (
                Tensor<<S as $Attend<K, V>>::Out, T, D>,
                Tensor<<S as $Attend<K, V>>::Out, T, D>,
            )
            where
                S: $Attend<K, V>,
                <S as $Attend<K, V>>::Pairs: Attending<S, K, V>,
                $($w)*
            {
                let options = attention!(@checked $name $grouped, [self, keys, values] options, |$q, $k| $check);
                let $m = $prepare;
                let mask = $mask;
                let qkv = [self.raw(), keys.raw(), values.raw()];
                let done = Raw::attention(qkv, &mask, options);
                let bias = attention!(@bias $active $($t)?);
                let tangents = [t_q.raw(), t_k.raw(), t_v.raw()];
                let tangent = done.pushforward(qkv, &mask, tangents, bias);
                let shape = self.shape().attended(values.shape());
                (Tensor::new(shape, done.value()), Tensor::new(shape, tangent))
            }
        }
    };
    // The options, once the sizes are checked.
    (@checked $name:ident $grouped:expr, [$x:expr, $keys:ident, $values:ident] $options:ident, |$q:ident, $k:ident| $check:block) => {{
        sizes_fit(
            stringify!($name),
            check_attend($x.shape(), $keys.shape(), $values.shape(), $grouped),
        );
        let ($q, $k) = ($x.shape(), $keys.shape());
        $check
        $options.sizeless($x.dims()[S::RANK - 1])
    }};
    (@sized $M:ident) => { impl Sized };
    (@on yes $M:ident) => { $M::ON };
    (@on no $($M:ident)?) => { false };
    (@acc yes $d:ident $x:ident $t:ident) => {
        if let Some(d) = $d {
            $t.acc(Tensor::new($x.shape(), d.sum_to(&$x.dims())).into());
        }
    };
    (@acc no $d:ident $($x:ident $t:ident)?) => { let _ = ($d, $($t)?); };
    (@bias yes $t:ident) => { Some($t.raw()) };
    (@bias no $($t:ident)?) => { None };
}

attention! {
    /// Scaled dot-product attention, `softmax(q·kᵀ/√D)·v` with the softmax along the keys: queries `[.., Tq, D]`, keys `[..,
    /// Tk, D]` and values `[.., Tk, Dv]` with the same leading axes (none, batch, batch and heads, …) give `[.., Tq, Dv]`.
    /// The options are [`Attention::new()`], for decoders `Attention::new().causal()`.
    ///
    /// The matrix of `Tq × Tk` weights is never stored, nor for the derivative (Dao et al. 2022).
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// // 2 sequences of 16 tokens, 4 heads of size 8.
    /// let q: Tensor![f32; 2, 4, 16, 8] = Tensor::ones();
    /// let (k, v) = (&q * 0.5, &q * 3.0);
    /// let y = q.attention(&k, &v, Attention::new().causal());
    /// // All keys are alike, so the result is the mean of the values.
    /// assert!((y[[1, 3, 15, 7]] - 3.0).abs() < 1e-6);
    /// ```
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes, or `D` is 0.
    attention __attention_vjp __attention_jvp;
    by Attend, grouped false;
    with [] [] active no;
    and [];
    check |_q, _k| {}
    mask |_m| () => Masking::None;
    where [] derivative [];
}

attention! {
    /// As [`attention`](Tensor::attention), where a query sees the keys with `true` in the mask only: one of shape
    /// `[Tq, Tk]`, or with more trailing axes of `[.., Tq, Tk]`. Other axes are repeated, without a copy, by
    /// [`expand`](Tensor::expand). With [`causal`](Attention::causal) both must allow a key.
    ///
    /// A query that sees no key gives zeros.
    ///
    /// # Panics
    /// As [`attention`](Tensor::attention).
    attention_masked __attention_masked_vjp __attention_masked_jvp;
    by Attend, grouped false;
    with [mask: Tensor<R, bool, D>, M3, _t: impl Sized] [R: Shape] active no;
    and [];
    check |q, k| { sizes_fit("attention_masked", check_same(q.scores(k), mask.shape())); }
    mask |_m| () => Masking::Visible(mask.raw());
    where [
        <S as Attend<K, V>>::Scores: Broadcast<R, Joint = <S as Attend<K, V>>::Scores>,
        <<S as Attend<K, V>>::Scores as Broadcast<R>>::Pairs: Paired<<S as Attend<K, V>>::Scores, R>,
    ] derivative [];
}

attention! {
    /// As [`attention`](Tensor::attention), with `bias` added to the scores before the softmax: relative positions, for
    /// example. Its shape is `[Tq, Tk]`, or more trailing axes of `[.., Tq, Tk]`. Its gradient is summed over the axes that
    /// it lacks. A bias of −∞ hides a key.
    ///
    /// # Panics
    /// As [`attention`](Tensor::attention).
    attention_biased __attention_biased_vjp __attention_biased_jvp;
    by Attend, grouped false;
    with [bias: Tensor<R, T, D>, M3, t_bias: &Tensor<R, T, D>] [R: Shape] active yes;
    and [];
    check |q, k| { sizes_fit("attention_biased", check_same(q.scores(k), bias.shape())); }
    mask |_m| () => Masking::Bias(bias.raw());
    where [
        <S as Attend<K, V>>::Scores: Broadcast<R, Joint = <S as Attend<K, V>>::Scores>,
        <<S as Attend<K, V>>::Scores as Broadcast<R>>::Pairs: Paired<<S as Attend<K, V>>::Scores, R>,
    ] derivative [];
}

attention! {
    /// As [`attention`](Tensor::attention) of sequences of different lengths: entry `i` of the first axis has
    /// `lengths[i]` keys, and what follows them is padding, which is not read. [`causal`](Attention::causal) counts keys
    /// with the padding.
    ///
    /// # Panics
    /// As [`attention`](Tensor::attention), and if a length is negative or greater than the number of keys.
    attention_padded __attention_padded_vjp __attention_padded_jvp;
    by Attend, grouped false;
    with [lengths: Tensor<(<S as Axis<0>>::Dim,), X, D>, M3, _t: impl Sized] [X: Index] active no;
    and [];
    check |q, _k| {
        const { assert!(S::RANK > 2, "the first axis of padded attention numbers the sequences") };
        sizes_fit("attention_padded", check_same((Axis::<0>::axis(q),), lengths.shape()));
    }
    mask |lengths| lengths.raw().cast::<i64>() => Masking::Lengths(&lengths);
    where [S: Axis<0>] derivative [Tensor<(<S as Axis<0>>::Dim,), X, D>: Differentiable,];
}

attention! {
    /// As [`attention`](Tensor::attention) with fewer heads of keys and values than of queries (grouped-query attention,
    /// Ainslie et al. 2023; with one of them multi-query attention): queries `[.., H, Tq, D]`, keys `[.., G, Tk, D]`, values
    /// `[.., G, Tk, Dv]` with `H` a multiple of `G`. Neighbouring heads of queries share keys and values, which are
    /// not repeated in memory.
    ///
    /// # Panics
    /// As [`attention`](Tensor::attention).
    attention_grouped __attention_grouped_vjp __attention_grouped_jvp;
    by AttendGrouped, grouped true;
    with [] [] active no;
    and [];
    check |_q, _k| {}
    mask |_m| () => Masking::None;
    where [] derivative [];
}

/// The bias, −∞ where a key is hidden.
#[track_caller]
fn hide<T: Float, D: Backend>(mask: &Raw<bool, D>, bias: &Raw<T, D>) -> Raw<T, D> {
    let hidden = Raw::scalar(bias.device(), -T::INFINITY);
    Raw::select(mask, bias, &hidden)
}

attention! {
    /// As [`attention_biased`](Tensor::attention_biased), where a query sees the keys with `true` in the mask only, as in
    /// [`attention_masked`](Tensor::attention_masked): `q.attention_masked_biased(&k, &v, &mask, &bias, options)`. The bias of a
    /// hidden key has the gradient 0.
    ///
    /// # Panics
    /// As [`attention`](Tensor::attention).
    attention_masked_biased __attention_masked_biased_vjp __attention_masked_biased_jvp;
    by Attend, grouped false;
    with [bias: Tensor<R, T, D>, M4, t_bias: &Tensor<R, T, D>] [Q: Shape, R: Shape] active yes;
    and [mask: Tensor<Q, bool, D>, M3];
    check |q, k| {
        sizes_fit("attention_masked_biased", check_same(q.scores(k), mask.shape()));
        sizes_fit("attention_masked_biased", check_same(q.scores(k), bias.shape()));
    }
    mask |merged| hide(mask.raw(), bias.raw()) => Masking::Bias(&merged);
    where [
        <S as Attend<K, V>>::Scores: Broadcast<Q, Joint = <S as Attend<K, V>>::Scores>,
        <<S as Attend<K, V>>::Scores as Broadcast<Q>>::Pairs: Paired<<S as Attend<K, V>>::Scores, Q>,
        <S as Attend<K, V>>::Scores: Broadcast<R, Joint = <S as Attend<K, V>>::Scores>,
        <<S as Attend<K, V>>::Scores as Broadcast<R>>::Pairs: Paired<<S as Attend<K, V>>::Scores, R>,
    ] derivative [];
}

attention! {
    /// [`attention_grouped`](Tensor::attention_grouped) with a mask: one of shape `[Tq, Tk]`, or with more trailing axes of `[.., H,
    /// Tq, Tk]`, as in [`attention_masked`](Tensor::attention_masked).
    ///
    /// # Panics
    /// As [`attention`](Tensor::attention).
    attention_grouped_masked __attention_grouped_masked_vjp __attention_grouped_masked_jvp;
    by AttendGrouped, grouped true;
    with [mask: Tensor<R, bool, D>, M3, _t: impl Sized] [R: Shape] active no;
    and [];
    check |q, k| { sizes_fit("attention_grouped_masked", check_same(q.scores(k), mask.shape())); }
    mask |_m| () => Masking::Visible(mask.raw());
    where [
        <S as AttendGrouped<K, V>>::Scores: Broadcast<R, Joint = <S as AttendGrouped<K, V>>::Scores>,
        <<S as AttendGrouped<K, V>>::Scores as Broadcast<R>>::Pairs: Paired<<S as AttendGrouped<K, V>>::Scores, R>,
    ] derivative [];
}

attention! {
    /// [`attention_grouped`](Tensor::attention_grouped) with a bias: one of shape `[Tq, Tk]`, or with more trailing axes of `[.., H,
    /// Tq, Tk]`, as in [`attention_biased`](Tensor::attention_biased).
    ///
    /// # Panics
    /// As [`attention`](Tensor::attention).
    attention_grouped_biased __attention_grouped_biased_vjp __attention_grouped_biased_jvp;
    by AttendGrouped, grouped true;
    with [bias: Tensor<R, T, D>, M3, t_bias: &Tensor<R, T, D>] [R: Shape] active yes;
    and [];
    check |q, k| { sizes_fit("attention_grouped_biased", check_same(q.scores(k), bias.shape())); }
    mask |_m| () => Masking::Bias(bias.raw());
    where [
        <S as AttendGrouped<K, V>>::Scores: Broadcast<R, Joint = <S as AttendGrouped<K, V>>::Scores>,
        <<S as AttendGrouped<K, V>>::Scores as Broadcast<R>>::Pairs: Paired<<S as AttendGrouped<K, V>>::Scores, R>,
    ] derivative [];
}

attention! {
    /// [`attention_grouped`](Tensor::attention_grouped) with a mask and a bias, as in
    /// [`attention_masked_biased`](Tensor::attention_masked_biased).
    ///
    /// # Panics
    /// As [`attention`](Tensor::attention).
    attention_grouped_masked_biased __attention_grouped_masked_biased_vjp __attention_grouped_masked_biased_jvp;
    by AttendGrouped, grouped true;
    with [bias: Tensor<R, T, D>, M4, t_bias: &Tensor<R, T, D>] [Q: Shape, R: Shape] active yes;
    and [mask: Tensor<Q, bool, D>, M3];
    check |q, k| {
        sizes_fit("attention_grouped_masked_biased", check_same(q.scores(k), mask.shape()));
        sizes_fit("attention_grouped_masked_biased", check_same(q.scores(k), bias.shape()));
    }
    mask |merged| hide(mask.raw(), bias.raw()) => Masking::Bias(&merged);
    where [
        <S as AttendGrouped<K, V>>::Scores: Broadcast<Q, Joint = <S as AttendGrouped<K, V>>::Scores>,
        <<S as AttendGrouped<K, V>>::Scores as Broadcast<Q>>::Pairs: Paired<<S as AttendGrouped<K, V>>::Scores, Q>,
        <S as AttendGrouped<K, V>>::Scores: Broadcast<R, Joint = <S as AttendGrouped<K, V>>::Scores>,
        <<S as AttendGrouped<K, V>>::Scores as Broadcast<R>>::Pairs: Paired<<S as AttendGrouped<K, V>>::Scores, R>,
    ] derivative [];
}
