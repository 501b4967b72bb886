// CUDA C++ for g++: what NVRTC knows without headers. Each CUDA thread is a fiber of the emulator, which switches between
// them at barriers and warp operations only. All state is static: one launch of a module runs at a time.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>
using std::fma; using std::isfinite; using std::isinf; using std::isnan; using std::signbit;
struct uint2 { unsigned x, y; }; struct uint3 { unsigned x, y, z; }; struct alignas(16) uint4 { unsigned x, y, z, w; };
struct int2 { int x, y; }; struct alignas(16) int4 { int x, y, z, w; };
struct dim3 { unsigned x, y, z; };
struct alignas(8) float2 { float x, y; }; struct alignas(16) float4 { float x, y, z, w; };
struct alignas(16) double2 { double x, y; };
struct float3 { float x, y, z; }; struct int3 { int x, y, z; };
struct alignas(4) uchar4 { unsigned char x, y, z, w; }; struct alignas(4) ushort2 { unsigned short x, y; };
struct alignas(8) ushort4 { unsigned short x, y, z, w; };
struct alignas(16) longlong2 { long long x, y; }; struct alignas(16) ulonglong2 { unsigned long long x, y; };
static inline float2 make_float2(float x, float y) { return {x, y}; }
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
static inline double2 make_double2(double x, double y) { return {x, y}; }
#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __restrict__ __restrict
#define __shared__ static __attribute__((section("shared_memory")))
#define __align__(n) alignas(n)
#define warpSize 32

namespace shim {
// `Shared` in machine.rs.
struct Machine {
  uint3 thread, block, block_dim, grid_dim;
  char* dynamic;
  unsigned (*barrier)(Machine*, unsigned line, unsigned vote);
  unsigned long long (*warp)(Machine*, unsigned kind, unsigned mask, unsigned long long value, unsigned from);
  unsigned lane;
};
static Machine* machine;
template <class... A> struct Call { void (*f)(A...); };
template <class... A, size_t... I> inline void spread(void (*f)(A...), void** p, std::index_sequence<I...>) {
  f(*(std::remove_cv_t<std::remove_reference_t<A>>*)p[I]...);
}
template <class... A> inline void enter(void (*f)(A...), void** p) { spread(f, p, std::index_sequence_for<A...>()); }
template <class... A> inline unsigned sizes(void (*)(A...), unsigned* out) {
  unsigned s[] = {unsigned(sizeof(A))..., 0};
  memcpy(out, s, sizeof...(A) * 4);
  return sizeof...(A);
}
template <class T> inline T shuffle(unsigned mask, T v, unsigned from, bool inside) {
  static_assert(sizeof(T) <= 8, "shuffles move at most eight bytes");
  unsigned long long u = 0;
  memcpy(&u, &v, sizeof(T));
  u = machine->warp(machine, 0, mask, u, from);
  if (!inside) return v;
  T r;
  memcpy((void*)&r, &u, sizeof(T));
  return r;
}
inline unsigned vote(unsigned mask, bool p) { return (unsigned)machine->warp(machine, 1, mask, p, 0); }
inline unsigned members(unsigned mask) { return vote(mask, true); }
template <class T, class F> inline T atomic(T* p, F f) {
  T o;
  __atomic_load(p, &o, __ATOMIC_RELAXED);
  T n = f(o);
  while (!__atomic_compare_exchange(p, &o, &n, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) n = f(o);
  return o;
}
}
#define threadIdx (shim::machine->thread)
#define blockIdx (shim::machine->block)
#define blockDim (shim::machine->block_dim)
#define gridDim (shim::machine->grid_dim)
// The shared memory that the module declares: NaN for each block.
extern "C" __attribute__((weak, visibility("hidden"))) char __start_shared_memory[], __stop_shared_memory[];
extern "C" void emulator_statics(size_t* range) { range[0] = (size_t)__start_shared_memory; range[1] = (size_t)__stop_shared_memory; }
extern "C" void emulator_bind(shim::Machine* m) { shim::machine = m; }

// Barriers know their line: threads that wait at different ones do not meet.
#define __syncthreads() ((void)shim::machine->barrier(shim::machine, __LINE__, 0))
#define __syncthreads_count(p) ((int)shim::machine->barrier(shim::machine, __LINE__, (p) != 0))
#define __syncthreads_or(p) (__syncthreads_count(p) != 0)
#define __syncthreads_and(p) (__syncthreads_count(!(p)) == 0)
static inline void __syncwarp(unsigned mask = ~0u) { shim::machine->warp(shim::machine, 2, mask, 0, 0); }
static inline void __trap() { __builtin_trap(); }
static inline void __threadfence() {}
static inline void __threadfence_block() {}
static inline void __threadfence_system() {}
static inline unsigned __activemask() { return ~0u; }

template <class T> static inline T __shfl_xor_sync(unsigned k, T v, int m, int w = 32) {
  unsigned l = shim::machine->lane, o = l ^ m;
  return shim::shuffle(k, v, o & 31, o / w <= l / w && o < 32);
}
template <class T> static inline T __shfl_down_sync(unsigned k, T v, unsigned d, int w = 32) {
  unsigned l = shim::machine->lane;
  return shim::shuffle(k, v, (l + d) & 31, (l % w) + d < (unsigned)w);
}
template <class T> static inline T __shfl_up_sync(unsigned k, T v, unsigned d, int w = 32) {
  unsigned l = shim::machine->lane;
  return shim::shuffle(k, v, (l - d) & 31, (l % w) >= d);
}
template <class T> static inline T __shfl_sync(unsigned k, T v, int s, int w = 32) {
  unsigned l = shim::machine->lane;
  return shim::shuffle(k, v, l / w * w + (unsigned)s % w, true);
}
static inline unsigned __ballot_sync(unsigned k, int p) { return shim::vote(k, p); }
static inline int __any_sync(unsigned k, int p) { return shim::vote(k, p) != 0; }
static inline int __all_sync(unsigned k, int p) { return shim::vote(k, !p) == 0; }
static inline unsigned __match_any_sync(unsigned k, unsigned long long v) {
  unsigned r = 0, all = shim::members(k);
  for (unsigned l = 0; l < 32; l++) if (all >> l & 1) { if (shim::shuffle(k, v, l, true) == v) r |= 1u << l; }
  return r;
}
template <class T, class F> static inline T shim_reduce(unsigned k, T v, F f) {
  unsigned all = shim::members(k); bool first = true; T r = v;
  for (unsigned l = 0; l < 32; l++) if (all >> l & 1) { T x = shim::shuffle(k, v, l, true); r = first ? x : f(r, x); first = false; }
  return r;
}
static inline unsigned __reduce_add_sync(unsigned k, unsigned v) { return shim_reduce(k, v, [](unsigned a, unsigned b) { return a + b; }); }
static inline unsigned __reduce_max_sync(unsigned k, unsigned v) { return shim_reduce(k, v, [](unsigned a, unsigned b) { return a > b ? a : b; }); }
static inline unsigned __reduce_min_sync(unsigned k, unsigned v) { return shim_reduce(k, v, [](unsigned a, unsigned b) { return a < b ? a : b; }); }

static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline unsigned __brev(unsigned x) { unsigned r = 0; for (int i = 0; i < 32; i++) r |= (x >> i & 1) << (31 - i); return r; }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long long)a * b >> 32; }
static inline int __mulhi(int a, int b) { return (long long)a * b >> 32; }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned __int128)a * b >> 64; }
static inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) { s &= 31; return s ? hi << s | lo >> (32 - s) : hi; }
template <class To, class From> static inline To shim_bits(From x) { To r; memcpy(&r, &x, sizeof r); return r; }
static inline float __int_as_float(int x) { return shim_bits<float>(x); }
static inline int __float_as_int(float x) { return shim_bits<int>(x); }
static inline unsigned __float_as_uint(float x) { return shim_bits<unsigned>(x); }
static inline float __uint_as_float(unsigned x) { return shim_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return shim_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return shim_bits<double>(x); }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float normcdff(float x) { return 0.5f * erfcf(-0.70710678f * x); }
static inline double normcdf(double x) { return 0.5 * erfc(-0.7071067811865476 * x); }
static inline float sinpif(float x) { return (float)sin(3.141592653589793 * x); }
static inline float cospif(float x) { return (float)cos(3.141592653589793 * x); }
static inline double sinpi(double x) { return sin(3.141592653589793 * x); }
static inline double cospi(double x) { return cos(3.141592653589793 * x); }
// The C library has declared some of these already.
#define __expf expf
#define __exp10f(x) powf(10.0f, x)
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf
static inline float __fdividef(float x, float y) { return x / y; }
static inline float __frcp_rn(float x) { return 1.0f / x; }
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline float __fadd_rn(float x, float y) { return x + y; }
static inline double __dmul_rn(double x, double y) { return x * y; }
static inline double __dadd_rn(double x, double y) { return x + y; }
template <class T> static inline T __ldg(const T* p) { return *p; }
#define SHIM_PAIR(R, A, B) \
  static inline R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; } \
  static inline R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
