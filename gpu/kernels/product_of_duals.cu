// Products of matrices of numbers with tangents, (a + a'e)(b + b'e) = ab + (a'b + ab')e, in tiles of 16 by 16.
// Defined in front: FACTOR, the type that numbers are rounded to as they are read.

template <typename V> __device__ inline V rounded(V x) { return V(FACTOR(x)); }
template <typename V, int K> __device__ inline Dual<V, K> rounded(Dual<V, K> x) {
  x.value = rounded(x.value);
  for (int k = 0; k < K; k++) x.tangent[k] = rounded(x.tangent[k]);
  return x;
}

// From row to row, and from column to column.
struct Steps {
  i64 row, column;
};

// out = a b, and `beta` times what it was where `add`. The nest has the first elements of the matrices a, b and out. Blocks of
// 256 threads take tiles of results; any grid.
extern "C" __global__ void __launch_bounds__(256) product(const T *a, const T *b, T *out, T beta, int add, i64 rows, i64 depth,
                                                          i64 columns, Steps of_a, Steps of_b, Steps of_out,
                                                          DZ_BY_VALUE Nest<3> batch) {
  __shared__ T left[16][16], right[16][16];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  // Neighbours read neighbours.
  const bool a_down = of_a.column != 1, b_down = of_b.column != 1;
  const i64 down = (rows + 15) / 16, across = (columns + 15) / 16;
  for (i64 tile = blockIdx.x; tile < batch.len * down * across; tile += gridDim.x) {
    const i64 of = tile / (down * across), in = tile - of * (down * across);
    const i64 row = in / across * 16, column = in % across * 16;
    const T *from_a = a + batch.at(0, of), *from_b = b + batch.at(1, of);
    T sum = T(0);
    for (i64 first = 0; first < depth; first += 16) {
      const int ar = a_down ? x : y, ac = a_down ? y : x, br = b_down ? x : y, bc = b_down ? y : x;
      left[ar][ac] = row + ar < rows && first + ac < depth
                         ? rounded(from_a[(row + ar) * of_a.row + (first + ac) * of_a.column]) : T(0);
      right[br][bc] = first + br < depth && column + bc < columns
                          ? rounded(from_b[(first + br) * of_b.row + (column + bc) * of_b.column]) : T(0);
      __syncthreads();
      for (int k = 0; k < 16; k++) sum += left[y][k] * right[k][x];
      __syncthreads();
    }
    if (row + y >= rows || column + x >= columns) continue;
    T &to = out[batch.at(2, of) + (row + y) * of_out.row + (column + x) * of_out.column];
    to = add ? beta * to + sum : sum;
  }
}
