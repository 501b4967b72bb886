//! Checkpoints: what comes back is what was saved, and every kind of damage is told apart.

use differentiable::io::{Checkpoint, CheckpointError};
use differentiable::nn::Module;
use differentiable::optim::{Adam, Optimizer, Sgd};
use differentiable::prelude::{Tensor, bf16, f16, shape, tensor};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

type Model = (f64, [f32; 3]);
const MODEL: Model = (1.0 / 3.0, [0.1, -0.0, f32::MIN_POSITIVE]);

/// A file name of this test's own, removed when it goes out of scope.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str) -> Self {
        TempFile(std::env::temp_dir().join(format!("{name}-{}.safetensors", std::process::id())))
    }
}

impl AsRef<Path> for TempFile {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn trained() -> (Model, Adam) {
    let (mut model, mut adam) = (MODEL, Adam::new(0.1));
    for step in 0..3 {
        adam.step(&mut model, &(0.5 - step as f64, [1.0, 2.0, step as f32]));
    }
    (model, adam)
}

fn save(file: &TempFile) -> (Model, Adam) {
    let (model, adam) = trained();
    let checkpoint = Checkpoint::new().with_model(&model).with_optimizer(&adam);
    checkpoint
        .with("epoch", 7)
        .with("rate", 0.1)
        .save(file)
        .unwrap();
    (model, adam)
}

#[test]
fn everything_comes_back_bit_for_bit() {
    let file = TempFile::new("roundtrip");
    let (mut model, mut adam) = save(&file);
    let checkpoint = Checkpoint::load(&file).unwrap();
    let (mut back, mut optimizer) = (Model::default(), Adam::new(0.1));
    checkpoint.restore_model(&mut back).unwrap();
    checkpoint.restore_optimizer(&back, &mut optimizer).unwrap();
    assert_eq!(back.0.to_bits(), model.0.to_bits());
    assert_eq!(back.1.map(f32::to_bits), model.1.map(f32::to_bits));
    assert_eq!(checkpoint.get::<u64>("epoch").unwrap(), 7);
    assert_eq!(checkpoint.get::<f64>("rate").unwrap(), 0.1);
    let grad = (0.25, [1.0, -1.0, 3.0]);
    adam.step(&mut model, &grad);
    optimizer.step(&mut back, &grad);
    assert_eq!(back, model);
}

#[test]
fn equal_runs_write_equal_bytes() {
    let (a, b) = (TempFile::new("equal-a"), TempFile::new("equal-b"));
    save(&a);
    save(&b);
    assert_eq!(std::fs::read(&a).unwrap(), std::fs::read(&b).unwrap());
}

#[test]
fn parameters_are_named_by_their_place() {
    assert_eq!(MODEL.param_names(), ["0", "1.0", "1.1", "1.2"]);
    assert_eq!(MODEL.num_params(), 4);
}

#[test]
fn a_file_cut_off_anywhere_is_an_error_on_one_line() {
    let file = TempFile::new("cut");
    save(&file);
    let bytes = std::fs::read(&file).unwrap();
    for length in 0..bytes.len() {
        std::fs::write(&file, &bytes[..length]).unwrap();
        let error = Checkpoint::load(&file).unwrap_err();
        let message = error.to_string();
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(
            message.starts_with(&file.0.display().to_string()),
            "{message}"
        );
        match error {
            CheckpointError::Truncated {
                found, expected, ..
            } if length >= 8 => {
                assert!(found == length as u64 && expected > found, "{message}");
            }
            CheckpointError::Foreign { .. } if length < 8 => {}
            _ => panic!("{length} bytes: {message}"),
        }
    }
    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let expected = format!(
        "{}: the checkpoint is truncated: expected {} bytes, found {}",
        file.0.display(),
        bytes.len(),
        bytes.len() - 1
    );
    assert_eq!(Checkpoint::load(&file).unwrap_err().to_string(), expected);
}

#[test]
fn damaged_headers_never_panic() {
    let file = TempFile::new("damaged");
    save(&file);
    let bytes = std::fs::read(&file).unwrap();
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    for at in 0..header {
        for value in [b'"', b'9'] {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            std::fs::write(&file, &damaged).unwrap();
            // Some damage leaves a readable file with other names: using it must not panic either.
            if let Ok(checkpoint) = Checkpoint::load(&file) {
                let _ = checkpoint.restore_model(&mut Model::default());
                let _ = checkpoint.restore_optimizer(&MODEL, &mut Adam::new(0.1));
            }
        }
    }
}

#[test]
fn other_files_are_told_apart() {
    let file = TempFile::new("foreign");
    let long = "1,2,3\n".repeat(1000);
    for (contents, found) in [
        ("", "an empty file"),
        ("abc", "3 bytes"),
        (&long, "6000 bytes that are not one"),
    ] {
        std::fs::write(&file, contents).unwrap();
        let message = Checkpoint::load(&file).unwrap_err().to_string();
        let expected = format!("not a checkpoint: expected a safetensors file, found {found}");
        assert!(message.contains(&expected), "{message}");
    }
    let missing = std::fs::read("no/such/file").unwrap_err();
    for (error, problem) in [
        (
            Checkpoint::load("no/such/file"),
            "cannot read the checkpoint",
        ),
        (
            Checkpoint::new()
                .save("no/such/file")
                .map(|_| Checkpoint::new()),
            "cannot write the checkpoint",
        ),
        (
            Checkpoint::check_path("no/such/file").map(|_| Checkpoint::new()),
            "cannot write the checkpoint",
        ),
    ] {
        // What the system said comes once.
        assert_eq!(
            error.unwrap_err().to_string(),
            format!("no/such/file: {problem}: {missing}")
        );
    }
}

#[test]
fn what_does_not_fit_names_the_tensor_and_both_kinds() {
    let file = TempFile::new("fit");
    let (model, _) = save(&file);
    let checkpoint = Checkpoint::load(&file).unwrap();
    let said = |e: CheckpointError| e.to_string().split_once(": ").unwrap().1.to_string();

    let mut other = (9.0_f32, [0.0_f32; 3]);
    assert_eq!(
        said(checkpoint.restore_model(&mut other).unwrap_err()),
        "the checkpoint does not fit the model: tensor `0` is f64 [], expected f32 []"
    );
    assert_eq!(other.0, 9.0, "a refused checkpoint changes nothing");
    assert_eq!(
        said(
            checkpoint
                .restore_model(&mut (0.0_f64, [0.0_f32; 4]))
                .unwrap_err()
        ),
        "the checkpoint does not fit the model: tensor `1.3` is missing, expected f32 []"
    );
    assert_eq!(
        said(
            checkpoint
                .restore_model(&mut (0.0_f64, [0.0_f32; 2]))
                .unwrap_err()
        ),
        "the checkpoint does not fit the model: tensor `1.2` (f32 []) is not expected: \
         the model has no such parameter"
    );
    assert_eq!(
        said(
            checkpoint
                .restore_optimizer(&model, &mut Sgd::new(0.1))
                .unwrap_err()
        ),
        "the checkpoint does not fit the optimiser: it was saved by the optimiser `adam`, \
         expected `sgd`"
    );
    assert_eq!(
        said(checkpoint.get::<u64>("loss").unwrap_err()),
        "the checkpoint has no entry `loss`, expected one: it was not written by this kind of run"
    );
    assert_eq!(
        said(checkpoint.get::<u64>("rate").unwrap_err()),
        "entry `rate` of the checkpoint is \"0.1\", expected a whole number of at least 0"
    );
}

#[test]
fn an_entry_is_refused_in_words() {
    let checkpoint = Checkpoint::new()
        .with("rate", -0.5)
        .with("text", "x\n".repeat(100));
    let said = |e: CheckpointError| e.to_string().split_once(": ").unwrap().1.to_string();
    let positive = |key| {
        let rate = checkpoint.get_valid(key, "a number above 0", |&x: &f64| x > 0.0);
        rate.map_err(said)
    };
    assert_eq!(
        positive("rate").unwrap_err(),
        "entry `rate` of the checkpoint is \"-0.5\", expected a number above 0"
    );
    assert_eq!(
        checkpoint
            .get_valid("rate", "", |&x: &f64| x < 0.0)
            .unwrap(),
        -0.5
    );
    // A message stays on one line of bearable length, and names no type of Rust.
    for message in [
        positive("text").unwrap_err(),
        said(checkpoint.get::<std::net::Ipv4Addr>("text").unwrap_err()),
    ] {
        assert!(
            message.lines().count() == 1 && message.len() < 200,
            "{message}"
        );
        assert!(!message.contains("::"), "{message}");
    }
}

#[test]
fn numbers_that_are_not_finite_are_found_and_named() {
    let file = TempFile::new("finite");
    save(&file);
    Checkpoint::load(&file).unwrap().check_finite().unwrap();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        Checkpoint::new()
            .with_model(&(1.0_f64, [0.5_f32, bad]))
            .save(&file)
            .unwrap();
        let checkpoint = Checkpoint::load(&file).unwrap();
        assert_eq!(
            checkpoint.check_finite().unwrap_err().to_string(),
            format!(
                "{}: the checkpoint holds a number that is not finite: {bad} at index 0 of tensor \
                 `model.1.1`, expected finite numbers only",
                file.0.display()
            )
        );
        // Restoring is exact all the same.
        let mut back = (0.0_f64, [0.0_f32; 2]);
        checkpoint.restore_model(&mut back).unwrap();
        assert_eq!(back.1[1].to_bits(), bad.to_bits());
    }
}

