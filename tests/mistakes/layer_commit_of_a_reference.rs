use differentiable::nn::*;
use differentiable::prelude::*;

#[module]
struct Net {
    a: BatchNorm<8>,
}

fn main() {
    let net = Net::new(&mut Seeds::new(0));
    let ctx = Ctx::train(&net, 7);
    ctx.commit(&net);
}
