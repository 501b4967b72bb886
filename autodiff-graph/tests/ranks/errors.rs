//! A rank that fails or is lost: an error on all ranks, and nobody waits for ever.

use crate::threads;
use differentiable::dist::{Call, Collective, Numbers, Pending, Ranks, threads_within};
use differentiable::graph::{Feeds, GraphError, Recording, Session};
use differentiable::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

type Rows = Tensor![3, 2];

/// Rank 0 takes rows, rank 1 doubles them; a variable on rank 2 counts.
fn program() -> (Recording, Rows, Tensor![i64; 2], Tensor![2, 2], Tensor![2]) {
    let r = Recording::new();
    let x: Rows = r.input("x", Default::default());
    let index: Tensor![i64; 2] = r.input("index", Default::default());
    let count: Tensor![2] = r.variable("count", &Tensor::zeros());
    let rows = r.on_rank(0, || x.index_select::<0, _, _>(&index));
    let y = r.on_rank(1, || &rows * 2.0);
    (r, x, index, y, count)
}

#[test]
fn an_error_of_one_rank_is_one_of_all() {
    threads(3, |ranks| {
        let (r, x, index, y, count) = program();
        let more = r.on_rank(2, || &count + y.sum());
        let add = r.assign(&count, &more);
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        let feeds = |at| {
            Feeds::new()
                .with(&x, &Tensor::ones())
                .with(&index, &tensor([0, at]))
        };
        let (value, ()) = session.run((&y, &add), &feeds(1)).unwrap();
        assert_eq!(value.to_vec(), [2.0; 4]);
        let error = session.run((&y, &add), &feeds(3)).unwrap_err();
        match ranks.rank() {
            0 => assert!(matches!(error, GraphError::Index { .. }), "{error}"),
            _ => {
                assert!(matches!(error, GraphError::Rank { rank: 0, .. }), "{error}");
                let said = error.to_string();
                assert!(
                    said.starts_with("rank 0 could not run its part: `"),
                    "{said}"
                );
                assert!(said.contains("index 3"), "{said}");
            }
        }
        // The next run is fine, and the one that failed changed nothing.
        session.run((&y, &add), &feeds(2)).unwrap();
        assert_eq!(
            session.run(&count, &Feeds::new()).unwrap().to_vec(),
            [16.0; 2]
        );
    });
}

#[test]
fn an_input_that_a_rank_lacks() {
    threads(2, |ranks| {
        let (r, x, index, y, _) = program();
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        let all = Feeds::new()
            .with(&x, &Tensor::ones())
            .with(&index, &tensor([0, 1]));
        let feeds = match ranks.rank() {
            0 => &Feeds::new().with(&x, &Tensor::ones()),
            _ => &all,
        };
        let error = session.run(&y, feeds).unwrap_err();
        let said = error.to_string();
        match ranks.rank() {
            0 => assert!(said.starts_with("the input `index` is not given"), "{said}"),
            _ => assert!(
                said.contains("rank 0 could not run its part: the input `index`"),
                "{said}"
            ),
        }
        assert_eq!(session.run(&y, &all).unwrap().to_vec(), [2.0; 4]);
    });
}

/// A rank that ends in the middle: typed errors, at once, and again in the next run.
#[test]
fn a_lost_rank_is_an_error() {
    let begin = Instant::now();
    let all = threads_within(3, Duration::from_secs(50), |ranks| {
        let (r, x, index, y, count) = program();
        let z = r.on_rank(2, || y.sum() + count.sum());
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        let feeds = Feeds::new()
            .with(&x, &Tensor::ones())
            .with(&index, &tensor([0, 1]));
        assert_eq!(session.run(&z, &feeds).unwrap().item(), 8.0);
        if ranks.rank() == 1 {
            return None;
        }
        let error = session.run(&z, &feeds).unwrap_err();
        assert_eq!(session.run(&z, &feeds).unwrap_err(), error);
        Some(error)
    });
    for error in all.into_iter().flatten() {
        let lost = matches!(
            error,
            GraphError::Exchange { .. } | GraphError::Ranks { .. }
        );
        assert!(lost, "{error}");
        assert!(error.to_string().contains("rank 1 has ended"), "{error}");
        assert!(error.to_string().contains("start"), "{error}");
    }
    assert!(
        begin.elapsed() < Duration::from_secs(30),
        "nobody waited for the limit"
    );
}

/// A rank whose messages do not leave it.
struct Mute(Ranks);

impl Collective for Mute {
    fn rank(&self) -> usize {
        self.0.rank()
    }
    fn size(&self) -> usize {
        self.0.size()
    }
    fn start(&self, call: Call) -> Pending {
        match call {
            Call::Send { .. } => Pending::done(Ok(Numbers::U8(Vec::new()))),
            call => self.0.start(call),
        }
    }
    fn abort(&self, why: &str) {
        self.0.abort(why);
    }
}

