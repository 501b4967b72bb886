//! Vectors, matrices and quaternions of [glam](https://docs.rs/glam): `Vec2` to `Vec4`, `Mat2` to `Mat4`, `Quat` and
//! the same of `f64`, `DVec2` and so on.

mod matrices;
mod numbers;
mod operators;
mod parts;
mod quaternions;
mod space;
mod vectors;

pub use parts::{Columns2, Columns3, Columns4, Xy, Xyz, Xyzw};

/// The traits whose methods generated code calls.
#[doc(hidden)]
pub mod methods {
    pub use super::matrices::{
        DMat2Rules as _, DMat3Rules as _, DMat4Rules as _, Mat2Rules as _, Mat3Rules as _,
        Mat4Rules as _,
    };
    pub use super::quaternions::{DQuatRules as _, QuatRules as _};
    pub use super::vectors::{
        DVec2Rules as _, DVec3Rules as _, DVec4Rules as _, Vec2Rules as _, Vec3Rules as _,
        Vec4Rules as _,
    };
}
