//! The derivative of [`while_loop`](fn@super::while_loop), as emitted code calls it: see `ad/callable.rs` of the core.

use super::flow::{Flow, Tangents, Values};
use super::looped::{States, record, record_pullback, recorder_of};
use autodiff_core::ad::{Acc, Adj, Argument, Ct, Differentiable, Mode, On};
use autodiff_core::tensor::Tensor;

/// Derivatives of the function [`while_loop`](fn@super::while_loop).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct while_loop {}

/// What a pullback keeps.
#[derive(Clone)]
enum Kept<X, P, C, R> {
    /// The state before each trip, and the pullback of the trip.
    Trips(Vec<(X, P)>),
    /// The body runs once more where the graph runs backwards.
    Recorded(C, R, States),
}

#[doc(hidden)]
#[allow(clippy::too_many_arguments, clippy::type_complexity)]
impl while_loop {
    pub const __WEIGHT: usize = 1;

    #[track_caller]
    pub fn __vjp<MC: Mode, MB: Mode, MX: Mode, X, EC, CC, PC, EB, CB, PB>(
        _: (MC, MB, MX),
        env_c: &EC,
        code_c: CC,
        env_b: &EB,
        code_b: CB,
        init: &X,
    ) -> (
        X,
        impl FnOnce(Ct<X>, &EC, &EB, &X, &mut Adj<EC, MC>, &mut Adj<EB, MB>, &mut Adj<X, MX>)
        + Clone
        + use<MC, MB, MX, X, EC, CC, PC, EB, CB, PB>,
    )
    where
        X: Flow,
        EC: Differentiable,
        EB: Differentiable,
        CC: Copy + Fn(&EC, (&X,)) -> (Tensor<(), bool>, PC),
        PC: FnOnce(Ct<Tensor<(), bool>>, &EC, (&X,), &mut Ct<EC>, (&mut Ct<X>,)) + Clone,
        CB: Copy + Fn(&EB, (&X,)) -> (X, PB),
        PB: FnOnce(Ct<X>, &EB, (&X,), &mut Ct<EB>, (&mut Ct<X>,)) + Clone,
    {
        let (value, kept) = match recorder_of(init) {
            Some(recorder) => {
                let condition = |x: &Values<X>| code_c(env_c, (&x.0,)).0;
                let body = |x: Values<X>| Values(code_b(env_b, (&x.0,)).0);
                let (value, states) =
                    record(&recorder, condition, body, Values(init.clone()), true);
                let proto = value.0.proto();
                (value.0, Kept::Recorded(code_b, proto, states))
            }
            None => {
                let (mut x, mut trips) = (init.clone(), Vec::new());
                while code_c(env_c, (&x,)).0.item() {
                    let (next, pullback) = code_b(env_b, (&x,));
                    trips.push((core::mem::replace(&mut x, next), pullback));
                }
                (x, Kept::Trips(trips))
            }
        };
        let pullback = move |ct: Ct<X>,
                             _: &EC,
                             env_b: &EB,
                             init: &X,
                             _: &mut Adj<EC, MC>,
                             d_b: &mut Adj<EB, MB>,
                             d_x: &mut Adj<X, MX>| match kept {
            Kept::Trips(trips) => {
                let mut ct = ct;
                env_b.with::<MB>(d_b, |d_b| {
                    for (x, pullback) in trips.into_iter().rev() {
                        let mut before = x.zero_adj(On);
                        let after = core::mem::replace(&mut ct, X::zero_ct(&x.proto()));
                        pullback(after, env_b, (&x,), d_b, (&mut before,));
                        ct = before;
                    }
                });
                init.with::<MX>(d_x, |d_x| d_x.acc(ct));
            }
            Kept::Recorded(code_b, proto, states) => {
                let recorder = recorder_of(init).expect("it was recorded");
                let states = states.expect("a loop that is differentiated keeps its states");
                let ct = Tangents(X::finish(&proto, ct));
                let sums = Tangents(env_b.zero_tangent());
                let pull = |x: Values<X>, ct: Tangents<X::Tangent>, sums: Tangents<EB::Tangent>| {
                    let x = x.0;
                    let (mut d_b, mut before) = (EB::start(sums.0), x.zero_adj(On));
                    let (_, pullback) = code_b(env_b, (&x,));
                    pullback(X::start(ct.0), env_b, (&x,), &mut d_b, (&mut before,));
                    (
                        Tangents(X::finish(&x.proto(), before)),
                        Tangents(EB::finish(&env_b.proto(), d_b)),
                    )
                };
                let of = (Values(init.clone()), ct, sums);
                let (by_x, by_b) = record_pullback(&recorder, states, of, pull);
                env_b.with::<MB>(d_b, |d| d.acc(EB::start(by_b.0)));
                init.with::<MX>(d_x, |d| d.acc(X::start(by_x.0)));
            }
        };
        (value, pullback)
    }

    #[track_caller]
    pub fn __jvp<X, EC, CC, EB, CB>(
        env_c: &EC,
        code_c: CC,
        (): (),
        t_c: &EC::Tangent,
        env_b: &EB,
        code_b: CB,
        (): (),
        t_b: &EB::Tangent,
        init: &X,
        t_init: &X::Tangent,
    ) -> (X, X::Tangent)
    where
        X: Flow,
        EC: Differentiable,
        EB: Differentiable,
        CC: Copy + Fn(&EC, &EC::Tangent, (&X,), (&X::Tangent,)) -> (Tensor<(), bool>, ()),
        CB: Copy + Fn(&EB, &EB::Tangent, (&X,), (&X::Tangent,)) -> (X, X::Tangent),
    {
        let Some(recorder) = recorder_of(init) else {
            let (mut x, mut t) = (init.clone(), t_init.clone());
            while code_c(env_c, t_c, (&x,), (&t,)).0.item() {
                (x, t) = code_b(env_b, t_b, (&x,), (&t,));
            }
            return (x, t);
        };
        type Both<X> = (Values<X>, Tangents<<X as Differentiable>::Tangent>);
        let condition = |(x, t): &Both<X>| code_c(env_c, t_c, (&x.0,), (&t.0,)).0;
        let body = |(x, t): Both<X>| {
            let (x, t) = code_b(env_b, t_b, (&x.0,), (&t.0,));
            (Values(x), Tangents(t))
        };
        let init = (Values(init.clone()), Tangents(t_init.clone()));
        let ((x, t), _) = record(&recorder, condition, body, init, false);
        (x.0, t.0)
    }
}
