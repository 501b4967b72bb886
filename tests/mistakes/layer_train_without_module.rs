use differentiable::nn::*;
use differentiable::prelude::*;

#[module]
struct Net {
    a: Linear<8, 4>,
}

fn main() {
    let net = Net::new(&mut Seeds::new(0));
    let ctx = Ctx::train(7);
    drop((net, ctx));
}
