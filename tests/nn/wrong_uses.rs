//! Wrong uses that are found when the program runs: what each says.

use differentiable::nn::*;
use differentiable::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

dim!(Batch, Time);

/// What a panic says.
#[track_caller]
fn said(f: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).expect_err("a wrong use panics");
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
    text.expect("a panic has a text")
}

#[track_caller]
fn says(part: &str, f: impl FnOnce()) {
    let text = said(f);
    assert!(text.contains(part), "{text}");
    assert!(text.len() < 400, "{text}");
}

fn norm() -> BatchNorm<2, f64> {
    BatchNorm::new(&mut Seeds::new(0))
}

fn rows() -> Tensor![f64; Batch, 2] {
    Tensor::randn_with((Batch(4), Sz), 1)
}

#[test]
#[cfg(debug_assertions)]
fn a_forgotten_commit() {
    says("end each training step with `ctx.commit(&mut net)`", || {
        let norm = norm();
        norm.forward(&rows(), &mut Ctx::train(&norm, 0));
    });
}

#[test]
fn a_discarded_step_is_none() {
    let norm = norm();
    let mut ctx = Ctx::train(&norm, 0);
    norm.forward(&rows(), &mut ctx);
    assert_eq!(ctx.names_of_updates().len(), 2);
    ctx.discard();
}

#[test]
fn an_update_in_inference() {
    says("only a context of `Ctx::train` changes buffers", || {
        let norm = norm();
        Ctx::eval().update(&norm.running_mean, Tensor::zeros());
    });
}

#[test]
fn an_update_of_no_buffer() {
    says("mark the field `#[buffer]`", || {
        let norm = norm();
        Ctx::train(&norm, 0).update(&norm.weight, Tensor::zeros());
    });
}

#[test]
fn the_context_of_another_module() {
    says("make the context from the module that runs", || {
        let (a, b) = (norm(), norm());
        a.forward(&rows(), &mut Ctx::train(&b, 0));
    });
}

#[test]
fn a_commit_to_another_module() {
    #[module]
    struct Other {
        inner: BatchNorm<2, f64>,
    }
    says("commit to the one given to `Ctx::train`", || {
        let norm = norm();
        let mut ctx = Ctx::train(&norm, 0);
        norm.forward(&rows(), &mut ctx);
        ctx.commit(&mut Other::new(&mut Seeds::new(0)));
    });
}

#[test]
fn a_probability_of_one() {
    says("the probability to leave out is 1", || {
        Dropout::new(1.0);
    });
    says("the probability to leave out is -0.1", || {
        Dropout2d::new(-0.1);
    });
    says("the probability to leave out is NaN", || {
        DropPath::new(f64::NAN);
    });
}

#[test]
fn a_token_beyond_the_table() {
    says(
        "index 7 at position 1 is out of range: there are 5 entries",
        || {
            let table = Embedding::<5, 2>::new(&mut Seeds::new(0));
            table.forward(&tensor([0i64, 7]));
        },
    );
}

#[test]
fn lengths_of_another_batch() {
    let lstm = Lstm::<2, 3>::new(&mut Seeds::new(0));
    let x: Tensor![Time, Batch, 2] = Tensor::zeros_with((Time(4), Batch(2), Sz));
    let run = |lengths: Lengths| {
        lstm.forward_padded(&x, &lengths, &mut LstmState::zeros());
    };
    says("3 lengths for a batch of 2 sequences", || {
        run([1, 2, 3].into())
    });
    says(
        "the length of sequence 1 is 5, in a batch of 4 steps",
        || run([4, 5].into()),
    );
    says(
        "the length of sequence 0 is -1, in a batch of 4 steps",
        || run([-1, 4].into()),
    );
}

#[test]
fn a_state_of_another_batch() {
    says(
        "the state belongs to a batch of 2, and this one has 3 examples",
        || {
            let lstm = Lstm::<2, 3>::new(&mut Seeds::new(0));
            let x = |n| Tensor::<shape![Time, Batch, 2]>::zeros_with((Time(4), Batch(n), Sz));
            let mut state = LstmState::zeros();
            lstm.forward(&x(2), &mut state);
            lstm.forward(&x(3), &mut state);
        },
    );
}

#[test]
fn a_cache_of_another_batch() {
    says(
        "the cache was filled by a batch of 2, and this one has 3 examples",
        || {
            let attention = MultiHead::<4, 2, 2>::new(&mut Seeds::new(0));
            let x = |n| Tensor::<shape![Batch, Time, 4]>::zeros_with((Batch(n), Time(3), Sz));
            let mut cache = KvCache::empty();
            attention.causal(&x(2), &mut cache);
            attention.causal(&x(3), &mut cache);
        },
    );
}

#[test]
fn a_record_that_is_not_there() {
    let mut ctx = Ctx::eval();
    ctx.record("h", &rows());
    let missing = ctx
        .recorded::<shape![2], f32, Device>("hidden")
        .unwrap_err();
    assert_eq!(
        missing.to_string(),
        "nothing is recorded under `hidden`, only [h]"
    );
    let other = ctx.recorded::<shape![2], f64, Device>("h").unwrap_err();
    assert!(
        other.to_string().starts_with("the record `h` is a "),
        "{other}"
    );
    let found: Tensor![f64; Batch, 2] = ctx.recorded("h").unwrap();
    assert_eq!(found, rows());
}

#[test]
fn targets_of_another_batch() {
    says("cross_entropy", || {
        let y = Tensor::from_fn_with((Batch(3),), |_| 0i64);
        rows().cross_entropy(&y);
    });
}

#[test]
fn features_of_other_nodes() {
    let net = GraphConv::<2, 3, f64>::new(&mut Seeds::new(0));
    let edges = Edges::new(Batch(5), [(0, 4)]).unwrap();
    says("4 rows of features for 5 columns of the matrix", || {
        net.forward(&rows(), &edges.adjacency());
    });
}
