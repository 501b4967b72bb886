//! The example `mlp` as a user runs it: accuracy, determinism, exact resume, errors, kills.

#[path = "support/programs.rs"]
mod programs;

use differentiable::io::Checkpoint;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| programs::program("mlp"))
}

/// A directory of one test's own, in which the program runs.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mlp-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(program());
        command.current_dir(&self.0).args(args.split_whitespace());
        command
    }

    fn run(&self, args: &str) -> Output {
        self.command(args).output().unwrap()
    }

    /// Standard output of a run that must succeed.
    fn succeed(&self, args: &str) -> String {
        let output = self.run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "mlp {args}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The message of a run that must fail with exit code 1 and one line.
    fn fail(&self, args: &str) -> String {
        let output = self.run(args);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "mlp {args}: {errors}");
        assert_eq!(errors.lines().count(), 1, "mlp {args}: {errors}");
        errors
            .trim_end()
            .strip_prefix("error: ")
            .expect("an error message")
            .to_string()
    }

    fn read(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.0.join(file)).unwrap()
    }

    /// Writes a copy of a checkpoint with another value of one of its entries.
    fn edit(&self, from: &str, to: &str, entry: &str, value: &str) {
        let checkpoint = Checkpoint::load(self.0.join(from)).unwrap();
        checkpoint.get::<String>(entry).expect("an entry to change");
        checkpoint.with(entry, value).save(self.0.join(to)).unwrap();
    }

    fn write(&self, file: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(file), contents).unwrap();
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn test_accuracy(stdout: &str) -> f64 {
    let last = stdout.lines().last().expect("some output");
    let number = last
        .strip_prefix("test accuracy: ")
        .expect("the last line is the accuracy");
    assert_eq!(number.len(), "0.xxx".len(), "{last}");
    number.parse().unwrap()
}

/// What the system says of a file that is not there.
fn not_found() -> String {
    std::fs::read("no/such/file").unwrap_err().to_string()
}

/// One row in the form of the digits file, with a value for the first pixel and the label.
fn row(first: &str, label: &str) -> String {
    format!("{first}{},{label}\n", ",0".repeat(63))
}

#[test]
fn learns_the_digits_from_any_directory() {
    let directory = Directory::new("accuracy");
    let found = test_accuracy(&directory.succeed("--plot curves.PNG"));
    assert!((0.97..=1.0).contains(&found), "test accuracy {found}");
    assert!(
        directory
            .read("curves.PNG")
            .starts_with(b"\x89PNG\r\n\x1a\n")
    );
}

#[test]
fn the_same_seed_gives_the_same_bits_and_another_seed_does_not() {
    let directory = Directory::new("seed");
    let flags = "--epochs 3 --hidden 32 --checkpoint";
    let first = directory.succeed(&format!("{flags} a --seed 5"));
    assert_eq!(directory.succeed(&format!("{flags} b --seed 5")), first);
    directory.succeed(&format!("{flags} c --seed 6"));
    assert_eq!(directory.read("a"), directory.read("b"));
    assert_ne!(directory.read("a"), directory.read("c"));
}

#[test]
fn a_resumed_run_ends_in_the_same_bits_as_a_straight_one() {
    for optimizer in ["sgd", "adam", "adamw"] {
        let directory = Directory::new(&format!("resume-{optimizer}"));
        let flags = format!("--optimizer {optimizer} --hidden 32 --batch-size 50 --seed 3");
        let straight = directory.succeed(&format!("{flags} --epochs 6 --checkpoint straight"));
        directory.succeed(&format!("{flags} --epochs 2 --checkpoint half"));
        // The settings come from the checkpoint.
        let resumed = directory.succeed("--resume half --epochs 6 --checkpoint resumed");
        assert_eq!(
            directory.read("resumed"),
            directory.read("straight"),
            "{optimizer}"
        );
        assert_eq!(resumed.lines().last(), straight.lines().last());
        assert!(resumed.starts_with("epoch   3 "), "{resumed}");
        // Nothing is left to do: the run says so and only reports.
        for epochs in [1, 6] {
            let done = directory.succeed(&format!("--resume straight --epochs {epochs}"));
            assert_eq!(
                done.lines().collect::<Vec<_>>(),
                [
                    &*format!(
                        "nothing is left to train: the checkpoint is at epoch 6, and --epochs is {epochs}"
                    ),
                    straight.lines().last().unwrap()
                ]
            );
        }
    }
}

