"""Cases of attention, positions and transformers."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from golden import Golden, call
from torch import nn

g = Golden(5)
D, H, K, FF = 4, 2, 2, 3
HIDDEN = float("-inf")
causal = lambda n: torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
padding = lambda lengths, n: torch.arange(n)[None] >= torch.tensor(lengths)[:, None]


def heads(prefix=""):
    """The parameters of MultiHead."""
    ins = {prefix + n: (D, H, K) for n in ("query", "key", "value")}
    biases = {prefix + n + "_bias": (H, K) for n in ("query", "key", "value")}
    return {**ins, **biases, prefix + "out": (H, K, D), prefix + "out_bias": (D,)}


def torch_heads(p, prefix, to):
    """The parameters of nn.MultiheadAttention."""
    names = ("query", "key", "value")
    return {
        to + "in_proj_weight": torch.cat([p[prefix + n].reshape(D, H * K).T for n in names]),
        to + "in_proj_bias": torch.cat([p[prefix + n + "_bias"].reshape(H * K) for n in names]),
        to + "out_proj.weight": p[prefix + "out"].reshape(H * K, D).T,
        to + "out_proj.bias": p[prefix + "out_bias"],
    }


def multi(p, q, m, **masks):
    module = nn.MultiheadAttention(D, H, batch_first=True)
    return call(module, torch_heads(p, "", ""), q, m, m, **masks)[0]


g.case("multi_head", lambda p, i: (multi(p, i["x"], i["x"]) * i["w"]).sum(), heads(), x=(2, 3, D), w=(2, 3, D))
g.case("multi_head_one", lambda p, i: (multi(p, i["x"], i["x"]) * i["w"]).sum(), heads(), x=(1, 1, D), w=(1, 1, D))
g.case("multi_head_cross", lambda p, i: (multi(p, i["x"], i["m"]) * i["w"]).sum(), heads(),
       x=(2, 3, D), m=(2, 5, D), w=(2, 3, D))
g.case("multi_head_causal", lambda p, i: (multi(p, i["x"], i["x"], attn_mask=causal(4)) * i["w"]).sum(), heads(),
       x=(2, 4, D), w=(2, 4, D))
g.case("multi_head_padded",
       lambda p, i: (multi(p, i["x"], i["m"], key_padding_mask=padding([5, 2], 5)) * i["w"]).sum(), heads(),
       x=(2, 3, D), m=(2, 5, D), w=(2, 3, D))
g.case("multi_head_causal_padded",
       lambda p, i: (multi(p, i["x"], i["x"], attn_mask=causal(4), key_padding_mask=padding([4, 2], 4)) * i["w"]).sum(),
       heads(), x=(2, 4, D), w=(2, 4, D))


# In `attn_mask`, true hides.
near = torch.tensor([[abs(i - j) < 2 for j in range(4)] for i in range(4)])
g.case("multi_head_masked", lambda p, i: (multi(p, i["x"], i["x"], attn_mask=~near) * i["w"]).sum(), heads(),
       x=(2, 4, D), w=(2, 4, D))
g.case("multi_head_biased",
       lambda p, i: (multi(p, i["x"], i["m"], attn_mask=i["bias"].repeat(2, 1, 1)) * i["w"]).sum(), heads(),
       x=(2, 3, D), m=(2, 5, D), bias=(H, 3, 5), w=(2, 3, D))


def with_weights(p, i):
    """Outputs and the weights of the attention, for each head."""
    module = nn.MultiheadAttention(D, H, batch_first=True)
    masks = {"attn_mask": causal(4), "key_padding_mask": padding([4, 2], 4)}
    y, a = call(module, torch_heads(p, "", ""), i["x"], i["x"], i["x"], average_attn_weights=False, **masks)
    return (y * i["w"]).sum() + (a * i["wa"]).sum()


g.case("multi_head_weights", with_weights, heads(), x=(2, 4, D), w=(2, 4, D), wa=(2, H, 4, 4))


def rotate(x, start=0, base=10_000.0):
    """The formula: the pair `(x_i, x_{i+k/2})` at position `t` turns by `t·base^(−2i/k)`."""
    k = x.shape[-1]
    t = torch.arange(start, start + x.shape[-2], dtype=x.dtype)
    angle = t[:, None] * base ** (-2.0 * torch.arange(k // 2, dtype=x.dtype) / k)
    a, b = x[..., : k // 2], x[..., k // 2 :]
    return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], -1)


g.case("rotary", lambda p, i: (rotate(i["x"], 3, 100.0) * i["w"]).sum(), {}, x=(2, 5, 6), w=(2, 5, 6))


def grouped(p, i):
    """2 groups of 3 heads with 4 entries each."""
    x = i["x"]
    q = torch.einsum("btd,dgrk->bgrtk", x, p["query"]).flatten(1, 2)
    k, v = (torch.einsum("btd,dgk->bgtk", x, p[n]) for n in ("key", "value"))
    y = F.scaled_dot_product_attention(rotate(q), rotate(k), v, is_causal=True, enable_gqa=True)
    return (torch.einsum("bgrtk,grkd->btd", y.unflatten(1, (2, 3)), p["out"]) * i["w"]).sum()


g.case("grouped", grouped, {"query": (5, 2, 3, 4), "key": (5, 2, 4), "value": (5, 2, 4), "out": (2, 3, 4, 5)},
       x=(2, 3, 5), w=(2, 3, 5))


def norm(name):
    return {f"{name}.weight": (D,), f"{name}.bias": (D,)}


def feed(prefix=""):
    return {prefix + "up.weight": (D, FF), prefix + "up.bias": (FF,),
            prefix + "down.weight": (FF, D), prefix + "down.bias": (D,)}


def torch_feed(p, prefix):
    return {"linear1.weight": p[prefix + "mlp.up.weight"].T, "linear1.bias": p[prefix + "mlp.up.bias"],
            "linear2.weight": p[prefix + "mlp.down.weight"].T, "linear2.bias": p[prefix + "mlp.down.bias"]}


def torch_norms(p, prefix, count):
    return {f"norm{n}.{k}": p[f"{prefix}norm{n}.{k}"] for n in range(1, count + 1) for k in ("weight", "bias")}


def under(prefix, params):
    return {prefix + k: v for k, v in params.items()}


ENCODER = {**norm("norm1"), **heads("attention."), **norm("norm2"), **feed("mlp.")}
DECODER = {**norm("norm1"), **heads("attention."), **norm("norm2"), **heads("cross."), **norm("norm3"), **feed("mlp.")}
OPTIONS = {"dropout": 0.0, "activation": "gelu", "batch_first": True}


def torch_encoder(p, prefix=""):
    return {**torch_norms(p, prefix, 2), **torch_heads(p, prefix + "attention.", "self_attn."), **torch_feed(p, prefix)}


def torch_decoder(p, prefix=""):
    return {**torch_norms(p, prefix, 3), **torch_heads(p, prefix + "attention.", "self_attn."),
            **torch_heads(p, prefix + "cross.", "multihead_attn."), **torch_feed(p, prefix)}


for first in (True, False):
    name = "first" if first else "last"
    encoder = nn.TransformerEncoderLayer(D, H, FF, norm_first=first, **OPTIONS)
    g.case(f"encoder_norm_{name}",
           lambda p, i: (call(encoder, torch_encoder(p), i["x"], src_key_padding_mask=padding([4, 3], 4)) * i["w"]).sum(),
           ENCODER, x=(2, 4, D), w=(2, 4, D))
    decoder = nn.TransformerDecoderLayer(D, H, FF, norm_first=first, **OPTIONS)
    g.case(f"decoder_norm_{name}",
           lambda p, i: (call(decoder, torch_decoder(p), i["x"], i["m"], tgt_mask=causal(3),
                              memory_key_padding_mask=padding([1, 4], 4)) * i["w"]).sum(),
           DECODER, x=(2, 3, D), m=(2, 4, D), w=(2, 3, D))


def transformer(p, i):
    """Two blocks on each side, each side with a normalisation behind."""
    hidden = padding([4, 2], 4)
    source = nn.TransformerEncoder(nn.TransformerEncoderLayer(D, H, FF, norm_first=True, **OPTIONS), 2, nn.LayerNorm(D),
                                   enable_nested_tensor=False)
    target = nn.TransformerDecoder(nn.TransformerDecoderLayer(D, H, FF, norm_first=True, **OPTIONS), 2, nn.LayerNorm(D))

    def both(side, convert):
        layers = [under(f"layers.{n}.", convert(p, f"{side}.layers.{n}.")) for n in range(2)]
        return {**layers[0], **layers[1], **{f"norm.{k}": p[f"{side}.norm.{k}"] for k in ("weight", "bias")}}

    memory = call(source, both("encoder", torch_encoder), i["x"], src_key_padding_mask=hidden)
    y = call(target, both("decoder", torch_decoder), i["t"], memory, tgt_mask=causal(3), memory_key_padding_mask=hidden)
    return (y * i["w"]).sum()


sides = {}
for side, layer in (("encoder", ENCODER), ("decoder", DECODER)):
    for n in range(2):
        sides |= under(f"{side}.layers.{n}.", layer)
    sides |= under(f"{side}.", norm("norm"))
g.case("transformer", transformer, sides, x=(2, 4, D), t=(2, 3, D), w=(2, 3, D))


def patches(p, i):
    y = call(nn.Conv2d(3, 4, 2, stride=2), p, i["x"])
    return (y.flatten(2).transpose(1, 2) * i["w"]).sum()


g.case("patches", patches, {"weight": (4, 3, 2, 2), "bias": (4,)}, x=(2, 3, 4, 6), w=(2, 6, 4))


def linear_positions(p, i):
    return ((torch.arange(4.0)[:, None] * p["slope"] + p["start"]) * i["w"]).sum()


g.case("linear_positions", linear_positions, {"slope": (3,), "start": (3,)}, w=(4, 3))


def sinusoids(p, i):
    """As in the tutorial of PyTorch."""
    angle = torch.arange(7.0)[:, None] * torch.exp(torch.arange(0, 6, 2) * (-math.log(10_000.0) / 6))
    table = torch.zeros(7, 6)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return (table * i["w"]).sum()


g.case("sinusoidal", sinusoids, {}, w=(7, 6))


def alibi(p, i):
    """Press et al. 2022, for 4 heads; the last of 3 queries stands at the last of 5 keys."""
    slopes = torch.tensor([2.0 ** (-8 * (h + 1) / 4) for h in range(4)])
    far = (torch.arange(2, 5)[:, None] - torch.arange(5)[None]).abs()
    return (-slopes[:, None, None] * far * i["w"]).sum()


g.case("alibi", alibi, {}, w=(4, 3, 5))
g.save("attention.safetensors")
