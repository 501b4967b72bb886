"""Writes tensor.json, conv.json, attention.json, linalg.json, more.json and forms.json (values from JAX, in f64), recurrent.json
and losses.json (values from PyTorch, in f64) and scalar.json (values from mpmath, 60 digits).

    pip install -r tests/golden/requirements.txt
    python tests/golden/generate.py

One case on each line, so that differences can be read. Every number is the shortest decimal that
reads back as the same f64.
"""

import json
from pathlib import Path

import attention_cases
import conv_cases
import forms_cases
import linalg_cases
import loss_cases
import more_cases
import recurrent_cases
import scalar_cases
import tensor_cases

HERE = Path(__file__).parent


def write(name, cases):
    lines = ",\n".join(json.dumps(case, separators=(",", ":"), allow_nan=False) for case in cases)
    path = HERE / name
    path.write_text(f"[\n{lines}\n]\n")
    print(f"{name}: {len(cases)} cases, {path.stat().st_size} bytes")


write("tensor.json", tensor_cases.cases())
write("conv.json", conv_cases.cases())
write("attention.json", attention_cases.cases())
write("more.json", more_cases.cases())
write("forms.json", forms_cases.cases())
write("linalg.json", linalg_cases.cases())
write("recurrent.json", recurrent_cases.cases())
write("losses.json", loss_cases.cases())
write("scalar.json", scalar_cases.cases())
