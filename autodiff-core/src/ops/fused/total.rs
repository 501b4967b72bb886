//! Regions that end in a sum or a mean.

use super::{RegionInput, arities, device, joint};
use crate::ad::{Adj, Ct, Mode};
use crate::device::{Backend, BinaryOp, Dims, Float, ReduceOp, Region};
use crate::ops::scaled;
use crate::tensor::{Raw, Tensor};
use core::marker::PhantomData;

/// A region whose values are summed, or averaged.
#[derive(Debug)]
pub struct Total<R, O, const N: usize> {
    region: R,
    mean: bool,
    ty: PhantomData<fn() -> O>,
}

/// A region that ends in a sum or a mean, and the expression it stands for.
#[track_caller]
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

impl<R, O, const N: usize> Total<R, O, N> {
    /// One, or one divided by the number of elements.
    #[track_caller]
    fn weight(&self, dims: &Dims) -> f64 {
        if self.mean {
            1.0 / dims.numel() as f64
        } else {
            1.0
        }
    }
}

/// A slope times its cotangent, of which each element has this part. A cotangent that the host does not know stays on
/// the device.
#[track_caller]
fn weighted<T: Float, D: Backend>(
    slope: Raw<T, D>,
    ct: &Ct<Tensor<(), T, D>>,
    weight: f64,
) -> Raw<T, D> {
    let Some(ct) = ct.known() else {
        let Some(ct) = ct.raw() else { return slope };
        let ct = scaled(ct.clone(), weight).expand(*slope.dims());
        return Raw::binary(BinaryOp::Mul, slope, ct);
    };
    if ct.changes() {
        return slope.binary_scalar(BinaryOp::Mul, ct * T::lit(weight));
    }
    scaled(slope, ct.to_f64() * weight)
}

macro_rules! arity {
    ($n:literal: $($k:literal $A:ident $M:ident $a:ident $t:ident $d:ident),*) => {
        impl<R: Region<$n>, T: Float, D: Backend> Total<R, Tensor<(), T, D>, $n> {
            /// The value.
            #[track_caller]
            #[allow(clippy::too_many_arguments)]
            pub fn __value<$($A: RegionInput<T, D>),*>(self, $($a: &$A),*) -> Tensor<(), T, D> {
                let dims = joint(&[$($a.extent()),*]);
                let device = device([$($a.device()),*]);
                let mut sum = Raw::unspecified(&device, Dims::SCALAR);
                device.region_sum(self.region, &dims, [$($a.operand()),*], sum.view_mut(), [const { None }; $n]);
                let weight = self.weight(&dims);
                Tensor::new((), scaled(sum, weight))
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
                impl FnOnce(Ct<Tensor<(), T, D>>, $(Option<&mut Adj<$A, $M>>),*) + Clone + use<R, T, D, $($M,)* $($A),*>,
            ) {
                let dims = joint(&[$($a.extent()),*]);
                let device = device([$($a.device()),*]);
                let mut sum = Raw::unspecified(&device, Dims::SCALAR);
                let mut slopes = [$(
                    (R::ACTIVE[$k] && $M::ON).then(|| Raw::unspecified(&device, $a.extent().0))
                ),*];
                let to = slopes.each_mut().map(|s| s.as_mut().map(Raw::view_mut));
                device.region_sum(self.region, &dims, [$($a.operand()),*], sum.view_mut(), to);
                let weight = self.weight(&dims);
                let protos = ($($a.proto(),)*);
                (Tensor::new((), scaled(sum, weight)), move |ct, $($d: Option<&mut Adj<$A, $M>>),*| {
                    if ct.is_zero() {
                        return;
                    }
                    // Of no elements all slopes are 0, and the weight of a mean is infinite.
                    let weight = if dims.numel() == 0 { 0.0 } else { weight };
                    let ([$($t),*], ($($a,)*)) = (slopes, &protos);
                    $( if let (Some(slope), Some(d)) = ($t, $d) {
                        $A::give::<$M>($a, weighted(slope, &ct, weight), d);
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
                let mut tangent = Raw::unspecified(&device, dims);
                device.region_pushforward(
                    self.region,
                    [$($a.operand()),*],
                    [$($A::tangent($t)),*],
                    tangent.view_mut(),
                );
                let tangent = tangent.reduce_all(ReduceOp::Sum);
                (self.__value($($a),*), Tensor::new((), scaled(tangent, weight)))
            }
        }
    };
}

arities!(arity);
