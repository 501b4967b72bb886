"""Cases of layers of vectors, tables and single elements."""

import numpy as np
import torch
import torch.nn.functional as F
from golden import Golden, call
from torch import nn

g = Golden(1)


def linear(p, x, name=""):
    bias = p.get(name + "bias")
    return F.linear(x, p[name + "weight"].T, bias)


for name, shape in [("linear", (2, 3)), ("linear_one_row", (1,)), ("linear_vector", ())]:
    module = nn.Linear(5, 3)
    g.case(name, lambda p, i: (call(module, {"weight": p["weight"].T, "bias": p["bias"]}, i["x"]) * i["w"]).sum(),
           {"weight": (5, 3), "bias": (3,)}, x=(*shape, 5), w=(*shape, 3))
g.case("linear_no_bias", lambda p, i: (call(nn.Linear(5, 3, bias=False), {"weight": p["weight"].T}, i["x"]) * i["w"]).sum(),
       {"weight": (5, 3)}, x=(2, 5), w=(2, 3))
g.case("bilinear", lambda p, i: (call(nn.Bilinear(3, 4, 2), p, i["a"], i["b"]) * i["w"]).sum(),
       {"weight": (2, 3, 4), "bias": (2,)}, a=(5, 3), b=(5, 4), w=(5, 2))

ids = torch.tensor([[0, 4, 4], [1, 0, 5]])
g.case("embedding", lambda p, i: (call(nn.Embedding(6, 3), p, ids) * i["w"]).sum(), {"weight": (6, 3)}, w=(2, 3, 3))
g.case("embedding_padding", lambda p, i: (call(nn.Embedding(6, 3, padding_idx=4), p, ids) * i["w"]).sum(),
       {"weight": (6, 3)}, w=(2, 3, 3))
g.case("embedding_tied",
       lambda p, i: (F.linear(call(nn.Embedding(6, 3, padding_idx=0), p, ids).tanh(), p["weight"]) * i["w"]).sum(),
       {"weight": (6, 3)}, w=(2, 3, 6))
for mode in ("sum", "mean", "max"):
    bag = torch.tensor([[0, 3, 3, 1], [5, 5, 2, 4]])
    g.case(f"embedding_bag_{mode}", lambda p, i: (call(nn.EmbeddingBag(6, 3, mode=mode), p, bag) * i["w"]).sum(),
           {"weight": (6, 3)}, w=(2, 3))
    # The second bag has a token that counts, and the third has none.
    filled = torch.tensor([[0, 3, 3, 1], [5, 2, 3, 3], [3, 3, 3, 3]])
    g.case(f"embedding_bag_{mode}_padded",
           lambda p, i: (call(nn.EmbeddingBag(6, 3, mode=mode, padding_idx=3), p, filled) * i["w"]).sum(),
           {"weight": (6, 3)}, w=(3, 3))
g.case("embedding_bag_weighted",
       lambda p, i: (call(nn.EmbeddingBag(6, 3, mode="sum", padding_idx=3), p, bag, per_sample_weights=i["k"]) * i["w"]).sum(),
       {"weight": (6, 3)}, k=(2, 4), w=(2, 3))

# PyTorch's own derivatives round 1/6 in `hardsigmoid` and 1/alpha in `celu` to f32, in f64 as well.
# Between the pieces of the functions that are made of them, and far from their kinks.
points = np.array([[-5.75, -3.5, -2.25, -1.125, -0.375], [0.375, 0.875, 2.25, 3.75, 6.5]])
for name, module in {
    "relu": nn.ReLU(), "gelu": nn.GELU(), "gelu_tanh": nn.GELU(approximate="tanh"), "silu": nn.SiLU(), "tanh": nn.Tanh(),
    "sigmoid": nn.Sigmoid(), "softplus": nn.Softplus(), "mish": nn.Mish(), "hardswish": nn.Hardswish(),
    "hardsigmoid": lambda x: F.relu6(x + 3) / 6, "selu": nn.SELU(), "softsign": nn.Softsign(), "log_sigmoid": nn.LogSigmoid(),
    "leaky_relu": nn.LeakyReLU(0.2), "elu": nn.ELU(0.7), "celu": nn.CELU(0.5), "relu6": nn.ReLU6(),
    "softmax": nn.Softmax(-1), "log_softmax": nn.LogSoftmax(-1),
}.items():
    g.case(name, lambda p, i: (module(i["x"]) * i["w"]).sum(), {}, x=points, w=(2, 5))
g.case("prelu", lambda p, i: (call(nn.PReLU(), p, i["x"]) * i["w"]).sum(), {"weight": (1,)}, x=points, w=(2, 5))


def mlp(p, x):
    return linear(p, F.gelu(linear(p, x, "up.")), "down.")


widths = {"up.weight": (4, 7), "up.bias": (7,), "down.weight": (7, 4), "down.bias": (4,)}
g.case("mlp", lambda p, i: (mlp(p, i["x"]) * i["w"]).sum(), widths, x=(3, 2, 4), w=(3, 2, 4))
g.case("gated_mlp",
       lambda p, i: (linear(p, F.silu(linear(p, i["x"], "gate.")) * linear(p, i["x"], "up."), "down.") * i["w"]).sum(),
       {"gate.weight": (4, 7), "up.weight": (4, 7), "down.weight": (7, 4)}, x=(3, 4), w=(3, 4))
g.case("residual", lambda p, i: ((i["x"] + mlp({k.removeprefix("inner."): v for k, v in p.items()}, i["x"])) * i["w"]).sum(),
       {f"inner.{k}": v for k, v in widths.items()}, x=(3, 4), w=(3, 4))
g.case("sequential", lambda p, i: (linear(p, F.relu(linear(p, i["x"], "0.0.")), "0.2.") * i["w"]).sum(),
       {"0.0.weight": (4, 6), "0.0.bias": (6,), "0.2.weight": (6, 2), "0.2.bias": (2,)}, x=(3, 4), w=(3, 2))


def chosen(p, i):
    """A `Vec` of an enum: a product, a function, a normalisation beside its input."""
    h = linear(p, i["x"], "0.0.0.").tanh()
    h = h + F.layer_norm(h, (4,), p["0.2.0.inner.weight"], p["0.2.0.inner.bias"])
    return (h * i["w"]).sum()


g.case("chosen", chosen, {"0.0.0.weight": (4, 4), "0.0.0.bias": (4,), "0.2.0.inner.weight": (4,), "0.2.0.inner.bias": (4,)},
       x=(3, 4), w=(3, 4))
g.save("basic.safetensors")
