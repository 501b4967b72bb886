"""Cases of the operations that move entries, pick them by number, and multiply by letters."""

import jax
import jax.numpy as jnp


def moved(m):
    for shape in ((1, 1), (3, 5), (7, 17)):
        m.floats("flip_1", lambda x: jnp.flip(x, 1), [shape])
        m.floats("flip_0", lambda x: jnp.flip(x, 0), [shape])
        m.floats("roll_1_by_3", lambda x: jnp.roll(x, 3, 1), [shape])
        m.floats("roll_0_by_-2", lambda x: jnp.roll(x, -2, 0), [shape])
        m.floats("tril_1", lambda x: jnp.tril(x, 1), [shape])
        m.floats("triu_-1", lambda x: jnp.triu(x, -1), [shape])
    for shape in ((1, 2, 3), (2, 4, 4)):
        m.floats("tril_0", jnp.tril, [shape])
        m.floats("triu_0", jnp.triu, [shape])
    for shape in ((1, 7), (3, 9), (5, 17)):
        m.floats("slice_step_1_7_2", lambda x: x[:, 1:7:2], [shape])
        m.floats("slice_step_0_7_3", lambda x: x[:, 0:7:3], [shape])
    for shape in ((1, 1), (3, 5), (2, 7)):
        m.floats("repeat_1_3", lambda x: jnp.tile(x, (1, 3)), [shape])
        m.floats("repeat_0_2", lambda x: jnp.tile(x, (2, 1)), [shape])
        m.floats("repeat_interleave_1_3", lambda x: jnp.repeat(x, 3, axis=1), [shape])
    for n in (1, 3, 7):
        m.floats("diag", jnp.diag, [(n,)])
        m.floats("diagonal", jnp.diag, [(n, n)])
    for shape in ((1, 4), (3, 5), (7, 9)):
        m.floats(
            "pad_1_2", lambda x, v: jnp.pad(x, ((0, 0), (1, 2)), constant_values=v), [shape, ()]
        )
        m.floats("pad_reflect_3_2", lambda x: jnp.pad(x, ((0, 0), (3, 2)), "reflect"), [shape])
        m.floats("pad_replicate_3_2", lambda x: jnp.pad(x, ((0, 0), (3, 2)), "edge"), [shape])
    # The parts are combined so that their cotangents differ.
    for shape in ((1, 6), (3, 6), (7, 6)):
        m.floats("split_2_1_3", lambda x: x[:, :2] * x[:, 2:3] + x[:, 4:], [shape])
    for shape in ((1, 1), (3, 5), (2, 7)):
        m.floats("concat_all_0", lambda a, b: jnp.concatenate([a, b, a * b]), [shape, shape])
    for a, b in ((1, 1), (3, 5), (7, 2)):
        m.floats("meshgrid", lambda a, b: jnp.multiply(*jnp.meshgrid(a, b**2, indexing="ij")), [(a,), (b,)])
    for count, width, n in ((1, 1, 1), (3, 5, 4), (7, 9, 11)):
        indices = jnp.asarray(m.random.integers(0, count, n))
        table = jnp.asarray(m.input((count, width), -2, 2))
        m.case("one_hot", lambda t, i: jax.nn.one_hot(i, t.shape[0]) @ t, [table], [indices])
    for shape, n in (((1, 1), 1), ((3, 5), 4), ((7, 9), 11)):
        picks = jnp.asarray(m.random.integers(0, shape[1], n))
        x = jnp.asarray(m.input(shape, -2, 2))
        m.case("index_select_1", lambda x, i: jnp.take(x, i, axis=1), [x], [picks])
        picks = jnp.asarray(m.random.integers(0, shape[0], n))
        m.case("index_select_0", lambda x, i: jnp.take(x, i, axis=0), [x], [picks])
    for shape, n in (((1, 1), 1), ((3, 5), 4), ((7, 9), 6)):
        rows = jnp.arange(shape[0])[:, None]
        x, src = (jnp.asarray(m.input(s, -2, 2)) for s in (shape, (shape[0], n)))
        # Indices repeat in `scatter_add`; in `scatter`, where the outcome would depend on the order, not.
        places = jnp.asarray(m.random.integers(0, shape[1], (shape[0], n)))
        m.case("scatter_add_1", lambda x, s, i: x.at[rows, i].add(s), [x, src], [places])
        places = jnp.stack([jnp.asarray(m.random.permutation(shape[1])[:n]) for _ in range(shape[0])])
        m.case("scatter_1", lambda x, s, i: x.at[rows, i].set(s), [x, src], [places])

    for n in (1, 3, 17):
        m.floats("dot", jnp.dot, [(n,), (n,)])
    for a, b in ((1, 1), (3, 5), (7, 9)):
        m.floats("outer", jnp.outer, [(a,), (b,)])
    for text, cases in EINSUM.items():
        for shapes in cases:
            m.floats(text, lambda *x: jnp.einsum(text, *x), shapes)


EINSUM = {
    "ijk->kj": [[(1, 1, 1)], [(2, 3, 5)], [(3, 7, 2)]],
    "ii->i": [[(1, 1)], [(3, 3)], [(7, 7)]],
    "bij,bkj->bik": [[(1, 1, 1), (1, 1, 1)], [(2, 3, 5), (2, 7, 5)], [(3, 1, 4), (3, 9, 4)]],
    "ij,jk->ki": [[(1, 1), (1, 1)], [(3, 5), (5, 7)], [(9, 2), (2, 3)]],
    "ij,ij->i": [[(1, 1), (1, 1)], [(3, 5), (3, 5)], [(7, 9), (7, 9)]],
    "bi,ijk,bk->bj": [
        [(1, 1), (1, 1, 1), (1, 1)],
        [(2, 3), (3, 5, 4), (2, 4)],
        [(5, 2), (2, 3, 7), (5, 7)],
    ],
}
