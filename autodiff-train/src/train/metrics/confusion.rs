use super::classes::largest;
use super::predict::{ByRow, Labels, OfRows, Predict, Scores, rows};
use super::{Metric, Tally};
use std::fmt;

/// How often each class was taken for each other one.
///
/// What is 0 divided by 0, such as the precision of a class that was never predicted, counts as 0, as in scikit-learn.
/// A class that is neither among the labels nor predicted is left out of averages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    classes: usize,
    /// `counts[label · classes + predicted]`
    counts: Vec<u64>,
}

/// How the values of the classes become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Averaging {
    /// Each class counts alike.
    Macro,
    /// Each row counts alike: the counts of all classes are added before the division. Precision, recall and F1 then are
    /// the accuracy.
    Micro,
}

impl Confusion {
    /// Of so many classes, without rows.
    pub fn new(classes: usize) -> Self {
        Confusion {
            classes,
            counts: vec![0; classes * classes],
        }
    }

    /// Counts the rows of scores; the class with the largest score is the predicted one, as in
    /// [`accuracy`](super::accuracy).
    ///
    /// # Panics
    /// When the scores are those of another number of classes, there is not one label for each row, or a label is not a
    /// class.
    #[track_caller]
    pub fn add(&mut self, output: &impl Scores, target: &impl Labels) {
        rows("confusion", output, target, |scores, label| {
            self.count_row(label, largest(scores), scores.len());
        });
    }

    #[track_caller]
    fn count_row(&mut self, label: usize, predicted: usize, classes: usize) {
        assert_eq!(
            classes, self.classes,
            "scores of {classes} classes, expected {}",
            self.classes
        );
        self.counts[label * self.classes + predicted] += 1;
    }

    /// The number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// How many rows of the class `label` were taken for the class `predicted`.
    ///
    /// # Panics
    /// When one of them is not a class.
    pub fn count(&self, label: usize, predicted: usize) -> u64 {
        assert!(label < self.classes && predicted < self.classes);
        self.counts[label * self.classes + predicted]
    }

    /// The fraction of the rows that were taken for what they are.
    pub fn accuracy(&self) -> f64 {
        let right: u64 = (0..self.classes).map(|c| self.count(c, c)).sum();
        ratio(right, self.counts.iter().sum())
    }

    /// The fraction that is of a class, among the rows that were taken for it.
    pub fn precision(&self, averaging: Averaging) -> f64 {
        self.averaged(averaging, |[right, _, predicted]| ratio(right, predicted))
    }

    /// The fraction that was taken for a class, among the rows that are of it.
    pub fn recall(&self, averaging: Averaging) -> f64 {
        self.averaged(averaging, |[right, labelled, _]| ratio(right, labelled))
    }

    /// The harmonic mean of precision and recall: `2·right / (labelled + predicted)`.
    pub fn f1(&self, averaging: Averaging) -> f64 {
        self.averaged(averaging, |[right, labelled, predicted]| {
            ratio(2 * right, labelled + predicted)
        })
    }

    /// Right, labelled and predicted rows of a class.
    fn of_class(&self, class: usize) -> [u64; 3] {
        let all = 0..self.classes;
        let labelled = all.clone().map(|c| self.count(class, c)).sum();
        let predicted = all.map(|c| self.count(c, class)).sum();
        [self.count(class, class), labelled, predicted]
    }

    fn averaged(&self, averaging: Averaging, value: impl Fn([u64; 3]) -> f64) -> f64 {
        let classes = (0..self.classes).map(|c| self.of_class(c));
        let seen: Vec<[u64; 3]> = classes.filter(|c| c[1] + c[2] > 0).collect();
        match averaging {
            Averaging::Macro => seen.iter().map(|c| value(*c)).sum::<f64>() / seen.len() as f64,
            Averaging::Micro => value(std::array::from_fn(|i| seen.iter().map(|c| c[i]).sum())),
        }
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    match whole {
        0 => 0.0,
        _ => part as f64 / whole as f64,
    }
}

/// A row for each label, a column for each prediction.
impl fmt::Display for Confusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |n: u64| n.to_string().len();
        let widest = self.counts.iter().map(|n| width(*n)).max().unwrap_or(1);
        for label in 0..self.classes {
            for predicted in 0..self.classes {
                let space = if predicted == 0 { "" } else { " " };
                write!(f, "{space}{:>widest$}", self.count(label, predicted))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// [`Confusion::precision`] as a metric.
pub fn precision(averaging: Averaging) -> OfConfusion {
    OfConfusion {
        name: "precision",
        averaging,
        value: Confusion::precision,
    }
}

/// [`Confusion::recall`] as a metric.
pub fn recall(averaging: Averaging) -> OfConfusion {
    OfConfusion {
        name: "recall",
        averaging,
        value: Confusion::recall,
    }
}

/// [`Confusion::f1`] as a metric.
pub fn f1(averaging: Averaging) -> OfConfusion {
    OfConfusion {
        name: "f1",
        averaging,
        value: Confusion::f1,
    }
}

/// See [`precision`], [`recall`] and [`f1`].
#[derive(Clone, Copy, Debug)]
pub struct OfConfusion {
    name: &'static str,
    averaging: Averaging,
    value: fn(&Confusion, Averaging) -> f64,
}

struct ConfusionTally<'m> {
    metric: &'m OfConfusion,
    counts: Option<Confusion>,
}

impl<M, B> Metric<M, B> for OfConfusion
where
    M: Predict<B> + ?Sized,
    B: ?Sized,
    M::Output: Scores,
    M::Target: Labels,
{
    fn names(&self) -> Vec<String> {
        let averaging = match self.averaging {
            Averaging::Macro => "macro",
            Averaging::Micro => "micro",
        };
        vec![format!("{}_{averaging}", self.name)]
    }
    fn start(&self) -> Box<dyn Tally<M, B> + '_> {
        Box::new(ByRow(ConfusionTally {
            metric: self,
            counts: None,
        }))
    }
}

impl OfRows for ConfusionTally<'_> {
    fn name(&self) -> &'static str {
        self.metric.name
    }
    fn row(&mut self, scores: &[f64], label: usize) {
        let classes = scores.len();
        let counts = self.counts.get_or_insert_with(|| Confusion::new(classes));
        counts.count_row(label, largest(scores), classes);
    }
    fn value(&self) -> f64 {
        let counts = self.counts.as_ref();
        counts.map_or(f64::NAN, |c| (self.metric.value)(c, self.metric.averaging))
    }
    fn parts(&self) -> Vec<f64> {
        let counts = self.counts.as_ref();
        counts.map_or(Vec::new(), |c| c.counts.iter().map(|n| *n as f64).collect())
    }
    fn join(&mut self, parts: &[f64]) {
        if parts.is_empty() {
            return;
        }
        let classes = parts.len().isqrt();
        let counts = self.counts.get_or_insert_with(|| Confusion::new(classes));
        counts
            .counts
            .iter_mut()
            .zip(parts)
            .for_each(|(n, x)| *n += *x as u64);
    }
}
