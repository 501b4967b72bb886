//! The corpus of random programs is what the generator writes.
//!
//! After a change of the generator, `BLESS=1 cargo test -p differentiable --test fuzz_corpus` writes it anew. To look
//! for errors that no committed program has, write others with `FUZZ_SEED=1000 BLESS=1`, and run
//! `cargo test -p differentiable --test fuzz`.
#![allow(missing_docs)]

#[path = "fuzz/generator/mod.rs"]
mod generator;

use std::path::PathBuf;

/// How many programs, in files of this many.
const PROGRAMS: u64 = 180;
const IN_A_FILE: usize = 10;

/// The first programs are plain statements; the others have constructs that are easy to get wrong.
const PLAIN: u64 = 150;

/// Programs that are left out, with the reason.
const OPEN: &[(u64, &str)] = &[];

#[test]
fn the_corpus_is_what_the_generator_writes() {
    let first: u64 = match std::env::var("FUZZ_SEED") {
        Ok(seed) => seed.parse().expect("a number"),
        Err(_) => 0,
    };
    let left_out: Vec<u64> = match std::env::var("FUZZ_SKIP") {
        Ok(seeds) => seeds.split(',').filter_map(|s| s.parse().ok()).collect(),
        Err(_) => OPEN.iter().map(|(seed, _)| *seed).collect(),
    };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    let plain = std::env::var_os("FUZZ_CONSTRUCTS").is_none();
    let constructs = |seed: u64| match plain && seed < PLAIN {
        true => generator::Constructs::default(),
        false => generator::Constructs::all(seed),
    };
    let seeds = (first..first + PROGRAMS).filter(|s| !left_out.contains(s));
    let files = generator::files(seeds, IN_A_FILE, constructs);
    for (name, text) in files {
        let path = folder.join(name);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, text).expect("a writable folder");
        } else {
            let written = std::fs::read_to_string(&path).expect("a readable file");
            assert!(
                written == text,
                "the generator writes another {}: look at it, then BLESS=1",
                path.display()
            );
        }
    }
}
