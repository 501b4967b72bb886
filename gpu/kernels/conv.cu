// Convolutions: what is done besides the products of matrices, for which see autodiff-core/src/device/cuda/images.rs.
//
// `unfold` writes for each entry of a window the entries of the image that it meets, as a column for each window (Chellapilla
// et al. 2006); then a convolution is a product with the matrix of the weights. `fold` is the transpose. It gathers: each
// entry of the image sums what its windows have for it, in the order of the entries of a window.
//
// Where each output has one channel of the input (depthwise), a product has nothing to gain, and the sums are written out.

// `ConvShape` in autodiff-core/src/device/window.rs; `channels` are those of all groups.
struct Conv {
  i64 channels, out_channels;
  Windows w;
  i64 input[3], output[3];
  __device__ i64 places() const { return input[0] * input[1] * input[2]; }
  __device__ i64 columns() const { return output[0] * output[1] * output[2]; }
  __device__ i64 volume() const { return w.size[0] * w.size[1] * w.size[2]; }
};

// Position i as three.
struct Place {
  i64 at[3];
  __device__ Place(i64 i, const i64 *sizes) {
    at[2] = taken(i, sizes[2]);
    at[1] = taken(i, sizes[1]);
    at[0] = i;
  }
};

// Calls f(entry of the window, position in the image) for all entries of window `o` that lie inside.
template <class F> __device__ inline void entries(const Conv &s, const Place &o, F f) {
  const Span a = inside(s.w, 0, o.at[0], s.input[0]), b = inside(s.w, 1, o.at[1], s.input[1]),
             c = inside(s.w, 2, o.at[2], s.input[2]);
  i64 from[3];
  for (int k = 0; k < 3; k++) from[k] = o.at[k] * s.w.stride[k] - s.w.pad[k];
  for (i64 i = a.first; i < a.last; i++)
    for (i64 j = b.first; j < b.last; j++) {
      const i64 line = ((from[0] + i * s.w.dilation[0]) * s.input[1] + from[1] + j * s.w.dilation[1]) * s.input[2] + from[2];
      const i64 e = (i * s.w.size[1] + j) * s.w.size[2];
      for (i64 k = c.first; k < c.last; k++) f(e + k, line + k * s.w.dilation[2]);
    }
}

// Calls f(entry of the window, window) for all windows with an entry at `p`, in the order of the entries.
template <class F> __device__ inline void windows_at(const Conv &s, const Place &p, F f) {
  const Span a = meeting(s.w, 0, p.at[0], s.output[0]), b = meeting(s.w, 1, p.at[1], s.output[1]),
             c = meeting(s.w, 2, p.at[2], s.output[2]);
  for (i64 i = a.last - 1; i >= a.first; i--) {
    const i64 ei = entry(s.w, 0, p.at[0], i);
    if (ei < 0) continue;
    for (i64 j = b.last - 1; j >= b.first; j--) {
      const i64 ej = entry(s.w, 1, p.at[1], j);
      if (ej < 0) continue;
      const i64 e = (ei * s.w.size[1] + ej) * s.w.size[2], line = (i * s.output[1] + j) * s.output[2];
      for (i64 k = c.last - 1; k >= c.first; k--) {
        const i64 ek = entry(s.w, 2, p.at[2], k);
        if (ek >= 0) f(e + ek, line + k);
      }
    }
  }
}

// The windows of `images` images as columns, in elements of type U. Entry e of channel c is row c · volume + e; from row to row
// there are `row_step` elements, from image to image `image_step`. One thread for each channel and window of each image: it
// writes a column of `volume` rows, so neighbours write neighbours.
extern "C" __global__ void __launch_bounds__(256) unfold(Conv s, const T *x, i64 images, U *out, i64 image_step, i64 row_step) {
  const i64 columns = s.columns(), n1 = s.input[1], n2 = s.input[2];
  DZ_FOR(i, images * s.channels * columns) {
    i64 image = i;
    const i64 column = taken(image, columns);
    const T *from = x + image * s.places();
    const i64 c = taken(image, s.channels);
    const Place o(column, s.output);
    U *to = out + image * image_step + c * s.volume() * row_step + column;
    i64 p0 = o.at[0] * s.w.stride[0] - s.w.pad[0];
    for (i64 a = 0; a < s.w.size[0]; a++, p0 += s.w.dilation[0]) {
      i64 p1 = o.at[1] * s.w.stride[1] - s.w.pad[1];
      for (i64 b = 0; b < s.w.size[1]; b++, p1 += s.w.dilation[1]) {
        const bool line = u64(p0) < u64(s.input[0]) && u64(p1) < u64(n1);
        const T *at = from + (p0 * n1 + p1) * n2;
        i64 p2 = o.at[2] * s.w.stride[2] - s.w.pad[2];
        for (i64 e = 0; e < s.w.size[2]; e++, p2 += s.w.dilation[2], to += row_step)
          *to = U(line && u64(p2) < u64(n2) ? at[p2] : T(0));
      }
    }
  }
}

