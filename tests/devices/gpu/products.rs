//! Affine maps: the library adds the bias, or it is copied first.

use super::gpu;
use differentiable::prelude::*;

#[differentiable]
fn loss<T: Float>(
    x: &Tensor![T; 6, 5],
    w: &Tensor![T; 5, 7],
    b: &Tensor![T; 7],
    #[constant] weights: &Tensor![T; 6, 7],
) -> Tensor![T;] {
    (x.affine(w, b) * weights).sum()
}

fn compare<T: Float>(device: &Device, error: f64) {
    let x = Tensor::<(Sz<6>, Sz<5>), T>::randn(1);
    let (w, b) = (
        Tensor::<(Sz<5>, Sz<7>), T>::randn(2),
        Tensor::<(Sz<7>,), T>::randn(3),
    );
    let weights = Tensor::<(Sz<6>, Sz<7>), T>::randn(4);
    let (value, gradients) = loss::value_and_grad(&x, &w, &b, &weights);
    let turned =
        |x: &Tensor<(Sz<6>, Sz<5>), T>| x.transpose::<0, 1>().to(device).transpose::<0, 1>();
    for there in [x.to(device), turned(&x)] {
        let (found, found_gradients) =
            loss::value_and_grad(&there, &w.to(device), &b.to(device), &weights.to(device));
        let close = |a: &[T], b: &[T]| {
            for (a, b) in a.iter().zip(b) {
                assert!((a.to_f64() - b.to_f64()).abs() <= error, "{a:?} {b:?}");
            }
        };
        close(&value.to_vec(), &found.to_vec());
        close(&gradients.0.to_vec(), &found_gradients.0.to_vec());
        close(&gradients.1.to_vec(), &found_gradients.1.to_vec());
        close(&gradients.2.to_vec(), &found_gradients.2.to_vec());
    }
}

#[test]
fn affine_maps_of_each_type() {
    let Some(device) = gpu() else { return };
    compare::<f32>(&device, 1e-4);
    compare::<f64>(&device, 1e-12);
    compare::<Mixed<bf16>>(&device, 1e-4);
}
