//! What a run does, step by step, and how it ends.

use crate::support::{Batch, Clouds, Net, Plain, Rows, bits, net, plain};
use differentiable::data::{Batches, DataError, Source};
use differentiable::nn::*;
use differentiable::optim::{Accumulate, Adam, Optimizer, Sgd};
use differentiable::prelude::*;
use differentiable::train::{
    Goal, Objective, PlaceKind, StepError, Stopped, TrainError, accuracy, evaluate, fit, step_seed,
    train_step,
};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

#[test]
fn a_network_learns_three_clouds() {
    let (train, test) = (Clouds::new(240, 16, 1), Clouds::new(60, 32, 2));
    let mut net = net();
    let before = evaluate(&net, &test, &[&accuracy]).unwrap();
    let report = fit(&mut net, &mut Adam::new(1e-2), &train)
        .epochs(8)
        .validate(&test, accuracy)
        .measure("half", |_, _| 0.5)
        .run()
        .unwrap();
    assert_eq!((report.stopped, report.steps), (Stopped::Finished, 8 * 15));
    let last = report.last().unwrap();
    let names: Vec<&str> = last.values.iter().map(|(n, _)| n.as_str()).collect();
    assert_eq!(
        names,
        ["loss", "val_loss", "accuracy", "half", "learning_rate"]
    );
    assert_eq!(
        (last.get("half"), last.get("learning_rate")),
        (Some(0.5), Some(1e-2))
    );
    assert!(last.get("accuracy").unwrap() > 0.95, "{last}");
    assert!(last.get("val_loss").unwrap() < 0.3 * before[0].1, "{last}");
    let losses: Vec<f64> = report.history.iter().map(|e| e.loss()).collect();
    assert!(losses[7] < 0.5 * losses[0], "{losses:?}");
    // The report is about the module that the caller has.
    let after = evaluate(&net, &test, &[&accuracy]).unwrap();
    assert_eq!(after[..], last.values[1..3]);
    let (x, y) = &test.epoch_from(0, 0).next().unwrap().unwrap();
    let right = net.forward(x, &mut Ctx::eval()).to_vec();
    let right = right.chunks(3).zip(y.to_vec()).filter(|(s, y)| {
        let best = (0..3).max_by(|a, b| s[*a].total_cmp(&s[*b])).unwrap();
        best as i64 == *y
    });
    assert!(right.count() >= 30);
}

/// The loop of [`fit`], written out with its parts.
#[test]
fn a_loop_of_ones_own_is_bit_for_bit_the_same() {
    let train = Clouds::new(50, 16, 1);
    let mut by_fit = net();
    let report = fit(&mut by_fit, &mut Adam::new(1e-2), &train)
        .epochs(3)
        .seed(5)
        .run()
        .unwrap();

    let (mut by_hand, mut adam) = (net(), Adam::new(1e-2));
    let mut step = 0;
    for epoch in 0..3 {
        let (mut sum, mut rows) = (0.0, 0);
        for (at, batch) in train.epoch_from(epoch, 0).enumerate() {
            let mut ctx = Ctx::train(&by_hand, step_seed(5, step));
            let loss = train_step(&mut by_hand, &mut adam, &batch.unwrap(), &mut ctx).unwrap();
            sum += loss * train.rows_of(at) as f64;
            rows += train.rows_of(at);
            step += 1;
        }
        assert_eq!(report.history[epoch as usize].loss(), sum / rows as f64);
        assert_eq!(rows, 50);
    }
    assert_eq!(bits(&by_fit), bits(&by_hand));
    assert_ne!(bits(&by_hand), bits(&net()));
}

