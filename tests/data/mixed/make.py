"""Writes the files beside it, by PyTorch: `python make.py` with torch and safetensors.

For each network, one file has its parameters as `state_dict` names them and, under `io.`, the input `x` and the weights `w`
of the loss `sum(w * y)`. Three more have the output `io.y`, the gradient by the input `io.d_x`, and under the names of the
parameters the gradients by them:

- `NAME_f32`: in single precision;
- `NAME_autocast`: under `torch.autocast("cpu", dtype=torch.bfloat16)`, with parameters in single precision;
- `NAME_rounded`: in single precision, but for products of matrices, whose operands are rounded to `bfloat16`, those of the
  pullbacks too. Attention is written as a product, a softmax and a product.
"""

from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import nn

HERE = Path(__file__).parent


def r(x):
    return x.bfloat16().float()


class Product(torch.autograd.Function):
    """`x @ w` of rounded operands, with one matrix `w`."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return r(x) @ r(w)

    @staticmethod
    def backward(ctx, ct):
        x, w = ctx.saved_tensors
        rows = lambda t: r(t).reshape(-1, t.shape[-1])
        return r(ct) @ r(w).T, rows(x).T @ rows(ct)


class Conv(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return F.conv2d(r(x), r(w), padding=1)

    @staticmethod
    def backward(ctx, ct):
        x, w = ctx.saved_tensors
        return (
            torch.nn.grad.conv2d_input(x.shape, r(w), r(ct), padding=1),
            torch.nn.grad.conv2d_weight(r(x), w.shape, r(ct), padding=1),
        )


class Attend(torch.autograd.Function):
    """Weights are rounded before they are divided by their sum, which stays as it is."""

    @staticmethod
    def forward(ctx, q, k, v):
        q, k, v = r(q), r(k), r(v)
        scores = q @ k.mT * q.shape[-1] ** -0.5
        e = (scores - scores.amax(-1, keepdim=True)).exp()
        out = r(e) @ v / e.sum(-1, keepdim=True)
        ctx.save_for_backward(q, k, v, e / e.sum(-1, keepdim=True), out)
        return out

    @staticmethod
    def backward(ctx, ct):
        q, k, v, p, out = ctx.saved_tensors
        s = r(p * (r(ct) @ v.mT - (ct * out).sum(-1, keepdim=True)))
        scale = q.shape[-1] ** -0.5
        return s @ k * scale, s.mT @ q * scale, r(p).mT @ r(ct)


def linear(layer, x):
    return Product.apply(x, layer.weight.T) + layer.bias


class Mlp(nn.Module):
    X = (16, 20)

    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(20, 32), nn.Linear(32, 32), nn.Linear(32, 10)

    def forward(self, x):
        return self.fc3(self.fc2(self.fc1(x).relu()).tanh())

    def rounded(self, x):
        return linear(self.fc3, linear(self.fc2, linear(self.fc1, x).relu()).tanh())


class Cnn(nn.Module):
    X = (8, 2, 8, 8)

    def __init__(self):
        super().__init__()
        self.c1, self.n1 = nn.Conv2d(2, 6, 3, padding=1, bias=False), nn.GroupNorm(1, 6)
        self.c2, self.out = nn.Conv2d(6, 8, 3, padding=1, bias=False), nn.Linear(32, 10)

    # Means, not maxima: rounded outputs have ties, which have another gradient.
    def forward(self, x):
        h = F.avg_pool2d(self.n1(self.c1(x)).relu(), 2)
        return self.out(F.avg_pool2d(self.c2(h).relu(), 2).flatten(1))

    def rounded(self, x):
        h = F.avg_pool2d(self.n1(Conv.apply(x, self.c1.weight)).relu(), 2)
        return linear(self.out, F.avg_pool2d(Conv.apply(h, self.c2.weight).relu(), 2).flatten(1))


class Block(nn.Module):
    X = (4, 12, 16)

    def __init__(self):
        super().__init__()
        self.block = nn.TransformerEncoderLayer(
            16, 4, 32, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )

    def forward(self, x):
        return self.block(x)

    def rounded(self, x):
        b = self.block
        a, h = b.self_attn, b.norm1(x)
        qkv = Product.apply(h, a.in_proj_weight.T) + a.in_proj_bias
        heads = [t.unflatten(-1, (4, 4)).transpose(1, 2) for t in qkv.chunk(3, -1)]
        y = Attend.apply(*heads).transpose(1, 2).flatten(2)
        x = x + linear(a.out_proj, y)
        return x + linear(b.linear2, F.gelu(linear(b.linear1, b.norm2(x))))


def gradients(name, net, run, x, w):
    net.zero_grad()
    x = x.clone().requires_grad_()
    y = run(x)
    (y.float() * w).sum().backward()
    tensors = {k: p.grad.clone() for k, p in net.named_parameters()}
    assert all(g.dtype == torch.float32 for g in tensors.values())
    tensors |= {"io.y": y.detach().float(), "io.d_x": x.grad}
    save_file({k: v.contiguous() for k, v in tensors.items()}, HERE / f"{name}.safetensors")


def main():
    torch.manual_seed(0)
    for name, Net in [("mlp", Mlp), ("cnn", Cnn), ("block", Block)]:
        net = Net().train()
        for key, p in net.named_parameters():
            if p.dim() == 1:
                nn.init.normal_(p, std=0.3)
        x = torch.randn(Net.X)
        w = torch.randn(net(x).shape)
        tensors = dict(net.state_dict()) | {"io.x": x, "io.w": w}
        save_file({k: v.detach().contiguous() for k, v in tensors.items()}, HERE / f"{name}.safetensors")

        def autocast(x):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                return net(x)

        gradients(f"{name}_f32", net, net, x, w)
        gradients(f"{name}_autocast", net, autocast, x, w)
        gradients(f"{name}_rounded", net, net.rounded, x, w)


main()
