//! What a stranger's machine does to a run: full disks, damaged files, wrong paths, wrong numbers.

use crate::support::{Batch, Clouds, Folder, Rows, bits, net, plain};
use differentiable::data::{DataError, Dataset, Loader};
use differentiable::nn::*;
use differentiable::optim::{Adam, Sgd};
use differentiable::prelude::*;
use differentiable::train::metrics::{Averaging, f1, perplexity, top_k};
use differentiable::train::{
    Csv, JsonLines, Metric, Objective, Predict, Report, StepError, TensorBoard, TrainError,
    accuracy, evaluate, every, fit, train_step,
};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FOLDER: &str = "DIFFERENTIABLE_ROBUST_FOLDER";

/// The error of a result, which is one line.
fn one_line<T>(result: Result<T, TrainError>) -> String {
    let text = result.err().expect("an error").to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

fn run(path: &Path, epochs: u64) -> (Result<Report, TrainError>, String) {
    let mut net = net();
    let report = fit(&mut net, &mut Adam::new(1e-2), &Clouds::new(44, 8, 1))
        .epochs(epochs)
        .checkpoint(path, every(1))
        .resume()
        .run();
    (report, bits(&net))
}

/// Goes on with a run in a folder that has no room left, by the process that [`no_file_grows`] starts: writes the error.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let folder = PathBuf::from(folder);
    let said = one_line(run(&folder.join("run.safetensors"), 4).0);
    println!("said: {said}");
    let log = folder.join("log.csv");
    let mut net = plain();
    let logged = fit(&mut net, &mut Sgd::new(1e-2), &Clouds::new(4000, 1, 1))
        .log(Csv::at(&log))
        .log_steps(1)
        .run();
    println!("said: {}", one_line(logged));
}

/// Starts this program with files limited to some blocks of 512 bytes, as on a full disk.
#[cfg(unix)]
fn with_small_files(blocks: usize, folder: &Path) -> Output {
    // The signal that ends a program at the limit is ignored, so that writing fails instead.
    let script =
        format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" --exact robust::child --nocapture");
    Command::new("sh")
        .args(["-c", &script])
        .arg(std::env::current_exe().unwrap())
        .env(FOLDER, folder)
        .output()
        .unwrap()
}

/// A disk without room: the error names the file, and the last checkpoint stays as it was.
#[cfg(unix)]
#[test]
fn no_file_grows() {
    let folder = Folder::new("small-files");
    let path = folder.file("run.safetensors");
    run(&path, 2).0.unwrap();
    let before = std::fs::read(&path).unwrap();
    let output = with_small_files(4, &folder.file(""));
    let text = String::from_utf8(output.stdout).unwrap();
    let said: Vec<&str> = text
        .lines()
        .filter_map(|l| l.split_once("said: "))
        .map(|l| l.1)
        .collect();
    assert_eq!(said.len(), 2, "{text}");
    let begin = format!("{}: cannot write the checkpoint: ", path.display());
    assert!(said[0].starts_with(&begin), "{}", said[0]);
    let begin = format!(
        "{}: cannot write the log: ",
        folder.file("log.csv").display()
    );
    assert!(said[1].starts_with(&begin), "{}", said[1]);
    // Nothing half written is left, and the run goes on once there is room.
    assert!(std::fs::read(&path).unwrap() == before);
    assert_eq!(folder.names(), ["log.csv", "run.safetensors"]);
    let (report, module) = run(&path, 4);
    let whole = Folder::new("large-files");
    let (expected, once) = run(&whole.file("run.safetensors"), 4);
    assert_eq!((report.unwrap(), module), (expected.unwrap(), once));
}

/// A mounted disk that is removed at the end.
struct Disk(PathBuf);

