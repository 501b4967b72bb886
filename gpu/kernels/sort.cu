// Positions in the order of the elements of each row: T is the type of the elements. Stands behind `order.cuh`.
//
// What is sorted are whole numbers in the order of the elements, as in autodiff-core/src/kernel/sort.rs: NaN is the largest,
// -0 and 0 are equal, and equal elements keep their order. Rows of up to 2048 are sorted within a block, several short ones
// together; the keys of longer ones go to `radix.cu`.

template <typename A> struct KeyOf {  // whole numbers of less than 64 bits, truth values
  typedef u32 Key;
  static __device__ u32 of(A x) { return u32(x); }
};
template <> struct KeyOf<float> {
  typedef u32 Key;
  static __device__ u32 of(float x) {
    if (x != x) return ~0u;
    const u32 bits = x == 0.0f ? 0u : DZ_BITS_OF_FLOAT(x);
    return bits ^ (bits >> 31 ? ~0u : 1u << 31);
  }
};
template <> struct KeyOf<bf16> : KeyOf<float> {};
template <> struct KeyOf<f16> : KeyOf<float> {};
template <> struct KeyOf<double> {
  typedef u64 Key;
  static __device__ u64 of(double x) {
    if (x != x) return ~u64(0);
    const u64 bits = x == 0.0 ? 0 : u64(__double_as_longlong(x));
    return bits ^ (bits >> 63 ? ~u64(0) : u64(1) << 63);
  }
};
template <> struct KeyOf<i64> {
  typedef u64 Key;
  static __device__ u64 of(i64 x) { return u64(x) ^ u64(1) << 63; }
};
typedef KeyOf<T>::Key K;

__device__ inline K key_of(T x, bool descending) { return descending ? ~KeyOf<T>::of(x) : KeyOf<T>::of(x); }

// A key with its position: together in 64 bits where both have 32.
template <typename A> struct Item {
  A key;
  u32 at;
  __device__ bool operator<(const Item &b) const { return key < b.key || (key == b.key && at < b.at); }
  static __device__ Item of(A key, u32 at) { Item item; item.key = key; item.at = at; return item; }
  __device__ u32 position() const { return at; }
};
template <> struct Item<u32> {
  u64 both;
  __device__ bool operator<(const Item &b) const { return both < b.both; }
  static __device__ Item of(u32 key, u32 at) { Item item; item.both = u64(key) << 32 | at; return item; }
  __device__ u32 position() const { return u32(both); }
};

// The first `keep` positions of each row of `width` elements, `step` apart; the nest has the beginnings of the rows. `piece`
// is a power of two not below `width`, at least 2; a block takes `chunk` items, a multiple of it and a power of two up to 2048.
// One block for each chunk / piece rows; 256 threads.
extern "C" __global__ void sort_rows(const T *x, i64 *out, i64 width, i64 step, i64 keep, u32 piece, u32 chunk,
                                     bool descending, DZ_BY_VALUE Nest<1> nest) {
  __shared__ Item<K> item[2048];
  const u32 together = chunk / piece;
  for (i64 first = i64(blockIdx.x) * together; first < nest.len; first += i64(gridDim.x) * together) {
    for (u32 i = threadIdx.x; i < chunk; i += blockDim.x) {
      const i64 row = first + i / piece;
      const u32 at = i & (piece - 1);
      const bool is = row < nest.len && at < width;
      item[i] = Item<K>::of(is ? key_of(x[nest.at(0, row) + at * step], descending) : ~K(0), at);
    }
    DZ_SORT(item, chunk, piece);
    for (u32 i = threadIdx.x; i < chunk; i += blockDim.x) {
      const i64 row = first + i / piece;
      const u32 at = i & (piece - 1);
      if (row < nest.len && at < keep) out[row * keep + at] = i64(item[i].position());
    }
    __syncthreads();
  }
}

// The keys of all elements in row-major order. One thread for each.
extern "C" __global__ void sort_keys(const T *x, K *keys, bool descending, DZ_BY_VALUE Nest<1> nest) {
  DZ_FOR(i, nest.len) keys[i] = key_of(x[nest.at(0, i)], descending);
}

// out[row, i] = positions[row, i] for the first `keep` of each `width`. One thread for each of `len` results.
extern "C" __global__ void sort_first(const u32 *positions, i64 *out, i64 len, i64 width, i64 keep) {
  DZ_FOR(i, len) {
    const i64 row = keep == width ? 0 : i / keep;
    out[i] = i64(positions[i + row * (width - keep)]);
  }
}
