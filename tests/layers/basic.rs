use differentiable::ad::{DifferentiableFn, check_grads};
use differentiable::nn::*;
use differentiable::prelude::*;

fn seeds() -> Seeds {
    Seeds::new(0)
}

parity! { "basic":
    linear(net: Linear<5, 3, f64> = Linear::new(&mut seeds()), x [2, 3, 5], w [2, 3, 3]) {
        (net.forward(x) * w).sum()
    }
    linear_one_row(net: Linear<5, 3, f64> = Linear::new(&mut seeds()), x [1, 5], w [1, 3]) {
        (net.forward(x) * w).sum()
    }
    linear_vector(net: Linear<5, 3, f64> = Linear::new(&mut seeds()), x [5], w [3]) {
        (net.forward(x) * w).sum()
    }
    linear_no_bias(net: LinearNoBias<5, 3, f64> = LinearNoBias::new(&mut seeds()), x [2, 5], w [2, 3]) {
        (net.forward(x) * w).sum()
    }
    bilinear(net: Bilinear<3, 4, 2, f64> = Bilinear::new(&mut seeds()), a [5, 3], b [5, 4], w [5, 2]) {
        (net.forward(a, b) * w).sum()
    }
}

/// The tokens of the cases.
fn ids() -> Tensor![i64; 2, 3] {
    tensor([[0, 4, 4], [1, 0, 5]])
}
fn bags() -> Tensor![i64; 2, 4] {
    tensor([[0, 3, 3, 1], [5, 5, 2, 4]])
}

/// Bags of 4, 2 and no tokens, filled up with 3.
fn filled() -> Tensor![i64; 3, 4] {
    tensor([[0, 3, 3, 1], [5, 2, 3, 3], [3, 3, 3, 3]])
}

parity! { "basic":
    embedding(net: Embedding<6, 3, f64> = Embedding::new(&mut seeds()), w [2, 3, 3]) {
        (net.forward(&no_grad!(ids())) * w).sum()
    }
    embedding_padding(net: Embedding<6, 3, f64> = Embedding::with_padding(4, &mut seeds()), w [2, 3, 3]; cut) {
        (net.forward(&no_grad!(ids())) * w).sum()
    }
    embedding_tied(net: Embedding<6, 3, f64> = Embedding::with_padding(0, &mut seeds()), w [2, 3, 6]; cut) {
        (net.attend(&net.forward(&no_grad!(ids())).tanh()) * w).sum()
    }
    embedding_bag_sum(net: EmbeddingBag<6, 3, f64> = EmbeddingBag::new(&mut seeds(), Bag::Sum), w [2, 3]) {
        (net.forward(&no_grad!(bags())) * w).sum()
    }
    embedding_bag_mean(net: EmbeddingBag<6, 3, f64> = EmbeddingBag::new(&mut seeds(), Bag::Mean), w [2, 3]) {
        (net.forward(&no_grad!(bags())) * w).sum()
    }
    embedding_bag_max(net: EmbeddingBag<6, 3, f64> = EmbeddingBag::new(&mut seeds(), Bag::Max), w [2, 3]) {
        (net.forward(&no_grad!(bags())) * w).sum()
    }
    embedding_bag_sum_padded(net: EmbeddingBag<6, 3, f64> = EmbeddingBag::with_padding(3, Bag::Sum, &mut seeds()), w [3, 3]) {
        (net.forward(&no_grad!(filled())) * w).sum()
    }
    embedding_bag_mean_padded(net: EmbeddingBag<6, 3, f64> = EmbeddingBag::with_padding(3, Bag::Mean, &mut seeds()), w [3, 3]) {
        (net.forward(&no_grad!(filled())) * w).sum()
    }
    embedding_bag_max_padded(net: EmbeddingBag<6, 3, f64> = EmbeddingBag::with_padding(3, Bag::Max, &mut seeds()), w [3, 3]) {
        (net.forward(&no_grad!(filled())) * w).sum()
    }
    embedding_bag_weighted(net: EmbeddingBag<6, 3, f64> = EmbeddingBag::with_padding(3, Bag::Sum, &mut seeds()), k [2, 4], w [2, 3]) {
        (net.forward_weighted(&no_grad!(bags()), k) * w).sum()
    }
    mlp(net: Mlp<4, 7, f64> = Mlp::new(&mut seeds()), x [3, 2, 4], w [3, 2, 4]) {
        (net.forward(x) * w).sum()
    }
    gated_mlp(net: GatedMlp<4, 7, f64> = GatedMlp::new(&mut seeds()), x [3, 4], w [3, 4]) {
        (net.forward(x) * w).sum()
    }
}

