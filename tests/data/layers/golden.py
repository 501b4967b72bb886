"""What the scripts of this folder share: cases of a layer in PyTorch's f64, written as safetensors.

A case is a function of parameters and inputs, whose value is a number: `Σ w·y` over the outputs `y`, each with a weight
`w` that is an input too, so that the gradient by `w` is the output itself. All leaves are in the layout of this
library; a case turns them into PyTorch's.

Names in a file: `CASE/param/NAME`, `CASE/in/NAME` and `CASE/buffer/NAME`. Each tensor holds the value and behind it, but for
buffers, the gradient, along a first axis.
"""

from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file

torch.set_default_dtype(torch.float64)
FOLDER = Path(__file__).parent


class Golden:
    """The cases of one file."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.tensors = {}

    def numbers(self, *shape):
        """Multiples of 1/1024, which are exact in every format."""
        return np.round(self.rng.uniform(-1, 1, shape) * 1024) / 1024

    def case(self, name, function, params, buffers=None, **inputs):
        """`function(p, i)` of dictionaries; shapes stand for random numbers, arrays for themselves."""

        def leaves(group):
            drawn = {k: v if isinstance(v, np.ndarray) else self.numbers(*v) for k, v in group.items()}
            return {k: torch.tensor(v, requires_grad=True) for k, v in drawn.items()}

        p, i = leaves(params), leaves(inputs)
        value = function(p, i)
        for kind, group in (("param", p), ("in", i)):
            for key, leaf in group.items():
                (grad,) = torch.autograd.grad(value, leaf, retain_graph=True, allow_unused=True)
                grad = torch.zeros_like(leaf) if grad is None else grad
                self.tensors[f"{name}/{kind}/{key}"] = np.stack([leaf.detach().numpy(), grad.numpy()])
        for key, buffer in (buffers or {}).items():
            self.tensors[f"{name}/buffer/{key}"] = np.asarray(buffer)

    def save(self, file):
        """Writes the file."""
        save_file(self.tensors, FOLDER / file)
        (FOLDER / file).chmod(0o644)
        print(file, (FOLDER / file).stat().st_size, "bytes")


def call(module, params, *args, **kwargs):
    """A module with the parameters given instead of its own."""
    names = {n for n, _ in module.named_parameters()}
    assert names == set(params), (names, set(params))
    return torch.func.functional_call(module, params, args, kwargs)
