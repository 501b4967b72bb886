//! The corpus of random programs is what the generator writes.
//!
//! After a change of the generator, `BLESS=1 cargo test --test fuzz_corpus` writes it anew. To look
//! for errors that no committed program has, write others with `FUZZ_SEED=1000 BLESS=1`, and run
//! `cargo test --test fuzz`.
#![allow(missing_docs)]

#[path = "fuzz/generator/mod.rs"]
mod generator;

use std::path::PathBuf;

/// How many programs, in files of this many.
const PROGRAMS: u64 = 150;
const IN_A_FILE: u64 = 10;

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
    let mut files = vec![];
    let mut index = String::from(
        "//! Written by the generator: see `tests/fuzz_corpus.rs`.\n\nuse crate::Program;\n\n",
    );
    let mut list = String::new();
    for part in 0..PROGRAMS / IN_A_FILE {
        let module = format!("part{part:02}");
        let mut text =
            String::from("// Written by the generator.\n#![allow(warnings, clippy::all)]\n");
        for seed in part * IN_A_FILE..(part + 1) * IN_A_FILE {
            if left_out.contains(&(first + seed)) {
                continue;
            }
            text.push('\n');
            text.push_str(&generator::program(first + seed));
            list.push_str(&format!("        {module}::p{:03}\n", first + seed));
        }
        index.push_str(&format!("mod {module};\n"));
        files.push((format!("{module}.rs"), text));
    }
    index.push_str(&format!(
        "\npub fn programs() -> &'static [Program] {{\n    crate::programs! {{\n{list}    }}\n}}\n"
    ));
    files.push(("mod.rs".into(), index));
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
