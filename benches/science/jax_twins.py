"""The programs of this folder in JAX: seconds of the primal and of the gradient, and the value, as JSON.

One thread and numbers of 64 bits. Each program has the name that it has in Rust.
"""

import json
import os
import time

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["JAX_PLATFORMS"] = "cpu"
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import cholesky, solve_triangular
from jax.scipy.special import logsumexp
from jax.scipy.stats import norm

jax.config.update("jax_enable_x64", True)

twins = {}


def best(f, runs=30, seconds=2.0):
    jax.block_until_ready(f())
    fastest, start = float("inf"), time.perf_counter()
    for run in range(runs):
        if run > 3 and time.perf_counter() - start > seconds:
            break
        t = time.perf_counter()
        jax.block_until_ready(f())
        fastest = min(fastest, time.perf_counter() - t)
    return fastest


def twin(name, primal, gradient, *args, value=True):
    f, g = jax.jit(primal), jax.jit(gradient)
    found = float(f(*args)) if value else None
    twins[name] = (best(lambda: f(*args)), best(lambda: g(*args)), found)


def scalar(name, f, *args):
    twin(name, f, jax.value_and_grad(f, tuple(range(len(args)))), *args)


def fluid():
    def project(vx, vy):
        h, r = 1.0 / vx.shape[0], jnp.roll
        p = jnp.zeros(vx.shape)
        div = -0.5 * h * (r(vx, -1, 0) - r(vx, 1, 0) + r(vy, -1, 1) - r(vy, 1, 1))
        for _ in range(10):
            p = (div + r(p, 1, 0) + r(p, -1, 0) + r(p, 1, 1) + r(p, -1, 1)) / 4.0
        return vx - 0.5 * (r(p, -1, 0) - r(p, 1, 0)) / h, vy - 0.5 * (r(p, -1, 1) - r(p, 1, 1)) / h

    def advect(f, vx, vy):
        rows, cols = f.shape
        ii, jj = jnp.meshgrid(jnp.arange(rows), jnp.arange(cols), indexing="ij")
        x, y = ii - vx, jj - vy
        left, top = jnp.floor(x), jnp.floor(y)
        rw, bw = x - left, y - top
        left, top = jnp.mod(left.astype(int), rows), jnp.mod(top.astype(int), cols)
        right, bottom = jnp.mod(left + 1, rows), jnp.mod(top + 1, cols)
        above = (1 - bw) * f[left, top] + bw * f[left, bottom]
        below = (1 - bw) * f[right, top] + bw * f[right, bottom]
        return (1 - rw) * above + rw * below

    n = 64
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    smoke = ((i // 8 + j // 8) % 2 == 0).astype(float)
    target = (np.hypot(i - n / 2, j - n / 2) < 0.3 * n).astype(float)

    def objective(vx, vy):
        def body(state, _):
            vx, vy, s = state
            vx, vy = project(advect(vx, vx, vy), advect(vy, vx, vy))
            return (vx, vy, advect(s, vx, vy)), None

        (_, _, s), _ = jax.lax.scan(body, (vx, vy, smoke), None, length=20)
        return jnp.mean((target - s) ** 2)

    vx, vy = np.sin(0.3 * i) + 0.01 * j, np.cos(0.2 * j) - 0.005 * i
    scalar("fluid: 20 steps on a grid of 64 by 64", objective, vx, vy)


def deep_gp():
    def likelihood(gp, x, y):
        d = (x[:, None, :] - x[None, :, :]) / jnp.exp(gp["lengths"])
        k = jnp.exp(gp["scale"]) * jnp.exp(-0.5 * jnp.sum(d**2, axis=2))
        k += (jnp.exp(gp["noise"]) + 1e-4) * jnp.eye(len(y))
        l = cholesky(k, lower=True)
        z = solve_triangular(l, y - gp["mean"], lower=True)
        return -0.5 * z @ z - jnp.sum(jnp.log(jnp.diag(l))) - 0.5 * len(y) * jnp.log(2 * jnp.pi)

    for n in (20, 100):
        x = (-2 + 4 * np.arange(n) / (n - 1))[:, None]
        y = np.sign(x[:, 0]) + 0.1 * np.sin(7.3 * np.arange(n))
        gp = dict(mean=0.05, noise=-2.0, scale=0.1, lengths=np.array([-0.2]))

        def deep(a, b, h):
            return likelihood(a, x, h) + likelihood(b, h[:, None], y)

        scalar(f"deep Gaussian process, {n} points", deep, gp, gp, np.sin(0.5 * np.arange(n)))


def neural_ode():
    def layer(r, c, s):
        i, j = np.arange(r)[:, None], np.arange(c)[None]
        return 0.3 * np.sin(s + 1.7 * i + 0.9 * j), 0.1 * np.cos(s + np.arange(r))

    def net(layers, y):
        (w1, b1), (w2, b2) = layers
        return w2 @ jnp.tanh(w1 @ y**3 + b1) + b2

    def loss(layers):
        h = 1.5 / 200

        def body(y, _):
            k1 = net(layers, y)
            k2 = net(layers, y + 0.5 * h * k1)
            k3 = net(layers, y + 0.5 * h * k2)
            k4 = net(layers, y + h * k3)
            return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

        y, _ = jax.lax.scan(body, jnp.array([2.0, 0.0]), None, length=200)
        return jnp.sum(y**2)

    scalar("neural ODE, 200 steps of Runge and Kutta", loss, [layer(50, 2, 0.1), layer(2, 50, 0.7)])


def black_box():
    i = np.arange(2000)
    noise = np.stack([np.sin(1.3 * i) * 1.4, np.cos(2.1 * i) * 1.4], 1)

    def objective(m, s):
        x = noise * jnp.exp(s) + m
        log_prob = norm.logpdf(x[:, 1], 0, 1.35) + norm.logpdf(x[:, 0], 0, jnp.exp(x[:, 1]))
        return -(0.5 * 2 * (1 + jnp.log(2 * jnp.pi)) + s.sum() + jnp.mean(log_prob))

    scalar("variational inference, 2000 samples", objective, -np.ones(2), -np.ones(2))


def hmm():
    k, t = 20, np.arange(1000)
    ys, i = (t * 7 + t // 3) % 27, np.arange(k)[:, None]

    def partition(pi, a, b):
        step = lambda alpha, y: (logsumexp(alpha[:, None] + a, axis=0) + b[:, y], None)
        return logsumexp(jax.lax.scan(step, pi, ys)[0])

    a = np.sin(i + 0.7 * np.arange(k)[None])
    b = np.cos(1.1 * i + 0.4 * np.arange(28)[None]) - 3.0
    scalar("hidden Markov model, 20 states, 1000 letters", partition, np.sin(0.3 * np.arange(k)), a, b)


def molecules():
    n, a = 6, 1.1
    k = np.arange(n**3)
    triples = np.arange(3 * n**3).reshape(n**3, 3)
    x0 = a * np.stack([k // (n * n), k // n % n, k % n], 1) + 0.05 * np.sin(triples * 1.7)
    species = (k % 5 == 0).astype(int)
    epsilon, sigma = np.array([[1.0, 1.5], [1.5, 0.5]]), np.array([[1.0, 0.8], [0.8, 0.88]])
    side, cut = a * n, 2.0

    def square(d):
        d = d - side * jnp.round(d / side)
        return jnp.sum(d * d, -1)

    near = np.array(square(x0[:, None] - x0[None])) < (cut + 0.3) ** 2
    i, j = np.nonzero(np.triu(near, 1))
    e, s = epsilon[species[i], species[j]], sigma[species[i], species[j]]

    def energy(x):
        r2 = square(x[i] - x[j])
        s6, c6 = (s * s / r2) ** 3, (s / cut) ** 6
        return jnp.sum(jnp.where(r2 > cut * cut, 0.0, 4 * e * (s6 * s6 - s6 - c6 * c6 + c6)))

    scalar("Lennard-Jones, 3452 pairs", energy, x0)
    t = np.cos(triples * 0.3)
    product = lambda x: jax.jvp(jax.grad(energy), (x,), (t,))[1]
    twin("Lennard-Jones, a Hessian-vector product after a gradient", energy, product, x0, value=False)

    def after(x, v):
        def body(state, _):
            x, v = state
            v = v - 1e-3 * jax.grad(energy)(x)
            return (x + 1e-3 * v, v), None

        (_, v), _ = jax.lax.scan(body, (x, v), None, length=50)
        return 0.5 * jnp.sum(v * v)

    scalar("Lennard-Jones, through 50 steps of leapfrog", after, x0, 0.1 * np.sin(triples * 0.9))


def kalman():
    a, h, i = np.eye(4), np.zeros((2, 4)), np.arange(200)
    a[0, 2] = a[1, 3] = 0.1
    h[0, 0] = h[1, 1] = 1
    z, seen = np.stack([np.sin(0.1 * i), np.cos(0.13 * i)], 1), i % 7 != 3

    def likelihood(a, h, q, r):
        def body(state, observed):
            (x, p, total), (z, seen) = state, observed
            x, p = a @ x, a @ p @ a.T + q
            y, s = z - h @ x, h @ p @ h.T + r
            inverse = jnp.linalg.inv(s)
            k = p @ h.T @ inverse
            new = total - 0.5 * (y @ inverse @ y + jnp.log(jnp.linalg.det(s)) + 2 * jnp.log(2 * jnp.pi))
            chosen = lambda there, here: jnp.where(seen, there, here)
            return (chosen(x + k @ y, x), chosen(p - k @ h @ p, p), chosen(new, total)), None

        return jax.lax.scan(body, (jnp.zeros(4), q, 0.0), (z, seen))[0][2]

    scalar("Kalman filter, 200 observations", likelihood, a, h, 0.1 * np.eye(4), np.array([[0.5, 0.1], [0.1, 0.4]]))


def options():
    z, strike, expiry = np.sin(0.7 * np.arange(100_000)) * 1.4, 105.0, 0.75

    def monte_carlo(s, r, v):
        x = s * jnp.exp((r - 0.5 * v * v) * expiry + v * jnp.sqrt(expiry) * z)
        return jnp.exp(-r * expiry) * jnp.sum(jnp.maximum(x - strike, 0.0)) / z.size

    scalar("options, Monte Carlo with 100 000 paths", monte_carlo, 100.0, 0.03, 0.25)


def eight_schools():
    y = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
    s = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])

    def density(mu, log_tau, eta):
        tau = jnp.exp(log_tau)
        prior = -0.5 * (mu / 5) ** 2 - jnp.log(1 + (tau / 5) ** 2) + log_tau - 0.5 * jnp.sum(eta**2)
        return prior + jnp.sum(-0.5 * ((y - mu - tau * eta) / s) ** 2)

    scalar("eight schools, the density", density, 0.3, 0.2, 0.1 * np.arange(8))


def peaks():
    x = 0.004 * np.arange(1000)
    curve = lambda p: sum(p[3 * k] * jnp.exp(-(((x - p[3 * k + 1]) / p[3 * k + 2]) ** 2)) for k in range(2)) + p[6] + p[7] * x
    y = curve(np.array([2.0, 1.0, 0.4, 1.0, 2.5, 0.7, 0.1, 0.05]))
    residuals = lambda p: curve(p) - y
    start = np.array([1.5, 0.8, 0.5, 1.2, 2.8, 0.5, 0.0, 0.0])
    twin("peaks, Jacobian of 1000 residuals", residuals, jax.jacfwd(residuals), start, value=False)


def heat():
    i, j = np.meshgrid(np.arange(24), np.arange(24), indexing="ij")

    def step(u, k):
        c, m = u[1:-1, 1:-1], k[1:-1, 1:-1]
        around = [(slice(None, -2), slice(1, -1)), (slice(2, None), slice(1, -1))]
        around += [(b, a) for a, b in around]
        flux = sum((m + k[at]) * (u[at] - c) for at in around)
        return u.at[1:-1, 1:-1].set(c + 0.1 * 0.5 * flux)

    def misfit(k, u):
        some = jax.checkpoint(lambda u: jax.lax.scan(lambda u, _: (step(u, k), None), u, None, length=100)[0])
        u = jax.lax.scan(lambda u, _: (some(u), None), u, None, length=100)[0]
        return (u[5, 6] - 0.2) ** 2 + (u[12, 12] - 0.3) ** 2 + (u[18, 4] + 0.1) ** 2

    k, u = 1 + 0.3 * np.sin(0.5 * i) * np.cos(0.4 * j), np.cos(0.3 * i) + np.sin(0.2 * j)
    scalar("heat, 10 000 steps in two grids", misfit, k, u)
    twins["heat, 10 000 steps that return a grid"] = twins["heat, 10 000 steps in two grids"]


def fft():
    i = np.arange(1024)
    signal, target = np.sin(0.37 * i), np.cos(0.21 * i)

    def loss(s):
        z = jnp.fft.fft(s)
        return jnp.sum((z.real**2 + z.imag**2 - target) ** 2)

    # A library's transform against one written out.
    scalar("Fourier transform in place, 1024 points", loss, signal)
    twins["Fourier transform by recursion, 1024 points"] = twins["Fourier transform in place, 1024 points"]


def layers():
    def layer(r, c):
        return np.sin(1.1 * np.arange(r)[:, None] + 0.7 * np.arange(c)[None]), np.full(r, 0.1), 1.3

    xs = np.cos(0.4 * np.arange(1000)[:, None] + np.arange(3)[None])
    ys = 0.1 * np.arange(1000)

    def loss(all):
        h = xs
        for w, b, beta in all:
            z = h @ w.T + b
            h = z / (1 + jnp.exp(-beta * z))
        return jnp.mean((h.sum(1) - ys) ** 2)

    scalar("generic layers, 1000 examples", loss, [layer(5, 3), layer(4, 5)])


for program in (fluid, deep_gp, neural_ode, black_box, hmm, molecules, kalman, options, eight_schools, peaks, heat, fft, layers):
    program()
print(json.dumps(twins))
