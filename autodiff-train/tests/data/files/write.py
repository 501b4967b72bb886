"""Writes the files that tests/data/formats.rs reads: python write.py (NumPy and safetensors)."""

import gzip
import os
import struct

import numpy as np
from numpy.lib import format as npy
from safetensors.numpy import save_file

os.chdir(os.path.dirname(os.path.abspath(__file__)))

# The numbers that each array holds: small ones, and the ends of the range.
grid = np.arange(6).reshape(2, 3)
types = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"]


def values(kind):
    if kind == "b1":
        return grid % 2 == 1
    x = grid.astype(kind)
    if kind[0] == "f":
        return x / 4 - 1
    x.flat[0] = np.iinfo(kind).min
    x.flat[5] = np.iinfo(kind).max if kind != "u8" else 2**63 - 1
    return x


np.savez_compressed("types.npz", **{kind: values(kind) for kind in types})
np.savez("stored.npz", a=values("f4"), b=values("i8"))

np.save("rows.npy", values("f4"))
np.save("columns.npy", np.asfortranarray(np.arange(24, dtype="i4").reshape(2, 3, 4)))
np.save("big.npy", values("i4").astype(">i4"))
np.save("scalar.npy", np.float64(2.5))
np.save("complex.npy", np.zeros(2, "c16"))
for version in [(2, 0), (3, 0)]:
    with open(f"version{version[0]}.npy", "wb") as f:
        npy.write_array(f, values("f8"), version=version)
with gzip.GzipFile("rows.npy.gz", "wb", mtime=0) as f:
    npy.write_array(f, values("f4"))

# IDX, as MNIST is stored: written from the description of the format.
images = (np.arange(3 * 4 * 5) * 4).astype("u1").reshape(3, 4, 5)
labels = np.array([7, 0, 9], "u1")


def idx(name, kind, array):
    header = struct.pack(">BBBB", 0, 0, kind, array.ndim)
    header += b"".join(struct.pack(">I", n) for n in array.shape)
    with gzip.GzipFile(name, "wb", mtime=0) if name.endswith(".gz") else open(name, "wb") as f:
        f.write(header + array.astype(array.dtype.newbyteorder(">")).tobytes())


idx("images.idx.gz", 0x08, images)
idx("labels.idx", 0x08, labels)
idx("doubles.idx", 0x0E, np.array([0.5, -1.25e300], "f8"))
idx("shorts.idx", 0x0B, np.array([[-2, 300]], "i2"))

save_file(
    {"x": values("f4"), "half": values("f2"), "ids": values("i8"), "mask": values("b1")},
    "arrays.safetensors",
)

with gzip.GzipFile("table.csv.gz", "wb", mtime=0) as f:
    f.write(b'name,"height, m",age\r\nAda,1.65,36\r\n"Bob ""B.""",0.9,7\r\n')
