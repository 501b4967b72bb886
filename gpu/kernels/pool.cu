// Pooling: the largest entry or the mean of windows, and derivatives. One thread for each result.
//
// The pullbacks gather: an entry of the input sums up what its windows give to it, in the order of
// autodiff-core/src/kernel/pooling.rs, so that both give the same bits. Where windows overlap, `pool_places` finds the largest
// entries first, so that none is sought twice.

// `PoolShape` in autodiff-core/src/device/window.rs. Windows that do not slide part the input evenly.
struct Pool {
  i64 rows, sliding;
  Windows w;
  i64 input[3], output[3];
  __device__ i64 places() const { return input[0] * input[1] * input[2]; }
  __device__ i64 windows() const { return output[0] * output[1] * output[2]; }
};

// Entries of an axis: `first`, `first + step`, ..
struct Part {
  i64 first, step, count;
};

// The entries of window i that lie inside.
__device__ inline Part part_of(const Pool &s, int axis, i64 i) {
  const i64 n = s.input[axis];
  if (!s.sliding) {
    i64 first = i * n, last = above((i + 1) * n, s.output[axis]);
    taken(first, s.output[axis]);
    return {first, 1, last - first};
  }
  const Span e = inside(s.w, axis, i, n);
  const i64 first = i * s.w.stride[axis] - s.w.pad[axis] + e.first * s.w.dilation[axis];
  return {first, s.w.dilation[axis], e.last - e.first};
}

// The windows that may have entry p.
__device__ inline Span windows_of(const Pool &s, int axis, i64 p) {
  if (s.sliding) return meeting(s.w, axis, p, s.output[axis]);
  i64 first = p * s.output[axis], last = (p + 1) * s.output[axis] - 1;
  taken(first, s.input[axis]);
  taken(last, s.input[axis]);
  return {first, last + 1};
}

// Whether window i, one of `windows_of`, has entry p.
__device__ inline bool has(const Pool &s, int axis, i64 p, i64 i) { return !s.sliding || entry(s.w, axis, p, i) >= 0; }

// The entries of window `o`.
struct Window {
  Part a, b, c;
  __device__ Window(const Pool &s, i64 o) {
    c = part_of(s, 2, taken(o, s.output[2]));
    b = part_of(s, 1, taken(o, s.output[1]));
    a = part_of(s, 0, o);
  }
  // Calls f(position) for all of them.
  template <class F> __device__ void each(const Pool &s, F f) const {
    for (i64 i = 0, x = a.first; i < a.count; i++, x += a.step)
      for (i64 j = 0, y = b.first; j < b.count; j++, y += b.step) {
        i64 at = (x * s.input[1] + y) * s.input[2] + c.first;
        for (i64 k = 0; k < c.count; k++, at += c.step) f(at);
      }
  }
  // The first of the largest entries; NaN counts as largest.
  __device__ i64 largest(const Pool &s, const T *x) const {
    i64 place = -1;
    T best = T(0);
    each(s, [&](i64 at) {
      const T v = x[at];
      if (place < 0 || v > best || (v != v && best == best)) {
        place = at;
        best = v;
      }
    });
    return place;
  }
  // What a mean divides by.
  __device__ T divisor(const Pool &s) const {
    return T(s.sliding ? s.w.size[0] * s.w.size[1] * s.w.size[2] : a.count * b.count * c.count);
  }
};

// `op` is 0 for the largest entry, 1 for the mean.
extern "C" __global__ void __launch_bounds__(256) pool(Pool s, int op, const T *x, T *out) {
  DZ_FOR(i, s.rows * s.windows()) {
    i64 row = i;
    const Window w(s, taken(row, s.windows()));
    const T *from = x + row * s.places();
    if (op == 0) {
      out[i] = from[w.largest(s, from)];
    } else {
      T sum = T(0);
      w.each(s, [&](i64 at) { sum += from[at]; });
      out[i] = sum / w.divisor(s);
    }
  }
}

// The tangent `t` of the largest entries.
extern "C" __global__ void __launch_bounds__(256) pool_pushforward(Pool s, const T *x, const T *t, T *out) {
  DZ_FOR(i, s.rows * s.windows()) {
    i64 row = i;
    const Window w(s, taken(row, s.windows()));
    out[i] = t[row * s.places() + w.largest(s, x + row * s.places())];
  }
}

// Where in its row the largest entry of each window is.
extern "C" __global__ void __launch_bounds__(256) pool_places(Pool s, const T *x, u32 *places) {
  DZ_FOR(i, s.rows * s.windows()) {
    i64 row = i;
    const Window w(s, taken(row, s.windows()));
    places[i] = u32(w.largest(s, x + row * s.places()));
  }
}

// The cotangent of the input: one thread for each of its entries. `op` as for `pool`; for the largest entry, `places` is what
// `pool_places` found, or null, and then it is sought in each window.
extern "C" __global__ void __launch_bounds__(256)
    pool_pullback(Pool s, int op, const T *x, const u32 *places, const T *ct, T *out) {
  DZ_FOR(i, s.rows * s.places()) {
    i64 row = i;
    const i64 place = taken(row, s.places());
    i64 at = place;
    const i64 z = taken(at, s.input[2]), y = taken(at, s.input[1]);
    const Span a = windows_of(s, 0, at), b = windows_of(s, 1, y), c = windows_of(s, 2, z);
    // The order of sums: means of sliding windows begin with the last of a line.
    const bool backwards = op != 0 && s.sliding;
    T sum = T(0);
    for (i64 k = a.first; k < a.last; k++) {
      if (!has(s, 0, at, k)) continue;
      for (i64 l = b.first; l < b.last; l++) {
        if (!has(s, 1, y, l)) continue;
        for (i64 n = 0; n < c.last - c.first; n++) {
          const i64 m = backwards ? c.last - 1 - n : c.first + n;
          if (!has(s, 2, z, m)) continue;
          const i64 window = (k * s.output[1] + l) * s.output[2] + m, o = row * s.windows() + window;
          if (op != 0) {
            sum += ct[o] / (s.sliding ? T(s.w.size[0] * s.w.size[1] * s.w.size[2]) : Window(s, window).divisor(s));
          } else {
            const i64 largest = places ? i64(places[o]) : Window(s, window).largest(s, x + row * s.places());
            if (largest == place) sum += ct[o];
          }
        }
      }
    }
    out[i] = sum;
  }
}
