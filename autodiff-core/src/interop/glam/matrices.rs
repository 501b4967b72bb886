//! Methods of matrices.
//!
//! With `B = A⁻¹` and a cotangent `C` of it, `A` is given `−Bᵀ C Bᵀ`; of `det A` the matrix of cofactors, which exists
//! for singular matrices too.

use super::numbers::{Numbers, Outer};
use crate::ad::Scalar;
use core::array::from_fn;
use glam::*;

/// The derivatives of the determinant by the entries.
trait Cofactors {
    fn cofactors(self) -> Self;
}

macro_rules! cofactors {
    ($($M2:ident $M3:ident $V3:ident $M4:ident;)*) => { $(
        impl Cofactors for $M2 {
            #[inline]
            fn cofactors(self) -> Self {
                let [a, b, c, d] = self.to_cols_array();
                $M2::from_cols_array(&[d, -c, -b, a])
            }
        }
        impl Cofactors for $M3 {
            #[inline]
            fn cofactors(self) -> Self {
                let $M3 { x_axis: x, y_axis: y, z_axis: z } = self;
                $M3::from_cols(y.cross(z), z.cross(x), x.cross(y))
            }
        }
        impl Cofactors for $M4 {
            #[inline]
            fn cofactors(self) -> Self {
                $M4::from_cols_array_2d(&cofactors(&self.to_cols_array_2d()))
            }
        }
    )* };
}
cofactors! { Mat2 Mat3 Vec3 Mat4; DMat2 DMat3 DVec3 DMat4; }

/// Each is the determinant of what is left without its row and its column, with the sign of its place.
fn cofactors<S: Scalar>(m: &[[S; 4]; 4]) -> [[S; 4]; 4] {
    from_fn(|i| {
        from_fn(|j| {
            let rest: [[S; 3]; 3] =
                from_fn(|r| from_fn(|c| m[r + usize::from(r >= i)][c + usize::from(c >= j)]));
            let [x, y, z] = rest;
            let minor = x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0])
                + x[2] * (y[0] * z[1] - y[1] * z[0]);
            if (i + j) % 2 == 0 { minor } else { -minor }
        })
    })
}

/// The matrix that has `v` in one column.
macro_rules! matrix {
    ($Trait:ident $M:ident $V:ident $T:ident $mul:ident $mul_vjp:ident $mul_jvp:ident $by:ident $by_vjp:ident $by_jvp:ident
     { $($f:ident $df:ident $i:literal),* } { $($more:tt)* }) => {
        rules! {
            #[doc = concat!("The derivatives of the methods of `", stringify!($M), "`.")]
            copy $Trait [] [] for $M where [];
            fn from_cols __from_cols_vjp __from_cols_jvp |ct| [$($f $df: $V => ct.$f),*] -> $M;
                push $M::from_cols($($df),*);
            fn from_diagonal __from_diagonal_vjp __from_diagonal_jvp |ct| [v dv: $V => ct.diagonal()] -> $M;
                push $M::from_diagonal(dv);
            transpose __transpose_vjp __transpose_jvp |ct| [a da => ct.transpose()] [] [] -> $M;
                push da.transpose();
            diagonal __diagonal_vjp __diagonal_jvp |ct| [a da => $M::from_diagonal(ct)] [] [] -> $V;
                push da.diagonal();
            determinant __determinant_vjp __determinant_jvp |ct| [a da => a.cofactors() * ct] [] [] -> $T;
                push a.cofactors().inner(da);
            inverse __inverse_vjp __inverse_jvp |ct| [a da => -(b.transpose() * ct * b.transpose())] [] [] -> $M, b;
                push -(b * da * b);
            col __col_vjp __col_jvp |ct| [a da => ct.outer($V::AXES[i])] []
                [i di: usize => ()] -> $V;
                push da.col(i);
            row __row_vjp __row_jvp |ct| [a da => $V::AXES[i].outer(ct)] []
                [i di: usize => ()] -> $V;
                push da.row(i);
            $mul $mul_vjp $mul_jvp |ct| [a da => ct.outer(v)] [] [v dv: $V => a.transpose() * ct] -> $V;
                push da * v + a * dv;
            $by $by_vjp $by_jvp |ct| [a da => ct * b.transpose()] [b db: $M => a.transpose() * ct] [] -> $M;
                push da * b + a * db;
            $($more)*
        }
    };
}

macro_rules! matrices {
    ($(($A:ident $M2:ident $V2:ident) ($B:ident $M3:ident $V3:ident) ($C:ident $M4:ident $V4:ident) $T:ident;)*) => { $(
        matrix!($A $M2 $V2 $T mul_vec2 __mul_vec2_vjp __mul_vec2_jvp mul_mat2 __mul_mat2_vjp __mul_mat2_jvp
            { x_axis dx 0, y_axis dy 1 } {
            fn from_angle __from_angle_vjp __from_angle_jvp |ct| [angle da: $T => {
                    let (sin, cos) = angle.sin_cos();
                    $M2::from_cols_array(&[-sin, cos, -cos, -sin]).inner(ct)
                }] -> $M2;
                push {
                    let (sin, cos) = angle.sin_cos();
                    $M2::from_cols_array(&[-sin, cos, -cos, -sin]) * da
                };
        });
        matrix!($B $M3 $V3 $T mul_vec3 __mul_vec3_vjp __mul_vec3_jvp mul_mat3 __mul_mat3_vjp __mul_mat3_jvp
            { x_axis dx 0, y_axis dy 1, z_axis dz 2 } {});
        matrix!($C $M4 $V4 $T mul_vec4 __mul_vec4_vjp __mul_vec4_jvp mul_mat4 __mul_mat4_vjp __mul_mat4_jvp
            { x_axis dx 0, y_axis dy 1, z_axis dz 2, w_axis dw 3 } {
            transform_point3 __transform_point3_vjp __transform_point3_jvp |ct|
                [a da => ct.extend(0.0).outer(p.extend(1.0))] []
                [p dp: $V3 => (a.transpose() * ct.extend(0.0)).truncate()] -> $V3;
                push (da * p.extend(1.0) + a * dp.extend(0.0)).truncate();
            transform_vector3 __transform_vector3_vjp __transform_vector3_jvp |ct|
                [a da => ct.extend(0.0).outer(p.extend(0.0))] []
                [p dp: $V3 => (a.transpose() * ct.extend(0.0)).truncate()] -> $V3;
                push (da * p.extend(0.0) + a * dp.extend(0.0)).truncate();
        });
    )* };
}

matrices! {
    (Mat2Rules Mat2 Vec2) (Mat3Rules Mat3 Vec3) (Mat4Rules Mat4 Vec4) f32;
    (DMat2Rules DMat2 DVec2) (DMat3Rules DMat3 DVec3) (DMat4Rules DMat4 DVec4) f64;
}
