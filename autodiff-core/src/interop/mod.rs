//! Values of other crates in annotated functions, each behind a feature of the crate's name.
//!
//! | feature | what | gradients are |
//! |---|---|---|
//! | `glam` | vectors, matrices and quaternions of two to four dimensions, `f32` and `f64` | of the type itself |
//! | `nalgebra` | `SVector`, `SMatrix`, `DVector`, `DMatrix` of `f32` and `f64` | of the type itself |
//! | `ndarray` | `Array1`, `Array2` and so on of `f32` and `f64`; views as arguments | arrays that own their entries |
//! | `typenum` | its unsigned integers as sizes of tensors, and arrays of `generic-array` | of the tensor |
//! | `argmin` | annotated functions as problems of its solvers | what the solver takes |
//!
//! Operators and methods run as the other crate wrote them, so values are the same to the bit; what stands here are
//! their derivatives. An operation without one does not compile in an annotated function.
//! A derivative is taken entry by entry: all entries of a matrix, all four of a quaternion are free, as if nothing
//! held it symmetric or of length one.

#[cfg(any(feature = "glam", feature = "nalgebra", feature = "ndarray"))]
#[macro_use]
mod rule;

#[cfg(feature = "argmin")]
pub mod argmin;
#[cfg(feature = "glam")]
pub mod glam;
#[cfg(feature = "nalgebra")]
pub mod nalgebra;
#[cfg(feature = "ndarray")]
pub mod ndarray;
#[cfg(feature = "typenum")]
pub mod typenum;