#[test]
fn the_highest_count_of_steps_does_not_overflow() {
    let (mut model, mut adam) = trained();
    let mut state = adam.state();
    state.steps = u64::MAX;
    adam.load_state(&model, state).unwrap();
    adam.step(&mut model, &(0.5, [1.0, 2.0, 3.0]));
    assert!(model.0.is_finite() && adam.state().steps == u64::MAX);
}

/// Under this variable the test below is the child: it saves until it is killed.
const SAVE_TO: &str = "CHECKPOINT_TEST_SAVE_TO";

#[test]
fn a_process_killed_while_saving_leaves_a_whole_checkpoint() {
    if let Some(path) = std::env::var_os(SAVE_TO) {
        for round in 0_u64.. {
            let model = vec![round as f64; 20_000];
            Checkpoint::new()
                .with_model(&(model,))
                .with("round", round)
                .save(&path)
                .unwrap();
        }
    }
    let directory = std::env::temp_dir().join(format!("killed-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("run.safetensors");
    let mut interrupted = 0;
    for attempt in 0..12 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "a_process_killed_while_saving_leaves_a_whole_checkpoint",
            ])
            .env(SAVE_TO, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while !path.exists() {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "the child never saved"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(20_000 + 1_370 * attempt));
        child.kill().unwrap();
        child.wait().unwrap();

        let checkpoint = Checkpoint::load(&path).unwrap();
        let mut model = (vec![0.0_f64; 20_000],);
        checkpoint.restore_model(&mut model).unwrap();
        let round = checkpoint.get::<u64>("round").unwrap();
        assert!(
            model.0.iter().all(|&x| x == round as f64),
            "a mixture of two checkpoints"
        );
        interrupted = std::fs::read_dir(&directory).unwrap().count() - 1;
    }
    std::fs::remove_dir_all(&directory).unwrap();
    println!("{interrupted} of 12 kills came in the middle of a save");
}

