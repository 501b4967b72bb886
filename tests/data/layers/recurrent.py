"""Cases of recurrent layers, in whose files the rows of the gates are an axis of their own, as in this library."""

import torch
from golden import Golden, call
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

g = Golden(4)
KINDS = {"lstm": (nn.LSTM, (4,)), "gru": (nn.GRU, (3,)), "rnn": (nn.RNN, ())}


def shapes(kind, inputs, units, prefix=""):
    """The parameters of one layer. A GRU has both biases; of the others the second is zero."""
    gates = KINDS[kind][1]
    biases = ("bias_ih", "bias_hh") if kind == "gru" else ("bias",)
    return {
        prefix + "weight_ih": (*gates, units, inputs),
        prefix + "weight_hh": (*gates, units, units),
        **{prefix + b: (*gates, units) for b in biases},
    }


def torch_params(p, layers):
    """PyTorch's parameters, for our prefixes and its suffixes."""
    out = {}
    for prefix, suffix in layers.items():
        ih, hh = p[prefix + "weight_ih"], p[prefix + "weight_hh"]
        rows, units = hh.numel() // hh.shape[-1], hh.shape[-1]
        b_ih = p.get(prefix + "bias_ih", p.get(prefix + "bias"))
        b_hh = p.get(prefix + "bias_hh", torch.zeros_like(b_ih))
        out |= {
            f"weight_ih_{suffix}": ih.reshape(rows, ih.shape[-1]), f"weight_hh_{suffix}": hh.reshape(rows, units),
            f"bias_ih_{suffix}": b_ih.reshape(rows), f"bias_hh_{suffix}": b_hh.reshape(rows),
        }
    return out


def total(y, state, i):
    """Outputs and last states, weighted."""
    state = state if isinstance(state, tuple) else (state,)
    value = (y * i["w"]).sum()
    for part, w in zip(state, ("wh", "wc")):
        if w in i:
            value = value + (part.reshape(i[w].shape) * i[w]).sum()
    return value


def run(module, params, x, state, lengths):
    if lengths is None:
        return call(module, params, x, state)
    packed = pack_padded_sequence(x, torch.tensor(lengths), enforce_sorted=False)
    y, last = call(module, params, packed, state)
    return pad_packed_sequence(y, total_length=x.shape[0])[0], last


def case(name, kind, steps, batch, inputs=2, units=3, layers=None, lengths=None, start=True, last=True, **options):
    layers = layers or {"": ("l0", inputs)}
    module = KINDS[kind][0](inputs, units, **options)
    params = {}
    for prefix, (_, width) in layers.items():
        params |= shapes(kind, width, units, prefix)
    parts = {"h": "wh", "c": "wc"} if kind == "lstm" else {"h": "wh"}
    ways = 2 if options.get("bidirectional") else 1
    ins = {"x": (steps, batch, inputs), "w": (steps, batch, ways * units)}
    if start:
        ins |= {part: (batch, units) for part in parts}
    if last:
        count = len(layers)
        ins |= {w: (batch, units) if count == 1 else (count, batch, units) for w in parts.values()}

    def function(p, i):
        state = tuple(i[part][None] for part in parts) if start else None
        state = state[0] if start and kind != "lstm" else state
        names = {prefix: suffix for prefix, (suffix, _) in layers.items()}
        return total(*run(module, torch_params(p, names), i["x"], state, lengths), i)

    g.case(name, function, params, **ins)


for kind in KINDS:
    case(kind, kind, 4, 3)
    case(f"{kind}_one", kind, 1, 1, start=False)
    case(f"{kind}_padded", kind, 5, 3, lengths=[3, 5, 1])
    both = {"forward.": ("l0", 2), "backward.": ("l0_reverse", 2)}
    case(f"{kind}_both", kind, 4, 2, layers=both, start=False, last=False, bidirectional=True)
    case(f"{kind}_both_padded", kind, 4, 3, layers=both, start=False, last=False, bidirectional=True, lengths=[2, 4, 1])
    stack = {"first.": ("l0", 2), "rest.0.": ("l1", 3)}
    case(f"{kind}_stack", kind, 4, 2, layers=stack, start=False, num_layers=2)
    case(f"{kind}_stack_padded", kind, 4, 3, layers=stack, start=False, num_layers=2, lengths=[2, 4, 1])

deep = {"first.forward.": ("l0", 2), "first.backward.": ("l0_reverse", 2),
        "second.forward.": ("l1", 4), "second.backward.": ("l1_reverse", 4)}
stack = {"first.forward.": ("l0", 2), "first.backward.": ("l0_reverse", 2),
         "rest.0.forward.": ("l1", 6), "rest.0.backward.": ("l1_reverse", 6)}
for kind in KINDS:
    case(f"{kind}_both_stack", kind, 4, 2, layers=stack, start=False, last=False, bidirectional=True, num_layers=2)
    case(f"{kind}_both_stack_padded", kind, 4, 3, layers=stack, start=False, last=False, bidirectional=True,
         num_layers=2, lengths=[2, 4, 1])
case("lstm_both_deep", "lstm", 4, 3, units=2, layers=deep, start=False, last=False, bidirectional=True, num_layers=2,
     lengths=[2, 4, 1])


def truncated(p, i):
    """Two pieces of a sequence; the gradient stops between them."""
    params = torch_params(p, {"": "l0"})
    y1, (h, c) = call(nn.LSTM(2, 3), params, i["x1"])
    y2, _ = call(nn.LSTM(2, 3), params, i["x2"], (h.detach(), c.detach()))
    return (y1 * i["w1"]).sum() + (y2 * i["w2"]).sum()


g.case("lstm_truncated", truncated, shapes("lstm", 2, 3), x1=(2, 2, 2), x2=(3, 2, 2), w1=(2, 2, 3), w2=(3, 2, 3))
g.save("recurrent.safetensors")
