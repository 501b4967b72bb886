//! The networks of the example programs, small.

use differentiable::nn::*;
use differentiable::prelude::*;

dim!(pub Batch, pub Time, pub Source);

#[module]
pub struct Logistic {
    #[init(Tensor::randn(seeds.next_seed()))]
    weight: Tensor![64, 10],
}

#[differentiable]
impl Logistic {
    pub fn forward(&self, x: &Tensor![Batch, 64]) -> Tensor![Batch, 10] {
        x.matmul(&self.weight)
    }
}

#[module]
pub struct Digits {
    hidden: Linear<64, 16>,
    out: Linear<16, 10>,
}

#[differentiable]
impl Digits {
    pub fn forward(&self, x: &Tensor![Batch, 64]) -> Tensor![Batch, 10] {
        self.out.forward(&self.hidden.forward(x).relu())
    }

    pub fn loss(&self, x: &Tensor![Batch, 64], y: &Tensor![i64; Batch]) -> Tensor![] {
        self.forward(x).cross_entropy(y)
    }
}

#[module]
pub struct Cnn {
    conv1: Conv2d<1, 4, 3>,
    norm1: BatchNorm<4>,
    conv2: Conv2d<4, 8, 3>,
    norm2: BatchNorm<8>,
    #[init(Dropout::new(0.25))]
    drop: Dropout,
    out: Linear<32, 10>,
}

#[differentiable]
impl Cnn {
    pub fn forward(&self, x: &Tensor![Batch, 1, 8, 8], ctx: &mut Ctx) -> Tensor![Batch, 10] {
        let h = self.norm1.forward(&self.conv1.forward(x), ctx);
        let h = self.conv2.forward(&h.relu().max_pool::<2, 2>());
        let h = self.norm2.forward(&h, ctx).relu().max_pool::<2, 2>();
        self.out.forward(&self.drop.forward(&h.flatten(), ctx))
    }

    pub fn loss(&self, x: &Tensor![Batch, 1, 8, 8], y: &Tensor![i64; Batch]) -> Tensor![] {
        let mut ctx = no_grad!(Ctx::eval());
        self.forward(x, &mut ctx).cross_entropy(y)
    }
}

#[module]
pub struct Judge {
    #[init(Embedding::with_padding(0, seeds))]
    tokens: Embedding<32, 6>,
    hidden: Linear<6, 8>,
    out: Linear<8, 2>,
}

#[differentiable]
impl Judge {
    pub fn forward(
        &self,
        tokens: &Tensor![i64; Batch, Time],
        shares: &Tensor![Batch, Time],
    ) -> Tensor![Batch, 2] {
        let features = self.hidden.forward(&self.tokens.forward(tokens)).relu();
        self.out.forward(&einsum!("bt,bth->bh", shares, &features))
    }
}

#[module]
pub struct Adder {
    rnn: Rnn<2, 6>,
    out: Linear<6, 2>,
}

#[differentiable]
impl Adder {
    pub fn forward(&self, x: &Tensor![Time, Batch, 2]) -> Tensor![Time, Batch, 2] {
        let mut state: RnnState<6> = no_grad!(RnnState::zeros());
        self.out.forward(&self.rnn.forward(x, &mut state))
    }
}

#[module]
pub struct CharLm {
    chars: Embedding<20, 8>,
    lstm: Lstm<8, 12>,
    gru: Gru<12, 10>,
    out: Linear<10, 20>,
}

#[differentiable]
impl CharLm {
    pub fn forward(&self, ids: &Tensor![i64; Time, Batch]) -> Tensor![Time, Batch, 20] {
        let mut state: LstmState<12> = no_grad!(LstmState::zeros());
        let mut second: RnnState<10> = no_grad!(RnnState::zeros());
        let h = self.lstm.forward(&self.chars.forward(ids), &mut state);
        self.out.forward(&self.gru.forward(&h, &mut second))
    }
}

#[module]
pub struct Caption {
    conv1: Conv2d<1, 4, 3>,
    conv2: Conv2d<4, 8, 3>,
    h: Linear<32, 12>,
    c: Linear<32, 12>,
    letters: Embedding<27, 6>,
    lstm: Lstm<6, 12>,
    out: Linear<12, 27>,
}

