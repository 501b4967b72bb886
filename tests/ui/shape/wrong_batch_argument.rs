use differentiable::prelude::*;

dim!(Batch, Other);

fn net(layer: &Linear<784, 10>, x: &Tensor![Batch, 784]) -> Tensor![Batch, 10] {
    layer.forward(x)
}

fn run(layer: &Linear<784, 10>, x: &Tensor![Other, 784]) {
    net(layer, x);
}

fn main() {
    let _ = run;
}
