"""Linear algebra and Fourier transforms, from JAX in f64.

Results are made independent of the signs of vectors, and inputs regular, inside of the functions.
"""

import jax
import jax.numpy as jnp
from jax import lax

from tensor_cases import Maker

eye = lambda x: jnp.eye(x.shape[-1])
t = lambda x: jnp.swapaxes(x, -1, -2)
strong = lambda x: x + 9.0 * eye(x)
definite = lambda x: x @ t(x) + eye(x)


def triangular(lower, transpose, unit):
    return lambda a, b: lax.linalg.triangular_solve(
        strong(a), b, left_side=True, lower=lower, transpose_a=transpose, unit_diagonal=unit
    )


def qr(x):
    q, r = jnp.linalg.qr(x)
    return jnp.concatenate([q * q, r * r], axis=-2)


def eigh(x):
    w, v = jnp.linalg.eigh(x)
    return jnp.concatenate([w[..., None, :], v * v], axis=-2)


def svd(x):
    u, s, vt = jnp.linalg.svd(x, full_matrices=False)
    return jnp.concatenate([s[..., None, :], u * u, t(vt * vt)], axis=-2)


def slogdet(x):
    sign, log = jnp.linalg.slogdet(x)
    return sign * log


def parts(f, axis):
    """The real and imaginary parts of a complex function of two parts, one after the other."""

    def g(*x):
        y = f(*x)
        return jnp.concatenate([y.real, y.imag], axis=axis)

    return g


def two(f, axis=0):
    return parts(lambda re, im: f(re + 1j * im), axis)


def linalg(m):
    for name, f, shapes in [
        ("solve", lambda a, b: jnp.linalg.solve(strong(a), b), [[(1, 1), (1, 1)], [(3, 3), (3, 2)], [(2, 5, 5), (2, 5, 3)]]),
        ("solve_lower", triangular(True, False, False), [[(1, 1), (1, 1)], [(3, 3), (3, 2)], [(2, 5, 5), (2, 5, 3)]]),
        ("solve_upper_transposed_unit", triangular(False, True, True), [[(1, 1), (1, 1)], [(3, 3), (3, 2)], [(2, 5, 5), (2, 5, 3)]]),
        ("inv", lambda a: jnp.linalg.inv(strong(a)), [[(1, 1)], [(3, 3)], [(2, 5, 5)]]),
        ("det", jnp.linalg.det, [[(1, 1)], [(3, 3)], [(2, 5, 5)]]),
        ("slogdet", slogdet, [[(1, 1)], [(3, 3)], [(2, 5, 5)]]),
        ("logdet", lambda a: jnp.linalg.slogdet(definite(a))[1], [[(1, 1)], [(3, 3)], [(2, 5, 5)]]),
        ("cholesky", lambda a: jnp.linalg.cholesky(definite(a)), [[(1, 1)], [(3, 3)], [(2, 5, 5)]]),
        ("qr", qr, [[(1, 1)], [(3, 3)], [(2, 7, 5)]]),
        ("eigh", eigh, [[(1, 1)], [(3, 3)], [(2, 5, 5)]]),
        ("eigvalsh", jnp.linalg.eigvalsh, [[(1, 1)], [(3, 3)], [(2, 5, 5)]]),
        ("svd", svd, [[(1, 1)], [(3, 3)], [(2, 7, 5)], [(3, 5)]]),
        ("pinv", jnp.linalg.pinv, [[(1, 1)], [(7, 3)], [(2, 3, 5)]]),
        ("lstsq", lambda a, b: jnp.linalg.lstsq(a, b)[0], [[(1, 1), (1, 1)], [(7, 3), (7, 2)], [(3, 5), (3, 2)]]),
        ("matrix_power", lambda a: jnp.linalg.matrix_power(a, 3), [[(1, 1)], [(3, 3)], [(2, 5, 5)]]),
        ("trace", lambda a: jnp.trace(a, axis1=-2, axis2=-1), [[(1, 1)], [(3, 3)], [(2, 5, 5)]]),
        ("cross", jnp.cross, [[(3,), (3,)], [(1, 3), (1, 3)], [(2, 5, 3), (2, 5, 3)]]),
    ]:
        for i, inputs in enumerate(shapes):
            m.floats(f"{name}_{i + 1}", f, inputs)
    m.floats("matrix_exp_1", jax.scipy.linalg.expm, [(1, 1)])
    m.floats("matrix_exp_2", jax.scipy.linalg.expm, [(3, 3)])
    m.floats("matrix_exp_3", jax.vmap(jax.scipy.linalg.expm), [(2, 5, 5)])


def fourier(m):
    fft = jnp.fft
    for i, shape in enumerate([(1,), (5, 3), (2, 8, 7)]):
        m.floats(f"fft_{i + 1}", two(fft.fft), [shape, shape])
        m.floats(f"ifft_{i + 1}", two(fft.ifft), [shape, shape])
        m.floats(f"fft_ortho_{i + 1}", two(lambda z: fft.fft(z, norm="ortho")), [shape, shape])
        m.floats(f"rfft_{i + 1}", parts(fft.rfft, 0), [shape])
    for i, shape in enumerate([(1, 1), (5, 3), (2, 8, 7)]):
        m.floats(f"fft2_{i + 1}", two(fft.fft2), [shape, shape])
        m.floats(f"ifft2_{i + 1}", two(fft.ifft2), [shape, shape])
        m.floats(f"rfft2_{i + 1}", parts(fft.rfft2, 0), [shape])
    for i, (shape, n) in enumerate([((1,), 1), ((3, 5), 8), ((3, 5), 9)]):
        m.floats(f"irfft_{i + 1}", lambda re, im, n=n: fft.irfft(re + 1j * im, n=n), [shape, shape])
    for i, (shape, n) in enumerate([((1, 1), 1), ((3, 5), 8), ((2, 4, 5), 9)]):
        m.floats(
            f"irfft2_{i + 1}",
            lambda re, im, n=n: fft.irfft2(re + 1j * im, s=(re.shape[-2], n)),
            [shape, shape],
        )
    m.floats("fft_along_1", two(lambda z: fft.fft(z, axis=1), 1), [(2, 9, 3), (2, 9, 3)])


def cases():
    m = Maker()
    linalg(m)
    fourier(m)
    return m.made
