// Triangles of matrices. T is the type of the elements.

// Zero above the k-th diagonal of each matrix of `out`, which is dense with `len` elements; below it where `upper`. |k| is at
// most rows + columns. One thread for each element.
extern "C" __global__ void triangle(bool upper, i64 k, T *out, i64 len, i64 rows, i64 columns) {
  DZ_FOR(i, len) {
    const i64 line = i / columns, column = i - line * columns, edge = line % rows + k;
    if (upper ? column < edge : column > edge) out[i] = T(0);
  }
}
