//! Programs that must not compile, and the messages they get.
//!
//! Bless with `BLESS=1 cargo test -p differentiable --test ui`; `UI=shape/vmap` runs the programs with that in their path.
//! The programs are compiled, not only checked: assertions on generic arguments are evaluated only then.

mod compiler;
mod mistakes;
mod normalised;

use compiler::{Compiler, Emit};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of programs that do not compile.
const REFUSED: [&str; 3] = [
    "tests/ui/unsupported",
    "tests/ui/attribute",
    "tests/ui/shape",
];
/// The folder of programs that do.
const TAKEN: &str = "tests/ui/pass";

/// The chosen programs of a folder.
fn chosen(folder: &str) -> Vec<PathBuf> {
    let part = std::env::var("UI").unwrap_or_default();
    let is_chosen = |p: &PathBuf| p.to_string_lossy().contains(&part);
    let mut folders = REFUSED.iter().chain([&TAKEN]);
    let any = folders.any(|folder| compiler::programs(folder).iter().any(is_chosen));
    assert!(any, "no program of tests/ui has `{part}` in its path");
    let mut programs = compiler::programs(folder);
    assert!(!programs.is_empty(), "no program in {folder}");
    programs.retain(is_chosen);
    programs
}

#[test]
fn messages_are_as_recorded() {
    let programs: Vec<PathBuf> = REFUSED.into_iter().flat_map(chosen).collect();
    let bless = std::env::var_os("BLESS").is_some();
    let compiler = Compiler::new();
    let differences = compiler::each(&programs, |program| {
        let Err(said) = compiler.run(program, Emit::Object) else {
            return Some("compiles, and should not".to_owned());
        };
        let said = normalised::normalised(&said, program);
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(program);
        let file = file.with_extension("stderr");
        if bless {
            fs::write(&file, &said).expect("the message is written");
            return None;
        }
        let recorded = fs::read_to_string(&file).unwrap_or_default();
        (said != recorded).then(|| format!("recorded:\n{recorded}\nfound:\n{said}"))
    });
    let different: Vec<String> = differences
        .into_iter()
        .filter_map(|(program, d)| Some(format!("{}: {}", program.display(), d?)))
        .collect();
    assert!(
        different.is_empty(),
        "{} messages of {} changed. After reading them: BLESS=1\n\n{}",
        different.len(),
        programs.len(),
        different.join("\n")
    );
}

#[test]
fn programs_without_mistakes_run() {
    let compiler = Compiler::new();
    for program in chosen(TAKEN) {
        let name = program.display();
        let compiled = compiler.run(&program, Emit::Program);
        assert_eq!(compiled.as_deref(), Ok(""), "{name} does not compile");
        let status = Command::new(compiler.output(&program)).status();
        assert!(status.expect("the program starts").success(), "{name}");
    }
}
