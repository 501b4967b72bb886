//! Products of matrices.
use super::*;