#[test]
fn accumulated_gradients_are_those_of_the_large_batch() {
    // In order, so that two small batches have the rows of a large one; the last batch is smaller.
    let source = |size| Clouds {
        batches: Batches::new(44, size),
        size,
        ..Clouds::new(44, size, 1)
    };
    let trained = |size, accumulate| {
        let mut net = plain();
        let report = fit(&mut net, &mut Sgd::new(0.5), &source(size))
            .epochs(4)
            .accumulate(accumulate)
            .run()
            .unwrap();
        (net.out.weight.to_vec(), report)
    };
    let (large, of_large) = trained(16, 1);
    let (small, of_small) = trained(8, 2);
    assert_eq!((of_large.steps, of_small.steps), (12, 12));
    for (a, b) in large.iter().zip(&small) {
        assert!((a - b).abs() < 1e-5, "{a} and {b}");
    }
    let difference = of_large.last().unwrap().loss() - of_small.last().unwrap().loss();
    assert!(difference.abs() < 1e-6, "{difference}");
    assert_eq!(trained(8, 5).1.steps, 8); // five batches, then the last one
}

#[test]
fn the_average_follows_the_weights() {
    let train = Clouds::new(30, 10, 1);
    let mut averaged = net();
    let observed = RefCell::new(Vec::new());
    fit(&mut averaged, &mut Sgd::new(0.2), &train)
        .epochs(2)
        .ema(0.75)
        .validate_loss(&train)
        .observe(|net, epoch, _| {
            observed
                .borrow_mut()
                .push((bits(net), epoch.get("val_loss").unwrap()));
            Ok(())
        })
        .run()
        .unwrap();

    let (mut net, mut sgd) = (net(), Sgd::new(0.2));
    let mut weights = net.hidden.weight.to_vec();
    for step in 0..6 {
        let batch = train
            .epoch_from(step / 3, (step % 3) as usize)
            .next()
            .unwrap()
            .unwrap();
        let mut ctx = Ctx::train(&net, step_seed(0, step));
        train_step(&mut net, &mut sgd, &batch, &mut ctx).unwrap();
        for (average, w) in weights.iter_mut().zip(net.hidden.weight.to_vec()) {
            *average = 0.75 * *average + 0.25 * w;
        }
    }
    for (a, b) in averaged.hidden.weight.to_vec().iter().zip(&weights) {
        assert!((a - b).abs() < 1e-6, "{a} and {b}");
    }
    assert_ne!(averaged.hidden.weight, net.hidden.weight);
    assert_eq!(
        state(&averaged)["norm.running_mean"],
        state(&net)["norm.running_mean"]
    );
    // What was validated is what the caller has at the end.
    let observed = observed.into_inner();
    assert_eq!(observed[1].0, bits(&averaged));
    assert_eq!(
        observed[1].1,
        evaluate(&averaged, &train, &[]).unwrap()[0].1
    );
}

#[test]
fn early_stopping_waits_for_the_patience() {
    let train = Clouds::new(20, 10, 1);
    let run = |values: &'static [f64], patience, goal| {
        let epoch = Cell::new(0);
        fit(&mut plain(), &mut Sgd::new(0.1), &train)
            .epochs(values.len() as u64)
            .validate_loss(&Clouds::new(10, 10, 2))
            .measure("given", |_, _| values[epoch.get()])
            .watch("given", goal)
            .early_stop(patience)
            .on_epoch(|_| epoch.set(epoch.get() + 1))
            .run()
            .map(|r| (r.history.len(), r.best.unwrap().epoch, r.stopped))
            .unwrap()
    };
    let values = &[0.5, 0.7, 0.7, 0.6, 0.9, 0.1, f64::NAN, 0.2, 1.0];
    assert_eq!(run(values, 2, Goal::Highest), (4, 2, Stopped::Early));
    assert_eq!(run(values, 3, Goal::Highest), (8, 5, Stopped::Early));
    assert_eq!(run(values, 4, Goal::Highest), (9, 9, Stopped::Finished));
    assert_eq!(run(values, 2, Goal::Lowest), (3, 1, Stopped::Early));
    assert_eq!(
        run(&[f64::NAN, 3.0, 4.0], 2, Goal::Lowest),
        (3, 2, Stopped::Finished)
    );
}

