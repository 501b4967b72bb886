//! The seam between tensor operations and the machine that runs them.
