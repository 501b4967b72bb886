//! Regions that end in sums or means along an axis: the elements are summed in the pass that computes them.

use super::{Kept, RegionInput, arities, device, joint, pull, shape};
use crate::ad::{Adj, Ct, Mode};
use crate::device::{Backend, Dims, Float, Operand, ReduceOp, Region};
use crate::ops::scaled;
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};
use core::marker::PhantomData;

/// Neighbours that are handled together, at least; of fewer the values are written first, and then summed.
const SHORT: usize = 64;

/// A region whose values are summed, or averaged, along an axis.
#[derive(Debug)]
pub struct Along<R, O, const N: usize> {
    region: R,
    axis: isize,
    mean: bool,
    keepdim: bool,
    ty: PhantomData<fn() -> O>,
}

/// A region that ends in sums or means along an axis, which may be counted from the end and may stay with size 1,
/// and the expression it stands for.
#[track_caller]
pub fn along<R: Region<N>, O, const N: usize>(
    region: R,
    axis: isize,
    mean: bool,
    keepdim: bool,
    _: impl FnOnce() -> O,
) -> Along<R, O, N> {
    Along {
        region,
        axis,
        mean,
        keepdim,
        ty: PhantomData,
    }
}

impl<R, O, const N: usize> Along<R, O, N> {
    #[track_caller]
    fn axis(&self, dims: &Dims) -> usize {
        match usize::try_from(self.axis) {
            Ok(axis) => axis,
            Err(_) => dims.rank() - self.axis.unsigned_abs(),
        }
    }

    /// One, or one divided by the number of elements of a sum.
    #[track_caller]
    fn weight(&self, dims: &Dims) -> f64 {
        if self.mean {
            1.0 / dims[self.axis(dims)] as f64
        } else {
            1.0
        }
    }

    /// Weighs sums that have size 1 along the axis.
    #[track_caller]
    fn finish<T: Float, D: Backend, S: Shape>(
        &self,
        sums: Raw<T, D>,
        dims: &Dims,
    ) -> Tensor<S, T, D> {
        let sums = scaled(sums, self.weight(dims));
        let own = match self.keepdim {
            true => *sums.dims(),
            false => sums.dims().remove(self.axis(dims)),
        };
        Tensor::new(shape(&own), sums.into_reshaped(own))
    }
}

/// Whether few elements lie next to each other within a sum, or between two of one sum.
#[track_caller]
fn is_short(dims: &Dims, axis: usize) -> bool {
    let inner: usize = dims[axis + 1..].iter().product();
    match inner {
        1 => dims[axis] < SHORT,
        n => n < SHORT,
    }
}

macro_rules! arity {
    ($n:literal: $($k:literal $A:ident $M:ident $a:ident $t:ident $d:ident),*) => {
        impl<R: Region<$n>, S: Shape, T: Float, D: Backend> Along<R, Tensor<S, T, D>, $n> {
            /// The value.
            #[track_caller]
            #[allow(clippy::too_many_arguments)]
            pub fn __value<$($A: RegionInput<T, D>),*>(self, $($a: &$A),*) -> Tensor<S, T, D> {
                let dims = joint(&[$($a.extent()),*]);
                let device = device([$($a.device()),*]);
                let axis = self.axis(&dims);
                let operands = [$($a.operand()),*];
                let sums = if is_short(&dims, axis) {
                    let mut values = Raw::unspecified(&device, dims);
                    device.region(self.region, operands, values.view_mut());
                    values.reduce_keepdim(ReduceOp::Sum, &[axis])
                } else {
                    let mut sums = Raw::unspecified(&device, dims.with(axis, 1));
                    device.region_along(self.region, &dims, operands, axis, sums.view_mut());
                    sums
                };
                self.finish(sums, &dims)
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
                impl FnOnce(Ct<Tensor<S, T, D>>, $(Option<&mut Adj<$A, $M>>),*) + Clone + use<R, S, T, D, $($M,)* $($A),*>,
            ) {
                const { assert!(!R::READS_VALUE, "the value is not kept") };
                let dims = joint(&[$($a.extent()),*]);
                let (region, axis, weight) = (self.region, self.axis(&dims), self.weight(&dims));
                let any = false $(|| R::ACTIVE[$k] && $M::ON)*;
                let keep = |k: usize| any && R::READS[k];
                let kept = [$(if keep($k) { $a.keep() } else { Kept::Nothing }),*];
                let protos = ($($a.proto(),)*);
                let value = self.__value($($a),*);
                (value, move |ct, $($d: Option<&mut Adj<$A, $M>>),*| {
                    let Some(ct) = ct.into_inner().filter(|_| any) else { return };
                    let (device, ($($a,)*)) = (ct.device().clone(), &protos);
                    let ct = scaled(ct.into_raw(), weight).into_reshaped(dims.with(axis, 1)).expand(dims);
                    let ct = if is_short(&dims, axis) { ct.copied() } else { ct };
                    let mut cts = [$(
                        (R::ACTIVE[$k] && $M::ON).then(|| Raw::unspecified(&device, $A::dims($a)))
                    ),*];
                    pull(region, &device, &dims, &kept, None, ct.operand(), &mut cts);
                    $( if let (Some(ct), Some(d)) = (cts[$k].take(), $d) {
                        $A::give::<$M>($a, ct, d);
                    } )*
                })
            }

            /// The value and its tangent.
            #[track_caller]
            #[allow(clippy::too_many_arguments)]
            pub fn __jvp<$($A: RegionInput<T, D>),*>(self, $($a: &$A, $t: &$A::Tangent),*) -> (Tensor<S, T, D>, Tensor<S, T, D>) {
                let dims = joint(&[$($a.extent()),*]);
                let device = device([$($a.device()),*]);
                let mut tangent = Raw::unspecified(&device, dims);
                let tangents: [Operand<'_, T, D>; $n] = [$($A::tangent($t)),*];
                device.region_pushforward(self.region, [$($a.operand()),*], tangents, tangent.view_mut());
                let tangent = tangent.reduce_keepdim(ReduceOp::Sum, &[self.axis(&dims)]);
                let tangent = self.finish(tangent, &dims);
                (self.__value($($a),*), tangent)
            }
        }
    };
}

arities!(arity);
