//! Methods of vectors.
//!
//! A length and a distance have the derivative zero where they are zero, as `hypot`. `normalize` divides by the length
//! there, so that its value and its derivative are NaN.

use super::numbers::Numbers;
use crate::ad::{Acc, Adj, Ct, Differentiable, Mode, direction as unit};
use crate::interop::rule::Flat;
use glam::*;

/// The methods of every vector; `$N` numbers of type `$T`.
macro_rules! vector {
    ($Trait:ident $V:ident $T:ident $N:literal { $($f:ident $df:ident),* } { $($more:tt)* }) => {
        rules! {
            #[doc = concat!("The derivatives of the methods of `", stringify!($V), "`.")]
            copy $Trait [] [] for $V where [];
            fn new __new_vjp __new_jvp |ct| [$($f $df: $T => ct.$f),*] -> $V; push $V::new($($df),*);
            fn splat __splat_vjp __splat_jvp |ct| [v dv: $T => ct.element_sum()] -> $V; push $V::splat(dv);
            fn from_array __from_array_vjp __from_array_jvp |ct| [a da: [$T; $N] => ct.to_array()] -> $V;
                push $V::from_array(da);
            to_array __to_array_vjp __to_array_jvp |ct| [a da => $V::from_array(ct)] [] [] -> [$T; $N];
                push da.to_array();
            dot __dot_vjp __dot_jvp |ct| [a da => b * ct] [] [b db: $V => a * ct] -> $T;
                push da.dot(b) + a.dot(db);
            element_sum __element_sum_vjp __element_sum_jvp |ct| [a da => $V::splat(ct)] [] [] -> $T;
                push da.element_sum();
            length __length_vjp __length_jvp |ct| [a da => a * unit(ct, n)] [] [] -> $T, n;
                push unit(a.dot(da), n);
            length_squared __length_squared_vjp __length_squared_jvp |ct| [a da => a * (2.0 * ct)] [] [] -> $T;
                push 2.0 * a.dot(da);
            distance __distance_vjp __distance_jvp |ct| [a da => (a - b) * unit(ct, n)] []
                [b db: $V => (b - a) * unit(ct, n)] -> $T, n;
                push unit((a - b).dot(da - db), n);
            distance_squared __distance_squared_vjp __distance_squared_jvp |ct| [a da => (a - b) * (2.0 * ct)] []
                [b db: $V => (b - a) * (2.0 * ct)] -> $T;
                push 2.0 * (a - b).dot(da - db);
            normalize __normalize_vjp __normalize_jvp |ct|
                [a da => (ct - n * n.dot(ct)).over(a.length())] [] [] -> $V, n;
                push (da - n * n.dot(da)).over(a.length());
            lerp __lerp_vjp __lerp_jvp |ct| [a da => ct * (1.0 - s)] []
                [b db: $V => ct * s, s ds: $T => ct.dot(b - a)] -> $V;
                push da * (1.0 - s) + db * s + (b - a) * ds;
            reflect __reflect_vjp __reflect_jvp |ct| [a da => ct - n * (2.0 * n.dot(ct))] []
                [n dn: $V => (a * n.dot(ct) + ct * n.dot(a)) * -2.0] -> $V;
                push da - (n * (da.dot(n) + a.dot(dn)) + dn * a.dot(n)) * 2.0;
            $($more)*
        }
    };
}

macro_rules! vectors {
    ($(($A:ident $V2:ident) ($B:ident $V3:ident) ($C:ident $V4:ident) $T:ident;)*) => { $(
        vector!($A $V2 $T 2 { x dx, y dy } {
            perp __perp_vjp __perp_jvp |ct| [a da => -ct.perp()] [] [] -> $V2; push da.perp();
            perp_dot __perp_dot_vjp __perp_dot_jvp |ct| [a da => b.perp() * -ct] [] [b db: $V2 => a.perp() * ct] -> $T;
                push da.perp_dot(b) + a.perp_dot(db);
            rotate __rotate_vjp __rotate_jvp |ct| [a da => $V2::new(b.x, -b.y).rotate(ct)] []
                [b db: $V2 => $V2::new(a.x, -a.y).rotate(ct)] -> $V2;
                push da.rotate(b) + a.rotate(db);
            fn from_angle __from_angle_vjp __from_angle_jvp |ct|
                [angle da: $T => ct.dot($V2::from_angle(angle).perp())] -> $V2;
                push $V2::from_angle(angle).perp() * da;
            extend __extend_vjp __extend_jvp |ct| [a da => ct.truncate()] [] [z dz: $T => ct.z] -> $V3;
                push da.extend(dz);
            extended __extended_vjp __extended_jvp |ct| [a da => ct.truncate()] [] [z dz: $T => ct.z] -> $V3;
                push da.extend(dz);
        });
        vector!($B $V3 $T 3 { x dx, y dy, z dz } {
            cross __cross_vjp __cross_jvp |ct| [a da => b.cross(ct)] [] [b db: $V3 => ct.cross(a)] -> $V3;
                push da.cross(b) + a.cross(db);
            truncate __truncate_vjp __truncate_jvp |ct| [a da => ct.extend(0.0)] [] [] -> $V2; push da.truncate();
            extend __extend_vjp __extend_jvp |ct| [a da => ct.truncate()] [] [w dw: $T => ct.w] -> $V4;
                push da.extend(dw);
            extended __extended_vjp __extended_jvp |ct| [a da => ct.truncate()] [] [w dw: $T => ct.w] -> $V4;
                push da.extend(dw);
        });
        vector!($C $V4 $T 4 { x dx, y dy, z dz, w dw } {
            truncate __truncate_vjp __truncate_jvp |ct| [a da => ct.extend(0.0)] [] [] -> $V3; push da.truncate();
        });
    )* };
}

