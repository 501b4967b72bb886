//! The examples as programs, for tests that run them.

use std::path::PathBuf;
use std::process::Command;

/// An example, built in the profile of this test.
pub fn program(example: &str) -> PathBuf {
    // target/PROFILE/deps/TEST-HASH
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().unwrap().parent().unwrap();
    // Of the whole workspace, with whose features `cargo test --workspace` has already built it.
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--workspace", "--example", example]);
    // Those that were asked for beside them, or all would be built again.
    if let Ok(features) = std::env::var("DIFFERENTIABLE_FEATURES") {
        build.args(["--features", &features]);
    }
    build.args([
        "--manifest-path",
        concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
    ]);
    if profile.ends_with("release") {
        build.arg("--release");
    }
    build.env("CARGO_TARGET_DIR", profile.parent().unwrap());
    assert!(
        build.status().unwrap().success(),
        "the example {example} does not build"
    );
    profile
        .join("examples")
        .join(format!("{example}{}", std::env::consts::EXE_SUFFIX))
}
