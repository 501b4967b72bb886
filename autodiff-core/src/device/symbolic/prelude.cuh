// Functions of one and two numbers, as formulas name them. T is float or double; dual.cuh has those of numbers with tangents.
#ifndef DZ_PRELUDE
#define DZ_PRELUDE
#ifdef __CUDACC_RTC__
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#endif
namespace dz {
#define DZ_FUNCTION template <typename T> __device__ __forceinline__ T
template <typename T> struct width { static const bool narrow = false; };
template <> struct width<float> { static const bool narrow = true; };
// Equal, without tangents.
template <typename T> __device__ __forceinline__ bool still(T a, T b) { return a == b; }
DZ_FUNCTION by_width(double narrow, double wide) { return width<T>::narrow ? T(narrow) : T(wide); }

DZ_FUNCTION exp(T x) { return ::exp(x); }
DZ_FUNCTION exp2(T x) { return ::exp2(x); }
DZ_FUNCTION exp_m1(T x) { return ::expm1(x); }
DZ_FUNCTION ln(T x) { return ::log(x); }
DZ_FUNCTION ln_1p(T x) { return ::log1p(x); }
DZ_FUNCTION log2(T x) { return ::log2(x); }
DZ_FUNCTION log10(T x) { return ::log10(x); }
DZ_FUNCTION sqrt(T x) { return ::sqrt(x); }
DZ_FUNCTION cbrt(T x) { return ::cbrt(x); }
DZ_FUNCTION recip(T x) { return T(1) / x; }
DZ_FUNCTION sin(T x) { return ::sin(x); }
DZ_FUNCTION cos(T x) { return ::cos(x); }
DZ_FUNCTION tan(T x) { return ::tan(x); }
DZ_FUNCTION asin(T x) { return ::asin(x); }
DZ_FUNCTION acos(T x) { return ::acos(x); }
DZ_FUNCTION atan(T x) { return ::atan(x); }
DZ_FUNCTION sinh(T x) { return ::sinh(x); }
DZ_FUNCTION cosh(T x) { return ::cosh(x); }
DZ_FUNCTION tanh(T x) { return ::tanh(x); }
DZ_FUNCTION asinh(T x) { return ::asinh(x); }
DZ_FUNCTION acosh(T x) { return ::acosh(x); }
DZ_FUNCTION atanh(T x) { return ::atanh(x); }
DZ_FUNCTION abs(T x) { return ::fabs(x); }
DZ_FUNCTION floor(T x) { return ::floor(x); }
DZ_FUNCTION ceil(T x) { return ::ceil(x); }
DZ_FUNCTION round(T x) { return ::round(x); }
DZ_FUNCTION trunc(T x) { return ::trunc(x); }
DZ_FUNCTION fract(T x) { return x - ::trunc(x); }
DZ_FUNCTION signum(T x) { return x != x ? x : ::copysign(T(1), x); }
DZ_FUNCTION sigmoid(T x) { return T(1) / (T(1) + ::exp(-x)); }
DZ_FUNCTION erf(T x) { return ::erf(x); }
DZ_FUNCTION erfc(T x) { return ::erfc(x); }
DZ_FUNCTION ln_gamma(T x) { return T(::lgamma(double(x))); }  // a float keeps too few digits
DZ_FUNCTION powf(T x, T p) { return ::pow(x, p); }
DZ_FUNCTION atan2(T y, T x) { return ::atan2(y, x); }
DZ_FUNCTION hypot(T x, T y) { return ::hypot(x, y); }
DZ_FUNCTION remainder(T x, T y) { return ::fmod(x, y); }
DZ_FUNCTION maximum(T x, T y) { return ::fmax(x, y); }
DZ_FUNCTION minimum(T x, T y) { return ::fmin(x, y); }
DZ_FUNCTION normal_cdf(T x) { return T(0.5) * (T(1) + ::erf(x * T(0.70710678118654752))); }
DZ_FUNCTION normal_density(T x) { return T(0.3989422804014327) * ::exp(T(-0.5) * x * x); }

// By squaring.
DZ_FUNCTION powi(T x, int n) {
  unsigned left = n < 0 ? 0u - unsigned(n) : unsigned(n);
  T power = T(1);
  for (; left != 0; left /= 2) {
    if (left % 2 == 1) power *= x;
    x *= x;
  }
  return n < 0 ? T(1) / power : power;
}

// The series in 1/x^2 from 10 on (Abramowitz and Stegun 6.3.18), the recurrence below, and reflection below 0.
__device__ inline double digamma_of(double x) {
  if (x <= 0.0) {
    if (x == ::floor(x)) return double(NAN);
    const double pi = 3.14159265358979323846;
    return digamma_of(1.0 - x) - pi / ::tan(pi * (x - ::floor(x)));
  }
  double sum = 0.0;
  for (; x < 10.0; x += 1.0) sum -= 1.0 / x;
  if (x == double(INFINITY)) return x;
  const double y = 1.0 / (x * x);
  const double series = y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y * 1.0 / 132))));
  return sum + ::log(x) - 0.5 / x - series;
}
DZ_FUNCTION digamma(T x) { return T(digamma_of(double(x))); }

// Likewise (6.4.12).
__device__ inline double trigamma_of(double x) {
  if (x <= 0.0) {
    if (x == ::floor(x)) return double(INFINITY);
    const double pi = 3.14159265358979323846;
    const double s = ::sin(pi * (x - ::floor(x)));
    return pi * pi / (s * s) - trigamma_of(1.0 - x);
  }
  double sum = 0.0;
  for (; x < 10.0; x += 1.0) sum += 1.0 / (x * x);
  const double y = 1.0 / (x * x);
  const double series = y * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y * (1.0 / 30 - y * 5.0 / 66))));
  return sum + (1.0 + series) / x + 0.5 * y;
}
DZ_FUNCTION trigamma(T x) { return T(trigamma_of(double(x))); }
#undef DZ_FUNCTION
} // namespace dz
#endif
