//! Functions of every element and a scalar: `powi powf clamp`.

use crate::ad::{Acc, Adj, ClampRule, Ct, Differentiable, Inactive, Mode, PowfRule, PowiRule, Wit};
use crate::device::{Backend, BinaryOp, CompareOp, Float, Side, UnaryOp};
use crate::ops::elementwise::unary::{pull, push};
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// `x^n`.
    #[track_caller]
    pub fn powi(&self, n: i32) -> Self {
        self.apply(UnaryOp::Powi(n))
    }

    /// `x^p`.
    #[track_caller]
    pub fn powf(&self, p: T) -> Self {
        if p.changes() {
            let powers = self.raw().clone().binary_scalar(BinaryOp::Powf, p);
            return Tensor::new(self.shape(), powers);
        }
        self.apply(UnaryOp::Powf(p.to_f64()))
    }

    /// Every element brought between two bounds; a NaN stays NaN.
    ///
    /// # Panics
    /// If `lo > hi` or one of them is NaN.
    #[track_caller]
    pub fn clamp(&self, lo: T, hi: T) -> Self {
        assert!(
            lo <= hi,
            "clamp: the bounds {lo:?} and {hi:?} are not in order"
        );
        let clamped = self.apply(UnaryOp::Clamp(lo.to_f64(), hi.to_f64()));
        self.with_bound(
            CompareOp::Gt,
            hi,
            self.with_bound(CompareOp::Lt, lo, clamped),
        )
    }

    /// `clamped` with the bound itself, which may carry tangents, where an element is beyond it.
    #[track_caller]
    fn with_bound(&self, beyond: CompareOp, bound: T, clamped: Self) -> Self {
        if !bound.changes() {
            return clamped;
        }
        let bound = Raw::scalar(self.device(), bound);
        let mask = Raw::compare(beyond, self.raw(), &bound);
        Tensor::new(self.shape(), Raw::select(&mask, &bound, clamped.raw()))
    }
}

macro_rules! bounds {
    ($($(#[$doc:meta])* $name:ident $vjp:ident $jvp:ident $beyond:ident |$bound:ident| $op:expr;)*) => { $(
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            ///
            /// # Panics
            /// If the bound is NaN.
            #[track_caller]
            pub fn $name(&self, $bound: T) -> Self {
                assert!(!$bound.is_nan(), "{}: the bound is NaN", stringify!($name));
                self.with_bound(CompareOp::$beyond, $bound, self.apply($op))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Inactive>(
                &self,
                _: (M0, M1),
                $bound: T,
            ) -> (
                Self,
                impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M0>, &mut Adj<T, M1>) + Clone + use<M0, M1, S, T, D>,
            )
            where
                T: Differentiable,
            {
                (self.$name($bound), move |ct, x, d, _| pull($op, x, &ct, d))
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn $jvp(&self, t: &Self, $bound: T, _: impl Sized) -> (Self, Self) {
                (self.$name($bound), push($op, self, t))
            }
        }
    )* };
}

bounds! {
    /// Every element brought to `lo` at least; a NaN stays NaN. The bound is held constant:
    /// [`clamp`](Tensor::clamp) has derivatives of its bounds.
    clamp_min __clamp_min_vjp __clamp_min_jvp Lt |lo| UnaryOp::Clamp(lo.to_f64(), f64::INFINITY);
    /// Every element brought to `hi` at most; a NaN stays NaN. The bound is held constant:
    /// [`clamp`](Tensor::clamp) has derivatives of its bounds.
    clamp_max __clamp_max_vjp __clamp_max_jvp Gt |hi| UnaryOp::Clamp(f64::NEG_INFINITY, hi.to_f64());
}

impl<S: Shape, T: Float, D: Backend> PowiRule for Tensor<S, T, D> {
    #[track_caller]
    fn pull<A: Acc<Self>>(x: &Self, n: i32, ct: &Ct<Self>, d: &mut A) {
        pull(UnaryOp::Powi(n), x, ct, d)
    }
    #[track_caller]
    fn push(x: &Self, n: i32, _: &Self, t: &Self) -> Self {
        push(UnaryOp::Powi(n), x, t)
    }
}

/// What the reverse of a clamp saves.
#[derive(Clone, Debug)]
pub struct Clamp<T: Float, D: Backend> {
    x: Raw<T, D>,
    lo: T,
    hi: T,
}

impl<T: Float, D: Backend> Clamp<T, D> {
    #[track_caller]
    fn op(&self) -> UnaryOp {
        UnaryOp::Clamp(self.lo.to_f64(), self.hi.to_f64())
    }
    /// The entries of `t` where `x` is beyond a bound.
    #[track_caller]
    fn beyond(&self, op: CompareOp, bound: T, t: &Raw<T, D>) -> Raw<T, D> {
        let mask = Raw::compare(op, &self.x, &Raw::scalar(self.x.device(), bound));
        t.clone().keep_where(&mask, T::ZERO)
    }
    #[track_caller]
    fn below(&self, t: &Raw<T, D>) -> Raw<T, D> {
        self.beyond(CompareOp::Lt, self.lo, t)
    }
    #[track_caller]
    fn above(&self, t: &Raw<T, D>) -> Raw<T, D> {
        self.beyond(CompareOp::Gt, self.hi, t)
    }
}

impl<S: Shape, T: Float, D: Backend> PowfRule<T> for Tensor<S, T, D> {
    #[track_caller]
    fn pull_l<A: Acc<Self>>(a: &Self, b: &T, _: &Self, ct: &Ct<Self>, d: &mut A) {
        if b.changes() {
            if A::ON
                && let Some(ct) = ct.raw()
            {
                let by_base = with_exponent(Side::Left, a, *b, ct.clone());
                d.acc(Tensor::new(a.shape(), by_base).into());
            }
            return;
        }
        pull(UnaryOp::Powf(b.to_f64()), a, ct, d)
    }
    #[track_caller]
    fn pull_r<A: Acc<T>>(a: &Self, b: &T, _: &Self, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(by_exponent(a, *b, ct.clone()).cotangent_of_number());
        }
    }
    #[track_caller]
    fn push_l(a: &Self, b: &T, _: &Self, t: &Self) -> Self {
        Tensor::new(a.shape(), with_exponent(Side::Left, a, *b, t.raw().clone()))
    }
    #[track_caller]
    fn push_r(a: &Self, b: &T, _: &Self, t: &T) -> Self {
        let t = Raw::full(a.device(), a.dims(), *t);
        Tensor::new(a.shape(), by_exponent(a, *b, t))
    }
}

