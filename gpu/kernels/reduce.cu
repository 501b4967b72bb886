// Sums and other folds over any axes of an operand with any strides. OP says which: see fold.cuh.
//
// An output is a fold of `inside.len` elements, which `parts` groups of threads share. Where elements of one output are
// neighbours, neighbouring threads take them (`fold_rows`); where outputs are, threads beside each other take outputs and
// threads below each other take elements (`fold_columns`). With several parts `partial` has what each of them found, and
// `fold_parts` joins these. All of it is divided in the same way on every card, so results have the same bits.
//
// A thread has four chains, and joins them after 64 elements each, so that rounding grows slowly with the length.
// The variance is Σd² − (Σd)²/n with d = x − mean: Chan, Golub & LeVeque 1983, "Algorithms for computing the sample variance".

// The parameters of all kernels here. Operands of `kept` are x, a, b and out; `inside` has the reduced axes of x, from 0.
// `z` and `second`: see fold.cuh. `count` is inside.len, `free` the divisor of a variance, `p` the power of a norm; `flag` of a
// sum or mean adds to the output. `part` is the number of elements of a part, `side` the threads of a group or the outputs
// side by side.
#define DZ_FOLD(NEST4, NEST1)                                                                                          \
  const T *x, const T *z, const T *a, const T *b, R *out, T *second, State *partial, NEST4 kept, NEST1 inside,         \
      i64 parts, i64 part, int side, double count, double free, double p, int flag
#define DZ_FOLD_PARAMETERS DZ_FOLD(DZ_BY_VALUE Nest<4>, DZ_BY_VALUE Nest<1>)
#define DZ_FOLD_ARGUMENTS DZ_FOLD(const Nest<4> &, const Nest<1> &)
#define DZ_FOLDED x, z, a, b, out, second, partial, kept, inside, parts, part, side, count, free, p, flag

// Goes through the elements first, first + step, .. of up to two axes without a division for each.
struct Walk {
  i64 at, column, n, columns, jump, wrap;
  __device__ Walk(const Nest<1> &inside, i64 from, i64 first, i64 step) {
    const int last = inside.rank - 1;
    const i64 inner = inside.stride[0][last], outer = last > 0 ? inside.stride[0][0] : 0;
    n = last > 0 ? inside.size[last] : i64(1) << 62;
    column = first % n;
    at = from + first / n * outer + column * inner;
    columns = step % n;
    jump = step / n * outer + columns * inner;
    wrap = outer - n * inner;
  }
  __device__ i64 next() {
    const i64 here = at;
    at += jump;
    column += columns;
    if (column >= n) {
      column -= n;
      at += wrap;
    }
    return here;
  }
};

#define DZ_TWO (OP == MOMENTS || OP == NORM_SUMS)

__device__ inline State fold_walk(const T *x, const T *z, Walk walk, i64 i, i64 end, i64 step, const Given &g, const T *a,
                                  int flag) {
  State total = State::none();
#pragma unroll 1
  while (i < end) {
    State chain[4] = {State::none(), State::none(), State::none(), State::none()};
#pragma unroll 1
    for (int round = 0; round < 64 && i + 3 * step < end; round++, i += 4 * step) {
      T v[4], w[4];
      i64 where[4];
      for (int k = 0; k < 4; k++) where[k] = walk.next();
      for (int k = 0; k < 4; k++) v[k] = x[where[k]], w[k] = DZ_TWO ? z[where[k]] : T(0);
      for (int k = 0; k < 4; k++) chain[k].take(v[k], w[k], i + k * step, where[k], g, a, flag);
    }
    if (i + 3 * step >= end) {
#pragma unroll 1
      for (; i < end; i += step) {
        const i64 where = walk.next();
        chain[0].take(x[where], DZ_TWO ? z[where] : T(0), i, where, g, a, flag);
      }
    }
    total = State::join(total, State::join(State::join(chain[0], chain[1]), State::join(chain[2], chain[3])));
  }
  return total;
}

