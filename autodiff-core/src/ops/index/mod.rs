//! Elements by position: rows, entries along an axis, single numbers.

pub(in crate::ops) mod access;
pub(in crate::ops) mod rows;
pub(in crate::ops) mod scatter;