#[test]
fn the_flags_change_what_they_name() {
    let directory = Directory::new("flags");
    let size = |flags: &str| {
        directory.succeed(&format!("--epochs 1 --checkpoint f {flags}"));
        directory.read("f").len()
    };
    // 74·H + H² + H + H + 10 parameters, three tensors each under Adam, 4 bytes a number.
    let parameters = |h: usize| 64 * h + h + h * h + h + h * 10 + 10;
    let grown = size("--hidden 64") - size("--hidden 16");
    let expected = 12 * (parameters(64) - parameters(16));
    assert!(
        grown.abs_diff(expected) < 200,
        "{grown} bytes for {expected}"
    );
    let plain = directory.succeed("--epochs 1 --hidden 16");
    for flags in [
        "--lr 0.01",
        "--batch-size 100",
        "--optimizer adamw --lr 0.1",
        "--seed 9",
    ] {
        assert_ne!(
            directory.succeed(&format!("--epochs 1 --hidden 16 {flags}")),
            plain,
            "{flags}"
        );
    }
}

#[test]
fn bad_data_is_one_line_that_says_where_and_what_was_expected() {
    let directory = Directory::new("data");
    let good = row("1", "2").repeat(20);
    for (contents, message) in [
        (
            String::new(),
            "d.csv: expected at least one row of data, found none",
        ),
        (
            good.clone() + "1,2,3\n",
            "d.csv:21: expected 65 values (64 features and a label), found 3",
        ),
        (
            good.clone() + &row("one", "2"),
            "d.csv:21: expected a finite number in column 1, found \"one\"",
        ),
        (
            row("NaN", "2") + &good,
            "d.csv:1: expected a finite number in column 1, found \"NaN\"",
        ),
        (
            good.clone() + &row("-1", "2"),
            "d.csv:21: expected a number from 0 to 16 in column 1, found \"-1\"",
        ),
        (
            row("17", "2") + &good,
            "d.csv:1: expected a number from 0 to 16 in column 1, found \"17\"",
        ),
        (
            good.clone() + &row("1", "10"),
            "d.csv:21: expected a label from 0 to 9 in column 65, found \"10\"",
        ),
        (
            row("1", "2"),
            "d.csv: expected enough rows to set 20% of each class aside, found 1",
        ),
    ] {
        directory.write("d.csv", contents);
        assert_eq!(directory.fail("--data d.csv"), message);
    }
    // What the system said comes once.
    assert_eq!(
        directory.fail("--data no.csv"),
        format!("no.csv: cannot open the data file: {}", not_found())
    );
    let message = directory.fail("--device abacus");
    let unknown = "--device: there is no device `abacus` in this build, expected `cpu`";
    assert!(message.starts_with(unknown), "{message}");
    let message = directory.fail("--data .");
    let said = message.strip_prefix(".: cannot open the data file: ");
    assert!(said.is_some_and(|said| !said.contains(": ")), "{message}");
    directory.write("d.csv", &good);
    let plain = directory.succeed("--data d.csv --epochs 1 --hidden 16");
    // Spreadsheet programs put a byte order mark before their UTF-8.
    directory.write("d.csv", format!("\u{feff}{good}"));
    assert_eq!(
        directory.succeed("--data d.csv --epochs 1 --hidden 16"),
        plain
    );
}

#[test]
fn the_data_may_be_compressed_or_not() {
    let directory = Directory::new("gzip");
    let digits = concat!(env!("CARGO_MANIFEST_DIR"), "/data/digits.csv.gz");
    let flags = "--epochs 1 --hidden 16";
    let built_in = directory.succeed(flags);
    assert_eq!(
        directory.succeed(&format!("{flags} --data {digits}")),
        built_in
    );
    let bytes = std::fs::read(digits).unwrap();
    directory.write("cut.csv.gz", &bytes[..bytes.len() / 2]);
    let message = directory.fail("--data cut.csv.gz");
    let said = message
        .split_once(": cannot read on: ")
        .map(|(_, said)| said);
    assert!(
        message.starts_with("cut.csv.gz:") && said.is_some_and(|said| !said.contains(": ")),
        "{message}"
    );
}

