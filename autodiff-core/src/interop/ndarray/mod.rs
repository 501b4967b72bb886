//! Arrays of [ndarray](https://docs.rs/ndarray) that own their entries, of `f32` and `f64`: `Array1`, `Array2` and any
//! other number of axes. A gradient is an array of the same type and shape.
//!
//! ```
//! use differentiable::prelude::*;
//! use ndarray::{Array1, Array2, array};
//!
//! /// The loss of a logistic regression.
//! #[differentiable]
//! fn loss(w: &Array1<f64>, bias: f64, #[constant] x: &Array2<f64>, #[constant] y: &Array1<f64>) -> f64 {
//!     let scores = (x.dot(w) + bias) * y;
//!     scores.mapv(|s| (-s).exp().ln_1p()).mean().unwrap()
//! }
//!
//! let (x, y) = (array![[1.0, 2.0], [3.0, -1.0]], array![1.0, -1.0]);
//! let (by_w, by_bias) = loss::grad(&Array1::zeros(2), 0.0, &x, &y);
//! assert_eq!((by_w, by_bias), (array![0.5, -0.75], 0.0));
//! ```
//!
//! Operators are `+`, `-`, `*` and `/` of two arrays and of an array and a number, by value and by reference, and
//! assigning. Where ndarray repeats the smaller operand, its gradient is a sum. Methods:
//!
//! - products: `dot` of vectors and matrices;
//! - numbers of arrays: `sum`, `mean`, `var`, `std`, and along an axis `sum_axis`, `mean_axis`;
//! - of each entry: `mapv` and `map` with a closure or a function, `exp`, `exp2`, `exp_m1`, `ln`, `log2`, `log10`, `ln_1p`,
//!   `sqrt`, `cbrt`, `recip`, `abs`, `fract`, `powi`, `powf`, `to_degrees`, `to_radians`, and the trigonometric and
//!   hyperbolic functions and their inverses;
//! - parts, which are copies in the code of the derivative: `row`, `column`, `diag`, `index_axis`, `slice(s![..])`, `t`,
//!   `view`; and `to_owned`, `reversed_axes`, `insert_axis`, `into_shape_with_order`;
//! - constructors: `array![..]`, `from_vec`, `from`, `from_elem`, `from_shape_vec`, `from_iter`, and what is constant, such
//!   as `zeros`.
//!
//! Entries are read and written as `v[i]` and `m[[i, j]]` or `m[(i, j)]`. `iter` and `iter_mut` go through all entries,
//! `rows`, `outer_iter` and `columns` through those of a matrix, in `for` loops and chains; a chain is collected into an
//! `Array1`. A matrix that is gone through by `iter` says its type: as a parameter, or `let m: Array2<f64> = ..`.
//!
//! Views are no parameters: a pullback borrows nothing. Take `&Array1<f64>` and give it `&m.row(i).to_owned()`. Nor are
//! there `assign`, `row_mut` and other writes to parts, `Zip`, `fold`, and products of arrays with a dynamic number of
//! axes. `higher_order` is not for arrays.

mod constructors;
mod functions;
mod methods_of;
mod nth;
mod operators;
mod parts;
mod products;
mod space;

/// The numbers that arrays are made of: `f32` and `f64`.
pub trait Real:
    crate::ad::Scalar + ndarray::LinalgScalar + num_traits::FromPrimitive + crate::interop::rule::Flat
{
}
impl Real for f32 {}
impl Real for f64 {}

/// The traits whose methods generated code calls.
#[doc(hidden)]
pub mod methods {
    pub use super::constructors::{Array1Rules as _, ConstructorRules as _};
    pub use super::functions::MapRules as _;
    pub use super::methods_of::{
        ArrayRules as _, AxisRules as _, OwnedRules as _, VarianceRules as _,
    };
    pub use super::parts::{MatrixRules as _, PartRules as _, SubviewRules as _};
    pub use super::products::DotRules as _;
}
