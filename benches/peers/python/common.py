"""What each peer prints: one line of JSON, which run.py reads."""

import json
import resource
import time


def report(start, seconds, step):
    """Prints what `measured` returns."""
    print(json.dumps(measured(start, seconds, step)))


def measured(start, seconds, step):
    """Runs `step` many times: the first step's end, the shortest step, the most memory."""
    first_loss = float(step())
    first = time.perf_counter() - start
    best, steps, loss = float("inf"), 0, first_loss
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds or steps < 3:
        t = time.perf_counter()
        loss = step()
        best = min(best, time.perf_counter() - t)
        steps += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "step_us": best * 1e6, "first_ms": first * 1e3, "peak_mb": peak, "steps": steps,
        "first_loss": first_loss, "last_loss": float(loss),
    }
