"""PyTorch: `torch_peer.py W1 SECONDS THREADS eager|compile`.

`--device cuda` trains on a GPU: products in full `f32` as ours, no TF32; optimisers in their fused form. `--read end` adds steps
whose loss is not read: `end_us` is their mean time, with one wait for the device at their end. `--profile` adds what a step launches.

`--serve` keeps the process: with what it has compiled, it measures each workload named on a line of its input, and prints one line
for each. `torch_peer.py - SECONDS THREADS eager --serve` prepares none before; the others begin with a line for theirs.
"""

import time

START = time.perf_counter()

import argparse  # noqa: E402  the clock starts before the imports
import collections  # noqa: E402
import functools  # noqa: E402
import gc  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402

import torch  # noqa: E402
import torch.nn as nn  # noqa: E402
import torch.nn.functional as F  # noqa: E402

from common import measured  # noqa: E402


def rows(n):
    return torch.arange(n) % 10


class TwoLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(1000, 100) * 0.03)
        self.w2 = nn.Parameter(torch.randn(100, 10) * 0.1)

    def forward(self, x, y):
        return (torch.relu(x @ self.w1) @ self.w2 - y).square().sum()


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.l2, self.l3 = nn.Linear(784, 256), nn.Linear(256, 128), nn.Linear(128, 10)

    def forward(self, x, y):
        h = torch.relu(self.l1(x))
        return F.cross_entropy(self.l3(torch.relu(self.l2(h))), y)


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1, self.c2 = nn.Conv2d(1, 6, 5, padding=2), nn.Conv2d(6, 16, 5)
        self.l1, self.l2, self.l3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, x, y):
        h = F.max_pool2d(torch.relu(self.c1(x)), 2)
        h = F.max_pool2d(torch.relu(self.c2(h)), 2).flatten(1)
        h = torch.relu(self.l2(torch.relu(self.l1(h))))
        return F.cross_entropy(self.l3(h), y)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).split(d, dim=-1)
        q, k, v = (z.view(b, t, self.heads, d // self.heads).transpose(1, 2) for z in (q, k, v))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(a.transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Gpt(nn.Module):
    """In mixed precision with `half`: inside of `autocast`."""

    def __init__(self, words, time, width, heads, blocks, half):
        super().__init__()
        self.words, self.half = words, half
        self.tokens = nn.Parameter(torch.randn(words, width) * 0.02)
        self.positions = nn.Parameter(torch.randn(time, width) * 0.02)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(blocks))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words)

    def forward(self, ids, targets):
        with torch.autocast(ids.device.type, torch.bfloat16, enabled=self.half):
            x = F.embedding(ids, self.tokens) + self.positions
            for block in self.blocks:
                x = block(x)
            return F.cross_entropy(self.head(self.norm(x)).view(-1, self.words), targets)


def gpt(batch, words, time, *others):
    """The model and its batch."""
    numbers = torch.arange(batch * time)
    return Gpt(words, time, *others), (numbers.view(batch, time) * 31 % words, (numbers + 1) * 31 % words)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(64, 128)

    def forward(self, x, y):
        return (self.lstm(x)[1][0][0] - y).square().mean()


def training(name, device):
    fused = {"fused": True} if device == "cuda" else {}
    if name == "W1":
        model, data = TwoLayers(), (torch.randn(64, 1000), torch.randn(64, 10))
        optimizer = functools.partial(torch.optim.SGD, lr=1e-6)
    elif name == "W2":
        model, data = Classifier(), (torch.randn(128, 784), rows(128))
        optimizer = functools.partial(torch.optim.Adam, lr=1e-3)
    elif name == "W3":
        model, data = Cnn(), (torch.randn(64, 1, 28, 28), rows(64))
        optimizer = functools.partial(torch.optim.SGD, lr=1e-2, momentum=0.9)
    elif name in ("W4", "W4m"):
        model, data = gpt(16, 96, 64, 128, 4, 4, name == "W4m")
        optimizer = functools.partial(torch.optim.AdamW, lr=3e-4)
    elif name == "G1":
        model, data = gpt(4, 50304, 1024, 768, 12, 12, True)
        optimizer = functools.partial(torch.optim.AdamW, lr=3e-4)
    elif name == "W5":
        model, data = Lstm(), (torch.randn(50, 32, 64), torch.randn(32, 128))
        optimizer = functools.partial(torch.optim.Adam, lr=1e-3)
    else:
        raise ValueError(f"`{name}` is not a workload")
    model, data = model.to(device), [x.to(device) for x in data]
    return model, data, optimizer(model.parameters(), **fused)


# Elements of the chains.
SHAPES = {"6": (1000, 1000), "7": (64, 256), "8": (8000, 8000)}


