//! Files from which a run goes on.

use crate::support::{Clouds, Folder, Net, bits, contents, net, plain};
use differentiable::io::Checkpoint;
use differentiable::nn::Seeds;
use differentiable::optim::{Adam, Sgd};
use differentiable::train::{
    Csv, Every, Fit, Goal, JsonLines, Report, Stopped, TrainError, accuracy, evaluate, every,
    every_steps, fit,
};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

const EPOCHS: u64 = 10;

fn train() -> Clouds {
    Clouds::new(44, 8, 1)
}

/// A run with everything that has to be saved. What `set` adds stops it.
fn run(
    folder: &Folder,
    epochs: u64,
    save: Every,
    set: impl for<'a> FnOnce(Fit<'a, Net, Adam, Clouds>) -> Fit<'a, Net, Adam, Clouds>,
) -> (Result<Report, TrainError>, String) {
    let (train, test) = (train(), Clouds::new(30, 30, 2));
    let (mut net, mut adam) = (net(), Adam::new(1e-2));
    let fit = fit(&mut net, &mut adam, &train)
        .epochs(epochs)
        .seed(11)
        .validate(&test, accuracy)
        .accumulate(2)
        .ema(0.9)
        .early_stop(100)
        .log(Csv::at(folder.file("run.csv")))
        .log(JsonLines::at(folder.file("run.jsonl")))
        .log_steps(2)
        .checkpoint(folder.file("run.safetensors"), save)
        .keep_best(3)
        .resume();
    let report = set(fit).run();
    (report, bits(&net))
}

/// What the uninterrupted run comes to: report, module, files.
fn whole(folder: &Folder, save: Every) -> (Report, String) {
    let (report, module) = run(folder, EPOCHS, save, |f| f);
    (report.unwrap(), module)
}

/// Whether all files of two runs are the same, also the checkpoint in each tensor and entry.
fn assert_same_files(a: &Folder, b: &Folder) {
    assert_eq!(a.names(), b.names());
    for name in a.names() {
        let read = |folder: &Folder| std::fs::read(folder.file(&name)).unwrap();
        assert!(read(a) == read(b), "{name} differs");
    }
}

#[test]
fn ten_epochs_are_five_and_five() {
    let once = Folder::new("once");
    let (report, module) = whole(&once, every(1));
    assert_eq!(report.history.len(), 10);
    let twice = Folder::new("twice");
    let (half, _) = run(&twice, 5, every(1), |f| f);
    assert_eq!(half.unwrap().history[..], report.history[..5]);
    let (resumed, again) = run(&twice, EPOCHS, every(1), |f| f);
    assert_eq!((resumed.unwrap(), again), (report.clone(), module.clone()));
    assert_same_files(&once, &twice);
    // A run that is finished stays so.
    let (finished, again) = run(&twice, EPOCHS, every(1), |f| f);
    assert_eq!((finished.unwrap(), again), (report, module));
    assert_same_files(&once, &twice);
}

