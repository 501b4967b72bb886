//! `+ - * /` and the sign, of two arrays and of an array and a number.
//!
//! ndarray repeats the smaller operand along axes of length one and along axes that it has not (the first ones of the
//! other). Each of its entries is used many times, and is given the sum of what each use is given.

use super::Real;
use crate::ad::{Acc, Ct, NegRule, Wit, quotient as entry, unless_zero};
use ndarray::{Array, ArrayRef, Axis, DimMax, Dimension};

/// The number of axes of the result.
type Max<D, E> = <D as DimMax<E>>::Output;

/// Sums along the axes that an operand of this shape was repeated along.
fn sum_to<T: Real, O: Dimension, D: Dimension>(ct: Array<T, O>, shape: &D) -> Array<T, D> {
    let mut sum = ct.into_dyn();
    if sum.shape() != shape.slice() {
        while sum.ndim() > shape.ndim() {
            sum = sum.sum_axis(Axis(0));
        }
        for axis in 0..shape.ndim() {
            if shape[axis] == 1 && sum.shape()[axis] != 1 {
                sum = sum.sum_axis(Axis(axis)).insert_axis(Axis(axis));
            }
        }
    }
    sum.into_dimensionality()
        .expect("the axes of the operand are left")
}

/// Repeated to the shape of the result.
#[track_caller]
fn repeat<T: Real, D: Dimension, O: Dimension>(
    t: &Array<T, D>,
    out: &ArrayRef<T, O>,
) -> Array<T, O> {
    let repeated = t.broadcast(out.raw_dim());
    repeated
        .expect("a tangent has another shape than its value")
        .to_owned()
}

/// Pairs of entries, where the second operand is repeated to the shape of the first.
fn zip<T: Real, O: Dimension, E: Dimension>(
    mut a: Array<T, O>,
    b: &ArrayRef<T, E>,
    f: impl Fn(T, T) -> T,
) -> Array<T, O> {
    a.zip_mut_with(b, |a, b| *a = f(*a, *b));
    a
}

fn times<T: Real, O: Dimension, E: Dimension>(a: Array<T, O>, b: &ArrayRef<T, E>) -> Array<T, O> {
    zip(a, b, |a, b| a * b)
}

fn inner<T: Real, D: Dimension>(a: &ArrayRef<T, D>, b: &ArrayRef<T, D>) -> T {
    a.iter().zip(b.iter()).map(|(a, b)| *a * *b).sum()
}

impl<T: Real, D: Dimension> NegRule for Array<T, D> {
    fn pull<A: Acc<Self>>(_: &Wit<Self>, ct: &Ct<Self>, d: &mut A) {
        if A::ON {
            d.acc(ct.mapv(|x| -x));
        }
    }
    fn push(_: &Self, _: &Self, t: &Array<T, D>) -> Array<T, D> {
        t.mapv(|x| -x)
    }
}

macro_rules! sum {
    ($Rule:ident |$x:ident| $right:expr) => {
        impl<T: Real, D: Dimension, E: Dimension> crate::ad::$Rule<Array<T, E>> for Array<T, D>
        where
            D: DimMax<E>,
        {
            type Out = Array<T, Max<D, E>>;
            fn pull_l<A: Acc<Self>>(
                a: &Wit<Self>,
                _: &Wit<Array<T, E>>,
                ct: &Ct<Self::Out>,
                d: &mut A,
            ) {
                if A::ON {
                    d.acc(sum_to(ct.clone(), &a.0));
                }
            }
            fn pull_r<A: Acc<Array<T, E>>>(
                _: &Wit<Self>,
                b: &Wit<Array<T, E>>,
                ct: &Ct<Self::Out>,
                d: &mut A,
            ) {
                if A::ON {
                    d.acc(sum_to(ct.mapv(|$x| $right), &b.0));
                }
            }
            fn push_l(_: &Self, _: &Array<T, E>, out: &Self::Out, t: &Array<T, D>) -> Self::Out {
                repeat(t, out)
            }
            fn push_r(_: &Self, _: &Array<T, E>, out: &Self::Out, t: &Array<T, E>) -> Self::Out {
                repeat(t, out).mapv_into(|$x| $right)
            }
        }
        impl<T: Real, D: Dimension> crate::ad::$Rule<T> for Array<T, D> {
            type Out = Array<T, D>;
            fn pull_l<A: Acc<Self>>(_: &Wit<Self>, _: &Wit<T>, ct: &Array<T, D>, d: &mut A) {
                if A::ON {
                    d.acc(ct.clone());
                }
            }
            fn pull_r<A: Acc<T>>(_: &Wit<Self>, _: &Wit<T>, ct: &Array<T, D>, d: &mut A) {
                if A::ON {
                    let $x = ct.sum();
                    d.acc($right);
                }
            }
            fn push_l(_: &Self, _: &T, _: &Array<T, D>, t: &Array<T, D>) -> Array<T, D> {
                t.clone()
            }
            fn push_r(_: &Self, _: &T, out: &Array<T, D>, t: &T) -> Array<T, D> {
                let $x = *t;
                Array::from_elem(out.raw_dim(), $right)
            }
        }
    };
}
sum!(AddRule | x | x);
sum!(SubRule | x | -x);

