// Running sums and products along rows, and the derivatives of products. T is float or double.
//
// `walk` kernels go through rows one element after the other, as autodiff-core/src/kernel/scan.rs does, so they give the same
// numbers, also where a product leaves the range of T, or is 0. A block takes up to 32 rows: all its threads bring a tile of
// 1024 elements to shared memory, one thread for each row walks along it, and all write it. They serve products, and sums of
// short rows.
//
// Longer rows are summed up by `scan_rows`, a block for each part of a row: each thread has 8 neighbours, and sums of threads
// are scanned by shuffles. Where rows are few, each is cut into parts, whose sums `scan_parts` finds before.

#define TILE 1024

// How rows lie and are cut into tiles. `heads` are the beginnings of the rows of operand k, whose elements are step[k] apart;
// the output is dense. A tile has 2^log rows, at most 32, of TILE / 2^log elements.
template <int N> struct Walk {
  i64 width;
  u32 log, fast;  // fast: bit k says that neighbouring rows of operand k are neighbours in memory
  i64 step[N];
};

// Where element e of a tile is in shared memory: row after row, each with one more place so that banks differ.
__device__ inline u32 place(u32 row, u32 column, u32 columns) { return row * (columns + 1) + column; }

// Brings elements first + shift .. of the rows from `row` on to shared memory; those in front of a row are 1. `head` has the
// beginnings of the rows.
template <int N>
__device__ inline void bring(const T *x, int k, T *tile, const Walk<N> &walk, const i64 *head, i64 row, i64 all, i64 first,
                             i64 shift) {
  const u32 log = walk.log, columns = TILE >> log;
  const bool fast = walk.fast >> k & 1;
  for (u32 e = threadIdx.x; e < TILE; e += blockDim.x) {
    const u32 r = fast ? e & ((1u << log) - 1) : e >> (10 - log), c = fast ? e >> log : e & (columns - 1);
    const i64 at = first + c + shift;
    if (row + r >= all || first + c >= walk.width) continue;
    tile[place(r, c, columns)] = at < 0 ? T(1) : x[head[k * 32 + r] + at * walk.step[k]];
  }
}

__device__ inline void take(const T *tile, T *out, i64 width, u32 log, i64 all, i64 row, i64 first) {
  const u32 columns = TILE >> log;
  for (u32 e = threadIdx.x; e < TILE; e += blockDim.x) {
    const u32 r = e >> (10 - log), c = e & (columns - 1);
    if (row + r < all && first + c < width) out[(row + r) * width + first + c] = tile[place(r, c, columns)];
  }
}

// The tiles of a row, from the last where `back`; `body` walks along `n` elements of a row from `base` in shared memory.
#define DZ_WALK(N, back, load, body)                                                                                \
  const u32 rows = 1u << walk.log, columns = TILE >> walk.log;                                                      \
  const i64 tiles = (walk.width + columns - 1) / columns;                                                           \
  for (i64 row = i64(blockIdx.x) * rows; row < heads.len; row += i64(gridDim.x) * rows) {                           \
    if (threadIdx.x < 32 && row + threadIdx.x < heads.len)                                                          \
      for (int k = 0; k < (N); k++) head[k * 32 + threadIdx.x] = heads.at(k, row + threadIdx.x);                    \
    __syncthreads();                                                                                                \
    start();                                                                                                        \
    for (i64 t = 0; t < tiles; t++) {                                                                               \
      const i64 first = ((back) ? tiles - 1 - t : t) * columns;                                                     \
      load;                                                                                                         \
      __syncthreads();                                                                                              \
      if (threadIdx.x < rows && row + threadIdx.x < heads.len) {                                                    \
        const u32 base = place(threadIdx.x, 0, columns);                                                            \
        const u32 n = u32(walk.width - first < columns ? walk.width - first : columns);                             \
        _Pragma("unroll 8") for (u32 i = 0; i < n; i++) {                                                           \
          const u32 at = base + ((back) ? n - 1 - i : i);                                                           \
          body;                                                                                                     \
        }                                                                                                           \
      }                                                                                                             \
      __syncthreads();                                                                                              \
      take(a, out, walk.width, walk.log, heads.len, row, first);                                                    \
      __syncthreads();                                                                                              \
    }                                                                                                               \
  }

// Scans rows: op 0 adds, 1 adds from the end, 2 multiplies. Blocks of 256 threads, one for each 2^log rows.
extern "C" __global__ void walk_rows(int op, const T *x, T *out, DZ_BY_VALUE Walk<1> walk, DZ_BY_VALUE Nest<1> heads) {
  __shared__ T a[TILE + 32];
  __shared__ i64 head[32];
  T sum;
  auto start = [&]() { sum = op == 2 ? T(1) : T(0); };
  DZ_WALK(1, op == 1, bring(x, 0, a, walk, head, row, heads.len, first, 0), {
    sum = op == 2 ? sum * a[at] : sum + a[at];
    a[at] = sum;
  })
}

// The pullback of products y of x, from the end: s = ct + s' with s' = s x of the element behind, times the product before.
extern "C" __global__ void walk_product_pullback(const T *x, const T *y, const T *ct, T *out, DZ_BY_VALUE Walk<3> walk, DZ_BY_VALUE Nest<3> heads) {
  __shared__ T a[TILE + 32], b[TILE + 32], c[TILE + 32];
  __shared__ i64 head[96];
  T sum;
  auto start = [&]() { sum = T(0); };
  DZ_WALK(3, true,
          (bring(x, 0, b, walk, head, row, heads.len, first, 0), bring(y, 1, c, walk, head, row, heads.len, first, -1),
           bring(ct, 2, a, walk, head, row, heads.len, first, 0)),
          {
            const T before = c[at];
            sum = a[at] + sum;
            // Behind a zero the sum may have overflowed.
            a[at] = before == T(0) && fabs(sum) == T(INFINITY) ? T(0) : before * sum;
            sum = sum * b[at];
          })
}

// The pushforward of products y of x along t.
extern "C" __global__ void walk_product_pushforward(const T *x, const T *y, const T *t_x, T *out, DZ_BY_VALUE Walk<3> walk,
                                                    DZ_BY_VALUE Nest<3> heads) {
  __shared__ T a[TILE + 32], b[TILE + 32], c[TILE + 32];
  __shared__ i64 head[96];
  T tangent;
  auto start = [&]() { tangent = T(0); };
  DZ_WALK(3, false,
          (bring(x, 0, b, walk, head, row, heads.len, first, 0), bring(y, 1, c, walk, head, row, heads.len, first, -1),
           bring(t_x, 2, a, walk, head, row, heads.len, first, 0)),
          {
            tangent = tangent * b[at] + c[at] * a[at];
            a[at] = tangent;
          })
}

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
