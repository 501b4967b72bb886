//! The same elements in other places: shapes, slices, joins, padding, copies.

pub(in crate::ops) mod entry;
pub(in crate::ops) mod extent;
pub(in crate::ops) mod grid;
pub(in crate::ops) mod join;
pub(in crate::ops) mod padding;
pub(in crate::ops) mod parts;
pub(in crate::ops) mod rearrange;
pub(in crate::ops) mod rolling;
pub(in crate::ops) mod shape;
pub(in crate::ops) mod stacked;
pub(in crate::ops) mod stated;
