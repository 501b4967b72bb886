//! Attention by tensor cores, which multiply numbers of half precision: for [`Mixed`](crate::ad::Mixed) numbers.

use super::*;
use differentiable_gpu::text::{
    ATTENTION_TENSOR, ATTENTION_TENSOR_PULLBACK, ATTENTION_TENSOR_SHARED,
};

/// Rows of a block, and its threads: `ROWS` of attention_tensor.cuh.
const ROWS: usize = 64;
const THREADS: u32 = 128;

/// Whether the kernels take these operands.
pub(super) fn takes<T: Float>(cuda: &Cuda, input: &AttentionInput<'_, T, Cuda>) -> bool {
    let s = input.shape;
    cuda.state().tensor_cores
        && cuda.gpu.properties().arch >= 80
        && matches!(T::DTYPE, DType::MixedBf16 | DType::MixedF16)
        && matches!(input.mask, AttentionMask::None | AttentionMask::Lengths(_))
        && s.dropout.is_none()
        && s.width == s.value_width
        && s.width.is_multiple_of(16)
        && (16..=128).contains(&s.width)
}

fn run<T: Float>(
    cuda: &Cuda,
    [family, file, kernel]: [&'static str; 3],
    width: usize,
    blocks: usize,
    args: Args<'_>,
) {
    let half = match T::DTYPE {
        DType::MixedF16 => "#define DZ_F16\n",
        _ => "",
    };
    let text = || {
        format!("#define DZ_WIDTH {width}\n{half}{ATTENTION_SHARED}{ATTENTION_TENSOR_SHARED}{file}")
    };
    let key = Key::new::<T>(family, Of::Kind(width as u64));
    let grid = [blocks.min(1 << 30), 1, 1];
    cuda.run_blocks(key, kernel, text, grid, THREADS, args);
}

/// The output and the statistics of rows; `args` are those of the kernel.
pub(super) fn forward<T: Float>(cuda: &Cuda, s: &AttentionShape, args: Args<'_>) {
    let kernel = ["attention_tensor", ATTENTION_TENSOR, "attention_tensor"];
    let blocks = s.heads * s.queries.div_ceil(ROWS);
    run::<T>(cuda, kernel, s.width, blocks, args);
}

/// The cotangents of queries.
pub(super) fn queries<T: Float>(cuda: &Cuda, s: &AttentionShape, args: Args<'_>) {
    let blocks = s.heads * s.queries.div_ceil(ROWS);
    pullback::<T>(cuda, s, "attention_tensor_queries", blocks, args);
}

/// The cotangents of keys and values.
pub(super) fn keys<T: Float>(cuda: &Cuda, s: &AttentionShape, args: Args<'_>) {
    let blocks = s.heads / s.group * s.keys.div_ceil(ROWS);
    pullback::<T>(cuda, s, "attention_tensor_keys", blocks, args);
}

fn pullback<T: Float>(
    cuda: &Cuda,
    s: &AttentionShape,
    kernel: &'static str,
    blocks: usize,
    args: Args<'_>,
) {
    let file = ATTENTION_TENSOR_PULLBACK;
    let kernel = ["attention_tensor_pullback", file, kernel];
    run::<T>(cuda, kernel, s.width, blocks, args);
}