impl<T: Real, D: Dimension, E: Dimension> crate::ad::MulRule<Array<T, E>> for Array<T, D>
where
    D: DimMax<E>,
{
    type Out = Array<T, Max<D, E>>;
    fn pull_l<A: Acc<Self>>(a: &Wit<Self>, b: &Array<T, E>, ct: &Ct<Self::Out>, d: &mut A) {
        if A::ON {
            d.acc(sum_to(times(ct.clone(), b), &a.0));
        }
    }
    fn pull_r<A: Acc<Array<T, E>>>(a: &Self, b: &Wit<Array<T, E>>, ct: &Ct<Self::Out>, d: &mut A) {
        if A::ON {
            d.acc(sum_to(times(ct.clone(), a), &b.0));
        }
    }
    fn push_l(_: &Self, b: &Array<T, E>, out: &Self::Out, t: &Array<T, D>) -> Self::Out {
        times(repeat(t, out), b)
    }
    fn push_r(a: &Self, _: &Array<T, E>, out: &Self::Out, t: &Array<T, E>) -> Self::Out {
        times(repeat(t, out), a)
    }
}

impl<T: Real, D: Dimension, E: Dimension> crate::ad::DivRule<Array<T, E>> for Array<T, D>
where
    D: DimMax<E>,
{
    type Out = Array<T, Max<D, E>>;
    fn pull_l<A: Acc<Self>>(a: &Wit<Self>, b: &Array<T, E>, ct: &Ct<Self::Out>, d: &mut A) {
        if A::ON {
            d.acc(sum_to(zip(ct.clone(), b, entry), &a.0));
        }
    }
    fn pull_r<A: Acc<Array<T, E>>>(
        _: &Wit<Self>,
        b: &Array<T, E>,
        out: &Self::Out,
        ct: &Ct<Self::Out>,
        d: &mut A,
    ) {
        if A::ON {
            let slope = zip(ct.clone(), out, |ct, out| unless_zero(ct, -ct * out));
            d.acc(sum_to(zip(slope, b, entry), &b.raw_dim()));
        }
    }
    fn push_l(_: &Self, b: &Array<T, E>, out: &Self::Out, t: &Array<T, D>) -> Self::Out {
        zip(repeat(t, out), b, entry)
    }
    fn push_r(_: &Self, b: &Array<T, E>, out: &Self::Out, t: &Array<T, E>) -> Self::Out {
        let slope = zip(repeat(t, out), out, |t, out| unless_zero(t, -t * out));
        zip(slope, b, entry)
    }
}

impl<T: Real, D: Dimension> crate::ad::MulRule<T> for Array<T, D> {
    type Out = Array<T, D>;
    fn pull_l<A: Acc<Self>>(_: &Wit<Self>, k: &T, ct: &Array<T, D>, d: &mut A) {
        if A::ON {
            d.acc(ct.mapv(|x| x * *k));
        }
    }
    fn pull_r<A: Acc<T>>(a: &Self, _: &Wit<T>, ct: &Array<T, D>, d: &mut A) {
        if A::ON {
            d.acc(inner(a, ct));
        }
    }
    fn push_l(_: &Self, k: &T, _: &Array<T, D>, t: &Array<T, D>) -> Array<T, D> {
        t.mapv(|x| x * *k)
    }
    fn push_r(a: &Self, _: &T, _: &Array<T, D>, t: &T) -> Array<T, D> {
        a.mapv(|x| x * *t)
    }
}

