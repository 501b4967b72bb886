//! Elementwise regions: several operations of a `#[differentiable]` function in one pass.
//!
//! A [`Region`] is the function of one element. The pullback computes interior values again, so that
//! neither pass writes a temporary; the cotangent of an operand that was broadcast is summed in the
//! same pass. A region that ends in a sum or a mean goes over its inputs once: the derivatives of the
//! sum are computed with it, and the pullback scales them.
//!
//! The macro does not know the type of the value. It hands over a closure with the user's own
//! expression, which is never called: it gives the type, and errors their place.

use super::{OrPanic, scaled};
use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::{Device, Dims, Float, Operand, ReduceOp, Region};
use crate::shape::{Shape, same};
use crate::tensor::{Raw, Tensor};
use core::marker::PhantomData;

/// What a region takes: a tensor, or a number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be combined with tensors element by element",
    note = "operands are tensors of one element type and device, and numbers of that type"
)]
pub trait RegionInput<T: Float, D: Device>: Differentiable {
    /// For reading.
    fn operand(&self) -> Operand<'_, T, D>;
    /// A tangent, for reading.
    fn tangent(t: &Self::Tangent) -> Operand<'_, T, D>;
    /// The sizes, and the names of the run-time dimensions.
    fn extent(&self) -> (Dims, &'static [&'static str]);
    /// The device, if there is one.
    fn device(&self) -> Option<&D>;
    /// Adds a cotangent.
    fn give<M: Mode>(&self, ct: Raw<T, D>, d: &mut Adj<Self, M>);
}

impl<S: Shape, T: Float, D: Device> RegionInput<T, D> for Tensor<S, T, D> {
    #[inline]
    fn operand(&self) -> Operand<'_, T, D> {
        self.raw().operand()
    }
    #[inline]
    fn tangent(t: &Self) -> Operand<'_, T, D> {
        t.raw().operand()
    }
    #[inline]
    fn extent(&self) -> (Dims, &'static [&'static str]) {
        (self.dims(), S::NAMES)
    }
    #[inline]
    fn device(&self) -> Option<&D> {
        Some(self.raw().device())
    }
    #[inline]
    fn give<M: Mode>(&self, ct: Raw<T, D>, d: &mut Adj<Self, M>) {
        d.acc(Tensor::new(self.shape(), ct).into());
    }
}

impl<T: Float, D: Device> RegionInput<T, D> for T {
    #[inline]
    fn operand(&self) -> Operand<'_, T, D> {
        Operand::Scalar(*self)
    }
    #[inline]
    fn tangent(t: &T) -> Operand<'_, T, D> {
        Operand::Scalar(*t)
    }
    #[inline]
    fn extent(&self) -> (Dims, &'static [&'static str]) {
        (Dims::SCALAR, &[])
    }
    #[inline]
    fn device(&self) -> Option<&D> {
        None
    }
    #[inline]
    fn give<M: Mode>(&self, ct: Raw<T, D>, d: &mut Adj<Self, M>) {
        if let Some(d) = M::same::<T>(d) {
            d.acc(ct.item());
        }
    }
}

/// The sizes of the result: those of the operand of highest rank, with which the others must agree.
#[track_caller]
fn joint(extents: &[(Dims, &'static [&'static str])]) -> Dims {
    let mut widest = extents[0];
    for e in extents {
        if e.0.rank() > widest.0.rank() {
            widest = *e;
        }
    }
    for e in extents {
        same(&widest.0, widest.1, &e.0, e.1).or_panic("elementwise operations");
    }
    widest.0
}

/// A shape of these sizes.
fn shape<S: Shape>(dims: &Dims) -> S {
    let open = dims
        .iter()
        .zip(S::STATIC)
        .filter(|(_, known)| known.is_none());
    S::take(&mut open.map(|(n, _)| *n))
}

/// A region whose values make a tensor of type `O`.
#[derive(Debug)]
pub struct Fused<R, O, const N: usize>(R, PhantomData<fn() -> O>);

