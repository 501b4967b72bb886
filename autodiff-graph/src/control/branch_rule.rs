//! The derivative of [`cond`](fn@super::cond), as emitted code calls it: see `ad/callable.rs` of the core.

use super::branch::{self, record};
use super::flow::{Flow, Tangents, Values};
use autodiff_core::ad::{Acc, Adj, Argument, Ct, Differentiable, Mode, On};
use autodiff_core::device::Device;
use autodiff_core::tensor::Tensor;

/// Derivatives of the function [`cond`](fn@super::cond).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct cond {}

/// What a pullback keeps.
#[derive(Clone)]
enum Kept<P, Q, CF, CG, R> {
    Then(P),
    Otherwise(Q),
    /// The branches run once more where the graph runs backwards.
    Recorded(CF, CG, R),
}

#[doc(hidden)]
#[allow(clippy::too_many_arguments, clippy::type_complexity)]
impl cond {
    pub const __WEIGHT: usize = 1;

    #[track_caller]
    pub fn __vjp<MP: Mode, MF: Mode, MG: Mode, MX: Mode, X, Y, EF, CF, PF, EG, CG, PG>(
        _: (MP, MF, MG, MX),
        pred: &Tensor<(), bool>,
        env_f: &EF,
        code_f: CF,
        env_g: &EG,
        code_g: CG,
        x: &X,
    ) -> (
        Y,
        impl FnOnce(
            Ct<Y>,
            &Tensor<(), bool>,
            &EF,
            &EG,
            &X,
            &mut Adj<Tensor<(), bool>, MP>,
            &mut Adj<EF, MF>,
            &mut Adj<EG, MG>,
            &mut Adj<X, MX>,
        ) + Clone
        + use<MP, MF, MG, MX, X, Y, EF, CF, PF, EG, CG, PG>,
    )
    where
        X: Differentiable,
        Y: Flow,
        EF: Differentiable,
        EG: Differentiable,
        CF: Copy + Fn(&EF, (&X,)) -> (Y, PF),
        CG: Copy + Fn(&EG, (&X,)) -> (Y, PG),
        PF: FnOnce(Ct<Y>, &EF, (&X,), &mut Ct<EF>, (&mut Ct<X>,)) + Clone,
        PG: FnOnce(Ct<Y>, &EG, (&X,), &mut Ct<EG>, (&mut Ct<X>,)) + Clone,
    {
        let (value, kept) = match pred.device() {
            Device::Recorder(recorder) => {
                let then = || Values(code_f(env_f, (x,)).0);
                let otherwise = || Values(code_g(env_g, (x,)).0);
                let value = record(recorder, "cond", pred, then, otherwise).0;
                let proto = value.proto();
                (value, Kept::Recorded(code_f, code_g, proto))
            }
            _ if pred.item() => {
                let (value, pullback) = code_f(env_f, (x,));
                (value, Kept::Then(pullback))
            }
            _ => {
                let (value, pullback) = code_g(env_g, (x,));
                (value, Kept::Otherwise(pullback))
            }
        };
        let pullback = move |ct: Ct<Y>,
                             pred: &Tensor<(), bool>,
                             env_f: &EF,
                             env_g: &EG,
                             x: &X,
                             _: &mut Adj<Tensor<(), bool>, MP>,
                             d_f: &mut Adj<EF, MF>,
                             d_g: &mut Adj<EG, MG>,
                             d_x: &mut Adj<X, MX>| match kept {
            Kept::Then(pullback) => env_f.with::<MF>(d_f, |d_f| {
                x.with::<MX>(d_x, |d_x| pullback(ct, env_f, (x,), d_f, (d_x,)));
            }),
            Kept::Otherwise(pullback) => env_g.with::<MG>(d_g, |d_g| {
                x.with::<MX>(d_x, |d_x| pullback(ct, env_g, (x,), d_g, (d_x,)));
            }),
            Kept::Recorded(code_f, code_g, proto) => {
                let Device::Recorder(recorder) = pred.device() else {
                    unreachable!("it was recorded")
                };
                let ct = Y::finish(&proto, ct);
                let then = || {
                    let (mut d_f, mut d_x) = (env_f.zero_adj(On), x.zero_adj(On));
                    let (_, pullback) = code_f(env_f, (x,));
                    pullback(Y::start(ct.clone()), env_f, (x,), &mut d_f, (&mut d_x,));
                    (
                        Tangents(EF::finish(&env_f.proto(), d_f)),
                        Tangents(env_g.zero_tangent()),
                        Tangents(X::finish(&x.proto(), d_x)),
                    )
                };
                let otherwise = || {
                    let (mut d_g, mut d_x) = (env_g.zero_adj(On), x.zero_adj(On));
                    let (_, pullback) = code_g(env_g, (x,));
                    pullback(Y::start(ct.clone()), env_g, (x,), &mut d_g, (&mut d_x,));
                    (
                        Tangents(env_f.zero_tangent()),
                        Tangents(EG::finish(&env_g.proto(), d_g)),
                        Tangents(X::finish(&x.proto(), d_x)),
                    )
                };
                let (by_f, by_g, by_x) = record(recorder, "cond_pullback", pred, then, otherwise);
                env_f.with::<MF>(d_f, |d| d.acc(EF::start(by_f.0)));
                env_g.with::<MG>(d_g, |d| d.acc(EG::start(by_g.0)));
                x.with::<MX>(d_x, |d| d.acc(X::start(by_x.0)));
            }
        };
        (value, pullback)
    }

    #[track_caller]
    pub fn __jvp<X, Y, EF, CF, EG, CG>(
        pred: &Tensor<(), bool>,
        _: impl Sized,
        env_f: &EF,
        code_f: CF,
        (): (),
        t_f: &EF::Tangent,
        env_g: &EG,
        code_g: CG,
        (): (),
        t_g: &EG::Tangent,
        x: &X,
        t_x: &X::Tangent,
    ) -> (Y, Y::Tangent)
    where
        X: Differentiable,
        Y: Flow,
        EF: Differentiable,
        EG: Differentiable,
        CF: Copy + Fn(&EF, &EF::Tangent, (&X,), (&X::Tangent,)) -> (Y, Y::Tangent),
        CG: Copy + Fn(&EG, &EG::Tangent, (&X,), (&X::Tangent,)) -> (Y, Y::Tangent),
    {
        let then = || code_f(env_f, t_f, (x,), (t_x,));
        let otherwise = || code_g(env_g, t_g, (x,), (t_x,));
        match pred.device() {
            Device::Recorder(recorder) => {
                let both = |(y, t): (Y, Y::Tangent)| (Values(y), Tangents(t));
                let then = || both(then());
                let otherwise = || both(otherwise());
                let (y, t) = branch::record(recorder, "cond", pred, then, otherwise);
                (y.0, t.0)
            }
            _ if pred.item() => then(),
            _ => otherwise(),
        }
    }
}
