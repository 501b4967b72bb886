//! Several elements become one, or each depends on those before: sums, extremes, scans, sorting, softmax.

pub(in crate::ops) mod fold;
pub(in crate::ops) mod mask_axes;
pub(in crate::ops) mod quantile;
pub(in crate::ops) mod scan;
pub(in crate::ops) mod softmax;
pub(in crate::ops) mod sort;
pub(in crate::ops) mod sums;
