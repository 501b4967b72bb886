"""A model that `ours F1 0 write` wrote, run by onnxruntime: `onnx_peer.py WORKLOAD SECONDS THREADS FOLDER`."""

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime

start = time.perf_counter()
seconds, threads, folder = float(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = threads
options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
(given,) = session.get_inputs()
dtype = np.int64 if "int64" in given.type else np.float32
x = np.fromfile(folder / "x.bin", dtype=dtype).reshape(given.shape)


def step():
    (y,) = session.run(None, {given.name: x})
    return float(np.abs(y.astype(np.float64)).sum())


first_value = step()
first = time.perf_counter() - start
best, steps, begin = float("inf"), 0, time.perf_counter()
while time.perf_counter() - begin < seconds or steps < 3:
    t = time.perf_counter()
    value = step()
    best = min(best, time.perf_counter() - t)
    steps += 1
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"step_us": best * 1e6, "first_ms": first * 1e3, "peak_mb": peak, "steps": steps,
                  "first_loss": first_value, "last_loss": value}))
