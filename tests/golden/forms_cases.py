"""Norms, losses, quantiles and the forms of operations that the other files leave out, from JAX in f64.

A case is named by its operation and its first shape.
"""

import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp
from tensor_cases import Maker, norm_p

ROWS = [(1, 1), (3, 5), (4, 17)]
CUBES = [(1, 1, 1), (2, 3, 5), (4, 7, 3)]


def moved(x, axes, eps=1e-5, centre=True):
    m = jnp.mean(x, axis=axes, keepdims=True) if centre else 0.0
    return (x - m) / jnp.sqrt(jnp.mean((x - m) ** 2, axis=axes, keepdims=True) + eps)


def per_channel(v, x):
    return v.reshape((1, -1) + (1,) * (x.ndim - 2))


def group_norm(x, g, b):
    shape = x.shape
    hat = moved(x.reshape(shape[0], 1, -1), (2,)).reshape(shape)
    return hat * per_channel(g, x) + per_channel(b, x)


def huber(x, t, d):
    e = jnp.abs(x - t)
    return jnp.mean(jnp.where(e <= d, e * e / 2, d * (e - d / 2)))


def cases():
    m = Maker()

    def add(op, f, shapes, low=-2.0, high=2.0):
        name = "x".join(map(str, shapes[0]))
        m.floats(f"{op}_{name}", f, shapes, low, high)

    for s in ROWS:
        c = (s[1],)
        add("layer_norm", lambda x, g, b: moved(x, -1) * g + b, [s, c, c])
        add("rms_norm", lambda x, g: moved(x, -1, 1e-6, False) * g, [s, c])
        add("affine", lambda x, w, b: x @ w + b, [s, (s[1], 3), (3,)])
        add("t", lambda x: x.T, [s])
        add("expand_as", lambda b, x: jnp.broadcast_to(b, x.shape) * x, [c, s])
        add("clamp_min", lambda x: jnp.maximum(x, 0.3), [s])
        add("clamp_max", lambda x: jnp.minimum(x, 0.3), [s])
        add("cast", lambda x: x * 2.0, [s])
        add("sign", lambda x: jnp.sign(x) * x, [s])
        add("lerp", lambda a, b, w: a + w * (b - a), [s, s, ()])
        add("l1_loss", lambda x, t: jnp.mean(jnp.abs(x - t * 0.7)), [s, s])
        add("huber_loss", lambda x, t: huber(x, t, 0.7), [s, s])
        add("smooth_l1_loss", lambda x, t: huber(x, t, 0.7) / 0.7, [s, s])
        bce = lambda x, t: jnp.mean(jnp.logaddexp(0.0, x) - x * t)
        add("bce_with_logits", bce, [s, s])
        kl = lambda x, t: jnp.sum(t * (jnp.log(t) - x)) / s[0]
        add("kl_div", kl, [s, s], 0.2, 2.0)
        add("quantile_axis", lambda x: jnp.quantile(x, 0.3, axis=1), [s])
        add("quantile_axis_keepdim", lambda x: jnp.quantile(x, 0.9, axis=0, keepdims=True), [s])
        add("median_axis", lambda x: jnp.median(x, axis=1), [s])
        add("median_axis_keepdim", lambda x: jnp.median(x, axis=0, keepdims=True), [s])
        add("stack", lambda a, b: jnp.stack([a, b, a * b]), [s, s])
        add("norm_p_axis_keepdim", lambda x: norm_p(x, axis=1, keepdims=True), [s])
        add("var_axis_keepdim", lambda x: jnp.var(x, axis=1, keepdims=True), [s])
    for s in CUBES:
        c = (s[1],)
        over, keep = {"axis": (0, 2)}, {"axis": (1, 2), "keepdims": True}
        scaled = lambda hat, x, g, b: hat * per_channel(g, x) + per_channel(b, x)
        add("batch_norm", lambda x, g, b: scaled(moved(x, (0, 2)), x, g, b), [s, c, c])
        add("instance_norm", lambda x, g, b: scaled(moved(x, (2,)), x, g, b), [s, c, c])
        add("group_norm", group_norm, [s, c, c])
        add("var_axes", lambda x: jnp.var(x, **over), [s])
        add("std_axes", lambda x: jnp.std(x + 0.0, **over) if x.size > 1 else x.sum(axis=(0, 2)) * 0.0, [s])
        add("norm_l1_axes", lambda x: jnp.sum(jnp.abs(x), **over), [s])
        add("norm_axes", lambda x: jnp.sqrt(jnp.sum(x * x, **over)), [s])
        add("norm_p_axes", lambda x: norm_p(x, **over), [s])
        add("prod_axes_keepdim", lambda x: jnp.prod(x, **keep), [s])
        add("logsumexp_axes_keepdim", lambda x: logsumexp(x, **keep), [s])
        add("norm_l1_axes_keepdim", lambda x: jnp.sum(jnp.abs(x), **keep), [s])
        add("norm_p_axes_keepdim", lambda x: norm_p(x, **keep), [s])
    for s in ROWS:
        add("softmax_axis_0", lambda x: jax.nn.softmax(x, axis=0), [s])
        add("log_softmax_axis_0", lambda x: jax.nn.log_softmax(x, axis=0), [s])
    return m.made