// Elements of more than two axes.
__device__ inline State fold_search(const T *x, const T *z, const Nest<1> &inside, i64 from, i64 i, i64 end, i64 step,
                                    const Given &g, const T *a, int flag) {
  State total = State::none();
#pragma unroll 1
  while (i < end) {
    State chain = State::none();
#pragma unroll 1
    for (int round = 0; round < 64 && i < end; round++, i += step) {
      const i64 where = from + inside.at(0, i);
      chain.take(x[where], DZ_TWO ? z[where] : T(0), i, where, g, a, flag);
    }
    total = State::join(total, chain);
  }
  return total;
}

// Neighbours from an address of sixteen bytes on.
__device__ inline State fold_packs(const T *x, i64 lane, i64 first, i64 len, i64 lanes, const Given &g, const T *a, int flag) {
  const int N = Pack<T>::N;
  const i64 packs = len / N;
  State total = State::none();
#pragma unroll 1
  for (i64 i = lane; i < packs;) {
    State chain[N];
    for (int k = 0; k < N; k++) chain[k] = State::none();
#pragma unroll 2
    for (int round = 0; round < 64 && i < packs; round++, i += lanes) {
      const Pack<T> v = ((const Pack<T> *)x)[i];
      for (int k = 0; k < N; k++) chain[k].take(v.at[k], T(0), first + i * N + k, 0, g, a, flag);
    }
    for (int half = N / 2; half > 0; half /= 2)
      for (int k = 0; k < half; k++) chain[k] = State::join(chain[k], chain[k + half]);
    total = State::join(total, chain[0]);
  }
#pragma unroll 1
  for (i64 i = packs * N + lane; i < len; i += lanes) total.take(x[i], T(0), first + i, 0, g, a, flag);
  return total;
}

// Elements first + lane, first + lane + lanes, .. of output o.
__device__ inline State fold_some(i64 o, i64 first, i64 lane, i64 lanes, bool rows, DZ_FOLD_ARGUMENTS) {
  const i64 from = kept.at(0, o), end = first + part < inside.len ? first + part : inside.len;
  Given g = {T(0), T(0), T(p), true};
  if (OP == MEAN_ABOUT && inside.len > 0) {
    g.shift = x[from];
    if (!(fabs(double(g.shift)) < double(INFINITY))) g.shift = T(0);
  }
  if (OP == VARIANCE || OP == REST || OP == HITS || OP == MOMENTS) g.shift = a[kept.at(1, o)];
#if OP == REST
  const T y = b[kept.at(2, o)];
  if (!(T(fabs(g.shift)) > T(8) * (flag ? y : T(sqrt(y))))) return State::none();
#endif
  const bool dense = rows && inside.dense & 1 && !DZ_TWO;
  if (dense && at_pack(x + from + first)) return fold_packs(x + from + first, lane, first, end - first, lanes, g, a, flag);
  const i64 start = first + lane;
  if (start >= end) return State::none();
  const Walk walk(inside, from, start, lanes);
  if (inside.rank <= 2) return fold_walk(x, z, walk, start, end, lanes, g, a, flag);
  return fold_search(x, z, inside, from, start, end, lanes, g, a, flag);
}

