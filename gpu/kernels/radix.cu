// A stable sort of long rows of keys with their positions, 8 bits at a time from the lowest. T is u32 or i64, and its bits are
// the key, without a sign.
//
// Each pass is three launches. Rows are cut into tiles of 2048. `radix_count` counts the digits of each tile, one of the
// `radix_sums` kernels makes of these counts the places where each tile's elements of a digit begin among those of the row,
// and `radix_move` puts a tile in order in shared memory and then copies it, so that neighbours go to neighbours. Where
// elements of a tile stand among those of the same digit is found by votes of a warp (as in CUB, Merrill and Grimshaw 2011), so
// the order does not depend on how threads run.
//
// counts: rows x 256 digits x tiles; totals: rows x 256.

template <int bytes> struct Bits { typedef u32 Type; };
template <> struct Bits<8> { typedef u64 Type; };
typedef Bits<sizeof(T)>::Type K;
#define RADIX_TILE 2048

// Blocks of 256 threads, one for each of `all` tiles; `tiles` are those of a row of `width` keys.
extern "C" __global__ void radix_count(const K *keys, u32 *counts, i64 all, i64 tiles, i64 width, int shift) {
  __shared__ u32 count[256];
  for (i64 tile = blockIdx.x; tile < all; tile += gridDim.x) {
    const i64 row = tile / tiles, at = tile - row * tiles, begin = at * RADIX_TILE;
    const i64 end = begin + RADIX_TILE < width ? begin + RADIX_TILE : width;
    count[threadIdx.x] = 0;
    __syncthreads();
    for (i64 i = begin + threadIdx.x; i < end; i += 256) atomicAdd(&count[u32(keys[row * width + i] >> shift) & 255], 1u);
    __syncthreads();
    counts[(row * 256 + threadIdx.x) * tiles + at] = count[threadIdx.x];
    __syncthreads();
  }
}

// Each of `lists` lists of `tiles` counts becomes the sums of those before; totals get the whole sums. One warp for each list;
// blocks of 256 threads.
extern "C" __global__ void radix_sums(u32 *counts, u32 *totals, i64 lists, i64 tiles) {
  const u32 lane = threadIdx.x % 32;
  for (i64 list = i64(blockIdx.x) * 8 + threadIdx.x / 32; list < lists; list += i64(gridDim.x) * 8) {
    u32 before = 0;
    for (i64 first = 0; first < tiles; first += 32) {
      u32 *at = counts + (list * tiles + first + lane);
      const u32 own = first + lane < tiles ? *at : 0;
      u32 sum = own;
      for (u32 step = 1; step < 32; step *= 2) {
        const u32 other = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += other;
      }
      if (first + lane < tiles) *at = before + sum - own;
      before += __shfl_sync(~0u, sum, 31);
    }
    if (lane == 0) totals[list] = before;
  }
}

// The same with one thread for each list: for few tiles.
extern "C" __global__ void radix_sums_few(u32 *counts, u32 *totals, i64 lists, i64 tiles) {
  DZ_FOR(list, lists) {
    u32 sum = 0;
    for (i64 tile = 0; tile < tiles; tile++) {
      const u32 own = counts[list * tiles + tile];
      counts[list * tiles + tile] = sum;
      sum += own;
    }
    totals[list] = sum;
  }
}

// The sum of `x` of the threads before this one, of 256. `part` has 8 numbers of shared memory, used by nobody else.
__device__ inline u32 sum_before(u32 x, u32 *part) {
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  u32 sum = x;
  for (u32 step = 1; step < 32; step *= 2) {
    const u32 other = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == 31) part[warp] = sum;
  __syncthreads();
  u32 before = 0;
  for (u32 w = 0; w < warp; w++) before += part[w];
  return before + sum - x;
}

// Moves keys and positions; without `values`, those are 0, 1, .. of each row. Blocks of 256 threads, one for each tile.
extern "C" __global__ void __launch_bounds__(256) radix_move(const K *keys, const u32 *values, K *keys_out, u32 *values_out,
                                                             const u32 *counts, const u32 *totals, i64 all, i64 tiles,
                                                             i64 width, int shift) {
  __shared__ K key[RADIX_TILE];
  __shared__ u32 value[RADIX_TILE];
  __shared__ u32 of_warp[8][256];  // how many elements of a digit each warp has, then where they begin
  __shared__ u32 start[256];       // where a digit begins in the tile
  __shared__ u32 base[256];        // and in the row
  __shared__ u32 part[16];
  const u32 t = threadIdx.x, lane = t % 32, warp = t / 32;
  for (i64 tile = blockIdx.x; tile < all; tile += gridDim.x) {
    const i64 row = tile / tiles, at = tile - row * tiles, begin = at * RADIX_TILE;
    const u32 len = u32(width - begin < RADIX_TILE ? width - begin : RADIX_TILE);
    for (u32 w = 0; w < 8; w++) of_warp[w][t] = 0;
    __syncthreads();
    K own[8];
    u32 position[8], rank[8];
    for (u32 r = 0; r < 8; r++) {
      const u32 i = warp * 256 + r * 32 + lane;
      const bool is = i < len;
      own[r] = is ? keys[row * width + begin + i] : K(0);
      position[r] = !is ? 0 : values ? values[row * width + begin + i] : u32(begin + i);
    }
    for (u32 r = 0; r < 8; r++) {
      const bool is = warp * 256 + r * 32 + lane < len;
      const u32 digit = u32(own[r] >> shift) & 255;
      u32 same = __ballot_sync(~0u, is);
      for (u32 b = 0; b < 8; b++) {
        const u32 vote = __ballot_sync(~0u, digit >> b & 1);
        same &= digit >> b & 1 ? vote : ~vote;
      }
      const u32 below = same & ((1u << lane) - 1), before = of_warp[warp][digit];
      rank[r] = before + __popc(below);
      __syncwarp();
      if (is && below == 0) of_warp[warp][digit] = before + __popc(same);
      __syncwarp();
    }
    __syncthreads();
    u32 count = 0;
    for (u32 w = 0; w < 8; w++) {
      const u32 n = of_warp[w][t];
      of_warp[w][t] = count;
      count += n;
    }
    start[t] = sum_before(count, part);
    base[t] = sum_before(totals[row * 256 + t], part + 8) + counts[(row * 256 + t) * tiles + at];
    __syncthreads();
    for (u32 r = 0; r < 8; r++) {
      if (warp * 256 + r * 32 + lane >= len) continue;
      const u32 digit = u32(own[r] >> shift) & 255, to = start[digit] + of_warp[warp][digit] + rank[r];
      key[to] = own[r];
      value[to] = position[r];
    }
    __syncthreads();
    for (u32 i = t; i < len; i += 256) {
      const u32 digit = u32(key[i] >> shift) & 255;
      const i64 to = row * width + (base[digit] + (i - start[digit]));
      keys_out[to] = key[i];
      values_out[to] = value[i];
    }
    __syncthreads();
  }
}
