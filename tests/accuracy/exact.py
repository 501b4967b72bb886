"""Values of mpmath with 60 digits, which the reference in `double.rs` is checked against.

Writes `exact.txt`: the function, the point and the value as a sum of two doubles, in hexadecimal.
Run `python tests/accuracy/exact.py` with the packages of `tests/golden/requirements.txt`.
"""

import pathlib
import random
import struct

from mpmath import (
    mp, mpf, acos, acosh, asin, asinh, atan, atanh, cbrt, cos, cosh, erf, erfc, exp, expm1, log, log1p,
    sin, sinh, sqrt, tan, tanh,
)

mp.dps = 60


def sigmoid(x):
    return 1 / (1 + exp(-x))


def softplus(x):
    return log1p(exp(x))


FUNCTIONS = {
    "exp": (exp, [(-700, 700), (-1, 1)]),
    "exp_m1": (expm1, [(-40, 700), (-1, 1), (-1e-6, 1e-6)]),
    "ln": (log, [(1e-300, 1e-290), (0.5, 2), (1, 1e300), (1 - 1e-12, 1 + 1e-12)]),
    "ln_1p": (log1p, [(-0.999, 1), (-1e-9, 1e-9), (1, 1e300)]),
    "sin": (sin, [(-4, 4), (-1e6, 1e6), (3.14159265, 3.14159266), (-1e-8, 1e-8)]),
    "cos": (cos, [(-4, 4), (-1e6, 1e6), (1.57079632, 1.57079633)]),
    "tan": (tan, [(-4, 4), (-1e6, 1e6), (1.57079632, 1.57079633)]),
    "tanh": (tanh, [(-20, 20), (-1e-3, 1e-3)]),
    "erf": (erf, [(-6, 6), (-1e-3, 1e-3)]),
    "erfc": (erfc, [(-6, 6), (2.9, 3.1), (3, 26)]),
    "sigmoid": (sigmoid, [(-700, 40), (-1, 1)]),
    "softplus": (softplus, [(-700, 700), (-1, 1)]),
    "sinh": (sinh, [(-300, 300), (-1, 1)]),
    "cosh": (cosh, [(-300, 300), (-1, 1)]),
    "cbrt": (cbrt, [(0, 4), (1e-300, 1e300)]),
    "atan": (atan, [(-4, 4), (-1e6, 1e6)]),
    "asin": (asin, [(-1, 1), (-1e-3, 1e-3)]),
    "acos": (acos, [(-1, 1), (0.999, 1)]),
    "asinh": (asinh, [(-4, 4), (-1e9, 1e9)]),
    "acosh": (acosh, [(1, 4), (1, 1e9), (1, 1.001)]),
    "atanh": (atanh, [(-1, 1), (-1e-3, 1e-3)]),
    "sqrt": (sqrt, [(0, 4), (1e-300, 1e300)]),
}
EACH = 12


def main():
    random.seed(1)
    lines = []
    for name, (f, ranges) in FUNCTIONS.items():
        for low, high in ranges:
            for _ in range(EACH):
                x = random.uniform(low, high)
                y = f(mpf(x))
                head = float(y)
                tail = float(y - mpf(head))
                lines.append(f"{name} {bits(x)} {bits(head)} {bits(tail)}")
    path = pathlib.Path(__file__).with_name("exact.txt")
    path.write_text("\n".join(lines) + "\n")


def bits(x):
    return struct.pack(">d", x).hex()


main()
