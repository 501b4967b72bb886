"""JAX with `jit`: `jax_peer.py W1 SECONDS THREADS`; arguments are donated."""

import time

START = time.perf_counter()

import os  # noqa: E402  the clock starts before the imports
import sys  # noqa: E402

THREADS = int(sys.argv[3])
os.sched_setaffinity(0, set(list(os.sched_getaffinity(0))[:THREADS]))
os.environ["XLA_FLAGS"] = f"--xla_cpu_multi_thread_eigen={'true' if THREADS > 1 else 'false'}"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

from common import report  # noqa: E402

RNG = np.random.default_rng(1)


def normal(*shape, scale=1.0):
    return jnp.asarray(RNG.standard_normal(shape) * scale, jnp.float32)


def linear(i, o):
    return {"w": normal(i, o, scale=i**-0.5), "b": jnp.zeros(o)}


def dense(p, x):
    return x @ p["w"] + p["b"]


def cross_entropy(logits, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1).mean()


def two_layers(p, x, y):
    return jnp.square(jax.nn.relu(x @ p["w1"]) @ p["w2"] - y).sum()


def classifier(p, x, y):
    h = jax.nn.relu(dense(p["l1"], x))
    return cross_entropy(dense(p["l3"], jax.nn.relu(dense(p["l2"], h))), y)


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def cnn(p, x, y):
    h = lax.conv(x, p["c1"], (1, 1), "SAME") + p["b1"][:, None, None]
    h = lax.conv(pool(jax.nn.relu(h)), p["c2"], (1, 1), "VALID") + p["b2"][:, None, None]
    h = pool(jax.nn.relu(h)).reshape(64, 400)
    h = jax.nn.relu(dense(p["l2"], jax.nn.relu(dense(p["l1"], h))))
    return cross_entropy(dense(p["l3"], h), y)


def norm(p, x):
    m = x.mean(-1, keepdims=True)
    v = jnp.square(x - m).mean(-1, keepdims=True)
    return (x - m) * lax.rsqrt(v + 1e-5) * p["scale"] + p["shift"]


def block(p, x):
    qkv = dense(p["qkv"], norm(p["n1"], x)).reshape(16, 64, 3, 4, 32)
    a = jax.nn.dot_product_attention(qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2], is_causal=True)
    x = x + dense(p["out"], a.reshape(16, 64, 128))
    return x + dense(p["down"], jax.nn.gelu(dense(p["up"], norm(p["n2"], x)), approximate=False))


def gpt(p, ids, targets):
    x = p["tokens"][ids] + p["positions"]
    for b in p["blocks"]:
        x = block(b, x)
    return cross_entropy(dense(p["head"], norm(p["norm"], x)).reshape(1024, 96), targets)


def lstm(p, x, y):
    gates = x @ p["input"] + p["bias"]

    def cell(state, z):
        h, c = state
        i, f, g, o = jnp.split(z + h @ p["hidden"], 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

    (h, _), _ = lax.scan(cell, (jnp.zeros((32, 128)), jnp.zeros((32, 128))), gates)
    return jnp.square(h - y).mean()


def chain(approximate):
    def f(p):
        x, w, b = p
        return (jax.nn.gelu(x * w + b, approximate=approximate) * jax.nn.sigmoid(x)).sum()

    return f


def sgd(rate):
    return lambda p: (), lambda p, g, s: (jax.tree.map(lambda p, g: p - rate * g, p, g), s)


def momentum(rate, beta):
    def update(p, g, s):
        s = jax.tree.map(lambda s, g: beta * s + g, s, g)
        return jax.tree.map(lambda p, s: p - rate * s, p, s), s

    return lambda p: jax.tree.map(jnp.zeros_like, p), update


def adam(rate, decay=0.0):
    def start(p):
        return jnp.zeros(()), jax.tree.map(jnp.zeros_like, p), jax.tree.map(jnp.zeros_like, p)

    def update(p, g, s):
        t, m, v = s
        t = t + 1
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
        a, b = 1 - 0.9**t, 1 - 0.999**t

        def move(p, m, v):
            return p - rate * (m / a / (jnp.sqrt(v / b) + 1e-8) + decay * p)

        return jax.tree.map(move, p, m, v), (t, m, v)

    return start, update


def layer_norm():
    return {"scale": jnp.ones(128), "shift": jnp.zeros(128)}


def setup(name):
    rows = jnp.arange(128) % 10
    if name == "W1":
        p = {"w1": normal(1000, 100, scale=0.03), "w2": normal(100, 10, scale=0.1)}
        return two_layers, p, (normal(64, 1000), normal(64, 10)), sgd(1e-6)
    if name == "W2":
        p = {"l1": linear(784, 256), "l2": linear(256, 128), "l3": linear(128, 10)}
        return classifier, p, (normal(128, 784), rows), adam(1e-3)
    if name == "W3":
        p = {
            "c1": normal(6, 1, 5, 5, scale=0.2), "b1": jnp.zeros(6),
            "c2": normal(16, 6, 5, 5, scale=0.08), "b2": jnp.zeros(16),
            "l1": linear(400, 120), "l2": linear(120, 84), "l3": linear(84, 10),
        }
        return cnn, p, (normal(64, 1, 28, 28), rows[:64]), momentum(1e-2, 0.9)
    if name == "W4":
        blocks = [{
            "n1": layer_norm(), "n2": layer_norm(), "qkv": linear(128, 384), "out": linear(128, 128),
            "up": linear(128, 512), "down": linear(512, 128),
        } for _ in range(4)]
        p = {
            "tokens": normal(96, 128, scale=0.02), "positions": normal(64, 128, scale=0.02),
            "blocks": blocks, "norm": layer_norm(), "head": linear(128, 96),
        }
        data = (jnp.arange(1024).reshape(16, 64) * 31 % 96, (jnp.arange(1024) + 1) * 31 % 96)
        return gpt, p, data, adam(3e-4, 0.01)
    p = {"input": normal(64, 512, scale=0.08), "hidden": normal(128, 512, scale=0.08), "bias": jnp.zeros(512)}
    return lstm, p, (normal(50, 32, 64), normal(32, 128)), adam(1e-3)


def main():
    name, seconds = sys.argv[1], float(sys.argv[2])
    if name[1] in "67":
        shape = (1000, 1000) if name[1] == "6" else (64, 256)
        p = tuple(normal(*shape) for _ in range(3))
        run = jax.jit(jax.value_and_grad(chain(name.endswith("t"))))

        def step():
            loss, grad = run(p)
            jax.block_until_ready(grad)
            return loss
    else:
        f, p, data, (start, update) = setup(name)

        def train(p, s):
            loss, grad = jax.value_and_grad(f)(p, *data)
            p, s = update(p, grad, s)
            return loss, p, s

        run = jax.jit(train, donate_argnums=(0, 1))
        state = [p, start(p)]

        def step():
            loss, state[0], state[1] = run(*state)
            jax.block_until_ready(state)
            return loss

    report(START, seconds, step)


main()