#[test]
fn a_run_that_a_callback_ends_goes_on_in_the_middle_of_an_epoch() {
    let once = Folder::new("whole");
    let expected = whole(&once, every(3));
    let parts = Folder::new("parts");
    for stop in [1, 2, 3, 4, 8, 20, 29] {
        let (part, _) = run(&parts, EPOCHS, every(3), |f| {
            f.on_step(move |s| match s.step == stop {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        });
        let part = part.unwrap();
        assert_eq!((part.stopped, part.steps), (Stopped::ByCallback, stop));
    }
    let (report, module) = run(&parts, EPOCHS, every(3), |f| f);
    assert_eq!((report.unwrap(), module), expected);
    assert_same_files(&once, &parts);
}

/// The program ends in the middle of a step that no checkpoint knows of.
#[test]
fn a_run_that_panics_at_any_step_goes_on_from_its_checkpoint() {
    let mut seeds = Seeds::new(9);
    for save in [every(2), every_steps(5)] {
        let once = Folder::new("calm");
        let expected = whole(&once, save);
        for trial in 0..10 {
            let parts = Folder::new("torn");
            // Two ends before the last part.
            for _ in 0..2 {
                let end = seeds.next_seed() % 30 + 1;
                // An end before the checkpoint of the first part does not come again: that run finishes.
                let _ = catch_unwind(AssertUnwindSafe(|| {
                    run(&parts, EPOCHS, save, |f| {
                        f.on_step(move |s| assert!(s.step != end, "expected by the test"))
                    })
                }));
            }
            let (report, module) = run(&parts, EPOCHS, save, |f| f);
            assert_eq!((report.unwrap(), module), expected, "trial {trial}");
            assert_same_files(&once, &parts);
        }
    }
}

#[test]
fn the_best_epochs_have_files_that_are_what_was_measured() {
    let folder = Folder::new("best");
    let (train, test) = (train(), Clouds::new(30, 30, 2));
    let path = folder.file("run.safetensors");
    let mut net = net();
    let report = fit(&mut net, &mut Adam::new(3e-2), &train)
        .epochs(9)
        .validate(&test, accuracy)
        .watch("val_loss", Goal::Lowest)
        .checkpoint(&path, every(4))
        .keep_best(2)
        .run()
        .unwrap();
    let mut epochs = report.history.clone();
    epochs.sort_by(|a, b| {
        a.get("val_loss")
            .unwrap()
            .total_cmp(&b.get("val_loss").unwrap())
    });
    let mut names: Vec<String> = epochs[..2]
        .iter()
        .map(|e| format!("run.epoch-{:04}.safetensors", e.epoch))
        .collect();
    names.push("run.safetensors".to_string());
    names.sort();
    assert_eq!(folder.names(), names);
    let best = report.best_file(&path).unwrap();
    contents(&best).restore_model(&mut net).unwrap();
    let measured = evaluate(&net, &test, &[]).unwrap()[0].1;
    assert_eq!(report.best.unwrap().value, measured);
    assert_eq!(
        contents(&best).get::<u64>("epoch").unwrap(),
        epochs[0].epoch
    );
}

/// Trains on from the file, with the settings that it was written with.
fn resume(path: &Path) -> String {
    let train = train();
    let (mut net, mut adam) = (net(), Adam::new(1e-2));
    let result = fit(&mut net, &mut adam, &train)
        .epochs(4)
        .checkpoint(path, every(1))
        .resume()
        .run();
    let error = result.unwrap_err().to_string();
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with(&path.display().to_string()), "{error}");
    error[path.display().to_string().len()..].to_string()
}

#[test]
fn checkpoints_that_do_not_fit_are_named() {
    let folder = Folder::new("unfit");
    let path = folder.file("run.safetensors");
    let train = train();
    let save = || {
        fit(&mut net(), &mut Adam::new(1e-2), &train)
            .epochs(2)
            .checkpoint(&path, every(1))
            .keep_best(1)
            .run()
            .unwrap()
    };
    let report = save();
    let bytes = std::fs::read(&path).unwrap();
    for end in [0, 5, 100, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&path, &bytes[..end]).unwrap();
        let said = resume(&path);
        let expected = match end {
            0 | 5 => ": not a checkpoint: expected a safetensors file, found",
            _ => ": the checkpoint is truncated: expected",
        };
        assert!(said.starts_with(expected), "{said}");
        assert_eq!(std::fs::read(&path).unwrap(), &bytes[..end]);
    }
    std::fs::write(&path, "step,loss\n1,0.5\n").unwrap();
    assert!(resume(&path).starts_with(": not a checkpoint: expected a safetensors file, found"));

    // The file of a best epoch has the weights alone.
    let best = report.best_file(&path).unwrap();
    let said = resume(&best);
    assert!(said.contains("has no entry `fit.version`"), "{said}");

    // That of another module, another optimiser, other data.
    fit(&mut plain(), &mut Adam::new(1e-2), &train)
        .checkpoint(&path, every(1))
        .run()
        .unwrap();
    let said = resume(&path);
    assert!(
        said.starts_with(": the checkpoint does not fit the model: tensor `"),
        "{said}"
    );
    fit(&mut net(), &mut Sgd::new(1e-2), &train)
        .checkpoint(&path, every(1))
        .run()
        .unwrap();
    let said = resume(&path);
    assert!(
        said.starts_with(": the checkpoint does not fit the optimiser: it was saved by the optimiser `sgd`, expected `adam`"),
        "{said}"
    );
    fit(&mut net(), &mut Adam::new(1e-2), &Clouds::new(20, 8, 1))
        .checkpoint(&path, every(1))
        .run()
        .unwrap();
    let said = resume(&path);
    assert!(
        said.contains("entry `fit.batches` of the checkpoint is \"3\", expected 6, the number of batches in an epoch of this run"),
        "{said}"
    );
}

/// A number that is not finite is not saved over a good checkpoint.
#[test]
fn a_damaged_module_does_not_replace_the_checkpoint() {
    let folder = Folder::new("damaged");
    let path = folder.file("run.safetensors");
    let train = train();
    let mut net = plain();
    fit(&mut net, &mut Sgd::new(0.1), &train)
        .checkpoint(&path, every(1))
        .run()
        .unwrap();
    let before = contents(&path);
    // The step after the only batch overflows; no loss shows it.
    let one = Clouds::new(8, 8, 1);
    let error = fit(&mut net, &mut Sgd::new(1e300), &one)
        .checkpoint(&path, every(1))
        .run()
        .unwrap_err();
    let TrainError::NotFinite {
        step: 1,
        epoch: 1,
        name,
        ..
    } = &error
    else {
        panic!("{error}")
    };
    assert!(name.starts_with("out."));
    assert!(
        error.to_string().ends_with("the checkpoint was not saved"),
        "{error}"
    );
    assert_eq!(before, contents(&path));
    assert!(Checkpoint::load(&path).unwrap().check_finite().is_ok());
}

