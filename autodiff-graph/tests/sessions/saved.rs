//! Sessions that are saved and go on.

use crate::bits;
use crate::minimize::{Net, batch};
use differentiable::graph::{Feeds, GraphError, Recording, Session};
use differentiable::io::Checkpoint;
use differentiable::optim::*;
use differentiable::prelude::*;

#[test]
fn a_session_goes_on_bit_for_bit() {
    let path = std::env::temp_dir().join(format!("session-{}.safetensors", std::process::id()));
    let r = Recording::new();
    let net = r.module(&Net::new(&mut Seeds::new(1)));
    let count: Tensor![i64; 2] = r.variable("count", &tensor([3, -4]));
    let (x, y) = batch(0);
    let (rx, ry) = (r.input("x", x.shape()), r.input("y", y.shape()));
    let (loss, gradient) = r.scope(|| net.loss_value_and_grad(&rx, &ry));
    let adamw = AdamW::new(1e-2).schedule(cosine(20, 0.1));
    let train = r.minimize(&net, &gradient, adamw);
    let v: Tensor![8] = r.variable("v", &Tensor::ones());
    let second = r.minimize(&v, &net.hidden.bias, Sgd::new(0.1).momentum(0.9));
    let run = |session: &mut Session, steps: core::ops::Range<u64>| {
        for step in steps {
            let (x, y) = batch(step);
            let feeds = Feeds::new().with(&rx, &x).with(&ry, &y);
            session.run((&loss, &train, &second), &feeds).unwrap();
        }
    };
    let mut first = Session::new(&r, &Device::cpu());
    run(&mut first, 0..7);
    first.set_variable(&count, &tensor([i64::MAX, 7])).unwrap();
    first.checkpoint().with("epoch", 7).save(&path).unwrap();
    run(&mut first, 7..14);

    let checkpoint = Checkpoint::load(&path).unwrap();
    let mut later = Session::new(&r, &Device::cpu());
    later.restore(&checkpoint).unwrap();
    assert_eq!(later.variable(&count).to_vec(), [i64::MAX, 7]);
    run(&mut later, 7..14);
    assert_eq!(
        bits(&first.variable(&net.out.weight)),
        bits(&later.variable(&net.out.weight))
    );
    assert_eq!(bits(&first.variable(&v)), bits(&later.variable(&v)));
    assert_eq!(
        first.optimizer(&train).state(),
        later.optimizer(&train).state()
    );
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn eager_code_reads_what_a_session_saved() {
    let mut net = Net::new(&mut Seeds::new(1));
    let r = Recording::new();
    let recorded = r.module(&net);
    let (x, y) = batch(0);
    let (rx, ry) = (r.input("x", x.shape()), r.input("y", y.shape()));
    let (_, gradient) = r.scope(|| recorded.loss_value_and_grad(&rx, &ry));
    let train = r.minimize(&recorded, &gradient, Adam::new(1e-2));
    let mut session = Session::new(&r, &Device::cpu());
    session
        .run(&train, &Feeds::new().with(&rx, &x).with(&ry, &y))
        .unwrap();
    let checkpoint = session.checkpoint();
    checkpoint.restore_model(&mut net).unwrap();
    let mut adam = Adam::new(1e-2);
    checkpoint.restore_optimizer(&net, &mut adam).unwrap();
    assert_eq!(
        bits(&net.out.weight),
        bits(&session.variable(&recorded.out.weight))
    );
    assert_eq!(adam.steps(), 1);
}

#[test]
fn what_does_not_fit_changes_nothing() {
    let r = Recording::new();
    let w: Tensor![2] = r.variable("w", &tensor([1.0, 2.0]));
    let s = Recording::new();
    let _other: Tensor![3] = s.variable("w", &tensor([1.0, 2.0, 3.0]));
    let t = Recording::new();
    let _two: (Tensor![2], Tensor![2]) = (
        t.variable("w", &Tensor::zeros()),
        t.variable("v", &Tensor::zeros()),
    );
    let mut session = Session::new(&r, &Device::cpu());
    let saved = |r: &Recording| Session::new(r, &Device::cpu()).checkpoint();
    for (checkpoint, said) in [
        (saved(&s), "the variable `w` is f32 [3], expected f32 [2]"),
        (saved(&t), "`v` is not expected: no variable has this name"),
        (
            Checkpoint::new(),
            "the variable `w` is missing, expected f32 [2]",
        ),
    ] {
        let error = session.restore(&checkpoint).unwrap_err();
        assert!(matches!(error, GraphError::Saved { .. }), "{error}");
        assert_eq!(
            error.to_string(),
            format!("what was saved does not fit: {said}")
        );
    }
    assert_eq!(session.variable(&w).to_vec(), [1.0, 2.0]);
}

/// Variables that were recorded after the session began, and no run has met.
#[test]
fn variables_of_later_are_saved_too() {
    let r = Recording::new();
    let w: Tensor![2] = r.variable("w", &tensor([1.0, 2.0]));
    let mut session = Session::new(&r, &Device::cpu());
    let late: Tensor![2] = r.variable("late", &tensor([3.0, 4.0]));
    let later: Tensor![1] = r.variable("later", &tensor([5.0]));
    session.set_variable(&late, &tensor([6.0, 7.0])).unwrap();
    assert_eq!(session.variable(&later).to_vec(), [5.0]);
    let checkpoint = session.checkpoint();
    let mut other = Session::new(&r, &Device::cpu());
    other.restore(&checkpoint).unwrap();
    assert_eq!(other.variable(&w).to_vec(), [1.0, 2.0]);
    assert_eq!(other.variable(&late).to_vec(), [6.0, 7.0]);
    assert_eq!(other.variable(&later).to_vec(), [5.0]);
}
