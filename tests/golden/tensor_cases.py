"""Values and gradients of the tensor operations, from JAX in f64.

A case holds the operation, its inputs, a cotangent for its output, the output, and the gradient of
`sum(output * cotangent)` with respect to each input. Integer inputs (indices, targets) stand apart,
under `indices`, and have no gradient.

The name of a case says everything that its inputs do not: `sum_axis_1` is the sum over axis 1.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp
from moved_cases import moved

jax.config.update("jax_enable_x64", True)

UNARY_SHAPES = [(1,), (17,), (3, 5), (2, 3, 4)]

UNARY = {
    # name: (function, (low, high) of the inputs)
    "neg": (lambda x: -x, (-2, 2)),
    "exp": (jnp.exp, (-2, 2)),
    "exp2": (jnp.exp2, (-2, 2)),
    "exp_m1": (jnp.expm1, (-2, 2)),
    "ln": (jnp.log, (0.2, 3)),
    "ln_1p": (jnp.log1p, (-0.8, 3)),
    "log2": (jnp.log2, (0.2, 3)),
    "log10": (jnp.log10, (0.2, 3)),
    "sqrt": (jnp.sqrt, (0.2, 3)),
    "cbrt": (jnp.cbrt, (0.2, 3)),
    "recip": (jnp.reciprocal, (0.2, 3)),
    "sin": (jnp.sin, (-4, 4)),
    "cos": (jnp.cos, (-4, 4)),
    "tan": (jnp.tan, (-1.2, 1.2)),
    "asin": (jnp.arcsin, (-0.9, 0.9)),
    "acos": (jnp.arccos, (-0.9, 0.9)),
    "atan": (jnp.arctan, (-3, 3)),
    "sinh": (jnp.sinh, (-2, 2)),
    "cosh": (jnp.cosh, (-2, 2)),
    "tanh": (jnp.tanh, (-2, 2)),
    "asinh": (jnp.arcsinh, (-3, 3)),
    "acosh": (jnp.arccosh, (1.1, 4)),
    "atanh": (jnp.arctanh, (-0.9, 0.9)),
    "abs": (jnp.abs, (-2, 2)),
    "square": (jnp.square, (-2, 2)),
    "fract": (lambda x: x - jax.lax.stop_gradient(jnp.trunc(x)), (-3, 3)),
    "floor": (jnp.floor, (-3, 3)),
    "ceil": (jnp.ceil, (-3, 3)),
    "round": (jnp.round, (-3, 3)),
    "trunc": (jnp.trunc, (-3, 3)),
    "signum": (jnp.sign, (-3, 3)),
    "to_degrees": (jnp.rad2deg, (-3, 3)),
    "to_radians": (jnp.deg2rad, (-180, 180)),
    "relu": (jax.nn.relu, (-2, 2)),
    "sigmoid": (jax.nn.sigmoid, (-4, 4)),
    "gelu": (lambda x: jax.nn.gelu(x, approximate=False), (-4, 4)),
    "gelu_tanh": (lambda x: jax.nn.gelu(x, approximate=True), (-4, 4)),
    "silu": (jax.nn.silu, (-4, 4)),
    "softplus": (jax.nn.softplus, (-4, 4)),
    "powi_3": (lambda x: x**3, (-2, 2)),
    "powi_-2": (lambda x: x**-2, (0.3, 2)),
    "powf_2.5": (lambda x: x**2.5, (0.3, 2)),
    "clamp_-0.5_0.75": (lambda x: jnp.clip(x, -0.5, 0.75), (-2, 2)),
    "scalar_right": (lambda x: ((x * 2.5 + 1.5) - 0.25) / 3.0, (-2, 2)),
    "scalar_left": (lambda x: 2.0 / x - 3.0 * x, (0.3, 2)),
}

SPECIAL = {
    "erf": (jax.scipy.special.erf, (-3, 3)),
    "erfc": (jax.scipy.special.erfc, (-3, 5)),
    "lgamma": (jax.scipy.special.gammaln, (-4, 12)),
    "digamma": (jax.scipy.special.digamma, (-4, 12)),
    "mish": (jax.nn.mish, (-4, 4)),
    "hardswish": (jax.nn.hard_swish, (-5, 5)),
    "hardsigmoid": (jax.nn.hard_sigmoid, (-5, 5)),
    "softsign": (jax.nn.soft_sign, (-4, 4)),
    "log_sigmoid": (jax.nn.log_sigmoid, (-4, 4)),
    "selu": (jax.nn.selu, (-4, 4)),
    "elu_0.7": (lambda x: jax.nn.elu(x, 0.7), (-4, 4)),
    "celu_0.7": (lambda x: jax.nn.celu(x, 0.7), (-4, 4)),
    "leaky_relu_0.1": (lambda x: jax.nn.leaky_relu(x, 0.1), (-4, 4)),
}

SAME = [[(1,), (1,)], [(3, 5), (3, 5)], [(2, 3, 4), (2, 3, 4)]]
# The right operand lacks leading dimensions, or has rank 0.
SUFFIX = [[(1, 1), (1,)], [(3, 5), (5,)], [(2, 3, 4), (3, 4)], [(2, 3), ()]]

BINARY = {
    "add": jnp.add,
    "sub": jnp.subtract,
    "mul": jnp.multiply,
    "div": jnp.divide,
    "maximum": jnp.maximum,
    "minimum": jnp.minimum,
}

REDUCE = [(1, 1), (3, 5), (2, 3, 7)]


FOLDS = {
    "prod": jnp.prod,
    "norm": lambda x, **axis: jnp.sqrt(jnp.sum(x * x, **axis)),
    "norm_l1": lambda x, **axis: jnp.sum(jnp.abs(x), **axis),
    "logsumexp": logsumexp,
}


def norm_p(x, **axis):
    return jnp.sum(jnp.abs(x) ** 2.5, **axis) ** 0.4


def mse(prediction, target):
    return jnp.mean((prediction - target) ** 2)


def cross_entropy(logits, targets):
    picked = jnp.take_along_axis(logits, targets[:, None], axis=1)[:, 0]
    return jnp.mean(logsumexp(logits, axis=1) - picked)


class Maker:
    def __init__(self):
        self.random = np.random.default_rng(20240607)
        self.made = []

    def input(self, shape, low, high):
        """Distinct multiples of 1/512: exact in few digits, and never tied nor at a kink."""
        grid = np.arange(int(np.ceil(low * 512)), int(high * 512))
        grid = grid[grid % 128 != 0]
        return self.random.choice(grid, size=shape, replace=False) / 512

    def case(self, op, f, inputs, indices=()):
        output, pullback = jax.vjp(lambda *x: f(*x, *indices), *inputs)
        cotangent = np.asarray(self.input(output.shape, -1.5, 1.5))
        gradients = pullback(jnp.asarray(cotangent))
        self.made.append(
            {
                "op": op,
                "inputs": [array(x) for x in inputs],
                **({"indices": [array(i) for i in indices]} if indices else {}),
                "output": array(output),
                "cotangent": array(cotangent),
                "gradients": [array(g) for g in gradients],
            }
        )

    def floats(self, op, f, shapes, low=-2.0, high=2.0):
        self.case(op, f, [jnp.asarray(self.input(s, low, high)) for s in shapes])

    def discrete(self, op, f, shape):
        """An operation with an integer result, which has no gradient."""
        x = jnp.asarray(self.input(shape, -2, 2))
        self.made.append({"op": op, "inputs": [array(x)], "output": array(f(x))})


def array(x):
    x = np.asarray(x)
    return {"shape": list(x.shape), "data": x.flatten().tolist()}


def cases():
    m = Maker()
    for op, (f, (low, high)) in UNARY.items():
        for shape in UNARY_SHAPES:
            m.floats(op, f, [shape], low, high)
    for op, f in BINARY.items():
        for shapes in SAME + SUFFIX:
            low = 0.3 if op == "div" else -2.0
            m.floats(op, f, shapes, low, 2.0)

    for shapes in ([(1, 1), (1, 1)], [(3, 5), (5, 7)], [(17, 9), (9, 13)]):
        m.floats("matmul", jnp.matmul, shapes)
    for shapes in ([(1, 1), (1,)], [(3, 5), (5,)], [(7, 17), (17,)]):
        m.floats("matmul", jnp.matmul, shapes)
    for shapes in ([(1,), (1, 1)], [(3,), (3, 5)], [(17,), (17, 7)]):
        m.floats("matmul", jnp.matmul, shapes)
    for shapes in ([(1, 1, 1), (1, 1, 1)], [(2, 3, 5), (2, 5, 7)], [(3, 1, 4), (3, 4, 9)]):
        m.floats("matmul", jnp.matmul, shapes)
    for shapes in ([(1, 1, 1), (1, 1)], [(2, 3, 5), (5, 7)], [(3, 1, 4), (4, 9)]):
        m.floats("matmul", jnp.matmul, shapes)

    reductions = {"sum": jnp.sum, "mean": jnp.mean, "max": jnp.max, "min": jnp.min}
    for op, f in reductions.items():
        for shape in REDUCE:
            m.floats(op, f, [shape])
            for axis in range(len(shape)):
                m.floats(f"{op}_axis_{axis}", lambda x: f(x, axis=axis), [shape])
                m.floats(
                    f"{op}_axis_keepdim_{axis}", lambda x: f(x, axis=axis, keepdims=True), [shape]
                )
    tied = jnp.asarray([[1.0, 3.0, 3.0], [2.0, -1.0, 2.0]])
    m.case("max_axis_1", lambda x: jnp.max(x, axis=1), [tied])
    m.case("min_axis_0", lambda x: jnp.min(x, axis=0), [jnp.asarray([[1.0, 3.0], [1.0, 4.0]])])
    for shape in REDUCE:
        for axis in range(len(shape)):
            m.discrete(f"argmax_{axis}", lambda x: jnp.argmax(x, axis=axis), shape)
            m.discrete(f"argmin_{axis}", lambda x: jnp.argmin(x, axis=axis), shape)

    for shape in REDUCE:
        m.floats("softmax", lambda x: jax.nn.softmax(x, axis=-1), [shape], -4, 4)
        m.floats("log_softmax", lambda x: jax.nn.log_softmax(x, axis=-1), [shape], -4, 4)
    m.floats("softmax_axis_0", lambda x: jax.nn.softmax(x, axis=0), [(3, 5)], -4, 4)
    m.floats("log_softmax_axis_0", lambda x: jax.nn.log_softmax(x, axis=0), [(3, 5)], -4, 4)
    for n, classes in ((1, 1), (3, 5), (7, 13)):
        targets = jnp.asarray(m.random.integers(0, classes, n))
        logits = jnp.asarray(m.input((n, classes), -4, 4))
        m.case("cross_entropy", cross_entropy, [logits], [targets])
    for shape in ((1,), (3, 5), (2, 3, 7)):
        m.floats("mse", mse, [shape, shape])

    for count, width, n in ((1, 1, 1), (5, 3, 4), (7, 9, 11)):
        # Indices repeat, so that their gradients must add.
        indices = jnp.asarray(m.random.integers(0, count, n))
        table = jnp.asarray(m.input((count, width), -2, 2))
        m.case("embedding", lambda t, i: t[i], [table], [indices])

    for shape, n in (((1, 1), 1), ((3, 5), 4), ((7, 9), 11)):
        indices = jnp.asarray(m.random.integers(0, shape[1], (shape[0], n)))
        x = jnp.asarray(m.input(shape, -2, 2))
        m.case("gather_1", lambda x, i: jnp.take_along_axis(x, i, axis=1), [x], [indices])

    for shape in ((1, 1), (3, 5), (9, 17)):
        m.floats("transpose", lambda x: x.T, [shape])
    for shape, axes in (((1, 1, 1), (2, 0, 1)), ((2, 3, 7), (2, 0, 1)), ((3, 5, 2), (1, 0, 2))):
        m.floats("permute_" + "_".join(map(str, axes)), lambda x: jnp.transpose(x, axes), [shape])
    for shape, to in (((1,), (1, 1)), ((3, 4), (2, 6)), ((2, 3, 5), (5, 6))):
        m.floats("reshape", lambda x: x.reshape(to), [shape])
    for shape in ((1, 1, 1), (2, 3, 5), (3, 7, 1)):
        m.floats("flatten", lambda x: x.reshape(x.shape[0], -1), [shape])
    for shape, heads in (((1, 1), 1), ((3, 6), 2), ((2, 3, 15), 5)):
        split = shape[:-1] + (heads, shape[-1] // heads)
        m.floats("split_last", lambda x: x.reshape(split), [shape])
        m.floats("merge_last", lambda x: x.reshape(shape), [split])
    for shape in ((1,), (5,), (3, 7)):
        m.floats("unsqueeze_0", lambda x: x[None], [shape])
        m.floats("squeeze_0", lambda x: x[0], [(1,) + shape])
    for axis, shapes in (
        (0, [(1, 1), (1, 1)]),
        (0, [(2, 3), (5, 3)]),
        (1, [(3, 5), (3, 1)]),
        (1, [(2, 3, 5), (2, 4, 5)]),
    ):
        m.floats(f"concat_{axis}", lambda a, b: jnp.concatenate([a, b], axis=axis), shapes)
    # The parts are combined so that their cotangents differ.
    for shape in ((1, 3), (3, 5), (2, 7)):
        m.floats("split_at_2", lambda x: x[:, :2].sum() * 3.0 + (x[:, 2:] ** 2).sum(), [shape])
    for shape in ((1, 3), (3, 9), (5, 21)):
        third = shape[1] // 3
        m.floats(
            "chunk_3",
            lambda x: x[:, :third] * x[:, third : 2 * third] + x[:, 2 * third :],
            [shape],
        )
    for shape in ((1, 3), (3, 5), (7, 9)):
        m.floats("slice_1_to_3", lambda x: x[:, 1:3], [shape])
        m.floats("narrow_1_to_3", lambda x: x[:, 1:3], [shape])
    for shape, count in (((1, 1), 1), ((1, 5), 3), ((1, 7), 9)):
        m.floats("expand_0", lambda x: jnp.broadcast_to(x, (count, shape[1])), [shape])
    folds_and_masks(m)
    moved(m)
    return m.made


def folds_and_masks(m):
    for op, (f, (low, high)) in SPECIAL.items():
        for shape in UNARY_SHAPES:
            m.floats(op, f, [shape], low, high)
    for shapes in SAME:
        m.floats("select", lambda a, b: jnp.where(a > b, a * b, jnp.sin(b)), shapes)
        m.floats("masked_fill", lambda a, b: jnp.where(a <= b, 0.5, a) * b, shapes)
    for op, f in FOLDS.items():
        for shape in REDUCE:
            m.floats(op, f, [shape])
            for axis in range(len(shape)):
                m.floats(f"{op}_axis_{axis}", lambda x: f(x, axis=axis), [shape])
                m.floats(
                    f"{op}_axis_keepdim_{axis}", lambda x: f(x, axis=axis, keepdims=True), [shape]
                )
    zeros = jnp.asarray([[2.0, 0.0, 3.0], [0.0, 5.0, 0.0], [1.5, -2.0, 4.0]])
    m.case("prod_axis_1", lambda x: jnp.prod(x, axis=1), [zeros])
    m.case("cumprod_1", lambda x: jnp.cumprod(x, axis=1), [zeros])
    for shape in ((2, 2), (3, 5), (2, 3, 7)):
        m.floats("var_0", jnp.var, [shape])
        m.floats("std_1", lambda x: jnp.std(x, ddof=1), [shape])
        m.floats("var_axis_0_1", lambda x: jnp.var(x, axis=0, ddof=1), [shape])
        m.floats("std_axis_1_0", lambda x: jnp.std(x, axis=1), [shape])
        m.floats("std_axis_keepdim_1_1", lambda x: jnp.std(x, axis=1, ddof=1, keepdims=True), [shape])
    m.floats("var_0", jnp.var, [(1, 1)])
    for shape in REDUCE:
        m.floats("norm_p", norm_p, [shape])
        m.floats("norm_p_axis_1", lambda x: norm_p(x, axis=1), [shape])
        for axis in (0, 1):
            m.floats(f"cumsum_{axis}", lambda x: jnp.cumsum(x, axis=axis), [shape])
            m.floats(f"cumprod_{axis}", lambda x: jnp.cumprod(x, axis=axis), [shape])
            m.floats(f"sort_{axis}", lambda x: jnp.sort(x, axis=axis), [shape])
            m.discrete(f"argsort_{axis}", lambda x: jnp.argsort(x, axis=axis), shape)
        m.floats("sort_descending_1", lambda x: jnp.sort(x, axis=1, descending=True), [shape])
        m.floats("topk", lambda x: jax.lax.top_k(x, 1)[0], [shape])
    for shape in ((1, 1, 1), (2, 3, 5), (3, 4, 7)):
        for op, f in {"sum": jnp.sum, "mean": jnp.mean, "max": jnp.max, "min": jnp.min}.items():
            m.floats(f"{op}_axes_0_2", lambda x: f(x, axis=(0, 2)), [shape])
            m.floats(f"{op}_axes_keepdim_1_2", lambda x: f(x, axis=(1, 2), keepdims=True), [shape])
    for shape in ((5,), (3, 5), (7, 17)):
        m.floats("topk_3", lambda x: jax.lax.top_k(x, 3)[0], [shape])
