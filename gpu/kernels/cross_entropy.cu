// Cross entropy of rows, and its pullback. U is the type of classes. A group of threads has a row: see row.cuh.
//
// Rows whose elements are kept are read once. Of long ones the maximum and Σ exp(x − maximum) are found in one pass (see
// Exponentials), and a second one writes.
//
// All kernels: blocks of 256 threads, any grid. The nest is that of the rows, with the first element of each; `step` is from one
// element of a row to the next. `out` is dense. `add` adds to it.

// The class of a row. A class that is none is reported.
__device__ inline i64 class_of(Fault *f, u32 operation, i64 row, U found, int width) {
  if (width > 0) return checked(f, operation, u32(row), i64(found), width);
  fault(f, operation, u32(row), i64(found), 0);
  return 0;
}

// `losses`, one for each row and dense, become ln Σ exp(x) − x[target], and `lse` ln Σ exp(x − maximum). The nest has x, targets and
// lse.
extern "C" __global__ void __launch_bounds__(256) cross_entropy(const T *x, const U *targets, T *lse, T *losses, i64 rows,
                                                                int width, i64 step, Fault *f, u32 operation,
                                                                DZ_BY_VALUE Nest<3> nest) {
  const int lane = lane_of();
  DZ_ROWS(row, rows) {
    const bool is = row < rows;
    const T *from = x + (is ? nest.at(0, row) : 0);
    T v[KEPT];
    load(v, from, step, is ? width : 0, lane, T(-INFINITY));
    const Exponentials<T> e = exponentials(v, from, step, is ? width : 0, lane);
    if (!is || lane != 0) continue;
    const i64 target = class_of(f, operation, row, targets[nest.at(1, row)], width);
    const T l = T(fabs(e.m)) == T(INFINITY) ? T(0) : T(log(e.s));
    lse[nest.at(2, row)] = l;
    losses[row] = width > 0 ? T(l + (e.m - from[target * step])) : T(NAN);
  }
}

// ct/rows·(exp((x − maximum) − lse) − onehot(target)).
extern "C" __global__ void __launch_bounds__(256) cross_entropy_pullback(const T *x, const U *targets, const T *lse, T *out,
                                                                         const T *ct, i64 rows, int width, i64 step, int add,
                                                                         Fault *f, u32 operation, DZ_BY_VALUE Nest<3> nest) {
  const int lane = lane_of();
  const T scale = *ct / T(rows);
  DZ_ROWS(row, rows) {
    const bool is = row < rows;
    const int n = is ? width : 0;
    const T *from = x + (is ? nest.at(0, row) : 0);
    T *to = out + row * width;
    T v[KEPT], m = T(-INFINITY);
    if (PER == 0) {
      each(from, step, from, step, n, lane, [&](int, T x, T) { m = larger(m, x); });
    } else {
      load(v, from, step, n, lane, T(-INFINITY));
      DZ_KEPT(k) m = larger(m, v[k]);
    }
    m = fixed(largest_of_lanes(m, GROUP));
    if (!is || n == 0) continue;
    const T l = lse[nest.at(2, row)];
    const U found = targets[nest.at(1, row)];
    // One thread reports it.
    const bool known = i64(found) >= 0 && i64(found) < n;
    const int target = int(known || lane == 0 ? class_of(f, operation, row, found, n) : i64(found) < 0 ? 0 : n - 1);
    const auto share = [=](int i, T x, T) {
      const T s = scale * T(exp((x - m) - l));
      return i == target ? T(s - scale) : s;
    };
    if (PER == 0) {
      rewrite(to, from, step, from, step, n, lane, add, share);
    } else {
      DZ_KEPT(k) v[k] = share(place(k, lane), v[k], T(0));
      store(to, v, n, lane, add);
    }
  }
}
