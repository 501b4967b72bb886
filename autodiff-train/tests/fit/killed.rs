//! Programs that are killed while they train or save.

use crate::support::{Clouds, Folder, bits, contents, net};
use differentiable::nn::Seeds;
use differentiable::optim::Adam;
use differentiable::train::{Csv, TensorBoard, accuracy, every_steps, fit};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const FOLDER: &str = "DIFFERENTIABLE_FIT_FOLDER";
const EPOCHS: u64 = 12;

/// A run that saves after each step: most of its time goes into saving.
fn run(folder: &Path) -> String {
    let train = Clouds::new(60, 12, 1);
    let mut net = net();
    fit(&mut net, &mut Adam::new(1e-2), &train)
        .epochs(EPOCHS)
        .validate(&train, accuracy)
        .ema(0.9)
        .log(Csv::at(folder.join("run.csv")))
        .log(TensorBoard::at(folder.join("events")))
        .log_steps(1)
        .checkpoint(folder.join("run.safetensors"), every_steps(1))
        .keep_best(2)
        .resume()
        .run()
        .unwrap();
    bits(&net)
}

/// Does nothing by itself; the test below starts it as a program of its own.
#[test]
fn child() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        run(&PathBuf::from(folder));
    }
}

#[test]
fn a_killed_program_goes_on_where_it_was() {
    let calm = Folder::new("calm-child");
    let expected = run(&calm.file(""));
    let program = std::env::current_exe().unwrap();
    let mut seeds = Seeds::new(4);
    let (mut killed, mut torn) = (0, 0);
    for trial in 0..20 {
        let folder = Folder::new("killed-child");
        let path = folder.file("run.safetensors");
        let mut child = Command::new(&program)
            .args(["--exact", "killed::child", "--nocapture"])
            .env(FOLDER, folder.file(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Counted from the first checkpoint: how long a program takes to start is not what is tested.
        while !path.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(seeds.next_seed() % 60));
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        // What a program that was killed while it saved leaves behind.
        torn += usize::from(folder.names().iter().any(|n| n.ends_with(".tmp")));
        // Whatever it was doing, the file is complete.
        let steps: u64 = contents(&path).get("fit.steps").unwrap();
        assert!((1..=60).contains(&steps));
        assert_eq!(
            run(&folder.file("")),
            expected,
            "trial {trial}, killed at step {steps}"
        );
        // The program that goes on removes it.
        let names = folder.names();
        assert!(!names.iter().any(|n| n.ends_with(".tmp")), "{names:?}");
        let csv = |folder: &Folder| std::fs::read_to_string(folder.file("run.csv")).unwrap();
        assert_eq!(csv(&calm), csv(&folder), "trial {trial}");
        let saved = |folder: &Folder| std::fs::read(folder.file("run.safetensors")).unwrap();
        assert!(saved(&calm) == saved(&folder), "trial {trial}");
        let kept = |folder: &Folder| -> Vec<String> {
            let names = folder.names().into_iter();
            names.filter(|n| n.starts_with("run.")).collect()
        };
        assert_eq!(kept(&calm), kept(&folder), "trial {trial}");
    }
    assert!(
        killed >= 5,
        "only {killed} of 20 programs were killed before they had finished"
    );
    // Each save forces its file to the disk, which is most of the time of such a run.
    assert!(
        torn >= 1,
        "none of {killed} programs was killed while it saved"
    );
}
