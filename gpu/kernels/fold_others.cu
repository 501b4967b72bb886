// Follows fold_pullback.cu in a module of PROD.

// The products of the others, for bad outputs. `kept` has x, y, ct and out; `inside` and `within` the reduced axes of x and
// out, from 0. Blocks of 256 threads, which look at 256 outputs each. Any grid.
extern "C" __global__ void __launch_bounds__(256) fold_others(const T *x, const T *y, const T *ct, T *out,
                                                              DZ_BY_VALUE Nest<4> kept, DZ_BY_VALUE Nest<1> inside,
                                                              DZ_BY_VALUE Nest<1> within) {
  __shared__ bool bad[256];
  __shared__ T before[256], behind[256];
  const int t = threadIdx.x;
  const i64 share = (inside.len + 255) / 256;
  const i64 start = t * share, end = start + share < inside.len ? start + share : inside.len;
  for (i64 tile = i64(blockIdx.x) * 256; tile < kept.len; tile += i64(gridDim.x) * 256) {
    bad[t] = tile + t < kept.len && is_bad(y[kept.at(1, tile + t)]);
    if (!__syncthreads_or(bad[t])) continue;
    for (int k = 0; k < 256; k++) {
      if (!bad[k]) continue;
      const i64 from = kept.at(0, tile + k), to = kept.at(3, tile + k);
      const T by = ct[kept.at(2, tile + k)];
      // The product of each thread's elements, then of all before and behind it.
      T product = T(1);
      for (i64 i = start; i < end; i++) product *= x[from + inside.at(0, i)];
      before[t] = behind[t] = product;
      __syncthreads();
      if (t < 2) {
        T sum = T(1), *all = t ? behind : before;
        for (int i = 0; i < 256; i++) {
          T &own = all[t ? 255 - i : i];
          const T next = sum * own;
          own = sum;
          sum = next;
        }
      }
      __syncthreads();
      T left = before[t], right = behind[t];
      for (i64 i = start; i < end; i++) {
        out[to + within.at(0, i)] = left;
        left *= x[from + inside.at(0, i)];
      }
      for (i64 i = end - 1; i >= start; i--) {
        T &o = out[to + within.at(0, i)];
        o = o * right * by;
        right *= x[from + inside.at(0, i)];
      }
      __syncthreads();
    }
  }
}
