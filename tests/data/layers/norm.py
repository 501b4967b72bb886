"""Cases of normalisations."""

import numpy as np
import torch
from golden import Golden, call
from torch import nn

g = Golden(3)


def rows(name, module, x, bias=True):
    c = module.weight.shape[0]
    params = {"weight": (c,), **({"bias": (c,)} if bias else {})}
    g.case(name, lambda p, i: (call(module, p, i["x"]) * i["w"]).sum(), params, x=x, w=x)


rows("layer_norm", nn.LayerNorm(5), (2, 3, 5))
rows("layer_norm_eps", nn.LayerNorm(3, eps=0.1), (1, 3))
rows("rms_norm", nn.RMSNorm(5, eps=1e-6), (2, 3, 5), bias=False)
rows("group_norm", nn.GroupNorm(2, 4), (2, 4, 3, 5))
rows("group_norm_one_row", nn.GroupNorm(3, 6), (1, 6))
rows("group_norm_sequence", nn.GroupNorm(1, 3, eps=1e-3), (2, 3, 4))
rows("instance_norm1d", nn.InstanceNorm1d(3, affine=True), (2, 3, 5))
rows("instance_norm2d", nn.InstanceNorm2d(3, affine=True), (1, 3, 4, 3))
rows("instance_norm3d", nn.InstanceNorm3d(2, affine=True), (2, 2, 2, 3, 2))


def batch(name, Module, c, x, **options):
    """Two steps of training, then inference: each a case, and the running statistics between them."""
    module = Module(c, **options)
    g.numbers(c)
    module.running_mean = torch.tensor(g.numbers(c))
    module.running_var = torch.tensor(np.abs(g.numbers(c)) + 0.5)
    for step in ("first", "second", "inference"):
        module.train(step != "inference")
        before = {k: getattr(module, k).clone().numpy() for k in ("running_mean", "running_var")}
        g.case(f"{name}/{step}", lambda p, i: (call(module, p, i["x"]) * i["w"]).sum(), {"weight": (c,), "bias": (c,)},
               buffers=before, x=x, w=x)


batch("batch_norm_rows", nn.BatchNorm1d, 3, (5, 3))
batch("batch_norm_sequences", nn.BatchNorm1d, 3, (2, 3, 5))
batch("batch_norm_images", nn.BatchNorm2d, 2, (2, 2, 3, 5), momentum=0.3, eps=1e-3)
batch("batch_norm_one_image", nn.BatchNorm2d, 2, (1, 2, 3, 3))
batch("batch_norm_volumes", nn.BatchNorm3d, 2, (2, 2, 2, 3, 2))
g.save("norm.safetensors")
