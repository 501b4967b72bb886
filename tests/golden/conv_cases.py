"""Convolutions and pooling, from JAX in f64."""

import jax
import jax.numpy as jnp
from jax import lax

from tensor_cases import Maker

LAYOUT = {1: ("NCH", "OIH", "NCH"), 2: ("NCHW", "OIHW", "NCHW"), 3: ("NCDHW", "OIDHW", "NCDHW")}


def conv(stride, pad, dilation, groups=1):
    def f(x, w):
        rank = x.ndim - 2
        return lax.conv_general_dilated(
            x,
            w,
            window_strides=stride,
            padding=[(p, p) for p in pad],
            rhs_dilation=dilation,
            feature_group_count=groups,
            dimension_numbers=LAYOUT[rank],
        )

    return f


def transposed(stride, pad, dilation, shape):
    """The transpose of the convolution that has an input of this shape."""

    def f(x, w):
        forward = lambda y: conv(stride, pad, dilation)(y, w)
        return jax.linear_transpose(forward, jnp.zeros(shape))(x)[0]

    return f


def pool(size, stride, pad, start, combine):
    def f(x):
        return lax.reduce_window(
            x,
            start,
            combine,
            (1, 1) + size,
            (1, 1) + stride,
            ((0, 0), (0, 0)) + tuple((p, p) for p in pad),
        )

    return f


def maximum(size, stride, pad):
    return pool(size, stride, pad, -jnp.inf, lax.max)


def mean(size, stride, pad):
    count = 1
    for n in size:
        count *= n
    total = pool(size, stride, pad, 0.0, lax.add)
    return lambda x: total(x) / count


def cases():
    m = Maker()
    m.floats("conv1d_one", conv((1,), (0,), (1,)), [(1, 1, 1), (1, 1, 1)])
    m.floats("conv1d_stride", conv((2,), (1,), (1,)), [(2, 3, 9), (4, 3, 3)])
    m.floats("conv1d_dilation", conv((1,), (2,), (3,)), [(3, 1, 7), (2, 1, 2)])
    m.floats("conv2d_one", conv((1, 1), (0, 0), (1, 1)), [(1, 1, 1, 1), (1, 1, 1, 1)])
    m.floats("conv2d_same", conv((1, 1), (1, 1), (1, 1)), [(2, 3, 5, 7), (4, 3, 3, 3)])
    m.floats("conv2d_mixed", conv((2, 1), (0, 2), (1, 3)), [(1, 2, 9, 11), (3, 2, 3, 2)])
    m.floats("conv2d_groups", conv((1, 1), (1, 1), (1, 1), 2), [(2, 4, 5, 3), (6, 2, 3, 3)])
    m.floats("conv3d_one", conv((1,) * 3, (0,) * 3, (1,) * 3), [(1, 1, 1, 1, 1), (1, 1, 1, 1, 1)])
    m.floats("conv3d_plain", conv((1,) * 3, (0,) * 3, (1,) * 3), [(1, 2, 3, 4, 5), (3, 2, 2, 2, 2)])
    m.floats("conv3d_stride", conv((2,) * 3, (1,) * 3, (1,) * 3), [(2, 1, 3, 5, 4), (2, 1, 3, 3, 3)])
    m.floats(
        "conv_transpose2d_one",
        transposed((1, 1), (0, 0), (1, 1), (1, 1, 1, 1)),
        [(1, 1, 1, 1), (1, 1, 1, 1)],
    )
    m.floats(
        "conv_transpose2d_double",
        transposed((2, 2), (0, 0), (1, 1), (2, 3, 6, 10)),
        [(2, 4, 3, 5), (4, 3, 2, 2)],
    )
    m.floats(
        "conv_transpose2d_padded",
        transposed((2, 2), (1, 1), (1, 1), (1, 2, 5, 9)),
        [(1, 3, 3, 5), (3, 2, 3, 3)],
    )
    for op, f in (("max_pool", maximum), ("avg_pool", mean)):
        m.floats(f"{op}1d", f((3,), (2,), (1,)), [(2, 3, 9)])
        m.floats(f"{op}2d_one", f((1, 1), (1, 1), (0, 0)), [(1, 1, 1, 1)])
        m.floats(f"{op}2d", f((2, 2), (2, 2), (0, 0)), [(2, 3, 5, 7)])
        m.floats(f"{op}2d_overlapping", f((3, 3), (2, 2), (1, 1)), [(1, 2, 7, 9)])
        m.floats(f"{op}3d", f((2, 1, 2), (1, 1, 1), (0, 0, 0)), [(1, 2, 3, 2, 5)])
    return m.made
