#!/usr/bin/env bash
# The memory of gradients under Miri: `bash scripts/miri.sh`, with a nightly toolchain that has the component `miri`.
#
# Miri takes hours for the whole core, and cannot run its processor instructions. These modules need nothing but each other.
set -euo pipefail
ad=$(cd "$(dirname "${BASH_SOURCE[0]}")/../autodiff-core/src/ad" && pwd)
crate=$(mktemp -d)
trap 'rm -rf "$crate"' EXIT
mkdir "$crate/src"
printf '[package]\nname = "memory"\nedition = "2024"\n[workspace]\n' >"$crate/Cargo.toml"
{
    echo '#![allow(dead_code, unused)]'
    echo 'pub mod ad {'
    for module in pool/mod pooled tape long_tape in_place; do
        name=${module%/mod}
        printf '#[path = "%s/%s.rs"]\npub mod %s;\n' "$ad" "$module" "$name"
    done
    echo '}'
} >"$crate/src/lib.rs"
cargo +nightly miri test --lib --manifest-path "$crate/Cargo.toml"
