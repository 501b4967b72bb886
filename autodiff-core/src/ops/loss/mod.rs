//! Losses: what a prediction is off by.

pub(in crate::ops) mod entropy;
pub(in crate::ops) mod losses;
