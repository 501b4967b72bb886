"""Cases of convolutions and pools."""

import numpy as np
from golden import Golden, call
from torch import nn

g = Golden(2)


def conv(name, module, x, bias=True, transposed=False):
    i, o = module.in_channels, module.out_channels
    weight = tuple(module.weight.shape)
    params = {"weight": weight, **({"bias": (o,)} if bias else {})}
    w = tuple(module(g_zeros(x)).shape)
    g.case(name, lambda p, inputs: (call(module, p, inputs["x"]) * inputs["w"]).sum(), params, x=x, w=w)


def g_zeros(shape):
    import torch

    return torch.zeros(shape)


conv("conv1d", nn.Conv1d(3, 2, 3, stride=2, padding=1, dilation=2), (2, 3, 11))
conv("conv1d_valid", nn.Conv1d(2, 3, 2), (1, 2, 5))
conv("conv2d", nn.Conv2d(3, 2, 3, stride=2, padding=1), (2, 3, 5, 4))
conv("conv2d_dilated", nn.Conv2d(2, 3, 3, padding=2, dilation=2), (1, 2, 5, 6))
conv("conv2d_pointwise", nn.Conv2d(3, 4, 1), (2, 3, 3, 2))
conv("conv2d_without_bias", nn.Conv2d(2, 2, 3, padding=1, bias=False), (2, 2, 3, 5), bias=False)
conv("conv2d_grouped", nn.Conv2d(4, 6, 3, stride=2, padding=1, groups=2), (1, 4, 3, 5))
conv("conv2d_depthwise", nn.Conv2d(3, 3, 3, padding=1, groups=3), (2, 3, 4, 5))
conv("conv1d_grouped", nn.Conv1d(4, 2, 3, padding=2, dilation=2, groups=2), (2, 4, 7))
conv("conv3d", nn.Conv3d(2, 2, 2, stride=2, padding=1), (1, 2, 3, 4, 3))
conv("transposed1d", nn.ConvTranspose1d(3, 2, 3, stride=2, padding=1, dilation=2), (2, 3, 5))
conv("transposed2d", nn.ConvTranspose2d(2, 3, 3, stride=2, padding=1), (2, 2, 3, 4))
conv("transposed2d_doubles", nn.ConvTranspose2d(2, 2, 2, stride=2, bias=False), (1, 2, 3, 2), bias=False)
conv("transposed2d_output_padding", nn.ConvTranspose2d(2, 3, 3, stride=2, padding=1, output_padding=1), (2, 2, 3, 4))
conv("transposed3d", nn.ConvTranspose3d(2, 1, 2, stride=2, padding=1), (1, 2, 3, 2, 4))


def pool(name, module, x):
    # Different numbers, so that no two are the largest; small, so that sums are short.
    numbers = g.rng.permutation(int(np.prod(x))).reshape(x) / 64.0
    w = tuple(module(g_zeros(x)).shape)
    g.case(name, lambda p, i: (module(i["x"]) * i["w"]).sum(), {}, x=numbers, w=w)


pool("max_pool1d", nn.MaxPool1d(3, 2, 1), (2, 2, 7))
pool("max_pool2d", nn.MaxPool2d(2), (2, 2, 5, 6))
pool("max_pool2d_padded", nn.MaxPool2d(3, 2, 1), (1, 2, 6, 5))
pool("max_pool3d", nn.MaxPool3d(2, 1), (1, 2, 3, 4, 3))
pool("avg_pool1d", nn.AvgPool1d(3, 2, 1), (2, 2, 7))
pool("avg_pool2d", nn.AvgPool2d(2), (2, 2, 5, 6))
pool("avg_pool2d_padded", nn.AvgPool2d(3, 2, 1), (1, 2, 6, 5))
pool("avg_pool3d", nn.AvgPool3d(2, 1), (1, 2, 3, 4, 3))
pool("adaptive_avg_pool2d", nn.AdaptiveAvgPool2d((3, 2)), (2, 2, 5, 7))
pool("adaptive_max_pool2d", nn.AdaptiveMaxPool2d((3, 2)), (2, 2, 5, 7))
pool("adaptive_avg_pool1d", nn.AdaptiveAvgPool1d(3), (2, 2, 7))
pool("adaptive_max_pool1d", nn.AdaptiveMaxPool1d(3), (2, 2, 7))
pool("adaptive_avg_pool3d", nn.AdaptiveAvgPool3d((2, 3, 1)), (1, 2, 3, 4, 3))
pool("adaptive_max_pool3d", nn.AdaptiveMaxPool3d((2, 3, 1)), (1, 2, 3, 4, 3))
pool("adaptive_avg_pool2d_more", nn.AdaptiveAvgPool2d((4, 3)), (1, 2, 3, 2))
g.save("image.safetensors")