// The transpose: each entry of the images is the sum of those of `matrix` (images, channels · volume, windows) that it was
// copied to. One thread for each.
extern "C" __global__ void __launch_bounds__(256) fold(Conv s, const T *matrix, i64 images, T *out) {
  const i64 columns = s.columns(), volume = s.volume();
  DZ_FOR(i, images * s.channels * s.places()) {
    i64 channel = i;
    const Place p(taken(channel, s.places()), s.input);
    const T *from = matrix + channel * volume * columns;
    T sum = T(0);
    windows_at(s, p, [&](i64 e, i64 window) { sum += from[e * columns + window]; });
    out[i] = sum;
  }
}

// Convolution where each group has one channel of the input: one thread for each output. `w`: outputs, entries of a window.
extern "C" __global__ void __launch_bounds__(256) conv_depthwise(Conv s, const T *x, const T *w, i64 images, T *out) {
  const i64 columns = s.columns(), volume = s.volume(), each = s.out_channels / s.channels;
  DZ_FOR(i, images * s.out_channels * columns) {
    i64 image = i;
    const Place o(taken(image, columns), s.output);
    const i64 k = taken(image, s.out_channels);
    i64 c = k;
    taken(c, each);
    const T *from = x + (image * s.channels + c) * s.places(), *weights = w + k * volume;
    T sum = T(0);
    entries(s, o, [&](i64 e, i64 at) { sum += weights[e] * from[at]; });
    out[i] = sum;
  }
}

// The cotangent of its input: one thread for each.
extern "C" __global__ void __launch_bounds__(256) conv_input_depthwise(Conv s, const T *w, const T *ct, i64 images, T *out) {
  const i64 columns = s.columns(), volume = s.volume(), each = s.out_channels / s.channels;
  DZ_FOR(i, images * s.channels * s.places()) {
    i64 channel = i;
    const Place p(taken(channel, s.places()), s.input);
    i64 image = channel;
    const i64 c = taken(image, s.channels);
    const T *from = ct + channel * each * columns, *weights = w + c * each * volume;
    T sum = T(0);
    windows_at(s, p, [&](i64 e, i64 window) {
      for (i64 k = 0; k < each; k++) sum += weights[k * volume + e] * from[k * columns + window];
    });
    out[i] = sum;
  }
}

// The cotangent of its weights: one block of 256 threads for each, which sums over images and windows.
extern "C" __global__ void __launch_bounds__(256) conv_weight_depthwise(Conv s, const T *x, const T *ct, i64 images, T *out) {
  __shared__ T part[256];
  const i64 columns = s.columns(), volume = s.volume(), each = s.out_channels / s.channels;
  for (i64 i = blockIdx.x; i < s.out_channels * volume; i += gridDim.x) {
    i64 k = i;
    const Place e(taken(k, volume), s.w.size);
    i64 c = k;
    taken(c, each);
    i64 from[3];
    for (int a = 0; a < 3; a++) from[a] = e.at[a] * s.w.dilation[a] - s.w.pad[a];
    T sum = T(0);
    for (i64 j = threadIdx.x; j < images * columns; j += 256) {
      i64 image = j;
      const i64 window = taken(image, columns);
      const Place o(window, s.output);
      i64 at = 0;
      bool inside = true;
      for (int a = 0; a < 3; a++) {
        const i64 p = from[a] + o.at[a] * s.w.stride[a];
        inside = inside && u64(p) < u64(s.input[a]);
        at = at * s.input[a] + p;
      }
      if (inside) sum += ct[(image * s.out_channels + k) * columns + window] * x[(image * s.channels + c) * s.places() + at];
    }
    part[threadIdx.x] = sum;
    for (int half = 128; half > 0; half /= 2) {
      __syncthreads();
      if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) out[i] = part[0];
    __syncthreads();
  }
}
