// Running sums along long rows. T is float or double. Follows scan.cu.
//
// `scan_rows` has a block for each part of a row: each thread has 8 neighbours, and sums of threads are scanned by shuffles. Where
// rows are few, each is cut into parts, whose sums `scan_parts` finds before.

// The sum of the numbers of the threads before this one, of 256, and the sum of all. `part` is shared memory that nobody else
// uses.
__device__ inline T sum_before(T x, T *part, T *all) {
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  T sum = x;
  for (u32 step = 1; step < 32; step *= 2) {
    const T other = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += other;
  }
  // Not sum - x, which is no number beside infinity.
  const T own = __shfl_up_sync(~0u, sum, 1);
  if (lane == 31) part[warp] = sum;
  __syncthreads();
  T before = T(0), whole = T(0);
  for (u32 w = 0; w < 8; w++) {
    if (w == warp) before = whole;
    whole += part[w];
  }
  *all = whole;
  __syncthreads();
  return lane == 0 ? before : before + own;
}

#define PART 2048

// The sum of each part of `tiles` tiles of PART elements of each row: sums[row * parts + part], the parts in the order of the
// scan. Rows are dense inside, and `heads` are their beginnings. Blocks of 256 threads, one for each part.
extern "C" __global__ void scan_parts(bool back, const T *x, T *sums, i64 width, i64 parts, i64 tiles, DZ_BY_VALUE Nest<1> heads) {
  __shared__ T part[8];
  for (i64 job = blockIdx.x; job < heads.len * parts; job += gridDim.x) {
    const i64 row = job / parts, begin = (job - row * parts) * tiles * PART;
    const i64 end = begin + tiles * PART < width ? begin + tiles * PART : width;
    const T *from = x + heads.at(0, row);
    T sum = T(0), all;
    for (i64 i = begin + threadIdx.x; i < end; i += 256) sum += from[back ? width - 1 - i : i];
    sum_before(sum, part, &all);
    if (threadIdx.x == 0) sums[job] = all;
  }
}

// Scans each part, with the sums of the parts before it; `sums` is read where there are several. Otherwise as `scan_parts`.
extern "C" __global__ void scan_rows(bool back, const T *x, const T *sums, T *out, i64 width, i64 parts, i64 tiles,
                                     DZ_BY_VALUE Nest<1> heads) {
  __shared__ T part[8], tile[PART + PART / 8];
  const u32 t = threadIdx.x;
  for (i64 job = blockIdx.x; job < heads.len * parts; job += gridDim.x) {
    const i64 row = job / parts, at = job - row * parts;
    const i64 begin = at * tiles * PART, end = begin + tiles * PART < width ? begin + tiles * PART : width;
    const T *from = x + heads.at(0, row);
    T sum = T(0), carry, all;
    for (i64 p = t; p < at; p += 256) sum += sums[row * parts + p];
    sum_before(sum, part, &carry);
    for (i64 first = begin; first < end; first += PART) {
      // Places of shared memory: one more for each 8, so that the banks of threads differ.
      for (u32 e = t; e < PART; e += 256) {
        const i64 i = first + e;
        tile[e + e / 8] = i < end ? from[back ? width - 1 - i : i] : T(0);
      }
      __syncthreads();
      T own[8], before = T(0);
      for (u32 k = 0; k < 8; k++) own[k] = before = before + tile[t * 9 + k];
      before = carry + sum_before(before, part, &all);
      for (u32 k = 0; k < 8; k++) tile[t * 9 + k] = before + own[k];
      carry += all;
      __syncthreads();
      for (u32 e = t; e < PART; e += 256) {
        const i64 i = first + e;
        if (i < end) out[row * width + (back ? width - 1 - i : i)] = tile[e + e / 8];
      }
      __syncthreads();
    }
  }
}
