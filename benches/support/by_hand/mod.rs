//! Derivatives written by hand, as an expert would: what those of the macro are measured against
//! and compared with. Each returns the value too.

pub mod ba;
pub mod gmm;
pub mod llsq;
pub mod lse;
pub mod lstm;
