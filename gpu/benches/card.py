#!/usr/bin/env python3
"""Training steps on one GPU beside PyTorch: `gpu/benches/card.py --ours PROGRAM --out FOLDER`, with a Python that has PyTorch.

Runs the workloads of `benches/peers` with our program, PyTorch and `torch.compile` in turn, several rounds, and prints tables in
Markdown: the time of a step whose loss is read, and of one whose loss is not; what a step launches; memory; and what the card does
at its best. `FOLDER` gets `card.md` with the same tables, also while it runs, and `card.json` with every number.

    cargo build --release --manifest-path benches/peers/Cargo.toml --bin ours
    gpu/benches/card.py --ours benches/peers/target/release/ours --out /tmp/card
    gpu/benches/card.py --ours … --out … --device cpu W1 W2    # a check of the script without a GPU

The programs of PyTorch stay: one for eager code, and one for each compiled workload, all of which compile at the same time before
the first round. Each wait has a limit, and so has the whole (`--budget`): a program that fails or hangs costs one line.
"""

import argparse
import concurrent.futures
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PEER = HERE.parent.parent / "benches/peers/python/torch_peer.py"
WORKLOADS = {
    "W1": "two-layer ReLU net 64 × 1000 → 100 → 10, SGD",
    "W2": "MLP 784-256-128-10, batch 128, Adam",
    "W3": "CNN of LeNet's form, batch 64, SGD with momentum",
    "W4": "GPT, d = 128, 4 layers, T = 64, batch 16, AdamW",
    "W4m": "the same in mixed precision, bf16",
    "W5": "LSTM 64 → 128, T = 50, batch 32, Adam",
    "W6": "sum(gelu(x w + b) sigmoid(x)), 10⁶ elements",
    "W6t": "the same, tanh form",
    "W7": "the chain at 64 × 256",
    "W8": "the chain at 8000 × 8000",
    "G1": "GPT, d = 768, 12 layers, T = 1024, vocabulary 50304, batch 4, AdamW, mixed precision bf16",
}
PROFILED = ["W1", "W2", "W3", "W4", "W4m", "W5", "W6", "G1"]
NAMES = ["ours", "ours, captured", "PyTorch eager", "torch.compile"]
PEERS = NAMES[2:]
# What is captured.
CAPTURED = ["W1", "W2", "W3", "W4", "W4m", "W5", "G1"]
# A step reads three tensors and writes three.
BYTES = {"W6": 6 * 4 * 1000 * 1000, "W6t": 6 * 4 * 1000 * 1000, "W8": 6 * 4 * 8000 * 8000}
# Products with the weights, and attention, of which half is not masked: forward, and twice as much backwards.
OPERATIONS = {"G1": 6 * 4096 * (12 * 12 * 768**2 + 768 * 50304) + 3 * 12 * 2 * 4 * 1024**2 * 768}


class Failed(Exception):
    """Why there is no result, in a line."""


def last_line(text):
    lines = [line for line in text.strip().splitlines() if line.strip()]
    # A panic says more in front of its notes.
    lines = [line for line in lines if not line.startswith("note: ")] or lines
    return lines[-1][:300] if lines else "no message"


