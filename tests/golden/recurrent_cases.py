"""Recurrent layers, from PyTorch's nn.LSTM, nn.GRU and nn.RNN in f64.

The output of a case is the sequence of states, followed by the last states, along the first axis.
"""

import numpy as np
import torch

LAYERS = {"lstm": (torch.nn.LSTM, 4), "gru": (torch.nn.GRU, 3), "rnn": (torch.nn.RNN, 1)}
# Steps, batch, inputs, units.
SIZES = [(1, 1, 1, 1), (3, 5, 2, 7), (4, 2, 3, 16)]


def numbers(rng, shape):
    """Multiples of 1/1024, which are exact in every format."""
    return np.round(rng.uniform(-1, 1, shape) * 1024) / 1024


def array(x):
    x = np.asarray(x.detach() if isinstance(x, torch.Tensor) else x)
    return {"shape": list(x.shape), "data": [float(v) for v in x.ravel()]}


def case(rng, name, steps, batch, inputs, units):
    kind, gates = LAYERS[name]
    layer = kind(inputs, units, dtype=torch.float64)
    front = (gates,) if gates > 1 else ()
    shapes = [(steps, batch, inputs), (*front, units, inputs), (*front, units, units), (*front, units)]
    # One bias, but for the GRU; the state has one part, but for the LSTM.
    shapes += [(*front, units)] * (name == "gru") + [(batch, units)] * (1 + (name == "lstm"))
    values = [numbers(rng, shape) for shape in shapes]
    leaves = [torch.tensor(v, requires_grad=True) for v in values]
    x, w_ih, w_hh, b_ih = leaves[:4]
    b_hh = leaves[4] if name == "gru" else torch.zeros_like(b_ih)
    state = [s[None] for s in leaves[5 if name == "gru" else 4 :]]
    rows = gates * units
    parameters = {
        "weight_ih_l0": w_ih.reshape(rows, inputs),
        "weight_hh_l0": w_hh.reshape(rows, units),
        "bias_ih_l0": b_ih.reshape(rows),
        "bias_hh_l0": b_hh.reshape(rows),
    }
    state = tuple(state) if name == "lstm" else state[0]
    y, last = torch.func.functional_call(layer, parameters, (x, state))
    output = torch.cat([y, *last] if name == "lstm" else [y, last])
    cotangent = torch.tensor(numbers(rng, output.shape))
    gradients = torch.autograd.grad(output, leaves, cotangent)
    return {
        "op": f"{name}_{steps}_{batch}_{inputs}_{units}",
        "inputs": [array(v) for v in values],
        "output": array(output),
        "cotangent": array(cotangent),
        "gradients": [array(g) for g in gradients],
    }


def cases():
    rng = np.random.default_rng(7)
    return [case(rng, name, *sizes) for name in LAYERS for sizes in SIZES]
