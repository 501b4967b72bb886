// An affine map with numbers of channels. Defined in front: PACKED, 1 where `inner` and the places of x and out are multiples of a
// Pack, which each thread has then, and else 0. group.cuh comes first.

// out = (x − centre)·scale + shift of `len` elements, where `inner` neighbours have one channel. One thread for an element or a
// Pack; any grid.
extern "C" __global__ void channel_affine(const T *x, const T *centre, const T *scale, const T *shift, T *out, i64 len,
                                          i64 channels, i64 inner) {
  const int N = PACKED ? Pack<T>::N : 1;
  DZ_FOR(k, len / N) {
    const i64 i = k * N;
    const i64 c = len <= 0x7fffffff ? i64(u32(i) / u32(inner) % u32(channels)) : i / inner % channels;
    const T m = centre[c], a = scale[c], b = shift[c];
    if (PACKED) {
      Pack<T> v = *(const Pack<T> *)(x + i);
#pragma unroll
      for (int j = 0; j < Pack<T>::N; j++) v.at[j] = (v.at[j] - m) * a + b;
      *(Pack<T> *)(out + i) = v;
    } else {
      out[i] = (x[i] - m) * a + b;
    }
  }
}
