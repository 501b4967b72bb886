//! Data parallel training is the training of one rank with the whole batch.

#![allow(clippy::type_complexity)] // shapes are types

use autodiff_dist::dist::{
    Call, Collective, DataParallel, LocalSgd, Pending, Ranks, Zero, threads,
};
use autodiff_nn::ad::Mixed;
use autodiff_nn::nn::*;
use autodiff_nn::optim::{Accumulate, Adam, AdamW, Optimizer, Sgd};
use autodiff_nn::prelude::*;
use half::bf16;
use std::sync::{Arc, Mutex};

extern crate autodiff_nn as differentiable;

dim!(Batch);

#[module]
struct Net {
    first: Linear<6, 16>,
    second: Linear<16, 16>,
    /// Used twice.
    tied: Linear<16, 16>,
    out: Linear<16, 1>,
    #[param]
    #[init(0.7)]
    scale: f32,
    #[param]
    #[init(0.2)]
    wide: f64,
}

#[differentiable]
impl Net {
    fn loss(
        &self,
        #[constant] x: &Tensor![Batch, 6],
        #[constant] y: &Tensor![Batch, 1],
    ) -> Tensor![] {
        let h = self.first.forward(x).tanh();
        let h = self.tied.forward(&self.second.forward(&h).gelu());
        let h = self.tied.forward(&h).tanh();
        let found = self.out.forward(&h) * self.scale + self.wide as f32;
        (found - y).square().mean()
    }
}

fn net() -> Net {
    Net::new(&mut Seeds::new(3))
}

/// The rows `from..from + n` of an endless set.
fn rows(from: usize, n: usize) -> (Tensor![Batch, 6], Tensor![Batch, 1]) {
    let number = |i: usize| ((i * 7919 % 1009) as f32 / 504.5) - 1.0;
    let x = Tensor::from_fn_with((Batch(n), Sz), |i| number(6 * from + i));
    let v = x.to_vec();
    let y = Tensor::from_fn_with((Batch(n), Sz), |i| {
        (v[6 * i] * v[6 * i + 1] + v[6 * i + 2]).sin()
    });
    (x, y)
}

fn parameters(net: &Net) -> Vec<f64> {
    let mut all: Vec<f64> = vec![net.scale.into(), net.wide];
    for layer in [&net.second, &net.tied] {
        all.extend(layer.weight.to_vec().iter().map(|x| f64::from(*x)));
        all.extend(layer.bias.to_vec().iter().map(|x| f64::from(*x)));
    }
    all.extend(net.first.weight.to_vec().iter().map(|x| f64::from(*x)));
    all.extend(net.out.weight.to_vec().iter().map(|x| f64::from(*x)));
    all
}

fn close(found: &[f64], expected: &[f64]) {
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let difference: Vec<f64> = found.iter().zip(expected).map(|(a, b)| a - b).collect();
    let far = norm(&difference) / norm(expected);
    assert!(far < 1e-6, "relative difference {far:e}");
}

/// The part of a batch of `n` rows for a rank.
fn part(ranks: &Ranks, n: usize) -> (usize, usize) {
    let (r, size) = (ranks.rank(), ranks.size());
    (n * r / size, n * (r + 1) / size - n * r / size)
}

fn train(ranks: &Ranks, batch: usize, overlap: bool) -> Vec<f64> {
    let mut net = net();
    if !ranks.is_first() {
        net.scale = 9.0; // what `share` mends
    }
    let (mut adam, mut data) = (Adam::new(1e-2), DataParallel::new(ranks).bucket_bytes(600));
    data.share(&mut net).unwrap();
    for step in 0..50 {
        let (at, n) = part(ranks, batch);
        let (x, y) = rows(step * batch + at, n);
        let (loss, grad) = match overlap {
            true => data
                .value_and_grad(n, || net.loss_value_and_grad(&x, &y))
                .unwrap(),
            false => {
                let (loss, grad) = net.loss_value_and_grad(&x, &y);
                (loss, data.mean_by(grad, n).unwrap())
            }
        };
        assert!(data.mean_of(&[loss.item().into()], n).unwrap()[0].is_finite());
        adam.step(&mut net, &grad);
    }
    parameters(&net)
}

