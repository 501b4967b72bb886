//! Metrics against scikit-learn: `data/metrics.py` wrote the values.

use differentiable::data::{DataError, Source};
use differentiable::nn::*;
use differentiable::prelude::*;
use differentiable::train::metrics::{
    Averaging, Confusion, f1, mean_absolute_error, mean_squared_error, perplexity, precision,
    r_squared, recall, top_k,
};
use differentiable::train::{Metric, Objective, Predict, accuracy, evaluate};
use serde_json::Value;

dim!(Batch);

type Classes = (Tensor![Batch, 5], Tensor![i64; Batch]);
type Pairs = (Tensor![f64; Batch], Tensor![f64; Batch]);

/// Its predictions are in the batch.
#[module]
struct Given {
    #[init(Tensor::zeros())]
    unused: Tensor![1],
}

impl Predict<Classes> for Given {
    type Output = Tensor![Batch, 5];
    type Target = Tensor![i64; Batch];
    fn predict(&self, (x, y): &Classes, _: &mut Ctx) -> Classes {
        (x.clone(), y.clone())
    }
}

impl Predict<Pairs> for Given {
    type Output = Tensor![f64; Batch];
    type Target = Tensor![f64; Batch];
    fn predict(&self, (x, y): &Pairs, _: &mut Ctx) -> Pairs {
        (x.clone(), y.clone())
    }
}

#[differentiable]
impl Objective<Classes> for Given {
    fn loss(&self, batch: &Classes, _ctx: &mut Ctx) -> Tensor![] {
        batch.0.cross_entropy(&batch.1)
    }
}

#[differentiable]
impl Objective<Pairs> for Given {
    fn loss(&self, _batch: &Pairs, _ctx: &mut Ctx) -> Tensor![] {
        self.unused.sum()
    }
}

/// Batches of seven rows; the last one is smaller.
struct Cut<B>(Vec<(B, usize)>);

impl<B: Clone> Source for Cut<B> {
    type Batch = B;
    fn batches(&self) -> usize {
        self.0.len()
    }
    fn rows_of(&self, batch: usize) -> usize {
        self.0[batch].1
    }
    fn epoch_from(&self, _: u64, first: usize) -> impl Iterator<Item = Result<B, DataError>> {
        self.0[first..].iter().map(|(b, _)| Ok(b.clone()))
    }
}

fn golden() -> Value {
    serde_json::from_str(include_str!("../data/metrics.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_f64().unwrap())
        .collect()
}

fn classes() -> Cut<Classes> {
    let golden = golden();
    let scores: Vec<f32> = numbers(&golden["scores"])
        .iter()
        .map(|x| *x as f32)
        .collect();
    let labels: Vec<i64> = numbers(&golden["labels"])
        .iter()
        .map(|x| *x as i64)
        .collect();
    let batch = |(x, y): (&[f32], &[i64])| {
        let rows = Batch(y.len());
        let x = Tensor::from_vec_with((rows, Sz), x.to_vec()).unwrap();
        (
            (x, Tensor::from_vec_with((rows,), y.to_vec()).unwrap()),
            y.len(),
        )
    };
    Cut(scores.chunks(35).zip(labels.chunks(7)).map(batch).collect())
}

/// Compares values with those of the same names in the file.
fn check(values: &[(String, f64)], tolerance: f64) {
    let golden = golden();
    for (name, found) in values {
        let expected = golden[name]
            .as_f64()
            .unwrap_or_else(|| panic!("no value {name}"));
        assert!(
            (found - expected).abs() < tolerance * expected,
            "{name}: {found}, expected {expected}"
        );
    }
}

#[test]
fn metrics_of_classes_are_those_of_scikit_learn() {
    let net = Given::new(&mut Seeds::new(0));
    let (macro_, micro) = (Averaging::Macro, Averaging::Micro);
    let metrics: [&dyn Metric<Given, Classes>; 10] = [
        &accuracy,
        &top_k(2),
        &top_k(3),
        &perplexity(),
        &precision(macro_),
        &precision(micro),
        &recall(macro_),
        &recall(micro),
        &f1(macro_),
        &f1(micro),
    ];
    let values = evaluate(&net, &classes(), &metrics).unwrap();
    assert_eq!((values.len(), values[0].0.as_str()), (11, "val_loss"));
    check(&values[1..], 1e-6);
    // The mean cross-entropy is the logarithm of the perplexity.
    assert!((values[0].1.exp() - values[4].1).abs() < 1e-5);

    let mut confusion = Confusion::new(5);
    for ((scores, labels), _) in &classes().0 {
        confusion.add(scores, labels);
    }
    let expected = numbers(&golden()["confusion"]);
    let found = (0..25).map(|i| confusion.count(i / 5, i % 5) as f64);
    assert_eq!(Vec::from_iter(found), expected);
    check(&[("accuracy".to_string(), confusion.accuracy())], 1e-12);
    assert_eq!(confusion.to_string().lines().next(), Some("6 4 2 0 0"));
}

#[test]
fn metrics_of_numbers_are_those_of_scikit_learn() {
    let golden = golden();
    let (guess, truth) = (numbers(&golden["guess"]), numbers(&golden["true"]));
    let batch = |(x, y): (&[f64], &[f64])| {
        let tensor = |v: &[f64]| Tensor::from_vec_with((Batch(v.len()),), v.to_vec()).unwrap();
        ((tensor(x), tensor(y)), x.len())
    };
    let source: Cut<Pairs> = Cut(guess.chunks(7).zip(truth.chunks(7)).map(batch).collect());
    let net = Given::new(&mut Seeds::new(0));
    let metrics: [&dyn Metric<Given, Pairs>; 3] =
        [&mean_absolute_error, &mean_squared_error, &r_squared()];
    let values = evaluate(&net, &source, &metrics).unwrap();
    check(&values[1..], 1e-12);
}

#[test]
#[should_panic(expected = "the label of row 1 is 5, expected a class from 0 to 4")]
fn a_label_that_is_no_class_is_named() {
    let x = Tensor::zeros_with((Batch(2), Sz));
    let y = Tensor::from_vec_with((Batch(2),), vec![0, 5]).unwrap();
    accuracy(&Given::new(&mut Seeds::new(0)), &(x, y));
}

/// Equal scores and NaN, as NumPy's `argmax` treats them.
#[test]
fn equal_scores_and_nan() {
    let net = Given::new(&mut Seeds::new(0));
    let right = |scores: [f32; 5], label| {
        let x = Tensor::from_vec_with((Batch(1), Sz), scores.to_vec()).unwrap();
        let y = Tensor::from_vec_with((Batch(1),), vec![label]).unwrap();
        let batch = (x, y);
        let top = evaluate(&net, &Cut(vec![(batch.clone(), 1)]), &[&top_k(1)]).unwrap();
        assert_eq!(top[1].1, accuracy(&net, &batch));
        top[1].1 == 1.0
    };
    assert!(right([1.0, 1.0, 0.0, 0.0, 0.0], 0) && !right([1.0, 1.0, 0.0, 0.0, 0.0], 1));
    let nan = f32::NAN;
    assert!(right([1.0, nan, 2.0, nan, 0.0], 1) && !right([1.0, nan, 2.0, nan, 0.0], 3));
}
