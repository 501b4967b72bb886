// Normalisation of rows to mean 0 and variance 1, and its derivatives.
//
// With x̂ = r·(x − m − d), r = 1/√(v + ε): y = γ·x̂ + β and dx̂ = r·(dx − mean(dx) − x̂·mean(x̂·dx)), a symmetric map: see
// autodiff-core/src/kernel/norm.rs, with the sources. m + d is the mean: d is what rounding took from m, where the mean is large.
//
// A group of threads has a row: see row.cuh. Entry i of row r has the channel (r mod groups)·per_group + i/inner.
// All operands are dense. All kernels: blocks of 256 threads, any grid.

__device__ inline bool is_in(int k, int lane, int width) { return place(k, lane) < width; }

// Σ f(x) of a row over its group.
template <typename F> __device__ inline T sum_row(const T *v, const T *row, int width, int lane, F f) {
  T sum = T(0);
  if (PER == 0) each(row, 1, row, 1, width, lane, [&](int, T x, T) { sum += f(x); });
  else {
    DZ_KEPT(k) if (is_in(k, lane, width)) sum += f(v[k]);
  }
  return sum_of_lanes(sum, GROUP);
}

// The number of a channel for an entry of a row.
struct Channels {
  i64 first;
  int inner;
  __device__ Channels(i64 row, int groups, int per_group, int inner) : first(row % groups * per_group), inner(inner) {}
  __device__ i64 of(int i) const { return first + (inner == 1 ? i : int(u32(i) / u32(inner))); }
};

// `stats` gets m, d and r of each row.
extern "C" __global__ void __launch_bounds__(256) norm_rows(const T *x, const T *scale, const T *shift, T *out, T *stats, i64 rows,
                                                       int width, int groups, int per_group, int inner, double eps,
                                                       int centred) {
  const int lane = lane_of();
  const T n = T(width);
  DZ_ROWS(row, rows) {
    const bool is = row < rows;
    const int w = is ? width : 0;
    const T *from = x + (is ? row * width : 0);
    T v[KEPT];
    load(v, from, 1, w, lane, T(0));
    T mean = T(0), rest = T(0);
    if (centred) mean = sum_row(v, from, w, lane, [](T x) { return x; }) / n;
    T variance = sum_row(v, from, w, lane, [=](T x) { return (x - mean) * (x - mean); }) / n;
    const bool large = centred && T(fabs(mean)) > T(8) * T(sqrt(variance));
    // Threads of a warp add up together, so all of them take this way if one has to.
    if (GROUP < 32 ? __any_sync(DZ_WARP, large) : large) {
      const T near = mean + sum_row(v, from, w, lane, [=](T x) { return x - mean; }) / n;
      const T off = sum_row(v, from, w, lane, [=](T x) { return x - near; }) / n;
      const T exact = sum_row(v, from, w, lane, [=](T x) { return (x - near - off) * (x - near - off); }) / n;
      if (large) mean = near, rest = off, variance = exact;
    }
    const T r = T(1) / T(sqrt(variance + T(eps)));
    if (!is) continue;
    if (lane == 0) {
      stats[3 * row] = mean;
      stats[3 * row + 1] = rest;
      stats[3 * row + 2] = r;
    }
    const Channels channels(row, groups, per_group, inner);
    const auto normal = [=](int i, T x, T) {
      const i64 c = channels.of(i);
      return (x - mean - rest) * r * scale[c] + shift[c];
    };
    if (PER == 0) {
      rewrite(out + row * width, from, 1, from, 1, w, lane, false, normal);
    } else {
      DZ_KEPT(k) if (is_in(k, lane, w)) v[k] = normal(place(k, lane), v[k], T(0));
      store(out + row * width, v, w, lane, false);
    }
  }
}

