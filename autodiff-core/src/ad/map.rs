//! `map` of an array, an `Option` or a `Result`, with a closure over values with a derivative.
//!
//! The closure comes in two parts, as in [`callable`](super::callable). Where the macro sees that a value is an
//! `Option` or a `Result`, `map` is a `match`; where it does not, as of a field, the type chooses here.

use super::callable::Argument;
use super::mode::Mode;
use super::traits::{Adj, Ct, Differentiable};

/// `map` of an array.
#[allow(clippy::type_complexity)]
pub trait MapArray<T: Differentiable, const N: usize> {
    /// In reverse mode.
    fn __map_vjp<M0: Mode, M1: Mode, E: Differentiable, C, R: Differentiable, P>(
        &self,
        modes: (M0, M1),
        env: &E,
        code: C,
    ) -> (
        [R; N],
        impl FnOnce(Ct<[R; N]>, &[T; N], &E, &mut Adj<[T; N], M0>, &mut Adj<E, M1>)
        + Clone
        + use<Self, T, N, M0, M1, E, C, R, P>,
    )
    where
        C: Fn(&E, (&T,)) -> (R, P),
        P: FnOnce(Ct<R>, &E, (&T,), &mut Ct<E>, (&mut Ct<T>,)) + Clone;

    /// In forward mode.
    fn __map_jvp<E: Differentiable, C, R: Differentiable>(
        &self,
        t: &[T::Tangent; N],
        env: &E,
        code: C,
        _: (),
        t_env: &E::Tangent,
    ) -> ([R; N], [R::Tangent; N])
    where
        C: Fn(&E, &E::Tangent, (&T,), (&T::Tangent,)) -> (R, R::Tangent);
}

/// An array of pairs as a pair of arrays.
fn unzip<A, B, const N: usize>(pairs: [(A, B); N]) -> ([A; N], [B; N]) {
    let mut seconds: [Option<B>; N] = core::array::from_fn(|_| None);
    let mut places = seconds.iter_mut();
    let firsts = pairs.map(|(a, b)| {
        *places.next().expect("as many as there are entries") = Some(b);
        a
    });
    (firsts, seconds.map(|b| b.expect("every place was filled")))
}

#[allow(clippy::type_complexity)]
impl<T: Differentiable, const N: usize> MapArray<T, N> for [T; N] {
    #[inline]
    fn __map_vjp<M0: Mode, M1: Mode, E: Differentiable, C, R: Differentiable, P>(
        &self,
        _: (M0, M1),
        env: &E,
        code: C,
    ) -> (
        [R; N],
        impl FnOnce(Ct<[R; N]>, &[T; N], &E, &mut Adj<[T; N], M0>, &mut Adj<E, M1>)
        + Clone
        + use<T, N, M0, M1, E, C, R, P>,
    )
    where
        C: Fn(&E, (&T,)) -> (R, P),
        P: FnOnce(Ct<R>, &E, (&T,), &mut Ct<E>, (&mut Ct<T>,)) + Clone,
    {
        let (values, pullbacks) = unzip(self.each_ref().map(|x| code(env, (x,))));
        let pullback = |ct: Ct<[R; N]>,
                        this: &[T; N],
                        env: &E,
                        d_this: &mut Adj<[T; N], M0>,
                        d_env: &mut Adj<E, M1>| {
            this.with::<M0>(d_this, |d_this| {
                env.with::<M1>(d_env, |d_env| {
                    let entries = this.iter().zip(d_this.iter_mut());
                    let all = pullbacks.into_iter().zip(ct).zip(entries);
                    for ((p, ct), (x, d)) in all.rev() {
                        p(ct, env, (x,), d_env, (d,));
                    }
                });
            });
        };
        (values, pullback)
    }

    #[inline]
    fn __map_jvp<E: Differentiable, C, R: Differentiable>(
        &self,
        t: &[T::Tangent; N],
        env: &E,
        code: C,
        _: (),
        t_env: &E::Tangent,
    ) -> ([R; N], [R::Tangent; N])
    where
        C: Fn(&E, &E::Tangent, (&T,), (&T::Tangent,)) -> (R, R::Tangent),
    {
        unzip(core::array::from_fn(|i| {
            code(env, t_env, (&self[i],), (&t[i],))
        }))
    }
}

/// `map` of an `Option` and of a `Result`.
#[allow(clippy::type_complexity)]
pub trait MapOption: Differentiable {
    /// What may be inside.
    type Inner: Differentiable;
    /// The same with something else inside.
    type Of<R: Differentiable>: Differentiable;

