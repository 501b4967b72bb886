"""Attention, from the plain formula in JAX in f64."""

import jax
import jax.numpy as jnp
import numpy as np

from tensor_cases import Maker


def attention(causal=False, scale=None, shown=None, bias=False, lengths=None, groups=1):
    """`softmax(scale q kᵀ + bias) v`; what is not `shown` is −∞."""

    def f(q, k, v, *more):
        if groups > 1:
            k, v = (jnp.repeat(x, groups, axis=-3) for x in (k, v))
        n, m = q.shape[-2], k.shape[-2]
        scores = jnp.einsum("...id,...jd->...ij", q, k)
        scores = scores * (q.shape[-1] ** -0.5 if scale is None else scale)
        if bias:
            scores = scores + more[0]
        mask = jnp.ones((n, m), bool)
        if causal:
            mask = jnp.arange(m)[None, :] <= jnp.arange(n)[:, None] + m - n
        if shown is not None:
            mask = mask & jnp.asarray(shown)
        if lengths is not None:
            some = jnp.arange(m) < jnp.asarray(lengths)[:, None]
            some = some.reshape(some.shape[:1] + (1,) * (q.ndim - 2) + (m,))
            mask = mask & some
        weights = jax.nn.softmax(jnp.where(mask, scores, -jnp.inf), axis=-1)
        return jnp.einsum("...ij,...jv->...iv", weights, v)

    return f


def shown(shape):
    """Entries by their number; the first key is always seen."""
    entries = np.arange(int(np.prod(shape))).reshape(shape)
    return (entries * 5 % 7 < 4) | (entries % shape[-1] == 0)


def cases():
    m = Maker()

    def three(op, f, q, k, v, *more):
        m.floats(op, f, [q, k, v, *more])

    three("plain_one", attention(), (1, 1), (1, 1), (1, 1))
    three("plain_matrix", attention(), (3, 5), (7, 5), (7, 2))
    three("plain_batch", attention(), (2, 9, 4), (2, 9, 4), (2, 9, 4))
    three("plain_heads", attention(scale=0.7), (2, 3, 5, 4), (2, 3, 6, 4), (2, 3, 6, 1))
    three("plain_tiles", attention(), (2, 2), (150, 2), (150, 3))
    three("causal_one", attention(causal=True), (1, 1), (1, 1), (1, 1))
    three("causal_square", attention(causal=True), (2, 9, 4), (2, 9, 4), (2, 9, 3))
    three("causal_cache", attention(causal=True), (2, 2, 3), (2, 7, 3), (2, 7, 5))
    three("causal_tiles", attention(causal=True), (70, 2), (70, 2), (70, 3))
    three("masked_one", attention(shown=shown((1, 1))), (1, 1), (1, 1), (1, 1))
    three("masked_rows", attention(shown=shown((5, 7))), (2, 5, 3), (2, 7, 3), (2, 7, 2))
    three("masked_heads", attention(shown=shown((2, 3, 4, 6))), (2, 3, 4, 2), (2, 3, 6, 2), (2, 3, 6, 2))
    three("biased_one", attention(bias=True), (1, 1), (1, 1), (1, 1), (1, 1))
    three("biased_rows", attention(bias=True), (2, 5, 3), (2, 7, 3), (2, 7, 2), (5, 7))
    three(
        "biased_heads",
        attention(bias=True, causal=True),
        (2, 3, 5, 2),
        (2, 3, 5, 2),
        (2, 3, 5, 2),
        (3, 5, 5),
    )
    three("padded_one", attention(lengths=[1]), (1, 1, 1), (1, 1, 1), (1, 1, 1))
    three("padded_batch", attention(lengths=[7, 1, 4]), (3, 5, 3), (3, 7, 3), (3, 7, 2))
    three("padded_heads", attention(lengths=[2, 5]), (2, 3, 4, 2), (2, 3, 5, 2), (2, 3, 5, 2))
    three("grouped_one", attention(groups=1), (1, 1, 1), (1, 1, 1), (1, 1, 1))
    three("grouped_heads", attention(groups=2, causal=True), (2, 4, 5, 3), (2, 2, 5, 3), (2, 2, 5, 2))
    three("grouped_single", attention(groups=3), (3, 4, 2), (1, 7, 2), (1, 7, 5))
    return m.made
