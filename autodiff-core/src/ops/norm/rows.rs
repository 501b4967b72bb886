//! Normalisation: `layer_norm`, `rms_norm`, `group_norm`, `instance_norm`, `batch_norm`.
//!
//! `y = γ·x̂ + β` with `x̂ = (x − m)/√(v + ε)`, where the mean `m` and the variance `v` (divided by the count, not
//! by one less) are those of
//!
//! | operation | of |
//! |---|---|
//! | `layer_norm` (Ba et al. 2016) | the last axis |
//! | `rms_norm` (Zhang & Sennrich 2019) | the last axis, with `m = 0` and no `β` |
//! | `group_norm` (Wu & He 2018) | the channels of a group and all axes behind, for each image |
//! | `instance_norm` | all axes behind the channel, for each image and channel |
//! | `batch_norm` (Ioffe & Szegedy 2015) | all axes but the channel |
//!
//! The pullback of `c` is `r·(γc − mean(γc) − x̂·mean(x̂·γc))` for `x` with `r = 1/√(v + ε)`, and for `γ` and `β` the sums of
//! `c·x̂` and of `c` over all entries of a channel.

use crate::ad::{Acc, Adj, Ct, Inactive, Mode};
use crate::device::{Backend, Dims, Float, NormShape};
use crate::shape::arith::DivExact;
use crate::shape::{Axis, Dim, Last, Shape, Sz};
use crate::tensor::{Normalised, Raw, Tensor};
use autodiff_macros::rule;

/// Rows along the last axis, whose entries are channels.
#[track_caller]
fn last_axis(dims: &Dims, eps: f64, centred: bool) -> NormShape {
    let width = dims[dims.rank() - 1];
    NormShape {
        rows: dims[..dims.rank() - 1].iter().product(),
        width,
        groups: 1,
        per_group: width,
        inner: 1,
        eps,
        centred,
    }
}

/// For each image, groups of the channels on axis 1.
#[track_caller]
fn grouped(dims: &Dims, groups: usize, eps: f64) -> NormShape {
    // Of no channels there are no groups.
    let per_group = dims[1].checked_div(groups).unwrap_or(0);
    let inner = dims[2..].iter().product();
    NormShape {
        rows: dims[0] * groups,
        width: per_group * inner,
        groups,
        per_group,
        inner,
        eps,
        centred: true,
    }
}

/// Rows of one channel each, where the channels are the first axis.
#[track_caller]
fn by_channel(dims: &Dims, eps: f64) -> NormShape {
    let inner = dims[1..].iter().product();
    NormShape {
        rows: dims[0],
        width: inner,
        groups: dims[0],
        per_group: 1,
        inner,
        eps,
        centred: true,
    }
}

/// [`Raw::normalise`], if there is a scale and a shift for each channel.
#[track_caller]
fn normalise<C: Dim, T: Float, D: Backend>(
    op: &str,
    x: &Raw<T, D>,
    shape: NormShape,
    scale: &Raw<T, D>,
    shift: &Raw<T, D>,
) -> (Raw<T, D>, Normalised<T, D>) {
    let channels = shape.groups * shape.per_group;
    for_each_channel::<C, _, _>(op, channels, &[("scale", scale), ("shift", shift)]);
    x.normalise(shape, scale, shift)
}

/// That vectors have an entry for each channel.
#[track_caller]
pub(in crate::ops) fn for_each_channel<C: Dim, T: Float, D: Backend>(
    op: &str,
    channels: usize,
    vectors: &[(&str, &Raw<T, D>)],
) {
    for (what, vector) in vectors {
        let given = vector.numel();
        assert!(
            given == channels,
            "{op}: dimension `{}` is {channels} in the tensor and {given} in the {what}",
            C::NAME
        );
    }
}

