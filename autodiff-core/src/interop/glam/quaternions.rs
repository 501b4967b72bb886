//! Methods of quaternions.
//!
//! The four numbers are free: a derivative does not know that a rotation is a quaternion of length one. `normalize`
//! after a step along a gradient, or inside of the function, keeps it there.

use super::numbers::Numbers;
use crate::ad::direction as unit;
use glam::*;

/// The rotation `q·v = (w² − b·b) v + 2 (b·v) b + 2w b×v` of `q = (b, w)`, as a function of eight numbers.
pub(super) trait Rotation<V> {
    /// The value.
    fn turn(self, v: V) -> V;
    /// The derivative along a direction of the quaternion.
    fn turn_along(self, t: Self, v: V) -> V;
    /// What the quaternion is given of the cotangent.
    fn turn_back(self, ct: V, v: V) -> Self;
}

macro_rules! rotation {
    ($($Q:ident $V:ident)*) => { $(
        impl Rotation<$V> for $Q {
            #[inline]
            fn turn(self, v: $V) -> $V {
                let (b, w) = (self.xyz(), self.w);
                v * (w * w - b.dot(b)) + (b * b.dot(v) + b.cross(v) * w) * 2.0
            }
            #[inline]
            fn turn_along(self, t: $Q, v: $V) -> $V {
                let (b, w, db, dw) = (self.xyz(), self.w, t.xyz(), t.w);
                let squares = v * (w * dw - b.dot(db));
                let along = db * b.dot(v) + b * db.dot(v);
                (squares + along + b.cross(v) * dw + db.cross(v) * w) * 2.0
            }
            #[inline]
            fn turn_back(self, ct: $V, v: $V) -> $Q {
                let (b, w) = (self.xyz(), self.w);
                let db = (v * b.dot(ct) - b * v.dot(ct) + ct * b.dot(v) + v.cross(ct) * w) * 2.0;
                let dw = 2.0 * (w * v.dot(ct) + b.cross(v).dot(ct));
                $Q::from_xyzw(db.x, db.y, db.z, dw)
            }
        }
    )* };
}
rotation!(Quat Vec3 DQuat DVec3);

macro_rules! quaternions {
    ($($Trait:ident $Q:ident $V3:ident $V4:ident $T:ident $axes:tt;)*) => { $(
        quaternions! { @one $Trait $Q $V3 $V4 $T $axes }
    )* };
    (@one $Trait:ident $Q:ident $V3:ident $V4:ident $T:ident
     { $($from:ident $vjp:ident $jvp:ident $axis:ident),* }) => {
        rules! {
            #[doc = concat!("The derivatives of the methods of `", stringify!($Q), "`.")]
            copy $Trait [] [] for $Q where [];
            fn from_xyzw __from_xyzw_vjp __from_xyzw_jvp |ct|
                [x dx: $T => ct.x, y dy: $T => ct.y, z dz: $T => ct.z, w dw: $T => ct.w] -> $Q;
                push $Q::from_xyzw(dx, dy, dz, dw);
            fn from_array __from_array_vjp __from_array_jvp |ct| [a da: [$T; 4] => ct.to_array()] -> $Q;
                push $Q::from_array(da);
            fn from_vec4 __from_vec4_vjp __from_vec4_jvp |ct| [v dv: $V4 => $V4::from(ct)] -> $Q;
                push $Q::from_vec4(dv);
            fn from_axis_angle __from_axis_angle_vjp __from_axis_angle_jvp |ct| [
                    axis d_axis: $V3 => ct.xyz() * (angle * 0.5).sin(),
                    angle d_angle: $T => {
                        let (sin, cos) = (angle * 0.5).sin_cos();
                        0.5 * (cos * axis.dot(ct.xyz()) - sin * ct.w)
                    }
                ] -> $Q;
                push {
                    let (sin, cos) = (angle * 0.5).sin_cos();
                    let v = d_axis * sin + axis * (0.5 * cos * d_angle);
                    $Q::from_xyzw(v.x, v.y, v.z, -0.5 * sin * d_angle)
                };
            $(
                fn $from $vjp $jvp |ct| [angle da: $T => {
                        let (sin, cos) = (angle * 0.5).sin_cos();
                        0.5 * (cos * ct.$axis - sin * ct.w)
                    }] -> $Q;
                    push {
                        let (sin, cos) = (angle * 0.5).sin_cos();
                        let mut t = $Q::from_xyzw(0.0, 0.0, 0.0, -0.5 * sin * da);
                        t.$axis = 0.5 * cos * da;
                        t
                    };
            )*
            to_array __to_array_vjp __to_array_jvp |ct| [a da => $Q::from_array(ct)] [] [] -> [$T; 4];
                push da.to_array();
            xyz __xyz_vjp __xyz_jvp |ct| [a da => $Q::from_xyzw(ct.x, ct.y, ct.z, 0.0)] [] [] -> $V3;
                push da.xyz();
            conjugate __conjugate_vjp __conjugate_jvp |ct| [a da => ct.conjugate()] [] [] -> $Q;
                push da.conjugate();
            // That of a rotation: glam has the conjugate for it.
            inverse __inverse_vjp __inverse_jvp |ct| [a da => ct.conjugate()] [] [] -> $Q;
                push da.conjugate();
            dot __dot_vjp __dot_jvp |ct| [a da => b * ct] [] [b db: $Q => a * ct] -> $T;
                push da.dot(b) + a.dot(db);
            length __length_vjp __length_jvp |ct| [a da => a * unit(ct, n)] [] [] -> $T, n;
                push unit(a.dot(da), n);
            length_squared __length_squared_vjp __length_squared_jvp |ct| [a da => a * (2.0 * ct)] [] [] -> $T;
                push 2.0 * a.dot(da);
            normalize __normalize_vjp __normalize_jvp |ct|
                [a da => (ct - n * n.dot(ct)).over(a.length())] [] [] -> $Q, n;
                push (da - n * n.dot(da)).over(a.length());
            mul_vec3 __mul_vec3_vjp __mul_vec3_jvp |ct| [q dq => q.turn_back(ct, v)] []
                [v dv: $V3 => q.conjugate().turn(ct)] -> $V3;
                push q.turn_along(dq, v) + q.turn(dv);
            mul_quat __mul_quat_vjp __mul_quat_jvp |ct| [a da => ct * b.conjugate()] []
                [b db: $Q => a.conjugate() * ct] -> $Q;
                push da * b + a * db;
        }
    };
}

quaternions! {
    QuatRules Quat Vec3 Vec4 f32 {
        from_rotation_x __from_rotation_x_vjp __from_rotation_x_jvp x,
        from_rotation_y __from_rotation_y_vjp __from_rotation_y_jvp y,
        from_rotation_z __from_rotation_z_vjp __from_rotation_z_jvp z
    };
    DQuatRules DQuat DVec3 DVec4 f64 {
        from_rotation_x __from_rotation_x_vjp __from_rotation_x_jvp x,
        from_rotation_y __from_rotation_y_vjp __from_rotation_y_jvp y,
        from_rotation_z __from_rotation_z_vjp __from_rotation_z_jvp z
    };
}
