"""Writes the Parquet files beside it. pip install pyarrow numpy; python write_parquet.py"""

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

here = Path(__file__).parent


def write(name, table, **options):
    pq.write_table(table, here / name, **options)


write(
    "table.parquet",
    pa.table(
        {
            "name": ["Ada", "Bob", "Ada", "Cy"],
            "height": pa.array([1.65, 0.9, 1.7, 1.5], pa.float64()),
            "age": pa.array([36, 7, 40, 30], pa.int32()),
            "kind": pa.array(["b", "a", "b", "b"]).dictionary_encode(),
        }
    ),
)

n = 300
types = {
    "f2": pa.array((np.arange(n) / 4).astype(np.float16)),
    "f4": pa.array((np.arange(n) / 4).astype(np.float32)),
    "f8": pa.array(np.arange(n) / 4),
    "bool": pa.array(np.arange(n) % 3 == 0),
    "i1": pa.array((np.arange(n) % 256 - 128).astype(np.int8)),
    "i2": pa.array((np.arange(n) - 150).astype(np.int16)),
    "i4": pa.array((np.arange(n) - 150).astype(np.int32)),
    "i8": pa.array(np.arange(n) - 150),
    "u1": pa.array((np.arange(n) % 256).astype(np.uint8)),
    "u2": pa.array((np.arange(n) * 219).astype(np.uint16)),
    "u4": pa.array((np.arange(n) + 4294966996).astype(np.uint32)),
    "u8": pa.array(np.arange(n).astype(np.uint64)),
    "text": pa.array([f"n{i % 7}" for i in range(n)]),
}
# Several groups of rows and pages, of both versions; columns with an encoding of their own.
for name, options in {
    "types.parquet": {"row_group_size": 100, "data_page_size": 512},
    "types_v2.parquet": {
        "row_group_size": 140,
        "data_page_version": "2.0",
        "version": "2.6",
        "compression": "gzip",
        "use_dictionary": ["text"],
        "column_encoding": {"i4": "DELTA_BINARY_PACKED", "f8": "BYTE_STREAM_SPLIT"},
    },
}.items():
    write(name, pa.table(types), **options)

write(
    "odd.parquet",
    pa.table(
        {
            "gap": pa.array([1.0, None, 3.0]),
            "gap_text": pa.array(["a", "b", None]),
            "all_null": pa.array([None, None, None], pa.int64()),
            "nan": [1.0, 2.0, float("nan")],
            "large": pa.array([1, 2**63, 3], pa.uint64()),
            "day": [date(2024, 1, 1)] * 3,
            "time": [datetime(2024, 1, 1)] * 3,
            "decimal": [Decimal("1.5")] * 3,
            "bytes": [b"\xff"] * 3,
            "list": [[1, 2], [3], []],
            "struct": [{"x": 1}, {"x": 2}, {"x": 3}],
            "fine": [1, 2, 3],
        }
    ),
    row_group_size=2,
)
write("empty.parquet", pa.table({"x": pa.array([], pa.float64())}))
write("zstd.parquet", pa.table({"x": np.zeros(1000)}), compression="zstd")
write("checked.parquet", pa.table({"x": np.arange(500.0)}), write_page_checksum=True, compression="none", use_dictionary=False)
