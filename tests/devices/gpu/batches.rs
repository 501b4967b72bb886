//! A loader brings its batches to the device.

use super::{close, cuda, gpu};
use differentiable::data::{Loader, Source};
use differentiable::optim::{Optimizer, Sgd};
use differentiable::prelude::*;

dim!(Batch);

/// A point of a line.
#[batch]
#[derive(Clone)]
struct Point {
    x: Tensor![2],
    y: f32,
}

#[differentiable]
fn loss(w: &Tensor![2], #[constant] batch: &PointBatch) -> Tensor![] {
    let e = batch.x.matmul(w) - &batch.y;
    (&e * &e).mean()
}

fn points() -> Vec<Point> {
    let point = |i: usize| {
        let x = tensor([i as f32 / 40.0, 1.0]);
        Point {
            x,
            y: 0.5 - i as f32 / 20.0,
        }
    };
    (0..40).map(point).collect()
}

fn trained(device: &Device, workers: usize) -> Tensor![2] {
    let points = points();
    let mut w = Tensor::zeros().to(device);
    let mut sgd = Sgd::new(0.3);
    let loader = Loader::new(points, 7)
        .shuffle(3)
        .workers(workers)
        .to_device(device);
    assert_eq!(loader.batches(), 6);
    for epoch in 0..3 {
        for batch in loader.epoch(epoch) {
            assert_eq!(batch.x.device(), device);
            let (_, gradient) = loss::value_and_grad(&w, &batch);
            sgd.step(&mut w, &gradient);
        }
    }
    w.to(&Device::cpu())
}

#[test]
fn batches_of_threads_and_of_the_caller() {
    let Some(device) = gpu() else { return };
    let expected = trained(&Device::cpu(), 0).to_vec();
    for workers in [0, 2] {
        let before = cuda(&device).gpu().counters();
        close(&expected, &trained(&device, workers).to_vec());
        let after = cuda(&device).gpu().counters();
        // Its weights, and two tensors for each of three times six batches; the weights alone are read.
        assert_eq!(after.uploads - before.uploads, 1 + 36);
        assert_eq!(after.downloads - before.downloads, 1);
    }
}

/// Rows that workers read are made where the caller would make them.
#[test]
fn workers_read_on_the_current_device() {
    let Some(device) = gpu() else { return };
    let loader = Loader::new((0..9).collect::<Vec<i64>>(), 4)
        .workers(2)
        .stack(Batch);
    let batches: Vec<Tensor![i64; Batch]> = device.scope(|| loader.epoch(0).collect());
    for (batch, expected) in batches
        .iter()
        .zip([vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8]])
    {
        assert_eq!((batch.device(), batch.to_vec()), (&device, expected));
    }
}

/// What was on its way when an epoch ends early takes nobody's memory.
#[test]
fn an_epoch_may_end_early() {
    let Some(device) = gpu() else { return };
    let loader = Loader::new(points(), 8).to_device(&device);
    for round in 0..10 {
        let first = loader.epoch(round).next().unwrap();
        let sum = first.y.sum();
        drop(first);
        close(&[8.0 * 0.5 - 28.0 / 20.0], &[sum.item()]);
    }
}
