#!/usr/bin/env bash
# Measures what users wait for:
#   1. `cargo build --release` of the workspace from scratch (dependencies are downloaded before);
#   2. `cargo check` of a user crate with a 100-line annotated file after an edit of that file.
# Needs about 2 GB under $TMPDIR.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Runs a command and prints the seconds it took on the wall clock.
seconds() {
    local from to
    from=$(date +%s.%N)
    "$@"
    to=$(date +%s.%N)
    awk -v a="$from" -v b="$to" 'BEGIN { printf "%.2f", b - a }'
}

cd "$root"
cargo fetch --locked --quiet
echo "machine: $(nproc) cores, $(rustc --version)"
echo "cargo build --release, from scratch: $(CARGO_TARGET_DIR=$scratch/release seconds \
    cargo build --locked --workspace --release --quiet) s"

mkdir -p "$scratch/user/src"
cp "$root/rust-toolchain.toml" "$root/Cargo.lock" "$scratch/user/"
cp "$root/scripts/hundred_lines.rs" "$scratch/user/src/lib.rs"
cat >"$scratch/user/Cargo.toml" <<TOML
[package]
name = "user"
version = "0.0.0"
edition = "2024"

[dependencies]
differentiable = { path = "$root" }

[workspace]
TOML
cd "$scratch/user"
cargo check --offline --quiet
best=
for round in 1 2 3 4 5; do
    # A change inside an annotated function, so that its derivative is written again.
    sed "s/0\.5/0.5$round/" "$root/scripts/hundred_lines.rs" >src/lib.rs
    time=$(seconds cargo check --offline --quiet)
    echo "cargo check after edit $round: $time s"
    if [ -z "$best" ] || awk -v a="$time" -v b="$best" 'BEGIN { exit !(a < b) }'; then best=$time; fi
done
echo "cargo check of a $(grep -c '' src/lib.rs)-line annotated file: $best s"
