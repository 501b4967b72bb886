//! Arithmetic of tensors of `bf16` and `f16`: `+ - * /`, `matmul` and reductions.
//!
//! These types are storage. Every operation converts its operands to `f32`, is computed there, sums
//! included, and is rounded once at its end, to the nearest number and to the even one of two. So no kernel is
//! compiled for them, and the sum of 10 000 ones in `bf16` is 10 000 rounded (9984), not 256, where adding one
//! changes nothing any more. Products are converted whole, which takes the room of the operands in `f32`.
//!
//! What is not here is done by [`cast`](crate::tensor::Tensor::cast), which has a derivative in both directions:
//! `x.cast::<f32>().gelu().cast::<bf16>()`. Several operations in a row are better and faster so, with one
//! rounding at the end. Scalars too: an operator with `f32` on the other side would leave open which element the
//! tensor in `Tensor::randn(1) * 0.5` has. Derivatives are tensors of `f32`, see [`HalfAcc`](crate::tensor::HalfAcc).

mod rule;

use crate::ad::{Acc, Adj, Ct, Differentiable, Mode, On};
use crate::device::Backend;
use crate::shape::{Axis, Broadcast, MatMul, Paired, SameBatch, SameInner, Shape};
use crate::tensor::{Tensor, TensorAcc};
use core::ops::{Add, Div, Mul, Neg, Sub};
use half::{bf16, f16};

macro_rules! operators {
    ($t:ident) => {
        operators!(@each $t Add add);
        operators!(@each $t Sub sub);
        operators!(@each $t Mul mul);
        operators!(@each $t Div div);

        impl<S: Shape, D: Backend> Neg for Tensor<S, $t, D> {
            type Output = Self;
            #[track_caller]
            fn neg(self) -> Self {
                -&self
            }
        }
        impl<S: Shape, D: Backend> Neg for &Tensor<S, $t, D> {
            type Output = Tensor<S, $t, D>;
            #[track_caller]
            fn neg(self) -> Tensor<S, $t, D> {
                (-self.cast::<f32>()).cast()
            }
        }
    };
    (@each $t:ident $Op:ident $op:ident) => {
        operators!(@ $Op $op $t, Tensor<S, $t, D>, Tensor<R, $t, D>);
        operators!(@ $Op $op $t, Tensor<S, $t, D>, &Tensor<R, $t, D>);
        operators!(@ $Op $op $t, &Tensor<S, $t, D>, Tensor<R, $t, D>);
        operators!(@ $Op $op $t, &Tensor<S, $t, D>, &Tensor<R, $t, D>);
    };
    (@ $Op:ident $op:ident $t:ident, $A:ty, $B:ty) => {
        #[diagnostic::do_not_recommend]
        impl<S: Shape + Broadcast<R>, R: Shape, D: Backend> $Op<$B> for $A
        where
            <S as Broadcast<R>>::Pairs: Paired<S, R>,
        {
            type Output = Tensor<<S as Broadcast<R>>::Joint, $t, D>;
            fn $op(self, b: $B) -> Self::Output {
                self.cast::<f32>().$op(b.cast::<f32>()).cast()
            }
        }
    };
}

