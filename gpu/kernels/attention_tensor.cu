// As attention.cu, by tensor cores: see attention_tensor.cuh.

// `out` (heads, queries, WIDTH) and `stats` (heads, queries, 2): the shift of a row and the inverse of its sum. Blocks of 128 threads,
// one for each 64 queries of a head, or fewer.
extern "C" __global__ void __launch_bounds__(128)
    attention_tensor(DZ_BY_VALUE Attention s, DZ_OPERANDS, T *out, T *stats) {
  __shared__ u32 straight_words[TILE * PITCH / 2];
  u16 *straight = (u16 *)straight_words;
  __shared__ u32 turned_words[WIDTH * TURNED / 2];
  u16 *turned = (u16 *)turned_words;
  const Mask mask = {visible, bias, lengths};
  const Lane lane;
  const i64 tiles = (s.queries + ROWS - 1) / ROWS;
  for (i64 task = blockIdx.x; task < s.heads * tiles; task += gridDim.x) {
    // Later queries see more keys, so they begin first.
    const i64 head = task / tiles, first = (tiles - 1 - task % tiles) * ROWS;
    const i64 count = keys_of(s, mask, head), end = seen(s, min(first + ROWS, s.queries) - 1, count);
    const Matrix keys = matrix(k, s.k, head / s.group, end, WIDTH), values = matrix(v, s.v, head / s.group, end, WIDTH);
    u32 a[STEPS][4];
    left(a, matrix(q, s.q, head, s.queries, WIDTH), first, lane);
    float y[COLUMNS][4] = {}, most[2] = {-INFINITY, -INFINITY}, sum[2] = {0.0f, 0.0f};
    i64 sees[2];
    for (int h = 0; h < 2; h++) sees[h] = seen(s, first + lane.row + lane.g + h * 8, count);
    for (i64 key = 0; key < end; key += TILE) {
      __syncthreads();
      load(keys, key, straight, 0);
      load(values, key, 0, turned);
      __syncthreads();
      float x[MET][4] = {};
      by_rows(x, a, straight, lane);
#pragma unroll
      for (int h = 0; h < 2; h++) {
        float m = most[h];
#pragma unroll
        for (int n = 0; n < MET; n++)
#pragma unroll
          for (int e = 2 * h; e < 2 * h + 2; e++) {
            const bool is_seen = key + n * 8 + lane.t * 2 + (e & 1) < sees[h];
            x[n][e] = is_seen ? x[n][e] * float(s.scale) : -INFINITY;
            m = x[n][e] > m ? x[n][e] : m;
          }
        for (int o = 1; o < 4; o *= 2) {
          const float other = __shfl_xor_sync(0xffffffffu, m, o);
          m = other > m ? other : m;
        }
        const float shift = m == -INFINITY ? 0.0f : m, factor = most[h] == m ? 1.0f : exp(most[h] - shift);
        float added = 0.0f;
#pragma unroll
        for (int n = 0; n < MET; n++)
#pragma unroll
          for (int e = 2 * h; e < 2 * h + 2; e++) added += x[n][e] = exp(x[n][e] - shift);
        most[h] = m;
        sum[h] = sum[h] * factor + added;
#pragma unroll
        for (int n = 0; n < COLUMNS; n++) y[n][2 * h] *= factor, y[n][2 * h + 1] *= factor;
      }
      by_columns(y, x, turned, lane);
    }
    float factor[2];
    for (int h = 0; h < 2; h++) {
      for (int o = 1; o < 4; o *= 2) sum[h] += __shfl_xor_sync(0xffffffffu, sum[h], o);
      factor[h] = sum[h] == 0.0f ? 0.0f : 1.0f / sum[h];
      const i64 row = first + lane.row + lane.g + h * 8;
      if (lane.t == 0 && row < s.queries) {
        T *of = stats + 2 * (head * s.queries + row);
        of[0] = most[h] == -INFINITY ? 0.0f : most[h];
        of[1] = factor[h];
      }
    }
    write(out + head * s.queries * WIDTH, first, s.queries, y, factor, lane);
  }
}
