// Rows that groups of threads read and write. Defined in front:
//
//   GROUP   the threads of a group: 1, 2, 4, .. 32, or 256
//   PER     the elements of a row that a thread keeps, so that memory is read once; 0 for rows that are too long, which are
//           read again
//   PACKED  1 where rows begin at addresses of sixteen bytes, have no gaps, and PER and the width are multiples of a Pack
//
// A block has 256 threads. Thread `lane` of a group keeps in its k-th place the element `place(k, lane)`.

#define N_PACK (Pack<T>::N)
#define KEPT (PER ? PER : 1)

__device__ inline int lane_of() { return threadIdx.x % GROUP; }
__device__ inline int place(int k, int lane) {
  return PACKED ? (k / N_PACK * GROUP + lane) * N_PACK + k % N_PACK : k * GROUP + lane;
}

// Rows one after the other: those of a warp go on together, so `row` may be no row any more.
#define DZ_ROWS(row, rows)                                                                                             \
  for (i64 row = i64(blockIdx.x) * (256 / GROUP) + threadIdx.x / GROUP; row - threadIdx.x / GROUP < i64(rows);            \
       row += i64(gridDim.x) * (256 / GROUP))

// The elements of a row that this thread keeps, `none` behind its end.
__device__ inline void load(T *v, const T *row, i64 step, int width, int lane, T none) {
#pragma unroll
  for (int k = 0; k < PER; k += PACKED ? N_PACK : 1) {
    const int i = place(k, lane);
    if (PACKED) {
      Pack<T> pack;
      if (i < width) pack = *(const Pack<T> *)(row + i);
#pragma unroll
      for (int j = 0; j < N_PACK; j++) v[k + j] = i < width ? pack.at[j] : none;
    } else {
      v[k] = i < width ? row[i * step] : none;
    }
  }
}

// Writes what this thread has of a row, or adds it.
__device__ inline void store(T *row, const T *v, int width, int lane, bool add) {
#pragma unroll
  for (int k = 0; k < PER; k += PACKED ? N_PACK : 1) {
    const int i = place(k, lane);
    if (i >= width) continue;
    if (PACKED) {
      Pack<T> pack, &to = *(Pack<T> *)(row + i);
      if (add) pack = to;
#pragma unroll
      for (int j = 0; j < N_PACK; j++) pack.at[j] = add ? pack.at[j] + v[k + j] : v[k + j];
      to = pack;
    } else {
      row[i] = add ? row[i] + v[k] : v[k];
    }
  }
}

// Calls f(i, a[i], b[i]) for the elements of a long row.
template <typename F> __device__ inline void each(const T *a, i64 step_a, const T *b, i64 step_b, int width, int lane, F f) {
  if (PACKED) {
    for (int i = lane * N_PACK; i < width; i += GROUP * N_PACK) {
      const Pack<T> x = *(const Pack<T> *)(a + i), y = *(const Pack<T> *)(b + i);
#pragma unroll
      for (int j = 0; j < N_PACK; j++) f(i + j, x.at[j], y.at[j]);
    }
  } else {
    for (int i = lane; i < width; i += GROUP) f(i, a[i * step_a], b[i * step_b]);
  }
}

// The same, and writes what f returns, or adds it.
template <typename F>
__device__ inline void rewrite(T *to, const T *a, i64 step_a, const T *b, i64 step_b, int width, int lane, bool add, F f) {
  if (PACKED) {
    for (int i = lane * N_PACK; i < width; i += GROUP * N_PACK) {
      const Pack<T> x = *(const Pack<T> *)(a + i), y = *(const Pack<T> *)(b + i);
      Pack<T> o, &out = *(Pack<T> *)(to + i);
      if (add) o = out;
#pragma unroll
      for (int j = 0; j < N_PACK; j++) {
        const T r = f(i + j, x.at[j], y.at[j]);
        o.at[j] = add ? o.at[j] + r : r;
      }
      out = o;
    }
  } else {
    for (int i = lane; i < width; i += GROUP) {
      const T r = f(i, a[i * step_a], b[i * step_b]);
      to[i] = add ? to[i] + r : r;
    }
  }
}

// The elements that are kept.
#define DZ_KEPT(k)      \
  _Pragma("unroll")     \
  for (int k = 0; k < PER; k++)

__device__ inline Exponentials<T> exponentials_of_lanes(Exponentials<T> e) {
  return join_lanes(e, GROUP, [](Exponentials<T> a, Exponentials<T> b) { return Exponentials<T>::join(a, b); });
}

// The maximum of a row, and the sum of exp(x − maximum). `v` are the
// elements that are kept.
__device__ inline Exponentials<T> exponentials(const T *v, const T *row, i64 step, int width, int lane) {
  if (PER == 0) {
    const int N = PACKED ? N_PACK : 1;
    Exponentials<T> e[N];
#pragma unroll
    for (int j = 0; j < N; j++) e[j] = Exponentials<T>::none();
    for (int i = lane * N; i < width; i += GROUP * N) {
      Pack<T> x;
      if (PACKED) x = *(const Pack<T> *)(row + i);
      else x.at[0] = row[i * step];
#pragma unroll
      for (int j = 0; j < N; j++) e[j].take(x.at[j]);
    }
#pragma unroll
    for (int j = 1; j < N; j++) e[0] = Exponentials<T>::join(e[0], e[j]);
    return exponentials_of_lanes(e[0]);
  }
  T m = T(-INFINITY), s = T(0);
  DZ_KEPT(k) m = larger(m, v[k]);
  m = fixed(largest_of_lanes(m, GROUP));
  const T shift = m == T(-INFINITY) ? T(0) : m;
  DZ_KEPT(k) s += T(exp(v[k] - shift));
  return {m, sum_of_lanes(s, GROUP)};
}
