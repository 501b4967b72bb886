//! candle: `candle W1 SECONDS`; `RAYON_NUM_THREADS` sets the number of threads. candle has no SGD with momentum:
//! W3 is run with plain SGD, which is less work.

#[path = "../report.rs"]
mod report;

use candle_core::{D, DType, Device, Result, Tensor, Var};
use candle_nn::{
    AdamW, Conv2d, Conv2dConfig, LayerNorm, Linear, Module, Optimizer, ParamsAdamW, SGD,
    VarBuilder, VarMap, conv2d, layer_norm, linear, loss, ops,
};
use report::report;
use std::time::Instant;

const CPU: Device = Device::Cpu;

fn normal(shape: &[usize], scale: f32) -> Result<Tensor> {
    Tensor::randn(0f32, scale, shape, &CPU)
}

fn classes(n: u32) -> Result<Tensor> {
    Tensor::from_iter((0..n).map(|i| i % 10), &CPU)
}

fn adam(map: &VarMap, lr: f64, weight_decay: f64) -> Result<AdamW> {
    AdamW::new(
        map.all_vars(),
        ParamsAdamW {
            lr,
            weight_decay,
            ..Default::default()
        },
    )
}

/// Runs `loss` and an optimiser's step, again and again.
fn train<O: Optimizer>(
    start: Instant,
    seconds: f64,
    mut optimizer: O,
    loss: impl Fn() -> Result<Tensor>,
) {
    report(start, seconds, || {
        let step = || -> Result<f32> {
            let loss = loss()?;
            optimizer.backward_step(&loss)?;
            loss.to_scalar::<f32>()
        };
        let mut step = step;
        f64::from(step().expect("a training step"))
    });
}

fn two_layers(start: Instant, seconds: f64) -> Result<()> {
    let (x, y) = (normal(&[64, 1000], 1.0)?, normal(&[64, 10], 1.0)?);
    let w1 = Var::from_tensor(&normal(&[1000, 100], 0.03)?)?;
    let w2 = Var::from_tensor(&normal(&[100, 10], 0.1)?)?;
    let optimizer = SGD::new(vec![w1.clone(), w2.clone()], 1e-6)?;
    train(start, seconds, optimizer, || {
        (x.matmul(&w1)?.relu()?.matmul(&w2)? - &y)?.sqr()?.sum_all()
    });
    Ok(())
}

fn classifier(start: Instant, seconds: f64) -> Result<()> {
    let (x, y) = (normal(&[128, 784], 1.0)?, classes(128)?);
    let map = VarMap::new();
    let vb = VarBuilder::from_varmap(&map, DType::F32, &CPU);
    let (l1, l2, l3) = (
        linear(784, 256, vb.pp("1"))?,
        linear(256, 128, vb.pp("2"))?,
        linear(128, 10, vb.pp("3"))?,
    );
    train(start, seconds, adam(&map, 1e-3, 0.0)?, || {
        let h = l1.forward(&x)?.relu()?;
        loss::cross_entropy(&l3.forward(&l2.forward(&h)?.relu()?)?, &y)
    });
    Ok(())
}

fn cnn(start: Instant, seconds: f64) -> Result<()> {
    let (x, y) = (normal(&[64, 1, 28, 28], 1.0)?, classes(64)?);
    let map = VarMap::new();
    let vb = VarBuilder::from_varmap(&map, DType::F32, &CPU);
    let padded = Conv2dConfig {
        padding: 2,
        ..Default::default()
    };
    let c1: Conv2d = conv2d(1, 6, 5, padded, vb.pp("c1"))?;
    let c2: Conv2d = conv2d(6, 16, 5, Conv2dConfig::default(), vb.pp("c2"))?;
    let (l1, l2, l3) = (
        linear(400, 120, vb.pp("1"))?,
        linear(120, 84, vb.pp("2"))?,
        linear(84, 10, vb.pp("3"))?,
    );
    train(start, seconds, SGD::new(map.all_vars(), 1e-2)?, || {
        let h = c1.forward(&x)?.relu()?.max_pool2d(2)?;
        let h = c2.forward(&h)?.relu()?.max_pool2d(2)?.flatten_from(1)?;
        let h = l2.forward(&l1.forward(&h)?.relu()?)?.relu()?;
        loss::cross_entropy(&l3.forward(&h)?, &y)
    });
    Ok(())
}

struct Block {
    norms: [LayerNorm; 2],
    qkv: Linear,
    out: Linear,
    up: Linear,
    down: Linear,
}

impl Block {
    fn new(vb: VarBuilder) -> Result<Self> {
        Ok(Block {
            norms: [
                layer_norm(128, 1e-5, vb.pp("n1"))?,
                layer_norm(128, 1e-5, vb.pp("n2"))?,
            ],
            qkv: linear(128, 384, vb.pp("qkv"))?,
            out: linear(128, 128, vb.pp("out"))?,
            up: linear(128, 512, vb.pp("up"))?,
            down: linear(512, 128, vb.pp("down"))?,
        })
    }

