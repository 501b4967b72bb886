//! The example `mlp` as a user runs it: accuracy, determinism, exact resume, errors, kills.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The built example, of the profile this test was built with.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        // target/PROFILE/deps/mlp_cli-HASH
        let test = std::env::current_exe().unwrap();
        let profile = test.parent().unwrap().parent().unwrap();
        // Fresh after `cargo test`, which builds examples; but not after `cargo test --test mlp_cli`.
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--example", "mlp"]);
        build.args([
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ]);
        if profile.ends_with("release") {
            build.arg("--release");
        }
        build.env("CARGO_TARGET_DIR", profile.parent().unwrap());
        assert!(
            build.status().unwrap().success(),
            "the example does not build"
        );
        profile
            .join("examples")
            .join(format!("mlp{}", std::env::consts::EXE_SUFFIX))
    })
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
        // Nothing is left to do: the run only reports.
        let done = directory.succeed("--resume straight --epochs 6");
        assert_eq!(
            done.lines().collect::<Vec<_>>(),
            [straight.lines().last().unwrap()]
        );
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
    assert!(
        directory
            .fail("--data no.csv")
            .starts_with("no.csv: cannot open the data file: ")
    );
    assert!(
        directory
            .fail("--data .")
            .starts_with(".: cannot open the data file: ")
    );
    directory.write("d.csv", good);
    directory.succeed("--data d.csv --epochs 1 --hidden 16");
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
    assert!(
        message.starts_with("cut.csv.gz:") && message.contains(": cannot read on: "),
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
            "not a checkpoint: expected a safetensors file, found 600 bytes".to_string(),
        ),
        (
            "empty",
            "not a checkpoint: expected a safetensors file, found an empty file".to_string(),
        ),
        ("missing", "cannot read the checkpoint: ".to_string()),
    ] {
        let found = directory.fail(&format!("--resume {file}"));
        assert!(found.starts_with(&format!("{file}: {message}")), "{found}");
    }
    for (flags, saved, given) in [
        ("--hidden 32", "--hidden 16", "--hidden 32"),
        ("--seed 5", "--seed 4", "--seed 5"),
        ("--optimizer sgd", "--optimizer adam", "--optimizer sgd"),
    ] {
        assert_eq!(
            directory.fail(&format!("--resume good {flags}")),
            format!("good: the checkpoint was made with {saved}, expected {given}")
        );
    }
    assert!(
        directory
            .fail("--epochs 1 --checkpoint no/such/directory/file")
            .starts_with("no/such/directory/file: cannot write the checkpoint: ")
    );
}

#[test]
fn bad_flags_and_a_diverging_run_are_errors() {
    let directory = Directory::new("usage");
    assert_eq!(
        directory.fail("--plot a.jpg"),
        "a.jpg: expected a name that ends in .png"
    );
    let message = directory.fail("--epochs 1 --hidden 16 --plot no/such/a.png");
    assert!(
        message.starts_with("no/such/a.png: cannot write the plot: "),
        "{message}"
    );
    let message = directory.fail("--lr 1e30 --optimizer sgd --epochs 3 --hidden 16");
    assert!(
        message.contains("the learning rate") && message.contains("is too high"),
        "{message}"
    );
    for flags in [
        "--epochs 0",
        "--batch-size 0",
        "--lr nan",
        "--lr -1",
        "--hidden 17",
        "--what",
    ] {
        assert_eq!(directory.run(flags).status.code(), Some(2), "{flags}");
    }
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