#[differentiable]
impl Caption {
    fn look(&self, x: &Tensor![Batch, 64]) -> LstmState<12> {
        let image = x.reshape::<shape![Batch, 1, 8, 8]>();
        let h = self.conv1.forward(&image).relu().max_pool::<2, 2>();
        let h = self.conv2.forward(&h).relu().max_pool::<2, 2>().flatten();
        LstmState::new(&self.h.forward(&h).tanh(), &self.c.forward(&h))
    }

    pub fn forward(
        &self,
        x: &Tensor![Batch, 64],
        given: &Tensor![i64; Time, Batch],
    ) -> Tensor![Time, Batch, 27] {
        let mut state = self.look(x);
        let h = self.lstm.forward(&self.letters.forward(given), &mut state);
        self.out.forward(&h)
    }
}

#[module]
pub struct Block {
    norm1: LayerNorm<16>,
    attention: MultiHead<16, 4, 4>,
    norm2: LayerNorm<16>,
    mlp: Mlp<16, 32>,
}

#[differentiable]
impl Block {
    pub fn forward(
        &self,
        x: &Tensor![Batch, Time, 16],
        cache: &mut KvCache<4, 4>,
    ) -> Tensor![Batch, Time, 16] {
        let x = x + self.attention.causal(&self.norm1.forward(x), cache);
        &x + self.mlp.forward(&self.norm2.forward(&x))
    }

    pub fn energy(&self, x: &Tensor![Batch, Time, 16]) -> Tensor![] {
        let mut cache: KvCache<4, 4> = no_grad!(KvCache::none());
        self.forward(x, &mut cache).square().mean()
    }
}

#[module(depth: usize)]
pub struct Gpt {
    tokens: Embedding<20, 16>,
    places: Embedding<12, 16>,
    #[init(repeat(depth))]
    blocks: Vec<Block>,
    norm: LayerNorm<16>,
    out: Linear<16, 20>,
}

#[differentiable]
impl Gpt {
    pub fn forward(
        &self,
        ids: &Tensor![i64; Batch, Time],
        caches: &mut Caches<4, 4>,
    ) -> Tensor![Batch, Time, 20] {
        let mut x = self.tokens.forward(ids) + self.places.forward(&caches.positions(ids));
        for (i, block) in self.blocks.iter().enumerate() {
            x = block.forward(&x, &mut caches[i]);
        }
        self.out.forward(&self.norm.forward(&x))
    }
}

#[module]
pub struct Translator {
    source: Embedding<20, 16>,
    target: Embedding<20, 16>,
    places: Embedding<12, 16>,
    #[init(Transformer::new(seeds, 2, 0.0))]
    body: Transformer<16, 4, 4, 32>,
    head: Linear<16, 20>,
}

#[differentiable]
impl Translator {
    pub fn forward(
        &self,
        s: &Tensor![i64; Batch, Source],
        keys: &Keys,
        t: &Tensor![i64; Batch, Time],
        ctx: &mut Ctx,
    ) -> Tensor![Batch, Time, 20] {
        let places = self.places.forward(&no_grad!(positions(s.shape().1)));
        let x = self.source.forward(s) + places;
        let memory = self.body.encoder.forward(&x, keys, ctx);
        let y = self.target.forward(t) + self.places.forward(&no_grad!(positions(t.shape().1)));
        self.head
            .forward(&self.body.decoder.forward(&y, &memory, keys, ctx))
    }
}

#[module]
pub struct Vit {
    patches: PatchEmbedding<1, 2, 16, 16>,
    #[init(Tensor::randn(seeds.next_seed()) * 0.02)]
    class: Tensor![1, 16],
    #[init(Tensor::randn(seeds.next_seed()) * 0.02)]
    places: Tensor![17, 16],
    #[init(Encoder::new(seeds, 2, 0.1))]
    encoder: Encoder<16, 4, 4, 32>,
    head: Linear<16, 10>,
}

#[differentiable]
impl Vit {
    pub fn forward(&self, x: &Tensor![Batch, 64], ctx: &mut Ctx) -> Tensor![Batch, 10] {
        let squares = self.patches.forward(&x.reshape::<shape![Batch, 1, 8, 8]>());
        let class = self
            .class
            .unsqueeze::<0>()
            .expand::<0, _>(no_grad!(x.shape().0));
        let h = class.concat::<1, _>(&squares) + &self.places;
        let h = self.encoder.forward(&h, &Keys::All, ctx);
        self.head.forward(&h.index::<1>(0))
    }
}

