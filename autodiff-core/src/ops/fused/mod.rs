//! Elementwise regions: several operations of a `#[differentiable]` function in one pass.
//!
//! A [`Region`] is the function of one element. The pullback computes interior values again, so that
//! neither pass writes a temporary; the cotangent of an operand that was broadcast is summed in the
//! same pass. Of the operands and the value only what the pullback reads is kept. The value is written
//! in place of an operand that is given up, a cotangent in place of that of the value. A region that
//! ends in a sum or a mean goes over its inputs once: the derivatives of the sum are computed with it,
//! and the pullback scales them. One that ends in sums or means along an axis keeps what its pullback reads, as others do.
//!
//! The macro does not know the type of the value. It hands over a closure with the user's own
//! expression, which is never called: it gives the type, and errors their place.

mod along;
mod input;
mod total;

pub use along::{Along, along};
pub use input::{Kept, Passed, RegionInput, lent, own};
pub use total::{Total, total};

use super::OrPanic;
use crate::ad::{Adj, Ct, Mode};
use crate::device::{Backend, Dims, Float, Operand, Region};
use crate::shape::{Shape, same};
use crate::tensor::{Raw, Tensor};
use core::marker::PhantomData;

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

/// A region, and the expression it stands for.
#[track_caller]
pub fn fused<R: Region<N>, O, const N: usize>(region: R, _: impl FnOnce() -> O) -> Fused<R, O, N> {
    Fused(region, PhantomData)
}

/// For each number of operands.
macro_rules! arities {
    ($arity:ident) => {
        $arity!(1: 0 A0 M0 a0 t0 d0);
        $arity!(2: 0 A0 M0 a0 t0 d0, 1 A1 M1 a1 t1 d1);
        $arity!(3: 0 A0 M0 a0 t0 d0, 1 A1 M1 a1 t1 d1, 2 A2 M2 a2 t2 d2);
        $arity!(4: 0 A0 M0 a0 t0 d0, 1 A1 M1 a1 t1 d1, 2 A2 M2 a2 t2 d2, 3 A3 M3 a3 t3 d3);
        $arity!(5: 0 A0 M0 a0 t0 d0, 1 A1 M1 a1 t1 d1, 2 A2 M2 a2 t2 d2, 3 A3 M3 a3 t3 d3, 4 A4 M4 a4 t4 d4);
        $arity!(6: 0 A0 M0 a0 t0 d0, 1 A1 M1 a1 t1 d1, 2 A2 M2 a2 t2 d2, 3 A3 M3 a3 t3 d3, 4 A4 M4 a4 t4 d4, 5 A5 M5 a5 t5 d5);
        $arity!(7: 0 A0 M0 a0 t0 d0, 1 A1 M1 a1 t1 d1, 2 A2 M2 a2 t2 d2, 3 A3 M3 a3 t3 d3, 4 A4 M4 a4 t4 d4, 5 A5 M5 a5 t5 d5, 6 A6 M6 a6 t6 d6);
    };
}
use arities;

