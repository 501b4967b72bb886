#!/usr/bin/env python3
"""Training steps, networks run forward and elementwise chains beside other stacks: `benches/peers/run.py`.

Builds a virtual environment (PyTorch, JAX from PyPI) and the programs in Rust, then runs every workload with
every peer in turn, several rounds, on one and on two threads, and prints one table: the shortest time of a
step, its ratio to ours, the time from the start of the process to the end of the first step, and the most
memory. The peers of a row take turns, so that a change of the machine's clock meets all of them.

    benches/peers/run.py                       # all, with pip and cargo
    benches/peers/run.py W2 W6 --rounds 3      # some
    benches/peers/run.py --quick               # ours only, briefly: a check that it still runs
"""

import argparse
import functools
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", HERE / "target"))
VENV = Path(os.environ.get("PEERS_VENV", TARGET / "venv"))
WORKLOADS = {
    "W1": "two-layer ReLU net 64 x 1000 -> 100 -> 10, squared loss, SGD",
    "W2": "MLP 784-256-128-10, batch 128, cross-entropy, Adam",
    "W3": "CNN of LeNet's form on 1 x 28 x 28, batch 64, SGD with momentum",
    "W4": "GPT stack, d = 128, 4 layers, T = 64, batch 16, AdamW",
    "W5": "LSTM 64 -> 128, T = 50, batch 32, Adam",
    "W6": "sum(gelu(x w + b) sigmoid(x)), 10^6 elements, exact GELU",
    "W6t": "the same, tanh form",
    "W7": "the chain of W6 at 64 x 256, exact GELU",
    "W7t": "the same, tanh form",
    "F1": "the network of W3, forward",
    "F2": "the network of W4, forward",
    "F3": "ViT of 4 blocks, d = 128, 64 patches, batch 16, forward",
}
# Peers that have a program for some workloads alone.
ONLY = {"ours, session": ["W1", "W2", "W3", "W4", "W5", "F1", "F2", "F3"], "onnxruntime": ["F1", "F2", "F3"]}


def peers(threads):
    """Name and command of each; the workload, the seconds and the folder of a model replace W, S and M."""
    python = [str(VENV / "bin/python")]
    return {
        "ours": [str(TARGET / "release/ours"), "W", "S"],
        "ours, session": [str(TARGET / "release/ours"), "W", "S", "session"],
        "onnxruntime": [*python, str(HERE / "python/onnx_peer.py"), "W", "S", str(threads), "M"],
        "PyTorch eager": [*python, str(HERE / "python/torch_peer.py"), "W", "S", str(threads), "eager"],
        "torch.compile": [*python, str(HERE / "python/torch_peer.py"), "W", "S", str(threads), "compile"],
        "JAX jit": [*python, str(HERE / "python/jax_peer.py"), "W", "S", str(threads)],
        "candle": [str(TARGET / "release/candle"), "W", "S"],
        "burn": [str(TARGET / "release/burn"), "W", "S"],
    }


def build(names):
    """What the peers of these names need and no more: burn alone takes minutes."""
    # Our program runs in sessions too, and writes the models.
    programs = {"ours" if name in ONLY else name for name in names}
    for name, folder in {"ours": HERE, "candle": HERE, "burn": HERE / "burn"}.items():
        if name in programs:
            where = ["--manifest-path", str(folder / "Cargo.toml"), "--target-dir", str(TARGET)]
            subprocess.run(["cargo", "build", "--release", "--quiet", *where, "--bin", name], check=True)
    python = {"PyTorch eager", "torch.compile", "JAX jit", "onnxruntime"} & set(names)
    if python and not (VENV / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
        packages = ["-r", str(HERE / "python/requirements.txt")]
        subprocess.run([str(VENV / "bin/python"), "-m", "pip", "install", "--quiet", *packages], check=True)


def runs(name, workload):
    """Whether a peer has a program for a workload."""
    if name in ONLY:
        return workload in ONLY[name]
    return name == "ours" or not workload.startswith("F")


@functools.cache
def models(workload):
    """The folder with the model of a workload, which our program writes."""
    folder = TARGET / "models" / workload
    folder.mkdir(parents=True, exist_ok=True)
    command = [str(TARGET / "release/ours"), workload, "0", "write"]
    subprocess.run(command, env={**os.environ, "PEERS_MODELS": str(folder)}, check=True, capture_output=True)
    return folder


def once(command, workload, seconds, threads):
    places = {"W": workload, "S": str(seconds)}
    if "M" in command:
        places["M"] = str(models(workload))
    command = [places.get(c, c) for c in command]
    limits = {name: str(threads) for name in ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"]}
    done = subprocess.run(command, env={**os.environ, **limits}, capture_output=True, text=True)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        print(f"{command[0]} {workload}: {lines[-1]}", file=sys.stderr)
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])


def table(workload, threads, rounds, seconds, names):
    best = {}
    for _ in range(rounds):
        for name in names:
            if not runs(name, workload):
                continue
            result = once(peers(threads)[name], workload, seconds, threads)
            if result is None:
                continue
            if name in best:
                for key in ["step_us", "first_ms", "peak_mb"]:
                    result[key] = min(result[key], best[name][key])
            best[name] = result
    print(f"\n{workload}: {WORKLOADS[workload]}, {threads} thread{'s' if threads > 1 else ''}\n")
    print("| | step, us | peer / ours | first step, ms | memory, MB |\n|---|---|---|---|---|")
    for name, r in best.items():
        ratio = r["step_us"] / best["ours"]["step_us"] if "ours" in best else float("nan")
        print(f"| {name} | {r['step_us']:.0f} | {ratio:.2f} | {r['first_ms']:.0f} | {r['peak_mb']:.0f} |")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", default=list(WORKLOADS), metavar="W", help="W1 to W7, W6t, W7t, F1 to F3")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--peers", nargs="*", default=list(peers(1)))
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    unknown = [w for w in args.workloads if w not in WORKLOADS]
    if unknown:
        parser.error(f"{unknown[0]} is not a workload; they are {', '.join(WORKLOADS)}")
    if args.quick:
        args.rounds, args.seconds, args.threads, args.peers = 1, 0.01, [1], ["ours"]
    build(args.peers)
    for workload in args.workloads:
        for threads in args.threads:
            table(workload, threads, args.rounds, args.seconds, args.peers)


main()
