// What the kernels of attention share: operands, products of tiles, scores, dropout. In front of attention.cu and
// attention_pullback.cu.
//
// A block of 256 threads works on the scores of SIDE queries and as many keys, which never leave its registers and shared
// memory. Thread (ty, tx) of 16 by 16 has PACK neighbouring rows and columns of them, and of each SIDE columns of a result.
// A pack is 16 bytes: what shared memory gives to a thread at once.

constexpr int PACK = 16 / sizeof(T), SIDE = 16 * PACK;
// Columns that both operands of a product of tiles have in shared memory, and rows of the right one of a result.
constexpr int STEP = 16, DEPTH = 4 * PACK;

struct __align__(16) Pack {
  T v[PACK];
};

// The matrices of all heads: leading axes, rows, columns; by any strides.
struct Heads {
  i64 rank, size[4], stride[4], offset, row, column;
};

// `AttentionShape` in autodiff-core/src/device/attention.rs. `end` of them see a key; a length of keys belongs to
// `heads / lengths` neighbouring heads. Weights are dropped where the random number is below `limit`, and multiplied by
// `keep` elsewhere.
struct Attention {
  i64 heads, group, queries, keys, width, value_width, causal, biases, lengths, length_step, dropout;
  u64 limit, seed;
  const u64 *more;  // null, or what is added to the seed
  double scale, keep;
  Heads q, k, v, mask;
};

// At most one is not null.
struct Mask {
  const bool *visible;
  const T *bias;
  const i64 *lengths;
};

// The parameters of a kernel that has all operands. The layout of the mask is in `Attention`.
#define DZ_OPERANDS const T *q, const T *k, const T *v, const bool *visible, const T *bias, const i64 *lengths

// The first `rows` rows of a matrix.
struct Matrix {
  const T *at;
  i64 rows, columns, row, column;
};

// By value: an address would put the parameters of the kernel into local memory.
__device__ __noinline__ i64 place_of(Heads x, i64 head) {
  i64 at = x.offset;
  for (int a = int(x.rank) - 1; a >= 0; a--) {
    const i64 q = head / x.size[a];
    at += (head - q * x.size[a]) * x.stride[a];
    head = q;
  }
  return at;
}
__device__ inline Matrix matrix(const T *x, const Heads &heads, i64 head, i64 rows, i64 columns) {
  return {x + place_of(heads, head), rows, columns, heads.row, heads.column};
}
__device__ inline Matrix dense(const T *x, i64 head, i64 rows, i64 columns) {
  return {x + head * rows * columns, rows, columns, columns, 1};
}

// How many keys query i sees, of `count`: the first.
__device__ inline i64 seen(const Attention &s, i64 i, i64 count) {
  return s.causal ? min(count, max(i + 1 + s.keys - s.queries, i64(0))) : count;
}
// The keys of a head that are not padding. A length out of range was reported before.
__device__ inline i64 keys_of(const Attention &s, const Mask &mask, i64 head) {
  if (!mask.lengths) return s.keys;
  return min(s.keys, max(mask.lengths[head * s.lengths / s.heads * s.length_step], i64(0)));
}

// Shared memory. `N` is how many times SIDE columns a result has.
template <int N> struct Tiles {
  Pack a[STEP][17], b[STEP][17];  // transposed, with a gap against bank conflicts
  Pack p[SIDE][17];
  Pack x[DEPTH][16 * N];
};

// STEP columns of SIDE rows, transposed; zeros outside.
__device__ inline void load(Pack (&to)[STEP][17], const Matrix &m, i64 first, i64 column) {
  const bool along = m.column == 1;  // neighbours read neighbours
  for (int e = threadIdx.x; e < STEP * SIDE; e += 256) {
    const int k = along ? e % STEP : e / SIDE, r = along ? e / STEP : e % SIDE;
    const i64 i = first + r, j = column + k;
    to[k][r / PACK].v[r % PACK] = i < m.rows && j < m.columns ? m.at[i * m.row + j * m.column] : T(0);
  }
}

