// Random numbers and dropout. T is float or double.
//
// The generator is that of autodiff-core/src/kernel/random.rs: Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011). Element i is a
// function of the seed, the stream and i. Sixteen blocks of four words make a group; which word an element has is the CPU's
// order, so uniform numbers and masks are the same bits. Normal numbers are pairs r cos, r sin (Box and Muller 1958) and may
// differ in their last bits, as the logarithm does.
//
// `more` is null, or a number in device memory that is added to the seed: a captured graph draws anew when it changes.

struct Words { u32 w[4]; };

__device__ inline Words philox(u64 block, u64 seed, u64 stream) {
  u32 c0 = u32(block), c1 = u32(block >> 32), c2 = u32(stream), c3 = u32(stream >> 32);
  u32 k0 = u32(seed), k1 = u32(seed >> 32);
  for (int round = 0; round < 10; round++) {
    const u64 p0 = u64(c0) * 0xD2511F53u, p1 = u64(c2) * 0xCD9E8D57u;
    c0 = u32(p1 >> 32) ^ c1 ^ k0;
    c1 = u32(p1);
    c2 = u32(p0 >> 32) ^ c3 ^ k1;
    c3 = u32(p0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return Words{{c0, c1, c2, c3}};
}

// Sine and cosine of at most an eighth of a turn, turned by quadrants.
__device__ inline float turned(u32 quadrant, float s, float c) {
  const float y = quadrant & 1 ? c : s;
  return quadrant & 2 ? -y : y;
}
__device__ inline double turned(u32 quadrant, double s, double c) {
  const double y = quadrant & 1 ? c : s;
  return quadrant & 2 ? -y : y;
}
__device__ inline void pair(float a, float *s, float *c) {
  const float z = a * a;
  *s = a + a * z * (((2.7249848e-6f * z - 1.9840086e-4f) * z + 8.333332e-3f) * z - 1.6666667e-1f);
  *c = z * z * (((-2.7300894e-7f * z + 2.48006e-5f) * z - 1.3888888e-3f) * z + 4.1666667e-2f) - 0.5f * z + 1.0f;
}
__device__ inline void pair(double a, double *s, double *c) {
  const double z = a * a, half = 0.5 * z, w = 1.0 - half;
  double p = 1.5918093561437772207e-10 * z - 2.5051131348950251191e-8;
  p = ((p * z + 2.7557316100172070078e-6) * z - 1.9841269836753974836e-4) * z + 8.3333333333309454514e-3;
  *s = a + a * z * (p * z - 1.666666666666666462e-1);
  double q = -1.138261007099832337e-11 * z + 2.0876145958084939563e-9;
  q = ((q * z - 2.7557317270240677521e-7) * z + 2.4801587298762816799e-5) * z - 1.3888888888887395339e-3;
  *c = w + (((1.0 - w) - half) + z * z * (q * z + 4.1666666666666665387e-2));
}

// The numbers of a block of words: four floats, two doubles. What must be the same bits is not contracted.
__device__ inline void uniform(const Words &words, double low, double high, float *x) {
  const double width = (high - low) * (1.0 / 4294967296.0);
  for (int j = 0; j < 4; j++) {
    const float y = float(__dadd_rn(low, __dmul_rn(width, double(words.w[j]))));
    // Rounding may reach the upper end, which is excluded.
    x[j] = y >= float(high) ? float(low) : y;
  }
}
__device__ inline double unit(u32 a, u32 b) { return double((u64(a) << 32 | b) >> 11) * (1.0 / 9007199254740992.0); }
__device__ inline void uniform(const Words &words, double low, double high, double *x) {
  for (int j = 0; j < 2; j++) {
    const double y = __dadd_rn(low, __dmul_rn(high - low, unit(words.w[2 * j], words.w[2 * j + 1])));
    x[j] = y >= high ? low : y;
  }
}
__device__ inline void normal(const Words &words, double mean, double std, float *x) {
  for (int j = 0; j < 4; j += 2) {
    const float u = float(words.w[j]) * (1.0f / 4294967296.0f) + 0.5f / 4294967296.0f;
    const float r = float(std) * sqrtf(-2.0f * logf(u));
    // Two bits are the quadrant, the others the angle in it.
    const u32 quadrant = words.w[j + 1] >> 30;
    float s, c;
    pair(float(int(words.w[j + 1] << 2)) * (0.78539816339744830962f / 2147483648.0f), &s, &c);
    x[j] = float(mean) + r * turned(quadrant + 1, s, c);
    x[j + 1] = float(mean) + r * turned(quadrant, s, c);
  }
}
__device__ inline void normal(const Words &words, double mean, double std, double *x) {
  const double u = unit(words.w[0], words.w[1]), v = unit(words.w[2], words.w[3]);
  const double r = std * sqrt(-2.0 * log(1.0 - u));
  const double turns = rint(4.0 * v);
  double s, c;
  pair((4.0 * v - turns) * 1.57079632679489661923, &s, &c);
  x[0] = mean + r * turned(u32(turns) + 1, s, c);
  x[1] = mean + r * turned(u32(turns), s, c);
}

// law 0: uniform in [a, b); law 1: normal with mean a and standard deviation b. One thread for each block of words: four
// elements of a float, of which word j of block i stands at 16 j + i of a group of 64, or two neighbouring doubles.
extern "C" __global__ void draw(int law, double a, double b, u64 seed, const u64 *more, u64 stream, T *out, i64 len) {
  const int each = 16 / sizeof(T), apart = each == 4 ? 16 : 1;
  if (more) seed += *more;
  DZ_FOR(block, (len + 63) / 64 * (64 / each)) {
    const Words words = philox(u64(block), seed, stream);
    T x[each];
    if (law == 0) uniform(words, a, b, x);
    else normal(words, a, b, x);
    const i64 at = each == 4 ? block / 16 * 64 + block % 16 : block * 2;
    for (int j = 0; j < each; j++) if (at + j * apart < len) out[at + j * apart] = x[j];
  }
}

struct __align__(4 * sizeof(T)) Four { T x[4]; };

// out = x / (1 - p) where a word is not below `limit`, p times 2^32, else 0; x may be out. Both are dense. One thread for each
// four elements.
extern "C" __global__ void dropout(u64 limit, T scale, u64 seed, const u64 *more, const T *x, T *out, i64 len) {
  const bool wide = ((u64(x) | u64(out)) & (sizeof(Four) - 1)) == 0;
  if (more) seed += *more;
  DZ_FOR(block, (len + 3) / 4) {
    const Words words = philox(u64(block), seed, 0x6d61736bull);
    const i64 at = 4 * block;
    Four y;
    if (wide && at + 4 <= len) y = *(const Four *)(x + at);
    else for (int j = 0; j < 4; j++) if (at + j < len) y.x[j] = x[at + j];
    for (int j = 0; j < 4; j++) y.x[j] = words.w[j] >= limit ? y.x[j] * scale : T(0);
    if (wide && at + 4 <= len) *(Four *)(out + at) = y;
    else for (int j = 0; j < 4; j++) if (at + j < len) out[at + j] = y.x[j];
  }
}