// `out` becomes the cotangent of x: the differential of t·γ; without `scale`, of t. `sums`, if it is there, gets a row of 2·width
// numbers for each block: Σ t·x̂ and Σ t over the block's rows. It is for PER > 0, one group and inner = 1.
extern "C" __global__ void __launch_bounds__(256) norm_pull(const T *x, const T *stats, const T *scale, const T *t, T *out,
                                                            T *sums, i64 rows, int width, int groups, int per_group, int inner,
                                                            int centred) {
  const int lane = lane_of();
  const T n = T(width);
  T by_hat[KEPT], plain[KEPT];
  DZ_KEPT(k) by_hat[k] = plain[k] = T(0);
  DZ_ROWS(row, rows) {
    const bool is = row < rows;
    const int w = is ? width : 0;
    const T *from = x + (is ? row * width : 0), *ts = t + (is ? row * width : 0);
    const T mean = is ? stats[3 * row] : T(0), rest = is ? stats[3 * row + 1] : T(0), r = is ? stats[3 * row + 2] : T(0);
    const Channels channels(row, groups, per_group, inner);
    const auto scaled = [=](int i, T t) { return scale ? t * scale[channels.of(i)] : t; };
    const auto hat = [=](T x) { return (x - mean - rest) * r; };
    T v[KEPT], g[KEPT], sum = T(0), along = T(0);
    if (PER == 0) {
      each(from, 1, ts, 1, w, lane, [&](int i, T x, T t) {
        const T g = scaled(i, t);
        sum += g;
        along += hat(x) * g;
      });
    } else {
      load(v, from, 1, w, lane, T(0));
      load(g, ts, 1, w, lane, T(0));
      DZ_KEPT(k) {
        if (!is_in(k, lane, w)) continue;
        v[k] = hat(v[k]);
        if (sums) {
          by_hat[k] += v[k] * g[k];
          plain[k] += g[k];
        }
        g[k] = scaled(place(k, lane), g[k]);
        sum += g[k];
        along += v[k] * g[k];
      }
    }
    const T middle = centred ? T(sum_of_lanes(sum, GROUP) / n) : T(0);
    const T slope = sum_of_lanes(along, GROUP) / n;
    if (!is) continue;
    if (PER == 0) {
      rewrite(out + row * width, from, 1, ts, 1, w, lane, false,
              [=](int i, T x, T t) { return r * (scaled(i, t) - middle - hat(x) * slope); });
    } else {
      DZ_KEPT(k) v[k] = r * (g[k] - middle - v[k] * slope);
      store(out + row * width, v, w, lane, false);
    }
  }
  if (!sums) return;
  __shared__ T of_block[2][256];
  const int thread = threadIdx.x;
  DZ_KEPT(k) {
    __syncthreads();
    of_block[0][thread] = by_hat[k];
    of_block[1][thread] = plain[k];
    __syncthreads();
    for (int two = thread; two < 2 * GROUP; two += 256) {
      const int which = two / GROUP, l = two % GROUP, i = place(k, l);
      T sum = T(0);
      for (int group = 0; group < 256 / GROUP; group++) sum += of_block[which][group * GROUP + l];
      if (i < width) sums[i64(blockIdx.x) * 2 * width + which * width + i] = sum;
    }
  }
}

// Adds the sums of blocks in their order: columns of `blocks` rows of 2·width numbers. A block takes 32 columns.
extern "C" __global__ void __launch_bounds__(256) norm_sums(const T *sums, int blocks, int width, T *d_scale, T *d_shift) {
  __shared__ T part[8][32];
  const int column = threadIdx.x % 32, row = threadIdx.x / 32;
  for (i64 tile = i64(blockIdx.x) * 32; tile < 2 * i64(width); tile += i64(gridDim.x) * 32) {
    const i64 i = tile + column;
    T sum = T(0);
    if (i < 2 * i64(width))
      for (int b = row; b < blocks; b += 8) sum += sums[b * 2 * i64(width) + i];
    part[row][column] = sum;
    __syncthreads();
    if (row == 0 && i < 2 * i64(width)) {
      for (int k = 1; k < 8; k++) sum += part[k][column];
      (i < width ? d_scale : d_shift)[i < width ? i : i - width] = sum;
    }
    __syncthreads();
  }
}
