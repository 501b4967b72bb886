//! Tensor operations: API, rule and kernel call of each under one name.
