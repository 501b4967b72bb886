//! Layers with state: running statistics, random keys, caches of keys and values, auxiliary logits.

#![allow(
    clippy::assign_op_pattern,
    clippy::ptr_arg,
    reason = "constants are written in every way"
)]

use differentiable::prelude::*;

dim!(Batch);

/// What is passed down: whether the network is trained, a key for random numbers, and what buffers become.
#[derive(Clone, Debug, Differentiable)]
struct Ctx {
    train: bool,
    key: u64,
    #[constant]
    updates: Vec<(String, Tensor![4])>,
}

fn context(train: bool) -> Ctx {
    Ctx {
        train,
        key: 5,
        updates: Vec::new(),
    }
}

#[derive(Clone, Differentiable, Module)]
struct Dropout {
    #[constant]
    p: f64,
}

#[differentiable]
impl Dropout {
    fn forward(&self, x: &Tensor![Batch, 4], #[constant] ctx: &mut Ctx) -> Tensor![Batch, 4] {
        if !ctx.train {
            return x.clone();
        }
        ctx.key = ctx.key.wrapping_mul(6364136223846793005).wrapping_add(1);
        x.dropout(self.p, ctx.key)
    }
}

#[derive(Clone, Differentiable, Module)]
struct BatchNorm {
    scale: Tensor![4],
    shift: Tensor![4],
    #[constant]
    mean: Tensor![4],
    #[constant]
    var: Tensor![4],
    #[constant]
    seen: u64,
}

#[differentiable]
impl BatchNorm {
    fn forward(
        &mut self,
        x: &Tensor![Batch, 4, 2, 2],
        #[constant] ctx: &mut Ctx,
    ) -> Tensor![Batch, 4, 2, 2] {
        if ctx.train {
            let mean = stop_gradient(x.mean_axes::<Axes3<0, 2, 3>>());
            self.mean = stop_gradient(&self.mean * 0.9 + &mean * 0.1);
            self.var = no_grad! {
                let square = x.square().mean_axes::<Axes3<0, 2, 3>>();
                &self.var * 0.9 + (square - mean.square()) * 0.1
            };
            self.seen += 1;
            ctx.updates.push(("mean".into(), mean));
            x.batch_norm(&self.scale, &self.shift, 1e-5)
        } else {
            x.batch_norm_inference(&self.mean, &self.var, &self.scale, &self.shift, 1e-5)
        }
    }
    fn by_hand(&self, x: &Tensor![Batch, 4]) -> Tensor![Batch, 4] {
        (x - &self.mean) / (&self.var + 1e-5).sqrt() * &self.scale + &self.shift
    }
}

#[derive(Clone, Differentiable, Module)]
struct Net {
    norm: BatchNorm,
    drop: Vec<Dropout>,
    last: Option<Dropout>,
    out: Linear<4, 3>,
}

#[differentiable]
impl Net {
    /// The loss, and the logits beside it.
    fn loss(
        &mut self,
        #[constant] x: &Tensor![Batch, 4, 2, 2],
        y: &Tensor![i64; Batch],
        #[constant] ctx: &mut Ctx,
    ) -> (Tensor![], Tensor![Batch, 3]) {
        let h = self.norm.forward(x, ctx);
        let mut h = h.mean_axes::<Axes2<2, 3>>();
        for drop in &self.drop {
            h = drop.forward(&h, ctx);
        }
        if let Some(drop) = &self.last {
            h = drop.forward(&h, ctx);
        }
        if !ctx.train {
            h = self.norm.by_hand(&h);
        }
        let logits = self.out.forward(&h);
        (logits.cross_entropy(y), stop_gradient(logits))
    }
}

fn net() -> Net {
    Net {
        norm: BatchNorm {
            scale: tensor([1.0, 0.8, 1.2, 0.9]),
            shift: tensor([0.1, -0.2, 0.3, 0.0]),
            mean: tensor([0.5, 1.0, 1.5, 0.8]),
            var: Tensor::ones(),
            seen: 0,
        },
        drop: vec![Dropout { p: 0.2 }, Dropout { p: 0.1 }],
        last: Some(Dropout { p: 0.3 }),
        out: Linear::new(&mut Seeds::new(1)),
    }
}

