//! A training step, run at once or by a session of a recorded graph.

use crate::later::report;
use differentiable::graph::{Feeds, Recording, Session};
use differentiable::optim::Optimizer;
use differentiable::prelude::*;
use std::time::Instant;

/// Who runs the steps.
#[derive(Clone, Copy, PartialEq)]
pub enum How {
    /// Annotated functions.
    Eager,
    /// A session, which runs what they record.
    Session,
    /// A captured function, and an optimiser after it.
    Captured,
    /// Another program, for which a model is written.
    Write,
}

/// When the process began, how long to measure, and who runs the steps.
pub type Run = (Instant, f64, How);

/// The loss of a network for a batch, and its gradient.
type Loss<M, X, Y, N> = fn(&M, &X, &Y) -> (Tensor![N;], <M as Differentiable>::Tangent);

/// Trains on one batch, again and again, and reports how long a step takes.
pub fn train<M, O, S, T, R, U, N>(
    (start, seconds, how): Run,
    (mut net, mut optimizer): (M, O),
    (x, y): (Tensor<S, T>, Tensor<R, U>),
    loss: Loss<M, Tensor<S, T>, Tensor<R, U>, N>,
) where
    M: Module + ToDevice + Clone + Send + Sync + 'static,
    M::Tangent: Send + Sync,
    O: Optimizer + Clone + Send + Sync + 'static,
    S: Shape,
    R: Shape,
    T: Elem,
    U: Elem,
    N: Float,
{
    if how == How::Eager {
        report(start, seconds, || {
            let (loss, grad) = loss(&net, &x, &y);
            optimizer.step(&mut net, &grad);
            loss
        });
        return;
    }
    if how == How::Captured {
        let mut step = Device::current().capture(|net: &mut M, (x, y): &(_, _)| loss(net, x, y));
        let batch = (x, y);
        report(start, seconds, || {
            let (loss, grad) = step.run(&mut net, &batch).expect("a step");
            optimizer.step(&mut net, grad);
            loss
        });
        return;
    }
    let recording = Recording::new();
    let recorded = recording.module(&net);
    let (a, b) = (
        recording.input("x", x.shape()),
        recording.input("y", y.shape()),
    );
    let (value, gradient) = recording.scope(|| loss(&recorded, &a, &b));
    let step = recording.minimize(&recorded, &gradient, optimizer);
    let mut session = Session::new(&recording, &Device::current());
    let feeds = Feeds::new().with(&a, &x).with(&b, &y);
    report(start, seconds, || {
        let (loss, ()) = session.run((&value, &step), &feeds).expect("a step");
        loss
    });
}
