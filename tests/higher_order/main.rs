//! Derivatives of higher order: Hessians, products with them, nested gradients, Jacobians by columns.
#![allow(missing_docs)]

mod hessians;
mod jacobians;
mod nested;
mod structs;
