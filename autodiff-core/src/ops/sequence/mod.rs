//! Sequences: attention, recurrent layers.

pub(in crate::ops) mod attention;
pub(in crate::ops) mod recurrent;
