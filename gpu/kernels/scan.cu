// Running sums and products along rows, and the derivatives of products. T is float or double, or has tangents.
// Defined in front: TILE_LOG, so that three tiles fit into shared memory.
//
// `walk` kernels go through rows one element after the other, as autodiff-core/src/kernel/scan.rs does, so they give the same
// numbers, also where a product leaves the range of T, or is 0. A block takes up to 32 rows: all its threads bring a tile of
// TILE elements to shared memory, one thread for each row walks along it, and all write it. They serve products, and sums of
// short rows.
//
// Longer rows are summed up by scan_long.cu, but those of numbers with tangents.

#define TILE (1u << TILE_LOG)

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
    const u32 r = fast ? e & ((1u << log) - 1) : e >> (TILE_LOG - log), c = fast ? e >> log : e & (columns - 1);
    const i64 at = first + c + shift;
    if (row + r >= all || first + c >= walk.width) continue;
    tile[place(r, c, columns)] = at < 0 ? T(1) : x[head[k * 32 + r] + at * walk.step[k]];
  }
}

__device__ inline void take(const T *tile, T *out, i64 width, u32 log, i64 all, i64 row, i64 first) {
  const u32 columns = TILE >> log;
  for (u32 e = threadIdx.x; e < TILE; e += blockDim.x) {
    const u32 r = e >> (TILE_LOG - log), c = e & (columns - 1);
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