#[test]
fn callbacks_see_each_step_and_end_the_run() {
    let train = Clouds::new(50, 16, 1);
    let steps = RefCell::new(Vec::new());
    let report = fit(&mut net(), &mut Adam::new(1e-2), &train)
        .epochs(5)
        .on_step(|s| steps.borrow_mut().push((s.epoch, s.batch, s.step)))
        .on_step(|s| match s.step {
            6 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
        .run()
        .unwrap();
    assert_eq!(
        (report.stopped, report.steps, report.history.len()),
        (Stopped::ByCallback, 6, 1)
    );
    let expected = [
        (1, 1, 1),
        (1, 2, 2),
        (1, 3, 3),
        (1, 4, 4),
        (2, 1, 5),
        (2, 2, 6),
    ];
    assert_eq!(steps.into_inner(), expected);
    let report = fit(&mut net(), &mut Adam::new(1e-2), &train)
        .epochs(5)
        .on_epoch(|_| ControlFlow::Break(()))
        .run()
        .unwrap();
    assert_eq!(
        (report.stopped, report.history.len()),
        (Stopped::ByCallback, 1)
    );
}

#[test]
fn a_loss_that_is_not_finite_names_step_and_tensor() {
    let train = Clouds::new(50, 16, 1);
    // A number of a parameter is damaged before the first step.
    let mut net = net();
    let mut weight = net.out.weight.to_vec();
    weight[5] = f32::NAN;
    net.out.weight = Tensor::from_vec(weight).unwrap();
    let error = fit(&mut net, &mut Adam::new(1e-2), &train)
        .run()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "step 1 (epoch 1, batch 1): the loss is NaN, expected a finite number: parameter `out.weight` holds NaN at index 5"
    );

    // Inputs that overflow: all parameters are finite, and the first recorded activation tells.
    let mut train = Clouds::new(50, 16, 1);
    train
        .features
        .iter_mut()
        .skip(4 * 40)
        .for_each(|x| *x = f32::INFINITY);
    let mut net = crate::support::net();
    let error = fit(&mut net, &mut Adam::new(1e-2), &train)
        .epochs(3)
        .run()
        .unwrap_err();
    let TrainError::Step {
        epoch: 1,
        error: StepError::NotFinite(found),
        ..
    } = &error
    else {
        panic!("{error}")
    };
    let place = found.place.as_ref().unwrap();
    assert_eq!(
        (place.kind, place.name.as_str()),
        (PlaceKind::Record, "hidden")
    );
    assert!(
        error
            .to_string()
            .contains("all parameters are finite, but activation `hidden` holds"),
        "{error}"
    );
    assert!(!bits(&net).contains("NaN") && !bits(&net).contains("inf"));
}

/// Batches that fail in one way or the other.
struct Broken {
    announced: usize,
    given: usize,
    fails: bool,
}

impl Source for Broken {
    type Batch = Rows;
    fn batches(&self) -> usize {
        self.announced
    }
    fn rows_of(&self, _: usize) -> usize {
        2
    }
    fn epoch_from(&self, _: u64, first: usize) -> impl Iterator<Item = Result<Rows, DataError>> {
        let batch = (
            Tensor::zeros_with((Batch(2), Sz)),
            Tensor::zeros_with((Batch(2),)),
        );
        let good = (first..self.given).map(move |_| Ok(batch.clone()));
        let bad = self.fails.then(|| {
            Err(DataError::Empty {
                path: "rows.csv".into(),
            })
        });
        good.chain(bad)
    }
}

#[test]
fn sources_that_fail_are_named() {
    let good = Clouds::new(20, 10, 1);
    let of = |announced, given, fails| Broken {
        announced,
        given,
        fails,
    };
    let run = |source: &Broken| {
        let result = fit(&mut plain(), &mut Sgd::new(0.1), source)
            .epochs(2)
            .run();
        result.unwrap_err().to_string()
    };
    assert_eq!(
        run(&of(0, 0, false)),
        "the training source has no batches, expected at least one"
    );
    assert_eq!(
        run(&of(3, 2, false)),
        "epoch 1: the training source ended after 2 batches, expected 3"
    );
    assert_eq!(
        run(&of(3, 1, true)),
        "epoch 1, batch 2 of the training source: rows.csv: expected at least one row of data, found none"
    );
    let validate = |source: &Broken| {
        let result = fit(&mut plain(), &mut Sgd::new(0.1), &good)
            .validate_loss(source)
            .run();
        result.unwrap_err().to_string()
    };
    assert_eq!(
        validate(&of(0, 0, false)),
        "the validation source has no batches, expected at least one"
    );
    assert_eq!(
        validate(&of(3, 1, true)),
        "epoch 1, batch 2 of the validation source: rows.csv: expected at least one row of data, found none"
    );
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    use differentiable::train::{Fit, every};
    let train = Clouds::new(20, 10, 1);
    type Run<'a> = Fit<'a, Net, Sgd, Clouds>;
    let refused = |set: &dyn Fn(Run) -> Run| {
        let (mut net, mut sgd) = (net(), Sgd::new(0.1));
        let result = set(fit(&mut net, &mut sgd, &train)).run();
        result.unwrap_err().to_string()
    };
    assert_eq!(
        refused(&|f| f.accumulate(0)),
        "`accumulate` is 0, expected at least 1"
    );
    assert_eq!(
        refused(&|f| f.early_stop(0)),
        "`early_stop` is 0, expected at least 1"
    );
    assert_eq!(
        refused(&|f| f.checkpoint("a", every(0))),
        "`checkpoint` is 0, expected at least 1"
    );
    assert_eq!(
        refused(&|f| f.keep_best(2)),
        "`keep_best` is set alone, expected a file too, by `checkpoint(path, every(1))`"
    );
    assert!(refused(&|f| f.resume()).starts_with("`resume` is set alone"));
    assert!(refused(&|f| f.metric(accuracy)).starts_with("`metric` is set alone"));
    assert_eq!(
        refused(&|f| f.ema(1.0)),
        "`ema` is 1, expected a decay of at least 0 and below 1"
    );
    assert_eq!(
        refused(&|f| f.watch("accuracy", Goal::Highest)),
        "`watch` is `accuracy`, expected one of loss, learning_rate"
    );
    let error = refused(&|f| f.checkpoint("no/such/folder/run.safetensors", every(1)));
    assert!(
        error.starts_with("no/such/folder/run.safetensors: cannot write the checkpoint: "),
        "{error}"
    );
    let twice = fit(&mut net(), &mut Sgd::new(0.1), &train)
        .validate(&train, accuracy)
        .measure("accuracy", |_, _| 0.0)
        .run();
    assert!(
        twice
            .unwrap_err()
            .to_string()
            .starts_with("`metric` is `accuracy` twice")
    );
}

/// The parts serve what `fit` does not: two modules that train against each other, for example.
#[test]
fn accumulate_serves_a_loop_of_ones_own() {
    let train = Clouds::new(48, 8, 1);
    let (mut net, mut sgd): (Plain, Sgd) = (plain(), Sgd::new(0.5));
    let mut sum = Accumulate::new(3);
    for batch in train.epoch_from(0, 0) {
        let (_, grad) = net.loss_value_and_grad(&batch.unwrap(), &mut Ctx::eval());
        if let Some(mean) = sum.add_rows(grad, 8) {
            sgd.step(&mut net, &mean);
        }
    }
    let mut by_fit = plain();
    fit(&mut by_fit, &mut Sgd::new(0.5), &train)
        .accumulate(3)
        .run()
        .unwrap();
    assert_eq!(bits(&net), bits(&by_fit));
}
