#!/usr/bin/env bash
# Measures how long rustc takes for annotated programs that grow in one direction:
#   chain      200 functions, each calls the previous one
#   tree       14 levels, each function calls the one below twice
#   statements one function with 400 statements
#   calls      one function with 100 calls
#   arms       one `match` with 200 arms
#   variants   one `match` on an enum of 200 variants with data, and the derive
#   conditions one chain of 200 `else if`s
#   layers     a module of 100 layers, each a field, and a step of training
#   blocks     a GPT of 12 blocks in a `Vec`, and a step of training
# each with `cargo check` and `cargo build --release` of that crate alone (its dependencies are built
# before), and half of each, so that growth shows. Needs about 1 GB under $TMPDIR.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Runs a command and prints the seconds it took on the wall clock.
seconds() {
    local from to
    from=$(date +%s.%N)
    "$@" >&2
    to=$(date +%s.%N)
    awk -v a="$from" -v b="$to" 'BEGIN { printf "%.2f", b - a }'
}

head='use differentiable::prelude::*;'
leaf='#[differentiable]
pub fn g0(x: f64, y: f64) -> f64 { (x * y).sin() + x }'

# Each function calls the previous one.
chain() {
    echo "$head"
    echo "$leaf"
    for k in $(seq 1 "$1"); do
        echo "#[differentiable]
pub fn g$k(x: f64, y: f64) -> f64 { g$((k - 1))(x * 0.9, y) * y + x }"
    done
    echo "fn main() { println!(\"{:?}\", g$1::grad(0.3, 0.7)); }"
}

# Each function calls the one below twice.
tree() {
    echo "$head"
    echo "$leaf"
    for k in $(seq 1 "$1"); do
        echo "#[differentiable]
pub fn g$k(x: f64, y: f64) -> f64 { g$((k - 1))(x * 0.9, y) * y + g$((k - 1))(y, x + 0.1) }"
    done
    echo "fn main() { println!(\"{:?}\", g$1::grad(0.3, 0.7)); }"
}