/// Normalisation with a scale and a shift of each channel.
macro_rules! normalisation {
    ($(
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident [$(const $G:ident)?] channels $C:ty;
        rows |$dims:ident, $eps:ident| $shape:expr;
        swap $swap:expr;
        where [$($w:tt)*];
    )*) => { $(
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name<$(const $G: usize)?>(
                &self,
                scale: &Tensor<($C,), T, D>,
                shift: &Tensor<($C,), T, D>,
                eps: f64,
            ) -> Self
            where
                $($w)*
            {
                let x = swapped(self.raw(), $swap);
                let ($dims, $eps) = (x.dims(), eps);
                let (out, _) = normalise::<$C, _, _>(stringify!($name), &x, $shape, scale.raw(), shift.raw());
                Tensor::new(self.shape(), swapped(&out, $swap))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode, M2: Mode, M3: Inactive $(, const $G: usize)?>(
                &self,
                _: (M0, M1, M2, M3),
                scale: &Tensor<($C,), T, D>,
                shift: &Tensor<($C,), T, D>,
                eps: f64,
            ) -> (
                Self,
                impl FnOnce(
                    Ct<Self>,
                    &Self,
                    &Tensor<($C,), T, D>,
                    &Tensor<($C,), T, D>,
                    &mut Adj<Self, M0>,
                    &mut Adj<Tensor<($C,), T, D>, M1>,
                    &mut Adj<Tensor<($C,), T, D>, M2>,
                    &mut Adj<f64, M3>,
                ) + Clone + use<M0, M1, M2, M3, S, T, D $(, $G)?>,
            )
            where
                $($w)*
            {
                let x = swapped(self.raw(), $swap);
                let ($dims, $eps) = (x.dims(), eps);
                let (out, saved) = normalise::<$C, _, _>(stringify!($name), &x, $shape, scale.raw(), shift.raw());
                let saved = (M0::ON || M1::ON || M2::ON).then_some(saved);
                let out = Tensor::new(self.shape(), swapped(&out, $swap));
                (out, move |ct, x, scale, shift, d_x, d_scale, d_shift, _| {
                    let (Some(saved), Some(ct)) = (saved, ct.raw()) else { return };
                    let [a, b, c] = saved.pullback(scale.raw(), &swapped(ct, $swap));
                    if M0::ON {
                        d_x.acc(Tensor::new(x.shape(), swapped(&a, $swap)).into());
                    }
                    if M1::ON {
                        d_scale.acc(Tensor::new(scale.shape(), b).into());
                    }
                    if M2::ON {
                        d_shift.acc(Tensor::new(shift.shape(), c).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::too_many_arguments)]
            #[track_caller]
            pub fn $jvp<$(const $G: usize)?>(
                &self,
                t: &Self,
                scale: &Tensor<($C,), T, D>,
                t_scale: &Tensor<($C,), T, D>,
                shift: &Tensor<($C,), T, D>,
                t_shift: &Tensor<($C,), T, D>,
                eps: f64,
                _: impl Sized,
            ) -> (Self, Self)
            where
                $($w)*
            {
                let x = swapped(self.raw(), $swap);
                let ($dims, $eps) = (x.dims(), eps);
                let (out, saved) = normalise::<$C, _, _>(stringify!($name), &x, $shape, scale.raw(), shift.raw());
                let t = swapped(t.raw(), $swap);
                let tangent = saved.pushforward(scale.raw(), &t, t_scale.raw(), t_shift.raw());
                (
                    Tensor::new(self.shape(), swapped(&out, $swap)),
                    Tensor::new(self.shape(), swapped(&tangent, $swap)),
                )
            }
        }
    )* };
}

/// The first two axes exchanged, or nothing done.
#[track_caller]
fn swapped<T: Float, D: Backend>(x: &Raw<T, D>, swap: bool) -> Raw<T, D> {
    if swap { x.transpose(0, 1) } else { x.clone() }
}

/// The size of the channel axis of a tensor.
type Channel<S> = <S as Axis<1>>::Dim;

normalisation! {
    /// The last axis normalised to mean 0 and variance 1, then scaled and shifted entry by entry:
    /// `x.layer_norm(&scale, &shift, 1e-5)`, with `scale` and `shift` of the size of that axis. `eps` is added to
    /// the variance.
    layer_norm __layer_norm_vjp __layer_norm_jvp [] channels <S as Last>::Dim;
    rows |dims, eps| last_axis(dims, eps, true);
    swap false;
    where [S: Last];

    /// The channels (axis 1) of each image normalised in `G` groups, together with all axes behind:
    /// `x.group_norm::<8>(&scale, &shift, 1e-5)`, with `scale` and `shift` of the number of channels.
    group_norm __group_norm_vjp __group_norm_jvp [const G] channels Channel<S>;
    rows |dims, eps| grouped(dims, G, eps);
    swap false;
    where [S: Axis<1>, Channel<S>: DivExact<Sz<G>>];

    /// Each channel (axis 1) of each image normalised over all axes behind:
    /// `x.instance_norm(&scale, &shift, 1e-5)`.
    instance_norm __instance_norm_vjp __instance_norm_jvp [] channels Channel<S>;
    rows |dims, eps| grouped(dims, dims[1], eps);
    swap false;
    where [S: Axis<1>];

    /// Each channel (axis 1) normalised over all other axes, as in training:
    /// `x.batch_norm(&scale, &shift, 1e-5)`. The statistics for inference are those of
    /// [`mean_axis`](Tensor::mean_axis) and its like.
    batch_norm __batch_norm_vjp __batch_norm_jvp [] channels Channel<S>;
    rows |dims, eps| by_channel(dims, eps);
    swap true;
    where [S: Axis<1>];
}

#[rule]
impl<S: Last, T: Float, D: Backend> Tensor<S, T, D> {
    /// The last axis divided by its root mean square, then scaled entry by entry:
    /// `x.rms_norm(&scale, 1e-6)`. `eps` is added to the mean square.
    #[derivative(
        mode eps: Inactive;
        active scale;
        let shape = last_axis(&self.dims(), eps, false);
        let shift = Raw::zeros(self.device(), scale.dims());
        let (out, saved) =
        normalise::<<S as Last>::Dim, _, _>("rms_norm", self.raw(), shape, scale.raw(), &shift);
        let saved = (M0::ON || M1::ON).then_some(saved);
        let out = Tensor::new(self.shape(), out);
        value out;
        pull |ct, x, scale, d_x, d_scale, _| {
            let (Some(saved), Some(ct)) = (saved, ct.raw()) else {
                return;
            };
            let [a, b, _] = saved.pullback(scale.raw(), ct);
            if M0::ON {
                d_x.acc(Tensor::new(x.shape(), a).into());
            }
            if M1::ON {
                d_scale.acc(Tensor::new(scale.shape(), b).into());
            }
        };
        both {
            let shape = last_axis(&self.dims(), eps, false);
            let zeros = Raw::zeros(self.device(), scale.dims());
            let (out, saved) =
            normalise::<<S as Last>::Dim, _, _>("rms_norm", self.raw(), shape, scale.raw(), &zeros);
            let tangent = saved.pushforward(scale.raw(), t.raw(), t_scale.raw(), &zeros);
            (
                Tensor::new(self.shape(), out),
                Tensor::new(self.shape(), tangent),
            )
        };
    )]
    #[track_caller]
    pub fn rms_norm(&self, scale: &Tensor<(<S as Last>::Dim,), T, D>, eps: f64) -> Self {
        let shape = last_axis(&self.dims(), eps, false);
        let shift = Raw::zeros(self.device(), scale.dims());
        let (out, _) =
            normalise::<<S as Last>::Dim, _, _>("rms_norm", self.raw(), shape, scale.raw(), &shift);
        Tensor::new(self.shape(), out)
    }
}
