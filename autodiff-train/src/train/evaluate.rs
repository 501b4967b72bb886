use super::metrics::{Metric, Tally};
use super::report::{VAL_LOSS, VALIDATION};
use super::{Objective, StepError, TrainError};
use crate::ad::Differentiable;
use crate::data::{Share, Source};
use crate::device::catch_index_errors;
use crate::dist::Ranks;
use crate::nn::Ctx;

/// The mean loss and the metrics of a module over all rows of a source, in a context for inference: the names, and what
/// they came to. The first is `val_loss`.
///
/// The batches are those of the epoch number 0, so that a source that shuffles gives the same order each time.
///
/// # Errors
/// If the source has no batches, ends too early, or a batch cannot be read; if a label is no class, or another index is
/// outside its range. A loss that is not finite is no error here:
/// it is what the module came to.
pub fn evaluate<M, S>(
    net: &M,
    source: &S,
    metrics: &[&dyn Metric<M, S::Batch>],
) -> Result<Vec<(String, f64)>, TrainError>
where
    S: Source,
    S::Batch: Differentiable,
    M: Objective<S::Batch>,
{
    each_batch(net, source, metrics, 1, &Ranks::alone())
}

/// [`evaluate`], with the number of the epoch for messages, by several ranks. If all metrics can be joined, each rank goes through its
/// rows; otherwise each goes through all.
pub(super) fn each_batch<M, S>(
    net: &M,
    source: &S,
    metrics: &[&dyn Metric<M, S::Batch>],
    epoch: u64,
    ranks: &Ranks,
) -> Result<Vec<(String, f64)>, TrainError>
where
    S: Source,
    S::Batch: Differentiable,
    M: Objective<S::Batch>,
{
    let expected = source.batches();
    if expected == 0 {
        return Err(TrainError::Empty { role: VALIDATION });
    }
    let mut tallies: Vec<Box<dyn Tally<M, S::Batch> + '_>> =
        metrics.iter().map(|m| m.start()).collect();
    let divided = ranks.size() > 1 && tallies.iter().all(|tally| tally.parts().is_some());
    let share = match divided {
        true => Share::of(ranks),
        false => Share::WHOLE,
    };
    let (mut sum, mut count) = (0.0, 0_u64);
    let mut batches = source.epoch_share(0, 0, share);
    for at in 0..expected {
        let batch = batches.next().ok_or(TrainError::Ended {
            role: VALIDATION,
            epoch,
            expected,
            found: at,
        })?;
        let batch = batch.map_err(|error| TrainError::Data {
            role: VALIDATION,
            epoch,
            batch: at + 1,
            error,
        })?;
        let Some(batch) = batch else { continue };
        let rows = source.rows_of_share(at, share);
        let computed = catch_index_errors(|| {
            let loss = net.loss(&batch, &mut Ctx::eval()).try_item()?;
            for tally in &mut tallies {
                tally.add(net, &batch, rows);
            }
            Ok(f64::from(loss))
        });
        let failed = |error: StepError| TrainError::Validation {
            epoch,
            batch: at + 1,
            row: error.row(source.row_numbers(0, at)),
            error,
        };
        let loss = computed.map_err(|error| failed(error.into()))?;
        sum += loss.map_err(|error| failed(StepError::OnDevice(error)))? * rows as f64;
        count += rows as u64;
    }
    if divided {
        (sum, count) = join(metrics, &mut tallies, ranks, sum, count)?;
    }
    let mut values = vec![(VAL_LOSS.to_string(), sum / count.max(1) as f64)];
    for (metric, tally) in metrics.iter().zip(&tallies) {
        values.extend(metric.names().into_iter().zip(tally.values()));
    }
    Ok(values)
}

/// Joins the tallies of all ranks, in their order, and returns the sum of the losses and the number of rows of all.
fn join<'m, M: ?Sized, B: ?Sized>(
    metrics: &[&'m dyn Metric<M, B>],
    tallies: &mut [Box<dyn Tally<M, B> + 'm>],
    ranks: &Ranks,
    sum: f64,
    count: u64,
) -> Result<(f64, u64), TrainError> {
    for (metric, tally) in metrics.iter().zip(tallies) {
        let own = tally.parts().unwrap_or_default();
        let mut all = metric.start();
        for parts in ranks.gather_all(&own)? {
            all.join(&parts);
        }
        *tally = all;
    }
    let sums = ranks.sums(&[sum, count as f64])?;
    Ok((sums[0], sums[1] as u64))
}
