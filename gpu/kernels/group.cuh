// What the threads of a group find together, and loads of sixteen bytes.
//
// A group has 1, 2, 4, .. or 32 neighbouring threads of a warp, or the 256 of a block. Threads of a warp exchange their values
// by butterflies, and warps through shared memory in a fixed order, so each thread has the same result, whichever ran first.

#define DZ_WARP 0xffffffffu

// Neighbours that are loaded at once; one alone of elements that do not fill sixteen bytes.
template <typename A> struct alignas(16 % sizeof(A) ? alignof(A) : 16) Pack {
  static const int N = 16 % sizeof(A) ? 1 : 16 / sizeof(A);
  A at[N];
};
template <typename A> __device__ inline bool at_pack(const A *p) { return (u64(p) & (alignof(Pack<A>) - 1)) == 0; }

// The value of the lane whose number differs in these bits.
template <typename S> __device__ inline S other_lane(S s, int bits) {
  union Words {
    S value;
    u32 word[sizeof(S) / 4];
    __device__ Words() {}
  };
  Words mine, found;
  mine.value = s;
  for (int k = 0; k < int(sizeof(S) / 4); k++) found.word[k] = __shfl_xor_sync(DZ_WARP, mine.word[k], bits);
  return found.value;
}

// The values of a group joined. All threads of the warp, or of the block if there are more than 32 lanes, must come here.
template <typename S, typename J> __device__ inline S join_lanes(S s, int lanes, J join) {
  for (int bits = 1; bits < lanes && bits < 32; bits *= 2) s = join(s, other_lane(s, bits));
  if (lanes > 32) {
    __shared__ S of_warps[32];
    const int warps = lanes / 32;
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = s;
    __syncthreads();
    s = of_warps[0];
    for (int k = 1; k < warps; k++) s = join(s, of_warps[k]);
    __syncthreads();
  }
  return s;
}

template <typename A> __device__ inline A sum_of_lanes(A x, int lanes) {
  return join_lanes(x, lanes, [](A a, A b) { return a + b; });
}

// A NaN stays.
template <typename A> __device__ inline A larger(A a, A b) { return b > a || b != b ? b : a; }
template <typename A> __device__ inline A smaller(A a, A b) { return b < a || b != b ? b : a; }

template <typename A> __device__ inline A largest_of_lanes(A x, int lanes) {
  return join_lanes(x, lanes, [](A a, A b) { return larger(a, b); });
}

// Σ exp(x) as exp(m)·s, where m is the largest x until now: Milakov & Gimelshein 2018, "Online normalizer calculation for
// softmax". Of nothing but −∞, s is 0; beside +∞ or NaN, which m then is, s has no meaning. m has no tangents.
template <typename A> struct Exponentials {
  A m, s;
  static __device__ Exponentials none() { return {A(-INFINITY), A(0)}; }
  __device__ void take(A x) {
    if (x == A(-INFINITY)) return;
    const A above = x - m;
    const bool more = above > A(0);
    const A e = exp(more ? m - fixed(x) : above);
    if (more) {
      s = s * e + exp_of_change(x);
      m = fixed(x);
    } else {
      s += e;
    }
    if (x != x) m = fixed(x);
  }
  static __device__ Exponentials join(Exponentials a, Exponentials b) {
    const A m = larger(a.m, b.m);
    if (m == A(-INFINITY)) return a;
    return {m, a.s * exp(a.m - m) + b.s * exp(b.m - m)};
  }
};
