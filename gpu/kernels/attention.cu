// Scaled dot-product attention that never stores its scores (online softmax: Milakov & Gimelshein 2018, Rabe & Staats 2021;
// tiles: Dao et al. 2022). The formulas and what hidden rows give are those of
// autodiff-core/src/kernel/attention/mod.rs.
//
// A block of 256 threads computes SIDE rows of the output of one head, and meets the keys in tiles: see attention.cuh. Of values
// wider than DZ_VALUES times SIDE columns, a macro in front of this text, it computes a part, and others the rest.

constexpr int PARTS = DZ_VALUES;

// Reports lengths of keys outside 0 ..= keys. One thread for each.
extern "C" __global__ void check_lengths(const i64 *lengths, i64 count, i64 step, i64 keys, Fault *fault, u32 operation) {
  DZ_FOR(i, count) checked(fault, operation, u32(i), lengths[i * step], keys + 1);
}

// `out` (heads, queries, value_width) and `stats` (heads, queries, 2): the shift of a row and the inverse of its sum. Blocks of 256
// threads, one for each task, or fewer.
extern "C" __global__ void __launch_bounds__(256)
    attention(Attention s, DZ_OPERANDS, T *out, T *stats) {
  const Mask mask = {visible, bias, lengths};
  __shared__ Tiles<PARTS> tiles;
  const Tasks<PARTS> tasks(s);
  for (i64 task = blockIdx.x; task < tasks.count; task += gridDim.x) {
    i64 column;
    Tile tile = tasks.get(s, mask, task, column);
    const i64 end = tasks.end(s, tile);
    const Matrix rows = matrix(q, s.q, tile.head, s.queries, s.width);
    const Matrix keys = matrix(k, s.k, tile.head / s.group, end, s.width);
    const Matrix values = matrix(v, s.v, tile.head / s.group, end, s.value_width);
    T most[PACK], sum[PACK], y[PACK][PARTS * PACK] = {};
    for (int i = 0; i < PACK; i++) most[i] = T(-INFINITY), sum[i] = T(0);
    for (; tile.key < end; tile.key += SIDE) {
      T x[PACK][PACK] = {};
      multiply(x, rows, tile.query, keys, tile.key, tiles);
      scores(s, tile, mask, x);
#pragma unroll
      for (int i = 0; i < PACK; i++) {
        T m = most[i];
        for (int j = 0; j < PACK; j++) m = x[i][j] > m ? x[i][j] : m;
        for (int o = 8; o > 0; o /= 2) {
          const T other = __shfl_xor_sync(0xffffffffu, m, o);
          m = other > m ? other : m;
        }
        const T shift = m == T(-INFINITY) ? T(0) : m;
        const T factor = most[i] == m ? T(1) : exp(most[i] - shift);
        T added = T(0);
#pragma unroll
        for (int j = 0; j < PACK; j++) {
          x[i][j] = exp(x[i][j] - shift);
          added += x[i][j];
        }
        most[i] = m;
        sum[i] = sum[i] * factor + added;
        if (factor != T(1)) {
#pragma unroll
          for (int n = 0; n < PARTS * PACK; n++) y[i][n] *= factor;
        }
      }
      drop(s, tile, x, x);
      keep(x, false, tiles);
      accumulate<PARTS, PARTS>(y, values, tile.key, column, tiles);
    }
    for (int i = 0; i < PACK; i++) {
      sum[i] = row_sum(sum[i]);
      const i64 row = tile.row(i);
      if (column == 0 && threadIdx.x % 16 == 0 && row < s.queries) {
        T *of = stats + 2 * (tile.head * s.queries + row);
        of[0] = most[i] == T(-INFINITY) ? T(0) : most[i];
        of[1] = sum[i] == T(0) ? T(0) : T(1) / sum[i];
      }
    }
    T *to = out + tile.head * s.queries * s.value_width;
    const Result<PARTS> result = {tile.query, s.queries, column, s.value_width};
    result.each(y, [&](i64 r, i64 c, int i, T value) {
      // Hidden values count for nothing, also where they are not finite.
      to[r * s.value_width + c] = sum[i] == T(0) ? T(0) : value * (T(1) / sum[i]);
    });
  }
}
