// A sort of few items within a block: Batcher's bitonic network.
//
// `DZ_SORT(item, size, piece)` sorts each `piece` neighbours of `size` items in shared memory, ascending; both are powers of
// two, `piece` at least 2. All threads of the block call it; it begins and ends with a barrier. No two items are equal, as
// they carry their positions: so the result is that of a stable sort.
#define DZ_SORT(item, size, piece)                                                         \
  do {                                                                                     \
    __syncthreads();                                                                       \
    for (u32 run = 2; run <= (piece); run *= 2)                                            \
      for (u32 half = run / 2; half > 0; half /= 2) {                                      \
        for (u32 pair = threadIdx.x; pair < (size) / 2; pair += blockDim.x) {              \
          const u32 low = 2 * pair - (pair & (half - 1)), high = low + half;               \
          const bool upwards = run == (piece) || (low & run) == 0;                         \
          const auto a = (item)[low], b = (item)[high];                                    \
          if (upwards == (b < a)) {                                                        \
            (item)[low] = b;                                                               \
            (item)[high] = a;                                                              \
          }                                                                                \
        }                                                                                  \
        __syncthreads();                                                                   \
      }                                                                                    \
  } while (0)
