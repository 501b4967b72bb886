//! Products of matrices and vectors, by axes or by letters.

pub(in crate::ops) mod affine;
pub(in crate::ops) mod einsum;
pub(in crate::ops) mod matmul;
pub(in crate::ops) mod products;
pub(in crate::ops) mod tensordot;
