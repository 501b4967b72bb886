// Numbers with tangents: `Dual<T, K>` of Rust, with the operators and functions of autodiff-core/src/ad/dual. Behind prelude.cuh.
//
// Comparisons look at the values. A tangent that is zero stays one, also where the slope is infinite.
#define DZ_DUAL
#define DZ_INLINE template <typename V, int K> __device__ __forceinline__

template <typename V, int K> struct Dual {
  V value, tangent[K];
  Dual() = default;
  // A number that does not change.
  template <typename N> __device__ __forceinline__ Dual(N x) : value(V(x)) {
    for (int k = 0; k < K; k++) tangent[k] = V(0);
  }
  __device__ __forceinline__ explicit operator double() const { return double(value); }
};

namespace dz {
template <typename V, int K> struct width<Dual<V, K>> { static const bool narrow = width<V>::narrow; };

// Whether it is zero, and all its tangents are.
template <typename T> __device__ __forceinline__ bool stays_zero(T x) { return x == T(0); }
DZ_INLINE bool stays_zero(Dual<V, K> x) {
  bool all = stays_zero(x.value);
  for (int k = 0; k < K; k++) all = all && stays_zero(x.tangent[k]);
  return all;
}
DZ_INLINE bool still(Dual<V, K> a, Dual<V, K> b) {
  bool all = still(a.value, b.value);
  for (int k = 0; k < K; k++) all = all && stays_zero(a.tangent[k]);
  return all;
}
template <typename T> __device__ __forceinline__ T unless_zero(T t, T image) { return stays_zero(t) ? t : image; }

// `value` with the tangents of x times `slope`.
DZ_INLINE Dual<V, K> chain(Dual<V, K> x, V value, V slope) {
  for (int k = 0; k < K; k++) x.tangent[k] = unless_zero(x.tangent[k], x.tangent[k] * slope);
  x.value = value;
  return x;
}
DZ_INLINE Dual<V, K> chain2(Dual<V, K> a, Dual<V, K> b, V value, V slope, V slope_b) {
  for (int k = 0; k < K; k++) {
    const V t = a.tangent[k], u = b.tangent[k];
    a.tangent[k] = unless_zero(t, t * slope) + unless_zero(u, u * slope_b);
  }
  a.value = value;
  return a;
}
// One of two numbers; half of each where they are equal.
DZ_INLINE Dual<V, K> one_of(Dual<V, K> a, Dual<V, K> b, V value) {
  const bool tie = a.value == b.value, right = !tie && b.value == value;
  for (int k = 0; k < K; k++)
    a.tangent[k] = tie ? V(0.5) * a.tangent[k] + V(0.5) * b.tangent[k] : right ? b.tangent[k] : a.tangent[k];
  a.value = value;
  return a;
}
} // namespace dz

DZ_INLINE Dual<V, K> operator+(Dual<V, K> a, Dual<V, K> b) {
  a.value = a.value + b.value;
  for (int k = 0; k < K; k++) a.tangent[k] = a.tangent[k] + b.tangent[k];
  return a;
}
DZ_INLINE Dual<V, K> operator-(Dual<V, K> a, Dual<V, K> b) {
  a.value = a.value - b.value;
  for (int k = 0; k < K; k++) a.tangent[k] = a.tangent[k] - b.tangent[k];
  return a;
}
DZ_INLINE Dual<V, K> operator-(Dual<V, K> a) {
  a.value = -a.value;
  for (int k = 0; k < K; k++) a.tangent[k] = -a.tangent[k];
  return a;
}
DZ_INLINE Dual<V, K> operator*(Dual<V, K> a, Dual<V, K> b) {
  for (int k = 0; k < K; k++) a.tangent[k] = a.tangent[k] * b.value + b.tangent[k] * a.value;
  a.value = a.value * b.value;
  return a;
}
DZ_INLINE Dual<V, K> operator/(Dual<V, K> a, Dual<V, K> b) {
  const V q = a.value / b.value, by = V(1) / b.value;
  for (int k = 0; k < K; k++) {
    const V u = b.tangent[k], change = a.tangent[k] - dz::unless_zero(u, u * q);
    a.tangent[k] = dz::unless_zero(change, change * by);
  }
  a.value = q;
  return a;
}
#define DZ_ASSIGN(op) \
  DZ_INLINE Dual<V, K> &operator op##=(Dual<V, K> &a, Dual<V, K> b) { return a = a op b; }
DZ_ASSIGN(+)
DZ_ASSIGN(-)
DZ_ASSIGN(*)
DZ_ASSIGN(/)
#undef DZ_ASSIGN
#define DZ_COMPARE(op) \
  DZ_INLINE bool operator op(Dual<V, K> a, Dual<V, K> b) { return a.value op b.value; }