// out += A·Bᵀ of the rows of `a` from `a0` and those of `b` from `b0`.
template <int N>
__device__ inline void multiply(T (&out)[PACK][PACK], const Matrix &a, i64 a0, const Matrix &b, i64 b0, Tiles<N> &tiles) {
  const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
  for (i64 column = 0; column < a.columns; column += STEP) {
    __syncthreads();
    load(tiles.a, a, a0, column);
    load(tiles.b, b, b0, column);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < STEP; k++) {
      const Pack x = tiles.a[k][ty], y = tiles.b[k][tx];
#pragma unroll
      for (int i = 0; i < PACK; i++)
#pragma unroll
        for (int j = 0; j < PACK; j++) out[i][j] += x.v[i] * y.v[j];
    }
  }
}

// Puts a tile into shared memory, or its transpose. `accumulate` waits for it.
template <int N> __device__ inline void keep(const T (&x)[PACK][PACK], bool transposed, Tiles<N> &tiles) {
  const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < PACK; i++) {
    Pack line;
#pragma unroll
    for (int j = 0; j < PACK; j++) line.v[j] = transposed ? x[j][i] : x[i][j];
    if (transposed) tiles.p[tx * PACK + i][ty] = line;
    else tiles.p[ty * PACK + i][tx] = line;
  }
}

// out += P·X of the tile in shared memory and rows of `x` from `first`, columns from `column`.
template <int N, int M>
__device__ inline void accumulate(T (&out)[PACK][M * PACK], const Matrix &x, i64 first, i64 column, Tiles<N> &tiles) {
  static_assert(M <= N, "there is shared memory for it");
  const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
  for (int start = 0; start < SIDE && first + start < x.rows; start += DEPTH) {
    __syncthreads();
    for (int e = threadIdx.x; e < DEPTH * M * SIDE; e += 256) {
      const int r = e / (M * SIDE), c = e % (M * SIDE);
      const i64 i = first + start + r, j = column + c;
      tiles.x[r][c / PACK].v[c % PACK] = i < x.rows && j < x.columns ? x.at[i * x.row + j * x.column] : T(0);
    }
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < DEPTH; k += PACK) {
      Pack p[PACK];
#pragma unroll
      for (int i = 0; i < PACK; i++) p[i] = tiles.p[ty * PACK + i][(start + k) / PACK];
#pragma unroll
      for (int l = 0; l < PACK; l++)
#pragma unroll
        for (int n = 0; n < M; n++) {
          const Pack y = tiles.x[k + l][n * 16 + tx];
#pragma unroll
          for (int i = 0; i < PACK; i++)
#pragma unroll
            for (int j = 0; j < PACK; j++) out[i][n * PACK + j] += p[i].v[l] * y.v[j];
        }
    }
  }
}

// The sum over the 16 threads that have a row.
__device__ inline T row_sum(T x) {
  for (int o = 8; o > 0; o /= 2) x += __shfl_xor_sync(0xffffffffu, x, o);
  return x;
}

// SIDE queries from `query` and as many keys from `key` of a head, with `count` keys.
struct Tile {
  i64 head, query, key, count;
  // Of this thread.
  __device__ i64 row(int i) const { return query + threadIdx.x / 16 * PACK + i; }
  __device__ i64 column(int j) const { return key + threadIdx.x % 16 * PACK + j; }
  __device__ bool sees(const Attention &s, int i, int j) const {
    return row(i) < s.queries && column(j) < seen(s, row(i), count);
  }
};

// Scores from products of queries and keys; −∞ where a key is hidden.
__device__ inline void scores(const Attention &s, const Tile &tile, const Mask &mask, T (&x)[PACK][PACK]) {
  const i64 from = mask.visible || mask.bias ? place_of(s.mask, tile.head) : 0;
#pragma unroll
  for (int i = 0; i < PACK; i++)
#pragma unroll
    for (int j = 0; j < PACK; j++) {
      x[i][j] *= T(s.scale);
      if (!tile.sees(s, i, j)) {
        x[i][j] = T(-INFINITY);
        continue;
      }
      const i64 at = from + tile.row(i) * s.mask.row + tile.column(j) * s.mask.column;
      if (mask.visible && !mask.visible[at]) x[i][j] = T(-INFINITY);
      if (mask.bias) x[i][j] += mask.bias[at];
    }
}