def prepared(name, mode, device):
    """A step, which returns its loss where it is."""
    torch.manual_seed(1)
    wrap = torch.compile if mode == "compile" else (lambda f: f)
    if name[1] in SHAPES:
        form = "tanh" if name.endswith("t") else "none"
        x, w, b = (torch.randn(SHAPES[name[1]], device=device, requires_grad=True) for _ in range(3))

        def chain(x, w, b):
            return (F.gelu(x * w + b, approximate=form) * torch.sigmoid(x)).sum()

        run = wrap(chain)

        def step():
            x.grad = w.grad = b.grad = None
            loss = run(x, w, b)
            loss.backward()
            return loss.detach()
    else:
        model, data, optimizer = training(name, device)
        run = wrap(model)

        def step():
            optimizer.zero_grad()
            loss = run(*data)
            loss.backward()
            optimizer.step()
            return loss.detach()

    return step


def unread(step, seconds, wait):
    """The mean time of steps whose loss is not read."""

    def mean(steps):
        begin = time.perf_counter()
        for _ in range(steps):
            step()
        wait()
        return (time.perf_counter() - begin) / steps

    # The first one begins with an idle device.
    one = min(mean(1), mean(2))
    steps = min(max(int(seconds / 2 / one), 2), 100_000)
    return {"end_us": min(mean(steps), mean(steps)) * 1e6, "end_steps": 2 * steps}


def profiled(step, wait):
    """What a step launches, and how long the device works on it."""
    from torch.autograd import DeviceType
    from torch.profiler import ProfilerActivity, profile

    steps = 10
    with profile(activities=[ProfilerActivity.CUDA]) as of:
        for _ in range(steps):
            step()
        wait()
    # Names that the program gives to its parts are events of the device, too.
    named = ("Optimizer.", "ProfilerStep", "Torch-Compiled Region", "##")
    events = [e for e in of.events() if e.device_type == DeviceType.CUDA and not e.name.startswith(named)]
    events = [e for e in events if not getattr(e, "is_user_annotation", False)]
    moves = [e for e in events if e.name.startswith(("Memcpy", "Memset"))]
    busy = sum(e.time_range.elapsed_us() for e in events)
    names = collections.Counter(e.name[:80] for e in events)
    return {
        "launches": (len(events) - len(moves)) / steps, "moves": len(moves) / steps, "busy_us": busy / steps,
        "kernels": {name: n / steps for name, n in names.most_common(40)},
    }


def measure(start, step, args):
    cuda = args.device == "cuda"
    wait = torch.cuda.synchronize if cuda else (lambda: None)
    if cuda:
        torch.cuda.reset_peak_memory_stats()
    line = measured(start, args.seconds, lambda: step().item())
    if args.read == "end":
        line |= unread(step, args.seconds, wait)
    if cuda:
        peak, held = torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()
        line |= {"device_mb": peak / 1e6, "device_held_mb": held / 1e6}
    if args.profile and cuda:
        line |= profiled(step, wait)
    return line


def ceilings():
    """What the card does at its best, by PyTorch: bytes and operations a second."""

    def best(work, rounds=5):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        times = []
        for _ in range(rounds):
            begin.record()
            work()
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end) / 1e3)
        return min(times[1:])

    n, size = 8192, 1 << 30
    a, b = (torch.empty(size, dtype=torch.uint8, device="cuda") for _ in range(2))
    line = {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "cuda": torch.version.cuda}
    line["copy_gb_s"] = 2 * size / best(lambda: b.copy_(a)) / 1e9
    for name, dtype, tf32 in [
        ("bf16", torch.bfloat16, False), ("tf32", torch.float32, True), ("f32", torch.float32, False),
    ]:
        torch.backends.cuda.matmul.allow_tf32 = tf32
        x, y = (torch.randn(n, n, device="cuda", dtype=dtype) for _ in range(2))
        line[f"{name}_tflops"] = 2 * n**3 / best(lambda: x @ y) / 1e12
    torch.backends.cuda.matmul.allow_tf32 = False
    return line


def forget(args):
    gc.collect()
    if args.device == "cuda":
        torch.cuda.empty_cache()


def serve(args):
    """Answers a line with a line: `ceilings`, or a workload; with ` profile` behind it, what a step launches as well."""
    kept = {}
    if args.workload != "-":
        kept[args.workload] = prepared(args.workload, args.mode, args.device)
        for _ in range(3):
            kept[args.workload]().item()
        forget(args)
    print(json.dumps({"ready_ms": (time.perf_counter() - START) * 1e3}), flush=True)
    for request in sys.stdin:
        start, words = time.perf_counter(), request.split()
        args.profile = "profile" in words
        try:
            if words[0] == "ceilings":
                line = ceilings()
            else:
                step = kept.get(words[0]) or prepared(words[0], args.mode, args.device)
                line = measure(start, step, args)
        except Exception as error:  # noqa: BLE001  the next workload may run
            line = {"error": (str(error).splitlines() or [type(error).__name__])[0]}
        step = None
        forget(args)
        print(json.dumps(line), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workload")
    parser.add_argument("seconds", type=float)
    parser.add_argument("threads", type=int)
    parser.add_argument("mode", choices=["eager", "compile"])
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--read", default="each", choices=["each", "end"])
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--serve", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    # As the products of ours.
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    if args.serve:
        serve(args)
    else:
        print(json.dumps(measure(START, prepared(args.workload, args.mode, args.device), args)))


main()
