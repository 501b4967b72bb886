// Softmax of rows, and its pullback. A group of threads has a row: see row.cuh.
//
// Rows whose elements are kept are read once. Of long ones the maximum and Σ exp(x − maximum) are found in one pass (see
// Exponentials), and a second one writes.
//
// All kernels: blocks of 256 threads, any grid. The nest is that of the rows, with the first element of each; `step` is from one
// element of a row to the next. `out` is dense. `add` adds to it.

extern "C" __global__ void __launch_bounds__(256) softmax(const T *x, T *out, i64 rows, int width, i64 step, int logarithm,
                                                          DZ_BY_VALUE Nest<1> nest) {
  const int lane = lane_of();
  DZ_ROWS(row, rows) {
    const bool is = row < rows;
    const T *from = x + (is ? nest.at(0, row) : 0);
    T *to = out + row * width;
    T v[KEPT];
    load(v, from, step, is ? width : 0, lane, T(-INFINITY));
    const Exponentials<T> e = exponentials(v, from, step, is ? width : 0, lane);
    T m = e.m, by;
    if (logarithm) {
      // Beside +∞ all are NaN, as the quotient.
      by = m == T(INFINITY) ? T(NAN) : m == T(-INFINITY) ? T(0) : T(log(e.s));
    } else {
      m = m == T(-INFINITY) ? T(0) : m;
      by = m == T(INFINITY) ? T(NAN) : T(1) / e.s;
    }
    if (!is) continue;
    if (PER == 0) {
      rewrite(to, from, step, from, step, width, lane, false,
              [=](int, T x, T) { return logarithm ? T((x - m) - by) : T(T(exp(x - m)) * by); });
    } else {
      DZ_KEPT(k) v[k] = logarithm ? T((v[k] - m) - by) : T(T(exp(v[k] - m)) * by);
      store(to, v, width, lane, false);
    }
  }
}

// y·(ct − Σ y·ct), or of the logarithm ct − exp(y)·Σ ct.
extern "C" __global__ void __launch_bounds__(256) softmax_pullback(const T *y, const T *ct, T *out, i64 rows, int width,
                                                                   i64 step_y, i64 step_ct, int logarithm, int add,
                                                                   DZ_BY_VALUE Nest<2> nest) {
  const int lane = lane_of();
  DZ_ROWS(row, rows) {
    const bool is = row < rows;
    const int n = is ? width : 0;
    const T *ys = y + (is ? nest.at(0, row) : 0), *cts = ct + (is ? nest.at(1, row) : 0);
    T *to = out + row * width;
    T v[KEPT], c[KEPT], sum = T(0);
    if (PER == 0) {
      each(ys, step_y, cts, step_ct, n, lane, [&](int, T y, T c) { sum += logarithm ? c : y * c; });
    } else {
      load(v, ys, step_y, n, lane, T(0));
      load(c, cts, step_ct, n, lane, T(0));
      DZ_KEPT(k) sum += logarithm ? c[k] : v[k] * c[k];
    }
    sum = sum_of_lanes(sum, GROUP);
    if (PER == 0) {
      rewrite(to, ys, step_y, cts, step_ct, n, lane, add,
              [=](int, T y, T c) { return logarithm ? T(c - T(exp(y)) * sum) : T(y * (c - sum)); });
    } else {
      DZ_KEPT(k) v[k] = logarithm ? T(c[k] - T(exp(v[k])) * sum) : T(v[k] * (c[k] - sum));
      store(to, v, n, lane, add);
    }
  }
}
