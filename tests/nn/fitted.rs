//! A network on the digits by `fit`: data set, loader, loss, metric.

use differentiable::data::{Dataset, Loader, read_labelled_csv};
use differentiable::nn::*;
use differentiable::optim::Adam;
use differentiable::prelude::*;
use differentiable::train::{Objective, Predict, accuracy, fit};

dim!(Batch);

#[batch]
struct Digit {
    x: Tensor![1, 8, 8],
    y: i64,
}

#[module]
struct Cnn {
    c1: Conv2d<1, 8, 3>,
    b1: BatchNorm<8>,
    #[init(Dropout::new(0.1))]
    drop: Dropout,
    out: Linear<128, 10>,
}

#[differentiable]
impl Cnn {
    fn forward(&self, x: &Tensor![Batch, 1, 8, 8], ctx: &mut Ctx) -> Tensor![Batch, 10] {
        let h = self.b1.forward(&self.c1.forward(x), ctx).relu();
        let h = h.max_pool::<2, 2>().flatten();
        self.out.forward(&self.drop.forward(&h, ctx))
    }
}

#[differentiable]
impl Objective<DigitBatch> for Cnn {
    fn loss(&self, batch: &DigitBatch, ctx: &mut Ctx) -> Tensor![] {
        self.forward(&batch.x, ctx).cross_entropy(&batch.y)
    }
}

impl Predict<DigitBatch> for Cnn {
    type Output = Tensor![Batch, 10];
    type Target = Tensor![i64; Batch];
    fn predict(&self, batch: &DigitBatch, ctx: &mut Ctx) -> (Self::Output, Self::Target) {
        (self.forward(&batch.x, ctx), batch.y.clone())
    }
}

#[test]
fn the_digits_are_learnt_in_three_epochs() {
    let rows = read_labelled_csv("data/digits.csv.gz", 64, 10, 0.0..=16.0).unwrap();
    let digits = rows.scaled(1.0 / 16.0).map(|(x, y)| Digit {
        x: Tensor::from_slice(&x).unwrap(),
        y,
    });
    let (train, test) = digits.split(0.2, 1).unwrap();
    let train = Loader::new(train, 64).shuffle(1).workers(2);
    let test = Loader::new(test, 360);
    let mut net = Cnn::new(&mut Seeds::new(0));
    let report = fit(&mut net, &mut Adam::new(5e-3), &train)
        .epochs(3)
        .validate(&test, accuracy)
        .run()
        .unwrap();
    let last = report.last().unwrap();
    assert!(last.get("accuracy") > Some(0.9), "{last}");
    assert_eq!(report.history.len(), 3);
}
