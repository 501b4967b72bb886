//! Attention of mixed precision by tensor cores, against the CPU.

use super::{close_within, cuda, gpu};
use differentiable::prelude::*;

type Wide = Tensor<(Sz<2>, Sz<2>, Sz<9>, Sz<16>), Mixed<bf16>>;

#[differentiable]
fn loss(q: &Wide, k: &Wide, v: &Wide, #[constant] weights: &Wide) -> Tensor<(), Mixed<bf16>> {
    (q.attention(k, v, Attention::new().causal()) * weights).sum()
}

#[test]
fn of_mixed_precision() {
    let Some(device) = gpu() else { return };
    let x = |seed| -> Wide { Tensor::randn(seed) };
    let (q, k, v, weights) = (x(1), x(2), x(3), x(4));
    let all = |device: &Device| {
        let at = |x: &Wide| x.to(device);
        let (y, grads) = loss::value_and_grad(&at(&q), &at(&k), &at(&v), &at(&weights));
        let numbers = |x: &Wide| -> Vec<f32> { x.cast::<f32>().to_vec() };
        let (a, b, c) = &grads;
        let mut out = vec![y.cast::<f32>().item()];
        [a, b, c].into_iter().for_each(|x| out.extend(numbers(x)));
        out
    };
    let expected = all(&Device::cpu());
    cuda(&device).set_tensor_cores(true);
    let by_tensor_cores = all(&device);
    close_within(&expected, &by_tensor_cores, 2e-2);
    cuda(&device).set_tensor_cores(false);
    assert!(all(&device) != by_tensor_cores, "the kernels are others");
}
