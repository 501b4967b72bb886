//! The gradients of `std::autodiff`, in a library of their own: its pass goes over the whole program and stops at code of
//! this project's dependencies.

#![feature(autodiff)]

use std::autodiff::autodiff_reverse;

/// Adds the gradient of a function at `x` to `d`, and gives the value.
type Gradient = fn(x: &[f64], d: &mut [f64], seed: f64) -> f64;

macro_rules! source {
    ($($d:ident($($activity:ident),*) pub fn $name:ident $rest:tt -> f64 $body:block)*) => {
        $(#[autodiff_reverse($d, $($activity),*)] pub fn $name $rest -> f64 $body)*

        const GRADIENTS: &[(&str, Gradient)] = &[$((stringify!($name), $d)),*];
    };
}
include!("../../functions.rs");

/// The gradient of the function of this name.
#[unsafe(no_mangle)]
pub fn gradient_of(name: &str) -> Option<Gradient> {
    let (_, gradient) = GRADIENTS.iter().find(|(n, _)| *n == name)?;
    Some(*gradient)
}
