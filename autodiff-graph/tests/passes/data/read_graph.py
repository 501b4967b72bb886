"""Reads the graph of an event file with the package `tensorboard` and prints its nodes as JSON.

Ends with code 77 where the package is not installed.
"""

import json
import sys

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.compat.proto import graph_pb2
    from tensorboard.plugins.graph import graph_util  # noqa: F401 (the page "Graphs" needs it)
except ImportError:
    sys.exit(77)

events = EventAccumulator(sys.argv[1])
events.Reload()
graph = events.Graph()
assert isinstance(graph, graph_pb2.GraphDef)
print(
    json.dumps(
        [
            {
                "name": node.name,
                "op": node.op,
                "input": list(node.input),
                "dtype": node.attr["dtype"].type,
                "shapes": [[d.size for d in s.dim] for s in node.attr["_output_shapes"].list.shape],
                "attributes": node.attr["attributes"].s.decode(),
                "location": node.attr["location"].s.decode(),
            }
            for node in graph.node
        ]
    )
)
