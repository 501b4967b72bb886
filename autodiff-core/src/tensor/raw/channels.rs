//! One centre, scale and shift for each channel, untyped. Channels are axis 1.

use super::Raw;
use crate::device::{Backend, Dims, Float};

/// Images, channels, entries of a channel.
#[track_caller]
fn sizes(dims: &Dims) -> [usize; 3] {
    [dims[0], dims[1], dims[2..].iter().product()]
}

impl<T: Float, D: Backend> Raw<T, D> {
    /// `(self − centre)·scale + shift`.
    #[must_use]
    #[track_caller]
    pub fn channel_affine(&self, centre: &Self, scale: &Self, shift: &Self) -> Self {
        let mut out = Raw::unspecified(self.device(), *self.dims());
        let dense = [self, centre, scale, shift].map(|x| x.clone().contiguous());
        let [x, m, a, b] = dense.each_ref().map(Raw::view);
        self.device()
            .channel_affine(sizes(self.dims()), x, m, a, b, out.view_mut());
        out
    }

    /// `Σ ct·(self − centre)` over the entries of each channel.
    #[must_use]
    #[track_caller]
    pub fn channel_moments(&self, centre: &Self, ct: &Self) -> Self {
        let mut out = Raw::unspecified(self.device(), *centre.dims());
        let dense = [self, centre, ct].map(|x| x.clone().contiguous());
        let [x, m, ct] = dense.each_ref().map(Raw::view);
        self.device()
            .channel_moments(sizes(self.dims()), x, m, ct, out.view_mut());
        out
    }

    /// The sum of the entries of each channel.
    #[must_use]
    #[track_caller]
    pub fn channel_sums(&self) -> Self {
        let [images, channels, inner] = sizes(self.dims());
        let sums = self.reshape([images, channels, inner]);
        sums.sum_to(&Dims::new(&[1, channels, 1]))
            .into_reshaped([channels])
    }
}
