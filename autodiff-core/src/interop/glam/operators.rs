//! `+ - * /` and the sign, by value, by reference and assigning.
//!
//! With a cotangent `c` of `m·v`, the matrix is given `c vᵀ` and the vector `mᵀ c`. For a quaternion `q = (b, w)` of
//! any length, `q·v = (w² − b·b) v + 2 (b·v) b + 2w b×v`.

use super::numbers::{Numbers, Outer};
use super::quaternions::Rotation;
use crate::ad::{Acc, Binary, Ct, Differentiable, NegRule, Wit, ops, unless_zero};
use crate::interop::rule::Flat;
use glam::*;

/// What all types have: sums, the sign, and products with a number.
macro_rules! linear {
    ($($V:ident $T:ident)*) => { $(
        impl NegRule for $V {
            #[inline]
            fn pull<D: Acc<$V>>(_: &Wit<$V>, ct: &Ct<$V>, d: &mut D) {
                d.acc($V::start(-$V::flat(*ct)));
            }
            #[inline]
            fn push(_: &$V, _: &$V, t: &$V) -> $V {
                -*t
            }
        }
        additive! { AddRule [] $V, $V => $V; |ct| ct, ct; |t| t, t }
        additive! { SubRule [] $V, $V => $V; |ct| ct, -ct; |t| t, -t }
        product! { [] $V, $T => $V; |ct, a, k| ct * *k, ct.inner(*a) }
        quotient! { [] $V, $T => $V; |ct, k, out| ct.over(*k), unless_zero(ct.inner(*out), -ct.inner(*out) / *k);
            |t| t.over(*k), (-(*out * t)).over(*k) }
    )* };
}
linear!(Vec2 f32 Vec3 f32 Vec4 f32 Quat f32 Mat2 f32 Mat3 f32 Mat4 f32);
linear!(DVec2 f64 DVec3 f64 DVec4 f64 DQuat f64 DMat2 f64 DMat3 f64 DMat4 f64);

/// A number on the left.
macro_rules! scaled {
    ($($V:ident $T:ident)*) => { $(
        product! { [] $T, $V => $V; |ct, k, a| ct.inner(*a), ct * *k }
    )* };
}
scaled!(Vec2 f32 Vec3 f32 Vec4 f32 Mat2 f32 Mat3 f32 Mat4 f32);
scaled!(DVec2 f64 DVec3 f64 DVec4 f64 DMat2 f64 DMat3 f64 DMat4 f64);

/// Vectors entry by entry, and with a number for each entry.
macro_rules! entrywise {
    ($($V:ident $T:ident)*) => { $(
        product! { [] $V, $V => $V; |ct, a, b| ct * *b, ct * *a }
        quotient! { [] $V, $V => $V; |ct, b, out| ct.over_each(*b), (-(ct * *out)).over_each(*b);
            |t| t.over_each(*b), (-(*out * t)).over_each(*b) }
        quotient! { [] $T, $V => $V; |ct, b, out| ct.over_each(*b).element_sum(), (-(ct * *out)).over_each(*b);
            |t| $V::splat(t).over_each(*b), (-(*out * t)).over_each(*b) }
        additive! { AddRule [] $V, $T => $V; |ct| ct, ct.element_sum(); |t| t, $V::splat(t) }
        additive! { AddRule [] $T, $V => $V; |ct| ct.element_sum(), ct; |t| $V::splat(t), t }
        additive! { SubRule [] $V, $T => $V; |ct| ct, -ct.element_sum(); |t| t, -$V::splat(t) }
        additive! { SubRule [] $T, $V => $V; |ct| ct.element_sum(), -ct; |t| $V::splat(t), -t }
    )* };
}
entrywise!(Vec2 f32 Vec3 f32 Vec4 f32 DVec2 f64 DVec3 f64 DVec4 f64);

/// Matrices by vectors and by matrices.
macro_rules! matrices {
    ($($M:ident $V:ident)*) => { $(
        product! { [] $M, $V => $V; |ct, m, v| ct.outer(*v), m.transpose() * ct }
        product! { [] $M, $M => $M; |ct, a, b| ct * b.transpose(), a.transpose() * ct }
    )* };
}
matrices!(Mat2 Vec2 Mat3 Vec3 Mat4 Vec4 DMat2 DVec2 DMat3 DVec3 DMat4 DVec4);

macro_rules! quaternions {
    ($($Q:ident $V:ident)*) => { $(
        // The transpose of a multiplication by `q` is that by its conjugate.
        product! { [] $Q, $Q => $Q; |ct, a, b| ct * b.conjugate(), a.conjugate() * ct }
        // Of second degree in `q`: both operands are kept.
        impl Binary<ops::Mul, $V> for $Q {
            type Out = $V;
            #[inline]
            fn pull(q: &$Q, v: &$V, ct: Ct<$V>, dq: &mut Ct<$Q>, dv: &mut Ct<$V>) {
                let ct = $V::flat(ct);
                Acc::<$Q>::acc(dq, $Q::start(q.turn_back(ct, *v)));
                Acc::<$V>::acc(dv, $V::start(q.conjugate().turn(ct)));
            }
            #[inline]
            fn push(q: &$Q, v: &$V, tq: &$Q, tv: &$V) -> $V {
                q.turn_along(*tq, *v) + q.turn(*tv)
            }
        }
    )* };
}
quaternions!(Quat Vec3 DQuat DVec3);