vectors! {
    (Vec2Rules Vec2) (Vec3Rules Vec3) (Vec4Rules Vec4) f32;
    (DVec2Rules DVec2) (DVec3Rules DVec3) (DVec4Rules DVec4) f64;
}

/// `extend` by the name that it has in emitted code, where that of a `Vec` has the other.
pub trait Extended<T> {
    /// The longer vector.
    type Longer;
    /// The vector and one more number.
    fn extended(self, x: T) -> Self::Longer;
}

macro_rules! extended {
    ($($V:ident $T:ident $Longer:ident;)*) => { $(
        impl Extended<$T> for $V {
            type Longer = $Longer;
            #[inline]
            fn extended(self, x: $T) -> $Longer {
                self.extend(x)
            }
        }
    )* };
}
extended! { Vec2 f32 Vec3; Vec3 f32 Vec4; DVec2 f64 DVec3; DVec3 f64 DVec4; }

/// A vector taken apart into what it was made of by `from`.
pub trait TakeApart<A> {
    /// The parts.
    fn parts(self) -> A;
}

/// The derivative of `from`: of an array, of a tuple of numbers, and of a shorter vector and a number.
#[allow(clippy::type_complexity)]
pub trait FromRules: Differentiable<Tangent = Self> + Flat + Sized {
    /// In reverse mode.
    fn __from_vjp<M: Mode, A: Differentiable<Tangent = A>>(
        _: (M,),
        a: A,
    ) -> (
        Self,
        impl FnOnce(Ct<Self>, &mut Adj<A, M>) + Clone + use<Self, M, A>,
    )
    where
        Self: From<A> + TakeApart<A>,
    {
        let pullback = |ct: Ct<Self>, d: &mut Adj<A, M>| {
            if M::ON {
                d.acc(A::start(Self::flat(ct).parts()));
            }
        };
        (Self::from(a), pullback)
    }
    /// In forward mode.
    fn __from_jvp<A>(a: A, t: A) -> (Self, Self)
    where
        Self: From<A> + TakeApart<A>,
    {
        (Self::from(a), Self::from(t))
    }
}

macro_rules! from {
    ($($V:ident { $($A:ty),* } |$v:ident| { $($parts:expr),* })*) => { $(
        impl FromRules for $V {}
        $(impl TakeApart<$A> for $V {
            #[inline]
            fn parts(self) -> $A {
                let $v = self;
                $parts
            }
        })*
    )* };
}
from! {
    Vec2 { [f32; 2], (f32, f32) } |v| { v.to_array(), v.into() }
    Vec3 { [f32; 3], (f32, f32, f32), (Vec2, f32) } |v| { v.to_array(), v.into(), (v.truncate(), v.z) }
    Vec4 { [f32; 4], (f32, f32, f32, f32), (Vec3, f32), (Vec2, f32, f32), (Vec2, Vec2) }
        |v| { v.to_array(), v.into(), (v.truncate(), v.w), (v.truncate().truncate(), v.z, v.w),
            (v.truncate().truncate(), Vec2::new(v.z, v.w)) }
    DVec2 { [f64; 2], (f64, f64) } |v| { v.to_array(), v.into() }
    DVec3 { [f64; 3], (f64, f64, f64), (DVec2, f64) } |v| { v.to_array(), v.into(), (v.truncate(), v.z) }
    DVec4 { [f64; 4], (f64, f64, f64, f64), (DVec3, f64), (DVec2, f64, f64), (DVec2, DVec2) }
        |v| { v.to_array(), v.into(), (v.truncate(), v.w), (v.truncate().truncate(), v.z, v.w),
            (v.truncate().truncate(), DVec2::new(v.z, v.w)) }
}
