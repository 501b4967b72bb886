use differentiable::prelude::*;

dim!(Batch);

fn net(layer: &Linear<784, 10>, x: &Tensor![Batch, 784]) -> Tensor![Batch, 12] {
    layer.forward(x)
}

fn main() {
    let _ = net;
}