    fn forward(&self, x: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let qkv = self
            .qkv
            .forward(&self.norms[0].forward(x)?)?
            .reshape((16, 64, 3, 4, 32))?;
        let part = |i| {
            qkv.narrow(2, i, 1)?
                .squeeze(2)?
                .transpose(1, 2)?
                .contiguous()
        };
        let (q, k, v) = (part(0)?, part(1)?, part(2)?);
        let scores = (q.matmul(&k.t()?)? / 32f64.sqrt())?.broadcast_add(mask)?;
        let a = ops::softmax(&scores, D::Minus1)?.matmul(&v)?;
        let x = (x + self
            .out
            .forward(&a.transpose(1, 2)?.reshape((16, 64, 128))?)?)?;
        let h = self.up.forward(&self.norms[1].forward(&x)?)?.gelu_erf()?;
        &x + self.down.forward(&h)?
    }
}

fn gpt(start: Instant, seconds: f64) -> Result<()> {
    let map = VarMap::new();
    let vb = VarBuilder::from_varmap(&map, DType::F32, &CPU);
    let init = candle_nn::Init::Randn {
        mean: 0.0,
        stdev: 0.02,
    };
    let tokens = vb.get_with_hints((96, 128), "tokens", init)?;
    let positions = vb.get_with_hints((64, 128), "positions", init)?;
    let blocks = (0..4)
        .map(|i| Block::new(vb.pp(format!("b{i}"))))
        .collect::<Result<Vec<_>>>()?;
    let (norm, head) = (
        layer_norm(128, 1e-5, vb.pp("norm"))?,
        linear(128, 96, vb.pp("head"))?,
    );
    let ids = Tensor::from_iter((0..1024u32).map(|i| i * 31 % 96), &CPU)?;
    let targets = Tensor::from_iter((1..1025u32).map(|i| i * 31 % 96), &CPU)?;
    let hidden = |i: usize| {
        if i % 64 > i / 64 {
            f32::NEG_INFINITY
        } else {
            0.0
        }
    };
    let mask = Tensor::from_iter((0..64 * 64).map(hidden), &CPU)?.reshape((64, 64))?;
    train(start, seconds, adam(&map, 3e-4, 0.01)?, || {
        let mut x = tokens
            .index_select(&ids, 0)?
            .reshape((16, 64, 128))?
            .broadcast_add(&positions)?;
        for block in &blocks {
            x = block.forward(&x, &mask)?;
        }
        let logits = head.forward(&norm.forward(&x)?)?.reshape((1024, 96))?;
        loss::cross_entropy(&logits, &targets)
    });
    Ok(())
}

fn lstm(start: Instant, seconds: f64) -> Result<()> {
    let (x, y) = (normal(&[50, 32, 64], 1.0)?, normal(&[32, 128], 1.0)?);
    let vars = [
        Var::from_tensor(&normal(&[64, 512], 0.08)?)?,
        Var::from_tensor(&normal(&[128, 512], 0.08)?)?,
        Var::zeros(512, DType::F32, &CPU)?,
    ];
    let settings = ParamsAdamW {
        lr: 1e-3,
        weight_decay: 0.0,
        ..Default::default()
    };
    let optimizer = AdamW::new(vars.to_vec(), settings)?;
    let [input, hidden, bias] = &vars;
    let steps = x.reshape((50 * 32, 64))?;
    train(start, seconds, optimizer, || {
        let gates = steps
            .matmul(input)?
            .broadcast_add(bias)?
            .reshape((50, 32, 512))?;
        let mut h = Tensor::zeros((32, 128), DType::F32, &CPU)?;
        let mut c = h.clone();
        for t in 0..50 {
            let z = (gates.get(t)? + h.matmul(hidden)?)?;
            let part = |i: usize| z.narrow(1, i * 128, 128);
            let (i, f, g, o) = (part(0)?, part(1)?, part(2)?, part(3)?);
            c = ((ops::sigmoid(&f)? * &c)? + (ops::sigmoid(&i)? * g.tanh()?)?)?;
            h = (ops::sigmoid(&o)? * c.tanh()?)?;
        }
        (&h - &y)?.sqr()?.mean_all()
    });
    Ok(())
}

fn chain(start: Instant, seconds: f64, shape: [usize; 2], tanh: bool) -> Result<()> {
    let vars = [1, 2, 3]
        .map(|_| Var::from_tensor(&normal(&shape, 1.0).expect("numbers")).expect("a variable"));
    let [x, w, b] = &vars;
    report(start, seconds, || {
        let step = || -> Result<f32> {
            let z = ((x.as_tensor() * w.as_tensor())? + b.as_tensor())?;
            let g = if tanh { z.gelu()? } else { z.gelu_erf()? };
            let loss = (g * ops::sigmoid(x)?)?.sum_all()?;
            let grads = loss.backward()?;
            std::hint::black_box(&grads);
            loss.to_scalar::<f32>()
        };
        f64::from(step().expect("a step"))
    });
    Ok(())
}

fn main() -> Result<()> {
    let start = Instant::now();
    let mut args = std::env::args().skip(1);
    let workload = args.next().unwrap_or_default();
    let seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(3.0);
    match workload.as_str() {
        "W1" => two_layers(start, seconds),
        "W2" => classifier(start, seconds),
        "W3" => cnn(start, seconds),
        "W4" => gpt(start, seconds),
        "W5" => lstm(start, seconds),
        "W6" => chain(start, seconds, [1000, 1000], false),
        "W6t" => chain(start, seconds, [1000, 1000], true),
        "W7" => chain(start, seconds, [64, 256], false),
        "W7t" => chain(start, seconds, [64, 256], true),
        other => {
            eprintln!("`{other}` is not a workload: W1 to W7, W6t, W7t");
            std::process::exit(2);
        }
    }
}
