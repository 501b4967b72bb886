//! A training step on a device far away copies nothing to the host and nothing from it, and computes what the CPU does.

use differentiable::device::Far;
use differentiable::nn::state;
use differentiable::optim::{Adam, AdamW, Optimizer, Sgd, clip_grad_norm};
use differentiable::prelude::*;

fn far_of(device: &Device) -> &Far {
    match device {
        Device::Far(far) => far,
        other => panic!("{other} is not far"),
    }
}

/// Three steps on the CPU, and on a far device without transfers: the same losses and parameters, to the bit.
fn same_steps<M: Module + ToDevice + Clone, B: ToDevice + Clone, O: Optimizer + Clone>(
    model: M,
    batch: B,
    optimizer: O,
    gradient: impl Fn(&M, &B) -> (Tensor![], M::Tangent),
) {
    let run = |device: &Device, step: &mut dyn FnMut(&mut dyn FnMut())| {
        let (mut model, batch) = (model.to(device), batch.to(device));
        let mut optimizer = optimizer.to(device);
        let mut losses = Vec::new();
        // The first step makes the moments.
        for _ in 0..3 {
            step(&mut || {
                let (loss, grad) = gradient(&model, &batch);
                let (grad, norm) = clip_grad_norm(grad, 0.5);
                optimizer.step(&mut model, &grad);
                losses.push((loss, norm));
            });
        }
        let numbers: Vec<_> = losses.iter().map(|(l, n)| (l.item(), n.value())).collect();
        (numbers, state(&model))
    };
    let (near, near_state) = run(&Device::cpu(), &mut |step| step());
    let device = Device::far();
    let before = far_of(&device).counts();
    assert_eq!(before.launches, 0);
    let (far, far_state) = run(&device, &mut |step| far_of(&device).without_transfers(step));
    for ((a, n), (b, m)) in near.iter().zip(&far) {
        assert!(
            (a - b).abs() <= 1e-5 * a.abs(),
            "the losses {near:?} and {far:?}"
        );
        assert!(
            (n - m).abs() <= 1e-5 * n.abs(),
            "the norms of {near:?} and {far:?}"
        );
    }
    assert!(near[0].0 > near[2].0, "the loss falls: {near:?}");
    assert_eq!(
        near_state.keys().collect::<Vec<_>>(),
        far_state.keys().collect::<Vec<_>>()
    );
    assert!(far_of(&device).counts().launches > 30);
}

#[derive(Clone, Differentiable, Module)]
struct Mlp {
    l1: Linear<12, 16>,
    l2: Linear<16, 5>,
}

#[differentiable]
impl Mlp {
    fn loss(&self, #[constant] x: &Tensor![8, 12], labels: &Tensor![i64; 8]) -> Tensor![] {
        let h = self.l1.forward(x).relu();
        self.l2.forward(&h).cross_entropy(labels)
    }

    /// Sums inside of a larger function, and a penalty.
    fn penalised(&self, #[constant] x: &Tensor![8, 12], labels: &Tensor![i64; 8]) -> Tensor![] {
        let penalty = self.l1.weight.square().sum() + self.l2.weight.square().sum();
        self.loss(x, labels) * 2.0 + penalty.sqrt() * 0.01
    }
}

fn mlp() -> Mlp {
    let mut seeds = Seeds::new(1);
    Mlp {
        l1: Linear::new(&mut seeds),
        l2: Linear::new(&mut seeds),
    }
}

#[test]
fn of_an_mlp() {
    let batch = (
        Tensor::randn(1),
        Tensor::<(Sz<8>,), i64>::from_fn(|i| (i % 5) as i64),
    );
    same_steps(mlp(), batch.clone(), Adam::new(1e-2), |m, (x, y)| {
        m.loss_value_and_grad(x, y)
    });
    same_steps(mlp(), batch, Sgd::new(1e-1), |m, (x, y)| {
        m.penalised_value_and_grad(x, y)
    });
}

#[derive(Clone, Differentiable, Module)]
struct Cnn {
    c1: Tensor![3, 1, 3, 3],
    b1: Tensor![3, 1, 1],
    c2: Tensor![4, 3, 3, 3],
    l1: Linear<16, 5>,
}

#[differentiable]
impl Cnn {
    fn loss(&self, #[constant] x: &Tensor![6, 1, 10, 10], labels: &Tensor![i64; 6]) -> Tensor![] {
        let h = x.conv2d(&self.c1, Win::new().pad::<1>())
            + self.b1.expand::<1, _>(Sz::<10>).expand::<2, _>(Sz::<10>);
        let h = h.relu().max_pool::<2, 2>();
        let h = h.conv2d(&self.c2, Win::new().pad::<1>());
        let h = h.relu().max_pool::<2, 2>();
        let h = h.merge_last().merge_last();
        self.l1.forward(&h).cross_entropy(labels)
    }
}

