// Attention by tensor cores: products of tiles of 16 by 16 and 16 by 8, rounded to half precision and summed up in `float`
// (PTX, mma.m16n8k16). Behind attention.cuh, in front of attention_tensor.cu and attention_tensor_pullback.cu. T is float.
//
// A macro says how many columns there are, DZ_WIDTH: a multiple of 16, at most 128, for keys and for values. With DZ_F16, numbers
// are rounded to `f16`, else to `bf16`. A block of 128 threads has four warps, each with 16 rows of its 64. Queries are masked by
// their position and by lengths alone.
//
// Fragments. Lane 4g + t of a warp has of a result c the columns 2t and 2t + 1 of the rows g (c[0], c[1]) and g + 8 (c[2], c[3]);
// of the left operand, in pairs, the columns 2t.. of the rows g (a[0]) and g + 8 (a[1]), and the columns 2t + 8.. of both (a[2],
// a[3]); of the right one the rows 2t.. (b0) and 2t + 8.. (b1) of column g. So two results side by side, rounded, are a left
// operand.

constexpr int WIDTH = DZ_WIDTH, ROWS = 64, TILE = WIDTH > 64 ? 32 : 64;
// Tiles of columns, steps of a product along them, tiles of what is met at once.
constexpr int COLUMNS = WIDTH / 8, STEPS = WIDTH / 16, MET = TILE / 8;
// Rows in shared memory, a bit longer: the eight rows that a warp reads at once lie in different banks.
constexpr int PITCH = WIDTH + 8, TURNED = TILE + 8;

#ifdef DZ_F16
#define DZ_HALF "f16"
typedef f16 Half;
#else
#define DZ_HALF "bf16"
typedef bf16 Half;
#endif

// Two numbers in half precision; the first one is the lower one.
__device__ inline u32 pair(float first, float second) {
#ifdef __CUDA_ARCH__
  u32 both;
  asm("cvt.rn." DZ_HALF "x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
  return both;
#else
  return u32(Half(first).bits) | u32(Half(second).bits) << 16;
#endif
}

// c += a b
__device__ inline void mma(float (&c)[4], const u32 (&a)[4], u32 b0, u32 b1) {
#ifdef __CUDA_ARCH__
  asm("mma.sync.aligned.m16n8k16.row.col.f32." DZ_HALF "." DZ_HALF ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
  const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  for (int k = 0; k < 8; k++) {  // pairs of the sum
    const int half = k / 4, from = k % 4;
    u32 rows[2], columns[2];
    for (int h = 0; h < 2; h++) {
      rows[h] = __shfl_sync(0xffffffffu, a[h + 2 * half], 4 * g + from);
      columns[h] = __shfl_sync(0xffffffffu, half ? b1 : b0, 4 * (2 * t + h) + from);
    }
    for (int e = 0; e < 4; e++)
      for (int p = 0; p < 2; p++) {
        Half x, y;
        x.bits = u16(rows[e / 2] >> (16 * p));
        y.bits = u16(columns[e % 2] >> (16 * p));
        c[e] += float(x) * float(y);
      }
  }
#endif
}

// The place of a thread: its warp's rows begin at `row`, and it has those of g and g + 8 there.
struct Lane {
  int row, g, t;
  __device__ Lane() : row(int(threadIdx.x) / 32 * 16), g(threadIdx.x % 32 / 4), t(threadIdx.x % 4) {}
};

__device__ inline float entry(const Matrix &x, i64 row, int column) {
  return row < x.rows ? x.at[row * x.row + column * x.column] : 0.0f;
}

// The rows of a warp as left operands of a product along the columns.
__device__ inline void left(u32 (&a)[STEPS][4], const Matrix &x, i64 first, const Lane &lane) {
#pragma unroll
  for (int s = 0; s < STEPS; s++)
#pragma unroll
    for (int e = 0; e < 4; e++) {
      const i64 row = first + lane.row + lane.g + (e % 2) * 8;
      const int column = s * 16 + lane.t * 2 + (e / 2) * 8;
      a[s][e] = pair(entry(x, row, column), entry(x, row, column + 1));
    }
}

// TILE rows of a matrix from `first` on, in half precision: as they are and turned, where there is a place for it.
__device__ inline void load(const Matrix &x, i64 first, u16 *straight, u16 *turned) {
#pragma unroll 4
  for (int i = threadIdx.x; i < TILE * WIDTH / 2; i += 128) {
    const int row = i / (WIDTH / 2), column = i % (WIDTH / 2) * 2;
    const u32 both = pair(entry(x, first + row, column), entry(x, first + row, column + 1));
    if (straight) *(u32 *)(straight + row * PITCH + column) = both;
    if (turned) {
      turned[column * TURNED + row] = u16(both);
      turned[(column + 1) * TURNED + row] = u16(both >> 16);
    }
  }
}

// x += a y', where `y` has TILE rows as they are.
__device__ inline void by_rows(float (&x)[MET][4], const u32 (&a)[STEPS][4], const u16 *y, const Lane &lane) {
#pragma unroll
  for (int s = 0; s < STEPS; s++)
#pragma unroll
    for (int n = 0; n < MET; n++) {
      const u16 *at = y + (n * 8 + lane.g) * PITCH + s * 16 + lane.t * 2;
      mma(x[n], a[s], *(const u32 *)at, *(const u32 *)(at + 8));
    }
}

// z += x y, where `y` has TILE rows, turned.
__device__ inline void by_columns(float (&z)[COLUMNS][4], const float (&x)[MET][4], const u16 *y, const Lane &lane) {
#pragma unroll
  for (int k = 0; k < MET / 2; k++) {
    const u32 a[4] = {pair(x[2 * k][0], x[2 * k][1]), pair(x[2 * k][2], x[2 * k][3]), pair(x[2 * k + 1][0], x[2 * k + 1][1]),
                      pair(x[2 * k + 1][2], x[2 * k + 1][3])};
#pragma unroll
    for (int n = 0; n < COLUMNS; n++) {
      const u16 *at = y + (n * 8 + lane.g) * TURNED + k * 16 + lane.t * 2;
      mma(z[n], a, *(const u32 *)at, *(const u32 *)(at + 8));
    }
  }
}

// Writes the rows of a warp, those that are there: dense rows of a head, multiplied by a factor each.
__device__ inline void write(T *to, i64 first, i64 rows, const float (&z)[COLUMNS][4], const float (&factor)[2],
                             const Lane &lane) {
#pragma unroll
  for (int h = 0; h < 2; h++) {
    const i64 row = first + lane.row + lane.g + h * 8;
    if (row >= rows) continue;
#pragma unroll
    for (int n = 0; n < COLUMNS; n++) {
      T *at = to + row * WIDTH + n * 8 + lane.t * 2;
      at[0] = factor[h] == 0.0f ? 0.0f : z[n][2 * h] * factor[h];
      at[1] = factor[h] == 0.0f ? 0.0f : z[n][2 * h + 1] * factor[h];
    }
  }
}
