//! Taking the elements out: `item`, `to_vec`, `get`, and indexing.
//!
//! What comes out is made of scalars, so these rules lead from the cotangents of scalars to that of
//! a tensor. They are written for each float: the cotangent of a generic `T` has no known form.

use super::pad;
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::Device;
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};

macro_rules! access {
    ($($t:ident),*) => { $(
        impl<D: Device> Tensor<(), $t, D> {
            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            pub fn __item_vjp<M: Mode>(
                &self,
                _: (M,),
            ) -> ($t, impl FnOnce($t, &Self, &mut Adj<Self, M>) + use<M, D>) {
                (self.item(), |ct, x, d| {
                    if M::ON {
                        d.acc(Tensor::full_on(x.device(), (), ct).into());
                    }
                })
            }

            #[doc(hidden)]
            pub fn __item_jvp(&self, t: &Self) -> ($t, $t) {
                (self.item(), t.item())
            }
        }

        impl<S: Shape, D: Device> Tensor<S, $t, D> {
            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            pub fn __to_vec_vjp<M: Mode>(
                &self,
                _: (M,),
            ) -> (Vec<$t>, impl FnOnce(Vec<$t>, &Self, &mut Adj<Self, M>) + use<M, S, D>) {
                (self.to_vec(), |ct, x, d| {
                    // A `Vec` that was not read has an empty cotangent.
                    if M::ON && ct.len() == x.len() {
                        let ct = Raw::from_slice(x.device(), x.dims(), &ct);
                        d.acc(Tensor::new(x.shape(), ct).into());
                    }
                })
            }

            #[doc(hidden)]
            pub fn __to_vec_jvp(&self, t: &Self) -> (Vec<$t>, Vec<$t>) {
                (self.to_vec(), t.to_vec())
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            pub fn __get_vjp<M0: Mode, M1: Mode, const R: usize>(
                &self,
                _: (M0, M1),
                index: [usize; R],
            ) -> (
                Option<$t>,
                impl FnOnce(Ct<Option<$t>>, &Self, &mut Adj<Self, M0>, &mut Adj<[usize; R], M1>) + use<M0, M1, S, D, R>,
            ) {
                (self.get(index), move |ct, x, d, _| {
                    if M0::ON && x.get(index).is_some() && let Some(ct) = ct {
                        // One element, padded axis by axis.
                        let dims = x.dims();
                        let mut one = Raw::full(x.device(), [1; R], ct);
                        for (axis, &at) in index.iter().enumerate() {
                            let wide = one.dims().with(axis, dims[axis]);
                            one = pad(&one, wide, axis, at);
                        }
                        d.acc(Tensor::new(x.shape(), one).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            pub fn __get_jvp<const R: usize>(
                &self,
                t: &Self,
                index: [usize; R],
                _: impl Sized,
            ) -> (Option<$t>, Option<$t>) {
                (self.get(index), t.get(index))
            }
        }
    )* };
}
access!(f32, f64);