# One long function.
statements() {
    echo "$head"
    echo '#[differentiable]
pub fn f(x: f64, y: f64) -> f64 {
    let v0 = x * y;'
    for k in $(seq 1 "$1"); do
        case $((k % 4)) in
            0) echo "    let v$k = v$((k - 1)) * y + x;" ;;
            1) echo "    let v$k = v$((k - 1)).sin() * 0.5;" ;;
            2) echo "    let v$k = if v$((k - 1)) > 0.2 { v$((k - 1)) } else { v$((k - 2)) * x };" ;;
            3) echo "    let v$k = (v$((k - 1)) + v$((k - 2))) / (1.0 + x * x);" ;;
        esac
    done
    echo "    v$1
}
fn main() { println!(\"{:?}\", f::grad(0.3, 0.7)); }"
}

# One function with many calls.
calls() {
    echo "$head"
    echo "$leaf"
    echo '#[differentiable]
pub fn f(x: f64, y: f64) -> f64 {
    let v0 = x * y;'
    for k in $(seq 1 "$1"); do
        echo "    let v$k = g0(v$((k - 1)), y) * x;"
    done
    echo "    v$1
}
fn main() { println!(\"{:?}\", f::grad(0.3, 0.7)); }"
}

# A `match` with a pattern for each number; the parts of it are the same for numbers and variants.
matched() {
    echo "    match k {"
    for k in $(seq 1 "$1"); do printf "        $2 => $3,\n" "$k" "$k"; done
    echo "        $4
    }
}"
}

arms() {
    echo "$head
#[differentiable]
pub fn f(k: usize, x: f64, y: f64) -> f64 {"
    matched "$1" "%d" "x * %d.5 + y.sin()" "_ => x * y,"
    echo "fn main() { println!(\"{:?}\", f::grad(3, 0.3, 0.7)); }"
}

variants() {
    echo "$head
#[derive(Clone, Differentiable)]
pub enum Kind {"
    for k in $(seq 0 "$1"); do echo "    V$k(f64),"; done
    echo "}
#[differentiable]
pub fn f(k: &Kind, x: f64) -> f64 {"
    matched "$1" "Kind::V%d(a)" "a * x * %d.5" "Kind::V0(a) => a * x,"
    echo "fn main() { println!(\"{:?}\", f::grad(&Kind::V1(0.3), 0.7).1); }"
}

conditions() {
    echo "$head
#[differentiable]
pub fn f(x: f64, y: f64) -> f64 {
    $(for k in $(seq 1 "$1"); do echo "if x < $k.5 { x * $k.5 * y } else"; done) { x * y }
}
fn main() { println!(\"{:?}\", f::grad(0.3, 0.7)); }"
}

layers() {
    local k fields="" forward=""
    for k in $(seq 1 "$1"); do
        case $((k % 5)) in
            0) fields+="l$k: Linear<32, 32>, " forward+="let h = self.l$k.forward(&h).relu();" ;;
            1) fields+="l$k: LayerNorm<32>, " forward+="let h = self.l$k.forward(&h);" ;;
            2) fields+="l$k: Mlp<32, 64>, " forward+="let h = &h + self.l$k.forward(&h);" ;;
            3) fields+="#[init(Dropout::new(0.1))] l$k: Dropout, " forward+="let h = self.l$k.forward(&h, ctx);" ;;
            4) fields+="l$k: RmsNorm<32>, " forward+="let h = self.l$k.forward(&h);" ;;
        esac
    done
    echo "$head
use differentiable::{nn::*, optim::Adam};
dim!(Batch);
type Rows = Tensor![Batch, 32];
#[module]
struct Net { $fields }
#[differentiable]
impl Net {
    fn loss(&self, x: &Tensor![Batch, 32], y: &Tensor![Batch, 32], ctx: &mut Ctx) -> Tensor![] {
        let h = x.clone();
        $forward
        (h - y).square().mean()
    }
}
fn main() {
    let mut net = Net::new(&mut Seeds::new(0));
    let x: Rows = Tensor::ones_with((Batch(16), Sz));
    let (mut opt, mut ctx) = (Adam::new(1e-3), Ctx::train(&net, 0));
    let (loss, grad) = net.loss_value_and_grad(&x, &x, &mut ctx);
    opt.step(&mut net, &grad);
    println!(\"{}\", loss.item());
}"
}

blocks() {
    echo "$head
use differentiable::{nn::*, optim::AdamW};
dim!(Batch, Time);
type Ids = Tensor![i64; Batch, Time];
#[module]
struct Block {
    n1: LayerNorm<64>, attention: MultiHead<64, 4, 16>, n2: LayerNorm<64>, mlp: Mlp<64, 256>,
    #[init(Dropout::new(0.1))] drop: Dropout,
}
#[differentiable]
impl Block {
    fn forward(&self, x: &Tensor![Batch, Time, 64], ctx: &mut Ctx) -> Tensor![Batch, Time, 64] {
        let h = self.n1.forward(x);
        let x = x + self.drop.forward(&self.attention.forward(&h, &h, &Keys::Causal), ctx);
        &x + self.drop.forward(&self.mlp.forward(&self.n2.forward(&x)), ctx)
    }
}
#[module(depth: usize)]
struct Gpt {
    tokens: Embedding<96, 64>, places: Embedding<64, 64>, #[init(repeat(depth))] blocks: Vec<Block>, norm: LayerNorm<64>,
}
#[differentiable]
impl Gpt {
    fn loss(&self, ids: &Tensor![i64; Batch, Time], next: &Tensor![i64; Batch, Time], ctx: &mut Ctx) -> Tensor![] {
        let time: Time = no_grad!(ids.shape().1);
        let mut x = self.tokens.forward(ids) + self.places.forward(&no_grad!(positions(time)));
        for b in &self.blocks { x = b.forward(&x, ctx); }
        self.tokens.attend(&self.norm.forward(&x)).cross_entropy(next)
    }
}
fn main() {
    let mut net = Gpt::new(&mut Seeds::new(0), $1);
    let ids: Ids = Tensor::zeros_with((Batch(4), Time(32)));
    let (mut opt, mut ctx) = (AdamW::new(1e-3), Ctx::train(&net, 0));
    let (loss, grad) = net.loss_value_and_grad(&ids, &ids, &mut ctx);
    opt.step(&mut net, &grad);
    println!(\"{}\", loss.item());
}"
}

cd "$scratch"
mkdir src
cp "$root/rust-toolchain.toml" "$root/Cargo.lock" .
cat >Cargo.toml <<TOML
[package]
name = "grown"
version = "0.0.0"
edition = "2024"

[dependencies]
differentiable = { path = "$root" }

[workspace]
TOML
echo 'fn main() {}' >src/main.rs
cargo check --offline --quiet
cargo build --offline --quiet --release

echo "machine: $(nproc) cores, $(rustc --version)"
echo "| program | size | cargo check | cargo build --release |"
echo "|---|---|---|---|"
for program in "chain 100" "chain 200" "tree 7" "tree 14" "statements 200" "statements 400" "calls 50" "calls 100" \
    "arms 100" "arms 200" "variants 100" "variants 200" "conditions 100" "conditions 200" \
    "layers 50" "layers 100" "blocks 12"; do
    read -r kind size <<<"$program"
    "$kind" "$size" >src/main.rs
    check=$(seconds cargo check --offline --quiet)
    release=$(seconds timeout 600 cargo build --offline --quiet --release)
    echo "| $kind | $size | $check s | $release s |"
done
