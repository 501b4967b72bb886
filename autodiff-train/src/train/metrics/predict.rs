use super::Tally;
use crate::device::{Backend, Elem, Float, IndexError, index_error};
use crate::nn::Ctx;
use crate::shape::Shape;
use crate::tensor::Tensor;

/// A module that predicts something of a batch, beside what is true: what the metrics of the library compare.
pub trait Predict<B: ?Sized> {
    /// What is predicted: logits or other [`Scores`] of classes, or [`Numbers`].
    type Output;
    /// What is true: [`Labels`] of classes, or [`Numbers`].
    type Target;

    /// Both, for each row of the batch.
    fn predict(&self, batch: &B, ctx: &mut Ctx) -> (Self::Output, Self::Target);
}

/// Scores of classes, the larger the likelier: a tensor whose last axis counts the classes. The other axes are rows.
pub trait Scores {
    /// The scores, row after row, and the number of classes.
    fn scores(&self) -> (Vec<f64>, usize);
}

/// Classes: a tensor of `i64`, one for each row of the scores.
pub trait Labels {
    /// The classes, row after row.
    fn labels(&self) -> Vec<i64>;
}

/// Numbers of any shape: a tensor of floats.
pub trait Numbers {
    /// The numbers in row-major order.
    fn numbers(&self) -> Vec<f64>;
}

fn to_f64<T: Elem>(elements: Vec<T>) -> Vec<f64> {
    elements.into_iter().map(T::to_f64).collect()
}

impl<S: Shape, T: Float, D: Backend> Scores for Tensor<S, T, D> {
    fn scores(&self) -> (Vec<f64>, usize) {
        let classes = self.dims().last().copied().unwrap_or(1);
        (to_f64(self.to_vec()), classes)
    }
}

impl<S: Shape, D: Backend> Labels for Tensor<S, i64, D> {
    fn labels(&self) -> Vec<i64> {
        self.to_vec()
    }
}

impl<S: Shape, T: Float, D: Backend> Numbers for Tensor<S, T, D> {
    fn numbers(&self) -> Vec<f64> {
        to_f64(self.to_vec())
    }
}

/// The rows of scores, each with its class.
///
/// # Panics
/// When there is not one label for each row; when a label is not a class, where nobody catches the errors of indices.
#[track_caller]
pub(super) fn rows(
    name: &'static str,
    output: &impl Scores,
    target: &impl Labels,
    mut row: impl FnMut(&[f64], usize),
) {
    let (scores, classes) = output.scores();
    let labels = target.labels();
    assert_eq!(
        scores.len(),
        labels.len() * classes,
        "{} labels for {} rows of scores, expected one for each",
        labels.len(),
        scores.len() / classes.max(1)
    );
    let entries = labels.len();
    let error = |position, found, len| IndexError {
        position,
        found,
        len,
    };
    for (at, label) in labels.into_iter().enumerate() {
        let fits = usize::try_from(label).ok().filter(|l| *l < classes);
        match fits {
            Some(label) => row(&scores[at * classes..][..classes], label),
            None if index_error(name, entries, error(at, label, classes)).is_ok() => return,
            None => panic!(
                "the label of row {at} is {label}, expected a class from 0 to {}",
                classes - 1
            ),
        }
    }
}

/// A value over rows of scores, each with its class.
pub(super) trait OfRows {
    /// The metric, for messages.
    fn name(&self) -> &'static str;
    /// Adds a row.
    fn row(&mut self, scores: &[f64], label: usize);
    /// The value over all rows.
    fn value(&self) -> f64;
    /// As [`Tally::parts`].
    fn parts(&self) -> Vec<f64>;
    /// As [`Tally::join`].
    fn join(&mut self, parts: &[f64]);
}

/// A [`Tally`] of the rows that a module predicts.
pub(super) struct ByRow<T>(pub(super) T);

impl<M, B, T: OfRows> Tally<M, B> for ByRow<T>
where
    M: Predict<B> + ?Sized,
    B: ?Sized,
    M::Output: Scores,
    M::Target: Labels,
{
    fn add(&mut self, net: &M, batch: &B, _: usize) {
        let (output, target) = net.predict(batch, &mut Ctx::eval());
        let name = self.0.name();
        rows(name, &output, &target, |scores, label| {
            self.0.row(scores, label);
        });
    }
    fn values(&self) -> Vec<f64> {
        vec![self.0.value()]
    }
    fn parts(&self) -> Option<Vec<f64>> {
        Some(self.0.parts())
    }
    fn join(&mut self, parts: &[f64]) {
        self.0.join(parts);
    }
}
