// The second step of sums: the sums of threads, `rows` of them for each of `m` elements, are added in their order.

// One thread for each element.
extern "C" __global__ void columns(const T *sums, i64 rows, i64 m, T *out) {
  DZ_FOR(j, m) {
    T sum = T(0);
    for (i64 r = 0; r < rows; r++) sum += sums[r * m + j];
    out[j] = sum;
  }
}

// One block of 256 threads for each element: for few elements with many sums.
extern "C" __global__ void columns_by_blocks(const T *sums, i64 rows, i64 m, T *out) {
  __shared__ T part[256];
  for (i64 j = blockIdx.x; j < m; j += gridDim.x) {
    T sum = T(0);
    for (i64 r = threadIdx.x; r < rows; r += 256) sum += sums[r * m + j];
    part[threadIdx.x] = sum;
    for (int half = 128; half > 0; half /= 2) {
      __syncthreads();
      if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) out[j] = part[0];
    __syncthreads();
  }
}