DZ_COMPARE(==)
DZ_COMPARE(!=)
DZ_COMPARE(<)
DZ_COMPARE(<=)
DZ_COMPARE(>)
DZ_COMPARE(>=)
#undef DZ_COMPARE

namespace dz {
// By all those that follow.
//// declarations

// The derivative of `trigamma`: see `tetragamma` in autodiff-core/src/device/dual.rs.
template <typename T> __device__ inline T tetragamma(T x) {
  T turned = T(0);
  bool below = x <= T(0);
  if (below) {
    const T pi = T(3.14159265358979323846), s = dz::sin(pi * x);
    turned = T(2) * pi * pi * pi * dz::cos(pi * x) / (s * s * s);
    x = T(1) - x;
  }
  T sum = T(0);
  for (; x < T(12); x += T(1)) sum -= T(2) / (x * x * x);
  const T y = T(1) / (x * x);
  const double of[] = {691.0 / 210.0, -5.0 / 6.0, 0.3, -1.0 / 6.0, 1.0 / 6.0, -0.5, -1.0};
  T series = T(0);
  for (int k = 0; k < 7; k++) series = series * y + T(of[k]);
  sum += y * (series - T(1) / x);
  return below ? sum - turned : sum;
}

DZ_INLINE Dual<V, K> ln_gamma(Dual<V, K> x) { return chain(x, dz::ln_gamma(x.value), dz::digamma(x.value)); }
DZ_INLINE Dual<V, K> digamma(Dual<V, K> x) { return chain(x, dz::digamma(x.value), dz::trigamma(x.value)); }
DZ_INLINE Dual<V, K> trigamma(Dual<V, K> x) { return chain(x, dz::trigamma(x.value), dz::tetragamma(x.value)); }
DZ_INLINE Dual<V, K> fract(Dual<V, K> x) { return chain(x, dz::fract(x.value), V(1)); }
DZ_INLINE Dual<V, K> powi(Dual<V, K> x, int n) {
  const int least = -2147483647 - 1;
  const V slope = n == 0 ? V(0) : V(n) * (n == least ? dz::powi(x.value, n) / x.value : dz::powi(x.value, n - 1));
  return chain(x, dz::powi(x.value, n), slope);
}
DZ_INLINE Dual<V, K> remainder(Dual<V, K> a, Dual<V, K> b) {
  const V out = dz::remainder(a.value, b.value), turns = (a.value - out) / b.value;
  for (int k = 0; k < K; k++) {
    const V u = b.tangent[k];
    a.tangent[k] = a.tangent[k] - unless_zero(u, u * turns);
  }
  a.value = out;
  return a;
}
DZ_INLINE Dual<V, K> maximum(Dual<V, K> a, Dual<V, K> b) { return one_of(a, b, dz::maximum(a.value, b.value)); }
DZ_INLINE Dual<V, K> minimum(Dual<V, K> a, Dual<V, K> b) { return one_of(a, b, dz::minimum(a.value, b.value)); }
DZ_INLINE Dual<V, K> normal_cdf(Dual<V, K> x) {
  return chain(x, dz::normal_cdf(x.value), dz::normal_density(x.value));
}
// Far out it is 0, and so is its slope.
DZ_INLINE Dual<V, K> normal_density(Dual<V, K> x) {
  const V density = dz::normal_density(x.value);
  return chain(x, density, stays_zero(density) ? density : -x.value * density);
}
} // namespace dz

// Functions by the names that kernels call. The emulator compiles modules inside a namespace, where they would hide those of plain
// numbers.
#ifndef __CUDACC_RTC__
using ::exp; using ::log; using ::sqrt; using ::fabs; using ::pow;
#endif
DZ_INLINE Dual<V, K> exp(Dual<V, K> x) { return dz::exp(x); }
DZ_INLINE Dual<V, K> log(Dual<V, K> x) { return dz::ln(x); }
DZ_INLINE Dual<V, K> sqrt(Dual<V, K> x) { return dz::sqrt(x); }
DZ_INLINE Dual<V, K> fabs(Dual<V, K> x) { return dz::abs(x); }
DZ_INLINE Dual<V, K> pow(Dual<V, K> x, Dual<V, K> p) { return dz::powf(x, p); }

// What base.cuh and group.cuh have for plain numbers.
DZ_INLINE Dual<V, K> fixed(Dual<V, K> x) { return Dual<V, K>(fixed(x.value)); }
DZ_INLINE Dual<V, K> exp_of_change(Dual<V, K> x) { return dz::exp(x - fixed(x)); }
DZ_INLINE Dual<V, K> least_normal(Dual<V, K> x) { return Dual<V, K>(least_normal(x.value)); }
DZ_INLINE Dual<V, K> not_below_zero(Dual<V, K> x) {
  x.value = not_below_zero(x.value);
  return x;
}