#[test]
fn statistics_keys_and_logits() {
    let x: Tensor![Batch, 4, 2, 2] = Tensor::randn_with((Batch(5), Sz, Sz, Sz), 1) + 1.0;
    let y: Tensor![i64; Batch] = Tensor::zeros_with((Batch(5),));
    for train in [true, false] {
        let (mut net_with, mut ctx) = (net(), context(train));
        let ((loss, logits), g) = net_with.loss_value_and_grad(&x, &y, &mut ctx);
        let (mut plain, mut plain_ctx) = (net(), context(train));
        let (value, plain_logits) = plain.loss(&x, &y, &mut plain_ctx);
        assert_eq!(loss.item(), value.item());
        assert_eq!(logits.to_vec(), plain_logits.to_vec());
        assert_eq!(net_with.norm.mean.to_vec(), plain.norm.mean.to_vec());
        assert_eq!(net_with.norm.var.to_vec(), plain.norm.var.to_vec());
        assert_eq!(net_with.norm.seen, u64::from(train));
        assert_eq!(
            (ctx.key, ctx.updates.len()),
            (plain_ctx.key, usize::from(train))
        );
        let at = |h: f32| {
            let mut moved = net();
            moved.norm.scale = &moved.norm.scale + tensor([h, 0.0, 0.0, 0.0]);
            moved.norm.shift = &moved.norm.shift + tensor([0.0, h, 0.0, 0.0]);
            moved.out.bias = &moved.out.bias + tensor([0.0, 0.0, h]);
            moved.loss(&x, &y, &mut context(train)).0.item()
        };
        let difference = (at(1e-2) - at(-1e-2)) / 2e-2;
        let slope = g.norm.scale.to_vec()[0] + g.norm.shift.to_vec()[1] + g.out.bias.to_vec()[2];
        assert!((difference - slope).abs() < 1e-3, "{difference} {slope}");
    }
}

#[derive(Clone, Differentiable)]
struct Cache {
    #[constant]
    keys: Vec<Tensor![4]>,
    #[constant]
    values: Vec<Tensor![4]>,
}

#[derive(Clone, Differentiable, Module)]
struct Attention {
    key: Tensor![4, 4],
    value: Tensor![4, 4],
}

#[differentiable]
impl Attention {
    /// One more position: earlier ones are constants of the cache.
    fn step(&self, x: &Tensor![4], #[constant] cache: &mut Cache) -> Tensor![4] {
        let (key, value) = (x.matmul(&self.key), x.matmul(&self.value));
        let mut weight = (&key * x).sum().exp();
        let mut total = &value * &weight;
        for i in 0..cache.keys.len() {
            let w = (&cache.keys[i] * x).sum().exp();
            total = total + &cache.values[i] * &w;
            weight = weight + w;
        }
        cache.keys.push(stop_gradient(key));
        cache.values.push(no_grad!(value));
        total / weight
    }
}

#[differentiable]
fn generated(
    layers: &Vec<Attention>,
    x: &Tensor![4],
    #[constant] caches: &mut Vec<Cache>,
) -> Tensor![] {
    let mut h = x.clone();
    for (layer, cache) in layers.iter().zip(caches.iter_mut()) {
        h = layer.step(&h, cache);
    }
    h.square().sum()
}

#[test]
fn caches_of_keys_and_values() {
    let layer = |seed: u64| Attention {
        key: Tensor::randn(seed) * 0.3,
        value: Tensor::randn(seed + 1) * 0.5,
    };
    let layers = vec![layer(1), layer(3)];
    let empty = Cache {
        keys: Vec::new(),
        values: Vec::new(),
    };
    let mut caches = vec![empty.clone(), empty];
    let x: Tensor![4] = tensor([0.5, -0.3, 0.8, 0.2]);
    generated(&layers, &x, &mut caches);
    let before = caches.clone();
    let (value, (_, g)) = generated::value_and_grad(&layers, &(&x * 0.5), &mut caches);
    assert_eq!((caches[0].keys.len(), caches[1].values.len()), (2, 2));
    let at = |h: f32| {
        generated(
            &layers,
            &(&x * 0.5 + tensor([h, 0.0, 0.0, 0.0])),
            &mut before.clone(),
        )
        .item()
    };
    assert_eq!(value.item(), at(0.0));
    let difference = (at(1e-2) - at(-1e-2)) / 2e-2;
    assert!(
        (difference - g.to_vec()[0]).abs() < 1e-3,
        "{difference} {g}"
    );
}
