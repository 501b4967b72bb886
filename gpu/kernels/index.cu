// Elements picked by number, and the reverse: gather, select_axis, take_along; scatter_add, add_axis, add_along; put_along.
// T is the type of the elements, U that of the numbers. Stands behind `order.cuh`.
//
// Tensors are seen as outer x n x inner, where n is the size of the axis that the numbers count; the other side has
// outer x count x inner, and a number for each of count, or for each element.
//
// Sums are exact copies of sequential ones: what goes to one element is added by one thread (or by the threads of a warp one
// after the other), in the order of i. Numbers for whole entries are sorted first, with their positions, and then each
// stretch of equal ones belongs to one thread for each column. Numbers for single elements are handled in one pass where
// there are many lines along the axis, and sorted where there are few.
//
// A number out of range is reported, and the nearest inside is taken.

// Quotients of positions are of 32 bits where both numbers are.
__device__ inline i64 quotient(i64 a, i64 b) { return (a | b) >> 32 ? a / b : i64(u32(a) / u32(b)); }

// A number as a position below n. It is that of element i; `inner` elements share each of `count` numbers.
__device__ inline i64 inside(Fault *f, u32 operation, i64 i, i64 inner, i64 count, i64 found, i64 n) {
  if (found >= 0 && found < n) return found;
  fault(f, operation, u32(i / inner % count), found, n);
  return found < 0 ? 0 : n - 1;
}

// Reports the first number where the axis has no entry at all. One thread.
extern "C" __global__ void refuse(u32 operation, const U *index, Fault *f) {
  if (blockIdx.x == 0 && threadIdx.x == 0) fault(f, operation, 0, i64(*index), 0);
}

// out[i] = x[.., number, ..] for any layout of x and the numbers. The nest has the sizes of `out`, which is dense; in it x
// stands at entry 0 of the axis, whose stride is `step`. One thread for each element.
extern "C" __global__ void pick(u32 operation, const U *index, const T *x, T *out, i64 n, i64 step, i64 inner, i64 count,
                                Fault *f, DZ_BY_VALUE Nest<2> nest) {
  DZ_FOR(i, nest.len) {
    const i64 p = inside(f, operation, i, inner, count, i64(index[nest.at(0, i)]), n);
    out[i] = x[nest.at(1, i) + p * step];
  }
}

struct __align__(16) Wide { u32 word[4]; };

// The same for entries that are neighbours in memory, in pieces of 16 bytes: `inner`, `step` and `outer_step` count pieces,
// and all addresses are multiples of 16. `len` is outer * count * inner. One thread for each piece.
extern "C" __global__ void pick_entries(u32 operation, const U *index, i64 index_step, const Wide *x, Wide *out, i64 len,
                                        i64 n, i64 count, i64 inner, i64 step, i64 outer_step, Fault *f) {
  DZ_FOR(i, len) {
    const i64 row = quotient(i, inner), o = quotient(row, count);
    const i64 p = inside(f, operation, i, inner, count, i64(index[(row - o * count) * index_step]), n);
    out[i] = x[o * outer_step + p * step + (i - row * inner)];
  }
}

// out[o, number[o, i, j], j] += x[o, i, j], all dense. One thread for each line (o, j), of which there are `lines`.
extern "C" __global__ void add_lines(u32 operation, const U *index, const T *x, T *out, i64 lines, i64 n, i64 count,
                                     i64 inner, Fault *f) {
  const i64 len = quotient(lines, inner) * count * inner;
  DZ_FOR(line, lines) {
    const i64 o = quotient(line, inner), j = line - o * inner;
    T *to = out + (o * n * inner + j);
    i64 at = o * count * inner + j;
    i64 left = count;
    for (; left >= 4; left -= 4) {
      i64 p[4];
      T value[4];
      for (int k = 0; k < 4; k++, at += inner) {
        p[k] = inside(f, operation, at, 1, len, i64(index[at]), n);
        value[k] = x[at];
      }
      for (int k = 0; k < 4; k++) to[p[k] * inner] = to[p[k] * inner] + value[k];
    }
    for (; left > 0; left--, at += inner) {
      const i64 p = inside(f, operation, at, 1, len, i64(index[at]), n);
      to[p * inner] = to[p * inner] + x[at];
    }
  }
}

