// Windows that slide over one to three axes: which entries of a window lie inside, and which windows meet an entry.
// In front of conv.cu and pool.cu.

// `Windows` in autodiff-core/src/device/window.rs.
struct Windows {
  i64 size[3], stride[3], pad[3], dilation[3];
};

// i mod n; i becomes i / n. In 32 bits where both fit, which is several times as fast.
__device__ inline i64 taken(i64 &i, i64 n) {
  i64 rest;
  if (((i | n) >> 32) == 0) {
    const u32 q = u32(i) / u32(n);
    rest = i64(u32(i) - q * u32(n));
    i = i64(q);
  } else {
    const i64 q = i / n;
    rest = i - q * n;
    i = q;
  }
  return rest;
}

// The quotient rounded up; 0 for negative x.
__device__ inline i64 above(i64 x, i64 n) {
  if (x <= 0) return 0;
  if (n == 1) return x;
  i64 q = x + n - 1;
  taken(q, n);
  return q;
}

// From the first to the one before `last`.
struct Span {
  i64 first, last;
};

// The entries of window i that lie inside an axis of n.
__device__ inline Span inside(const Windows &w, int axis, i64 i, i64 n) {
  const i64 outside = w.pad[axis] - i * w.stride[axis];
  return {min(w.size[axis], above(outside, w.dilation[axis])), min(w.size[axis], above(outside + n, w.dilation[axis]))};
}

// The windows, of `windows`, that reach from before entry p to behind it.
__device__ inline Span meeting(const Windows &w, int axis, i64 p, i64 windows) {
  const i64 at = p + w.pad[axis], reach = w.dilation[axis] * (w.size[axis] - 1);
  return {above(at - reach, w.stride[axis]), min(windows, above(at + 1, w.stride[axis]))};
}

// Which entry of window i, one of `meeting`, is entry p of the axis; -1 if none.
__device__ inline i64 entry(const Windows &w, int axis, i64 p, i64 i) {
  i64 e = p + w.pad[axis] - i * w.stride[axis];
  if (w.dilation[axis] == 1) return e;
  return taken(e, w.dilation[axis]) == 0 ? e : -1;
}