#[test]
fn bad_checkpoints_are_one_line_that_says_what_was_expected() {
    let directory = Directory::new("checkpoint");
    directory.succeed("--epochs 1 --hidden 16 --checkpoint good --seed 4");
    let bytes = directory.read("good");
    directory.write("cut", &bytes[..bytes.len() - 100]);
    directory.write("foreign", "pixel,label\n".repeat(50));
    directory.write("empty", "");
    for (file, message) in [
        (
            "cut",
            format!(
                "the checkpoint is truncated: expected {} bytes, found {}",
                bytes.len(),
                bytes.len() - 100
            ),
        ),
        (
            "foreign",
            "not a checkpoint: expected a safetensors file, \
             found 600 bytes that are not one (header too large)"
                .to_string(),
        ),
        (
            "empty",
            "not a checkpoint: expected a safetensors file, found an empty file".to_string(),
        ),
        (
            "missing",
            format!("cannot read the checkpoint: {}", not_found()),
        ),
    ] {
        let found = directory.fail(&format!("--resume {file}"));
        assert_eq!(found, format!("{file}: {message}"));
    }
    for (flags, saved, given) in [
        ("--hidden 32", "--hidden 16", "--hidden 32"),
        ("--seed 5", "--seed 4", "--seed 5"),
        ("--optimizer sgd", "--optimizer adam", "--optimizer sgd"),
        ("--batch-size 50", "--batch-size 32", "--batch-size 50"),
    ] {
        assert_eq!(
            directory.fail(&format!("--resume good {flags}")),
            format!("good: the checkpoint was made with {saved}, expected {given}")
        );
    }
    // Weights of another width than the settings say.
    directory.edit("good", "wide", "hidden", "32");
    assert_eq!(
        directory.fail("--resume wide"),
        "wide: the checkpoint does not fit the model: \
         tensor `hidden1.bias` is f32 [16], expected f32 [32]"
    );
}

#[test]
fn an_edited_checkpoint_is_refused_entry_by_entry() {
    let directory = Directory::new("edited");
    directory.succeed("--epochs 2 --hidden 16 --checkpoint good");
    let sizes = "a whole number from 1 to 1000000";
    let rates = "a number above 0, from 1.2e-38 to 3.4e38";
    let widths = "one of 16, 32, 64, 128, 256, 512";
    let history = "2 epochs, as many as are done";
    let count = "a whole number of at least 0";
    for (entry, found, expected) in [
        ("batch-size", "0", sizes),
        ("batch-size", "-1", sizes),
        ("batch-size", "18446744073709551615", sizes),
        ("lr", "-1", rates),
        ("lr", "0", rates),
        ("lr", "nan", rates),
        ("lr", "inf", rates),
        ("lr", "1e-50", rates),
        ("hidden", "17", widths),
        ("optimizer", "Adam", "one of sgd, adam, adamw"),
        ("seed", "x", count),
        ("optimizer.steps", "-1", count),
        ("fit.epoch", "-1", count),
        ("fit.epoch", "x", count),
        ("fit.history", "[]", history),
        ("fit.history", "1 0.5 1", history),
    ] {
        directory.edit("good", "bad", entry, found);
        assert_eq!(
            directory.fail("--resume bad --epochs 3"),
            format!("bad: entry `{entry}` of the checkpoint is {found:?}, expected {expected}")
        );
    }
    // A value that could be is noticed as well.
    directory.edit("good", "steps", "optimizer.steps", "7");
    let message = directory.fail("--resume steps --epochs 3");
    assert!(
        message.starts_with("steps: entry `fit.checksum` of the checkpoint is ")
            && message.ends_with(", the checksum of what the file holds: it is damaged"),
        "{message}"
    );

    let bytes = directory.read("good");
    let header_len = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header = str::from_utf8(&bytes[8..8 + header_len]).unwrap();
    let (quote, renamed) = ("\\\"fit.epoch\\\":", "\\\"fit.epocx\\\":");
    assert_eq!(header.matches(quote).count(), 1, "{header}");
    let header = header.replace(quote, renamed);
    let without = [&bytes[..8], header.as_bytes(), &bytes[8 + header_len..]].concat();
    directory.write("without", without);
    assert_eq!(
        directory.fail("--resume without"),
        "without: the checkpoint has no entry `fit.epoch`, expected one: \
         it was not written by this kind of run"
    );
}