#[module]
pub struct Club {
    first: GraphConv<6, 8>,
    second: GraphConv<8, 2>,
}

#[differentiable]
impl Club {
    pub fn forward(
        &self,
        x: &Tensor![6, 6],
        #[constant] a: &Sparse<Sz<6>, Sz<6>>,
    ) -> Tensor![6, 2] {
        self.second.forward(&self.first.forward(x, a).relu(), a)
    }
}

/// A mixture whose experts all run: each weighs as the gate says.
#[module]
pub struct Mixture {
    gate: Linear<8, 3>,
    #[init(repeat(3))]
    experts: Vec<Linear<8, 8>>,
}

#[differentiable]
impl Mixture {
    pub fn forward(&self, x: &Tensor![Batch, 8]) -> Tensor![Batch, 8] {
        let weights = self.gate.forward(x).softmax::<1>();
        let mut y = x.clone();
        for (i, expert) in self.experts.iter().enumerate() {
            let weight = weights.narrow::<1, _>(i, Sz::<1>).expand::<1, _>(Sz::<8>);
            y += expert.forward(x).relu() * weight;
        }
        y
    }
}

#[module]
pub struct Vae {
    encoder: Linear<64, 16>,
    mean: Linear<16, 4>,
    log_var: Linear<16, 4>,
    up: Linear<4, 16>,
    out: Linear<16, 64>,
}

#[differentiable]
impl Vae {
    pub fn encode(&self, x: &Tensor![Batch, 64]) -> (Tensor![Batch, 4], Tensor![Batch, 4]) {
        let h = self.encoder.forward(x).relu();
        (self.mean.forward(&h), self.log_var.forward(&h))
    }

    pub fn decode(&self, z: &Tensor![Batch, 4]) -> Tensor![Batch, 64] {
        self.out.forward(&self.up.forward(z).relu()).sigmoid()
    }
}

#[derive(Clone, Debug, Differentiable)]
pub enum Tree {
    Leaf(bool),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
}

#[module]
pub struct TreeNet {
    leaves: Embedding<2, 8>,
    not: Linear<8, 8>,
    and: Linear<16, 8>,
    out: Linear<8, 1>,
}

#[differentiable]
impl TreeNet {
    fn encode(&self, #[constant] tree: &Tree) -> Tensor![8] {
        match tree {
            Tree::Leaf(value) => self.leaves.weight.index::<0>(usize::from(*value)),
            Tree::Not(a) => self.not.forward(&self.encode(a)).tanh(),
            Tree::And(a, b) => {
                let both = self.encode(a).concat::<0, _>(&self.encode(b));
                self.and.forward(&both).tanh()
            }
        }
    }

    pub fn forward(&self, #[constant] tree: &Tree) -> Tensor![1] {
        self.out.forward(&self.encode(tree))
    }
}

/// A velocity, and the path that it makes by steps of Runge and Kutta.
#[module]
pub struct Velocity {
    hidden: Linear<2, 8>,
    out: Linear<8, 2>,
}

#[differentiable]
impl Velocity {
    fn at(&self, y: &Tensor![Batch, 2]) -> Tensor![Batch, 2] {
        self.out.forward(&self.hidden.forward(y).tanh())
    }

    pub fn forward(&self, start: &Tensor![Batch, 2]) -> Tensor![Batch, 2] {
        let mut y = start.clone();
        for _ in 0..3 {
            let a = self.at(&y);
            let b = self.at(&(&y + &a * 0.05));
            let c = self.at(&(&y + &b * 0.05));
            let d = self.at(&(&y + &c * 0.1));
            y += (a + b * 2.0 + c * 2.0 + d) * (0.1 / 6.0);
        }
        y
    }
}

#[module]
pub struct Body {
    conv1: Conv2d<1, 4, 3>,
    conv2: Conv2d<4, 8, 3>,
}

#[module]
pub struct FineTune {
    body: Body,
    head: Linear<32, 5>,
}

#[differentiable]
impl FineTune {
    pub fn forward(&self, x: &Tensor![Batch, 64]) -> Tensor![Batch, 5] {
        let image = x.reshape::<shape![Batch, 1, 8, 8]>();
        let h = self.body.conv1.forward(&image).relu().max_pool::<2, 2>();
        let h = self
            .body
            .conv2
            .forward(&h)
            .relu()
            .max_pool::<2, 2>()
            .flatten();
        self.head.forward(&h)
    }
}
