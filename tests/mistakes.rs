//! Mistakes that users make, one in each program of `tests/mistakes`, and how much the compiler
//! says about each: `counts.txt` has the errors and the lines.
//!
//! The goal is one error of at most fifteen lines. A mistake that has reached it may not leave it,
//! and the others may not get longer. Record better counts with `BLESS=1 cargo test -p differentiable --test mistakes`;
//! that never raises a count. New mistakes are recorded as they are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

/// What the compiler says about one program.
#[derive(Clone, Copy, Debug)]
struct Count {
    errors: usize,
    lines: usize,
}

impl Count {
    const GOAL: Count = Count {
        errors: 1,
        lines: 15,
    };

    fn within(self, limit: Count) -> bool {
        self.errors <= limit.errors && self.lines <= limit.lines
    }

    /// What a program may reach that has reached `self` before.
    fn limit(self) -> Count {
        if self.within(Count::GOAL) {
            Count::GOAL
        } else {
            self
        }
    }

    /// Counts what the compiler wrote, without its closing remarks.
    fn of(stderr: &str) -> Count {
        let mut count = Count {
            errors: 0,
            lines: 0,
        };
        for line in stderr.lines() {
            if line.starts_with("error: aborting due to") {
                break;
            }
            count.errors += usize::from(line.starts_with("error"));
            count.lines += usize::from(!line.trim().is_empty());
        }
        count
    }
}

/// The library this test is linked with: the newest, where several sets of features were built.
fn library(deps: &Path) -> PathBuf {
    let built = fs::read_dir(deps).expect("the folder of the built crates");
    let named = |p: &PathBuf| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libdifferentiable-") && name.ends_with(".rlib")
    };
    built
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(named)
        .max_by_key(|p| fs::metadata(p).and_then(|m| m.modified()).ok())
        .expect("the library is built before its tests")
}

/// Checks one program against the library.
fn compile(program: &Path, library: &Path, deps: &Path) -> Count {
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    let emitted = env::temp_dir().join(format!("mistake-{}-{name}.rmeta", std::process::id()));
    let output = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args([
            "--edition",
            "2024",
            "--emit",
            "metadata",
            "--color",
            "never",
        ])
        .args(["-A", "warnings", "-o"])
        .arg(&emitted)
        .arg("--extern")
        .arg(format!("differentiable={}", library.display()))
        .arg("-L")
        .arg(format!("dependency={}", deps.display()))
        .arg(program)
        .output()
        .expect("rustc runs");
    let _ = fs::remove_file(&emitted);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        !stderr.contains("error[E0463]") && !stderr.contains("error[E0460]"),
        "the library does not load:\n{stderr}"
    );
    Count::of(&stderr)
}

/// All counts, by the names of the programs.
fn measure(folder: &Path) -> BTreeMap<String, Count> {
    let exe = env::current_exe().expect("the path of this test");
    let deps = exe.parent().expect("a folder");
    let library = library(deps);
    let programs: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder of the mistakes")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        .collect();
    let (next, counts) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let workers = thread::available_parallelism().map_or(2, |n| n.get());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(p) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let name = p.file_stem().unwrap_or_default().to_string_lossy();
                    let count = compile(p, &library, deps);
                    counts.lock().unwrap().insert(name.into_owned(), count);
                }
            });
        }
    });
    counts.into_inner().unwrap()
}

/// The recorded counts: a name, the errors and the lines in each row.
fn recorded(table: &Path) -> BTreeMap<String, Count> {
    let text = fs::read_to_string(table).unwrap_or_default();
    text.lines()
        .filter_map(|row| {
            let mut words = row.split_whitespace();
            let name = words.next()?.to_owned();
            let errors = words.next()?.parse().ok()?;
            let lines = words.next()?.parse().ok()?;
            Some((name, Count { errors, lines }))
        })
        .collect()
}

#[test]
fn mistakes_say_no_more_than_they_did() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let table = folder.join("counts.txt");
    let (before, now) = (recorded(&table), measure(&folder));
    assert!(now.len() >= 40, "only {} mistakes", now.len());
    let bless = env::var_os("BLESS").is_some();
    let silent: Vec<_> = now.iter().filter(|(_, c)| c.errors == 0).collect();
    assert!(silent.is_empty(), "compiles, so is no mistake: {silent:?}");
    let (mut worse, mut rows) = (Vec::new(), String::new());
    for (name, count) in &now {
        let Count { errors, lines } = count;
        match before.get(name) {
            Some(old) if !count.within(old.limit()) => worse.push(format!(
                "{name}: {errors} errors, {lines} lines; were {} and {}",
                old.errors, old.lines
            )),
            None if !bless => worse.push(format!("{name}: not recorded")),
            _ => {}
        }
        rows.push_str(&format!("{name:<24} {errors:>3} {lines:>4}\n"));
    }
    assert!(
        worse.is_empty(),
        "mistakes got worse:\n{}",
        worse.join("\n")
    );
    if bless {
        fs::write(&table, rows).expect("the table is written");
    }
}