#[test]
fn weights_that_are_not_finite_are_not_blamed_on_the_learning_rate() {
    let directory = Directory::new("nan");
    directory.succeed("--epochs 1 --hidden 16 --checkpoint good");
    let bytes = directory.read("good");
    let data = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    for (bad, found) in [(f32::NAN, "NaN"), (f32::INFINITY, "inf")] {
        let mut damaged = bytes.clone();
        // The tensors follow in the order of their names.
        damaged[data + 4..data + 8].copy_from_slice(&bad.to_le_bytes());
        directory.write("bad", damaged);
        for epochs in [1, 2] {
            assert_eq!(
                directory.fail(&format!("--resume bad --epochs {epochs}")),
                format!(
                    "bad: the checkpoint holds a number that is not finite: {found} at index 1 of \
                     tensor `model.hidden1.bias`, expected finite numbers only"
                )
            );
        }
    }
}

#[test]
fn a_file_that_cannot_be_written_is_found_before_training() {
    let directory = Directory::new("unwritable");
    std::fs::create_dir(directory.0.join("d.png")).unwrap();
    directory.write("file", "");
    for (flag, problem) in [
        ("--checkpoint", "cannot write the checkpoint"),
        ("--plot", "cannot write the plot"),
    ] {
        for file in ["no/such/a.png", "d.png", "file/a.png"] {
            let flags = format!("{flag} {file} --epochs 1 --hidden 16");
            let message = directory.fail(&flags);
            let said = message.strip_prefix(&format!("{file}: {problem}: "));
            assert!(said.is_some_and(|said| !said.contains(": ")), "{message}");
            // No epoch has been reported.
            assert!(directory.run(&flags).stdout.is_empty(), "{flags}");
        }
    }
    // What fails for another reason has not touched the plot of an earlier run.
    directory.write("old.png", "an older plot");
    directory.fail("--plot old.png --checkpoint new --data no.csv");
    assert_eq!(directory.read("old.png"), b"an older plot");
    assert!(!directory.0.join("new").exists());
}

#[test]
fn bad_flags_and_a_diverging_run_are_errors() {
    let directory = Directory::new("usage");
    assert_eq!(
        directory.fail("--plot a.jpg"),
        "a.jpg: expected a name that ends in .png"
    );
    let message = directory.fail("--lr 1e30 --optimizer sgd --epochs 3 --hidden 16");
    assert!(
        message.contains("the learning rate") && message.contains("is too high"),
        "{message}"
    );
    for (flags, said) in [
        ("--epochs 0", "invalid value '0' for '--epochs <EPOCHS>'"),
        ("--batch-size 0", "invalid value '0' for '--batch-size"),
        ("--lr nan", "expected a number above 0"),
        ("--lr=-1", "expected a number above 0"),
        ("--lr=inf", "expected a number above 0"),
        // In single precision this is 0, and nothing would be learnt.
        ("--lr 1e-50", "from 1.2e-38 to 3.4e38"),
        (
            "--hidden 17",
            "[possible values: 16, 32, 64, 128, 256, 512]",
        ),
        ("--what", "unexpected argument '--what' found"),
    ] {
        let output = directory.run(flags);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{flags}: {errors}");
        assert!(
            errors.starts_with("error: ") && errors.contains(said),
            "{flags}: {errors}"
        );
        assert!(output.stdout.is_empty());
    }
    assert!(directory.succeed("--help").contains("--batch-size"));
}

#[test]
fn output_that_nobody_reads_is_an_error_and_no_panic() {
    let directory = Directory::new("pipe");
    let mut child = directory
        .command("--epochs 300 --hidden 16")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.starts_with("error: cannot write to standard output: ")
            && errors.lines().count() == 1,
        "{errors}"
    );
}

#[test]
fn a_killed_run_leaves_a_checkpoint_to_resume() {
    let directory = Directory::new("kill");
    for attempt in 0..5 {
        let mut child = directory
            .command("--epochs 100000 --hidden 512 --batch-size 1000 --checkpoint run")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while !directory.0.join("run").exists() {
            assert!(
                start.elapsed() < Duration::from_secs(120),
                "no checkpoint appeared"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(100 + 13 * attempt));
        child.kill().unwrap();
        child.wait().unwrap();
        // The whole file is there: it says itself how many epochs it holds, and resuming works.
        test_accuracy(&directory.succeed("--resume run --epochs 1"));
    }
}
