use super::predict::{Numbers, Predict};
use super::{Metric, Tally};
use crate::nn::Ctx;

/// The mean of `|predicted − true|` over all numbers.
///
/// # Panics
/// When there are not as many predictions as true numbers.
pub fn mean_absolute_error<M, B>(net: &M, batch: &B) -> f64
where
    M: Predict<B> + ?Sized,
    B: ?Sized,
    M::Output: Numbers,
    M::Target: Numbers,
{
    mean(pairs(net, batch).iter().map(|[p, t]| (p - t).abs()))
}

/// The mean of `(predicted − true)²` over all numbers.
///
/// # Panics
/// When there are not as many predictions as true numbers.
pub fn mean_squared_error<M, B>(net: &M, batch: &B) -> f64
where
    M: Predict<B> + ?Sized,
    B: ?Sized,
    M::Output: Numbers,
    M::Target: Numbers,
{
    mean(pairs(net, batch).iter().map(|[p, t]| (p - t).powi(2)))
}

/// The share of the variance that the module explains: `1 − Σ(predicted − true)² / Σ(true − mean of the true)²`, over all
/// numbers of all batches. It is 1 for a perfect module, 0 for one that always gives the mean, and has no lower bound.
/// Where all true numbers are equal it is 1 if they are met, otherwise 0, as in scikit-learn.
pub fn r_squared() -> RSquared {
    RSquared
}

/// See [`r_squared`].
#[derive(Clone, Copy, Debug)]
pub struct RSquared;

/// Predicted and true numbers.
fn pairs<M, B>(net: &M, batch: &B) -> Vec<[f64; 2]>
where
    M: Predict<B> + ?Sized,
    B: ?Sized,
    M::Output: Numbers,
    M::Target: Numbers,
{
    let (output, target) = net.predict(batch, &mut Ctx::eval());
    let (output, target) = (output.numbers(), target.numbers());
    assert_eq!(
        output.len(),
        target.len(),
        "{} predictions, expected as many as there are true numbers, {}",
        output.len(),
        target.len()
    );
    output
        .into_iter()
        .zip(target)
        .map(|(p, t)| [p, t])
        .collect()
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// Sums that are kept as mean and squares about the mean (Welford 1962): the difference of two large sums would lose
/// digits.
#[derive(Default)]
struct RSquaredTally {
    count: f64,
    mean: f64,
    about_mean: f64,
    errors: f64,
}

impl RSquaredTally {
    fn pair(&mut self, [predicted, truth]: [f64; 2]) {
        self.count += 1.0;
        let before = truth - self.mean;
        self.mean += before / self.count;
        self.about_mean += before * (truth - self.mean);
        self.errors += (predicted - truth).powi(2);
    }
    fn value(&self) -> f64 {
        match (self.about_mean == 0.0, self.errors == 0.0) {
            (true, true) => 1.0,
            (true, false) => 0.0,
            _ => 1.0 - self.errors / self.about_mean,
        }
    }
}

impl<M, B> Metric<M, B> for RSquared
where
    M: Predict<B> + ?Sized,
    B: ?Sized,
    M::Output: Numbers,
    M::Target: Numbers,
{
    fn names(&self) -> Vec<String> {
        vec!["r_squared".to_string()]
    }
    fn start(&self) -> Box<dyn Tally<M, B> + '_> {
        Box::new(RSquaredTally::default())
    }
}

impl<M, B> Tally<M, B> for RSquaredTally
where
    M: Predict<B> + ?Sized,
    B: ?Sized,
    M::Output: Numbers,
    M::Target: Numbers,
{
    fn add(&mut self, net: &M, batch: &B, _: usize) {
        pairs(net, batch).into_iter().for_each(|p| self.pair(p));
    }
    fn values(&self) -> Vec<f64> {
        vec![self.value()]
    }
    fn parts(&self) -> Option<Vec<f64>> {
        Some(vec![self.count, self.mean, self.about_mean, self.errors])
    }
    /// Chan, Golub and LeVeque 1983.
    fn join(&mut self, parts: &[f64]) {
        let &[count, mean, about_mean, errors] = parts else {
            return;
        };
        let all = self.count + count;
        if count > 0.0 {
            let apart = mean - self.mean;
            self.mean += apart * count / all;
            self.about_mean += about_mean + apart * apart * self.count * count / all;
        }
        self.count = all;
        self.errors += errors;
    }
}
