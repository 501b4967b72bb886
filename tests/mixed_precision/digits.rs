//! Handwritten digits, learnt in mixed and in single precision by the same loop.

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
struct Cnn<T: Float = f32> {
    c1: Conv2d<1, 8, 3, 1, 1, 1, T>,
    b1: BatchNorm<8, T>,
    #[init(Dropout::new(0.1))]
    drop: Dropout,
    out: Linear<128, 10, T>,
}

#[differentiable]
impl<T: Float> Cnn<T> {
    fn forward(&self, x: &Tensor![T; Batch, 1, 8, 8], ctx: &mut Ctx) -> Tensor![T; Batch, 10] {
        let h = self.b1.forward(&self.c1.forward(x), ctx).relu();
        let h = h.max_pool::<2, 2>().flatten();
        self.out.forward(&self.drop.forward(&h, ctx))
    }
}

macro_rules! objective {
    ($($T:ty),*) => { $(
        #[differentiable]
        impl Objective<DigitBatch> for Cnn<$T> {
            fn loss(&self, batch: &DigitBatch, ctx: &mut Ctx) -> Tensor![] {
                let y = self.forward(&batch.x.cast::<$T>(), ctx);
                y.cross_entropy(&batch.y).cast::<f32>()
            }
        }

        impl Predict<DigitBatch> for Cnn<$T> {
            type Output = Tensor![Batch, 10];
            type Target = Tensor![i64; Batch];
            fn predict(&self, batch: &DigitBatch, ctx: &mut Ctx) -> (Self::Output, Self::Target) {
                (self.forward(&batch.x.cast(), ctx).cast(), batch.y.clone())
            }
        }
    )* };
}
objective!(f32, Mixed<bf16>);

#[test]
fn mixed_precision_learns_as_well_as_single() {
    let rows = read_labelled_csv("data/digits.csv.gz", 64, 10, 0.0..=16.0).unwrap();
    let digits = rows.scaled(1.0 / 16.0).map(|(x, y)| Digit {
        x: Tensor::from_slice(&x).unwrap(),
        y,
    });
    let (train, test) = digits.split(0.2, 1).unwrap();
    let train = Loader::new(train, 64).shuffle(1).workers(2);
    let test = Loader::new(test, 360);
    let plain = Cnn::<f32>::new(&mut Seeds::new(0));
    macro_rules! trained {
        ($net:expr) => {{
            let mut net = $net;
            let mut adam = Adam::new(5e-3);
            let run = fit(&mut net, &mut adam, &train).epochs(4);
            let report = run.validate(&test, accuracy).run().unwrap();
            (report.last().unwrap().get("accuracy").unwrap(), net)
        }};
    }
    let (mixed, net) = trained!(plain.cast::<Mixed<bf16>>());
    let (single, of_single) = trained!(plain);
    assert!(single > 0.93 && mixed > single - 0.01, "{mixed} {single}");
    let (found, other) = (net.out.weight.cast::<f32>(), of_single.out.weight);
    assert_ne!(found, other, "the runs differ");
}
