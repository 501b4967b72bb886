//! Vectors, matrices and quaternions of [glam](https://docs.rs/glam): `Vec2` to `Vec4`, `Mat2` to `Mat4`, `Quat` and
//! the same of `f64`, `DVec2` and so on.
//!
//! ```
//! use differentiable::prelude::*;
//! use glam::{DQuat, DVec3};
//!
//! /// How far a rotated arm ends from where it should.
//! #[differentiable]
//! fn miss(angle: f64, arm: DVec3, target: DVec3) -> f64 {
//!     (DQuat::from_rotation_z(angle) * arm).distance(target)
//! }
//!
//! let (by_angle, by_arm, by_target) = miss::grad(0.0, DVec3::X, DVec3::new(1.0, 2.0, 0.0));
//! assert_eq!((by_angle, by_arm, by_target), (-1.0, -DVec3::Y, DVec3::Y));
//! ```
//!
//! Operators are those of glam but `%`. Parts are `v.x`, `v[0]`, `m.x_axis.y`; they can be assigned. Methods:
//!
//! - vectors: `new`, `splat`, `from_array`, `to_array`, `dot`, `cross`, `perp`, `perp_dot`, `rotate`, `from_angle`,
//!   `length`, `length_squared`, `distance`, `distance_squared`, `normalize`, `lerp`, `reflect`, `element_sum`,
//!   `truncate`, `extend`, and `from` of arrays, of tuples of numbers, and of a shorter vector with numbers;
//! - matrices: `from_cols`, `from_diagonal`, `from_angle`, `transpose`, `diagonal`, `determinant`, `inverse`, `col`, `row`,
//!   `mul_vec2` to `mul_vec4`, `mul_mat2` to `mul_mat4`, `transform_point3`, `transform_vector3`;
//! - quaternions: `from_xyzw`, `from_array`, `from_vec4`, `from_axis_angle`, `from_rotation_x`, `_y` and `_z`, `to_array`,
//!   `xyz`, `conjugate`, `inverse`, `dot`, `length`, `length_squared`, `normalize`, `mul_vec3`, `mul_quat`.

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
        DVec2Rules as _, DVec3Rules as _, DVec4Rules as _, Extended as _, FromRules as _,
        Vec2Rules as _, Vec3Rules as _, Vec4Rules as _,
    };
}