/// Activations have `apply` alone: in a function of one's own the methods of tensors do.
macro_rules! activations {
    ($($test:ident $Layer:ty = $make:expr;)*) => { parity! { "basic": $(
        $test(net: $Layer = $make, x [2, 5], w [2, 5]) {
            let mut ctx = no_grad!(Ctx::eval());
            (net.apply(x, &mut ctx) * w).sum()
        }
    )* } };
}
activations! {
    relu Relu = Relu;
    gelu Gelu = Gelu;
    gelu_tanh GeluTanh = GeluTanh;
    silu Silu = Silu;
    tanh Tanh = Tanh;
    sigmoid Sigmoid = Sigmoid;
    softplus Softplus = Softplus;
    mish Mish = Mish;
    hardswish Hardswish = Hardswish;
    hardsigmoid Hardsigmoid = Hardsigmoid;
    selu Selu = Selu;
    softsign Softsign = Softsign;
    log_sigmoid LogSigmoid = LogSigmoid;
    leaky_relu LeakyRelu = LeakyRelu { slope: 0.2 };
    elu Elu = Elu { alpha: 0.7 };
    celu Celu = Celu { alpha: 0.5 };
    relu6 Relu6 = Relu6;
    softmax Softmax = Softmax;
    log_softmax LogSoftmax = LogSoftmax;
    prelu PRelu<f64> = PRelu::new(&mut seeds());
}

#[module]
enum Part {
    Dense(Linear<4, 4, f64>),
    #[config]
    Tanh,
    Beside(Residual<LayerNorm<4, f64>>),
}

#[differentiable]
impl Layer<Tensor![f64; 3, 4]> for Part {
    type Out = Tensor![f64; 3, 4];
    fn apply(&self, x: &Tensor![f64; 3, 4], ctx: &mut Ctx) -> Tensor![f64; 3, 4] {
        match self {
            Part::Dense(layer) => layer.apply(x, ctx),
            Part::Tanh => x.tanh(),
            Part::Beside(layer) => layer.apply(x, ctx),
        }
    }
}

parity! { "basic":
    residual(net: Residual<Mlp<4, 7, f64>> = Residual::new(&mut seeds()), x [3, 4], w [3, 4]) {
        let mut ctx = no_grad!(Ctx::eval());
        (net.forward(x, &mut ctx) * w).sum()
    }
    sequential(
        net: Sequential<(Linear<4, 6, f64>, Relu, Linear<6, 2, f64>)> =
            Sequential((Linear::new(&mut seeds()), Relu, Linear::new(&mut seeds()))),
        x [3, 4], w [3, 2]
    ) {
        let mut ctx = no_grad!(Ctx::eval());
        (net.forward(x, &mut ctx) * w).sum()
    }
    chosen(
        net: Sequential<Vec<Part>> = Sequential(vec![
            Part::Dense(Linear::new(&mut seeds())), Part::Tanh, Part::Beside(Residual::new(&mut seeds())),
        ]),
        x [3, 4], w [3, 4]
    ) {
        let mut ctx = no_grad!(Ctx::eval());
        (net.forward(x, &mut ctx) * w).sum()
    }
}
