// What all modules begin with: types of elements, loops over sizes and strides, sums of a block.
//
// The text of a module is this file, typedefs such as `typedef float T;`, printed formulas, and kernels.
// No header is included: users have NVRTC, but seldom the headers of CUDA.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;

#ifdef __CUDACC_RTC__
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define DZ_BITS_OF_FLOAT(x) __float_as_uint(x)
#define DZ_FLOAT_OF_BITS(x) __uint_as_float(x)
#else
static inline u32 DZ_BITS_OF_FLOAT(float x) { u32 bits; __builtin_memcpy(&bits, &x, 4); return bits; }
static inline float DZ_FLOAT_OF_BITS(u32 bits) { float x; __builtin_memcpy(&x, &bits, 4); return x; }
#endif

// A struct among the parameters that is read where it is: without it each thread copies it to memory of its own.
#ifdef __CUDACC_RTC__
#define DZ_BY_VALUE const __grid_constant__
#else
#define DZ_BY_VALUE const
#endif

// The upper half of a float, rounded to the nearest, ties to even.
struct bf16 {
  u16 bits;
  bf16() = default;
  __device__ bf16(float x) {
    const u32 b = DZ_BITS_OF_FLOAT(x);
    bits = x != x ? u16((b >> 16) | 0x40) : u16((b + 0x7fff + ((b >> 16) & 1)) >> 16);
  }
  __device__ operator float() const { return DZ_FLOAT_OF_BITS(u32(bits) << 16); }
};

// IEEE half precision.
struct f16 {
  u16 bits;
  f16() = default;
  __device__ f16(float x) {
    const u32 b = DZ_BITS_OF_FLOAT(x), sign = (b >> 16) & 0x8000, a = b & 0x7fffffff;
    if (a > 0x7f800000) bits = u16(sign | 0x7e00 | ((a >> 13) & 0x3ff));
    else if (a >= 0x477ff000) bits = u16(sign | 0x7c00);  // rounds to 65536 or more
    else if (a < 0x33000001) bits = u16(sign);            // at most half of the smallest
    else if (a < 0x38800000) {                            // a multiple of 2^-24
      const u32 shift = 126 - (a >> 23), m = (a & 0x7fffff) | 0x800000, half = 1u << (shift - 1);
      u32 q = m >> shift;
      const u32 rest = m & ((1u << shift) - 1);
      q += rest > half || (rest == half && (q & 1));
      bits = u16(sign | q);
    } else {
      const u32 r = a - 0x38000000;
      bits = u16(sign | ((r + 0xfff + ((r >> 13) & 1)) >> 13));
    }
  }
  __device__ operator float() const {
    const u32 sign = u32(bits & 0x8000) << 16, e = (bits >> 10) & 31, m = bits & 0x3ff;
    if (e == 31) return DZ_FLOAT_OF_BITS(sign | 0x7f800000 | (m << 13));
    if (e != 0) return DZ_FLOAT_OF_BITS(sign | ((e + 112) << 23) | (m << 13));
    const float x = float(m) * 5.9604644775390625e-8f;  // 2^-24
    return sign ? -x : x;
  }
};

// What numbers with tangents have in other ways: see autodiff-core/src/device/symbolic/dual.cuh.
// The value without tangents.
template <typename A> __device__ inline A fixed(A x) { return x; }
// exp(x − fixed(x)): of two numbers of one value their tangents may differ, so one that is subtracted has none.
template <typename A> __device__ inline A exp_of_change(A) { return A(1); }
// The value is at least 0; tangents stay.
template <typename A> __device__ inline A not_below_zero(A x) { return x < A(0) ? A(0) : x; }
// The smallest number with all digits.
__device__ inline float least_normal(float) { return 1.17549435e-38f; }
__device__ inline double least_normal(double) { return 2.2250738585072014e-308; }

// The loops over `len` elements, with the strides of K operands: `Nest` in autodiff-core/src/device/cuda/nest.rs.
// Neighbouring axes are merged where all strides allow it.
template <int K> struct Nest {
  i64 len;
  int rank;
  u32 dense;  // bit k: operand k has its elements in this order, without gaps
  i64 size[6];
  i64 stride[K][6];
  i64 offset[K];

  // Where element i of operand k is.
  __device__ i64 at(int k, i64 i) const {
    if (dense >> k & 1) return offset[k] + i;
    i64 where = offset[k];
    if (len <= 0x7fffffff) {
      u32 rest = u32(i);
      for (int a = rank - 1; a > 0; a--) {
        const u32 n = u32(size[a]), q = rest / n;
        where += i64(rest - q * n) * stride[k][a];
        rest = q;
      }
      return where + i64(rest) * stride[k][0];
    }
    for (int a = rank - 1; a > 0; a--) {
      const i64 q = i / size[a];
      where += (i - q * size[a]) * stride[k][a];
      i = q;
    }
    return where + i * stride[k][0];
  }
};

// An operand of an elementwise operation comes as two parameters: elements, and one number in their place where there are
// none.
#define DZ_OPERAND(x) const T *x, T x##_number
#define DZ_AT(x, k, i) ((x) ? (x)[nest.at(k, i)] : x##_number)

// Each thread takes the elements i, i + step, ..: any grid covers all of them.
#define DZ_FOR(i, len)                                                     \
  for (i64 i = i64(blockIdx.x) * blockDim.x + threadIdx.x; i < i64(len); i += i64(gridDim.x) * blockDim.x)