impl<T: Real, D: Dimension> crate::ad::DivRule<T> for Array<T, D> {
    type Out = Array<T, D>;
    fn pull_l<A: Acc<Self>>(_: &Wit<Self>, k: &T, ct: &Array<T, D>, d: &mut A) {
        if A::ON {
            d.acc(ct.mapv(|x| entry(x, *k)));
        }
    }
    fn pull_r<A: Acc<T>>(_: &Wit<Self>, k: &T, out: &Array<T, D>, ct: &Array<T, D>, d: &mut A) {
        if A::ON {
            let inner = inner(out, ct);
            d.acc(unless_zero(inner, -inner / *k));
        }
    }
    fn push_l(_: &Self, k: &T, _: &Array<T, D>, t: &Array<T, D>) -> Array<T, D> {
        t.mapv(|x| entry(x, *k))
    }
    fn push_r(_: &Self, k: &T, out: &Array<T, D>, t: &T) -> Array<T, D> {
        out.mapv(|x| unless_zero(*t, -(x * *t) / *k))
    }
}

/// A number on the left, for the types of numbers, as ndarray has it.
macro_rules! left {
    ($($T:ident)*) => { $(
        left! { @sum $T AddRule |x| x }
        left! { @sum $T SubRule |x| -x }
        impl<D: Dimension> crate::ad::MulRule<Array<$T, D>> for $T {
            type Out = Array<$T, D>;
            fn pull_l<A: Acc<$T>>(_: &Wit<$T>, b: &Array<$T, D>, ct: &Array<$T, D>, d: &mut A) {
                if A::ON {
                    d.acc(inner(b, ct));
                }
            }
            fn pull_r<A: Acc<Array<$T, D>>>(
                k: &$T, _: &Wit<Array<$T, D>>, ct: &Array<$T, D>, d: &mut A,
            ) {
                if A::ON {
                    d.acc(ct.mapv(|x| x * *k));
                }
            }
            fn push_l(_: &$T, b: &Array<$T, D>, _: &Array<$T, D>, t: &$T) -> Array<$T, D> {
                b.mapv(|x| x * *t)
            }
            fn push_r(k: &$T, _: &Array<$T, D>, _: &Array<$T, D>, t: &Array<$T, D>) -> Array<$T, D> {
                t.mapv(|x| x * *k)
            }
        }
        impl<D: Dimension> crate::ad::DivRule<Array<$T, D>> for $T {
            type Out = Array<$T, D>;
            fn pull_l<A: Acc<$T>>(_: &Wit<$T>, b: &Array<$T, D>, ct: &Array<$T, D>, d: &mut A) {
                if A::ON {
                    d.acc(zip(ct.clone(), b, entry).sum());
                }
            }
            fn pull_r<A: Acc<Array<$T, D>>>(
                _: &Wit<$T>, b: &Array<$T, D>, out: &Array<$T, D>, ct: &Array<$T, D>, d: &mut A,
            ) {
                if A::ON {
                    let slope = zip(ct.clone(), out, |ct, out| unless_zero(ct, -ct * out));
                    d.acc(zip(slope, b, entry));
                }
            }
            fn push_l(_: &$T, b: &Array<$T, D>, _: &Array<$T, D>, t: &$T) -> Array<$T, D> {
                b.mapv(|b| entry(*t, b))
            }
            fn push_r(
                _: &$T, b: &Array<$T, D>, out: &Array<$T, D>, t: &Array<$T, D>,
            ) -> Array<$T, D> {
                let slope = zip(t.clone(), out, |t, out| unless_zero(t, -t * out));
                zip(slope, b, entry)
            }
        }
    )* };
    (@sum $T:ident $Rule:ident |$x:ident| $right:expr) => {
        impl<D: Dimension> crate::ad::$Rule<Array<$T, D>> for $T {
            type Out = Array<$T, D>;
            fn pull_l<A: Acc<$T>>(
                _: &Wit<$T>, _: &Wit<Array<$T, D>>, ct: &Array<$T, D>, d: &mut A,
            ) {
                if A::ON {
                    d.acc(ct.sum());
                }
            }
            fn pull_r<A: Acc<Array<$T, D>>>(
                _: &Wit<$T>, _: &Wit<Array<$T, D>>, ct: &Array<$T, D>, d: &mut A,
            ) {
                if A::ON {
                    d.acc(ct.mapv(|$x| $right));
                }
            }
            fn push_l(_: &$T, _: &Array<$T, D>, out: &Array<$T, D>, t: &$T) -> Array<$T, D> {
                Array::from_elem(out.raw_dim(), *t)
            }
            fn push_r(
                _: &$T, _: &Array<$T, D>, _: &Array<$T, D>, t: &Array<$T, D>,
            ) -> Array<$T, D> {
                t.mapv(|$x| $right)
            }
        }
    };
}
left!(f32 f64);