// Weights from the same, with the statistics of the rows.
__device__ inline void weights(const Attention &s, const Tile &tile, const Mask &mask, const T *stats, T (&x)[PACK][PACK]) {
  scores(s, tile, mask, x);
#pragma unroll
  for (int i = 0; i < PACK; i++) {
    const i64 row = tile.head * s.queries + min(tile.row(i), s.queries - 1);
    const T m = stats[2 * row], r = stats[2 * row + 1];
#pragma unroll
    for (int j = 0; j < PACK; j++) x[i][j] = tile.sees(s, i, j) ? exp(x[i][j] - m) * r : T(0);
  }
}

// A block of Philox4x32-10 (Salmon et al. 2011) with the stream of dropout.
__device__ __noinline__ uint4 philox(u64 block, u64 seed) {
  u32 c0 = u32(block), c1 = u32(block >> 32), c2 = 0x6d61736bu, c3 = 0, k0 = u32(seed), k1 = u32(seed >> 32);
  for (int round = 0; round < 10; round++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
    const u64 a = u64(c0) * 0xD2511F53u, b = u64(c2) * 0xCD9E8D57u;
    c0 = u32(b >> 32) ^ c1 ^ k0, c1 = u32(b);
    c2 = u32(a >> 32) ^ c3 ^ k1, c3 = u32(a);
  }
  return make_uint4(c0, c1, c2, c3);
}

// Dropout with the same numbers as in autodiff-core/src/kernel/dropout.rs: element e of all weights has word e mod 4 of block
// e / 4. What is dropped is 0 even where it was not finite. `y` may be `x`.
__device__ inline void drop(const Attention &s, const Tile &tile, T (&x)[PACK][PACK], T (&y)[PACK][PACK]) {
  if (!s.dropout) return;
  const u64 seed = s.seed + (s.more ? *s.more : 0);
#pragma unroll
  for (int i = 0; i < PACK; i++) {
    const u64 first = u64(tile.head * s.queries + tile.row(i)) * s.keys + tile.column(0);
    uint4 c = philox(first >> 2, seed);
#pragma unroll
    for (int j = 0; j < PACK; j++) {
      const u64 e = first + j;
      if (j > 0 && (e & 3) == 0) c = philox(e >> 2, seed);
      const u32 word = e & 2 ? (e & 1 ? c.w : c.z) : (e & 1 ? c.y : c.x);
      const T factor = word >= s.limit ? T(s.keep) : T(0);
      x[i][j] = factor == T(0) ? T(0) : x[i][j] * factor;
      if (&x != &y) y[i][j] = factor == T(0) ? T(0) : y[i][j] * factor;
    }
  }
}

// Rows of a result, columns from `column`.
template <int M> struct Result {
  i64 row, rows, column, columns;
  // Calls f(row, column, element) for those of this thread.
  template <class F> __device__ void each(const T (&x)[PACK][M * PACK], F f) const {
#pragma unroll
    for (int i = 0; i < PACK; i++)
#pragma unroll
      for (int n = 0; n < M * PACK; n++) {
        const i64 r = row + threadIdx.x / 16 * PACK + i, c = column + n / PACK * SIDE + threadIdx.x % 16 * PACK + n % PACK;
        if (r < rows && c < columns) f(r, c, i, x[i][n]);
      }
  }
};

// Which rows of which head the blocks compute one after the other, and which columns: M times SIDE of those of `value_width`.
template <int M> struct Tasks {
  i64 tiles, parts, count;
  __device__ Tasks(const Attention &s) {
    tiles = (s.queries + SIDE - 1) / SIDE;
    parts = (s.value_width + M * SIDE - 1) / (M * SIDE);
    count = s.heads * tiles * parts;
  }
  // The rows with the most keys come first.
  __device__ Tile get(const Attention &s, const Mask &mask, i64 task, i64 &column) const {
    column = task % parts * M * SIDE;
    const i64 head = task / parts / tiles;
    return {head, (tiles - 1 - task / parts % tiles) * SIDE, 0, keys_of(s, mask, head)};
  }
  // The keys that one of the rows sees.
  static __device__ i64 end(const Attention &s, const Tile &tile) {
    return seen(s, min(tile.query + SIDE, s.queries) - 1, tile.count);
  }
};
