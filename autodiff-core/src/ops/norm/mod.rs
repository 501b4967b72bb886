//! Normalisation of rows, groups and channels.

mod channels;
pub(in crate::ops) mod rows;
pub(in crate::ops) mod running;