macro_rules! arity {
    ($n:literal: $($k:literal $A:ident $M:ident $a:ident $t:ident $d:ident),*) => {
        impl<R: Region<$n>, S: Shape, T: Float, D: Backend> Fused<R, Tensor<S, T, D>, $n> {
            /// The value.
            #[track_caller]
            #[allow(clippy::too_many_arguments)]
            pub fn __value<$($A: RegionInput<T, D>),*>(self, $(mut $a: Passed<'_, $A>),*) -> Tensor<S, T, D> {
                let dims = joint(&[$($a.get().extent()),*]);
                let device = device([$($a.get().device()),*]);
                // Written in place of the first operand whose buffer is free.
                let (mut own, mut from) = (None, $n);
                $( if own.is_none() {
                    own = $a.take_buffer(&dims);
                    from = if own.is_some() { $k } else { from };
                } )*
                let mut out = own.unwrap_or_else(|| Raw::unspecified(&device, dims));
                let operands = [$(if from == $k { Operand::Output } else { $a.get().operand() }),*];
                device.region(self.0, operands, out.view_mut());
                Tensor::new(shape(&dims), out)
            }

            /// The value and the pullback.
            #[track_caller]
            #[allow(clippy::type_complexity, clippy::too_many_arguments)]
            pub fn __vjp<$($M: Mode,)* $($A: RegionInput<T, D>),*>(
                self,
                _: ($($M,)*),
                $($a: Passed<'_, $A>),*
            ) -> (
                Tensor<S, T, D>,
                impl FnOnce(Ct<Tensor<S, T, D>>, $(Option<&mut Adj<$A, $M>>),*) + Clone + use<R, S, T, D, $($M,)* $($A),*>,
            ) {
                let region = self.0;
                let any = false $(|| R::ACTIVE[$k] && $M::ON)*;
                let keep = |k: usize| any && R::READS[k];
                let kept = [$(if keep($k) { $a.get().keep() } else { Kept::Nothing }),*];
                let protos = ($($a.get().proto(),)*);
                let value = self.__value($($a),*);
                let result = (any && R::READS_VALUE).then(|| value.raw().clone());
                (value, move |ct, $($d: Option<&mut Adj<$A, $M>>),*| {
                    let Some(ct) = ct.into_inner().filter(|_| any) else { return };
                    let (dims, device, ($($a,)*)) = (ct.dims(), ct.device().clone(), &protos);
                    let mut ct = Some(ct.into_raw());
                    let mut cts = [$(if R::ACTIVE[$k] && $M::ON {
                        // The first that has its sizes takes the place of the cotangent of the value.
                        let own = $A::dims($a);
                        let free = ct.take_if(|ct| own == dims && ct.is_reusable());
                        Some(free.unwrap_or_else(|| Raw::unspecified(&device, own)))
                    } else {
                        None
                    }),*];
                    let ct = ct.as_ref().map_or(Operand::Output, Raw::operand);
                    pull(region, &device, &dims, &kept, result.as_ref(), ct, &mut cts);
                    $( if let (Some(ct), Some(d)) = (cts[$k].take(), $d) {
                        $A::give::<$M>($a, ct, d);
                    } )*
                })
            }

            /// The value and its tangent.
            #[track_caller]
            #[allow(clippy::too_many_arguments)]
            pub fn __jvp<$($A: RegionInput<T, D>),*>(self, $($a: &$A, $t: &$A::Tangent),*) -> (Tensor<S, T, D>, Tensor<S, T, D>) {
                let region = self.0;
                let value = self.__value($(lent($a)),*);
                let mut tangent = Raw::unspecified(value.device(), value.dims());
                value.device().region_pushforward(
                    region,
                    [$($a.operand()),*],
                    [$($A::tangent($t)),*],
                    tangent.view_mut(),
                );
                let tangent = Tensor::new(value.shape(), tangent);
                (value, tangent)
            }
        }
    };
}

/// The cotangents of a region, of what it kept.
#[track_caller]
fn pull<R: Region<N>, T: Float, D: Backend, const N: usize>(
    region: R,
    device: &D,
    dims: &Dims,
    kept: &[Kept<T, D>; N],
    value: Option<&Raw<T, D>>,
    ct: Operand<'_, T, D>,
    cts: &mut [Option<Raw<T, D>>; N],
) {
    let to = cts.each_mut().map(|c| c.as_mut().map(Raw::view_mut));
    let kept = kept.each_ref().map(Kept::operand);
    device.region_pullback(region, dims, kept, value.map(Raw::view), ct, to);
}

/// The device of the first tensor.
fn device<D: Backend, const N: usize>(of: [Option<&D>; N]) -> D {
    of.into_iter()
        .flatten()
        .next()
        .cloned()
        .unwrap_or_else(D::current)
}

arities!(arity);
