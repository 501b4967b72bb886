//! Images: convolutions, pooling, other sizes.

mod conv;

pub(super) use conv::{conv, conv_input, conv_weight, fold_windows, unfold_windows};

use super::flat::Fields;
use super::*;
use differentiable_gpu::Arg;
use differentiable_gpu::text::{POOL, RESAMPLE, WINDOWS};

fn windows(w: &Windows, fields: Fields) -> Fields {
    fields
        .sizes(&w.size)
        .sizes(&w.stride)
        .sizes(&w.pad)
        .sizes(&w.dilation)
}

/// `Pool` of pool.cu.
fn pool_fields(s: &PoolShape) -> Fields {
    let fields = Fields::default().sizes(&[s.rows, usize::from(s.windows.is_some())]);
    let one = Windows {
        size: [1; 3],
        stride: [1; 3],
        pad: [0; 3],
        dilation: [1; 3],
    };
    windows(&s.windows.unwrap_or(one), fields)
        .sizes(&s.input)
        .sizes(&s.output)
}

/// Runs a kernel of pool.cu.
fn pool_kernel<T: Float>(
    cuda: &Cuda,
    s: &PoolShape,
    kernel: &'static str,
    threads: usize,
    args: Args<'_>,
) {
    if threads == 0 {
        return;
    }
    let entry_of = |axis: usize, i: usize| match &s.windows {
        Some(w) => (0..w.size[axis])
            .filter_map(|k| (i * w.stride[axis] + k * w.dilation[axis]).checked_sub(w.pad[axis]))
            .any(|at| at < s.input[axis]),
        None => s.input[axis] > 0,
    };
    assert!(
        (0..3).all(|axis| (0..s.output[axis]).all(|i| entry_of(axis, i))),
        "a window has an entry inside the input"
    );
    let key = Key::new::<T>("pool", Of::All);
    cuda.run(key, kernel, || [WINDOWS, POOL].concat(), threads, args);
}

/// Entries of all inputs and of all outputs.
fn pool_lens(s: &PoolShape) -> (usize, usize) {
    (
        s.rows * s.input.iter().product::<usize>(),
        s.rows * s.output.iter().product::<usize>(),
    )
}

pub(super) fn pool<T: Float>(
    cuda: &Cuda,
    op: PoolOp,
    s: &PoolShape,
    x: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let fields = pool_fields(s);
    let args = Args::default().push(fields.arg()).push(op as i32);
    let args = args.dense(x.buf, &x.layout).dense(out.buf, &out.layout);
    pool_kernel::<T>(cuda, s, "pool", pool_lens(s).1, args);
}

pub(super) fn pool_pullback<T: Float>(
    cuda: &Cuda,
    op: PoolOp,
    s: &PoolShape,
    x: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let (n, m) = pool_lens(s);
    if m == 0 {
        return elementwise::fill(cuda, T::ZERO, out);
    }
    let fields = pool_fields(s);
    // Where windows overlap, the largest entry of each is sought once.
    let overlap = s
        .windows
        .is_some_and(|w| (0..3).any(|axis| w.reach(axis) > w.stride[axis]));
    let places = (op == PoolOp::Max && overlap).then(|| CudaBuf::<u32>::new(cuda, m));
    if let Some(places) = &places {
        assert!(u32::try_from(n / s.rows).is_ok(), "an image of 2³² entries");
        let args = Args::default()
            .push(fields.arg())
            .dense(x.buf, &x.layout)
            .buffer(places);
        pool_kernel::<T>(cuda, s, "pool_places", m, args);
    }
    let args = Args::default()
        .push(fields.arg())
        .push(op as i32)
        .dense(x.buf, &x.layout);
    let args = match &places {
        Some(places) => args.buffer(places),
        None => args.push(Arg::Address(0)),
    };
    let args = args.dense(ct.buf, &ct.layout).dense(out.buf, &out.layout);
    pool_kernel::<T>(cuda, s, "pool_pullback", n, args);
}

pub(super) fn pool_pushforward<T: Float>(
    cuda: &Cuda,
    s: &PoolShape,
    x: View<'_, T, Cuda>,
    t: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let fields = pool_fields(s);
    let args = Args::default()
        .push(fields.arg())
        .dense(x.buf, &x.layout)
        .dense(t.buf, &t.layout);
    pool_kernel::<T>(
        cuda,
        s,
        "pool_pushforward",
        pool_lens(s).1,
        args.dense(out.buf, &out.layout),
    );
}

/// Runs a kernel of resample.cu.
fn resampled<T: Float>(
    cuda: &Cuda,
    s: &Resample,
    kernel: &'static str,
    x: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let empty = (0..2).any(|axis| s.input[axis] == 0 && s.output[axis] > 0);
    assert!(!empty, "an image without entries cannot be made larger");
    let fields = Fields::default()
        .sizes(&[s.by as usize, s.images])
        .sizes(&s.input)
        .sizes(&s.output);
    let args = Args::default()
        .push(fields.arg())
        .dense(x.buf, &x.layout)
        .dense(out.buf, &out.layout);
    let key = Key::new::<T>("resample", Of::All);
    cuda.run(
        key,
        kernel,
        || RESAMPLE.to_owned(),
        out.layout.numel(),
        args,
    );
}

pub(super) fn resample<T: Float>(
    cuda: &Cuda,
    s: &Resample,
    x: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    resampled(cuda, s, "resample", x, out);
}

pub(super) fn resample_pullback<T: Float>(
    cuda: &Cuda,
    s: &Resample,
    ct: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    resampled(cuda, s, "resample_pullback", ct, out);
}
