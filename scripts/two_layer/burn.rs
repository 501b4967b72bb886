//! The network of `examples/two_layer_net.rs` with burn, whose build `scripts/measure_build.sh` measures.

use burn::module::{Module, Param};
use burn::optim::{GradientsParams, SgdConfig};
use burn::tensor::activation::relu;
use burn::tensor::{Device, Distribution, Tensor};

#[derive(Module, Debug)]
struct TwoLayers {
    w1: Param<Tensor<2>>,
    w2: Param<Tensor<2>>,
}

fn normal(shape: [usize; 2], device: &Device) -> Tensor<2> {
    Tensor::random(shape, Distribution::Normal(0.0, 1.0), device)
}

fn main() {
    let device = Device::flex().autodiff();
    let (x, y) = (normal([64, 1000], &device), normal([64, 10], &device));
    let mut model = TwoLayers {
        w1: Param::from_tensor(normal([1000, 100], &device)),
        w2: Param::from_tensor(normal([100, 10], &device)),
    };
    let mut optimizer = SgdConfig::new().init();
    for step in 0..500 {
        let hidden = relu(x.clone().matmul(model.w1.val()));
        let loss = (hidden.matmul(model.w2.val()) - y.clone()).square().sum();
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optimizer.step(1e-6, model, grads);
        if step % 100 == 99 {
            println!("step {:3}: loss {:.6}", step + 1, loss.into_scalar::<f32>());
        }
    }
}
