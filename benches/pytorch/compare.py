#!/usr/bin/env python3
"""Trains `cnn`, `gpt` and `char_lm` of examples/ and the same networks in PyTorch, one after the other.

    pip install torch
    benches/pytorch/compare.py                          # all three, three seeds each, two threads
    benches/pytorch/compare.py cnn gpt --gpt 100        # two of them, gpt for 100 steps only
    benches/pytorch/compare.py --torch gpt --seed 1     # PyTorch alone: what the comparison starts for each seed

Both sides have the same layers, initial distributions, data, batch size, optimiser, schedule and number of threads, and
read the same files. They take turns, seed by seed, so that a change of the machine's load meets both. Times are those of
the training loop, without start and test; `cnn` judges the test digits after each epoch on both sides. Networks and
batches are drawn at random, so that metrics agree within what seeds differ. On a machine that is busy with other work use
--threads 1: a thread that has to wait for its core holds up all others at each operation.
"""

import argparse
import gzip
import math
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
# How long each program trains, and what its unit is called.
PROGRAMS = {"cnn": (30, "epochs"), "gpt": (1000, "steps"), "char_lm": (25, "epochs")}
CHARACTERS, CONTEXT = 96, 64


def build():
    names = [f"--example={name}" for name in PROGRAMS]
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "examples", *names], check=True, cwd=ROOT)


