//! `a.dot(&b)` of vectors and matrices: with a cotangent `C` of `A B`, `A` is given `C Bᵀ` and `B` is given `Aᵀ C`.

use super::Real;
use crate::ad::{self, Acc, Adj, Ct, Differentiable, Mode};
use crate::interop::rule::Flat;
use ndarray::{Array, Array1, Array2, ArrayRef1, Axis, Dimension, Ix1, Ix2};

/// The product `a.dot(&b)` of vectors and matrices.
#[diagnostic::on_unimplemented(
    message = "the product of `{Self}` with `{B}` has no derivative",
    note = "one- and two-dimensional arrays of ndarray have one"
)]
pub trait Dot<B: Differentiable>: Differentiable {
    /// The type of the product.
    type Out: Differentiable<Tangent = Self::Out> + Flat + ad::Tangent;
    /// The product.
    fn product(&self, b: &B) -> Self::Out;
    /// The product of a tangent of `a` with `b`.
    fn push_l(t: &Self::Tangent, b: &B) -> Self::Out;
    /// The product of `a` with a tangent of `b`.
    fn push_r(&self, t: &B::Tangent) -> Self::Out;
    /// What `a` is given of the cotangent.
    fn pull_l(ct: &Self::Out, b: &B) -> Self::Tangent;
    /// What `b` is given of the cotangent.
    fn pull_r(&self, ct: &Self::Out) -> B::Tangent;
}

/// The matrix `a bᵀ`.
fn outer<T: Real>(a: &ArrayRef1<T>, b: &ArrayRef1<T>) -> Array2<T> {
    a.view()
        .insert_axis(Axis(1))
        .dot(&b.view().insert_axis(Axis(0)))
}

macro_rules! dot {
    ($D:ident $E:ident => $Out:ty; |$ct:ident, $a:ident, $b:ident| $pull_l:expr, $pull_r:expr) => {
        impl<T: Real> Dot<Array<T, $E>> for Array<T, $D> {
            type Out = $Out;
            fn product(&self, b: &Array<T, $E>) -> $Out {
                self.dot(b)
            }
            fn push_l(t: &Array<T, $D>, b: &Array<T, $E>) -> $Out {
                t.dot(b)
            }
            fn push_r(&self, t: &Array<T, $E>) -> $Out {
                self.dot(t)
            }
            fn pull_l($ct: &$Out, $b: &Array<T, $E>) -> Array<T, $D> {
                $pull_l
            }
            fn pull_r(&self, $ct: &$Out) -> Array<T, $E> {
                let $a = self;
                $pull_r
            }
        }
    };
}
dot! { Ix1 Ix1 => T; |ct, a, b| b.mapv(|x| x * *ct), a.mapv(|x| x * *ct) }
dot! { Ix2 Ix1 => Array1<T>; |ct, a, b| outer(ct, b), a.t().dot(ct) }
dot! { Ix1 Ix2 => Array1<T>; |ct, a, b| b.dot(ct), outer(a, ct) }
dot! { Ix2 Ix2 => Array2<T>; |ct, a, b| ct.dot(&b.t()), a.t().dot(ct) }

/// The derivative of `dot`.
#[allow(clippy::type_complexity, missing_docs)]
pub trait DotRules: Differentiable + Sized {
    fn __dot_vjp<M0: Mode, M1: Mode, B: Differentiable>(
        &self,
        _: (M0, M1),
        b: &B,
    ) -> (
        <Self as Dot<B>>::Out,
        impl FnOnce(Ct<<Self as Dot<B>>::Out>, &Self, &B, &mut Adj<Self, M0>, &mut Adj<B, M1>)
        + Clone
        + use<Self, M0, M1, B>,
    )
    where
        Self: Dot<B>,
    {
        let pullback = |ct: Ct<<Self as Dot<B>>::Out>,
                        a: &Self,
                        b: &B,
                        da: &mut Adj<Self, M0>,
                        db: &mut Adj<B, M1>| {
            let ct = <Self as Dot<B>>::Out::flat(ct);
            if M0::ON {
                da.acc(Self::start(Self::pull_l(&ct, b)));
            }
            if M1::ON {
                db.acc(B::start(a.pull_r(&ct)));
            }
        };
        (self.product(b), pullback)
    }
    fn __dot_jvp<B: Differentiable>(
        &self,
        ta: &Self::Tangent,
        b: &B,
        tb: &B::Tangent,
    ) -> (<Self as Dot<B>>::Out, <Self as Dot<B>>::Out)
    where
        Self: Dot<B>,
    {
        let pushed = ad::Tangent::add(Self::push_l(ta, b), self.push_r(tb));
        (self.product(b), pushed)
    }
}
impl<T: Real, D: Dimension> DotRules for Array<T, D> {}
