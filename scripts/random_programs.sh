#!/usr/bin/env bash
# Random programs, as many as are asked for: each is compiled and checked in value, reverse and forward, against
# differences, and every other one in second order. What differs is printed; the rest is counted.
#
#   bash scripts/random_programs.sh [COUNT] [FIRST]       100000 programs from seed 1000 on, unless told
#
# The results stand in target/random_programs/results.txt, a line for each batch; a run that was cut off goes on behind
# the last of them. JOBS batches are compiled at once (one, unless told).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

count=${1:-100000}
first=${2:-1000}
batch=${BATCH:-100}
target=${CARGO_TARGET_DIR:-target}
work=$target/random_programs
results=$work/results.txt
mkdir -p "$work"
touch "$results"

if [ -z "${FACADE:-}" ]; then # a facade that is built already, with DEPS, the folder of what it needs
    CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=0 cargo build --locked -p differentiable --lib
    FACADE=$target/debug/libdifferentiable.rlib
    DEPS=$target/debug/deps
fi
rustc --edition 2024 -O tests/fuzz/write.rs -o "$work/write"

# Compiles and runs the programs of a batch, and notes what came of it.
check() {
    local seed=$1 folder=$work/batch$1 started=$SECONDS outcome
    rm -rf "$folder"
    mkdir -p "$folder/generator"
    cp tests/fuzz/main.rs "$folder/main.rs"
    cp tests/fuzz/generator/random.rs "$folder/generator/random.rs"
    "$work/write" "$seed" "$batch" "$folder/corpus"
    if ! rustc --edition 2024 --test --crate-name programs -Awarnings -Cdebuginfo=0 -Copt-level=0 -Ccodegen-units=16 \
        --extern "differentiable=$FACADE" -L "dependency=$DEPS" ${EXTRA_DEPS:+-L "dependency=$EXTRA_DEPS"} \
        "$folder/main.rs" -o "$folder/programs" 2>"$folder/errors.txt"; then
        outcome="DOES NOT COMPILE: $(grep -c '^error' "$folder/errors.txt") errors, see $folder/errors.txt"
    elif ! "$folder/programs" --nocapture >"$folder/output.txt" 2>&1; then
        outcome="FAILS: see $folder/output.txt"
    else
        outcome="ok: $(grep 'points agree' "$folder/output.txt")"
        rm -rf "$folder"
    fi
    rm -f "$folder/programs"
    echo "$seed $batch $((SECONDS - started))s $outcome" | tee -a "$results"
}

for ((seed = first; seed < first + count; seed += batch)); do
    grep -q "^$seed $batch .*ok" "$results" && continue
    while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-1}" ]; do
        wait -n
    done
    check "$seed" &
done
wait

good=$(grep ' ok: ' "$results" | sort -u -k1,1n | awk '{ n += $2 } END { print n + 0 }')
bad=$(grep -v ' ok: ' "$results" | awk '{ print $1 }' | sort -u | while read -r s; do
    grep -q "^$s .* ok: " "$results" || echo "$s"
done | wc -l)
echo "$good programs agree, $bad batches of $batch do not"
[ "$bad" = 0 ]
