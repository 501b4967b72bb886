//! NCCL: an error where it cannot begin; and the calls themselves, where `DIFFERENTIABLE_TEST_GPU=1` says that there is a GPU.

use autodiff_dist::dist::{CommError, Nccl, Numbers, Ranks, Reduce, threads};

fn has_gpu() -> bool {
    std::env::var("DIFFERENTIABLE_TEST_GPU").is_ok_and(|set| set == "1")
}

/// A machine without NVIDIA's libraries, or a device that there is not: each rank has a typed error, and no one waits.
#[test]
fn what_is_missing_is_an_error() {
    for size in 1..=3 {
        let errors = threads(size, |ranks| Nccl::start(9999, &ranks).err());
        for error in errors {
            let error = error.expect("there is no device of this number");
            assert!(
                matches!(error, CommError::Engine { engine: "NCCL", .. }),
                "{error}"
            );
            let said = error.to_string();
            assert!(said.starts_with("NCCL refused to begin: "), "{said}");
            assert_eq!(said.lines().count(), 1);
        }
    }
}

/// One rank alone, since tests have one GPU.
#[test]
fn calls_of_one_rank() {
    if !has_gpu() {
        return;
    }
    let ranks = Ranks::new(Nccl::start(0, &Ranks::alone()).unwrap());
    let x = || Numbers::F32(vec![1.0, 2.0, -3.0]);
    for op in [Reduce::Sum, Reduce::Max, Reduce::Min] {
        assert_eq!(ranks.all_reduce(x(), op).wait().unwrap(), x());
        assert_eq!(ranks.reduce_scatter(x(), op).wait().unwrap(), x());
    }
    assert_eq!(ranks.all_gather(x()).wait().unwrap(), x());
    assert_eq!(ranks.broadcast(x(), 0).wait().unwrap(), x());
    let whole = || Numbers::I64(vec![i64::MAX, -1]);
    assert_eq!(
        ranks.all_reduce(whole(), Reduce::Sum).wait().unwrap(),
        whole()
    );
    assert_eq!(ranks.broadcast_all::<u8>(&[1, 2], 0).unwrap(), [1, 2]);
    ranks.barrier().unwrap();
    let error = ranks.receive_any(0).wait().unwrap_err();
    assert!(
        error.to_string().contains("use the ranks of MPI"),
        "{error}"
    );
    // It goes on after that.
    assert_eq!(ranks.sum(2.0).unwrap(), 2.0);
}
