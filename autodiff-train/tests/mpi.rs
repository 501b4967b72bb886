//! `fit` by ranks that are processes: this program starts itself by `mpirun`. Without `mpirun` it says so and passes.

#![allow(clippy::type_complexity)] // shapes are types

use differentiable::data::Loader;
use differentiable::dist::{self, Zero};
use differentiable::io::Checkpoint;
use differentiable::nn::*;
use differentiable::optim::AdamW;
use differentiable::prelude::*;
use differentiable::train::{Csv, Objective, every, every_steps, fit};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

dim!(Batch);
type Rows = (Tensor![Batch, 4], Tensor![i64; Batch]);

#[module]
struct Net {
    hidden: Linear<4, 32>,
    out: Linear<32, 3>,
}

#[differentiable]
impl Objective<Rows> for Net {
    fn loss(&self, (x, y): &Rows, _ctx: &mut Ctx) -> Tensor![] {
        self.out
            .forward(&self.hidden.forward(x).tanh())
            .cross_entropy(y)
    }
}

const STEPS: u64 = 40;

/// What a rank does: nothing here says that there are several.
fn rank(folder: &Path, zero: bool) {
    let row = |i: usize| (Tensor::<shape![4]>::randn(i as u64), (i % 3) as i64);
    let rows: Vec<_> = (0..32).map(row).collect();
    let train = Loader::new(&rows, 8).shuffle(2).stack(Batch);
    let mut net = Net::new(&mut Seeds::new(1));
    let ranks = dist::init().unwrap_or_else(|e| panic!("{e}"));
    let pid = folder.join(format!("pid-{}", ranks.rank()));
    std::fs::write(pid, std::process::id().to_string()).unwrap();
    let file = folder.join("run.safetensors");
    let mut adam = AdamW::new(1e-2).clip_norm(0.5);
    let ended = match zero {
        false => fit(&mut net, &mut adam, &train)
            .epochs(STEPS / 4)
            .validate_loss(&train)
            .log(Csv::at(folder.join("run.csv")))
            .checkpoint(&file, every_steps(1))
            .resume()
            .run(),
        true => fit(&mut net, &mut Zero::new(adam, &ranks), &train)
            .epochs(STEPS / 4)
            .checkpoint(&file, every(1))
            .resume()
            .run(),
    };
    if let Err(error) = ended {
        // In one write: the lines of several ranks would mix.
        let line = format!("rank {}: {error}\n", ranks.rank());
        eprint!("{line}");
        std::process::exit(1);
    }
}

fn main() {
    if let Some(folder) = std::env::var_os("FOLDER") {
        return rank(&PathBuf::from(folder), std::env::var_os("ZERO").is_some());
    }
    if Command::new("mpirun").arg("--version").output().is_err() {
        return println!("there is no mpirun: nothing is tested");
    }
    let alone = finished(1, false);
    for (size, zero) in [(2, false), (4, false), (2, true), (4, true)] {
        close(&finished(size, zero), &alone, size);
    }
    kills(&alone);
    full_disk();
    println!("all scenarios passed");
}

fn close(found: &[f32], expected: &[f32], size: usize) {
    let norm = |x: &mut dyn Iterator<Item = f32>| x.map(|x| x * x).sum::<f32>().sqrt();
    let apart = norm(&mut found.iter().zip(expected).map(|(a, b)| a - b));
    let far = apart / norm(&mut expected.iter().copied());
    assert!(far < 1e-6, "{size} ranks: relative difference {far:e}");
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mpi-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
    fn file(&self) -> PathBuf {
        self.0.join("run.safetensors")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn launch(size: usize, folder: &Folder) -> Command {
    let mut command = Command::new("mpirun");
    command
        .args([
            "--allow-run-as-root",
            "--oversubscribe",
            "-n",
            &size.to_string(),
        ])
        .env("FOLDER", &folder.0)
        .env("RAYON_NUM_THREADS", "1");
    command
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// The weights of a run.
fn weights(path: &Path) -> Vec<f32> {
    let mut net = Net::new(&mut Seeds::new(9));
    let checkpoint = Checkpoint::load(path).unwrap();
    assert_eq!(checkpoint.get::<u64>("fit.steps").unwrap(), STEPS);
    checkpoint.restore_model(&mut net).unwrap();
    [net.hidden.weight.to_vec(), net.out.weight.to_vec()].concat()
}

fn finished(size: usize, zero: bool) -> Vec<f32> {
    let folder = Folder::new("run");
    let mut command = launch(size, &folder);
    if zero {
        command.env("ZERO", "1");
    }
    let output = command
        .arg(std::env::current_exe().unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    println!("{size} ranks, ZeRO {zero}: done");
    weights(&folder.file())
}

/// A random rank is killed at a random time, 20 times; the run goes on each time, by another number of ranks, and ends as one that was
/// never killed.
fn kills(alone: &[f32]) {
    let mut seeds = Seeds::new(7);
    let (mut killed, mut folder) = (0, Folder::new("killed"));
    while killed < 20 {
        let size = 2 + (seeds.next_seed() % 3) as usize;
        let _ = std::fs::remove_file(folder.0.join(format!("pid-{}", size - 1)));
        let mut job = launch(size, &folder)
            .arg(std::env::current_exe().unwrap())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let victim = seeds.next_seed() as usize % size;
        let pid = folder.0.join(format!("pid-{victim}"));
        let start = Instant::now();
        while !pid.exists() && job.try_wait().unwrap().is_none() {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "a job does not start"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(seeds.next_seed() % 25));
        if let Ok(pid) = std::fs::read_to_string(&pid) {
            let _ = Command::new("kill")
                .args(["-9", &pid])
                .stderr(Stdio::null())
                .status();
        }
        let killed_at = Instant::now();
        let output = job.wait_with_output().unwrap();
        assert!(
            killed_at.elapsed() < Duration::from_secs(20),
            "the others went on: {}",
            said(&output)
        );
        for rank in 0..4 {
            let _ = std::fs::remove_file(folder.0.join(format!("pid-{rank}")));
        }
        if output.status.success() {
            // It was done before.
            close(&weights(&folder.file()), alone, size);
            folder = Folder::new("killed");
            continue;
        }
        killed += 1;
        // Whatever a rank was doing, the file is complete.
        if folder.file().exists() {
            let steps: u64 = Checkpoint::load(folder.file())
                .unwrap()
                .get("fit.steps")
                .unwrap();
            assert!((1..=STEPS).contains(&steps));
        }
    }
    let output = launch(3, &folder)
        .arg(std::env::current_exe().unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    close(&weights(&folder.file()), alone, 3);
    println!("20 kills: no lost checkpoint");
}

/// The disk of rank 0 is full: its error has the file, the others name rank 0, and nobody hangs.
fn full_disk() {
    let folder = Folder::new("full");
    let script = "trap '' XFSZ; [ \"$OMPI_COMM_WORLD_RANK\" = 0 ] && ulimit -f 1; exec \"$0\"";
    let output = launch(3, &folder)
        .args(["bash", "-c", script])
        .arg(std::env::current_exe().unwrap())
        .output()
        .unwrap();
    let text = said(&output);
    assert!(!output.status.success(), "{text}");
    assert!(
        text.contains("rank 0: ") && text.contains("run.safetensors"),
        "{text}"
    );
    let named =
        text.matches("rank 0 could not go on").count() + text.matches("rank 0 has ended").count();
    assert!(named >= 1, "{text}");
    println!("full disk: all ranks ended");
}