// The output of all its elements.
__device__ inline void fold_end(State s, i64 o, DZ_FOLD_ARGUMENTS) {
  R &to = out[kept.at(3, o)];
#if OP == SUM
  to = flag ? to + s.sum : s.sum;
#elif OP == MEAN
  const T mean = s.sum / T(count);
  to = flag ? to + mean : mean;
#elif OP == MEAN_ABOUT
  T shift = T(NAN);
  if (inside.len > 0) {
    shift = x[kept.at(0, o)];
    if (!(fabs(double(shift)) < double(INFINITY))) shift = T(0);
  }
  to = shift + s.sum / T(count);
#elif OP == VARIANCE
  T v = s.two - s.one * s.one / T(count);
  v = not_below_zero(v) / T(free);
  to = flag ? T(sqrt(v)) : v;
#elif OP == REST
  to = s.sum / T(count);
#elif OP == NORM_2
  to = sqrt(s.sum);
#elif OP == NORM_P
  to = pow(s.sum, T(1.0 / p));
#elif OP == LOG_SUM_EXP
  to = T(fabs(s.e.m)) < T(INFINITY) ? T(s.e.m + log(s.e.s)) : s.e.m;
#elif OP == EXPONENTIALS
  const bool infinite = T(fabs(s.e.m)) == T(INFINITY);
  second[o] = s.e.m == T(INFINITY) ? s.e.m : s.e.s;
  to = infinite ? T(0) : s.e.m;
#elif OP == HITS
  to = s.sum == T(0) ? T(NAN) : b[kept.at(2, o)] / s.sum;
#elif OP == NORM_SUMS
  to = s.one;
  second[o] = s.two;
#elif OP == ARG_MAX || OP == ARG_MIN
  to = s.index;
#else
  to = R(s.sum);
#endif
}

__device__ inline void fold_put(State s, i64 o, i64 number, DZ_FOLD_ARGUMENTS) {
  if (partial) partial[number * kept.len + o] = s;
  else fold_end(s, o, DZ_FOLDED);
}

// Joins what threads below each other found; those of the first row get it.
__device__ inline State fold_down(State s, int width, int tall) {
  __shared__ State all[256];
  const int t = threadIdx.x;
  all[t] = s;
  for (int half = tall / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half * width) all[t] = State::join(all[t], all[t + half * width]);
  }
  s = all[t];
  __syncthreads();
  return s;
}

// Blocks of 256 threads in groups of `side`, a power of 2 up to 32, or 256; blocks along y take parts. Any grid.
extern "C" __global__ void __launch_bounds__(256) fold_rows(DZ_FOLD_PARAMETERS) {
  const int lane = threadIdx.x % side, rows = 256 / side;
  for (i64 number = blockIdx.y; number < parts; number += gridDim.y) {
    for (i64 tile = i64(blockIdx.x) * rows; tile < kept.len; tile += i64(gridDim.x) * rows) {
      const i64 o = tile + threadIdx.x / side;
      State s = State::none();
      if (o < kept.len) s = fold_some(o, number * part, lane, side, true, DZ_FOLDED);
      s = join_lanes(s, side, [](State a, State b) { return State::join(a, b); });
      if (lane == 0 && o < kept.len) fold_put(s, o, number, DZ_FOLDED);
    }
  }
}

// Blocks of 256 threads, `side` outputs wide, a power of 2; blocks along y take parts. Any grid.
extern "C" __global__ void __launch_bounds__(256) fold_columns(DZ_FOLD_PARAMETERS) {
  const int row = threadIdx.x / side, tall = 256 / side;
  for (i64 number = blockIdx.y; number < parts; number += gridDim.y) {
    for (i64 tile = i64(blockIdx.x) * side; tile < kept.len; tile += i64(gridDim.x) * side) {
      const i64 o = tile + threadIdx.x % side;
      State s = State::none();
      if (o < kept.len) s = fold_some(o, number * part, row, tall, false, DZ_FOLDED);
      s = fold_down(s, side, tall);
      if (row == 0 && o < kept.len) fold_put(s, o, number, DZ_FOLDED);
    }
  }
}

// The last step where there are several parts. As fold_columns, without blocks along y.
extern "C" __global__ void __launch_bounds__(256) fold_parts(DZ_FOLD_PARAMETERS) {
  const int row = threadIdx.x / side, tall = 256 / side;
  for (i64 tile = i64(blockIdx.x) * side; tile < kept.len; tile += i64(gridDim.x) * side) {
    const i64 o = tile + threadIdx.x % side;
    State s = State::none();
    if (o < kept.len)
      for (i64 k = row; k < parts; k += tall) s = State::join(s, partial[k * kept.len + o]);
    s = fold_down(s, side, tall);
    if (row == 0 && o < kept.len) fold_end(s, o, DZ_FOLDED);
  }
}
