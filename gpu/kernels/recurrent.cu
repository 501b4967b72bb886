// One step of a recurrent layer for all sequences of a batch: see autodiff-core/src/kernel/recurrent/mod.rs for the formulas. The
// products with the weights of the state, `p`, are those of the library for products; here is what is done between them.
//
// One thread for each unit of each sequence, so neighbours read and write neighbours. `slots` (batch, slots, units), `p` and the
// states (batch, units) are those of the step.

// `Cell` in autodiff-core/src/device/recurrent.rs.
constexpr int RNN = 0, GRU = 1, LSTM = 2;

__device__ inline T sigmoid(T x) {
  const T e = exp(-fabs(x));
  return (x < T(0) ? e : T(1)) / (T(1) + e);
}
// Slopes of sigmoid and tanh from their values.
__device__ inline T slope(T s) { return s * (T(1) - s); }
__device__ inline T bend(T t) { return T(1) - t * t; }

// Where the numbers of unit j of sequence b are.
struct Unit {
  i64 unit, slot, product;  // of slots and products the first; the others follow after n each
  __device__ Unit(int cell, i64 i, i64 n) {
    const i64 b = ((i | n) >> 32) == 0 ? i64(u32(i) / u32(n)) : i / n, j = i - b * n;
    unit = j;
    slot = b * (cell == RNN ? 1 : 4) * n + j;
    product = b * (cell == RNN ? 1 : cell == GRU ? 3 : 4) * n + j;
  }
};

// `slots` has the products of the inputs, and gets what is kept. `h` and `c` are those before, `h2` and `c2` after. Those of `c` are
// not read for cells without.
extern "C" __global__ void __launch_bounds__(256)
    cell_forward(int cell, i64 batch, i64 n, const T *p, const T *bias, const T *h, const T *c, T *slots, T *h2, T *c2) {
  DZ_FOR(i, batch * n) {
    const Unit u(cell, i, n);
    T *z = slots + u.slot;
    const T *q = p + u.product, *b = bias + u.unit;
    if (cell == RNN) {
      h2[i] = z[0] = tanh(z[0] + q[0] + b[0]);
    } else if (cell == GRU) {
      const T reset = sigmoid(z[0] + q[0] + b[0]), update = sigmoid(z[n] + q[n] + b[n]), product = q[2 * n] + b[2 * n];
      const T fresh = tanh(z[3 * n] + b[3 * n] + reset * product);
      h2[i] = fresh + update * (h[i] - fresh);
      z[0] = reset, z[n] = update, z[2 * n] = product, z[3 * n] = fresh;
    } else {
      const T input = sigmoid(z[0] + q[0] + b[0]), forget = sigmoid(z[n] + q[n] + b[n]);
      const T fresh = tanh(z[2 * n] + q[2 * n] + b[2 * n]), output = sigmoid(z[3 * n] + q[3 * n] + b[3 * n]);
      const T memory = forget * c[i] + input * fresh;
      c2[i] = memory;
      h2[i] = output * tanh(memory);
      z[0] = input, z[n] = forget, z[2 * n] = fresh, z[3 * n] = output;
    }
  }
}

// The cotangent of `h` after the step is `ct + p`, either of which may be null. `slots` gets the cotangents of its arguments. `carry`
// is the cotangent of `c` after the step, or null, and `carried` gets that before; of a GRU, what passes to the `h` before
// beside the product. `p` and `carry` may be `carried`.
extern "C" __global__ void __launch_bounds__(256) cell_backward(int cell, i64 batch, i64 n, const T *ct, const T *p, const T *carry,
                                                                const T *h, const T *c, const T *c2, T *slots, T *carried) {
  DZ_FOR(i, batch * n) {
    T *z = slots + Unit(cell, i, n).slot;
    const T dh = (ct ? ct[i] : T(0)) + (p ? p[i] : T(0));
    if (cell == RNN) {
      z[0] = dh * bend(z[0]);
    } else if (cell == GRU) {
      const T reset = z[0], update = z[n], product = z[2 * n], fresh = z[3 * n];
      const T d_fresh = dh * (T(1) - update) * bend(fresh);
      carried[i] = dh * update;
      z[0] = d_fresh * product * slope(reset);
      z[n] = dh * (h[i] - fresh) * slope(update);
      z[2 * n] = d_fresh * reset;
      z[3 * n] = d_fresh;
    } else {
      const T input = z[0], forget = z[n], fresh = z[2 * n], output = z[3 * n], t = tanh(c2[i]);
      const T dc = (carry ? carry[i] : T(0)) + dh * output * bend(t);
      carried[i] = dc * forget;
      z[0] = dc * fresh * slope(input);
      z[n] = dc * c[i] * slope(forget);
      z[2 * n] = dc * input * bend(fresh);
      z[3 * n] = dh * t * slope(output);
    }
  }
}

// Tangents: `tz` are those of the slots' arguments but for `p`, the product of that of `h`. `th` and `tc` are those before, `th2` and `tc2`
// after; `tc2` may be `tc`.
extern "C" __global__ void __launch_bounds__(256)
    cell_tangent(int cell, i64 batch, i64 n, const T *slots, const T *slots_t, const T *p, const T *h, const T *c, const T *c2,
                 const T *th, const T *tc, T *th2, T *tc2) {
  DZ_FOR(i, batch * n) {
    const Unit u(cell, i, n);
    const T *z = slots + u.slot, *tz = slots_t + u.slot, *q = p + u.product;
    if (cell == RNN) {
      th2[i] = (tz[0] + q[0]) * bend(z[0]);
    } else if (cell == GRU) {
      const T reset = z[0], update = z[n], product = z[2 * n], fresh = z[3 * n];
      const T t_reset = (tz[0] + q[0]) * slope(reset), t_update = (tz[n] + q[n]) * slope(update);
      const T t_fresh = (tz[3 * n] + t_reset * product + reset * (tz[2 * n] + q[2 * n])) * bend(fresh);
      th2[i] = t_fresh + t_update * (h[i] - fresh) + update * (th[i] - t_fresh);
    } else {
      const T input = z[0], forget = z[n], fresh = z[2 * n], output = z[3 * n], t = tanh(c2[i]);
      const T t_input = (tz[0] + q[0]) * slope(input), t_forget = (tz[n] + q[n]) * slope(forget);
      const T t_fresh = (tz[2 * n] + q[2 * n]) * bend(fresh), t_output = (tz[3 * n] + q[3 * n]) * slope(output);
      const T t_memory = t_forget * c[i] + forget * tc[i] + t_input * fresh + input * t_fresh;
      tc2[i] = t_memory;
      th2[i] = t_output * t + output * bend(t) * t_memory;
    }
  }
}

// The first step of the sums of `m` columns over `rows` rows: `parts · m` threads, of which each has every parts-th row of a column.
// The second step is `columns` in sums.cu.
extern "C" __global__ void __launch_bounds__(256) column_parts(const T *x, i64 rows, i64 m, i64 parts, T *sums) {
  DZ_FOR(i, parts * m) {
    T sum = T(0);
    for (i64 at = i; at < rows * m; at += parts * m) sum += x[at];
    sums[i] = sum;
  }
}
