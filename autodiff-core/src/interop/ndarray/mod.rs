//! Arrays of [ndarray](https://docs.rs/ndarray), of `f32` and `f64`.

mod functions;
mod methods_of;
mod nth;
mod operators;
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
    pub use super::functions::MapRules as _;
    pub use super::methods_of::{
        Array1Rules as _, ArrayRules as _, AxisRules as _, ConstructorRules as _, MatrixRules as _,
        OwnedRules as _, PartRules as _, SubviewRules as _, VarianceRules as _,
    };
    pub use super::products::DotRules as _;
}
