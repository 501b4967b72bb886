// Arithmetic of whole numbers, which wraps around, and sums along rows. T is i64, u32 or u8; for `sum_rows` also bool.

// Whole numbers without a sign wrap around by themselves.
__device__ inline i64 wrapped(int op, i64 a, i64 b) {
  return op == 0 ? i64(u64(a) + u64(b)) : op == 1 ? i64(u64(a) - u64(b)) : i64(u64(a) * u64(b));
}
__device__ inline u32 wrapped(int op, u32 a, u32 b) { return op == 0 ? a + b : op == 1 ? a - b : a * b; }

// out = a op b, in the order of `IntegerOp`. Rounded towards zero; the smallest number divided by -1 is itself. A division
// by zero is reported as number 0 of no entries, and gives 0. One thread for each element.
extern "C" __global__ void integer(int op, u32 operation, const T *a, const T *b, T *out, Fault *f, DZ_BY_VALUE Nest<3> nest) {
  DZ_FOR(i, nest.len) {
    const T x = a[nest.at(0, i)], y = b[nest.at(1, i)];
    T z;
    if (op < 3) {
      z = sizeof(T) == 8 ? T(wrapped(op, i64(x), i64(y))) : T(wrapped(op, u32(x), u32(y)));
    } else if (op < 5) {
      if (y == T(0)) fault(f, operation, u32(i), 0, 0);
      if (y == T(0)) z = T(0);
      else if (T(-1) < T(0) && y == T(-1)) z = op == 3 ? T(0 - u64(x)) : T(0);
      else z = op == 3 ? T(x / y) : T(x % y);
    } else {
      z = op == 5 ? (x < y ? y : x) : (y < x ? y : x);
    }
    out[nest.at(2, i)] = z;
  }
}

// out[row] += the sum of `width` elements, `step` apart, from each beginning in the nest; true counts as 1. A row is cut into
// `parts`: sums of whole numbers do not depend on their order. Blocks of 256 threads, a warp for each part.
extern "C" __global__ void sum_rows(const T *x, u64 *out, i64 width, i64 step, i64 parts, DZ_BY_VALUE Nest<1> nest) {
  const u32 lane = threadIdx.x % 32;
  const i64 each = (width + parts - 1) / parts;
  for (i64 job = i64(blockIdx.x) * 8 + threadIdx.x / 32; job < nest.len * parts; job += i64(gridDim.x) * 8) {
    const i64 row = job / parts, begin = (job - row * parts) * each, end = begin + each < width ? begin + each : width;
    const T *from = x + nest.at(0, row);
    u64 sum = 0;
    for (i64 i = begin + lane; i < end; i += 32) sum += u64(i64(from[i * step]));
    for (u32 far = 16; far > 0; far /= 2) sum += __shfl_xor_sync(~0u, sum, far);
    if (lane == 0 && sum != 0) atomicAdd(&out[row], sum);
  }
}
