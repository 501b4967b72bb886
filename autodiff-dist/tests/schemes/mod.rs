//! Three networks, trained by one rank with the whole batch and by several ranks in every way: the same parameters after 50 steps.

mod cnn;
mod gpt;
mod mlp;

use autodiff_dist::dist::{ByShare, DataParallel, DistributedOptimizer, Ranks, Zero};
use autodiff_nn::ad::Tangent;
use autodiff_nn::nn::*;
use autodiff_nn::optim::{AdamW, Optimizer, Sgd};
use autodiff_nn::prelude::*;

pub const STEPS: usize = 50;
/// Rows of a batch: all ranks have as many, for 1, 2 and 4 ranks.
pub const ROWS: usize = 8;

dim!(pub Batch);

/// All networks, all schemes.
pub fn all(ranks: &Ranks) {
    mlp::all(ranks);
    cnn::all(ranks);
    gpt::all(ranks);
}

/// A network, and its rows.
pub trait Problem: Module + Clone {
    type Rows;
    fn begin() -> Self;
    /// Rows `from..from + n` of an endless set.
    fn rows(from: usize, n: usize) -> Self::Rows;
    fn gradient(&self, rows: &Self::Rows) -> Self::Tangent;
}

pub fn adam() -> AdamW {
    // The first steps of Adam divide small gradients by their size, which makes much of rounding: so a larger epsilon.
    AdamW::new(3e-3)
        .epsilon(1e-4)
        .weight_decay(0.01)
        .clip_norm(0.5)
}

/// The parameters, after training by one rank.
pub fn alone<P: Problem>() -> Vec<f32> {
    let (mut net, mut adam) = (P::begin(), adam());
    for step in 0..STEPS {
        let grad = net.gradient(&P::rows(step * ROWS, ROWS));
        adam.step(&mut net, &grad);
    }
    parameters(&net)
}

pub fn parameters<M: Module>(net: &M) -> Vec<f32> {
    struct Read(Vec<f32>);
    impl Visitor for Read {
        fn param<T: Float, D: autodiff_nn::device::Backend>(
            &mut self,
            _: &Path,
            x: &autodiff_nn::tensor::Raw<T, D>,
        ) {
            self.0.extend(x.to_vec().iter().map(|x| x.to_f64() as f32));
        }
    }
    let mut read = Read(vec![]);
    net.visit(&mut Path::default(), &mut read);
    read.0
}

pub fn close(what: &str, found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
    let apart = norm(&mut found.iter().zip(expected).map(|(a, b)| f64::from(a - b)));
    let far = apart / norm(&mut expected.iter().map(|x| f64::from(*x)));
    assert!(far < 1e-6, "{what}: relative difference {far:e}");
}

/// Data parallel, and the three levels of ZeRO but the last.
pub fn by_data<P: Problem>(name: &str, ranks: &Ranks) {
    let expected = alone::<P>();
    let own = ROWS / ranks.size();
    let rows = |step: usize| P::rows(step * ROWS + own * ranks.rank(), own);

    let (mut net, mut opt, mut data) = (
        P::begin(),
        adam(),
        DataParallel::new(ranks).bucket_bytes(2000),
    );
    for step in 0..STEPS {
        let rows = rows(step);
        let ((), grad) = data
            .value_and_grad(own, || ((), net.gradient(&rows)))
            .unwrap();
        opt.step(&mut net, &grad);
    }
    close(
        &format!("{name}, data parallel"),
        &parameters(&net),
        &expected,
    );
    let all = numbers(&opt);

    let (mut net, mut opt) = (P::begin(), DistributedOptimizer::new(adam(), ranks));
    let mut zero_net = P::begin();
    let mut zero = Zero::new(adam(), ranks);
    let (mut second_net, mut second) = (P::begin(), Zero::new(adam(), ranks));
    for step in 0..STEPS {
        let rows = rows(step);
        let grad = net.gradient(&rows);
        opt.step(&mut net, &grad);
        let grad = zero_net.gradient(&rows);
        zero.step(&mut zero_net, &grad);
        // Two gradients of half the rows, each divided as soon as it is there.
        if own > 1 {
            for half in 0..2 {
                let rows = P::rows(step * ROWS + own * ranks.rank() + half * own / 2, own / 2);
                let grad = second_net.gradient(&rows);
                second.add(&mut second_net, &grad, own / 2).unwrap();
            }
            second.step_with_added(&mut second_net).unwrap();
        }
    }
    close(&format!("{name}, optimiser"), &parameters(&net), &expected);
    close(
        &format!("{name}, ZeRO-1"),
        &parameters(&zero_net),
        &expected,
    );
    close(
        &format!("{name}, ZeRO-2"),
        &parameters(&second_net),
        &expected,
    );
    let share = zero.remembered() as f64 * ranks.size() as f64 / all as f64;
    assert!(
        (share - 1.0).abs() < 0.1,
        "{name}: a rank has {share} of its share of the state"
    );
    let state = zero.try_state().unwrap();
    assert_eq!(
        state
            .tensors
            .values()
            .map(|x| x.data().len())
            .sum::<usize>(),
        all
    );
    assert_eq!(
        state.tensors.keys().collect::<Vec<_>>(),
        opt.state().tensors.keys().collect::<Vec<_>>()
    );
}

/// Numbers that an optimiser remembers.
fn numbers(optimizer: &impl Optimizer) -> usize {
    optimizer
        .state()
        .tensors
        .values()
        .map(|x| x.data().len())
        .sum()
}

/// Any module that computes the same by other means: its own parameters, and those of the whole network that they make.
pub fn by_parts<M: Module>(
    what: &str,
    expected: &[f32],
    mut net: M,
    mut gradient: impl FnMut(&M, usize) -> M::Tangent,
    whole: impl Fn(&M) -> Vec<f32>,
) {
    // Clipping would need the norm over all ranks.
    let mut sgd = Sgd::new(0.05).momentum(0.9);
    for step in 0..STEPS {
        let grad = gradient(&net, step);
        sgd.step(&mut net, &grad);
    }
    close(what, &whole(&net), expected);
}

/// One rank by the optimiser of [`by_parts`].
pub fn alone_by_sgd<P: Problem>() -> Vec<f32> {
    let (mut net, mut sgd) = (P::begin(), Sgd::new(0.05).momentum(0.9));
    for step in 0..STEPS {
        let grad = net.gradient(&P::rows(step * ROWS, ROWS));
        sgd.step(&mut net, &grad);
    }
    parameters(&net)
}

/// ZeRO-3: a module of divided layers, by the optimiser of [`alone`].
pub fn by_shares<M: Module>(
    what: &str,
    ranks: &Ranks,
    expected: &[f32],
    mut net: M,
    mut gradient: impl FnMut(&M, usize) -> M::Tangent,
    whole: impl Fn(&M) -> Vec<f32>,
) {
    let mut adam = ByShare::new(adam(), ranks);
    for step in 0..STEPS {
        let grad = gradient(&net, step);
        adam.step(&mut net, &grad);
    }
    close(what, &whole(&net), expected);
}

pub fn add<G: Tangent>(sum: &mut G, other: G) {
    *sum = sum.clone().add(other);
}

/// Numbers between −1 and 1.
pub fn number(i: usize) -> f32 {
    ((i * 7919 % 1009) as f32 / 504.5) - 1.0
}
