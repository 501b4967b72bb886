use differentiable::prelude::*;

dim!(Batch, Other);

fn add(x: &Tensor![Batch, 10], y: &Tensor![Other, 10]) -> Tensor![Batch, 10] {
    x + y
}

fn main() {
    let _ = add;
}
