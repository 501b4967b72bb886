use differentiable::ad::{DifferentiableFn, check_grads};
use differentiable::nn::*;
use differentiable::prelude::*;

fn seeds() -> Seeds {
    Seeds::new(0)
}
fn lengths(first: i64, second: i64) -> Tensor![i64; 2] {
    tensor([first, second])
}

type Reads = EncoderLayer<4, 2, 2, 3, f64>;
type Writes = DecoderLayer<4, 2, 2, 3, f64>;
type Both = Transformer<4, 2, 2, 3, f64>;

parity! { "attention":
    encoder_norm_first(net: Reads = EncoderLayer::new(&mut seeds(), 0.5), x [2, 4, 4], w [2, 4, 4]) {
        let mut ctx = no_grad!(Ctx::eval());
        let keys = no_grad!(Keys::first(&lengths(4, 3)));
        (net.forward(x, &keys, &mut ctx) * w).sum()
    }
    encoder_norm_last(net: Reads = EncoderLayer { norm_first: false, ..EncoderLayer::new(&mut seeds(), 0.0) }, x [2, 4, 4], w [2, 4, 4]) {
        let mut ctx = no_grad!(Ctx::eval());
        let keys = no_grad!(Keys::first(&lengths(4, 3)));
        (net.forward(x, &keys, &mut ctx) * w).sum()
    }
    decoder_norm_first(net: Writes = DecoderLayer::new(&mut seeds(), 0.5), x [2, 3, 4], m [2, 4, 4], w [2, 3, 4]) {
        let mut ctx = no_grad!(Ctx::eval());
        let keys = no_grad!(Keys::first(&lengths(1, 4)));
        (net.forward(x, m, &keys, &mut ctx) * w).sum()
    }
    decoder_norm_last(net: Writes = DecoderLayer { norm_first: false, ..DecoderLayer::new(&mut seeds(), 0.0) }, x [2, 3, 4], m [2, 4, 4], w [2, 3, 4]) {
        let mut ctx = no_grad!(Ctx::eval());
        let keys = no_grad!(Keys::first(&lengths(1, 4)));
        (net.forward(x, m, &keys, &mut ctx) * w).sum()
    }
    transformer(net: Both = Transformer::new(&mut seeds(), 2, 0.5), x [2, 4, 4], t [2, 3, 4], w [2, 3, 4]) {
        let mut ctx = no_grad!(Ctx::eval());
        let keys = no_grad!(Keys::first(&lengths(4, 2)));
        (net.forward(x, t, &keys, &mut ctx) * w).sum()
    }
}
