// The first index out of range, for the host to read with the next download.
struct Fault { unsigned set, operation, position, unused; long long found, len; };
__device__ inline void fault(Fault* f, unsigned operation, unsigned position, long long found, long long len) {
  if (atomicCAS(&f->set, 0u, 1u) != 0u) return;
  f->operation = operation; f->position = position; f->found = found; f->len = len;
}
// An index that may be negative or too large: reported, and clamped so that the kernel can go on. `len` is not 0.
__device__ inline long long checked(Fault* f, unsigned operation, unsigned position, long long found, long long len) {
  if (found >= 0 && found < len) return found;
  fault(f, operation, position, found, len);
  return found < 0 ? 0 : len - 1;
}