impl Disk {
    fn mount(at: PathBuf, size: &str) -> Option<Disk> {
        std::fs::create_dir_all(&at).unwrap();
        let options = format!("size={size}");
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(&at)
            .output();
        match mount {
            Ok(output) if output.status.success() => Some(Disk(at)),
            Ok(output) => {
                eprintln!(
                    "skipped: {}",
                    String::from_utf8_lossy(&output.stderr).trim()
                );
                None
            }
            Err(error) => {
                eprintln!("skipped: there is no program `mount`: {error}");
                None
            }
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_disk_is_full() {
    let folder = Folder::new("full-disk");
    let Some(disk) = Disk::mount(folder.file("disk"), "128k") else {
        return;
    };
    let path = disk.0.join("run.safetensors");
    run(&path, 1).0.unwrap();
    let before = std::fs::read(&path).unwrap();
    // What is left is filled, but for a page of the small files that are made first.
    let filler = disk.0.join("filler");
    let mut size = 128 * 1024;
    while std::fs::write(&filler, vec![0; size]).is_err() {
        size -= 1024;
    }
    let said = one_line(run(&path, 3).0);
    let begin = format!(
        "{}: cannot write the checkpoint: No space left",
        path.display()
    );
    assert!(said.starts_with(&begin), "{said}");
    assert!(std::fs::read(&path).unwrap() == before);
    for name in ["log.csv", "log.jsonl", "events"] {
        let at = disk.0.join(name);
        let (mut net, mut sgd, train) = (plain(), Sgd::new(1e-2), Clouds::new(4000, 1, 1));
        let run = fit(&mut net, &mut sgd, &train).log_steps(1);
        let run = match name {
            "log.csv" => run.log(Csv::at(&at)),
            "log.jsonl" => run.log(JsonLines::at(&at)),
            _ => run.log(TensorBoard::at(&at)),
        };
        let said = one_line(run.run());
        let begin = at.display().to_string();
        assert!(said.starts_with(&begin), "{said}");
        assert!(
            said.contains(": cannot write the log: No space left"),
            "{said}"
        );
    }
    std::fs::remove_file(&filler).unwrap();
    let (report, _) = run(&path, 3);
    assert_eq!(report.unwrap().history.len(), 3);
}

#[test]
fn any_flipped_bit_of_a_checkpoint_is_noticed() {
    let folder = Folder::new("flipped");
    let path = folder.file("run.safetensors");
    run(&path, 1).0.unwrap();
    let whole = std::fs::read(&path).unwrap();
    let step = if cfg!(debug_assertions) { 11 } else { 1 };
    for at in (0..whole.len()).step_by(step) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(&path, &bytes).unwrap();
        let mut net = net();
        let before = bits(&net);
        let result = fit(&mut net, &mut Adam::new(1e-2), &Clouds::new(44, 8, 1))
            .epochs(2)
            .checkpoint(&path, every(1))
            .resume()
            .run();
        let said = one_line(result);
        assert!(
            said.starts_with(&path.display().to_string()),
            "byte {at}: {said}"
        );
        assert_eq!(before, bits(&net), "byte {at} changed the module: {said}");
        assert!(std::fs::read(&path).unwrap() == bytes, "byte {at}");
    }
    std::fs::write(&path, &whole).unwrap();
    run(&path, 2).0.unwrap();
}

#[test]
fn paths_that_are_something_else() {
    let folder = Folder::new("paths");
    let said = one_line(run(&folder.file(""), 1).0);
    assert!(said.contains(": cannot write the checkpoint: "), "{said}");
    let missing = folder.file("none/run.safetensors");
    let said = one_line(run(&missing, 1).0);
    let begin = format!(
        "{}: cannot write the checkpoint: No such file",
        missing.display()
    );
    assert!(said.starts_with(&begin), "{said}");
    std::fs::write(folder.file("file"), b"").unwrap();
    for path in [folder.file(""), folder.file("file/run.csv")] {
        let (mut net, mut sgd, train) = (plain(), Sgd::new(1e-2), Clouds::new(8, 8, 1));
        let said = one_line(fit(&mut net, &mut sgd, &train).log(Csv::at(&path)).run());
        assert!(said.contains(": cannot write the log: "), "{said}");
    }
}

/// Skipped by root, who may read everything.
#[cfg(unix)]
#[test]
fn a_checkpoint_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("forbidden");
    let path = folder.file("run.safetensors");
    run(&path, 1).0.unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        eprintln!("skipped: this user may read every file");
        return;
    }
    let said = one_line(run(&path, 2).0);
    let begin = format!(
        "{}: cannot read the checkpoint: Permission denied",
        path.display()
    );
    assert!(said.starts_with(&begin), "{said}");
}

fn rows(change: impl Fn(usize, &mut f32)) -> Vec<(Tensor![4], i64)> {
    let row = |i: usize| {
        let mut value = i as f32 / 10.0;
        change(i, &mut value);
        (Tensor::full(value), i as i64 % 3)
    };
    (0..20).map(row).collect()
}

#[test]
fn a_number_in_the_data_is_nan() {
    let loader = Loader::new(rows(|i, x| *x = if i == 13 { f32::NAN } else { *x }), 4).stack(Batch);
    let mut net = net();
    let error = fit(&mut net, &mut Adam::new(1e-2), &loader).run();
    assert_eq!(
        one_line(error),
        "step 4 (epoch 1, batch 4): the loss is NaN, expected a finite number: all parameters are finite, but \
         activation `hidden` holds NaN at index 0"
    );
}

#[test]
fn there_is_no_data() {
    let none: Vec<(Tensor![4], i64)> = Vec::new();
    let error = Loader::try_new(&none, 4).expect_err("no rows");
    assert!(matches!(error, DataError::NoRows));
    let error = fit(&mut plain(), &mut Sgd::new(0.1), &Clouds::new(0, 4, 1)).run();
    assert_eq!(
        one_line(error),
        "the training source has no batches, expected at least one"
    );
}

/// The message, without the place in the program, whose line is checked to be in a file of this test.
fn without_place(said: &str) -> String {
    let (before, rest) = said.split_once("` at ").expect("an operation and a place");
    let (place, after) = rest.split_once(": ").expect("a place and what is wrong");
    let (file, line) = place.split_once(".rs:").expect("a file and a line");
    assert!(file.ends_with("tests/fit/support"), "{place}");
    assert!(line.split(':').all(|n| n.parse::<u32>().is_ok()), "{place}");
    format!("{before}`: {after}")
}