/// A region whose values are summed, or averaged.
#[derive(Debug)]
pub struct Total<R, O, const N: usize> {
    region: R,
    mean: bool,
    ty: PhantomData<fn() -> O>,
}

/// A region, and the expression it stands for.
pub fn fused<R: Region<N>, O, const N: usize>(region: R, _: impl FnOnce() -> O) -> Fused<R, O, N> {
    Fused(region, PhantomData)
}

/// A region that ends in a sum or a mean, and the expression it stands for.
pub fn total<R: Region<N>, O, const N: usize>(
    region: R,
    mean: bool,
    _: impl FnOnce() -> O,
) -> Total<R, O, N> {
    Total {
        region,
        mean,
        ty: PhantomData,
    }
}

macro_rules! arity {
    ($n:literal: $($k:literal $A:ident $M:ident $a:ident $t:ident $d:ident),*) => {
        impl<R: Region<$n>, S: Shape, T: Float, D: Device> Fused<R, Tensor<S, T, D>, $n> {
            /// The value.
            #[track_caller]
            #[allow(clippy::too_many_arguments)]
            fn value<$($A: RegionInput<T, D>),*>(&self, $($a: &$A),*) -> Tensor<S, T, D> {
                let dims = joint(&[$($a.extent()),*]);
                let device = device([$($a.device()),*]);
                let mut out = Raw::unspecified(&device, dims);
                device.region(self.0, [$($a.operand()),*], out.view_mut());
                Tensor::new(shape(&dims), out)
            }

            /// The value and the pullback.
            #[track_caller]
            #[allow(clippy::type_complexity, clippy::too_many_arguments)]
            pub fn __vjp<$($M: Mode,)* $($A: RegionInput<T, D>),*>(
                self,
                _: ($($M,)*),
                $($a: &$A),*
            ) -> (
                Tensor<S, T, D>,
                impl FnOnce(Ct<Tensor<S, T, D>>, $(&$A,)* $(&mut Adj<$A, $M>),*) + Clone + use<R, S, T, D, $($M,)* $($A),*>,
            ) {
                let region = self.0;
                (self.value($($a),*), move |ct, $($a: &$A,)* $($d: &mut Adj<$A, $M>),*| {
                    let Some(ct) = ct.raw() else { return };
                    let device = ct.device();
                    let mut cts = Vec::with_capacity($n);
                    $( if R::ACTIVE[$k] {
                        cts.push(Raw::unspecified(device, $a.extent().0));
                    } )*
                    let to = cts.iter_mut().map(Raw::view_mut).collect();
                    device.region_pullback(region, [$($a.operand()),*], ct.view(), to);
                    let mut cts = cts.into_iter();
                    $( if R::ACTIVE[$k] && let Some(ct) = cts.next() && $M::ON {
                        $a.give::<$M>(ct, $d);
                    } )*
                })
            }

            /// The value and its tangent.
            #[track_caller]
            #[allow(clippy::too_many_arguments)]
            pub fn __jvp<$($A: RegionInput<T, D>),*>(self, $($a: &$A, $t: &$A::Tangent),*) -> (Tensor<S, T, D>, Tensor<S, T, D>) {
                let value = self.value($($a),*);
                let mut tangent = Raw::unspecified(value.device(), value.dims());
                value.device().region_pushforward(
                    self.0,
                    [$($a.operand()),*],
                    [$($A::tangent($t)),*],
                    tangent.view_mut(),
                );
                let tangent = Tensor::new(value.shape(), tangent);
                (value, tangent)
            }
        }

        impl<R: Region<$n>, T: Float, D: Device> Total<R, Tensor<(), T, D>, $n> {
            /// One, or one divided by the number of elements.
            fn weight(&self, dims: &Dims) -> f64 {
                if self.mean { 1.0 / dims.numel() as f64 } else { 1.0 }
            }

            /// The value and the pullback.
            #[track_caller]
            #[allow(clippy::type_complexity, clippy::too_many_arguments)]
            pub fn __vjp<$($M: Mode,)* $($A: RegionInput<T, D>),*>(
                self,
                _: ($($M,)*),
                $($a: &$A),*
            ) -> (
                Tensor<(), T, D>,
                impl FnOnce(Ct<Tensor<(), T, D>>, $(&$A,)* $(&mut Adj<$A, $M>),*) + Clone + use<R, T, D, $($M,)* $($A),*>,
            ) {
                let dims = joint(&[$($a.extent()),*]);
                let device = device([$($a.device()),*]);
                let mut sum = Raw::unspecified(&device, Dims::SCALAR);
                let mut slopes = Vec::with_capacity($n);
                $( if R::ACTIVE[$k] {
                    slopes.push(Raw::unspecified(&device, $a.extent().0));
                } )*
                let to = slopes.iter_mut().map(Raw::view_mut).collect();
                device.region_sum(self.region, &dims, [$($a.operand()),*], sum.view_mut(), to);
                let weight = self.weight(&dims);
                (Tensor::new((), scaled(sum, weight)), move |ct, $($a: &$A,)* $($d: &mut Adj<$A, $M>),*| {
                    let Some(ct) = ct.raw() else { return };
                    // Of no elements all slopes are 0, and the weight of a mean is infinite.
                    let ct = if dims.numel() == 0 { 0.0 } else { ct.item().to_f64() * weight };
                    let mut slopes = slopes.into_iter();
                    $( if R::ACTIVE[$k] && let Some(slope) = slopes.next() && $M::ON {
                        $a.give::<$M>(scaled(slope, ct), $d);
                    } )*
                })
            }

            /// The value and its tangent.
            #[track_caller]
            #[allow(clippy::too_many_arguments)]
            pub fn __jvp<$($A: RegionInput<T, D>),*>(self, $($a: &$A, $t: &$A::Tangent),*) -> (Tensor<(), T, D>, Tensor<(), T, D>) {
                let dims = joint(&[$($a.extent()),*]);
                let device = device([$($a.device()),*]);
                let weight = self.weight(&dims);
                let finish = |x: Raw<T, D>| Tensor::new((), scaled(x.reduce_all(ReduceOp::Sum), weight));
                let mut out = Raw::unspecified(&device, dims);
                device.region(self.region, [$($a.operand()),*], out.view_mut());
                let mut tangent = Raw::unspecified(&device, dims);
                device.region_pushforward(
                    self.region,
                    [$($a.operand()),*],
                    [$($A::tangent($t)),*],
                    tangent.view_mut(),
                );
                (finish(out), finish(tangent))
            }
        }
    };
}