/// A run with the settings of a program.
fn with_settings(
    path: &Path,
    set: impl for<'a> FnOnce(Fit<'a, Net, Adam, Clouds>) -> Fit<'a, Net, Adam, Clouds>,
) -> Result<Report, TrainError> {
    let train = train();
    let (mut net, mut adam) = (net(), Adam::new(1e-2));
    let run = fit(&mut net, &mut adam, &train).epochs(2).resume();
    set(run.checkpoint(path, every(1))).run()
}

#[test]
fn settings_of_the_program_are_saved_and_compared() {
    let folder = Folder::new("settings");
    let path = folder.file("run.safetensors");
    with_settings(&path, |f| {
        f.epochs(1).setting("hidden", 8).note("rate", 1e-2)
    })
    .unwrap();
    let saved = contents(&path);
    assert_eq!(saved.get::<u64>("hidden").unwrap(), 8);
    assert_eq!(saved.get::<f64>("rate").unwrap(), 1e-2);
    let refused = |result: Result<Report, TrainError>| match result.unwrap_err() {
        TrainError::OtherSetting {
            setting,
            expected,
            found,
            path: named,
        } => {
            assert_eq!(named, path);
            [setting, expected, found]
        }
        other => panic!("{other}"),
    };
    for (result, expected) in [
        (
            with_settings(&path, |f| f.setting("hidden", 9)),
            ["hidden", "\"9\"", "\"8\""],
        ),
        (with_settings(&path, |f| f), ["hidden", "no value", "\"8\""]),
        (
            with_settings(&path, |f| f.setting("hidden", 8).setting("task", "digits")),
            ["task", "\"digits\"", "no value"],
        ),
    ] {
        assert_eq!(refused(result), expected);
    }
    // Nothing was trained or saved. A note may be another one.
    assert_eq!(contents(&path), saved);
    with_settings(&path, |f| f.setting("hidden", 8).note("rate", 2e-2)).unwrap();
    assert_eq!(contents(&path).get::<f64>("rate").unwrap(), 2e-2);
    let error = with_settings(&path, |f| f.setting("fit.seed", 1)).unwrap_err();
    assert!(
        matches!(
            error,
            TrainError::Setting {
                setting: "setting",
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn a_run_goes_on_from_the_file_of_another() {
    let once = Folder::new("from-once");
    let expected = whole(&once, every(1));
    let half = Folder::new("from-half");
    run(&half, 5, every(1), |f| f).0.unwrap();
    let source = half.file("run.safetensors");
    let before = std::fs::read(&source).unwrap();
    let names = half.names();
    // In a folder of its own; logs begin there.
    let rest = Folder::new("from-rest");
    let (report, module) = run(&rest, EPOCHS, every(1), |f| f.resume_from(&source));
    assert_eq!((report.unwrap(), module), expected);
    assert!(std::fs::read(&source).unwrap() == before);
    assert_eq!(half.names(), names);
    let weights = |folder: &Folder| {
        let file = contents(&folder.file("run.safetensors"));
        let best = file.get::<String>("fit.best").unwrap();
        (file.tensors().clone(), best)
    };
    assert!(weights(&rest) == weights(&once));

    // Without a checkpoint of its own, also where nothing is left to do.
    let train = train();
    for epochs in [1, 2] {
        let first = folder_with_one_epoch(&train);
        let path = first.file("run.safetensors");
        let report = fit(&mut net(), &mut Adam::new(1e-2), &train)
            .epochs(epochs)
            .resume_from(&path)
            .run()
            .unwrap();
        assert_eq!(report.history.len() as u64, epochs);
        assert_eq!(first.names(), ["run.safetensors"]);
    }
    let missing = once.file("none.safetensors");
    let error = fit(&mut net(), &mut Adam::new(1e-2), &train)
        .resume_from(&missing)
        .run()
        .unwrap_err();
    let begin = format!("{}: cannot read the checkpoint: ", missing.display());
    assert!(error.to_string().starts_with(&begin), "{error}");
}

fn folder_with_one_epoch(train: &Clouds) -> Folder {
    let folder = Folder::new("from-first");
    fit(&mut net(), &mut Adam::new(1e-2), train)
        .checkpoint(folder.file("run.safetensors"), every(1))
        .run()
        .unwrap();
    folder
}
