//! Programs that several tests record.

use differentiable::graph::Recording;
use differentiable::nn::*;
use differentiable::prelude::*;

dim!(pub Batch, pub Time);

pub fn bits<S: Shape, T: Elem>(x: &Tensor<S, T>) -> Vec<u64> {
    x.to_vec()
        .into_iter()
        .map(|x| x.to_f64().to_bits())
        .collect()
}

#[module]
pub struct Block {
    norm: LayerNorm<16>,
    attention: MultiHead<16, 2, 8>,
    second: LayerNorm<16>,
    up: Linear<16, 32>,
    down: Linear<32, 16>,
}

#[differentiable]
impl Block {
    fn forward(&self, x: &Tensor![Batch, Time, 16]) -> Tensor![Batch, Time, 16] {
        let (h, keys) = (self.norm.forward(x), no_grad!(Keys::Causal));
        let x = x + self.attention.forward(&h, &h, &keys);
        let hidden = self.up.forward(&self.second.forward(&x)).gelu();
        &x + self.down.forward(&hidden)
    }
}

/// A small transformer with its training step.
#[module(depth: usize)]
pub struct Gpt {
    pub embed: Embedding<11, 16>,
    #[init(repeat(depth))]
    blocks: Vec<Block>,
    pub out: Linear<16, 11>,
}

#[differentiable]
impl Gpt {
    pub fn loss(
        &self,
        tokens: &Tensor![i64; Batch, Time],
        targets: &Tensor![i64; Batch, Time],
    ) -> Tensor![] {
        let mut x = self.embed.forward(tokens);
        for block in &self.blocks {
            x = block.forward(&x);
        }
        self.out.forward(&x).cross_entropy(targets)
    }
}

pub struct Recorded {
    pub recording: Recording,
    pub net: Gpt,
    pub tokens: Tensor![i64; Batch, Time],
    pub targets: Tensor![i64; Batch, Time],
    pub loss: Tensor![],
    pub gradient: GptTangent,
}

/// The loss of a transformer of so many blocks and its gradient, for two sequences of `time` tokens.
pub fn gpt(blocks: usize, time: usize) -> Recorded {
    let recording = Recording::new();
    let net = recording.module(&Gpt::new(&mut Seeds::new(7), blocks));
    let tokens = recording.input("tokens", (Batch(2), Time(time)));
    let targets = recording.input("targets", (Batch(2), Time(time)));
    let (loss, gradient) = recording.scope(|| net.loss_value_and_grad(&tokens, &targets));
    recording.output("loss", &loss);
    Recorded {
        recording,
        net,
        tokens,
        targets,
        loss,
        gradient,
    }
}

#[differentiable]
fn loss(
    w: &Tensor![3, 2],
    #[constant] x: &Tensor![4, 3],
    #[constant] y: &Tensor![4, 2],
) -> Tensor![] {
    (x.matmul(w) - y).square().sum()
}

/// The loss of a layer, and its slope by the weights.
pub fn loss_and_slope() -> Recording {
    let r = Recording::new();
    let w = r.variable("w", &Tensor::<shape![3, 2]>::ones());
    let (x, y) = (
        r.input("x", Default::default()),
        r.input("y", Default::default()),
    );
    let (value, slope) = r.scope(|| loss::value_and_grad(&w, &x, &y));
    r.output("loss", &value);
    r.output("slope", &slope);
    r
}
