use super::predict::{ByRow, Labels, OfRows, Predict, Scores, rows};
use super::{Metric, Tally};
use crate::nn::Ctx;

/// The fraction of the rows whose largest score is that of their class. Of equal scores the first counts, and NaN as the
/// largest, as in NumPy and PyTorch.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::train::metrics::Predict;
/// use differentiable::train::accuracy;
///
/// struct Scores;
/// impl Predict<Tensor![2, 3]> for Scores {
///     type Output = Tensor![2, 3];
///     type Target = Tensor![i64; 2];
///     fn predict(&self, scores: &Tensor![2, 3], _: &mut Ctx) -> (Tensor![2, 3], Tensor![i64; 2]) {
///         (scores.clone(), tensor([0, 2]))
///     }
/// }
/// assert_eq!(accuracy(&Scores, &tensor([[3.0, 1.0, 2.0], [0.0, 5.0, 1.0]])), 0.5);
/// ```
///
/// # Panics
/// When there is not one label for each row of scores, or a label is not a class.
pub fn accuracy<M, B>(net: &M, batch: &B) -> f64
where
    M: Predict<B> + ?Sized,
    B: ?Sized,
    M::Output: Scores,
    M::Target: Labels,
{
    let (output, target) = net.predict(batch, &mut Ctx::eval());
    let (mut right, mut all) = (0_usize, 0_usize);
    rows("accuracy", &output, &target, |scores, label| {
        right += usize::from(largest(scores) == label);
        all += 1;
    });
    right as f64 / all as f64
}

/// The index of the largest score.
pub(super) fn largest(scores: &[f64]) -> usize {
    let mut best = 0;
    for (at, score) in scores.iter().enumerate() {
        if scores[best].is_nan() {
            break;
        }
        if *score > scores[best] || score.is_nan() {
            best = at;
        }
    }
    best
}

/// The fraction of the rows whose class is among the `k` largest scores. Of equal scores the first counts.
pub fn top_k(k: usize) -> TopK {
    TopK { k }
}

/// See [`top_k`].
#[derive(Clone, Copy, Debug)]
pub struct TopK {
    k: usize,
}

struct TopKTally {
    k: usize,
    right: usize,
    all: usize,
}

impl<M, B> Metric<M, B> for TopK
where
    M: Predict<B> + ?Sized,
    B: ?Sized,
    M::Output: Scores,
    M::Target: Labels,
{
    fn names(&self) -> Vec<String> {
        vec![format!("top_{}", self.k)]
    }
    fn start(&self) -> Box<dyn Tally<M, B> + '_> {
        Box::new(ByRow(TopKTally {
            k: self.k,
            right: 0,
            all: 0,
        }))
    }
}

impl OfRows for TopKTally {
    fn name(&self) -> &'static str {
        "top_k"
    }
    fn row(&mut self, scores: &[f64], label: usize) {
        let own = scores[label];
        // NaN is the largest, as in `largest`.
        let above = |(at, score): (usize, &f64)| match (score.is_nan(), own.is_nan()) {
            (true, false) => true,
            (false, true) => false,
            (true, true) => at < label,
            (false, false) => *score > own || (*score == own && at < label),
        };
        let before = scores.iter().enumerate().filter(|x| above(*x)).count();
        self.right += usize::from(before < self.k);
        self.all += 1;
    }
    fn value(&self) -> f64 {
        self.right as f64 / self.all as f64
    }
    fn parts(&self) -> Vec<f64> {
        vec![self.right as f64, self.all as f64]
    }
    fn join(&mut self, parts: &[f64]) {
        self.right += parts[0] as usize;
        self.all += parts[1] as usize;
    }
}

/// The exponential of the mean cross-entropy in nats: how many equally likely classes the module hesitates between.
/// Every row counts alike, also where a batch has several rows for each example, as the tokens of a text.
pub fn perplexity() -> Perplexity {
    Perplexity
}

/// See [`perplexity`].
#[derive(Clone, Copy, Debug)]
pub struct Perplexity;

#[derive(Default)]
struct PerplexityTally {
    nats: f64,
    rows: usize,
}

impl OfRows for PerplexityTally {
    fn name(&self) -> &'static str {
        "perplexity"
    }
    fn row(&mut self, scores: &[f64], label: usize) {
        let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = scores.iter().map(|s| (s - top).exp()).sum();
        self.nats += sum.ln() + top - scores[label];
        self.rows += 1;
    }
    fn value(&self) -> f64 {
        (self.nats / self.rows as f64).exp()
    }
    fn parts(&self) -> Vec<f64> {
        vec![self.nats, self.rows as f64]
    }
    fn join(&mut self, parts: &[f64]) {
        self.nats += parts[0];
        self.rows += parts[1] as usize;
    }
}

impl<M, B> Metric<M, B> for Perplexity
where
    M: Predict<B> + ?Sized,
    B: ?Sized,
    M::Output: Scores,
    M::Target: Labels,
{
    fn names(&self) -> Vec<String> {
        vec!["perplexity".to_string()]
    }
    fn start(&self) -> Box<dyn Tally<M, B> + '_> {
        Box::new(ByRow(PerplexityTally::default()))
    }
}
