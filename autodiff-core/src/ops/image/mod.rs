//! Images: convolutions, pooling, other sizes.

pub(in crate::ops) mod conv;
pub(in crate::ops) mod resample;