#[test]
fn ranks_train_as_one() {
    let alone = train(&Ranks::alone(), 12, false);
    for size in [2, 3, 4] {
        for overlap in [false, true] {
            for found in threads(size, |ranks| train(&ranks, 12, overlap)) {
                close(&found, &alone);
            }
        }
    }
}

#[test]
fn parts_of_different_sizes_count_by_their_rows() {
    // 3 rows for 4 ranks: one rank has none.
    let alone = train(&Ranks::alone(), 3, false);
    for found in threads(4, |ranks| train(&ranks, 3, true)) {
        close(&found, &alone);
    }
}

#[test]
fn accumulated_gradients_are_sent_once() {
    let alone = train(&Ranks::alone(), 12, false);
    let found = threads(2, |ranks| {
        let counted = Counted::over(ranks);
        let ranks = &Ranks::new(counted.clone());
        let (mut net, mut adam) = (net(), Adam::new(1e-2));
        let data = DataParallel::new(ranks).bucket_bytes(1 << 20);
        for step in 0..50 {
            let mut sum = Accumulate::new(3);
            let (at, n) = part(ranks, 12);
            for micro in 0..3 {
                let (x, y) = rows(step * 12 + at + 2 * micro, 2);
                if let Some(mean) = sum.add_rows(net.loss_grad(&x, &y), 2) {
                    adam.step(&mut net, &data.mean_by(mean, n).unwrap());
                }
            }
        }
        // The rows, the single and the double precision.
        assert!(counted.calls() <= 50 * 4, "{}", counted.calls());
        parameters(&net)
    });
    close(&found[0], &alone);
}

#[derive(Clone)]
struct Counted(Ranks, Arc<Mutex<usize>>);

impl Counted {
    fn over(ranks: Ranks) -> Self {
        Counted(ranks, Arc::default())
    }
    fn calls(&self) -> usize {
        *self.1.lock().unwrap()
    }
}

impl Collective for Counted {
    fn rank(&self) -> usize {
        self.0.rank()
    }
    fn size(&self) -> usize {
        self.0.size()
    }
    fn start(&self, call: Call) -> Pending {
        *self.1.lock().unwrap() += 1;
        self.0.start(call)
    }
    fn abort(&self, why: &str) {
        self.0.abort(why);
    }
}

/// A branch that is taken in some steps, on one rank alone.
#[differentiable]
fn branched(
    net: &Net,
    #[constant] x: &Tensor![Batch, 6],
    #[constant] y: &Tensor![Batch, 1],
    #[constant] twice: bool,
) -> Tensor![] {
    let loss = net.loss(x, y);
    if twice { loss + net.loss(x, y) } else { loss }
}

#[test]
fn a_pass_that_takes_another_way_is_right_too() {
    let steps = 12;
    let other = |step: usize, rank: usize| step % 3 == 2 && rank == 1;
    let run = |ranks: &Ranks| {
        let (mut net, mut sgd) = (net(), Sgd::new(0.05));
        let mut data = DataParallel::new(ranks).bucket_bytes(200);
        for step in 0..steps {
            let one = |rank: usize| {
                let (x, y) = rows(step * 8 + 4 * rank, 4);
                (x, y, other(step, rank))
            };
            let grad = match ranks.size() {
                1 => {
                    let both = [0, 1].map(|rank| {
                        let (x, y, twice) = one(rank);
                        branched::grad(&net, &x, &y, twice)
                    });
                    let [a, b] = both;
                    (a + b) * 0.5
                }
                _ => {
                    let (x, y, twice) = one(ranks.rank());
                    let f = || branched::value_and_grad(&net, &x, &y, twice);
                    data.value_and_grad(4, f).unwrap().1
                }
            };
            sgd.step(&mut net, &grad);
        }
        parameters(&net)
    };
    let alone = run(&Ranks::alone());
    for found in threads(2, |ranks| run(&ranks)) {
        close(&found, &alone);
    }
}

