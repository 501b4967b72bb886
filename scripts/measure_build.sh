#!/usr/bin/env bash
# Measures what users wait for, on the wall clock, in processor time and in memory of the largest compiler process:
#   1. the main job from scratch, `cargo build --release --example mlp`;
#   2. a two-layer network in a crate of its own, from scratch, in release and in debug, with this crate, candle and burn;
#   3. `cargo check` of a user's crate with a file of 100 annotated lines after a change in that file.
# Dependencies are downloaded before. Needs about 4 GB under $TMPDIR, and Python 3.
# `measure_build.sh ours` leaves candle and burn out.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Runs a command and prints its seconds, those of the processor, and the memory of its largest process.
measured() {
    python3 - "$@" <<'PY'
import resource, subprocess, sys, time

start = time.monotonic()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
wall = time.monotonic() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20
print(f"{wall:.2f} s, processor time {cpu:.1f} s, largest process {peak:.2f} GB")
PY
}

# A crate with a program: NAME DEPENDENCIES PROGRAM LOCKFILE
crate() {
    mkdir -p "$scratch/$1/src"
    cp "$root/rust-toolchain.toml" "$scratch/$1/"
    cp "$3" "$scratch/$1/src/main.rs"
    printf '[package]\nname = "two_layer"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\n%s\n\n[workspace]\n' \
        "$2" >"$scratch/$1/Cargo.toml"
    cp "$4" "$scratch/$1/Cargo.lock" # the versions that were chosen here
    (cd "$scratch/$1" && cargo fetch --quiet)
}

cd "$root"
cargo fetch --locked --quiet
echo "machine: $(nproc) cores, $(rustc --version)"
printf 'main job, release: '
CARGO_TARGET_DIR=$scratch/mlp measured cargo build --locked --release --quiet --example mlp
rm -rf "$scratch/mlp"

crate ours "differentiable = { path = \"$root\" }" examples/two_layer_net.rs Cargo.lock
crate ours-small "differentiable = { path = \"$root\", default-features = false }" examples/two_layer_net.rs Cargo.lock
names=(ours ours-small)
if [ "${1:-}" != ours ]; then
    version() { sed -n "s/^$2 = .*\"\([0-9.]*\)\".*/\1/p" "benches/peers/$1"; }
    candle=$(version Cargo.toml candle-core)
    crate candle "candle-core = \"$candle\"
candle-nn = \"$candle\"" scripts/two_layer/candle.rs benches/peers/Cargo.lock
    crate burn "$(grep '^burn = ' benches/peers/burn/Cargo.toml)" scripts/two_layer/burn.rs benches/peers/burn/Cargo.lock
    names+=(candle burn)
fi
for name in "${names[@]}"; do
    for profile in release dev; do
        printf 'two layers, %s, %s: ' "$name" "$profile"
        (cd "$scratch/$name" && measured cargo build --offline --quiet --profile "$profile")
        rm -rf "$scratch/$name/target"
    done
done

cd "$scratch/ours"
mv src/main.rs src/lib.rs
best=
for round in 0 1 2 3 4 5; do
    # A change inside an annotated function, so that its derivative is written again.
    sed "s/0\.5/0.5$round/" "$root/scripts/hundred_lines.rs" >src/lib.rs
    seconds=$(measured cargo check --offline --quiet | sed 's/ s,.*//')
    # The first round builds the dependencies.
    if [ "$round" = 0 ]; then continue; fi
    if [ -z "$best" ] || awk -v a="$seconds" -v b="$best" 'BEGIN { exit !(a < b) }'; then best=$seconds; fi
done
echo "cargo check of a $(grep -c '' src/lib.rs)-line annotated file after a change: $best s"
