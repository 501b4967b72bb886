//! What a training step launches, copies and waits for.
//!
//! PyTorch's counts are those of its profiler on an H200: `gpu/BENCHMARKS.md`. The networks here are smaller than those there,
//! which the counts depend on little.

use super::{cuda, gpu};
use differentiable::optim::{Adam, AdamW, Optimizer, Sgd};
use differentiable::prelude::*;

/// The launches of a step, kernels and products, after steps that compile and allocate. It waits for nothing, copies nothing,
/// and leaves nothing to the host.
fn launches<M, B, O>(
    model: M,
    batch: B,
    mut optimizer: O,
    gradient: impl Fn(&M, &B) -> (Tensor![], M::Tangent),
) -> Option<u64>
where
    M: Module + ToDevice + Clone,
    B: ToDevice + Clone,
    O: Optimizer,
{
    let device = gpu()?;
    let (mut model, batch) = (model.to(&device), batch.to(&device));
    let counters = || cuda(&device).gpu().counters();
    let mut step = || {
        let before = counters();
        let (loss, grad) = gradient(&model, &batch);
        optimizer.step(&mut model, &grad);
        let after = counters();
        assert_eq!(after.host_waits, before.host_waits);
        assert_eq!(after.downloads, before.downloads);
        assert_eq!(after.uploads, before.uploads);
        drop(loss);
        after.launches + after.products - before.launches - before.products
    };
    step();
    step();
    let launches = step();
    assert!(
        cuda(&device).via_host().is_empty(),
        "{:?}",
        cuda(&device).via_host()
    );
    Some(launches)
}

#[derive(Clone, Differentiable, Module)]
struct Classifier {
    l1: Linear<20, 16>,
    l2: Linear<16, 12>,
    l3: Linear<12, 10>,
}

#[differentiable]
impl Classifier {
    fn loss(&self, #[constant] x: &Tensor![8, 20], labels: &Tensor![i64; 8]) -> Tensor![] {
        let h = self.l1.forward(x).relu();
        let h = self.l2.forward(&h).relu();
        self.l3.forward(&h).cross_entropy(labels)
    }
}

/// The network W2 of the benchmarks.
#[test]
fn of_a_classifier() {
    let mut seeds = Seeds::new(1);
    let net = Classifier {
        l1: Linear::new(&mut seeds),
        l2: Linear::new(&mut seeds),
        l3: Linear::new(&mut seeds),
    };
    let batch = (
        Tensor::randn(1),
        Tensor::<(Sz<8>,), i64>::from_fn(|i| (i % 10) as i64),
    );
    let launches = launches(net, batch, Adam::new(1e-3), |net, (x, y)| {
        net.loss_value_and_grad(x, y)
    });
    let eager = 28;
    assert!(launches.is_none_or(|n| n <= eager), "{launches:?}");
}

#[derive(Clone, Differentiable, Module)]
struct Cnn {
    c1: Tensor![3, 1, 3, 3],
    b1: Tensor![3, 1, 1],
    c2: Tensor![4, 3, 3, 3],
    b2: Tensor![4, 1, 1],
    l1: Linear<16, 12>,
    l2: Linear<12, 11>,
    l3: Linear<11, 5>,
}

#[differentiable]
impl Cnn {
    fn loss(&self, #[constant] x: &Tensor![6, 1, 10, 10], labels: &Tensor![i64; 6]) -> Tensor![] {
        let h = x.conv2d(&self.c1, Win::new().pad::<1>())
            + self.b1.expand::<1, _>(Sz::<10>).expand::<2, _>(Sz::<10>);
        let h = h.relu().max_pool::<2, 2>();
        let h = h.conv2d(&self.c2, Win::new().pad::<1>())
            + self.b2.expand::<1, _>(Sz::<5>).expand::<2, _>(Sz::<5>);
        let h = h.relu().max_pool::<2, 2>();
        let h = h.merge_last().merge_last();
        let h = self.l1.forward(&h).relu();
        let h = self.l2.forward(&h).relu();
        self.l3.forward(&h).cross_entropy(labels)
    }
}

