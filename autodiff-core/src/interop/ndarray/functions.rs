//! Functions of each entry: those of numbers by their rules, and `mapv` and `map` with a closure.

use super::Real;
use crate::ad::Argument;
use crate::ad::{Acc, Adj, Ct, Differentiable, Mode, PowfRule, PowiRule, SinCosRule};
use crate::interop::rule::Itself;
use ndarray::{Array, Dimension, Zip};

/// The share of one entry.
#[inline(always)]
fn share<T: Real>(pull: impl FnOnce(&mut T)) -> T {
    let mut sum = T::ZERO;
    pull(&mut sum);
    sum
}

macro_rules! entrywise {
    ({}
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
    ) => { $(
        impl<T: Real, D: Dimension> crate::ad::$Rule for Array<T, D>
        where
            T: crate::ad::$Rule,
        {
            fn pull<A: Acc<Self>>(saved: &Self, ct: &Ct<Self>, d: &mut A) {
                if A::ON {
                    let mut ct = ct.clone();
                    ct.zip_mut_with(saved, |ct, saved| {
                        *ct = share(|d| <T as crate::ad::$Rule>::pull(saved, ct, d));
                    });
                    d.acc(ct);
                }
            }
            fn push(input: &Self, output: &Self, t: &Array<T, D>) -> Array<T, D> {
                let mut pushed = t.clone();
                Zip::from(&mut pushed).and(input).and(output)
                    .for_each(|t, x, y| *t = <T as crate::ad::$Rule>::push(x, y, t));
                pushed
            }
        }
    )* };
}
autodiff_vocabulary::functions!(short entrywise, {} [numbers turns shifts scales]);

impl<T: Real, D: Dimension> SinCosRule for Array<T, D> {
    fn pull_sin<A: Acc<Self>>(cos: &Self, ct: &Ct<Self>, d: &mut A) {
        if A::ON {
            d.acc(ct * cos);
        }
    }
    fn pull_cos<A: Acc<Self>>(sin: &Self, ct: &Ct<Self>, d: &mut A) {
        if A::ON {
            d.acc(-(ct * sin));
        }
    }
}

impl<T: Real, D: Dimension> PowiRule for Array<T, D> {
    fn pull<A: Acc<Self>>(x: &Self, n: i32, ct: &Ct<Self>, d: &mut A) {
        if A::ON {
            let mut ct = ct.clone();
            ct.zip_mut_with(x, |ct, x| *ct = share(|d| PowiRule::pull(x, n, ct, d)));
            d.acc(ct);
        }
    }
    fn push(x: &Self, n: i32, _: &Self, t: &Array<T, D>) -> Array<T, D> {
        let mut pushed = t.clone();
        pushed.zip_mut_with(x, |t, x| *t = PowiRule::push(x, n, x, t));
        pushed
    }
}

/// Of each entry, with one exponent for all.
impl<T: Real, D: Dimension> PowfRule<T> for Array<T, D> {
    fn pull_l<A: Acc<Self>>(a: &Self, b: &T, out: &Self, ct: &Ct<Self>, d: &mut A) {
        if A::ON {
            let mut pulled = ct.clone();
            Zip::from(&mut pulled)
                .and(a)
                .and(out)
                .for_each(|ct, a, out| {
                    *ct = share(|d| PowfRule::pull_l(a, b, out, ct, d));
                });
            d.acc(pulled);
        }
    }
    fn pull_r<A: Acc<T>>(a: &Self, b: &T, out: &Self, ct: &Ct<Self>, d: &mut A) {
        if A::ON {
            let mut sum = T::ZERO;
            Zip::from(a).and(out).and(ct).for_each(|a, out, ct| {
                PowfRule::pull_r(a, b, out, ct, &mut sum);
            });
            d.acc(sum);
        }
    }
    fn push_l(a: &Self, b: &T, out: &Self, t: &Array<T, D>) -> Array<T, D> {
        let mut pushed = t.clone();
        Zip::from(&mut pushed)
            .and(a)
            .and(out)
            .for_each(|t, a, out| *t = PowfRule::push_l(a, b, out, t));
        pushed
    }
    fn push_r(a: &Self, b: &T, out: &Self, t: &T) -> Array<T, D> {
        Zip::from(a)
            .and(out)
            .map_collect(|a, out| PowfRule::push_r(a, b, out, t))
    }
}

macro_rules! mapped {
    ($($vjp:ident $jvp:ident)*) => { $(
        /// In reverse mode. The closure comes in two parts, what it captures and its code.
        fn $vjp<M0: Mode, M1: Mode, E: Differentiable, C, R: Real, P>(
            &self,
            _: (M0, M1),
            env: &E,
            code: C,
        ) -> (
            Array<R, D>,
            impl FnOnce(Array<R, D>, &Array<T, D>, &E, &mut Array<Adj<T, M0>, D>, &mut Adj<E, M1>)
            + Clone
            + use<Self, T, D, M0, M1, E, C, R, P>,
        )
        where
            C: Fn(&E, (&T,)) -> (R, P),
            P: FnOnce(R, &E, (&T,), &mut Ct<E>, (&mut T,)) + Clone,
        {
            let this = self.itself();
            let (values, pullbacks): (Vec<R>, Vec<P>) = this.iter().map(|x| code(env, (x,))).unzip();
            let pullback = |ct: Array<R, D>,
                            this: &Array<T, D>,
                            env: &E,
                            d_this: &mut Array<Adj<T, M0>, D>,
                            d_env: &mut Adj<E, M1>| {
                this.with::<M0>(d_this, |d_this| {
                    env.with::<M1>(d_env, |d_env| {
                        let entries = this.iter().zip(d_this.iter_mut()).zip(&ct);
                        for (pullback, ((x, d), ct)) in pullbacks.into_iter().zip(entries) {
                            pullback(*ct, env, (x,), d_env, (d,));
                        }
                    });
                });
            };
            (shaped(this.raw_dim(), values), pullback)
        }
        /// In forward mode.
        fn $jvp<E: Differentiable, C, R: Real>(
            &self,
            t: &Array<T, D>,
            env: &E,
            code: C,
            _: (),
            t_env: &E::Tangent,
        ) -> (Array<R, D>, Array<R, D>)
        where
            C: Fn(&E, &E::Tangent, (&T,), (&T,)) -> (R, R),
        {
            let this = self.itself();
            let entries = this.iter().zip(t);
            let (values, pushed) = entries.map(|(x, t)| code(env, t_env, (x,), (t,))).unzip();
            (shaped(this.raw_dim(), values), shaped(this.raw_dim(), pushed))
        }
    )* };
}

/// An array of these entries.
pub(super) fn shaped<T, D: Dimension>(shape: D, entries: Vec<T>) -> Array<T, D> {
    Array::from_shape_vec(shape, entries).expect("one for each entry")
}

/// The derivatives of `mapv` and `map`.
#[allow(clippy::type_complexity)]
pub trait MapRules<T: Real, D: Dimension>: Itself<Array<T, D>> + Sized {
    mapped! {
        __mapv_vjp __mapv_jvp
        __map_vjp __map_jvp
    }
}
impl<T: Real, D: Dimension> MapRules<T, D> for Array<T, D> {}
