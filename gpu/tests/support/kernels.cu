extern "C" __global__ void saxpy(float a, const float* x, float* y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
extern "C" __global__ void add_to(float* y, const float* x, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += *x;
}
// A sum in two stages: shared memory, barriers, shuffles.
extern "C" __global__ void __launch_bounds__(256) block_sums(const float* x, float* sums, unsigned n) {
  __shared__ float part[8];
  float s = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
  for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.0f;
    for (int o = 4; o; o >>= 1) s += __shfl_down_sync(0xffffffffu, s, o);
    if (threadIdx.x == 0) sums[blockIdx.x] = s;
  }
}
// Memory of the launch, and the same without its barrier.
extern "C" __global__ void reverse(float* x, unsigned n) {
  extern __shared__ float tile[];
  unsigned t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  x[t] = tile[n - 1 - t];
}
extern "C" __global__ void reverse_without_barrier(float* x, unsigned n) {
  extern __shared__ float tile[];
  unsigned t = threadIdx.x;
  tile[t] = x[t];
  x[t] = tile[n - 1 - t];
}
extern "C" __global__ void barrier_in_a_branch(float* x) {
  if (threadIdx.x < 7) __syncthreads();
  else x[threadIdx.x] = __shfl_xor_sync(~0u, x[0], 1);
}
extern "C" __global__ void two_barriers(float* x) {
  if (threadIdx.x < 7) __syncthreads();
  else {
    __syncthreads();
  }
}
extern "C" __global__ void behind(float* x, unsigned n) { x[n + threadIdx.x] = 1.0f; }
extern "C" __global__ void in_front(float* x) { x[-1] = 1.0f; }
extern "C" __global__ void unwritten_shared(float* x) {
  __shared__ float s[32];
  x[threadIdx.x] = s[threadIdx.x];
}
// Rows of a table: an index out of range is reported, and the row is that of another.
extern "C" __global__ void gather(const float* x, const long long* index, float* y, unsigned n, unsigned rows, Fault* f) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[checked(f, 7, i, index[i], rows)];
}
// Sizes by value.
struct Layout { unsigned rank; unsigned size[6]; long long step[6]; double scale; };
extern "C" __global__ void strided(const float* x, float* y, const Layout l, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long at = 0;
  unsigned rest = i;
  for (int d = (int)l.rank - 1; d >= 0; d--) { at += rest % l.size[d] * l.step[d]; rest /= l.size[d]; }
  y[i] = x[at] * (float)l.scale;
}
extern "C" __global__ void all_numbers(double* y, unsigned char a, unsigned short b, unsigned c, int d, unsigned long long e, long long f, float g, double h) {
  y[0] = a; y[1] = b; y[2] = c; y[3] = d; y[4] = (double)e; y[5] = (double)f; y[6] = g; y[7] = h;
}
// A step whose rate and count change.
struct Step { float rate; unsigned count; };
extern "C" __global__ void descend(float* p, const float* g, const Step* s, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] -= s->rate * g[i] + (float)s->count;
}
// Shared memory in functions and templates, and what a warp or a block does together.
template <class T> __device__ T block_sum(T x) {
  __shared__ T part[64];
  part[threadIdx.x] = x;
  __syncthreads();
  T sum = 0;
  for (unsigned i = 0; i < blockDim.x; i++) sum += part[i];
  __syncthreads();
  return sum;
}
__device__ inline unsigned first_of_block(unsigned x) {
  __shared__ unsigned first;
  if (threadIdx.x == 0) first = x;
  __syncthreads();
  return first;
}
extern "C" __global__ void together(unsigned* y) {
  unsigned t = threadIdx.x, sum = block_sum(t), first = first_of_block(t + 5);
  float mean = block_sum((float)t) / (float)blockDim.x;
  int any = __syncthreads_or(t == 63), count = __syncthreads_count(t < 10), all = __syncthreads_and(t < 64);
  unsigned odd = __ballot_sync(~0u, t & 1), low = 0;
  if (t % 32 < 8) low = __ballot_sync(0xffu, 1) + __shfl_sync(0xffu, t % 32, 3);
  unsigned same = __match_any_sync(~0u, t / 16), up = __shfl_up_sync(~0u, t, 1), half = __shfl_xor_sync(~0u, t, 8, 16);
  atomicAdd(&y[15], 1); atomicMax(&y[14], t);
  if (t == 33) {
    y[0] = sum; y[1] = first; y[2] = (unsigned)(2 * mean); y[3] = any; y[4] = count; y[5] = all; y[6] = odd; y[8] = same; y[9] = up; y[10] = half;
    y[7] = low; y[11] = min(7u, t); y[12] = __popc(odd); y[13] = __clz(1);
  }
}