def stop(process):
    """Ends a program with all that it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


class Ours:
    def __init__(self, program, seconds, environment, *how):
        self.program, self.seconds, self.environment, self.how = str(Path(program).resolve()), seconds, environment, how

    def ask(self, workload, limit, seconds=None):
        command = [self.program, workload, str(self.seconds if seconds is None else seconds), *self.how]
        process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            stop(process)
            raise Failed(f"nothing after {limit:.0f} s") from None
        if process.returncode != 0:
            raise Failed(f"exit {process.returncode}: {last_line(err)}")
        return json.loads(out.strip().splitlines()[-1])


class Server:
    """A program of PyTorch that answers lines."""

    def __init__(self, workload, mode, args, environment, folder):
        command = [args.python, str(PEER), workload, str(args.seconds), str(args.threads), mode, "--device", args.device]
        command += ["--read", "end", "--serve"]
        self.environment = environment
        self.errors = folder / f"{mode}-{workload.strip('-') or 'all'}.err"
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors.open("w"), text=True,
            start_new_session=True,
        )
        self.lines, self.ready = queue.Queue(), None
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                self.lines.put(json.loads(line))
        self.lines.put(None)

    def answer(self, limit):
        limit = max(limit, 0)
        try:
            line = self.lines.get(timeout=limit)
        except queue.Empty:
            stop(self.process)
            raise Failed(f"nothing after {limit:.0f} s: {last_line(self.errors.read_text(errors='replace'))}") from None
        if line is None:
            raise Failed(last_line(self.errors.read_text(errors="replace")))
        if "error" in line:
            raise Failed(line["error"][:300])
        return line

    def prepare(self, limit):
        if self.ready is None:
            self.ready = self.answer(limit)

    def ask(self, request, limit):
        try:
            self.process.stdin.write(request + "\n")
            self.process.stdin.flush()
        except OSError:
            raise Failed(last_line(self.errors.read_text(errors="replace"))) from None
        return self.answer(limit)


class Bench:
    def __init__(self, args):
        self.args, self.begin = args, time.monotonic()
        self.results = {name: {} for name in NAMES}
        self.launched = {name: {} for name in PEERS}
        self.failures, self.card, self.rounds, self.first = [], {}, 0, {}
        self.restarted = False
        self.folder = Path(args.out)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.scratch = Path(tempfile.mkdtemp(prefix="card"))

    def left(self):
        return self.args.budget - (time.monotonic() - self.begin)

    def say(self, text):
        print(f"[{time.monotonic() - self.begin:5.1f} s] {text}", file=sys.stderr, flush=True)

    def fails(self, name, workload, error):
        line = f"{name} {workload}: {error}"
        self.failures.append(line)
        self.say(line)

    def start(self):
        args = self.args
        base = {**os.environ, "OMP_NUM_THREADS": str(args.threads), "PYTHONWARNINGS": "ignore"}
        # One process compiles with one thread: there are many of them.
        torch = base | {
            "TORCHINDUCTOR_CACHE_DIR": str(self.scratch / "inductor"), "TRITON_CACHE_DIR": str(self.scratch / "triton"),
            "TORCHINDUCTOR_COMPILE_THREADS": "1",
        }
        device = {"cuda": "cuda", "cpu": "cpu"}[args.device]
        ours = {"DIFFERENTIABLE_DEVICE": device, "PEERS_READ": "end", "XDG_CACHE_HOME": str(self.scratch / "cache")}
        environment = {"VIRTUAL_ENV": sys.prefix} | base | ours
        self.ours = Ours(args.ours, args.seconds, environment)
        self.captured = Ours(args.ours, args.seconds, environment, "captured")
        self.eager = Server("-", "eager", args, torch, self.scratch)
        self.compiled = {}
        if not args.no_compile:
            # The one that takes longest begins.
            for workload in sorted(args.workloads, key=lambda w: w != "G1"):
                self.compiled[workload] = Server(workload, "compile", args, torch, self.scratch)

    def prepare(self):
        """Everything is compiled, here and there."""
        limit = min(self.args.prepare, self.left())
        until = time.monotonic() + limit

        def kernels(workload):
            try:
                self.first[workload] = self.ours.ask(workload, limit, 0)
            except Failed as error:
                self.fails("ours, the first time", workload, error)

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(kernels, sorted(self.args.workloads, key=lambda w: w != "G1")))
        self.say("ours is compiled")
        for name, workload, server in [
            ("PyTorch eager", "", self.eager), *(("torch.compile", w, s) for w, s in self.compiled.items()),
        ]:
            try:
                server.prepare(until - time.monotonic())
            except Failed as error:
                self.fails(name, workload, error)
                self.compiled.pop(workload, None)
        self.say("PyTorch is compiled")

    def peers(self, workload):
        captured = self.captured if workload in CAPTURED else None
        return dict(zip(NAMES, [self.ours, captured, self.eager, self.compiled.get(workload)]))

    def once(self, workload):
        if self.eager.process.poll() is not None:
            self.restart()
        for name, peer in self.peers(workload).items():
            # What has failed fails again.
            if peer is None or (self.rounds > 0 and workload not in self.results[name]):
                continue
            try:
                result = peer.ask(workload, min(self.args.limit, max(self.left(), 1)))
            except Failed as error:
                self.fails(name, workload, error)
                continue
            before = self.results[name].setdefault(workload, result)
            for key in ["step_us", "end_us", "first_ms"]:
                before[key] = min(before[key], result[key])

    def restart(self):
        """Once more with a new process, and then never again."""
        if self.restarted:
            return
        self.restarted = True
        self.eager = Server("-", "eager", self.args, self.eager.environment, self.scratch)
        try:
            self.eager.prepare(30)
        except Failed as error:
            self.fails("PyTorch eager", "again", error)

    def profile(self):
        for workload in [w for w in PROFILED if w in self.args.workloads]:
            for name, peer in list(self.peers(workload).items())[2:]:
                if workload not in self.results[name] or self.left() < 3:
                    continue
                try:
                    self.launched[name][workload] = peer.ask(f"{workload} profile", min(20, self.left()))
                except Failed as error:
                    self.fails(f"{name}, profile,", workload, error)

    def run(self):
        args = self.args
        self.start()
        try:
            self.prepare()
            if args.device == "cuda":
                try:
                    self.card = self.eager.ask("ceilings", 30)
                except Failed as error:
                    self.fails("PyTorch eager", "ceilings", error)
            for _ in range(args.rounds):
                for workload in args.workloads:
                    # The second round leaves time for the profiles.
                    if self.left() < (25 if self.rounds else 5):
                        self.failures.append(f"no time was left for {workload} in round {self.rounds + 1}")
                        continue
                    self.once(workload)
                    self.write()
                self.rounds += 1
                self.say(f"round {self.rounds}")
            if args.device == "cuda":
                self.profile()
        finally:
            self.write()
            for server in [self.eager, *self.compiled.values()]:
                stop(server.process)
            shutil.rmtree(self.scratch, ignore_errors=True)
        print(self.text())

    def write(self):
        (self.folder / "card.md").write_text(self.text())
        everything = {
            "card": self.card, "results": self.results, "launched": self.launched, "first": self.first, "failures": self.failures,
        }
        (self.folder / "card.json").write_text(json.dumps(everything, indent=1))

    def number(self, name, workload, key, form="{:.0f}"):
        """A number of a table; of what is less than one in many steps there is none in a step."""
        value = self.results[name].get(workload, {}).get(key)
        if key == "host_waits" and value is not None and value < 0.5:
            value = 0
        return "–" if value is None else form.format(value)

    def times(self):
        yield "| | loss read | ours, µs | captured, µs | PyTorch eager, µs | eager / ours | torch.compile, µs | compiled / ours |"
        yield "|---|---|---|---|---|---|---|---|"
        for workload in self.args.workloads:
            for key, when in [("step_us", "each step, shortest"), ("end_us", "at the end, mean")]:
                cells = [self.number(name, workload, key, "{:.1f}") for name in NAMES]
                for at, name in [(4, "torch.compile"), (3, "PyTorch eager")]:
                    ours, theirs = (self.results[n].get(workload, {}).get(key) for n in ("ours", name))
                    cells.insert(at, f"{theirs / ours:.2f}" if ours and theirs else "–")
                yield f"| {workload} | {when} | {' | '.join(cells)} |"

    def launches(self):
        yield "| | ours: kernels | products | copies | fills | uploads | downloads | waits | replays | eager: kernels | moves | busy, µs | compiled: kernels | moves | busy, µs |"
        yield "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
        for workload in self.args.workloads:
            keys = ["launches", "products", "copies", "fills", "uploads", "downloads", "host_waits", "replays"]
            cells = [self.number("ours", workload, key, "{:.4g}") for key in keys]
            for name in PEERS:
                of = self.launched[name].get(workload, {})
                cells += [f"{of[key]:.4g}" if key in of else "–" for key in ["launches", "moves", "busy_us"]]
            yield f"| {workload} | {' | '.join(cells)} |"

    def through_host(self):
        asked = [(w, of, self.results[of][w]) for of in NAMES[:2] for w in self.results[of]]
        for workload, of, result in asked:
            used = {k.removeprefix("via_host."): v for k, v in result.items() if k.startswith("via_host.") and v}
            if used:
                yield f"- {workload}, {of}: " + ", ".join(f"`{k}` {v:.4g}" for k, v in sorted(used.items()))

    def memory(self):
        yield "| | ours | captured | PyTorch eager | torch.compile |"
        yield "|---|---|---|---|---|"
        for workload in self.args.workloads:
            cells = [
                self.number(name, workload, "device_mb", "{:.1f}") + f" ({self.number(name, workload, 'device_held_mb')})"
                for name in NAMES
            ]
            yield f"| {workload} | {' | '.join(cells)} |"

    def first_steps(self):
        yield "| | ours, nothing compiled | ours, compiled before | captured, compiled before | PyTorch eager, in a process that runs |"
        yield "|---|---|---|---|---|"
        for workload in self.args.workloads:
            cold = self.first.get(workload, {}).get("first_ms")
            cells = ["–" if cold is None else f"{cold:.0f}"]
            cells += [self.number(name, workload, "first_ms") for name in NAMES[:3]]
            yield f"| {workload} | {' | '.join(cells)} |"

    def rates(self):
        kinds = [("GB/s", BYTES, 1e9, "copy_gb_s"), ("TFLOP/s", OPERATIONS, 1e12, "bf16_tflops")]
        yield "| | | ours | captured | PyTorch eager | torch.compile | the card's best |"
        yield "|---|---|---|---|---|---|---|"
        for unit, table, scale, best in kinds:
            for workload, amount in table.items():
                if workload not in self.args.workloads:
                    continue
                cells = []
                for name in NAMES:
                    us = self.results[name].get(workload, {}).get("end_us")
                    cells.append(f"{amount / us * 1e6 / scale:.0f}" if us else "–")
                ceiling = f"{self.card[best]:.0f}" if best in self.card else "–"
                yield f"| {workload} | {unit} | {' | '.join(cells)} | {ceiling} |"

    def text(self):
        card = self.card
        lines = [f"{time.strftime('%Y-%m-%d')}, {card.get('device', self.args.device)}, driver {driver()}, "
                 f"PyTorch {card.get('torch', '?')} with CUDA {card.get('cuda', '?')}, {self.rounds} rounds, "
                 f"{self.args.seconds} s for each number.", ""]
        if card:
            lines += ["| the card at its best, by PyTorch | |", "|---|---|"]
            lines += [f"| copy of 1 GiB, read and written | {card['copy_gb_s']:.0f} GB/s |"]
            for name in ["bf16", "tf32", "f32"]:
                lines += [f"| product of 8192 × 8192, {name} | {card[f'{name}_tflops']:.1f} TFLOP/s |"]
        lines += ["", *(f"- {w}: {WORKLOADS[w]}" for w in self.args.workloads), ""]
        lines += ["Products of `f32` are full `f32` on all sides, no TF32. PyTorch's optimisers are fused ones.", ""]
        lines += ["### Time of a step", "", *self.times(), "", "### What a step asks of the card", ""]
        lines += ["Of ours by its counters, products are calls of cuBLAS; of PyTorch by its profiler, with products among the kernels, "
                  "copies and fills as moves, and `busy` the time of all of them on the card.", "", *self.launches(), ""]
        lines += ["Operations of ours that went through the host, in a step:", "", *(list(self.through_host()) or ["- none"]), ""]
        lines += ["### Memory of the card", "", "Most in use, MB, and held for it in parentheses.", "", *self.memory(), ""]
        lines += ["### Rates", "", "By the bytes and operations that a step needs at least, from the time without reading. "
                  "What W6 touches fits in the cache of the card.", "", *self.rates(), ""]
        lines += ["### The first step, ms", "", "From the start of the process, of ours. Nothing compiled: while all other programs "
                  "compile too.", "", *self.first_steps(), ""]
        if self.failures:
            lines += ["### Failures", "", *(f"- {line}" for line in self.failures), ""]
        return "\n".join(lines)


def driver():
    try:
        command = ["nvidia-smi", "--query-gpu=driver_version,clocks.max.sm", "--format=csv,noheader"]
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.split("\n")[0]
    except (OSError, subprocess.SubprocessError):
        return "?"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", default=list(WORKLOADS), metavar="W", help=", ".join(WORKLOADS))
    parser.add_argument("--ours", required=True, help="the program `ours` of benches/peers")
    parser.add_argument("--out", required=True, help="a folder for the tables")
    parser.add_argument("--python", default=sys.executable, help="a Python with PyTorch")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.4, help="for each number")
    parser.add_argument("--threads", type=int, default=4, help="threads of the host, for PyTorch")
    parser.add_argument("--budget", type=float, default=230, help="seconds for all")
    parser.add_argument("--prepare", type=float, default=110, help="seconds for what is compiled before the first round")
    parser.add_argument("--limit", type=float, default=30, help="seconds for a program and a workload")
    parser.add_argument("--no-compile", action="store_true", help="without torch.compile")
    args = parser.parse_args()
    unknown = [w for w in args.workloads if w not in WORKLOADS]
    if unknown:
        parser.error(f"{unknown[0]} is not a workload; they are {', '.join(WORKLOADS)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    Bench(args).run()


main()
