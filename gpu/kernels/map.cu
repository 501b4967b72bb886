// Elementwise operations of elements of any type. T is that of the operands, U that of the result.

extern "C" __global__ void fill(T value, T *out, DZ_BY_VALUE Nest<1> nest) {
  DZ_FOR(i, nest.len) out[nest.at(0, i)] = value;
}

// Conversion as by Rust's `as`: whole numbers saturate, NaN is 0; a truth value is "not zero".
template <typename A, typename B> struct Cast {
  static __device__ B of(A x) { return B(x); }
};
template <typename A> struct Cast<A, bool> {
  static __device__ bool of(A x) { return double(x) != 0.0; }
};
template <typename B> __device__ inline B saturated(double x, double low, double high, B least, B most) {
  return x != x ? B(0) : x <= low ? least : x >= high ? most : B(x);
}
#define DZ_FROM_FLOAT(A)                                                                                            \
  template <> struct Cast<A, i64> {                                                                                 \
    static __device__ i64 of(A x) {                                                                                 \
      return saturated<i64>(double(x), -9223372036854775808.0, 9223372036854775808.0, i64(1ull << 63),              \
                            0x7fffffffffffffffll);                                                                  \
    }                                                                                                               \
  };                                                                                                                \
  template <> struct Cast<A, u32> {                                                                                 \
    static __device__ u32 of(A x) { return saturated<u32>(double(x), 0.0, 4294967295.0, 0u, 0xffffffffu); }         \
  };                                                                                                                \
  template <> struct Cast<A, u8> {                                                                                  \
    static __device__ u8 of(A x) { return saturated<u8>(double(x), 0.0, 255.0, u8(0), u8(255)); }                   \
  };
DZ_FROM_FLOAT(float)
DZ_FROM_FLOAT(double)
DZ_FROM_FLOAT(bf16)
DZ_FROM_FLOAT(f16)
// To half precision in one rounding: see `to_odd` in autodiff-core/src/device/elem.rs.
__device__ inline float to_odd(double x) {
  const float y = float(x);
  const u32 bits = DZ_BITS_OF_FLOAT(y);
  const double back = double(y);
  if (back == x || !(fabs(back) < double(INFINITY)) || (bits & 1)) return y;
  return DZ_FLOAT_OF_BITS(fabs(back) < fabs(x) ? bits + 1 : bits - 1);
}
#define DZ_TO_HALF(A, B)                                                                  \
  template <> struct Cast<A, B> {                                                         \
    static __device__ B of(A x) { return B(to_odd(double(x))); }                          \
  };
DZ_TO_HALF(double, bf16)
DZ_TO_HALF(double, f16)
DZ_TO_HALF(i64, bf16)
DZ_TO_HALF(i64, f16)
DZ_TO_HALF(u32, bf16)
DZ_TO_HALF(u32, f16)

// Of numbers with tangents the value is converted, except to their own type.
#ifdef DZ_DUAL
template <typename V, int K, typename B> struct Cast<Dual<V, K>, B> {
  static __device__ B of(Dual<V, K> x) { return Cast<V, B>::of(x.value); }
};
template <typename V, int K> struct Cast<Dual<V, K>, bool> {
  static __device__ bool of(Dual<V, K> x) { return Cast<V, bool>::of(x.value); }
};
template <typename A, typename W, int L> struct Cast<A, Dual<W, L>> {
  static __device__ Dual<W, L> of(A x) { return Dual<W, L>(Cast<A, W>::of(x)); }
};
template <typename V, int K, typename W, int L> struct Cast<Dual<V, K>, Dual<W, L>> {
  static __device__ Dual<W, L> of(Dual<V, K> x) { return Dual<W, L>(Cast<V, W>::of(x.value)); }
};
template <typename V, int K> struct Cast<Dual<V, K>, Dual<V, K>> {
  static __device__ Dual<V, K> of(Dual<V, K> x) { return x; }
};
#endif

extern "C" __global__ void cast(const T *x, U *out, DZ_BY_VALUE Nest<2> nest) {
  DZ_FOR(i, nest.len) out[nest.at(1, i)] = Cast<T, U>::of(x[nest.at(0, i)]);
}

// Types of half precision are compared as floats.
template <typename A> struct Widened { typedef A Type; };
template <> struct Widened<bf16> { typedef float Type; };
template <> struct Widened<f16> { typedef float Type; };

// The order of `CompareOp`.
extern "C" __global__ void compare(int op, const T *a, const T *b, bool *out, DZ_BY_VALUE Nest<3> nest) {
  DZ_FOR(i, nest.len) {
    const Widened<T>::Type x = a[nest.at(0, i)], y = b[nest.at(1, i)];
    out[nest.at(2, i)] = op == 0 ? x == y : op == 1 ? x != y : op == 2 ? x < y : op == 3 ? x <= y : op == 4 ? x > y : x >= y;
  }
}

extern "C" __global__ void select(const bool *mask, DZ_OPERAND(a), DZ_OPERAND(b), T *out, DZ_BY_VALUE Nest<4> nest) {
  DZ_FOR(i, nest.len) out[nest.at(3, i)] = mask[nest.at(0, i)] ? DZ_AT(a, 1, i) : DZ_AT(b, 2, i);
}

extern "C" __global__ void add_scaled(T alpha, const T *x, T *y, DZ_BY_VALUE Nest<2> nest) {
  DZ_FOR(i, nest.len) {
    T &o = y[nest.at(1, i)];
    o = T(o + alpha * x[nest.at(0, i)]);
  }
}
