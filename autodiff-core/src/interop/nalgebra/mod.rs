//! Vectors and matrices of [nalgebra](https://docs.rs/nalgebra), of `f32` and `f64`: those of static size, `SVector`
//! and `SMatrix` (`Vector3`, `Matrix2` and so on), and `DVector` and `DMatrix`.
//!
//! ```
//! use differentiable::prelude::*;
//! use nalgebra::{DMatrix, DVector};
//!
//! #[differentiable]
//! fn misfit(x: &DMatrix<f64>, y: &DVector<f64>, w: &DVector<f64>) -> f64 {
//!     (x * w - y).norm_squared()
//! }
//!
//! let (x, y) = (DMatrix::identity(2, 2), DVector::from_vec(vec![1.0, 3.0]));
//! let (_, _, by_w) = misfit::grad(&x, &y, &DVector::zeros(2));
//! assert_eq!(by_w, DVector::from_vec(vec![-2.0, -6.0]));
//! ```
//!
//! Operators are `+`, `-`, `*` and `/` of matrices and of a matrix and a number, where nalgebra has them. Methods: `dot`,
//! `norm`, `norm_squared`, `normalize`, `sum`, `component_mul`, `component_div`, `add_scalar`, `scale`, `transpose`,
//! `trace`, `determinant`, `try_inverse`; `diagonal` of static size, `lerp` and `from_vec` of `DVector`, `cross` and
//! `perp` of vectors of three and two numbers, `repeat` and `from_element`, `from` of an array, and `new` of `Vector2` to `Vector4`, `Matrix2` and `Matrix3`.
//!
//! Entries are read and written as `v[i]` and `m[(i, j)]`. There is no `v.x` in an annotated function: nalgebra reaches
//! it through a conversion by reference, of which a derivative would need two at a time for `v.x * v.y`.
//!
//! Rows whose length is known at run time (`RowDVector`), views (`m.column(0)`, `v.rows(1, 2)`) and the types of
//! geometry (`Rotation3`, `Isometry3`, `UnitQuaternion`) are not supported, nor are factorisations as values
//! (`m.lu()`): `m.try_inverse()` has a derivative, and for others `#[derivative]` takes a rule of yours.

mod methods_of;
mod operators;
mod space;

pub use space::Grid;

/// The numbers that matrices are made of: `f32` and `f64`.
pub trait Real:
    crate::ad::Scalar + nalgebra::RealField + crate::interop::rule::Flat + crate::ad::NotBoxed
{
}
impl Real for f32 {}
impl Real for f64 {}

/// The traits whose methods generated code calls.
#[doc(hidden)]
pub mod methods {
    pub use super::methods_of::{
        ArrayRules as _, DMatrixRules as _, DVectorRules as _, InverseRules as _,
        Matrix2Rules as _, Matrix3Rules as _, SMatrixRules as _, SquareRules as _,
        Vector2Rules as _, Vector3Rules as _, Vector4Rules as _,
    };
}