/// A label that is no class ends the run with a message that names it; the module and its checkpoint stay as they were.
#[test]
fn a_label_is_out_of_range() {
    let folder = Folder::new("label");
    let path = folder.file("run.safetensors");
    for (label, what) in [(3, "3"), (-1, "-1"), (i64::MAX, "9223372036854775807")] {
        let mut data = rows(|_, _| ());
        data[6].1 = label;
        for workers in [0, 2] {
            let _ = std::fs::remove_file(&path);
            let good = Loader::new(rows(|_, _| ()), 4).stack(Batch);
            let loader = Loader::new(data.clone(), 4).workers(workers).stack(Batch);
            let mut net = plain();
            let mut sgd = Sgd::new(0.1);
            fit(&mut net, &mut sgd, &good)
                .checkpoint(&path, every(1))
                .run()
                .unwrap();
            let file = std::fs::read(&path).unwrap();
            let mut at_step_1 = None;
            let run = fit(&mut net, &mut sgd, &loader).on_step(|step| at_step_1 = Some(step.step));
            let said = one_line(run.run());
            assert_eq!(
                without_place(&said),
                format!(
                    "step 2 (epoch 1, batch 2, row 6 of the data set): `cross_entropy`: index {what} at position 2 is \
                     out of range: there are 3 entries, 0 to 2"
                )
            );
            assert_eq!(at_step_1, Some(1));
            assert!(std::fs::read(&path).unwrap() == file);
        }
    }
}

/// A step that fails changes nothing: neither the module nor its buffers.
#[test]
fn a_step_with_a_wrong_label_changes_nothing() {
    let (x, y) = (Tensor::ones_with((Batch(2), Sz)), tensor([0_i64, 7]));
    let y = Tensor::from_vec_with((Batch(2),), y.to_vec()).unwrap();
    let mut net = net();
    let before = bits(&net);
    let mut ctx = Ctx::train(&net, 1);
    let error = train_step(&mut net, &mut Adam::new(0.1), &(x, y), &mut ctx).unwrap_err();
    let StepError::OutOfRange(found) = &error else {
        panic!("{error}")
    };
    assert_eq!((found.operation, found.entries), ("cross_entropy", 2));
    assert_eq!((found.error.found, found.error.len), (7, 3));
    assert_eq!(bits(&net), before);
}

/// In the validation as well, also where only a metric looks at the label.
#[test]
fn a_label_of_the_validation_is_out_of_range() {
    let good = Loader::new(rows(|_, _| ()), 4).stack(Batch);
    let mut data = rows(|_, _| ());
    data[19].1 = 3;
    let bad = Loader::new(data, 4).stack(Batch);
    let (mut net, mut sgd) = (net(), Sgd::new(0.1));
    let run = fit(&mut net, &mut sgd, &good).validate(&bad, accuracy);
    assert_eq!(
        without_place(&one_line(run.run())),
        "validation of epoch 1 (batch 5, row 19 of the data set): `cross_entropy`: index 3 at position 3 is out of \
         range: there are 3 entries, 0 to 2"
    );
    /// Its loss has no labels.
    #[module]
    struct Mute {
        out: Linear<4, 3>,
    }
    #[differentiable]
    impl Objective<Rows> for Mute {
        fn loss(&self, batch: &Rows, _ctx: &mut Ctx) -> Tensor![] {
            self.out.forward(&batch.0).square().mean()
        }
    }
    impl Predict<Rows> for Mute {
        type Output = Tensor![Batch, 3];
        type Target = Tensor![i64; Batch];
        fn predict(&self, (x, y): &Rows, _: &mut Ctx) -> (Self::Output, Self::Target) {
            (self.out.forward(x), y.clone())
        }
    }
    let metrics: [&dyn Metric<Mute, Rows>; 4] =
        [&accuracy, &top_k(2), &perplexity(), &f1(Averaging::Macro)];
    for (metric, name) in metrics
        .into_iter()
        .zip(["accuracy", "top_k", "perplexity", "f1"])
    {
        let mute = Mute::new(&mut Seeds::new(1));
        let said = one_line(evaluate(&mute, &bad, &[metric]));
        let begin = "validation of epoch 1 (batch 5, row 19 of the data set): ";
        assert!(said.starts_with(&format!("{begin}`{name}` at ")), "{said}");
        assert!(said.contains("index 3 at position 3"), "{said}");
    }
}

/// Readers and data sets find it before the loss does.
#[test]
fn a_data_set_whose_labels_are_checked() {
    let mut data = rows(|_, _| ());
    data[6].1 = 3;
    let loader = Loader::new(data.labels_below(3, |row| row.1), 4).stack(Batch);
    let said = one_line(fit(&mut plain(), &mut Sgd::new(0.1), &loader).run());
    assert_eq!(
        said,
        "epoch 1, batch 2 of the training source: row 6 of the data set: expected a class from 0 to 2, found 3"
    );
}