/// The network W3.
#[test]
fn of_a_convolutional_network() {
    let mut seeds = Seeds::new(1);
    let net = Cnn {
        c1: Tensor::randn(2),
        b1: Tensor::zeros(),
        c2: Tensor::randn(3),
        b2: Tensor::zeros(),
        l1: Linear::new(&mut seeds),
        l2: Linear::new(&mut seeds),
        l3: Linear::new(&mut seeds),
    };
    let batch = (
        Tensor::randn(1),
        Tensor::<(Sz<6>,), i64>::from_fn(|i| (i % 5) as i64),
    );
    let sgd = Sgd::new(1e-2).momentum(0.9);
    let launches = launches(net, batch, sgd, |net, (x, y)| net.loss_value_and_grad(x, y));
    let eager = 50;
    assert!(launches.is_none_or(|n| n <= eager), "{launches:?}");
}

#[derive(Clone, Differentiable, Module)]
struct Norm {
    scale: Tensor![8],
    shift: Tensor![8],
}

fn norm() -> Norm {
    Norm {
        scale: Tensor::ones(),
        shift: Tensor::zeros(),
    }
}

#[derive(Clone, Differentiable, Module)]
struct Block {
    norm1: Norm,
    qkv: Linear<8, 24>,
    out: Linear<8, 8>,
    norm2: Norm,
    up: Linear<8, 32>,
    down: Linear<32, 8>,
}

#[derive(Clone, Differentiable, Module)]
struct Gpt {
    tokens: Tensor![13, 8],
    positions: Tensor![6, 8],
    blocks: [Block; 4],
    norm: Norm,
    head: Linear<8, 13>,
}

#[differentiable]
impl Gpt {
    fn loss(&self, ids: &Tensor![i64; 2, 6], targets: &Tensor![i64; 12]) -> Tensor![] {
        let mut x = self.tokens.embedding(ids) + &self.positions;
        for i in 0..4 {
            x = self.blocks[i].forward(&x, Attention::new().causal());
        }
        let x = x.layer_norm(&self.norm.scale, &self.norm.shift, 1e-5);
        self.head
            .forward(&x)
            .reshape::<(Sz<12>, Sz<13>)>()
            .cross_entropy(targets)
    }
}

#[differentiable]
impl Block {
    fn forward(&self, x: &Tensor![2, 6, 8], #[constant] how: Attention) -> Tensor![2, 6, 8] {
        let h = x.layer_norm(&self.norm1.scale, &self.norm1.shift, 1e-5);
        let heads = self.qkv.forward(&h).split_last::<6>();
        let (q, k, v) = heads.split::<2, (Sz<2>, Sz<2>, Sz<2>)>();
        let q = q.permute::<0, 2, 1, 3>();
        let k = k.permute::<0, 2, 1, 3>();
        let v = v.permute::<0, 2, 1, 3>();
        let a = q
            .attention(&k, &v, how)
            .permute::<0, 2, 1, 3>()
            .merge_last();
        let x = x + self.out.forward(&a);
        let h = x.layer_norm(&self.norm2.scale, &self.norm2.shift, 1e-5);
        x + self.down.forward(&self.up.forward(&h).gelu())
    }
}

/// The network W4, with clipping; eager's count is without.
#[test]
fn of_a_transformer() {
    let mut seeds = Seeds::new(1);
    let net = Gpt {
        tokens: Tensor::randn(2),
        positions: Tensor::randn(3),
        blocks: core::array::from_fn(|_| Block {
            norm1: norm(),
            qkv: Linear::new(&mut seeds),
            out: Linear::new(&mut seeds),
            norm2: norm(),
            up: Linear::new(&mut seeds),
            down: Linear::new(&mut seeds),
        }),
        norm: norm(),
        head: Linear::new(&mut seeds),
    };
    let batch = (
        Tensor::<(Sz<2>, Sz<6>), i64>::from_fn(|i| (i * 5 % 13) as i64),
        Tensor::<(Sz<12>,), i64>::from_fn(|i| (i * 5 + 5) as i64 % 13),
    );
    let adamw = AdamW::new(3e-4).clip_norm(1.0);
    let launches = launches(net, batch, adamw, |net, (x, y)| {
        net.loss_value_and_grad(x, y)
    });
    let eager = 182;
    assert!(launches.is_none_or(|n| n <= eager), "{launches:?}");
}