/// The device of the first tensor.
fn device<D: Device, const N: usize>(of: [Option<&D>; N]) -> D {
    of.into_iter().flatten().next().cloned().unwrap_or_default()
}

arity!(1: 0 A0 M0 a0 t0 d0);
arity!(2: 0 A0 M0 a0 t0 d0, 1 A1 M1 a1 t1 d1);
arity!(3: 0 A0 M0 a0 t0 d0, 1 A1 M1 a1 t1 d1, 2 A2 M2 a2 t2 d2);
arity!(4: 0 A0 M0 a0 t0 d0, 1 A1 M1 a1 t1 d1, 2 A2 M2 a2 t2 d2, 3 A3 M3 a3 t3 d3);
arity!(5: 0 A0 M0 a0 t0 d0, 1 A1 M1 a1 t1 d1, 2 A2 M2 a2 t2 d2, 3 A3 M3 a3 t3 d3, 4 A4 M4 a4 t4 d4);
arity!(6: 0 A0 M0 a0 t0 d0, 1 A1 M1 a1 t1 d1, 2 A2 M2 a2 t2 d2, 3 A3 M3 a3 t3 d3, 4 A4 M4 a4 t4 d4, 5 A5 M5 a5 t5 d5);
arity!(7: 0 A0 M0 a0 t0 d0, 1 A1 M1 a1 t1 d1, 2 A2 M2 a2 t2 d2, 3 A3 M3 a3 t3 d3, 4 A4 M4 a4 t4 d4, 5 A5 M5 a5 t5 d5, 6 A6 M6 a6 t6 d6);
