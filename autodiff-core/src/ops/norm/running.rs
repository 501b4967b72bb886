//! Batch normalisation with given statistics, as in inference: `batch_norm_inference`.
//!
//! `y = γ·(x − m)·r + β` with `r = 1/√(v + ε)`, for each channel. With the sums `s = Σ c` and `p = Σ c·(x − m)` over
//! the entries of a channel, the pullback of `c` is
//!
//! | operand | cotangent |
//! |---|---|
//! | `x` | `γ·r·c` |
//! | `m` | `−γ·r·s` |
//! | `v` | `−½·γ·r³·p` |
//! | `γ` | `r·p` |
//! | `β` | `s` |

use crate::ad::{Acc, Inactive};
use crate::device::{Backend, BinaryOp, Float, UnaryOp};
use crate::ops::norm::rows::for_each_channel;
use crate::ops::scaled;
use crate::shape::{Axis, Shape};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

/// A vector with an entry for each channel.
type Channels<S, T, D> = Tensor<(<S as Axis<1>>::Dim,), T, D>;

#[track_caller]
fn mul<T: Float, D: Backend>(a: &Raw<T, D>, b: &Raw<T, D>) -> Raw<T, D> {
    Raw::binary_ref(BinaryOp::Mul, a, b)
}

/// `1/√(v + ε)`
#[track_caller]
fn rate<T: Float, D: Backend>(var: &Raw<T, D>, eps: f64) -> Raw<T, D> {
    let moved = var.clone().binary_scalar(BinaryOp::Add, T::lit(eps));
    moved.unary(UnaryOp::Rsqrt)
}

/// `−½·r³`, the derivative of [`rate`].
#[track_caller]
fn slope<T: Float, D: Backend>(r: &Raw<T, D>) -> Raw<T, D> {
    scaled(r.clone().unary(UnaryOp::Powi(3)), -0.5)
}

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// Each channel (axis 1) normalised with a given mean and variance, then scaled and shifted, as
    /// [`batch_norm`](Tensor::batch_norm) is in inference:
    /// `x.batch_norm_inference(&mean, &variance, &scale, &shift, 1e-5)`. `eps` is added to the variance.
    ///
    /// # Panics
    /// If a run-time number of channels differs.
    #[derivative(
        mode eps: Inactive;
        active mean, variance, scale, shift;
        pull |ct, x, mean, variance, scale, shift, d_x, d_mean, d_variance, d_scale, d_shift, _| {
            let Some(ct) = ct.raw() else { return };
            let r = rate(variance.raw(), eps);
            let factor = mul(scale.raw(), &r);
            let to_channels = |raw| Tensor::new(shift.shape(), raw);
            if M0::ON {
                let zero = Raw::zeros(ct.device(), *factor.dims());
                let d = ct.channel_affine(&zero, &factor, &zero);
                d_x.acc(Tensor::new(x.shape(), d).into());
            }
            if M1::ON || M4::ON {
                let sums = ct.channel_sums();
                if M1::ON {
                    d_mean.acc(to_channels(mul(&sums, &factor).unary(UnaryOp::Neg)).into());
                }
                if M4::ON {
                    d_shift.acc(to_channels(sums).into());
                }
            }
            if M2::ON || M3::ON {
                let moments = x.raw().channel_moments(mean.raw(), ct);
                if M2::ON {
                    let d = mul(&mul(scale.raw(), &slope(&r)), &moments);
                    d_variance.acc(to_channels(d).into());
                }
                if M3::ON {
                    d_scale.acc(to_channels(mul(&moments, &r)).into());
                }
            }
        };
        push {
            let r = rate(variance.raw(), eps);
            let factor = mul(scale.raw(), &r);
            let mut t_factor = mul(t_scale.raw(), &r);
            t_factor.add_assign(&mul(&mul(scale.raw(), &slope(&r)), t_variance.raw()));
            let mut tangent = t.raw().channel_affine(t_mean.raw(), &factor, t_shift.raw());
            let zero = Raw::zeros(self.device(), *factor.dims());
            tangent.add_assign(&self.raw().channel_affine(mean.raw(), &t_factor, &zero));
            Tensor::new(self.shape(), tangent)
        };
    )]
    #[track_caller]
    pub fn batch_norm_inference(
        &self,
        mean: &Channels<S, T, D>,
        variance: &Channels<S, T, D>,
        scale: &Channels<S, T, D>,
        shift: &Channels<S, T, D>,
        eps: f64,
    ) -> Self
    where
        S: Axis<1>,
    {
        let vectors = [
            ("mean", mean.raw()),
            ("variance", variance.raw()),
            ("scale", scale.raw()),
            ("shift", shift.raw()),
        ];
        let channels = self.dims()[1];
        for_each_channel::<<S as Axis<1>>::Dim, _, _>("batch_norm_inference", channels, &vectors);
        let factor = mul(scale.raw(), &rate(variance.raw(), eps));
        let out = self.raw().channel_affine(mean.raw(), &factor, shift.raw());
        Tensor::new(self.shape(), out)
    }
}
