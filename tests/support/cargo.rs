//! Cargo, asked for what `cargo test --workspace` has built: nothing is built a second time.

use std::path::PathBuf;
use std::process::Command;

/// The folder of the profile of this test, `target/PROFILE`.
pub fn profile() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    // target/PROFILE/deps/TEST-HASH
    let folder = test.ancestors().nth(2);
    folder.expect("the folder of the profile").to_owned()
}

/// A command of cargo for the whole workspace, in the profile of this test and with its features.
pub fn cargo(command: &str) -> Command {
    let profile = profile();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([command, "--quiet", "--workspace", "--manifest-path"]);
    cargo.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    // Those that were asked for beside the default ones, or the libraries would be built again.
    if let Ok(features) = std::env::var("DIFFERENTIABLE_FEATURES") {
        cargo.args(["--features", &features]);
    }
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    let target = profile.parent().expect("the folder of all profiles");
    cargo.env("CARGO_TARGET_DIR", target);
    cargo
}