def run(command, threads):
    """Seconds for each epoch or step, the metric, and seconds spent waiting for batches, if they are printed."""
    limits = {name: str(threads) for name in ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"]}
    done = subprocess.run(command, env={**os.environ, **limits}, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip().splitlines()[-1]}")
    count, seconds = re.search(r"^(\d+) \w+ in ([\d.]+) s$", done.stderr, re.M).groups()
    waited = re.search(r"^waited ([\d.]+) s", done.stderr, re.M)
    metric = float(done.stdout.strip().splitlines()[-1].rsplit(" ", 1)[1])
    return float(seconds) / int(count), metric, float(waited[1]) / float(seconds) if waited else None


def sides(name, seed, length, threads):
    unit = PROGRAMS[name][1]
    seeded = ["--seed", str(seed)]
    ours = [str(TARGET / "release/examples" / name), *seeded, f"--{unit}", str(length)]
    torch = [sys.executable, __file__, "--torch", name, *seeded, f"--{name}", str(length), "--threads", str(threads)]
    commands = {"ours": ours, "PyTorch": torch}
    if name == "cnn":
        commands["PyTorch, whole batches"] = [*torch, "--whole-batches"]
    return commands


def compare(name, length, seeds, threads):
    results = {}
    for seed in range(seeds):
        for side, command in sides(name, seed, length, threads).items():
            result = run(command, threads)
            results.setdefault(side, []).append(result)
            print(f"{name} --seed {seed}, {side}: {result[0] * 1e3:.1f} ms, metric {result[1]:.3f}", file=sys.stderr)
    unit = PROGRAMS[name][1].removesuffix("s")
    print(f"\n{name}: {length} {unit}s, {seeds} seeds, {threads} thread{'s' if threads > 1 else ''}\n")
    print(f"| | ms per {unit} (median) | ratio | metrics | mean metric | waits for batches |\n|---|---|---|---|---|---|")
    ours = statistics.median(seconds for seconds, _, _ in results["ours"])
    for side, runs in results.items():
        seconds = statistics.median(seconds for seconds, _, _ in runs)
        metrics = [metric for _, metric, _ in runs]
        waits = [part for _, _, part in runs if part is not None]
        wait = f"{100 * statistics.median(waits):.1f}%" if waits else ""
        print(f"| {side} | {seconds * 1e3:.1f} | {seconds / ours:.2f} | {' '.join(f'{m:.3f}' for m in metrics)} "
              f"| {statistics.mean(metrics):.3f} | {wait} |", flush=True)


class Clock:
    """Prints what the programs in Rust print."""

    def __init__(self, unit, count):
        self.unit, self.count, self.start, self.waited = unit, count, time.perf_counter(), None

    def batches(self, source):
        """The batches of a source, with the time that they are waited for."""
        start, iterator = time.perf_counter(), iter(source)
        self.waited = self.waited or 0.0
        while True:
            batch = next(iterator, None)
            self.waited += time.perf_counter() - start
            if batch is None:
                return
            yield batch
            start = time.perf_counter()

    def stop(self):
        print(f"{self.count} {self.unit} in {time.perf_counter() - self.start:.3f} s", file=sys.stderr)
        if self.waited is not None:
            print(f"waited {self.waited:.3f} s for batches", file=sys.stderr)


def train_cnn(epochs, whole_batches):
    import torch
    from torch import nn
    from torch.nn import functional as F

    with gzip.open(ROOT / "data/digits.csv.gz", "rt") as file:
        rows = torch.tensor([[float(v) for v in line.split(",")] for line in file])
    x, y = (rows[:, :64] / 16).view(-1, 1, 8, 8), rows[:, 64].long()
    is_test = torch.zeros(len(y), dtype=torch.bool)
    is_test[torch.tensor([int(n) for n in (HERE / "test_digits.txt").read_text().split()])] = True
    (x, y), test = (x[~is_test], y[~is_test]), (x[is_test], y[is_test])

    class Digits(torch.utils.data.Dataset):
        def __len__(self):
            return len(y)

        def __getitem__(self, row):
            down, right = torch.randint(0, 3, (2,)).tolist()
            return F.pad(x[row], (1, 1, 1, 1))[:, down:down + 8, right:right + 8], y[row]

    def moved_batches():
        """What the data loader gives, cut from all images of a batch by two index operations."""
        to = torch.arange(8)
        for part in torch.randperm(len(y)).split(64):
            by = torch.randint(0, 3, (2, len(part), 1))
            down, right = (by[0] + to)[:, :, None], (by[1] + to)[:, None, :]
            images = F.pad(x[part], (1, 1, 1, 1))
            yield images[torch.arange(len(part))[:, None, None], 0, down, right][:, None], y[part]

    net = nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Dropout(0.25), nn.Linear(256, 10),
    )
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.ExponentialLR(opt, 0.997)
    loader = torch.utils.data.DataLoader(Digits(), 64, shuffle=True, num_workers=2, persistent_workers=True)
    clock = Clock("epochs", epochs)
    for _ in range(epochs):
        net.train()
        for images, labels in clock.batches(moved_batches() if whole_batches else loader):
            opt.zero_grad()
            loss = F.cross_entropy(net(images), labels)
            loss.backward()
            opt.step()
            schedule.step()
            loss.item()
        with torch.no_grad():
            logits = net.eval()(test[0])
            F.cross_entropy(logits, test[1])
            accuracy = (logits.argmax(1) == test[1]).float().mean().item()
    clock.stop()
    print(f"test accuracy: {accuracy:.3f}")


def book():
    """The pages of the book as numbers: the first nine tenths, and the last."""
    import torch
    pages = sorted((ROOT / "docs/book/src").glob("*.md"))
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    numbers = torch.tensor([ord(c) - 31 if " " <= c <= "~" else 0 for c in text])
    cut = len(numbers) // 10 * 9
    return numbers[:cut], numbers[cut:]


