//! `Debug` and `Display`.

use differentiable::prelude::*;

dim!(Batch);

#[test]
fn small() {
    let x: Tensor![2, 2] = tensor([[1.0, -2.5], [30.0, 4.0]]);
    assert_eq!(x.to_string(), "[[ 1.0000, -2.5000],\n [30.0000,  4.0000]]");
    assert_eq!(format!("{x:.1}"), "[[ 1.0, -2.5],\n [30.0,  4.0]]");
    assert_eq!(tensor(1.5f64).to_string(), "1.5000");
    assert_eq!(tensor([1i64, -10]).to_string(), "[  1, -10]");
    assert_eq!(tensor([true, false]).to_string(), "[ true, false]");
    assert_eq!(tensor([1e-9f64, 1.0]).to_string(), "[1.0000e-9,    1.0000]");
    assert_eq!(Tensor::<shape![2, 0]>::zeros().to_string(), "[[],\n []]");
}

#[test]
fn long_axes_are_shortened() {
    let x: Tensor![i64; 2000] = Tensor::iota();
    assert_eq!(x.to_string(), "[   0,    1,    2, …, 1997, 1998, 1999]");
    let x: Tensor![2, 1000] = Tensor::zeros();
    assert_eq!(x.to_string().lines().count(), 2);
}

#[test]
fn debug_names_the_shape() {
    let x: Tensor![i64; Batch, 2] = Tensor::iota_with((Batch(2), Sz));
    assert_eq!(
        format!("{x:?}"),
        "Tensor<i64; Batch(2) × 2>(\n [[0, 1],\n  [2, 3]])"
    );
}
