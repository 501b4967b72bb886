use differentiable::prelude::*;

dim!(Batch, Time);

fn image(x: Tensor![Batch, 784]) {
    x.reshape::<shape![Time, 28, 28]>();
}

fn main() {
    let _ = image;
}
