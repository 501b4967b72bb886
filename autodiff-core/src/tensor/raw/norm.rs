//! Normalisation of untyped tensors.

use super::Raw;
use crate::device::{Backend, BinaryOp, Float, NormShape};

/// What the derivatives of a normalisation need.
#[derive(Clone, Debug)]
pub struct Normalised<T: Float, D: Backend> {
    shape: NormShape,
    /// The input, dense.
    x: Raw<T, D>,
    /// What [`Backend::norm`] keeps of each row.
    stats: Raw<T, D>,
}

impl<T: Float, D: Backend> Raw<T, D> {
    /// Normalises the rows that `shape` describes; the sizes of `self` stay.
    #[must_use]
    #[track_caller]
    pub fn normalise(
        &self,
        shape: NormShape,
        scale: &Self,
        shift: &Self,
    ) -> (Self, Normalised<T, D>) {
        let device = self.device().clone();
        let x = self.clone().contiguous();
        let (scale, shift) = (scale.clone().contiguous(), shift.clone().contiguous());
        let mut out = Raw::unspecified(&device, *x.dims());
        let mut stats = Raw::unspecified(&device, [shape.rows, NormShape::STATS]);
        device.norm(
            &shape,
            x.view(),
            scale.view(),
            shift.view(),
            out.view_mut(),
            stats.view_mut(),
        );
        (out, Normalised { shape, x, stats })
    }
}

impl<T: Float, D: Backend> Normalised<T, D> {
    /// The cotangents of the input, of the scale and of the shift.
    #[must_use]
    #[track_caller]
    pub fn pullback(&self, scale: &Raw<T, D>, ct: &Raw<T, D>) -> [Raw<T, D>; 3] {
        let device = ct.device().clone();
        let (scale, ct) = (scale.clone().contiguous(), ct.clone().contiguous());
        let mut d_x = Raw::unspecified(&device, *ct.dims());
        let mut d_scale = Raw::unspecified(&device, *scale.dims());
        let mut d_shift = Raw::unspecified(&device, *scale.dims());
        device.norm_pullback(
            &self.shape,
            self.x.view(),
            self.stats.view(),
            scale.view(),
            ct.view(),
            d_x.view_mut(),
            d_scale.view_mut(),
            d_shift.view_mut(),
        );
        [d_x, d_scale, d_shift]
    }

    /// The tangent of the output from those of the input, the scale and the shift.
    #[must_use]
    #[track_caller]
    pub fn pushforward(
        &self,
        scale: &Raw<T, D>,
        t: &Raw<T, D>,
        t_scale: &Raw<T, D>,
        t_shift: &Raw<T, D>,
    ) -> Raw<T, D> {
        let device = t.device().clone();
        let mut hat = Raw::unspecified(&device, *t.dims());
        let t = t.clone().contiguous();
        device.norm_pushforward(
            &self.shape,
            self.x.view(),
            self.stats.view(),
            t.view(),
            hat.view_mut(),
        );
        // γ·dx̂ + (dγ·x̂ + dβ), with the channels beside one another.
        let s = &self.shape;
        let images = s.rows.checked_div(s.groups).unwrap_or(0);
        let sizes = [images, s.groups, s.per_group, s.inner];
        let scale = scale.reshape([1, s.groups, s.per_group, 1]).expand(sizes);
        let scaled = Raw::binary(BinaryOp::Mul, hat.into_reshaped(sizes), scale);
        let (mut tangent, _) = self.x.normalise(self.shape, t_scale, t_shift);
        tangent.add_assign(&scaled.into_reshaped(*t.dims()));
        tangent
    }
}
