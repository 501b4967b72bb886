//! The examples as programs, for tests that run them.

#[path = "cargo.rs"]
mod cargo;

use std::path::PathBuf;

/// An example, built in the profile of this test.
pub fn program(example: &str) -> PathBuf {
    let build = cargo::cargo("build").args(["--example", example]).status();
    assert!(
        build.expect("cargo runs").success(),
        "the example {example} does not build"
    );
    cargo::profile()
        .join("examples")
        .join(format!("{example}{}", std::env::consts::EXE_SUFFIX))
}
