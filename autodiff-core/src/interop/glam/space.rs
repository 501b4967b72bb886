//! [`Differentiable`](crate::ad::Differentiable) for glam's types: part by part.

use super::parts::*;
use crate::ad::{Acc, Adj, Ct, Differentiable, HeapSize, JacobianOutput, Mode, NotBoxed, Tangent};
use crate::interop::rule::Flat;
use glam::*;

macro_rules! space {
    ($($V:ident = $new:ident $Parts:ident<$P:ident> { $($f:ident),* })*) => { $(
        impl NotBoxed for $V {}

        impl HeapSize for $V {
            fn heap_size(&self) -> usize {
                0
            }
        }

        impl Differentiable for $V {
            type Tangent = $V;
            type Proto = ();
            type Adj<M: Mode> = $Parts<Adj<$P, M>>;
            type Others = crate::ad::On;

            #[inline(always)]
            fn proto(&self) {}
            #[inline(always)]
            fn zero_ct(_: &()) -> Ct<Self> {
                $Parts { $($f: <$P>::zero_ct(&())),* }
            }
            #[inline(always)]
            fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M> {
                $Parts { $($f: self.$f.zero_adj(mode)),* }
            }
            #[inline(always)]
            fn zero_tangent(&self) -> $V {
                $V::$new($(<$P>::zero_tangent(&self.$f)),*)
            }
            #[inline(always)]
            fn finish(_: &(), ct: Ct<Self>) -> $V {
                $V::$new($(<$P>::finish(&(), ct.$f)),*)
            }
            #[inline(always)]
            fn start(t: $V) -> Ct<Self> {
                $Parts { $($f: <$P>::start(t.$f)),* }
            }
            #[inline(always)]
            fn add_scaled(&mut self, step: f64, t: &$V) {
                $(self.$f.add_scaled(step, &t.$f);)*
            }
            #[inline(always)]
            fn difference(&self, other: &Self) -> $V {
                $V::$new($(<$P>::difference(&self.$f, &other.$f)),*)
            }
        }

        impl<A: Acc<$P>> Acc<$V> for $Parts<A> {
            const ON: bool = A::ON;
            #[inline(always)]
            fn acc(&mut self, ct: Ct<$V>) {
                $(self.$f.acc(ct.$f);)*
            }
        }

        impl Tangent for $V {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                $V::$new($(Tangent::add(self.$f, other.$f)),*)
            }
            #[inline(always)]
            fn scale(self, factor: f64) -> Self {
                $V::$new($(Tangent::scale(self.$f, factor)),*)
            }
            #[inline(always)]
            fn dot(&self, other: &Self) -> f64 {
                0.0 $(+ Tangent::dot(&self.$f, &other.$f))*
            }
            #[inline]
            fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
                $V::$new($(Tangent::fill_with(&self.$f, next)),*)
            }
            #[inline]
            fn each(&self, entry: &mut dyn FnMut(f64)) {
                $(Tangent::each(&self.$f, entry);)*
            }
        }

        impl Flat for $V {
            #[inline(always)]
            fn flat(ct: Ct<Self>) -> $V {
                $V::$new($(<$P>::flat(ct.$f)),*)
            }
        }

        /// A row for each number, in an accumulator's place.
        impl<'z, F: ?Sized> JacobianOutput<'z, F, $V> for $V {
            type Number = <$P as JacobianOutput<'z, F, $P>>::Number;
            type Rows<G> = $Parts<<$P as JacobianOutput<'z, F, $P>>::Rows<G>>;
            fn number(x: f64) -> Self::Number {
                <$P as JacobianOutput<'z, F, $P>>::number(x)
            }
            #[inline]
            fn count(&self) -> usize {
                0 $(+ JacobianOutput::<'z, F, $P>::count(&self.$f))*
            }
            #[inline]
            fn zero(&self) -> $V {
                self.zero_tangent()
            }
            #[inline]
            fn rows<G>(&self, mut pull: impl FnMut($V) -> G) -> Self::Rows<G> {
                $Parts { $($f: JacobianOutput::<'z, F, $P>::rows(&self.$f, |unit| {
                    let mut ct = self.zero_tangent();
                    ct.$f = unit;
                    pull(ct)
                })),* }
            }
            #[inline]
            fn place<G>(&self, next: &mut impl FnMut() -> G) -> Self::Rows<G> {
                $Parts { $($f: JacobianOutput::<'z, F, $P>::place(&self.$f, next)),* }
            }
            #[inline]
            fn each_row<G>(rows: &Self::Rows<G>, row: &mut impl FnMut(&G)) {
                $(<$P as JacobianOutput<'z, F, $P>>::each_row(&rows.$f, row);)*
            }
        }
    )* };
}

space! {
    Vec2 = new Xy<f32> { x, y }
    Vec3 = new Xyz<f32> { x, y, z }
    Vec4 = new Xyzw<f32> { x, y, z, w }
    Quat = from_xyzw Xyzw<f32> { x, y, z, w }
    Mat2 = from_cols Columns2<Vec2> { x_axis, y_axis }
    Mat3 = from_cols Columns3<Vec3> { x_axis, y_axis, z_axis }
    Mat4 = from_cols Columns4<Vec4> { x_axis, y_axis, z_axis, w_axis }
    DVec2 = new Xy<f64> { x, y }
    DVec3 = new Xyz<f64> { x, y, z }
    DVec4 = new Xyzw<f64> { x, y, z, w }
    DQuat = from_xyzw Xyzw<f64> { x, y, z, w }
    DMat2 = from_cols Columns2<DVec2> { x_axis, y_axis }
    DMat3 = from_cols Columns3<DVec3> { x_axis, y_axis, z_axis }
    DMat4 = from_cols Columns4<DVec4> { x_axis, y_axis, z_axis, w_axis }
}
