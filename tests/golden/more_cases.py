"""Resampling, transposed convolutions and what else came later, from JAX in f64."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp

from conv_cases import conv
from tensor_cases import Maker


def nearest(*to):
    """The entry at floor(i * n / m), PyTorch's mode="nearest"."""

    def f(x):
        for axis, m in zip(range(-len(to), 0), to):
            n = x.shape[axis]
            x = jnp.take(x, np.arange(m) * n // m, axis=axis)
        return x

    return f


def linear(*to):
    """PyTorch's align_corners=False, which is JAX's resize without antialiasing."""

    def f(x):
        shape = x.shape[: x.ndim - len(to)] + to
        return jax.image.resize(x, shape, "linear", antialias=False)

    return f


def aligned(*to):
    """PyTorch's align_corners=True, as a matrix of weights along each axis."""

    def f(x):
        for axis, m in zip(range(-len(to), 0), to):
            n = x.shape[axis]
            at = np.arange(m) * ((n - 1) / (m - 1) if m > 1 else 0.0)
            weights = np.maximum(0.0, 1.0 - np.abs(at[:, None] - np.arange(n)[None, :]))
            x = jnp.moveaxis(jnp.tensordot(weights, x, ((1,), (axis,))), 0, axis)
        return x

    return f


def transposed(stride, pad, dilation, shape, groups=1):
    """The transpose of the convolution that has an input of this shape."""

    def f(x, w):
        forward = lambda y: conv(stride, pad, dilation, groups)(y, w)
        return jax.linear_transpose(forward, jnp.zeros(shape))(x)[0]

    return f


def batch_norm(x, mean, variance, scale, shift):
    at = (slice(None),) + (None,) * (x.ndim - 2)
    normal = (x - mean[at]) / jnp.sqrt(variance[at] + 1e-5)
    return normal * scale[at] + shift[at]


def unfold(axis, size, step):
    def f(x):
        count = (x.shape[axis] - size) // step + 1
        at = np.arange(count)[:, None] * step + np.arange(size)[None, :]
        return jnp.moveaxis(jnp.take(x, at, axis=axis), axis + 1, -1)

    return f


def cases():
    m = Maker()
    for name, f in (("nearest", nearest), ("bilinear", linear), ("bilinear_aligned", aligned)):
        m.floats(f"interpolate_{name}_one", f(3, 2), [(1, 1, 1, 1)])
        m.floats(f"interpolate_{name}_up", f(9, 16), [(2, 3, 5, 7)])
        m.floats(f"interpolate_{name}_down", f(3, 1), [(2, 7, 9)])
        m.floats(f"interpolate_{name}_mixed", f(17, 5), [(1, 4, 11)])
    m.floats("upsample_bilinear_2", linear(10, 6), [(2, 1, 5, 3)])
    m.floats("upsample_nearest_3", nearest(15, 9), [(2, 1, 5, 3)])
    m.floats("interpolate_linear_one", linear(4), [(1, 1, 1)])
    m.floats("interpolate_linear_up", linear(17), [(2, 3, 7)])
    m.floats("interpolate_linear_down", linear(4), [(2, 3, 9)])

    one, two = (1, 1), (2, 2)
    m.floats(
        "conv_transpose1d_output_pad",
        transposed((3,), (1,), (2,), (2, 2, 15)),
        [(2, 3, 5), (3, 2, 2)],
    )
    m.floats(
        "conv_transpose2d_output_pad",
        transposed(two, one, one, (2, 3, 6, 10)),
        [(2, 4, 3, 5), (4, 3, 3, 3)],
    )
    m.floats(
        "conv_transpose2d_groups",
        transposed(one, (0, 0), one, (2, 6, 6, 4), 2),
        [(2, 4, 5, 3), (4, 3, 2, 2)],
    )
    m.floats(
        "conv_transpose2d_depthwise",
        transposed((2, 1), (0, 1), (1, 2), (1, 3, 8, 7), 3),
        [(1, 3, 4, 5), (3, 1, 2, 3)],
    )
    m.floats(
        "conv_transpose2d_grouped_one",
        transposed(one, (0, 0), one, (1, 1, 1, 1), 1),
        [(1, 1, 1, 1), (1, 1, 1, 1)],
    )
    m.floats(
        "conv_transpose3d_groups",
        transposed((1, 2, 1), (0, 1, 0), (1, 1, 1), (1, 2, 4, 4, 3), 2),
        [(1, 4, 3, 2, 2), (4, 1, 2, 3, 2)],
    )
    m.floats(
        "conv_transpose3d_output_pad",
        transposed((2, 2, 2), (1, 1, 1), (1, 1, 1), (1, 2, 4, 2, 6)),
        [(1, 1, 2, 1, 3), (1, 2, 3, 3, 3)],
    )

    m.floats("matmul_left_missing", jnp.matmul, [(4, 3), (2, 3, 5)])
    m.floats("matmul_right_missing", jnp.matmul, [(5, 2, 4, 3), (2, 3, 7)])
    m.floats("matmul_left_shorter", jnp.matmul, [(2, 1, 3), (3, 2, 3, 1)])
    m.floats("matmul_expanded", jnp.matmul, [(1, 4, 3), (6, 3, 2)])
    m.floats("tensordot_one", lambda x, y: jnp.tensordot(x, y, 1), [(1, 1), (1, 1)])
    m.floats("tensordot_1", lambda x, y: jnp.tensordot(x, y, 1), [(2, 5, 3), (3, 1, 4)])
    m.floats("tensordot_2", lambda x, y: jnp.tensordot(x, y, 2), [(7, 2, 3), (2, 3, 5)])
    m.floats("tensordot_3", lambda x, y: jnp.tensordot(x, y, 3), [(3, 2, 5), (3, 2, 5)])

    for name, shape in (("one", (1, 1)), ("rows", (5, 3)), ("images", (2, 3, 5, 7))):
        c = (shape[1],)
        inputs = [m.input(s, -2, 2) for s in (shape, c)] + [m.input(c, 0.2, 2)]
        inputs += [m.input(c, -2, 2), m.input(c, -2, 2)]
        m.case(f"batch_norm_inference_{name}", batch_norm, [jnp.asarray(x) for x in inputs])
    m.floats("unfold_one", unfold(0, 1, 1), [(1,)])
    m.floats("unfold_overlap", unfold(1, 3, 2), [(2, 9, 5)])
    m.floats("unfold_gap", unfold(0, 2, 3), [(9, 2)])

    for shape in ((1, 1, 1), (2, 3, 5), (4, 7, 3)):
        name = "x".join(map(str, shape))
        over = lambda f: (lambda x: f(x, axis=(0, 2)))
        keep = lambda f: (lambda x: f(x, axis=(1, 2), keepdims=True))
        m.floats(f"prod_axes_{name}", over(jnp.prod), [shape])
        m.floats(f"logsumexp_axes_{name}", over(logsumexp), [shape])
        m.floats(f"norm_axes_keepdim_{name}", keep(lambda x, axis, keepdims: jnp.sqrt(jnp.sum(x * x, axis=axis, keepdims=keepdims))), [shape])
        m.floats(f"var_axes_keepdim_{name}", keep(jnp.var), [shape])
    m.floats("std_axes_2x3x5", lambda x: jnp.std(x, axis=(0, 2), ddof=1), [(2, 3, 5)])

    for shapes in ([(1,), (1,)], [(3, 5), (3, 5)], [(2, 3, 4), (4,)]):
        name = "x".join(map(str, shapes[0]))
        m.floats(f"atan2_{name}", jnp.arctan2, shapes)
        m.floats(f"hypot_{name}", jnp.hypot, shapes)
        m.floats(f"rem_{name}", jnp.fmod, shapes)
        m.floats(f"pow_{name}", jnp.power, shapes, 0.2, 2.0)
        m.floats(f"rsqrt_{name}", jax.lax.rsqrt, shapes[:1], 0.2, 3.0)
    return m.made