#[test]
fn tensors_are_stored_in_their_element_type() {
    let file = TempFile::new("halves");
    let wide: Tensor![2, 3] = tensor([[1.5, -0.0, 3e38], [1.0 / 3.0, 1e-40, f32::NAN]]);
    let (brain, half) = (wide.cast::<bf16>(), wide.cast::<f16>());
    let sixty_four = wide.cast::<f64>();
    let checkpoint = Checkpoint::new()
        .with_tensor("wide", &wide)
        .with_tensor("brain", &brain.transpose::<0, 1>())
        .with_tensor("half", &half)
        .with_tensor("double", &sixty_four);
    checkpoint.save(&file).unwrap();
    let loaded = Checkpoint::load(&file).unwrap();
    let shape = wide.shape();
    fn bits<T: Copy, B>(x: &[T], bits: impl Fn(T) -> B) -> Vec<B> {
        x.iter().map(|&x| bits(x)).collect()
    }
    let found: Tensor![bf16; 3, 2] = loaded.tensor("brain", Default::default()).unwrap();
    assert_eq!(
        bits(&found.transpose::<0, 1>().to_vec(), bf16::to_bits),
        bits(&brain.to_vec(), bf16::to_bits)
    );
    let found: Tensor![f16; 2, 3] = loaded.tensor("half", shape).unwrap();
    assert_eq!(
        bits(&found.to_vec(), f16::to_bits),
        bits(&half.to_vec(), f16::to_bits)
    );
    let found: Tensor![f64; 2, 3] = loaded.tensor("double", shape).unwrap();
    assert_eq!(
        bits(&found.to_vec(), f64::to_bits),
        bits(&sixty_four.to_vec(), f64::to_bits)
    );
    let said = |e: CheckpointError| e.to_string().split_once(": ").unwrap().1.to_string();
    assert_eq!(
        said(loaded.tensor::<_, bf16>("half", shape).unwrap_err()),
        "the checkpoint does not fit the model: tensor `half` is f16 [2, 3], expected bf16 [2, 3]"
    );
    assert_eq!(
        said(
            loaded
                .tensor::<shape![6], f32>("wide", Default::default())
                .unwrap_err()
        ),
        "the checkpoint does not fit the model: tensor `wide` is f32 [2, 3], expected f32 [6]"
    );
    assert_eq!(
        said(loaded.tensor::<_, f32>("none", shape).unwrap_err()),
        "the checkpoint does not fit the model: tensor `none` is missing, expected f32 [2, 3]"
    );
    assert!(loaded.check_finite().is_err());
}
