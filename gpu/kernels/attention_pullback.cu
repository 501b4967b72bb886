// The cotangents of the operands of attention: see autodiff-core/src/kernel/attention/mod.rs for the formulas. The weights are computed
// again, tile by tile, from the saved statistics of the rows.
//
// Each result has one block that sums it in a fixed order: blocks of `attention_queries` have rows of a head and meet all keys,
// those of `attention_keys` have keys and meet all queries of the heads that meet them, those of `attention_bias` have a tile of
// a bias and meet the heads that share it. So the weights are computed up to three times, and nothing is added in an order that
// depends on how blocks run. In front of this text, macros say how many times SIDE columns of keys and of values a block has;
// others have the rest of wider ones.

constexpr int WIDTHS = DZ_WIDTHS, VALUES = DZ_VALUES;
constexpr int MOST = WIDTHS > VALUES ? WIDTHS : VALUES;

// δ = Σ ct·out of each row of `width` entries; one warp for each row.
extern "C" __global__ void __launch_bounds__(256) attention_deltas(const T *out, const T *ct, i64 width, i64 rows, T *delta) {
  for (i64 row = (i64(blockIdx.x) * 256 + threadIdx.x) / 32; row < rows; row += i64(gridDim.x) * 8) {
    T sum = T(0);
    for (i64 j = threadIdx.x % 32; j < width; j += 32) sum += out[row * width + j] * ct[row * width + j];
    for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
    if (threadIdx.x % 32 == 0) delta[row] = sum;
  }
}

// What all three read. `ct` is dense; `stats` was saved; `delta` is that of `attention_deltas`.
struct Operands {
  const T *q, *k, *v;
  Mask mask;
  const T *ct, *stats, *delta;
};
#define DZ_SAVED const T *ct, const T *stats, const T *delta
#define DZ_ALL {q, k, v, {visible, bias, lengths}, ct, stats, delta}

// The operands of one head, with the keys before `end`.
struct Head {
  Matrix q, k, v, ct;
  __device__ Head(const Attention &s, const Operands &x, i64 head, i64 end)
      : q(matrix(x.q, s.q, head, s.queries, s.width)), k(matrix(x.k, s.k, head / s.group, end, s.width)),
        v(matrix(x.v, s.v, head / s.group, end, s.value_width)), ct(dense(x.ct, head, s.queries, s.value_width)) {}
};

// The weights of a tile after dropout, and the cotangents of its scores.
template <int N>
__device__ inline void slopes(const Attention &s, const Operands &x, const Tile &tile, const Head &head, T (&p)[PACK][PACK],
                              T (&d)[PACK][PACK], Tiles<N> &tiles) {
#pragma unroll
  for (int i = 0; i < PACK; i++)
#pragma unroll
    for (int j = 0; j < PACK; j++) p[i][j] = d[i][j] = T(0);
  multiply(p, head.q, tile.query, head.k, tile.key, tiles);
  weights(s, tile, x.mask, x.stats, p);
  multiply(d, head.ct, tile.query, head.v, tile.key, tiles);
  T kept[PACK][PACK];
#pragma unroll
  for (int i = 0; i < PACK; i++)
#pragma unroll
    for (int j = 0; j < PACK; j++) kept[i][j] = p[i][j];
  drop(s, tile, kept, d);
#pragma unroll
  for (int i = 0; i < PACK; i++) {
    const T delta = x.delta[tile.head * s.queries + min(tile.row(i), s.queries - 1)];
#pragma unroll
    for (int j = 0; j < PACK; j++) {
      // A key of weight 0 gets nothing, even where its value is not finite.
      d[i][j] = p[i][j] == T(0) ? T(0) : p[i][j] * (d[i][j] - delta);
      p[i][j] = kept[i][j];
    }
  }
}

// `out`: heads, queries, width. One block of 256 threads for SIDE rows and WIDTHS times SIDE columns, or fewer blocks.
extern "C" __global__ void __launch_bounds__(256) attention_queries(Attention s, DZ_OPERANDS, DZ_SAVED, T *out) {
  const Operands x = DZ_ALL;
  __shared__ Tiles<WIDTHS> tiles;
  const i64 rows = (s.queries + SIDE - 1) / SIDE, parts = (s.width + WIDTHS * SIDE - 1) / (WIDTHS * SIDE);
  for (i64 task = blockIdx.x; task < s.heads * rows * parts; task += gridDim.x) {
    const i64 column = task % parts * WIDTHS * SIDE, number = task / parts / rows;
    Tile tile = {number, (rows - 1 - task / parts % rows) * SIDE, 0, keys_of(s, x.mask, number)};
    const i64 end = seen(s, min(tile.query + SIDE, s.queries) - 1, tile.count);
    const Head head(s, x, number, end);
    T y[PACK][WIDTHS * PACK] = {};
    for (; tile.key < end; tile.key += SIDE) {
      T p[PACK][PACK], d[PACK][PACK];
      slopes(s, x, tile, head, p, d, tiles);
      keep(d, false, tiles);
      accumulate<WIDTHS, WIDTHS>(y, head.k, tile.key, column, tiles);
    }
    const Result<WIDTHS> result = {tile.query, s.queries, column, s.width};
    T *to = out + number * s.queries * s.width;
    result.each(y, [&](i64 r, i64 c, int, T value) { to[r * s.width + c] = T(s.scale) * value; });
  }
}

