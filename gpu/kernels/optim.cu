// Steps of optimisers, and what clipping needs: one pass over the data each. T is float or double.
//
// Kernels take up to 48 tensors at once, by tables of pointers that come by value. A tensor is cut into chunks of 4096
// elements; blocks of 256 threads take chunk after chunk, in pieces of 16 bytes where all pointers of a tensor allow it. The
// formulas are those of autodiff-core/src/kernel/optim.rs.
//
// The numbers of a step come by value. `factor` is null, or a number that gradients are multiplied by as they are read.

#define MOST 48
#define CHUNK 4096

// `Tensors` in autodiff-core/src/device/cuda/optim.rs: dense tensors with K pointers each. chunk[k] counts the chunks before
// tensor k; there are `count` tensors.
template <int K> struct Tensors {
  u32 count, unused;
  u32 chunk[MOST + 2];
  i64 len[MOST];
  T *at[K][MOST];
};

// Sixteen bytes.
#define WIDTH (16 / sizeof(T))
struct __align__(16) Pack { T x[WIDTH]; };

// A chunk of a tensor: its operands, read and written in packs.
template <int K> struct Part {
  T *x[K];
  u32 len;
  bool wide;
  __device__ Part(const Tensors<K> &all, u32 chunk) {
    u32 low = 0, high = all.count;  // the last tensor that begins at the chunk or before
    while (high - low > 1) {
      const u32 middle = (low + high) / 2;
      if (all.chunk[middle] <= chunk) low = middle;
      else high = middle;
    }
    const i64 first = i64(chunk - all.chunk[low]) * CHUNK, left = all.len[low] - first;
    len = u32(left < CHUNK ? left : CHUNK);
    u64 bits = 0;
    for (int k = 0; k < K; k++) {
      x[k] = all.at[k][low] + first;
      bits |= u64(x[k]);
    }
    wide = bits % 16 == 0;
  }
  // Up to WIDTH elements of an operand from i on.
  __device__ Pack read(int k, u32 i) const {
    Pack p;
    if (wide && i + WIDTH <= len) return *(const Pack *)(x[k] + i);
    for (u32 e = 0; e < WIDTH; e++) p.x[e] = i + e < len ? x[k][i + e] : T(0);
    return p;
  }
  __device__ void write(int k, u32 i, const Pack &p) const {
    if (wide && i + WIDTH <= len) {
      *(Pack *)(x[k] + i) = p;
      return;
    }
    for (u32 e = 0; e < WIDTH; e++) if (i + e < len) x[k][i + e] = p.x[e];
  }
};

// The chunks of a block, the positions of a thread in a chunk.
#define DZ_CHUNKS(K, all)                                                                        \
  for (u32 chunk = blockIdx.x; chunk < (all).chunk[(all).count]; chunk += gridDim.x)             \
    for (Part<K> part((all), chunk), *once = &part; once; once = 0)                              \
      _Pragma("unroll 2") for (u32 i = threadIdx.x * WIDTH; i < part.len; i += blockDim.x * WIDTH)

// A step of stochastic gradient descent, `SgdStep`.
struct Sgd { double lr, decay, momentum, fresh, nesterov; };

// p = p - lr (g + decay p). Operands: parameters, gradients. One block for each chunk, or fewer.
extern "C" __global__ void __launch_bounds__(256) sgd(Sgd given, const double *factor,
                                                      Tensors<2> all) {
  const T lr = T(given.lr), decay = T(given.decay), scale = factor ? T(*factor) : T(1);
  DZ_CHUNKS(2, all) {
    Pack p = part.read(0, i);
    const Pack g = part.read(1, i);
    for (u32 e = 0; e < WIDTH; e++) p.x[e] = p.x[e] - lr * (scale * g.x[e] + decay * p.x[e]);
    part.write(0, i, p);
  }
}

