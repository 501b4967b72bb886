//! Operations element by element: arithmetic, functions, masks, conversions.

pub(in crate::ops) mod activation;
pub(in crate::ops) mod arithmetic;
pub(in crate::ops) mod cast;
pub(in crate::ops) mod dropout;
pub(in crate::ops) mod half;
pub(in crate::ops) mod integer;
pub(in crate::ops) mod mask;
pub(in crate::ops) mod mask_ops;
pub(in crate::ops) mod power;
pub(in crate::ops) mod unary;
