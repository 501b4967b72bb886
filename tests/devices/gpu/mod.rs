//! On the emulator of an NVIDIA GPU, or on a card with `DIFFERENTIABLE_TEST_GPU=1`.

mod attention;
mod batches;
mod capture;
mod duals;
mod host;
mod launches;
mod products;

use differentiable::device::Cuda;
use differentiable::prelude::*;
use differentiable_gpu::{MemoryMode, Setup};

/// A device of its own. `None` says, on standard error, why there is none.
fn gpu() -> Option<Device> {
    let setup = if std::env::var("DIFFERENTIABLE_TEST_GPU").is_ok_and(|value| value == "1") {
        Setup::default()
    } else {
        let Some(library) = differentiable_gpu_emulator::library() else {
            eprintln!("no emulator: g++ is missing, or this is not x86-64 Linux; skipped");
            return None;
        };
        Setup {
            libraries: Some(vec![library]),
            cache: None,
            memory: MemoryMode::Exact,
            synchronous: false,
        }
    };
    Some(Device::Cuda(Cuda::of(setup.open(0).unwrap())))
}

fn cuda(device: &Device) -> &Cuda {
    match device {
        Device::Cuda(cuda) => cuda,
        other => panic!("{other} is no GPU"),
    }
}

/// Numbers that are computed in another order.
#[track_caller]
fn close(expected: &[f32], found: &[f32]) {
    close_within(expected, found, 1e-4);
}

#[track_caller]
fn close_within(expected: &[f32], found: &[f32], error: f32) {
    assert_eq!(expected.len(), found.len());
    let largest = expected.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
    for (e, f) in expected.iter().zip(found) {
        assert!(
            (e - f).abs() <= error * largest.max(1e-3),
            "expected {expected:?}, found {found:?}"
        );
    }
}
