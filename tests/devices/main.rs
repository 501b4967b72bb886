//! Devices that are chosen when the program runs: where tensors are, what crosses the border, what goes wrong there, and
//! what a machine gets that brings only what is required.

mod gpu;
mod minimal;
mod mixed;
mod placement;
mod steps;
