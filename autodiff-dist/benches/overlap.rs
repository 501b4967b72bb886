//! How much of the communication a data parallel step hides behind the reverse pass: a GPT of twelve blocks on two ranks, whose link
//! takes a given time for each byte, one message after the other.
//!
//! `cargo bench -p autodiff-dist --bench overlap`; add `-- --quick` to only check that it runs.
//!
//! The time of a byte is chosen so that the whole gradient takes as long on the link as the reverse pass, or as the whole step. With
//! `a` the time of a step without the link, `b` with a gradient that is sent when it is complete, and `c` with one that is sent during
//! the reverse pass, `(b − c) / (b − a)` of the communication is hidden. The two ranks are threads, each of which computes on one core.

extern crate autodiff_nn as differentiable;

use autodiff_dist::dist::{
    Answer, Call, Collective, CommError, DataParallel, Numbers, Pending, Ranks, threads,
};
use autodiff_nn::nn::*;
use autodiff_nn::prelude::*;
use std::sync::Mutex;
use std::time::{Duration, Instant};

dim!(Batch, Time);
type H = Tensor![Batch, Time, 64];
type Ids = Tensor![i64; Batch, Time];

#[module]
struct Block {
    before: LayerNorm<64>,
    heads: MultiHead<64, 4, 16>,
    between: LayerNorm<64>,
    up: Linear<64, 256>,
    down: Linear<256, 64>,
}

#[differentiable]
impl Block {
    fn forward(&self, x: &H) -> H {
        let keys = no_grad!(Keys::Causal);
        let n = self.before.forward(x);
        let x = x + self.heads.forward(&n, &n, &keys);
        let h = self.up.forward(&self.between.forward(&x)).gelu();
        x + self.down.forward(&h)
    }
}

#[module]
struct Gpt {
    tokens: Embedding<96, 64>,
    #[init(repeat(12))]
    blocks: Vec<Block>,
    norm: LayerNorm<64>,
    out: Linear<64, 96>,
}

#[differentiable]
impl Gpt {
    fn loss(&self, ids: &Ids, next: &Ids) -> Tensor![] {
        let mut x = self.tokens.forward(ids);
        for block in &self.blocks {
            x = block.forward(&x);
        }
        self.out.forward(&self.norm.forward(&x)).cross_entropy(next)
    }
}

/// A link that takes time for each byte.
struct Link {
    ranks: Ranks,
    seconds: f64,
    /// When it is free again.
    free: Mutex<Instant>,
}

struct Late {
    pending: Pending,
    at: Instant,
}

impl Answer for Late {
    fn is_done(&self) -> bool {
        self.pending.is_done() && Instant::now() >= self.at
    }
    fn wait(self: Box<Self>) -> Result<Numbers, CommError> {
        let result = self.pending.wait();
        std::thread::sleep(self.at.saturating_duration_since(Instant::now()));
        result
    }
}

impl Collective for Link {
    fn rank(&self) -> usize {
        self.ranks.rank()
    }
    fn size(&self) -> usize {
        self.ranks.size()
    }
    fn start(&self, call: Call) -> Pending {
        let bytes = match &call {
            Call::AllReduce(x, _) => x.bytes(),
            _ => 0,
        };
        let mut free = self.free.lock().unwrap();
        *free = (*free).max(Instant::now()) + Duration::from_secs_f64(bytes as f64 * self.seconds);
        let at = *free;
        drop(free);
        Pending::running(Late {
            pending: self.ranks.start(call),
            at,
        })
    }
    fn abort(&self, why: &str) {
        self.ranks.abort(why);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum How {
    /// Without a mean.
    Alone,
    /// The mean of the complete gradient.
    After,
    /// The mean during the reverse pass.
    During,
}

/// The median time of a step.
fn step(ranks: &Ranks, how: How, seconds: f64, steps: usize) -> f64 {
    let link = Ranks::new(Link {
        ranks: ranks.clone(),
        seconds,
        free: Mutex::new(Instant::now()),
    });
    let net = Gpt::new(&mut Seeds::new(1));
    let mut data = DataParallel::new(&link).bucket_bytes(100_000);
    let text = |shift: usize| -> Ids {
        Tensor::from_fn_with((Batch(4), Time(64)), |i| ((i + shift) * 31 % 96) as i64)
    };
    let (ids, next) = (text(ranks.rank()), text(ranks.rank() + 1));
    let mut times = vec![];
    for at in 0..steps + 2 {
        ranks.barrier().unwrap();
        let start = Instant::now();
        let run = || net.loss_value_and_grad(&ids, &next);
        match how {
            How::Alone => drop(run()),
            How::After => drop(data.mean(run().1).unwrap()),
            How::During => drop(data.value_and_grad(4, run).unwrap()),
        }
        // The first ones learn and warm up.
        if at >= 2 {
            times.push(start.elapsed().as_secs_f64());
        }
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn forward(steps: usize) -> f64 {
    let net = Gpt::new(&mut Seeds::new(1));
    let text = |shift: usize| -> Ids {
        Tensor::from_fn_with((Batch(4), Time(64)), |i| ((i + shift) * 31 % 96) as i64)
    };
    let mut times: Vec<f64> = (0..steps)
        .map(|_| {
            let start = Instant::now();
            drop(net.loss(&text(0), &text(1)));
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let steps = if std::env::args().any(|a| a == "--quick") {
        1
    } else {
        15
    };
    let of = |how: How, seconds: f64| {
        let times = threads(2, |ranks| step(&ranks, how, seconds, steps));
        times.into_iter().fold(0.0, f64::max)
    };
    let bytes = Gpt::new(&mut Seeds::new(1)).num_params() * 4;
    let a = of(How::Alone, 0.0);
    let back = a - threads(2, |_| forward(steps))
        .into_iter()
        .fold(0.0, f64::max);
    println!(
        "a step {:.1} ms, its reverse pass {:.1} ms, {bytes} bytes",
        1e3 * a,
        1e3 * back
    );
    for (name, time) in [("the reverse pass", back), ("the step", a)] {
        let seconds = time / bytes as f64;
        let (b, c) = (of(How::After, seconds), of(How::During, seconds));
        let hidden = (b - c) / (b - a);
        println!(
            "a link as slow as {name}: after {:.1} ms, during {:.1} ms, {:.0} % hidden",
            1e3 * b,
            1e3 * c,
            1e2 * hidden
        );
    }
}