/// Both begin the run, and then a value does not come: the error names it, the node that makes it, the rank and the cure.
#[test]
fn a_value_that_does_not_come() {
    let errors = threads_within(2, Duration::from_secs(2), |ranks| {
        let r = Recording::new();
        let x: Tensor![2] = r.input("x", Default::default());
        let y = r.on_rank(0, || x.exp());
        let z = r.on_rank(1, || &y * 2.0);
        let ranks = match ranks.rank() {
            0 => Ranks::new(Mute(ranks)),
            _ => ranks,
        };
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        let feeds = Feeds::new().with(&x, &Tensor::ones());
        session.run(&z, &feeds).unwrap_err()
    });
    assert!(matches!(
        errors[0],
        GraphError::Exchange { rank: 1, .. } | GraphError::Ranks { .. }
    ));
    assert!(
        matches!(errors[1], GraphError::Exchange { rank: 0, .. }),
        "{}",
        errors[1]
    );
    let said = errors[1].to_string();
    assert!(
        said.contains(": f32 [2]`, made by `unary`, recorded at "),
        "{said}"
    );
    assert!(
        said.contains(", did not come from rank 0: rank 0 "),
        "{said}"
    );
    assert!(
        said.ends_with("; start the ranks again from what was saved"),
        "{said}"
    );
}

#[test]
fn a_panic_on_a_rank_is_an_error_of_all() {
    threads(2, |ranks| {
        let r = Recording::new();
        let x: Tensor![2] = r.variable("x", &Tensor::zeros());
        let y = r.on_rank(0, || x.exp());
        let z = r.on_rank(1, || &y * 2.0);
        // Ranks may have different devices.
        let Device::Far(sealed) = Device::far() else {
            unreachable!()
        };
        let device = match ranks.rank() {
            0 => Device::Far(sealed.clone()),
            _ => Device::cpu(),
        };
        let mut session = Session::new(&r, &device).over(&ranks);
        let mut run = || session.run(&z, &Feeds::new());
        assert_eq!(run().unwrap().to_vec(), [2.0; 2]);
        // The far device panics at what is copied from it.
        let error = sealed.without_transfers(&mut run).unwrap_err();
        match ranks.rank() {
            0 => assert!(matches!(error, GraphError::Part { .. }), "{error}"),
            _ => assert!(matches!(error, GraphError::Rank { rank: 0, .. }), "{error}"),
        }
        assert!(
            error.to_string().contains("transfers are forbidden"),
            "{error}"
        );
        assert_eq!(run().unwrap().to_vec(), [2.0; 2]);
    });
}

#[test]
fn programs_that_differ() {
    threads(2, |ranks| {
        let (r, x, index, y, _) = program();
        let z = match ranks.rank() {
            0 => &y + 1.0,
            _ => y.exp(),
        };
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        let feeds = Feeds::new()
            .with(&x, &Tensor::ones())
            .with(&index, &tensor([0, 1]));
        let error = session.run(&z, &feeds).unwrap_err();
        assert_eq!(error, GraphError::Programs { rank: 1 });
        // Other random numbers are another program too.
        let seed = ranks.rank() as u64;
        let error = session.run(&y, &feeds.seed(seed)).unwrap_err();
        assert_eq!(error, GraphError::Programs { rank: 1 });
    });
}

#[test]
fn places_that_there_are_not() {
    threads(2, |ranks| {
        let r = Recording::new();
        let x: Tensor![2] = r.input("x", Default::default());
        let y = r.on_rank(2, || x.exp());
        let z = r.on(&Device::cpu(), || x.exp());
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        let feeds = Feeds::new().with(&x, &Tensor::ones());
        let error = session.run(&y, &feeds).unwrap_err();
        assert!(
            matches!(
                error,
                GraphError::NoRank {
                    rank: 2,
                    size: 2,
                    ..
                }
            ),
            "{error}"
        );
        assert!(
            error
                .to_string()
                .ends_with("is placed on rank 2 of 2: place it on a rank below 2")
        );
        let error = session.run(&z, &feeds).unwrap_err();
        assert!(matches!(error, GraphError::Placement { .. }), "{error}");
        r.place_on_rank("nothing", 1);
        let error = session.run(&x, &feeds).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("rank 1 reports: the scope `nothing`"),
            "{error}"
        );
    });
}

/// What others would wait for fails in their place too, when a rank panics outside of a run.
#[test]
fn a_rank_that_panics() {
    let run = AssertUnwindSafe(|| {
        threads(2, |ranks| {
            let (r, x, index, y, _) = program();
            let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
            let feeds = Feeds::new()
                .with(&x, &Tensor::ones())
                .with(&index, &tensor([0, 1]));
            assert!(ranks.rank() == 0, "rank 1 panics");
            assert!(session.run(&y, &feeds).is_err());
        })
    });
    assert!(catch_unwind(run).is_err());
}