def gpt_network():
    import torch
    from torch import nn
    from torch.nn import functional as F

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(64), nn.LayerNorm(64)
            self.qkv, self.out = nn.Linear(64, 192), nn.Linear(64, 64)
            self.up, self.down = nn.Linear(64, 256), nn.Linear(256, 64)
            nn.init.xavier_uniform_(self.qkv.weight)
            nn.init.zeros_(self.qkv.bias)
            nn.init.zeros_(self.out.bias)

        def forward(self, x):
            b, t, _ = x.shape
            q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, 4, 16).permute(2, 0, 3, 1, 4)
            heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.out(heads.transpose(1, 2).reshape(b, t, 64))
            return x + self.down(F.gelu(self.up(self.norm2(x))))

    class Gpt(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens, self.places = nn.Embedding(CHARACTERS, 64), nn.Embedding(CONTEXT, 64)
            self.blocks = nn.Sequential(Block(), Block(), Block())
            self.norm, self.head = nn.LayerNorm(64), nn.Linear(64, CHARACTERS)

        def forward(self, ids, following):
            x = self.tokens(ids) + self.places(torch.arange(ids.shape[1]))
            logits = self.head(self.norm(self.blocks(x)))
            return F.cross_entropy(logits.flatten(0, 1), following.flatten())

    return Gpt()


def train_gpt(steps, _):
    import torch
    train, test = book()
    net, span = gpt_network(), torch.arange(CONTEXT)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, betas=(0.9, 0.95), weight_decay=0.1)
    clock = Clock("steps", steps)
    for step in range(steps):
        at = torch.randint(0, len(train) - CONTEXT, (16, 1)) + span
        opt.param_groups[0]["lr"] = 3e-3 / (1 + step / 500)
        opt.zero_grad()
        loss = net(train[at], train[at + 1])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        loss.item()
    clock.stop()
    with torch.no_grad():
        parts = (torch.arange(0, len(test) - CONTEXT, CONTEXT)[:, None] + span).split(32)
        losses = [(net(test[at], test[at + 1]).item(), len(at)) for at in parts]
    bits = sum(loss * n for loss, n in losses) / sum(n for _, n in losses) / math.log(2)
    print(f"bits per character: {bits:.3f}")


def train_char_lm(epochs, _):
    import torch
    from torch import nn
    from torch.nn import functional as F

    # PyTorch has two biases for each gate, which add up; ours has their sum.
    chars, lstm, out = nn.Embedding(CHARACTERS, 32), nn.LSTM(32, 192), nn.Linear(192, CHARACTERS)
    params = [*chars.parameters(), *lstm.parameters(), *out.parameters()]
    opt = torch.optim.Adam(params, lr=4e-3)
    train, test = book()

    def pieces(text, lanes):
        lane = (len(text) - 1) // lanes
        starts = torch.arange(lanes) * lane
        for t in range(0, max(lane - CONTEXT, 0), CONTEXT):
            at = starts + t + torch.arange(CONTEXT)[:, None]
            yield text[at], text[at + 1]

    def loss_of(ids, following, state):
        y, state = lstm(chars(ids), state)
        return F.cross_entropy(out(y).flatten(0, 1), following.flatten()), state

    clock = Clock("epochs", epochs)
    for _ in range(epochs):
        state = None
        for ids, following in pieces(train, 32):
            state = state and tuple(s.detach() for s in state)
            opt.zero_grad()
            loss, state = loss_of(ids, following, state)
            loss.backward()
            nn.utils.clip_grad_norm_(params, 1.0)
            opt.step()
            loss.item()
    clock.stop()
    with torch.no_grad():
        losses, state = [], None
        for ids, following in pieces(test, 8):
            loss, state = loss_of(ids, following, state)
            losses.append(loss.item())
    print(f"bits per character: {statistics.mean(losses) / math.log(2):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=", ".join(PROGRAMS))
    parser.add_argument("--seeds", type=int, default=3, help="how many for each side")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--torch", choices=PROGRAMS, help="train one network in PyTorch, and nothing else")
    parser.add_argument("--seed", type=int, default=0, help="of --torch")
    parser.add_argument("--whole-batches", action="store_true", help="--torch cnn without DataLoader")
    for name, (length, unit) in PROGRAMS.items():
        parser.add_argument(f"--{name}", type=int, default=length, metavar="N", help=f"{unit} of {name} [{length}]")
    args = parser.parse_args()
    unknown = [name for name in args.programs if name not in PROGRAMS]
    if unknown:
        parser.error(f"{unknown[0]} is not a program; they are {', '.join(PROGRAMS)}")
    if args.torch:
        import torch
        torch.set_num_threads(args.threads)
        torch.manual_seed(args.seed)
        train = {"cnn": train_cnn, "gpt": train_gpt, "char_lm": train_char_lm}[args.torch]
        return train(getattr(args, args.torch), args.whole_batches)
    build()
    for name in args.programs or PROGRAMS:
        compare(name, getattr(args, name), args.seeds, args.threads)


main()
