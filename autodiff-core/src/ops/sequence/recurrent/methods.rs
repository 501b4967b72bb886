//! The methods and their derivatives.

use super::{axes, biases, check, untyped};
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, Cell, Float};
use crate::ops::OrPanic;
use crate::shape::{Dim, Sz};
use crate::tensor::{LayerCotangents, LayerRun, Tensor};

/// A layer; `memory` if the state has a part `c`. The letters name axes of equal size.
macro_rules! recurrent {
    (
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident by $cell:ident -> $Out:ty;
        weights $IH:ty = $ih:literal, $HH:ty = $hh:literal;
        biases $($b:ident $t_b:ident $MB:ident: $B:ty = $letters:literal),+;
        memory $($c0:ident $t_c0:ident $ct_c:ident $MC:ident: $C:ty)?;
    ) => {
        impl<L: Dim, B: Dim, I: Dim, T: Float, D: Backend> Tensor<(L, B, I), T, D> {
            $(#[$doc])*
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $name<H: Dim>(
                &self,
                w_ih: &Tensor<$IH, T, D>,
                w_hh: &Tensor<$HH, T, D>,
                $($b: &Tensor<$B, T, D>,)+
                h0: &Tensor<(B, H), T, D>,
                $($c0: &Tensor<$C, T, D>,)?
            ) -> $Out {
                recurrent!(@run $name $cell self, w_ih $ih w_hh $hh [$($b $letters)+] h0 [$($c0)?] => layer run);
                recurrent!(@results self h0 run.out(), run.h(&layer) $(, run.c(&layer), $c0)?)
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity, clippy::too_many_arguments)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode, M2: Mode, $($MB: Mode,)+ MH: Mode, $($MC: Mode,)? H: Dim>(
                &self,
                _: (M0, M1, M2, $($MB,)+ MH, $($MC)?),
                w_ih: &Tensor<$IH, T, D>,
                w_hh: &Tensor<$HH, T, D>,
                $($b: &Tensor<$B, T, D>,)+
                h0: &Tensor<(B, H), T, D>,
                $($c0: &Tensor<$C, T, D>,)?
            ) -> (
                $Out,
                impl FnOnce(
                    Ct<$Out>,
                    &Self,
                    &Tensor<$IH, T, D>,
                    &Tensor<$HH, T, D>,
                    $(&Tensor<$B, T, D>,)+
                    &Tensor<(B, H), T, D>,
                    $(&Tensor<$C, T, D>,)?
                    &mut Adj<Self, M0>,
                    &mut Adj<Tensor<$IH, T, D>, M1>,
                    &mut Adj<Tensor<$HH, T, D>, M2>,
                    $(&mut Adj<Tensor<$B, T, D>, $MB>,)+
                    &mut Adj<Tensor<(B, H), T, D>, MH>,
                    $(&mut Adj<Tensor<$C, T, D>, $MC>,)?
                ) + Clone
                + use<M0, M1, M2, $($MB,)+ MH, $($MC,)? H, L, B, I, T, D>,
            ) {
                recurrent!(@run $name $cell self, w_ih $ih w_hh $hh [$($b $letters)+] h0 [$($c0)?] => layer run);
                let y = recurrent!(@results self h0 run.out(), run.h(&layer) $(, run.c(&layer), $c0)?);
                let wanted = [M0::ON, M1::ON, M2::ON];
                let any = wanted.contains(&true) || $($MB::ON ||)+ MH::ON $(|| $MC::ON)?;
                let saved: Option<LayerRun<T, D>> = any.then_some(run);
                (y, move |ct, x, w_ih, w_hh, $($b,)+ h0, $($c0,)? d_x, d_ih, d_hh, $($t_b,)+ d_h, $($t_c0,)?| {
                    let (ct_out, ct_h $(, $ct_c)?) = &ct;
                    let cts = LayerCotangents {
                        out: ct_out.raw(),
                        h: ct_h.raw(),
                        c: recurrent!(@or None, $($ct_c.raw())?),
                    };
                    let Some(saved) = saved else { return };
                    if cts.out.or(cts.h).or(cts.c).is_none() {
                        return;
                    }
                    let operands = [x.raw(), w_ih.raw(), w_hh.raw()];
                    let layer = untyped(Cell::$cell, operands, &[$($b.raw()),+], &[h0.raw() $(, $c0.raw())?]);
                    let ([a, b, c], [bias, h, memory]) = saved.pullback(&layer, cts, wanted);
                    if let Some(a) = a {
                        d_x.acc(Tensor::new(x.shape(), a.into_reshaped(x.dims())).into());
                    }
                    if let Some(b) = b {
                        d_ih.acc(Tensor::new(w_ih.shape(), b.into_reshaped(w_ih.dims())).into());
                    }
                    if let Some(c) = c {
                        d_hh.acc(Tensor::new(w_hh.shape(), c.into_reshaped(w_hh.dims())).into());
                    }
                    let dims = [$($b.dims()),+][0];
                    let mut parts = biases(Cell::$cell, bias, dims).into_iter();
                    $(
                        let part = parts.next().expect("a part for each bias");
                        $t_b.acc(Tensor::new($b.shape(), part).into());
                    )+
                    d_h.acc(Tensor::new(h0.shape(), h).into());
                    recurrent!(@memory memory $($c0 $t_c0)?);
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity, clippy::too_many_arguments)]
            #[track_caller]
            pub fn $jvp<H: Dim>(
                &self,
                t_self: &Self,
                w_ih: &Tensor<$IH, T, D>,
                t_ih: &Tensor<$IH, T, D>,
                w_hh: &Tensor<$HH, T, D>,
                t_hh: &Tensor<$HH, T, D>,
                $($b: &Tensor<$B, T, D>, $t_b: &Tensor<$B, T, D>,)+
                h0: &Tensor<(B, H), T, D>,
                t_h0: &Tensor<(B, H), T, D>,
                $($c0: &Tensor<$C, T, D>, $t_c0: &Tensor<$C, T, D>,)?
            ) -> ($Out, $Out) {
                recurrent!(@run $name $cell self, w_ih $ih w_hh $hh [$($b $letters)+] h0 [$($c0)?] => operands run);
                let tangents = [t_self.raw(), t_ih.raw(), t_hh.raw()];
                let state = [t_h0.raw() $(, $t_c0.raw())?];
                let tangents = untyped(Cell::$cell, tangents, &[$($t_b.raw()),+], &state);
                let [out, h, memory] = run.pushforward(&operands, &tangents);
                let y = recurrent!(@results self h0 run.out(), run.h(&operands) $(, run.c(&operands), $c0)?);
                let t = recurrent!(@results self h0 out, h $(, memory, $c0)?);
                recurrent!(@memory_unused $cell memory);
                (y, t)
            }
        }
    };
    (@run $name:ident $cell:ident $x:expr, $w_ih:ident $ih:literal $w_hh:ident $hh:literal [$($b:ident $letters:literal)+] $h0:ident [$($c0:ident)?] => $layer:ident $run:ident) => {
        check(&[
            axes("LBI", $x.shape()),
            axes($ih, $w_ih.shape()),
            axes($hh, $w_hh.shape()),
            $(axes($letters, $b.shape()),)+
            axes("BH", $h0.shape()),
            $(axes("BH", $c0.shape()),)?
        ])
        .or_panic(stringify!($name));
        let operands = [$x.raw(), $w_ih.raw(), $w_hh.raw()];
        let $layer = untyped(Cell::$cell, operands, &[$($b.raw()),+], &[$h0.raw() $(, $c0.raw())?]);
        let $run = $layer.run(Cell::$cell);
    };
    (@results $x:ident $h0:ident $out:expr, $h:expr $(, $c:expr, $c0:ident)?) => {{
        let ((steps, batch, _), (_, hidden)) = ($x.shape(), $h0.shape());
        (
            Tensor::new((steps, batch, hidden), $out),
            Tensor::new((batch, hidden), $h),
            $(Tensor::new($c0.shape(), $c),)?
        )
    }};
    (@or $a:expr,) => { $a };
    (@or $a:expr, $b:expr) => { $b };
    (@memory $d:ident) => { drop($d) };
    (@memory $d:ident $c0:ident $t:ident) => { $t.acc(Tensor::new($c0.shape(), $d).into()) };
    (@memory_unused Lstm $d:ident) => {};
    (@memory_unused $cell:ident $d:ident) => { drop($d) };
}

recurrent! {
    /// A layer of long short-term memory over whole sequences `[steps, batch, inputs]` from the state `h0`, `c0`. Gives `h` after
    /// each step and the last `h` and `c`.
    ///
    /// With `i`, `f`, `g`, `o` the gates of a step, in this order in the weights and the bias: `i = σ(x·w_ih[0]ᵀ + h·w_hh[0]ᵀ +
    /// bias[0])`, and likewise `f`, `g` (by `tanh`) and `o`; then `c ← f∘c + i∘g` and `h ← o∘tanh(c)`. PyTorch's `nn.LSTM` has
    /// two biases, of which this is the sum, and its weights have the gates and units in one axis: `weight_ih_l0` with
    /// its `4H × I` entries in the shape `[4, H, I]` is `w_ih`.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// // 5 steps of 2 sequences with 3 inputs; 4 units.
    /// let x: Tensor![5, 2, 3] = Tensor::randn(0);
    /// let (w_ih, w_hh): (Tensor![4, 4, 3], Tensor![4, 4, 4]) = (Tensor::randn(1), Tensor::randn(2));
    /// let bias: Tensor![4, 4] = Tensor::zeros();
    /// let (h0, c0): (Tensor![2, 4], Tensor![2, 4]) = (Tensor::zeros(), Tensor::zeros());
    /// let (y, h, c) = x.lstm(&w_ih, &w_hh, &bias, &h0, &c0);
    /// assert_eq!(y[[4, 1, 2]], h[[1, 2]]);
    /// # let _ = c;
    /// ```
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    lstm __lstm_vjp __lstm_jvp by Lstm -> (Tensor<(L, B, H), T, D>, Tensor<(B, H), T, D>, Tensor<(B, H), T, D>);
    weights (Sz<4>, H, I) = "4HI", (Sz<4>, H, H) = "4HH";
    biases bias t_bias M3: (Sz<4>, H) = "4H";
    memory c0 t_c0 ct_c M5: (B, H);
}

recurrent! {
    /// A layer of gated recurrent units over whole sequences `[steps, batch, inputs]` from the state `h0`. Gives `h` after each
    /// step and the last one.
    ///
    /// With the gates `r`, `u`, `n` of a step, in this order in weights and biases: `r = σ(x·w_ih[0]ᵀ + b_ih[0] + h·w_hh[0]ᵀ +
    /// b_hh[0])`, likewise `u`, and `n = tanh(x·w_ih[2]ᵀ + b_ih[2] + r∘(h·w_hh[2]ᵀ + b_hh[2]))`; then `h ← (1 − u)∘n + u∘h`.
    /// This is PyTorch's `nn.GRU`, whose weights and biases have gates and units in one axis: `weight_ih_l0` with its `3H × I`
    /// entries in the shape `[3, H, I]` is `w_ih`.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// // 5 steps of 2 sequences with 3 inputs; 4 units.
    /// let x: Tensor![5, 2, 3] = Tensor::randn(0);
    /// let (w_ih, w_hh): (Tensor![3, 4, 3], Tensor![3, 4, 4]) = (Tensor::randn(1), Tensor::randn(2));
    /// let b: Tensor![3, 4] = Tensor::zeros();
    /// let h0: Tensor![2, 4] = Tensor::zeros();
    /// let (y, h) = x.gru(&w_ih, &w_hh, &b, &b, &h0);
    /// assert_eq!(y[[4, 1, 2]], h[[1, 2]]);
    /// ```
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    gru __gru_vjp __gru_jvp by Gru -> (Tensor<(L, B, H), T, D>, Tensor<(B, H), T, D>);
    weights (Sz<3>, H, I) = "3HI", (Sz<3>, H, H) = "3HH";
    biases b_ih t_b_ih M3: (Sz<3>, H) = "3H", b_hh t_b_hh M4: (Sz<3>, H) = "3H";
    memory;
}

recurrent! {
    /// A layer of plain recurrent units over whole sequences `[steps, batch, inputs]` from the state `h0`: in each step `h ←
    /// tanh(x·w_ihᵀ + h·w_hhᵀ + bias)`. Gives `h` after each step and the last one.
    ///
    /// Weights are those of PyTorch's `nn.RNN`, `[units, inputs]` and `[units, units]`; the bias is the sum of its two.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// // 5 steps of 2 sequences with 3 inputs; 4 units.
    /// let x: Tensor![5, 2, 3] = Tensor::randn(0);
    /// let (w_ih, w_hh): (Tensor![4, 3], Tensor![4, 4]) = (Tensor::randn(1), Tensor::randn(2));
    /// let (bias, h0): (Tensor![4], Tensor![2, 4]) = (Tensor::zeros(), Tensor::zeros());
    /// let (y, h) = x.rnn(&w_ih, &w_hh, &bias, &h0);
    /// assert_eq!(y[[4, 1, 2]], h[[1, 2]]);
    /// ```
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    rnn __rnn_vjp __rnn_jvp by Rnn -> (Tensor<(L, B, H), T, D>, Tensor<(B, H), T, D>);
    weights (H, I) = "HI", (H, H) = "HH";
    biases bias t_bias M3: (H,) = "H";
    memory;
}
