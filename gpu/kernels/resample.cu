// Images of another size: each entry is a mean of at most two by two entries, with the weights of
// autodiff-core/src/device/resample.rs. One thread for each result; the pullback gathers.

// `Resample`. `by`: 0 nearest, 1 linear, 2 linear and aligned.
struct Resample {
  i64 by, images;
  i64 input[2], output[2];
};

// The entries `at` and `at + 1`, and the weight of the second, which is 0 where there is none.
struct Tap {
  i64 at;
  T weight;
};

// i mod n; i becomes i / n.
__device__ inline i64 taken(i64 &i, i64 n) {
  const i64 q = ((i | n) >> 32) == 0 ? i64(u32(i) / u32(n)) : i / n, rest = i - q * n;
  i = q;
  return rest;
}

// A fraction, rounded once: in doubles where the numbers have more digits than T.
__device__ inline T fraction(i64 x, i64 n) { return n < (1 << 24) ? T(x) / T(n) : T(double(x) / double(n)); }

// Of m entries out of n, what makes entry i. Positions are fractions of whole numbers.
__device__ inline Tap tap(i64 by, i64 i, i64 n, i64 m) {
  if (by == 0) {
    i64 at = i * n;
    taken(at, m);
    return {at, T(0)};
  }
  i64 at = by == 1 ? max((2 * i + 1) * n - m, i64(0)) : i * (n - 1);
  const i64 below = by == 1 ? 2 * m : max(m - 1, i64(1)), rest = taken(at, below);
  if (at + 1 >= n) return {n - 1, T(0)};
  return {at, fraction(rest, below)};
}

__device__ inline i64 above(i64 x, i64 n) { return x <= 0 ? 0 : (x + n - 1) / n; }

// The first entry whose `at` is not before `a`.
__device__ inline i64 first(i64 by, i64 a, i64 n, i64 m) {
  if (a <= 0) return 0;
  if (a >= n) return m;
  return min(m, by == 0 ? above(a * m, n) : by == 1 ? above((2 * a + 1) * m - n, 2 * n) : above(a * max(m - 1, i64(1)), n - 1));
}

// The share of entry a in what a tap makes. Without a weight the second is not read, even where it is not finite.
__device__ inline T share(const Tap &t, i64 a) { return t.at == a ? (t.weight == T(0) ? T(1) : T(1) - t.weight) : t.weight; }

__device__ inline T mix(T a, T b, T w) { return a * (T(1) - w) + b * w; }

// One thread for each entry of the result.
extern "C" __global__ void __launch_bounds__(256) resample(Resample s, const T *x, T *out) {
  const i64 w = s.input[1];
  DZ_FOR(i, s.images * s.output[0] * s.output[1]) {
    i64 image = i;
    const Tap along = tap(s.by, taken(image, s.output[1]), w, s.output[1]);
    const Tap down = tap(s.by, taken(image, s.output[0]), s.input[0], s.output[0]);
    const T *at = x + (image * s.input[0] + down.at) * w + along.at;
    const bool two = down.weight != T(0);
    T y = two ? mix(at[0], at[w], down.weight) : at[0];
    if (along.weight != T(0)) y = mix(y, two ? mix(at[1], at[w + 1], down.weight) : at[1], along.weight);
    out[i] = y;
  }
}

// One thread for each entry of the cotangent of the input; `ct` is that of the result.
extern "C" __global__ void __launch_bounds__(256) resample_pullback(Resample s, const T *ct, T *out) {
  const i64 h = s.input[0], w = s.input[1], height = s.output[0], width = s.output[1];
  DZ_FOR(i, s.images * h * w) {
    i64 image = i;
    const i64 b = taken(image, w), a = taken(image, h);
    const i64 top = first(s.by, a - (s.by != 0), h, height), bottom = first(s.by, a + 1, h, height);
    const i64 left = first(s.by, b - (s.by != 0), w, width), right = first(s.by, b + 1, w, width);
    T sum = T(0);
    for (i64 k = top; k < bottom; k++) {
      const Tap down = tap(s.by, k, h, height);
      if (down.at != a && down.weight == T(0)) continue;
      const T *line = ct + (image * height + k) * width;
      T part = T(0);
      for (i64 l = left; l < right; l++) {
        const Tap along = tap(s.by, l, w, width);
        if (along.at == b || along.weight != T(0)) part += line[l] * share(along, b);
      }
      sum += part * share(down, a);
    }
    out[i] = sum;
  }
}