// The first query that sees a key.
__device__ inline i64 first_query(const Attention &s, i64 key) {
  return s.causal ? min(s.queries, max(key + s.queries - s.keys, i64(0))) : 0;
}

// `d_k`: heads / group, keys, width; `d_v`: the same, value_width. One of them may be null. One block of 256 threads for SIDE keys and
// WIDTHS or VALUES times SIDE columns, or fewer blocks.
extern "C" __global__ void __launch_bounds__(256) attention_keys(Attention s, DZ_OPERANDS, DZ_SAVED, T *d_k, T *d_v) {
  const Operands x = DZ_ALL;
  __shared__ Tiles<MOST> tiles;
  const i64 rows = (s.keys + SIDE - 1) / SIDE;
  const i64 parts_k = d_k ? (s.width + WIDTHS * SIDE - 1) / (WIDTHS * SIDE) : 0;
  const i64 parts_v = d_v ? (s.value_width + VALUES * SIDE - 1) / (VALUES * SIDE) : 0;
  const i64 parts = max(parts_k, parts_v);
  for (i64 task = blockIdx.x; task < s.heads / s.group * rows * parts; task += gridDim.x) {
    const i64 part = task % parts, met = task / parts / rows, key = task / parts % rows * SIDE;
    const i64 column_k = part * WIDTHS * SIDE, column_v = part * VALUES * SIDE;
    T of_k[PACK][WIDTHS * PACK] = {}, of_v[PACK][VALUES * PACK] = {};
    for (i64 number = met * s.group; number < (met + 1) * s.group; number++) {
      const i64 count = keys_of(s, x.mask, number);
      if (key >= count) continue;
      const Head head(s, x, number, count);
      for (Tile tile = {number, first_query(s, key), key, count}; tile.query < s.queries; tile.query += SIDE) {
        T p[PACK][PACK], d[PACK][PACK];
        slopes(s, x, tile, head, p, d, tiles);
        if (part < parts_v) {
          keep(p, true, tiles);
          accumulate<MOST, VALUES>(of_v, head.ct, tile.query, column_v, tiles);
        }
        if (part < parts_k) {
          keep(d, true, tiles);
          accumulate<MOST, WIDTHS>(of_k, head.q, tile.query, column_k, tiles);
        }
      }
    }
    if (part < parts_k) {
      const Result<WIDTHS> result = {key, s.keys, column_k, s.width};
      T *to = d_k + met * s.keys * s.width;
      result.each(of_k, [&](i64 r, i64 c, int, T value) { to[r * s.width + c] = T(s.scale) * value; });
    }
    if (part < parts_v) {
      const Result<VALUES> result = {key, s.keys, column_v, s.value_width};
      T *to = d_v + met * s.keys * s.value_width;
      result.each(of_v, [&](i64 r, i64 c, int, T value) { to[r * s.value_width + c] = value; });
    }
  }
}

// `out`: biases, keys, queries. One block of 256 threads for SIDE keys and queries of a bias, or fewer blocks.
extern "C" __global__ void __launch_bounds__(256) attention_bias(Attention s, DZ_OPERANDS, DZ_SAVED, T *out) {
  const Operands x = DZ_ALL;
  __shared__ Tiles<1> tiles;
  const i64 rows = (s.queries + SIDE - 1) / SIDE, columns = (s.keys + SIDE - 1) / SIDE;
  for (i64 task = blockIdx.x; task < s.biases * rows * columns; task += gridDim.x) {
    const i64 number = task / rows / columns;
    T sum[PACK][PACK] = {};
    Tile tile = {0, task % rows * SIDE, task / rows % columns * SIDE, s.keys};
    for (tile.head = number; tile.head < s.heads; tile.head += s.biases) {
      if (tile.key >= seen(s, min(tile.query + SIDE, s.queries) - 1, s.keys)) break;
      T p[PACK][PACK], d[PACK][PACK];
      slopes(s, x, tile, Head(s, x, tile.head, s.keys), p, d, tiles);
      for (int i = 0; i < PACK; i++)
        for (int j = 0; j < PACK; j++) sum[i][j] += d[i][j];
    }
    for (int j = 0; j < PACK; j++)
      for (int i = 0; i < PACK; i++)
        if (tile.row(i) < s.queries && tile.column(j) < s.keys)
          out[(number * s.keys + tile.column(j)) * s.queries + tile.row(i)] = sum[i][j];
  }
}