impl<S: Shape, T: Float, D: Backend> ClampRule<T> for Tensor<S, T, D> {
    type Sel = Clamp<T, D>;
    #[track_caller]
    fn sel(x: &Self, lo: &T, hi: &T) -> Self::Sel {
        Clamp {
            x: x.raw().clone(),
            lo: *lo,
            hi: *hi,
        }
    }
    #[track_caller]
    fn pull_x<A: Acc<Self>>(x: &Wit<Self>, sel: &Self::Sel, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(Tensor::new(x.0.0, Raw::unary_pullback(sel.op(), &sel.x, ct.clone())).into());
        }
    }
    #[track_caller]
    fn pull_lo<A: Acc<T>>(_: &Wit<Self>, _: &Wit<T>, sel: &Self::Sel, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(sel.below(ct).cotangent_of_number());
        }
    }
    #[track_caller]
    fn pull_hi<A: Acc<T>>(_: &Wit<Self>, _: &Wit<T>, sel: &Self::Sel, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(sel.above(ct).cotangent_of_number());
        }
    }
    #[track_caller]
    fn push_x(x: &Self, lo: &T, hi: &T, _: &Self, t: &Self) -> Self {
        push(Self::sel(x, lo, hi).op(), x, t)
    }
    #[track_caller]
    fn push_lo(x: &Self, lo: &T, hi: &T, _: &Self, t: &T) -> Self {
        let t = Raw::full(x.device(), x.dims(), *t);
        Tensor::new(x.shape(), Self::sel(x, lo, hi).below(&t))
    }
    #[track_caller]
    fn push_hi(x: &Self, lo: &T, hi: &T, _: &Self, t: &T) -> Self {
        let t = Raw::full(x.device(), x.dims(), *t);
        Tensor::new(x.shape(), Self::sel(x, lo, hi).above(&t))
    }
}

/// `t · ∂(aᵇ)/∂b`.
#[track_caller]
fn by_exponent<S: Shape, T: Float, D: Backend>(
    a: &Tensor<S, T, D>,
    b: T,
    t: Raw<T, D>,
) -> Raw<T, D> {
    with_exponent(Side::Right, a, b, t)
}

/// `t` times the derivative of `aᵇ` by one side.
#[track_caller]
fn with_exponent<S: Shape, T: Float, D: Backend>(
    side: Side,
    a: &Tensor<S, T, D>,
    b: T,
    t: Raw<T, D>,
) -> Raw<T, D> {
    let b = Raw::scalar(a.device(), b).expand(a.dims());
    Raw::binary_pullback(BinaryOp::Powf, side, a.raw(), &b, t)
}