// With momentum. Operands: parameters, gradients, velocities.
extern "C" __global__ void __launch_bounds__(256) sgd_momentum(Sgd given, const double *factor,
                                                               Tensors<3> all) {
  const T lr = T(given.lr), decay = T(given.decay), scale = factor ? T(*factor) : T(1);
  const T mu = T(given.momentum), fresh = T(given.fresh);
  const bool nesterov = given.nesterov != 0;
  DZ_CHUNKS(3, all) {
    Pack p = part.read(0, i), v = part.read(2, i);
    const Pack gradient = part.read(1, i);
    for (u32 e = 0; e < WIDTH; e++) {
      const T g = scale * gradient.x[e] + decay * p.x[e];
      v.x[e] = mu * v.x[e] + fresh * g;
      p.x[e] = p.x[e] - lr * (nesterov ? g + mu * v.x[e] : v.x[e]);
    }
    part.write(0, i, p);
    part.write(2, i, v);
  }
}

// A step of Adam or AdamW, `AdamStep`, with the corrections folded into `rate` and `root`.
struct Adam { double rate, root, eps, b1, b2, d1, d2, coupled, keep; };

// m = b1 m + d1 g, v = b2 v + d2 g g, p = keep p - rate m / (sqrt(v) root + eps), with g + coupled p in the place of g.
// Operands: parameters, gradients, first and second moments. One block for each chunk, or fewer.
extern "C" __global__ void __launch_bounds__(256) adam(Adam given, const double *factor,
                                                       Tensors<4> all) {
  const T rate = T(given.rate), root = T(given.root), eps = T(given.eps), b1 = T(given.b1), b2 = T(given.b2);
  const T d1 = T(given.d1), d2 = T(given.d2), coupled = T(given.coupled), keep = T(given.keep);
  const T scale = factor ? T(*factor) : T(1);
  DZ_CHUNKS(4, all) {
    Pack p = part.read(0, i), m = part.read(2, i), v = part.read(3, i);
    const Pack gradient = part.read(1, i);
    for (u32 e = 0; e < WIDTH; e++) {
      const T g = scale * gradient.x[e] + coupled * p.x[e];
      m.x[e] = b1 * m.x[e] + d1 * g;
      v.x[e] = b2 * v.x[e] + d2 * g * g;
      p.x[e] = keep * p.x[e] - rate * m.x[e] / (sqrt(v.x[e]) * root + eps);
    }
    part.write(0, i, p);
    part.write(2, i, m);
    part.write(3, i, v);
  }
}

// The sum over 256 threads, in a fixed order; thread 0 has it.
__device__ inline double sum_of_block(double x, double *part) {
  part[threadIdx.x] = x;
  for (u32 half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  return part[0];
}

// The sum of the squares that each block meets: sums[block]. It depends on the number of blocks, not on how they run. Any
// number of blocks of 256 threads.
extern "C" __global__ void squares(double *sums, Tensors<1> all) {
  __shared__ double of_thread[256];
  double sum = 0;
  DZ_CHUNKS(1, all) {
    const Pack p = part.read(0, i);
    for (u32 e = 0; e < WIDTH; e++) sum += double(p.x[e]) * double(p.x[e]);
  }
  sum = sum_of_block(sum, of_thread);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// out = the sum of `count` numbers. One block of 256 threads.
extern "C" __global__ void squares_sum(const double *sums, i64 count, double *out) {
  __shared__ double of_thread[256];
  if (blockIdx.x != 0) return;
  double sum = 0;
  for (i64 i = threadIdx.x; i < count; i += 256) sum += sums[i];
  sum = sum_of_block(sum, of_thread);
  if (threadIdx.x == 0) *out = sum;
}

// What a gradient of this norm is multiplied by to have one of at most `most`: the smaller of 1 and most / norm, and 1 where
// the norm is not finite. One thread.
extern "C" __global__ void clip_factor(const double *norm, double most, double *factor) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  *factor = *norm < double(INFINITY) && *norm > most ? most / *norm : 1.0;
}
