"""PyTorch: `torch_peer.py W1 SECONDS THREADS eager|compile`."""

import time

START = time.perf_counter()

import sys  # noqa: E402  the clock starts before the imports

import torch  # noqa: E402
import torch.nn as nn  # noqa: E402
import torch.nn.functional as F  # noqa: E402

from common import report  # noqa: E402


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
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(128), nn.LayerNorm(128)
        self.qkv, self.out = nn.Linear(128, 384), nn.Linear(128, 128)
        self.up, self.down = nn.Linear(128, 512), nn.Linear(512, 128)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).split(128, dim=-1)
        q, k, v = (z.view(b, t, 4, 32).transpose(1, 2) for z in (q, k, v))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(a.transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Parameter(torch.randn(96, 128) * 0.02)
        self.positions = nn.Parameter(torch.randn(64, 128) * 0.02)
        self.blocks = nn.ModuleList(Block() for _ in range(4))
        self.norm, self.head = nn.LayerNorm(128), nn.Linear(128, 96)

    def forward(self, ids, targets):
        x = F.embedding(ids, self.tokens) + self.positions
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(self.head(self.norm(x)).view(-1, 96), targets)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(64, 128)

    def forward(self, x, y):
        return (self.lstm(x)[1][0][0] - y).square().mean()


def training(name):
    if name == "W1":
        model, data = TwoLayers(), (torch.randn(64, 1000), torch.randn(64, 10))
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    elif name == "W2":
        model, data = Classifier(), (torch.randn(128, 784), rows(128))
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    elif name == "W3":
        model, data = Cnn(), (torch.randn(64, 1, 28, 28), rows(64))
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.9)
    elif name == "W4":
        model = Gpt()
        data = (torch.arange(1024).view(16, 64) * 31 % 96, (torch.arange(1024) + 1) * 31 % 96)
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    else:
        model, data = Lstm(), (torch.randn(50, 32, 64), torch.randn(32, 128))
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    return model, data, optimizer


def main():
    name, seconds, threads, mode = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    wrap = torch.compile if mode == "compile" else (lambda f: f)
    if name[1] in "67":
        shape = (1000, 1000) if name[1] == "6" else (64, 256)
        form = "tanh" if name.endswith("t") else "none"
        x, w, b = (torch.randn(shape, requires_grad=True) for _ in range(3))

        def chain(x, w, b):
            return (F.gelu(x * w + b, approximate=form) * torch.sigmoid(x)).sum()

        run = wrap(chain)

        def step():
            x.grad = w.grad = b.grad = None
            loss = run(x, w, b)
            loss.backward()
            return loss.item()
    else:
        model, data, optimizer = training(name)
        run = wrap(model)

        def step():
            optimizer.zero_grad()
            loss = run(*data)
            loss.backward()
            optimizer.step()
            return loss.item()

    report(START, seconds, step)


main()
