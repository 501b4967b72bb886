//! Mistakes that users make, one in each program of `tests/mistakes`, and how much the compiler
//! says about each: `counts.txt` has the errors and the lines.
//!
//! The goal is one error of at most fifteen lines. A mistake that has reached it may not leave it,
//! and the others may not get longer. Record better counts with `BLESS=1 cargo test -p differentiable --test ui mistakes`;
//! that never raises a count. New mistakes are recorded as they are.

use crate::compiler::{self, Compiler, Emit};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

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

/// All counts, by the names of the programs.
fn measure() -> BTreeMap<String, Count> {
    let compiler = Compiler::new();
    let counts = compiler::each(&compiler::programs("tests/mistakes"), |program| {
        let said = compiler.run(program, Emit::Metadata);
        Count::of(&said.unwrap_or_else(|said| said))
    });
    let name = |p: PathBuf| {
        p.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    counts
        .into_iter()
        .map(|(p, count)| (name(p), count))
        .collect()
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
    let (before, now) = (recorded(&table), measure());
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
