// What folds do with an element: OP, defined in front, says which fold.

#define SUM 0
#define MEAN 1
#define MAX 2
#define MIN 3
#define PROD 4
#define MEAN_ABOUT 5          // the mean, as the first element plus the mean of the distances from it
#define VARIANCE 6            // about `a`, the mean; `flag` asks for its root
#define REST 7                // what rounding took from the mean `a`; 0 where `b`, the variance (`flag`: its root), is large
#define NORM_1 8
#define NORM_2 9
#define NORM_P 10
#define LOG_SUM_EXP 11
#define EXPONENTIALS 12       // the maximum m, or 0 if it is infinite, and in `second` the sum of exp(x − m)
#define HITS 13               // `b` divided by the number of elements equal to `a`; NaN if there is none
#define MOMENTS 14            // Σ z·(x − a)
#define NORM_SUMS 15          // Σ z·x̂, and Σ z in `second`; `a` has mean, rest and scale of each `flag` elements
#define ARG_MAX 16
#define ARG_MIN 17
#define COUNT 18
#define INTEGER_SUM 19

#if OP >= ARG_MAX
typedef i64 R;
#else
typedef T R;
#endif

// What an output has beside its elements.
struct Given {
  T shift, mate, p;
  bool wanted;
};

#define DZ_TAKE __device__ void take(T x, T z, i64 index, i64 where, const Given &g, const T *a, int flag)

#if OP == VARIANCE || OP == NORM_SUMS
struct State {
  T one, two;
  static __device__ State none() { return {T(0), T(0)}; }
  static __device__ State join(State a, State b) { return {a.one + b.one, a.two + b.two}; }
  DZ_TAKE {
#if OP == VARIANCE
    const T d = x - g.shift;
    one += d;
    two += d * d;
#else
    const T *of = a + 3 * (where <= 0x7fffffff ? i64(u32(where) / u32(flag)) : where / flag);
    one += z * ((x - of[0] - of[1]) * of[2]);
    two += z;
#endif
  }
};
#elif OP == LOG_SUM_EXP || OP == EXPONENTIALS
struct State {
  Exponentials<T> e;
  static __device__ State none() { return {Exponentials<T>::none()}; }
  static __device__ State join(State a, State b) { return {Exponentials<T>::join(a.e, b.e)}; }
  DZ_TAKE { e.take(x); }
};
#elif OP == ARG_MAX || OP == ARG_MIN
struct State {
  T value;
  i64 index;  // -1: nothing yet
  static __device__ State none() { return {T(0), -1}; }
  // A NaN is before all others, and of equal ones the first.
  static __device__ State join(State a, State b) {
    if (a.index < 0 || b.index < 0) return a.index < 0 ? b : a;
    const bool first = a.index < b.index, no = a.value != a.value, nor = b.value != b.value;
    if (no || nor) return no && (first || !nor) ? a : b;
    if (a.value == b.value) return first ? a : b;
    return (OP == ARG_MAX ? a.value > b.value : a.value < b.value) ? a : b;
  }
  DZ_TAKE { *this = join(*this, {x, index}); }
};
#elif OP == COUNT || OP == INTEGER_SUM
struct State {
  u64 sum;  // wraps around
  static __device__ State none() { return {0}; }
  static __device__ State join(State a, State b) { return {a.sum + b.sum}; }
  DZ_TAKE { sum += u64(x); }
};
#else
struct State {
  T sum;
  static __device__ State none() {
    return {T(OP == MAX ? -INFINITY : OP == MIN ? INFINITY : OP == PROD ? 1.0f : 0.0f)};
  }
  static __device__ State join(State a, State b) {
    if (OP == MAX) return {larger(a.sum, b.sum)};
    if (OP == MIN) return {smaller(a.sum, b.sum)};
    if (OP == PROD) return {a.sum * b.sum};
    return {a.sum + b.sum};
  }
  DZ_TAKE {
    if (OP == MEAN_ABOUT || OP == REST) x -= g.shift;
    if (OP == NORM_1) x = fabs(x);
    if (OP == NORM_2) x *= x;
    if (OP == NORM_P) x = pow(T(fabs(x)), g.p);
    if (OP == HITS) x = T(x == g.shift ? 1 : 0);
    if (OP == MOMENTS) x = (x - g.shift) * z;
    *this = join(*this, {x});
  }
};
#endif
