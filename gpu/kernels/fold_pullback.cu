// Cotangents of folds and extremes: one pass over the elements with a few numbers of each output. OP: see fold.cuh.
//
//   product       y/x·ct; where y is 0, subnormal, infinite or NaN, the product of those before and behind, times ct
//   variance      2(x − m)/n·ct, and (x − m)/(n·y)·ct of its root, with m = c + d
//   norms         sign(x)·ct, x/y·ct, sign(x)·(|x|/y)^(p − 1)·ct
//   ln Σ exp      exp(x − c)·ct/d; c and d are those of EXPONENTIALS
//   extremes      HITS: b where x = a, else 0; everywhere if b is NaN

// Whether the quotient by an element of a product is not the product of the others.
__device__ inline bool is_bad(T y) {
  return !(T(fabs(y)) >= least_normal(y) && T(fabs(y)) < T(INFINITY));
}

// One thread for each element. `a` and `b` are y and ct, or for HITS y and the share; `c` and `d` see above. `n` is the
// divisor of a variance, `flag` asks for its root, or adds the cotangent to `out`.
extern "C" __global__ void fold_pull(const T *x, const T *a, const T *b, const T *c, const T *d, T *out, double n, double p,
                                     int flag, DZ_BY_VALUE Nest<6> nest) {
  DZ_FOR(i, nest.len) {
    const T v = x[nest.at(0, i)], y = a[nest.at(1, i)], ct = b[nest.at(2, i)];
    T &to = out[nest.at(5, i)];
#if OP == PROD
    if (!is_bad(y)) to = y / v * ct;
#elif OP == VARIANCE
    const T by = flag ? (y == T(0) ? T(0) : ct / (T(n) * y)) : ct * T(2) / T(n);
    to = (v - c[nest.at(3, i)]) * by - by * d[nest.at(4, i)];
#elif OP == NORM_1
    to = v > T(0) ? ct : v < T(0) ? -ct : v * T(0) * ct;
#elif OP == NORM_2
    to = v / (y == T(0) ? T(INFINITY) : y) * ct;
#elif OP == NORM_P
    const T q = T(p - 1.0), part = v / (y == T(0) ? T(INFINITY) : y);
    const T power = part == T(0) ? (q == T(1) ? part : T(0)) : part > T(0) ? T(pow(part, q)) : T(-pow(-part, q));
    to = power * ct;
#elif OP == LOG_SUM_EXP
    to = T(exp(v - c[nest.at(3, i)])) * (y == T(-INFINITY) ? T(0) : T(ct / d[nest.at(4, i)]));
#elif OP == HITS
    const T share = v == y || ct != ct ? ct : T(0);
    to = flag ? T(to + share) : share;
#endif
  }
}
