// The tangent of attention: see attention.cu, by which the blocks divide the work, and autodiff-core/src/kernel/attention/mod.rs for
// the formulas.

constexpr int PARTS = DZ_VALUES;

// The operands' tangents.
struct Tangents {
  Heads q, k, v, bias;
};

// `out` gets the tangent of the output, of which `y` and `stats` were saved. Blocks as for `attention`.
extern "C" __global__ void __launch_bounds__(256)
    attention_pushforward(Attention s, DZ_OPERANDS, const T *y, const T *stats, Tangents t, const T *t_q, const T *t_k,
                          const T *t_v, const T *t_bias, T *out) {
  const Mask mask = {visible, bias, lengths};
  __shared__ Tiles<PARTS> tiles;
  const Tasks<PARTS> tasks(s);
  for (i64 task = blockIdx.x; task < tasks.count; task += gridDim.x) {
    i64 column;
    Tile tile = tasks.get(s, mask, task, column);
    const i64 end = tasks.end(s, tile), met = tile.head / s.group;
    const Matrix rows = matrix(q, s.q, tile.head, s.queries, s.width), rows_t = matrix(t_q, t.q, tile.head, s.queries, s.width);
    const Matrix keys = matrix(k, s.k, met, end, s.width), keys_t = matrix(t_k, t.k, met, end, s.width);
    const Matrix values = matrix(v, s.v, met, end, s.value_width), values_t = matrix(t_v, t.v, met, end, s.value_width);
    const T *added = t_bias ? t_bias + place_of(t.bias, tile.head) : nullptr;
    T sum[PACK], z[PACK][PARTS * PACK] = {};
    for (int i = 0; i < PACK; i++) sum[i] = T(0);
    for (; tile.key < end; tile.key += SIDE) {
      T p[PACK][PACK] = {}, x[PACK][PACK] = {};
      multiply(p, rows, tile.query, keys, tile.key, tiles);
      weights(s, tile, mask, stats, p);
      multiply(x, rows_t, tile.query, keys, tile.key, tiles);
      multiply(x, rows, tile.query, keys_t, tile.key, tiles);
#pragma unroll
      for (int i = 0; i < PACK; i++)
#pragma unroll
        for (int j = 0; j < PACK; j++) {
          x[i][j] *= T(s.scale);
          if (added && tile.sees(s, i, j)) x[i][j] += added[tile.row(i) * t.bias.row + tile.column(j) * t.bias.column];
          x[i][j] = p[i][j] == T(0) ? T(0) : p[i][j] * x[i][j];
          sum[i] += x[i][j];
        }
      drop(s, tile, p, x);
      keep(x, false, tiles);
      accumulate<PARTS, PARTS>(z, values, tile.key, column, tiles);
      keep(p, false, tiles);
      accumulate<PARTS, PARTS>(z, values_t, tile.key, column, tiles);
    }
    for (int i = 0; i < PACK; i++) sum[i] = row_sum(sum[i]);
    const i64 first = tile.head * s.queries * s.value_width;
    const Result<PARTS> result = {tile.query, s.queries, column, s.value_width};
    result.each(z, [&](i64 r, i64 c, int i, T value) {
      const i64 at = first + r * s.value_width + c;
      out[at] = value - sum[i] * y[at];
    });
  }
}
