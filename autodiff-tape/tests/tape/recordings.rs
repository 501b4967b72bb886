//! A tape over tensors that record is a graph.

use differentiable::graph::{Feeds, Recording, Session};
use differentiable::prelude::*;
use differentiable::tape::{Tape, Var};

type W = Tensor![3, 2];
type X = Tensor![4, 3];

fn program(w: &Var<W>, x: &Var<X>) -> Var<Tensor![]> {
    let h = x.matmul(w).tanh();
    (&h * &h + h.exp()).mean_axis::<0>().log_softmax::<0>().sum()
}

#[test]
fn a_session_runs_what_a_tape_records() {
    let (w, x): (W, X) = (Tensor::randn(1), Tensor::randn(2));
    let tape = Tape::new();
    let (vw, vx) = (tape.var(w.clone()), tape.var(x.clone()));
    let eager = program(&vw, &vx);
    let (by_w, by_x) = tape.gradient(&eager, (&vw, &vx));
    let again = tape.grad(&eager, &vw).square().sum();
    let second = tape.gradient(&again, &vw);

    let recording = Recording::new();
    let rw: W = recording.input("w", Default::default());
    let rx: X = recording.input("x", Default::default());
    let (value, dw, dx, ddw) = recording.scope(|| {
        let tape = Tape::new();
        let (vw, vx) = (tape.var(rw.clone()), tape.var(rx.clone()));
        let y = program(&vw, &vx);
        let (dw, dx) = tape.gradient(&y, (&vw, &vx));
        let again = tape.grad(&y, &vw).square().sum();
        let ddw = tape.gradient(&again, &vw);
        (y.into_value(), dw, dx, ddw)
    });
    let mut session = Session::new(&recording, &Device::cpu());
    let feeds = Feeds::new().with(&rw, &w).with(&rx, &x);
    let (value, dw, dx, ddw) = session.run((&value, &dw, &dx, &ddw), &feeds).unwrap();
    assert_eq!(value.item().to_bits(), eager.value().item().to_bits());
    assert_eq!(dw.to_vec(), by_w.to_vec());
    assert_eq!(dx.to_vec(), by_x.to_vec());
    assert_eq!(ddw.to_vec(), second.to_vec());
}
