//! Derivatives written by hand, as an expert would: what those of the macro are measured against
//! and compared with. Each returns the value too, but for `kmeans`
//! and `saddle`.

pub mod ba;
pub mod gmm;
pub mod kmeans;
pub mod llsq;
pub mod lse;
pub mod lstm;
pub mod particle;
pub mod saddle;
