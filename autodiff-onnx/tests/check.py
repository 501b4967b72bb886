"""Checks ONNX models: `check.py FOLDER`.

Each `NAME.onnx` of the folder has to pass the full check of `onnx`. Each `NAME.K.data` beside it is an ONNX file that holds
tensors: inputs `in/..`, and what onnxruntime has to make of them, `out/..`, to a part in 100 000; gradients `out/d_..` to three of
them, and all to a part in 1000 where there is a file `NAME.loose`. Prints a line for each error. Exits with 77 if a package is missing."""

import pathlib
import sys

try:
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import numpy_helper
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)

onnxruntime.set_default_logger_severity(3)
folder = pathlib.Path(sys.argv[1])
errors = 0
checked = ran = 0


def wrong(name, what):
    global errors
    errors += 1
    print(f"{name}: {what}", file=sys.stderr)


def compare(name, key, found, expected, tolerance):
    if found.shape != expected.shape:
        return wrong(name, f"{key} has sizes {found.shape}, expected {expected.shape}")
    if found.dtype != expected.dtype:
        return wrong(name, f"{key} has type {found.dtype}, expected {expected.dtype}")
    if not np.issubdtype(expected.dtype, np.floating):
        if not np.array_equal(found, expected):
            wrong(name, f"{key} is {found.ravel()[:8]}, expected {expected.ravel()[:8]}")
        return
    if found.size == 0:
        return
    if not np.array_equal(np.isfinite(found), np.isfinite(expected)):
        return wrong(name, f"{key} is {found.ravel()[:8]}, expected {expected.ravel()[:8]}")
    finite = np.isfinite(expected)
    if not np.array_equal(found[~finite], expected[~finite], equal_nan=True):
        return wrong(name, f"{key} has other infinities or NaN")
    if not finite.any():
        return
    distance = np.abs(found[finite].astype(np.float64) - expected[finite]).max()
    # Gradients that are 0 but for rounding are no numbers to compare.
    size = max(np.abs(expected[finite]).max(), 1e-2)
    if key.startswith("d_"):
        tolerance *= 3
    if distance > tolerance * size:
        wrong(name, f"{key} is off by {distance / size:.1e}: {found.ravel()[:6]}, expected {expected.ravel()[:6]}")


for path in sorted(folder.glob("*.onnx")):
    name = path.stem
    try:
        onnx.checker.check_model(str(path), full_check=True)
        checked += 1
    except Exception as error:
        wrong(name, f"the check fails: {str(error)[:400]}")
        continue
    sets = sorted(folder.glob(f"{name}.*.data"))
    if not sets:
        continue
    try:
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    except Exception as error:
        wrong(name, f"onnxruntime does not load it: {str(error)[:400]}")
        continue
    for data in sets:
        tensors = {t.name: numpy_helper.to_array(t) for t in onnx.load(str(data)).graph.initializer}
        inputs = {k[3:]: v for k, v in tensors.items() if k.startswith("in/")}
        outputs = {k[4:]: v for k, v in tensors.items() if k.startswith("out/")}
        names = sorted(v.name for v in session.get_inputs())
        # An input on which no output depends is not in the model.
        inputs = {k: v for k, v in inputs.items() if k in names}
        try:
            found = session.run(list(outputs), inputs)
        except Exception as error:
            wrong(data.stem, f"onnxruntime does not run it: {str(error)[:400]}")
            continue
        tolerance = 1e-3 if (folder / f"{name}.loose").exists() else 1e-5
        for key, value in zip(outputs, found):
            compare(data.stem, key, np.asarray(value), outputs[key], tolerance)
        ran += 1

print(f"{checked} models checked, {ran} runs compared, {errors} errors")
sys.exit(1 if errors else 0)
