"""Reads event files with the package `tensorboard` and prints what they hold as JSON.

Ends with code 77 where the package is not installed.
"""

import json
import sys

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.util import tensor_util
except ImportError:
    sys.exit(77)

events = EventAccumulator(sys.argv[1], size_guidance={k: 0 for k in ("scalars", "histograms", "images", "tensors")})
events.Reload()
tags = events.Tags()
print(
    json.dumps(
        {
            "scalars": {t: [[e.step, e.value] for e in events.Scalars(t)] for t in tags["scalars"]},
            "histograms": {
                t: [
                    {"step": e.step, "num": h.num, "min": h.min, "max": h.max, "sum": h.sum, "bucket": list(h.bucket)}
                    for e in events.Histograms(t)
                    for h in [e.histogram_value]
                ]
                for t in tags["histograms"]
            },
            "images": {
                t: [[e.step, e.width, e.height, e.encoded_image_string[:4].hex()] for e in events.Images(t)]
                for t in tags["images"]
            },
            "texts": {
                t: [[e.step, tensor_util.make_ndarray(e.tensor_proto)[0].decode()] for e in events.Tensors(t)]
                for t in tags["tensors"]
                if events.SummaryMetadata(t).plugin_data.plugin_name == "text"
            },
        }
    )
)
