//! What goes through the host.

use super::{cuda, gpu};
use differentiable::device::Cuda;
use differentiable::prelude::*;

/// The operations that have no kernel. The list may only shrink.
const WITHOUT_KERNEL: &[&str] = &[
    "ctc",
    "ctc_pullback",
    "fft",
    "rfft",
    "irfft",
    "lu",
    "lu_solve",
    "determinant",
    "lu_determinant",
    "cofactor",
    "solve_triangular",
    "cholesky",
    "qr",
    "eigh",
    "svd",
    "divide_gaps",
    "matrix_exp",
    "matrix_exp_derivative",
];

/// Those that have none for numbers with tangents. The list may only shrink.
const WITHOUT_KERNEL_FOR_DUALS: &[&str] = &[
    "random",
    "dropout",
    "sgd",
    "adam",
    "argsort",
    "integer",
    "conv",
    "conv_input",
    "conv_weight",
    "unfold_windows",
    "fold_windows",
    "resample",
    "resample_pullback",
    "attention",
    "attention_pullback",
    "attention_pushforward",
    "recurrence",
    "recurrence_pullback",
    "recurrence_pushforward",
];

#[test]
fn no_other_operation_of_duals_goes_through_the_host() {
    assert_eq!(Cuda::without_kernel_for_duals(), WITHOUT_KERNEL_FOR_DUALS);
}

#[test]
fn no_other_operation_goes_through_the_host() {
    assert_eq!(Cuda::without_kernel(), WITHOUT_KERNEL);
}

#[test]
fn what_goes_through_the_host_is_counted() {
    let Some(device) = gpu() else { return };
    let a = Tensor::<(Sz<2>, Sz<2>)>::eye().to(&device);
    assert_eq!(a.inv().to(&Device::cpu()), Tensor::eye());
    let counted = cuda(&device).via_host();
    let names: Vec<_> = counted.keys().copied().collect();
    assert!(
        !names.is_empty() && names.iter().all(|name| WITHOUT_KERNEL.contains(name)),
        "{counted:?}"
    );
}
