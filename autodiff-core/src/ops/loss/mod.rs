//! Losses: what a prediction is off by.

pub(in crate::ops) mod classes;
pub(in crate::ops) mod ctc;
pub(in crate::ops) mod entropy;
pub(in crate::ops) mod losses;
pub(in crate::ops) mod options;
