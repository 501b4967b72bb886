//! W4: four blocks of a decoder, vocabulary 96, 64 tokens, width 128, 4 heads, pre-norm, GELU, AdamW.

use crate::steps::{Run, train};
use differentiable::optim::AdamW;
use differentiable::prelude::*;

#[derive(Clone, Differentiable, Module)]
pub struct Norm {
    pub scale: Tensor![128],
    pub shift: Tensor![128],
}

impl Norm {
    pub fn start() -> Self {
        Norm {
            scale: Tensor::ones(),
            shift: Tensor::zeros(),
        }
    }
}

#[derive(Clone, Differentiable, Module)]
pub struct Block {
    norm1: Norm,
    qkv: Linear<128, 384>,
    out: Linear<128, 128>,
    norm2: Norm,
    up: Linear<128, 512>,
    down: Linear<512, 128>,
}

#[differentiable]
impl Block {
    pub fn forward(
        &self,
        x: &Tensor![16, 64, 128],
        #[constant] how: Attention,
    ) -> Tensor![16, 64, 128] {
        let h = x.layer_norm(&self.norm1.scale, &self.norm1.shift, 1e-5);
        let (q, k, v) = self
            .qkv
            .forward(&h)
            .split::<-1, (Sz<128>, Sz<128>, Sz<128>)>();
        let q = q.split_last::<4>().permute::<0, 2, 1, 3>();
        let k = k.split_last::<4>().permute::<0, 2, 1, 3>();
        let v = v.split_last::<4>().permute::<0, 2, 1, 3>();
        let a = q.attention(&k, &v, how);
        let a = a.permute::<0, 2, 1, 3>().merge_last();
        let x = x + self.out.forward(&a);
        let h = x.layer_norm(&self.norm2.scale, &self.norm2.shift, 1e-5);
        let h = self.up.forward(&h).gelu();
        x + self.down.forward(&h)
    }
}

#[derive(Clone, Differentiable, Module)]
pub struct Gpt {
    tokens: Tensor![96, 128],
    positions: Tensor![64, 128],
    blocks: [Block; 4],
    norm: Norm,
    head: Linear<128, 96>,
}

#[differentiable]
impl Gpt {
    pub fn logits(&self, ids: &Tensor![i64; 16, 64]) -> Tensor![16, 64, 96] {
        let mut x = self.tokens.embedding(ids) + &self.positions;
        for i in 0..4 {
            x = self.blocks[i].forward(&x, Attention::new().causal());
        }
        let x = x.layer_norm(&self.norm.scale, &self.norm.shift, 1e-5);
        self.head.forward(&x)
    }

    pub fn loss(&self, ids: &Tensor![i64; 16, 64], targets: &Tensor![i64; 1024]) -> Tensor![] {
        self.logits(ids)
            .reshape::<(Sz<1024>, Sz<96>)>()
            .cross_entropy(targets)
    }
}

impl Block {
    pub fn start(seeds: &mut Seeds) -> Self {
        Block {
            norm1: Norm::start(),
            qkv: Linear::new(seeds),
            out: Linear::new(seeds),
            norm2: Norm::start(),
            up: Linear::new(seeds),
            down: Linear::new(seeds),
        }
    }
}

impl Gpt {
    pub fn start() -> (Self, AdamW) {
        let mut seeds = Seeds::new(1);
        let model = Gpt {
            tokens: Tensor::randn(2) * 0.02,
            positions: Tensor::randn(3) * 0.02,
            blocks: core::array::from_fn(|_| Block::start(&mut seeds)),
            norm: Norm::start(),
            head: Linear::new(&mut seeds),
        };
        (model, AdamW::new(3e-4))
    }

    pub fn data() -> (Tensor![i64; 16, 64], Tensor![i64; 1024]) {
        (
            Tensor::from_fn(|i| (i * 31 % 96) as i64),
            Tensor::from_fn(|i| ((i + 1) * 31 % 96) as i64),
        )
    }
}

pub fn run(run: Run) {
    train(run, Gpt::start(), Gpt::data(), |net, x, y| {
        net.loss_value_and_grad(x, y)
    });
}
