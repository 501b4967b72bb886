//! Functions of one real variable, applied to every element: those of the table in the crate `autodiff-vocabulary`.
//!
//! Derivatives are diagonal: pullback and pushforward are one kernel, `t ⊙ op′`, which takes `op′` from what the table says
//! that it reads.

use crate::ad::{
    AbsRule, Acc, AcosRule, AcoshRule, Adj, AsinRule, AsinhRule, AtanRule, AtanhRule, CbrtRule,
    CosRule, CoshRule, Ct, Exp2Rule, ExpM1Rule, ExpRule, FractRule, GeluRule, Ln1pRule, LnRule,
    Log2Rule, Log10Rule, Mode, NegRule, RecipRule, ReluRule, SigmoidRule, SiluRule, SinCosRule,
    SinRule, SinhRule, SoftplusRule, SqrtRule, TanRule, TanhRule, ToDegreesRule, ToRadiansRule,
    Wit,
};
use crate::device::{Backend, BinaryOp, Float, UnaryOp};
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};
use core::f64::consts::PI;

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    #[track_caller]
    pub(in crate::ops) fn apply(&self, op: UnaryOp) -> Self {
        Tensor::new(self.shape(), self.raw().clone().unary(op))
    }
}

/// Adds `ct ⊙ op′` to an accumulator.
#[track_caller]
pub(in crate::ops) fn pull<S: Shape, T: Float, D: Backend, A: Acc<Tensor<S, T, D>>>(
    op: UnaryOp,
    saved: &Tensor<S, T, D>,
    ct: &Ct<Tensor<S, T, D>>,
    d: &mut A,
) {
    if A::ON
        && let Some(ct) = ct.raw()
    {
        d.acc(
            Tensor::new(
                saved.shape(),
                Raw::unary_pullback(op, saved.raw(), ct.clone()),
            )
            .into(),
        );
    }
}

/// `t ⊙ op′`.
#[track_caller]
pub(in crate::ops) fn push<S: Shape, T: Float, D: Backend>(
    op: UnaryOp,
    saved: &Tensor<S, T, D>,
    t: &Tensor<S, T, D>,
) -> Tensor<S, T, D> {
    Tensor::new(
        saved.shape(),
        Raw::unary_pullback(op, saved.raw(), t.raw().clone()),
    )
}

/// Functions that emitted code calls by the trait of their rule.
macro_rules! with_rule {
    ({}
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]
    ) => { $(
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self) -> Self {
                self.apply(UnaryOp::$Op)
            }
        }
        impl<S: Shape, T: Float, D: Backend> $Rule for Tensor<S, T, D> {
            #[track_caller]
            fn pull<A: Acc<Self>>(saved: &Self, ct: &Ct<Self>, d: &mut A) {
                pull(UnaryOp::$Op, saved, ct, d)
            }
            #[track_caller]
            fn push(_x: &Self, _y: &Self, t: &Self) -> Self {
                push(UnaryOp::$Op, autodiff_vocabulary::saved!($reads _x _y), t)
            }
        }
    )* };
}

autodiff_vocabulary::functions!(short with_rule, {} [numbers turns shifts activations]);

/// Functions that only tensors have, with their companions.
macro_rules! with_companions {
    ({}
        [$($(#[$doc:meta])* $name:ident $Op:ident ($vjp:ident $jvp:ident) $reads:ident $costs:tt $domain:tt;)*]
    ) => { $(
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self) -> Self {
                self.apply(UnaryOp::$Op)
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn $vjp<M: Mode>(
                &self,
                _: (M,),
            ) -> (Self, impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M>) + Clone + use<M, S, T, D>) {
                let out = self.$name();
                let pullback = with_companions!(@pullback $reads $Op M out);
                (out, pullback)
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn $jvp(&self, t: &Self) -> (Self, Self) {
                let (_this, out) = (self, self.$name());
                let tangent = push(UnaryOp::$Op, autodiff_vocabulary::saved!($reads _this (&out)), t);
                (out, tangent)
            }
        }
    )* };
    (@pullback output $Op:ident $M:ident $out:ident) => {{
        let saved = $M::ON.then(|| $out.clone());
        move |ct: Ct<Self>, _: &Self, d: &mut Adj<Self, $M>| {
            if let Some(saved) = &saved {
                pull(UnaryOp::$Op, saved, &ct, d)
            }
        }
    }};
    (@pullback $reads:ident $Op:ident $M:ident $out:ident) => {
        |ct: Ct<Self>, x: &Self, d: &mut Adj<Self, $M>| pull(UnaryOp::$Op, x, &ct, d)
    };
}

autodiff_vocabulary::functions!(short with_companions, {} [elements apart flat flat_elements]);

/// Multiplication by a constant.
macro_rules! scale {
    ({}
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt
            |$x:ident| $value:expr; |$t:ident, $v:ident| $pull:expr;)*]
    ) => { $(
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self) -> Self {
                let $x = self;
                $value
            }
        }
        impl<S: Shape, T: Float, D: Backend> $Rule for Tensor<S, T, D> {
            #[track_caller]
            fn pull<A: Acc<Self>>(x: &Self, ct: &Ct<Self>, d: &mut A) {
                if A::ON && let Some(ct) = ct.raw() {
                    let $t = Tensor::new(x.shape(), ct.clone());
                    let ct: Self = $pull;
                    d.acc(ct.into());
                }
            }
            #[track_caller]
            fn push(_: &Self, _: &Self, t: &Self) -> Self {
                t.$name()
            }
        }
    )* };
}

autodiff_vocabulary::functions!(scale, {}[scales]);

impl<S: Shape, T: Float, D: Backend> SinCosRule for Tensor<S, T, D> {
    #[track_caller]
    fn pull_sin<A: Acc<Self>>(cos: &Self, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            let ct = Raw::binary(BinaryOp::Mul, ct.clone(), cos.raw().clone());
            d.acc(Tensor::new(cos.shape(), ct).into());
        }
    }
    #[track_caller]
    fn pull_cos<A: Acc<Self>>(sin: &Self, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            let ct = Raw::binary(BinaryOp::Mul, ct.clone(), sin.raw().clone());
            d.acc(Tensor::new(sin.shape(), ct.unary(UnaryOp::Neg)).into());
        }
    }
}

impl<S: Shape, T: Float, D: Backend> NegRule for Tensor<S, T, D> {
    #[track_caller]
    fn pull<A: Acc<Self>>(a: &Wit<Self>, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(Tensor::new(a.0.0, ct.clone().unary(UnaryOp::Neg)).into());
        }
    }
    #[track_caller]
    fn push(_: &Self, _: &Self, t: &Self) -> Self {
        -t
    }
}