SHIM_PAIR(int, int, int) SHIM_PAIR(unsigned, unsigned, unsigned) SHIM_PAIR(unsigned, int, unsigned) SHIM_PAIR(unsigned, unsigned, int)
SHIM_PAIR(long, long, long) SHIM_PAIR(unsigned long, unsigned long, unsigned long) SHIM_PAIR(long long, long long, long long)
SHIM_PAIR(unsigned long long, unsigned long long, unsigned long long) SHIM_PAIR(unsigned long, long, unsigned long)
SHIM_PAIR(unsigned long, unsigned long, long) SHIM_PAIR(unsigned long long, long long, unsigned long long)
SHIM_PAIR(unsigned long long, unsigned long long, long long)
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
template <class T> static inline T atomicAdd(T* p, std::common_type_t<T> v) { return shim::atomic(p, [=](T o) { return (T)(o + v); }); }
template <class T> static inline T atomicSub(T* p, std::common_type_t<T> v) { return shim::atomic(p, [=](T o) { return (T)(o - v); }); }
template <class T> static inline T atomicMax(T* p, std::common_type_t<T> v) { return shim::atomic(p, [=](T o) { return o > v ? o : v; }); }
template <class T> static inline T atomicMin(T* p, std::common_type_t<T> v) { return shim::atomic(p, [=](T o) { return o < v ? o : v; }); }
template <class T> static inline T atomicOr(T* p, std::common_type_t<T> v) { return shim::atomic(p, [=](T o) { return (T)(o | v); }); }
template <class T> static inline T atomicAnd(T* p, std::common_type_t<T> v) { return shim::atomic(p, [=](T o) { return (T)(o & v); }); }
template <class T> static inline T atomicExch(T* p, std::common_type_t<T> v) { return shim::atomic(p, [=](T) { return v; }); }
template <class T> static inline T atomicCAS(T* p, std::common_type_t<T> c, std::common_type_t<T> v) { return shim::atomic(p, [=](T o) { return o == c ? v : o; }); }