// The same for inner 1: one warp for each of `rows` lines; blocks of 256 threads. Of 32 neighbours those that go to the same
// element take turns, in their order.
extern "C" __global__ void add_rows(u32 operation, const U *index, const T *x, T *out, i64 rows, i64 n, i64 count, Fault *f) {
  const u32 lane = threadIdx.x % 32;
  const i64 len = rows * count;
  for (i64 row = i64(blockIdx.x) * 8 + threadIdx.x / 32; row < rows; row += i64(gridDim.x) * 8) {
    for (i64 first = 0; first < count; first += 32) {
      const bool active = first + lane < count;
      const i64 at = row * count + first + lane;
      i64 p = -1 - i64(lane);
      T value = T(0);
      if (active) {
        p = inside(f, operation, at, 1, len, i64(index[at]), n);
        value = x[at];
      }
      const u32 same = __match_any_sync(~0u, u64(p));
      const u32 turn = __popc(same & ((1u << lane) - 1));
      for (u32 now = 0; __any_sync(~0u, active && turn >= now); now++) {
        if (active && turn == now) out[row * n + p] = out[row * n + p] + value;
        __syncwarp();
      }
    }
  }
}

// The element of outer x n x inner, both dense, that number p of element i of outer x count x inner names.
__device__ inline i64 target(i64 i, i64 p, i64 n, i64 count, i64 inner) {
  const i64 row = quotient(i, inner), o = quotient(row, count);
  return (o * n + p) * inner + (i - row * inner);
}

// What is sorted: keys[i] = the element that number i names; fewer than 2^32 elements on both sides. One
// thread for each of `len` numbers.
extern "C" __global__ void targets(u32 operation, const U *index, u32 *keys, i64 len, i64 n, i64 count, i64 inner,
                                   Fault *f) {
  DZ_FOR(i, len) {
    const i64 p = inside(f, operation, i, 1, len, i64(index[i]), n);
    keys[i] = u32(target(i, p, n, count, inner));
  }
}

// The same for at most 2048 numbers, and the sort as well: keys and positions in order. `size` is a power of two not below
// their count, and at least 2. One block.
extern "C" __global__ void few_targets(u32 operation, const U *index, u32 *keys, u32 *order, u32 size, i64 len, i64 n,
                                       i64 count, i64 inner, Fault *f) {
  __shared__ u64 item[2048];
  if (blockIdx.x != 0) return;
  for (u32 i = threadIdx.x; i < size; i += blockDim.x) {
    item[i] = ~u64(0);
    if (i >= len) continue;
    const i64 p = inside(f, operation, i, 1, len, i64(index[i]), n);
    item[i] = u64(target(i, p, n, count, inner)) << 32 | i;
  }
  DZ_SORT(item, size, size);
  for (u32 i = threadIdx.x; i < len; i += blockDim.x) {
    keys[i] = u32(item[i] >> 32);
    order[i] = u32(item[i]);
  }
}

// out[o, keys[k], ..] += x[o, order[k], ..] for keys in order. Entries are `inner` neighbours; x has its own steps. `len` is
// outer * count * inner. One thread for each element of x; that at the head of a stretch of equal keys does the work.
extern "C" __global__ void add_stretches(const u32 *keys, const u32 *order, const T *x, T *out, i64 len, i64 n, i64 count,
                                         i64 inner, i64 x_step, i64 x_outer_step) {
  DZ_FOR(i, len) {
    const i64 row = quotient(i, inner), o = quotient(row, count), j = i - row * inner;
    i64 k = row - o * count;
    const u32 key = keys[k];
    if (k > 0 && keys[k - 1] == key) continue;
    const T *from = x + (o * x_outer_step + j);
    T *to = out + ((o * n + key) * inner + j);
    T sum = *to;
    for (bool more = true; more; k += 4) {
      T value[4];
      bool is[4];
      for (int u = 0; u < 4; u++) {
        is[u] = k + u < count && keys[k + u] == key;
        value[u] = is[u] ? from[i64(order[k + u]) * x_step] : T(0);
      }
      for (int u = 0; u < 4; u++) if (is[u]) sum = sum + value[u];
      more = is[3];
    }
    *to = sum;
  }
}

// owner[o, number, j] = 1 + the largest i whose number it is, of 0 before. Sizes as for add_lines. One thread for each number.
extern "C" __global__ void own(u32 operation, const U *index, u32 *owner, i64 len, i64 n, i64 count, i64 inner,
                               Fault *f) {
  DZ_FOR(i, len) {
    const i64 p = inside(f, operation, i, 1, len, i64(index[i]), n);
    const i64 k = quotient(i, inner) % count;
    atomicMax(&owner[target(i, p, n, count, inner)], u32(k) + 1);
  }
}

// out[o, number[o, i, j], j] = x[o, i, j] for the owners; without `owner` for all, of which no two then have the same target.
extern "C" __global__ void put(u32 operation, const U *index, const u32 *owner, const T *x, T *out, i64 len, i64 n,
                               i64 count, i64 inner, Fault *f) {
  DZ_FOR(i, len) {
    const i64 p = inside(f, operation, i, 1, len, i64(index[i]), n);
    const i64 to = target(i, p, n, count, inner);
    if (!owner || owner[to] == u32(quotient(i, inner) % count) + 1) out[to] = x[i];
  }
}
