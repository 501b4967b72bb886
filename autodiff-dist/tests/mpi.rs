//! Ranks that are processes. This program starts itself by `mpirun`, for each scenario; without `mpirun` it says so and passes.

#![allow(clippy::type_complexity)] // shapes are types

#[path = "schemes/mod.rs"]
mod by;
mod engine;

extern crate autodiff_nn as differentiable;

use autodiff_dist::dist::{self, Numbers, Ranks, Reduce};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn main() {
    if let Ok(scenario) = std::env::var("SCENARIO") {
        return rank(&scenario);
    }
    if Command::new("mpirun").arg("--version").output().is_err() {
        return println!("there is no mpirun: nothing is tested");
    }
    for size in [1, 2, 4] {
        good("calls", size, &[]);
    }
    // Every scheme trains every network as one rank does.
    for size in [1, 2, 4] {
        good("schemes", size, &[("RAYON_NUM_THREADS", "1")]);
    }
    good("stress", 2, &[]);
    good("overlap", 2, &[]);

    // Only a debug build looks for it.
    if cfg!(debug_assertions) {
        let (output, _) = run("mismatch", 2, &[]);
        let text = said(&output);
        assert!(
            text.contains("the ranks disagree in call number 2"),
            "{text}"
        );
        assert!(text.contains("all_reduce of 4 f32 by sum"), "{text}");
        assert!(text.contains("broadcast of 4 f32 from rank 0"), "{text}");
    }

    let limit = [("DIFFERENTIABLE_RANK_LIMIT", "2")];
    for scenario in ["hang", "stop"] {
        let (output, took) = run(scenario, 3, &limit);
        let text = said(&output);
        assert!(!output.status.success(), "{text}");
        assert!(
            text.contains("rank 1 did not come within 2s"),
            "{scenario}: {text}"
        );
        assert!(took < Duration::from_secs(15), "{scenario} took {took:?}");
    }
    let (output, took) = run("killed", 3, &[]);
    let text = said(&output);
    assert!(!output.status.success(), "{text}");
    assert!(
        text.contains("process rank 1") && text.contains("signal 9"),
        "{text}"
    );
    assert!(
        took < Duration::from_secs(15),
        "a killed rank took {took:?}"
    );
    for scenario in ["leaves", "panics", "fails"] {
        let (output, took) = run(scenario, 3, &[]);
        let text = said(&output);
        assert!(!output.status.success(), "{text}");
        let expected = match scenario {
            "fails" => "rank 1 could not go on: no room on the disk",
            _ => "rank 1 has ended, and this rank waits for it in barrier",
        };
        assert!(text.contains(expected), "{scenario}: {text}");
        assert!(took < Duration::from_secs(15), "{scenario} took {took:?}");
    }
    println!("all scenarios passed");
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

fn run(scenario: &str, size: usize, variables: &[(&str, &str)]) -> (Output, Duration) {
    let start = Instant::now();
    let output = Command::new("mpirun")
        .args([
            "--allow-run-as-root",
            "--oversubscribe",
            "-n",
            &size.to_string(),
        ])
        .arg(std::env::current_exe().unwrap())
        .env("SCENARIO", scenario)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    println!("{scenario} on {size} ranks: {:?}", start.elapsed());
    (output, start.elapsed())
}

fn good(scenario: &str, size: usize, variables: &[(&str, &str)]) {
    let (output, _) = run(scenario, size, variables);
    assert!(
        output.status.success(),
        "{scenario} on {size} ranks: {}",
        said(&output)
    );
    assert_eq!(said(&output).matches("rank is done").count(), size);
}

fn rank(scenario: &str) {
    let ranks = dist::init().unwrap();
    let me = ranks.rank();
    let stay = || ranks.barrier().unwrap_or_else(|e| panic!("{e}"));
    match scenario {
        "calls" => engine::every_call(&ranks),
        "schemes" => by::all(&ranks),
        "stress" => engine::random_calls(&ranks, 2000, 3),
        "overlap" => overlap(&ranks),
        "mismatch" => {
            ranks.barrier().unwrap();
            let x = Numbers::F32(vec![0.0; 4]);
            let call = match me {
                0 => ranks.broadcast(x, 0),
                _ => ranks.all_reduce(x, Reduce::Sum),
            };
            call.wait().unwrap_or_else(|e| panic!("{e}"));
        }
        "hang" => match me {
            1 => std::thread::sleep(Duration::from_secs(60)),
            _ => stay(),
        },
        "stop" => match me {
            1 => signal("STOP"),
            _ => stay(),
        },
        "killed" => match me {
            1 => signal("KILL"),
            _ => stay(),
        },
        "leaves" => match me {
            1 => {}
            _ => stay(),
        },
        "panics" => match me {
            1 => panic!("of rank 1"),
            _ => stay(),
        },
        "fails" => {
            if me == 1 {
                ranks.abort("no room on the disk");
            }
            stay();
        }
        other => panic!("no scenario {other}"),
    }
    println!("rank is done");
}

/// Calls run beside the computation: nobody waits, and yet they end.
fn overlap(ranks: &Ranks) {
    let pending = ranks.all_reduce(Numbers::F32(vec![1.0; 1 << 20]), Reduce::Sum);
    let start = Instant::now();
    while !pending.is_done() {
        assert!(start.elapsed() < Duration::from_secs(30));
        std::hint::spin_loop();
    }
    assert_eq!(pending.wait_for::<f32>().unwrap()[7], 2.0);
}

fn signal(name: &str) {
    let me = std::process::id().to_string();
    Command::new("kill")
        .args([&format!("-{name}"), &me])
        .status()
        .unwrap();
    std::thread::sleep(Duration::from_secs(60));
}