/// Two parameters whose gradients are parts of one buffer, of the same size.
#[derive(Clone, Differentiable, Module)]
struct Halves {
    left: Tensor<(Sz<3>,)>,
    right: Tensor<(Sz<3>,)>,
}

#[differentiable]
impl Halves {
    fn loss(&self, #[constant] x: &Tensor![6]) -> Tensor![] {
        (self.left.concat::<0, _>(&self.right) * x).sum()
    }

    /// The other half first, so that the last contribution is that of the other field.
    fn turned(&self, #[constant] x: &Tensor![6]) -> Tensor![] {
        (self.right.concat::<0, _>(&self.left) * x).sum()
    }
}

#[test]
fn parts_of_one_buffer_are_told_apart() {
    threads(2, |ranks| {
        let halves = Halves {
            left: Tensor::ones(),
            right: Tensor::ones(),
        };
        let x: Tensor![6] = Tensor::from_fn(|i| (i + 10 * ranks.rank()) as f32);
        let mut data = DataParallel::new(&ranks).bucket_bytes(1);
        let mut turned = DataParallel::new(&ranks).bucket_bytes(1);
        let (low, high) = (vec![5.0, 6.0, 7.0], vec![8.0, 9.0, 10.0]);
        for _ in 0..3 {
            let run = || halves.loss_value_and_grad(&x);
            let (_, grad) = data.value_and_grad(1, run).unwrap();
            assert_eq!(
                [grad.left.to_vec(), grad.right.to_vec()],
                [low.clone(), high.clone()]
            );
            let run = || halves.turned_value_and_grad(&x);
            let (_, grad) = turned.value_and_grad(1, run).unwrap();
            assert_eq!(
                [grad.right.to_vec(), grad.left.to_vec()],
                [low.clone(), high.clone()]
            );
        }
    });
}

#[test]
fn a_divided_optimiser_serves_one_model() {
    threads(2, |ranks| {
        let mut zero = Zero::new(Sgd::new(0.1), &ranks);
        let mut x = vec![1.0_f64; 3];
        zero.step(&mut x, &vec![1.0; 3]);
        assert!(x.iter().all(|x| *x == 0.9));
        x.push(1.0);
        let error = zero.try_step(&mut x, &vec![1.0; 4]).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("other parameters than in the steps before"),
            "{text}"
        );
    });
}

#[test]
fn mixed_precision_and_local_sgd() {
    let found = threads(2, |ranks| {
        let data = DataParallel::new(&ranks);
        let x: Tensor![Mixed<bf16>; 3] = Tensor::full(Mixed::new(ranks.rank() as f32 + 0.1));
        let mean = data.mean(x).unwrap();
        assert!((mean[[1]].get() - 0.6).abs() < 1e-6);
        let (mut net, mut sgd) = (net(), AdamW::new(1e-2));
        let mut local = LocalSgd::new(&ranks, 5);
        for step in 0..20 {
            let (x, y) = rows(step * 8 + 4 * ranks.rank(), 4);
            let grad = net.loss_grad(&x, &y);
            sgd.step(&mut net, &grad);
            assert_eq!(local.after_step(&mut net).unwrap(), step % 5 == 4);
        }
        parameters(&net)
    });
    assert_eq!(found[0], found[1]);
}

#[test]
fn buckets_leave_during_the_reverse_pass() {
    let hidden = threads(2, |ranks| {
        let counted = Counted::over(ranks);
        let mut data = DataParallel::new(&Ranks::new(counted.clone())).bucket_bytes(1);
        let net = net();
        let (x, y) = rows(0, 4);
        for _ in 0..2 {
            data.value_and_grad(4, || net.loss_value_and_grad(&x, &y))
                .unwrap();
        }
        let before = counted.calls();
        let mut during = 0;
        data.value_and_grad(4, || {
            let found = net.loss_value_and_grad(&x, &y);
            during = counted.calls() - before;
            found
        })
        .unwrap();
        during
    });
    // The rows, and nearly all of the ten tensors and numbers.
    assert!(hidden.iter().all(|n| *n >= 8), "{hidden:?}");
}
