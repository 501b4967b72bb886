// As attention_pullback.cu, by tensor cores: see attention_tensor.cuh. `delta` is that of `attention_deltas`.

#define DZ_SAVED const T *ct, const T *stats, const T *delta

// The cotangents of queries: `out` (heads, queries, WIDTH). Blocks of 128 threads, one for each 64 queries of a head, or fewer.
extern "C" __global__ void __launch_bounds__(128)
    attention_tensor_queries(DZ_BY_VALUE Attention s, DZ_OPERANDS, DZ_SAVED, T *out) {
  __shared__ u32 key_rows_words[TILE * PITCH / 2];
  u16 *key_rows = (u16 *)key_rows_words;
  __shared__ u32 value_rows_words[TILE * PITCH / 2];
  u16 *value_rows = (u16 *)value_rows_words;
  __shared__ u32 turned_words[WIDTH * TURNED / 2];
  u16 *turned = (u16 *)turned_words;
  const Mask mask = {visible, bias, lengths};
  const Lane lane;
  const i64 tiles = (s.queries + ROWS - 1) / ROWS;
  for (i64 task = blockIdx.x; task < s.heads * tiles; task += gridDim.x) {
    const i64 head = task / tiles, first = (tiles - 1 - task % tiles) * ROWS;
    const i64 count = keys_of(s, mask, head), end = seen(s, min(first + ROWS, s.queries) - 1, count);
    const Matrix keys = matrix(k, s.k, head / s.group, end, WIDTH), values = matrix(v, s.v, head / s.group, end, WIDTH);
    u32 a[STEPS][4], b[STEPS][4];
    left(a, matrix(q, s.q, head, s.queries, WIDTH), first, lane);
    left(b, dense(ct, head, s.queries, WIDTH), first, lane);
    float z[COLUMNS][4] = {}, shift[2], inverse[2], less[2];
    i64 sees[2];
    for (int h = 0; h < 2; h++) {
      const i64 row = first + lane.row + lane.g + h * 8, at = head * s.queries + min(row, s.queries - 1);
      shift[h] = stats[2 * at], inverse[h] = stats[2 * at + 1], less[h] = delta[at];
      sees[h] = seen(s, row, count);
    }
    for (i64 key = 0; key < end; key += TILE) {
      __syncthreads();
      load(keys, key, key_rows, turned);
      load(values, key, value_rows, 0);
      __syncthreads();
      float x[MET][4] = {}, d[MET][4] = {};
      by_rows(x, a, key_rows, lane);
      by_rows(d, b, value_rows, lane);
#pragma unroll
      for (int n = 0; n < MET; n++)
#pragma unroll
        for (int e = 0; e < 4; e++) {
          const int h = e / 2;
          const bool is_seen = key + n * 8 + lane.t * 2 + (e & 1) < sees[h];
          const float p = is_seen ? exp(x[n][e] * float(s.scale) - shift[h]) * inverse[h] : 0.0f;
          // A key of weight 0 gets nothing, even where its value is not finite.
          x[n][e] = p == 0.0f ? 0.0f : p * (d[n][e] - less[h]);
        }
      by_columns(z, x, turned, lane);
    }
    const float factor[2] = {float(s.scale), float(s.scale)};
    write(out + head * s.queries * WIDTH, first, s.queries, z, factor, lane);
  }
}

// The cotangents of keys and values: `d_k` and `d_v` (heads / group, keys, WIDTH), each if it is not null. Blocks of 128 threads, one for
// each 64 keys of a head, or fewer.
extern "C" __global__ void __launch_bounds__(128)
    attention_tensor_keys(DZ_BY_VALUE Attention s, DZ_OPERANDS, DZ_SAVED, T *d_k, T *d_v) {
  __shared__ u32 rows_words[TILE * PITCH / 2];
  u16 *rows = (u16 *)rows_words;
  __shared__ u32 turned_words[WIDTH * TURNED / 2];
  u16 *turned = (u16 *)turned_words;
  __shared__ u32 ct_rows_words[TILE * PITCH / 2];
  u16 *ct_rows = (u16 *)ct_rows_words;
  __shared__ u32 ct_turned_words[WIDTH * TURNED / 2];
  u16 *ct_turned = (u16 *)ct_turned_words;
  __shared__ float shift[TILE], inverse[TILE], less[TILE];
  const Mask mask = {visible, bias, lengths};
  const Lane lane;
  const i64 tiles = (s.keys + ROWS - 1) / ROWS, met = s.heads / s.group;
  for (i64 task = blockIdx.x; task < met * tiles; task += gridDim.x) {
    const i64 of = task / tiles, first = task % tiles * ROWS;
    u32 a[STEPS][4], b[STEPS][4];
    left(a, matrix(k, s.k, of, s.keys, WIDTH), first, lane);
    left(b, matrix(v, s.v, of, s.keys, WIDTH), first, lane);
    float by_key[COLUMNS][4] = {}, by_value[COLUMNS][4] = {};
    // The first query that sees one of the keys.
    const i64 begin = s.causal ? max(first - (s.keys - s.queries), i64(0)) / TILE * TILE : 0;
    for (i64 head = of * s.group; head < (of + 1) * s.group; head++) {
      const i64 count = keys_of(s, mask, head);
      const Matrix queries = matrix(q, s.q, head, s.queries, WIDTH), cts = dense(ct, head, s.queries, WIDTH);
      for (i64 query = begin; query < s.queries && first < count; query += TILE) {
        __syncthreads();
        load(queries, query, rows, turned);
        load(cts, query, ct_rows, ct_turned);
        for (int i = threadIdx.x; i < TILE; i += 128) {
          const i64 at = head * s.queries + min(query + i, s.queries - 1);
          shift[i] = stats[2 * at], inverse[i] = stats[2 * at + 1], less[i] = delta[at];
        }
        __syncthreads();
        float x[MET][4] = {}, d[MET][4] = {};
        by_rows(x, a, rows, lane);
        by_rows(d, b, ct_rows, lane);
#pragma unroll
        for (int n = 0; n < MET; n++)
#pragma unroll
          for (int e = 0; e < 4; e++) {
            const int i = n * 8 + lane.t * 2 + (e & 1);
            const i64 key = first + lane.row + lane.g + e / 2 * 8;
            const bool is_seen = query + i < s.queries && key < seen(s, query + i, count);
            const float p = is_seen ? exp(x[n][e] * float(s.scale) - shift[i]) * inverse[i] : 0.0f;
            x[n][e] = p;
            d[n][e] = p == 0.0f ? 0.0f : p * (d[n][e] - less[i]);
          }
        if (d_v) by_columns(by_value, x, ct_turned, lane);
        if (d_k) by_columns(by_key, d, turned, lane);
      }
    }
    const float scale[2] = {float(s.scale), float(s.scale)}, one[2] = {1.0f, 1.0f};
    if (d_k) write(d_k + of * s.keys * WIDTH, first, s.keys, by_key, scale, lane);
    if (d_v) write(d_v + of * s.keys * WIDTH, first, s.keys, by_value, one, lane);
  }
}