#[test]
fn of_a_cnn() {
    let model = Cnn {
        c1: Tensor::randn(3) * 0.3,
        b1: Tensor::zeros(),
        c2: Tensor::randn(4) * 0.3,
        l1: Linear::new(&mut Seeds::new(5)),
    };
    let batch = (
        Tensor::randn(1),
        Tensor::<(Sz<6>,), i64>::from_fn(|i| (i % 5) as i64),
    );
    let optimizer = Sgd::new(5e-2).momentum(0.9);
    same_steps(model, batch, optimizer, |m, (x, y)| {
        m.loss_value_and_grad(x, y)
    });
}

#[derive(Clone, Differentiable, Module)]
struct Block {
    scale: Tensor![16],
    shift: Tensor![16],
    qkv: Linear<16, 48>,
    out: Linear<16, 16>,
}

#[differentiable]
impl Block {
    fn forward(&self, x: &Tensor![3, 7, 16], #[constant] seed: u64) -> Tensor![3, 7, 16] {
        let h = x.layer_norm(&self.scale, &self.shift, 1e-5);
        let (q, k, v) = self.qkv.forward(&h).split::<-1, (Sz<16>, Sz<16>, Sz<16>)>();
        let q = q.split_last::<4>().permute::<0, 2, 1, 3>();
        let k = k.split_last::<4>().permute::<0, 2, 1, 3>();
        let v = v.split_last::<4>().permute::<0, 2, 1, 3>();
        let a = q.attention(&k, &v, Attention::new().causal());
        let a = a.permute::<0, 2, 1, 3>().merge_last();
        x + self.out.forward(&a).gelu().dropout(0.1, seed)
    }
}

#[derive(Clone, Differentiable, Module)]
struct Gpt {
    tokens: Tensor![11, 16],
    positions: Tensor![7, 16],
    blocks: [Block; 2],
    head: Linear<16, 11>,
}

#[differentiable]
impl Gpt {
    fn loss(&self, ids: &Tensor![i64; 3, 7], targets: &Tensor![i64; 21]) -> Tensor![] {
        let mut x = self.tokens.embedding(ids) + &self.positions;
        for i in 0..2 {
            x = self.blocks[i].forward(&x, 7 + i as u64);
        }
        let logits = self.head.forward(&x);
        logits.reshape::<(Sz<21>, Sz<11>)>().cross_entropy(targets)
    }
}

#[test]
fn of_a_gpt() {
    let mut seeds = Seeds::new(2);
    let mut block = || Block {
        scale: Tensor::ones(),
        shift: Tensor::zeros(),
        qkv: Linear::new(&mut seeds),
        out: Linear::new(&mut seeds),
    };
    let model = Gpt {
        tokens: Tensor::randn(2) * 0.3,
        positions: Tensor::randn(3) * 0.3,
        blocks: [block(), block()],
        head: Linear::new(&mut Seeds::new(9)),
    };
    let batch = (
        Tensor::<(Sz<3>, Sz<7>), i64>::from_fn(|i| (i * 5 % 11) as i64),
        Tensor::<(Sz<21>,), i64>::from_fn(|i| ((i + 1) * 5 % 11) as i64),
    );
    same_steps(model, batch, AdamW::new(1e-2), |m, (ids, targets)| {
        m.loss_value_and_grad(ids, targets)
    });
}

#[derive(Clone, Differentiable, Module)]
struct Lstm {
    input: Tensor![4, 6, 3],
    hidden: Tensor![4, 6, 6],
    bias: Tensor![4, 6],
}

#[differentiable]
impl Lstm {
    fn loss(&self, #[constant] x: &Tensor![5, 2, 3], #[constant] y: &Tensor![2, 6]) -> Tensor![] {
        let zero = y.zeros_like();
        let (_, h, _) = x.lstm(&self.input, &self.hidden, &self.bias, &zero, &zero);
        (h - y).square().mean()
    }
}

#[test]
fn of_an_lstm() {
    let model = Lstm {
        input: Tensor::randn(3) * 0.3,
        hidden: Tensor::randn(4) * 0.3,
        bias: Tensor::zeros(),
    };
    let batch = (Tensor::randn(1), Tensor::randn(2));
    same_steps(model, batch, Adam::new(1e-2), |m, (x, y)| {
        m.loss_value_and_grad(x, y)
    });
}
