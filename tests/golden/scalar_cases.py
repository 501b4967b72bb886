"""Values and derivatives of the scalar functions, from mpmath at 60 digits.

A case holds the arguments, the value and the derivative with respect to each argument. Points lie
inside the domain and away from kinks: what happens at kinks is our convention, not a fact, and is
tested beside the rules.
"""

import mpmath as mp

mp.mp.dps = 60

REAL = [-3.7, -1.25, -0.3, 1e-3, 0.7, 2.5, 11.0]
POSITIVE = [1e-3, 0.4, 1.0, 2.25, 7.5, 300.0]
UNIT = [-0.95, -0.3, 1e-4, 0.25, 0.8]
BROKEN = [-3.7, -0.3, 0.7, 2.6]  # no integers, no halves
MODERATE = [-2.5, -0.8, -1e-3, 0.3, 1.6, 4.0]


def cbrt(x):
    return mp.sign(x) * mp.cbrt(abs(x))


UNARY = {
    "exp": (mp.exp, REAL),
    "exp2": (lambda x: mp.power(2, x), REAL),
    "exp_m1": (mp.expm1, REAL + [1e-9]),
    "ln": (mp.log, POSITIVE),
    "ln_1p": (mp.log1p, POSITIVE + [-0.7, 1e-9]),
    "log2": (lambda x: mp.log(x) / mp.log(2), POSITIVE),
    "log10": (mp.log10, POSITIVE),
    "sqrt": (mp.sqrt, POSITIVE),
    "cbrt": (cbrt, [-8.5, -0.2, 0.03, 1.0, 27.5]),
    "recip": (lambda x: 1 / x, REAL),
    "sin": (mp.sin, REAL),
    "cos": (mp.cos, REAL),
    "tan": (mp.tan, MODERATE),
    "asin": (mp.asin, UNIT),
    "acos": (mp.acos, UNIT),
    "atan": (mp.atan, REAL),
    "sinh": (mp.sinh, MODERATE),
    "cosh": (mp.cosh, MODERATE),
    "tanh": (mp.tanh, MODERATE),
    "asinh": (mp.asinh, REAL),
    "acosh": (mp.acosh, [1.1, 1.5, 4.0, 90.0]),
    "atanh": (mp.atanh, UNIT),
    "abs": (abs, REAL),
    "signum": (mp.sign, REAL),
    "floor": (mp.floor, BROKEN),
    "ceil": (mp.ceil, BROKEN),
    "round": (lambda x: mp.sign(x) * mp.floor(abs(x) + mp.mpf("0.5")), BROKEN),
    "trunc": (lambda x: mp.sign(x) * mp.floor(abs(x)), BROKEN),
    "fract": (lambda x: x - mp.sign(x) * mp.floor(abs(x)), BROKEN),
    "to_degrees": (lambda x: x * 180 / mp.pi, REAL),
    "to_radians": (lambda x: x * mp.pi / 180, REAL),
    "powi_3": (lambda x: x**3, REAL),
    "powi_0": (lambda x: x**0, REAL),
    "powi_-2": (lambda x: x**-2, REAL),
    "neg": (lambda x: -x, REAL),
}

PAIRS = [(0.4, 1.7), (2.5, -0.6), (1.25, 3.0), (7.0, 0.125)]
SIGNED = PAIRS + [(-1.5, 0.75), (-2.0, -3.25)]

BINARY = {
    "add": (lambda a, b: a + b, SIGNED),
    "sub": (lambda a, b: a - b, SIGNED),
    "mul": (lambda a, b: a * b, SIGNED),
    "div": (lambda a, b: a / b, SIGNED),
    "atan2": (mp.atan2, SIGNED),
    "hypot": (mp.hypot, SIGNED),
    "powf": (mp.power, PAIRS),
    "max": (max, SIGNED),
    "min": (min, SIGNED),
}

TERNARY = {
    "mul_add": (lambda a, b, c: a * b + c, [(1.5, -0.7, 2.0), (-3.1, 4.2, 0.05)]),
    "clamp": (
        lambda x, lo, hi: min(max(x, lo), hi),
        [(0.3, -1.0, 1.0), (-2.0, -1.0, 1.0), (5.5, -1.0, 1.0)],
    ),
}


def derivative(f, point, argument):
    """The central difference at a step of 1e-25: its error is about 1e-35 here."""
    step = mp.mpf(10) ** -25
    up, down = list(point), list(point)
    up[argument] += step
    down[argument] -= step
    return (f(*up) - f(*down)) / (2 * step)


def cases():
    out = []
    for functions in (UNARY, BINARY, TERNARY):
        for name, (f, points) in functions.items():
            for point in points:
                point = (point,) if isinstance(point, float) else point
                exact = [mp.mpf(x) for x in point]
                out.append(
                    {
                        "fn": name,
                        "at": list(point),
                        "value": float(f(*exact)),
                        "gradient": [float(derivative(f, exact, i)) for i in range(len(point))],
                    }
                )
    return out