    /// In reverse mode.
    fn __map_vjp<M0: Mode, M1: Mode, E: Differentiable, C, R: Differentiable, P>(
        &self,
        modes: (M0, M1),
        env: &E,
        code: C,
    ) -> (
        Self::Of<R>,
        impl FnOnce(Ct<Self::Of<R>>, &Self, &E, &mut Adj<Self, M0>, &mut Adj<E, M1>)
        + Clone
        + use<Self, M0, M1, E, C, R, P>,
    )
    where
        C: Fn(&E, (&Self::Inner,)) -> (R, P),
        P: FnOnce(Ct<R>, &E, (&Self::Inner,), &mut Ct<E>, (&mut Ct<Self::Inner>,)) + Clone;

    /// In forward mode; an error has no tangent.
    fn __map_jvp<E: Differentiable, C, R: Differentiable>(
        &self,
        t: &Option<<Self::Inner as Differentiable>::Tangent>,
        env: &E,
        code: C,
        _: (),
        t_env: &E::Tangent,
    ) -> (Self::Of<R>, Option<R::Tangent>)
    where
        C: Fn(
            &E,
            &E::Tangent,
            (&Self::Inner,),
            (&<Self::Inner as Differentiable>::Tangent,),
        ) -> (R, R::Tangent);
}

macro_rules! map_option {
    ($Of:ident<T $(, $Error:ident)?>, $there:ident, $missing:pat => $still:expr) => {
        #[allow(clippy::type_complexity)]
        impl<T: Differentiable $(, $Error: Clone)?> MapOption for $Of<T $(, $Error)?> {
            type Inner = T;
            type Of<R: Differentiable> = $Of<R $(, $Error)?>;

            #[inline]
            fn __map_vjp<M0: Mode, M1: Mode, E: Differentiable, C, R: Differentiable, P>(
                &self,
                _: (M0, M1),
                env: &E,
                code: C,
            ) -> (
                Self::Of<R>,
                impl FnOnce(Option<Ct<R>>, &Self, &E, &mut Adj<Self, M0>, &mut Adj<E, M1>)
                + Clone
                + use<T, $($Error,)? M0, M1, E, C, R, P>,
            )
            where
                C: Fn(&E, (&T,)) -> (R, P),
                P: FnOnce(Ct<R>, &E, (&T,), &mut Ct<E>, (&mut Ct<T>,)) + Clone,
            {
                let (value, pullback) = match self {
                    $there(x) => {
                        let (y, pullback) = code(env, (x,));
                        ($there(y), Some(pullback))
                    }
                    $missing => ($still, None),
                };
                let pullback = |ct: Option<Ct<R>>,
                                this: &Self,
                                env: &E,
                                d_this: &mut Adj<Self, M0>,
                                d_env: &mut Adj<E, M1>| {
                    let (Some(pullback), Some(ct), $there(x)) = (pullback, ct, this) else {
                        return;
                    };
                    this.with::<M0>(d_this, |d_this| {
                        env.with::<M1>(d_env, |d_env| {
                            let mut none = None;
                            let d = match d_this {
                                Some(d) => d,
                                None => none.insert(T::zero_ct(&x.proto())),
                            };
                            pullback(ct, env, (x,), d_env, (d,));
                        });
                    });
                };
                (value, pullback)
            }

            #[inline]
            fn __map_jvp<E: Differentiable, C, R: Differentiable>(
                &self,
                t: &Option<T::Tangent>,
                env: &E,
                code: C,
                _: (),
                t_env: &E::Tangent,
            ) -> (Self::Of<R>, Option<R::Tangent>)
            where
                C: Fn(&E, &E::Tangent, (&T,), (&T::Tangent,)) -> (R, R::Tangent),
            {
                match self {
                    $there(x) => {
                        let zero = t.is_none().then(|| x.zero_tangent());
                        let t = t.as_ref().or(zero.as_ref()).expect("one of the two");
                        let (y, t) = code(env, t_env, (x,), (t,));
                        ($there(y), Some(t))
                    }
                    $missing => ($still, None),
                }
            }
        }
    };
}

map_option!(Option<T>, Some, None => None);
map_option!(Result<T, Error>, Ok, Err(e) => Err(e.clone()));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ad::On;

    #[test]
    fn entries_in_order() {
        let code = |k: &f64, (x,): (&f64,)| {
            let kept = *x;
            (
                k * x,
                move |ct: f64, k: &f64, _: (&f64,), d_k: &mut f64, (d,): (&mut f64,)| {
                    *d_k += kept * ct;
                    *d += k * ct;
                },
            )
        };
        let x = [1.0, 2.0, 5.0];
        let (y, pullback) = x.__map_vjp((On, On), &3.0, code);
        assert_eq!(y, [3.0, 6.0, 15.0]);
        let (mut d_x, mut d_k) = ([0.0; 3], 0.0);
        pullback([1.0, 10.0, 100.0], &x, &3.0, &mut d_x, &mut d_k);
        assert_eq!((d_x, d_k), ([3.0, 30.0, 300.0], 521.0));
    }
}