/// Each type has a trait: its methods come second to those of `f32` and `f64`, so that the element of a
/// tensor can be left open where they are called.
macro_rules! methods {
    ($(#[$about:meta])* $Trait:ident $t:ident; $(
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident [$(const $c:ident: $cty:ty)?] -> [$out:ty] where [$($w:tt)*];
    )*) => {
        $(#[$about])*
        pub trait $Trait<S: Shape, D: Backend> {
            $(
                $(#[$doc])*
                fn $name<$(const $c: $cty)?>(&self) -> Tensor<$out, $t, D>
                where
                    $($w)*;
                #[doc(hidden)]
                fn $vjp<M: Mode $(, const $c: $cty)?>(
                    &self,
                    modes: (M,),
                ) -> (
                    Tensor<$out, $t, D>,
                    impl FnOnce(Ct<Tensor<$out, $t, D>>, &Tensor<S, $t, D>, &mut Adj<Tensor<S, $t, D>, M>)
                    + Clone
                    + use<Self, M, S, D $(, $c)?>,
                )
                where
                    $($w)*;
                #[doc(hidden)]
                fn $jvp<$(const $c: $cty)?>(&self, t: &Tensor<S, f32, D>) -> (Tensor<$out, $t, D>, Tensor<$out, f32, D>)
                where
                    $($w)*;
            )*

            /// The matrix product in `f32`, then rounded: as that of `f32` tensors.
            ///
            /// # Panics
            /// If run-time dimensions of one name have different sizes.
            #[track_caller]
            fn matmul<R: Shape>(&self, other: &Tensor<R, $t, D>) -> Tensor<<S as MatMul<R>>::Out, $t, D>
            where
                S: MatMul<R>,
                <S as MatMul<R>>::Inner: SameInner<S, R>,
                <S as MatMul<R>>::Batch: SameBatch<S, R>;
            #[doc(hidden)]
            #[track_caller]
            fn __matmul_vjp<M0: Mode, M1: Mode, R: Shape>(
                &self,
                modes: (M0, M1),
                other: &Tensor<R, $t, D>,
            ) -> (
                Tensor<<S as MatMul<R>>::Out, $t, D>,
                impl FnOnce(
                    Ct<Tensor<<S as MatMul<R>>::Out, $t, D>>,
                    &Tensor<S, $t, D>,
                    &Tensor<R, $t, D>,
                    &mut Adj<Tensor<S, $t, D>, M0>,
                    &mut Adj<Tensor<R, $t, D>, M1>,
                ) + Clone + use<Self, M0, M1, S, R, D>,
            )
            where
                S: MatMul<R>,
                <S as MatMul<R>>::Inner: SameInner<S, R>,
                <S as MatMul<R>>::Batch: SameBatch<S, R>;
            #[doc(hidden)]
            #[track_caller]
            fn __matmul_jvp<R: Shape>(
                &self,
                t: &Tensor<S, f32, D>,
                other: &Tensor<R, $t, D>,
                t_other: &Tensor<R, f32, D>,
            ) -> (Tensor<<S as MatMul<R>>::Out, $t, D>, Tensor<<S as MatMul<R>>::Out, f32, D>)
            where
                S: MatMul<R>,
                <S as MatMul<R>>::Inner: SameInner<S, R>,
                <S as MatMul<R>>::Batch: SameBatch<S, R>;
        }

        impl<S: Shape, D: Backend> $Trait<S, D> for Tensor<S, $t, D> {
            $(
                fn $name<$(const $c: $cty)?>(&self) -> Tensor<$out, $t, D>
                where
                    $($w)*
                {
                    self.cast::<f32>().$name$(::<$c>)?().cast()
                }

                #[allow(clippy::type_complexity)]
                fn $vjp<M: Mode $(, const $c: $cty)?>(
                    &self,
                    _: (M,),
                ) -> (
                    Tensor<$out, $t, D>,
                    impl FnOnce(Ct<Tensor<$out, $t, D>>, &Tensor<S, $t, D>, &mut Adj<Tensor<S, $t, D>, M>)
                    + Clone
                    + use<M, S, D $(, $c)?>,
                )
                where
                    $($w)*
                {
                    let (out, pull) = self.cast::<f32>().$vjp::<On $(, $c)?>((On,));
                    (out.cast(), move |ct, x, d| {
                        if M::ON && let Some(ct) = ct.get() {
                            let mut sum = TensorAcc::ZERO;
                            pull(ct.clone().into(), &x.cast(), &mut sum);
                            d.acc(sum.into_inner().into());
                        }
                    })
                }

                fn $jvp<$(const $c: $cty)?>(&self, t: &Tensor<S, f32, D>) -> (Tensor<$out, $t, D>, Tensor<$out, f32, D>)
                where
                    $($w)*
                {
                    let (out, tangent) = self.cast::<f32>().$jvp$(::<$c>)?(t);
                    (out.cast(), tangent)
                }
            )*

            #[track_caller]
            fn matmul<R: Shape>(&self, other: &Tensor<R, $t, D>) -> Tensor<<S as MatMul<R>>::Out, $t, D>
            where
                S: MatMul<R>,
                <S as MatMul<R>>::Inner: SameInner<S, R>,
                <S as MatMul<R>>::Batch: SameBatch<S, R>,
            {
                self.cast::<f32>().matmul(&other.cast::<f32>()).cast()
            }

            #[allow(clippy::type_complexity)]
            #[track_caller]
            fn __matmul_vjp<M0: Mode, M1: Mode, R: Shape>(
                &self,
                modes: (M0, M1),
                other: &Tensor<R, $t, D>,
            ) -> (
                Tensor<<S as MatMul<R>>::Out, $t, D>,
                impl FnOnce(
                    Ct<Tensor<<S as MatMul<R>>::Out, $t, D>>,
                    &Tensor<S, $t, D>,
                    &Tensor<R, $t, D>,
                    &mut Adj<Tensor<S, $t, D>, M0>,
                    &mut Adj<Tensor<R, $t, D>, M1>,
                ) + Clone + use<M0, M1, S, R, D>,
            )
            where
                S: MatMul<R>,
                <S as MatMul<R>>::Inner: SameInner<S, R>,
                <S as MatMul<R>>::Batch: SameBatch<S, R>,
            {
                let (out, pull) = self.cast::<f32>().__matmul_vjp(modes, &other.cast::<f32>());
                (out.cast(), move |ct, a, b, d_a, d_b| {
                    let Some(ct) = ct.get() else { return };
                    let (a, b) = (a.cast::<f32>(), b.cast::<f32>());
                    let (mut sum_a, mut sum_b) = (a.zero_adj(modes.0), b.zero_adj(modes.1));
                    pull(ct.clone().into(), &a, &b, &mut sum_a, &mut sum_b);
                    if let Some(sum) = M0::same::<Tensor<S, f32, D>>(&mut sum_a) {
                        d_a.acc(sum.get().into());
                    }
                    if let Some(sum) = M1::same::<Tensor<R, f32, D>>(&mut sum_b) {
                        d_b.acc(sum.get().into());
                    }
                })
            }

            #[track_caller]
            fn __matmul_jvp<R: Shape>(
                &self,
                t: &Tensor<S, f32, D>,
                other: &Tensor<R, $t, D>,
                t_other: &Tensor<R, f32, D>,
            ) -> (Tensor<<S as MatMul<R>>::Out, $t, D>, Tensor<<S as MatMul<R>>::Out, f32, D>)
            where
                S: MatMul<R>,
                <S as MatMul<R>>::Inner: SameInner<S, R>,
                <S as MatMul<R>>::Batch: SameBatch<S, R>,
            {
                let (out, tangent) = self.cast::<f32>().__matmul_jvp(t, &other.cast::<f32>(), t_other);
                (out.cast(), tangent)
            }
        }
    };
}

macro_rules! all {
    ($($Trait:ident $t:ident)*) => { $(
        operators!($t);

        methods! {
            #[doc = concat!("Reductions and products of `", stringify!($t), "` tensors, computed in `f32`; in the prelude.")]
            $Trait $t;
            /// The sum of all elements, in `f32`, then rounded.
            sum __sum_vjp __sum_jvp [] -> [()] where [];
            /// The mean of all elements, in `f32`, then rounded.
            mean __mean_vjp __mean_jvp [] -> [()] where [];
            /// The largest element; NaN if there is one.
            max __max_vjp __max_jvp [] -> [()] where [];
            /// The smallest element; NaN if there is one.
            min __min_vjp __min_jvp [] -> [()] where [];
            /// The sums along axis `I`, in `f32`, then rounded.
            sum_axis __sum_axis_vjp __sum_axis_jvp [const I: isize] -> [<S as Axis<I>>::Without] where [S: Axis<I>];
            /// The means along axis `I`, in `f32`, then rounded.
            mean_axis __mean_axis_vjp __mean_axis_jvp [const I: isize] -> [<S as Axis<I>>::Without] where [S: Axis<I>];
            /// The largest elements along axis `I`; NaN where there is one.
            max_axis __max_axis_vjp __max_axis_jvp [const I: isize] -> [<S as Axis<I>>::Without] where [S: Axis<I>];
            /// The smallest elements along axis `I`; NaN where there is one.
            min_axis __min_axis_vjp __min_axis_jvp [const I: isize] -> [<S as Axis<I>>::Without] where [S: Axis<I>];
            /// The sums along axis `I`, which stays with size 1.
            sum_axis_keepdim __sum_axis_keepdim_vjp __sum_axis_keepdim_jvp [const I: isize] -> [<S as Axis<I>>::Keep] where [S: Axis<I>];
            /// The means along axis `I`, which stays with size 1.
            mean_axis_keepdim __mean_axis_keepdim_vjp __mean_axis_keepdim_jvp [const I: isize] -> [<S as Axis<I>>::Keep] where [S: Axis<I>];
        }
    )* };
}
all!(Bf16Ops bf16 F16Ops f16);
