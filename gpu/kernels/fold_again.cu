// Follows reduce.cu in a module of NORM_2 or NORM_P.

// Norms whose powers have overflowed or underflowed (below `free`), taken again of the elements divided by the largest.
// Blocks of 256 threads, which look at 256 outputs each. Any grid.
extern "C" __global__ void __launch_bounds__(256) fold_again(DZ_FOLD_PARAMETERS) {
  __shared__ bool bad[256];
  const int t = threadIdx.x;
  for (i64 tile = i64(blockIdx.x) * 256; tile < kept.len; tile += i64(gridDim.x) * 256) {
    const T y = tile + t < kept.len ? out[kept.at(3, tile + t)] : T(1);
    bad[t] = y < T(free) || y == T(INFINITY);
    if (!__syncthreads_or(bad[t])) continue;
    for (int k = 0; k < 256; k++) {
      if (!bad[k]) continue;
      const i64 from = kept.at(0, tile + k);
      T m = T(0), sum = T(0);
      for (i64 i = t; i < inside.len; i += 256) m = larger(m, T(fabs(x[from + inside.at(0, i)])));
      m = fixed(largest_of_lanes(m, 256));
      if (!(m > T(0) && m < T(INFINITY))) continue;
      for (i64 i = t; i < inside.len; i += 256) {
        const T part = T(fabs(x[from + inside.at(0, i)])) / m;
        sum += OP == NORM_2 ? part * part : T(pow(part, T(p)));
      }
      sum = sum_of_lanes(sum, 256);
      if (t == 0) out[kept.at(3, tile + k)] = m * (OP == NORM_2 ? T(sqrt(sum)) : T(pow(sum, T(1.0 / p))));
    }
    __syncthreads();
  }
}
