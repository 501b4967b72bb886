//! Norms of rows, and numbers of channels.

use super::reduce::{Fold, Given, first, fold_to};
use super::rows::{GROUP, Way, pack};
use super::*;
use differentiable_gpu::Arg;
use differentiable_gpu::text::{CHANNELS, NORM};

/// A dense operand begins at a multiple of [`pack`].
fn fits<T: Elem>(layout: &Layout) -> bool {
    layout.offset().is_multiple_of(pack::<T>())
}

fn run<T: Float>(cuda: &Cuda, kernel: &'static str, way: Way, grid: [usize; 3], args: Args<'_>) {
    let key = Key::new::<T>("norm", way.of());
    cuda.run_blocks(key, kernel, || way.head() + NORM, grid, launch::BLOCK, args);
}

/// The sizes, in the order of the kernels' parameters.
fn sizes<'a>(args: Args<'a>, s: &NormShape) -> Args<'a> {
    let int = |n: usize| i32::try_from(n).expect("a row is shorter than 2³¹");
    let args = args.size(s.rows).push(int(s.width)).push(int(s.groups));
    args.push(int(s.per_group)).push(int(s.inner))
}

pub(super) fn norm<T: Float>(
    cuda: &Cuda,
    shape: &NormShape,
    x: View<'_, T, Cuda>,
    scale: View<'_, T, Cuda>,
    shift: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
    stats: ViewMut<'_, T, Cuda>,
) {
    if out.layout.numel() == 0 {
        return;
    }
    let way = Way::new::<T>(shape.width, fits::<T>(&x.layout) && fits::<T>(&out.layout));
    let args = Args::default()
        .dense(x.buf, &x.layout)
        .dense(scale.buf, &scale.layout)
        .dense(shift.buf, &shift.layout);
    let args = args
        .dense(&*out.buf, &out.layout)
        .dense(&*stats.buf, &stats.layout);
    let args = sizes(args, shape)
        .push(shape.eps)
        .push(i32::from(shape.centred));
    run::<T>(cuda, "norm_rows", way, way.grid(shape.rows), args);
}

/// The differential of the normalised rows, of `t` times the scale; `sums` of each block.
#[allow(clippy::too_many_arguments, reason = "operands are views of buffers")]
fn pull<'a, T: Float>(
    cuda: &Cuda,
    shape: &NormShape,
    way: Way,
    blocks: usize,
    x: View<'a, T, Cuda>,
    stats: View<'a, T, Cuda>,
    scale: Arg<'a>,
    t: View<'a, T, Cuda>,
    out: (&'a CudaBuf<T>, Layout),
    sums: Arg<'a>,
) {
    let args = Args::default()
        .dense(x.buf, &x.layout)
        .dense(stats.buf, &stats.layout)
        .push(scale);
    let args = args.dense(t.buf, &t.layout).dense(out.0, &out.1).push(sums);
    let args = sizes(args, shape).push(i32::from(shape.centred));
    run::<T>(cuda, "norm_pull", way, [blocks, 1, 1], args);
}

/// How many blocks take the rows where each keeps sums: as many as a large card runs, but with some rows each.
fn blocks(tiles: usize) -> usize {
    tiles.min((tiles / 4).clamp(132, 528))
}

#[allow(clippy::too_many_arguments, reason = "as the method of the seam")]
pub(super) fn norm_pullback<T: Float>(
    cuda: &Cuda,
    shape: &NormShape,
    x: View<'_, T, Cuda>,
    stats: View<'_, T, Cuda>,
    scale: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    d_x: ViewMut<'_, T, Cuda>,
    d_scale: ViewMut<'_, T, Cuda>,
    d_shift: ViewMut<'_, T, Cuda>,
) {
    if d_x.layout.numel() == 0 {
        elementwise::fill(cuda, T::ZERO, d_scale);
        return elementwise::fill(cuda, T::ZERO, d_shift);
    }
    let NormShape {
        rows,
        width,
        groups,
        per_group,
        inner,
        ..
    } = *shape;
    let way = Way::new::<T>(
        width,
        [&x.layout, &ct.layout, &d_x.layout]
            .into_iter()
            .all(fits::<T>),
    );
    let by = first(scale.buf, &scale.layout);
    let out = (&*d_x.buf, d_x.layout);
    if groups == 1 && inner == 1 && way.per > 0 {
        let blocks = blocks(way.tiles(rows));
        let sums = CudaBuf::<T>::new(cuda, blocks * 2 * width);
        pull(
            cuda,
            shape,
            way,
            blocks,
            x,
            stats,
            by,
            ct,
            out,
            sums.memory().into(),
        );
        let args = Args::default()
            .buffer(&sums)
            .push(blocks as i32)
            .push(width as i32);
        let args = args
            .dense(&*d_scale.buf, &d_scale.layout)
            .dense(&*d_shift.buf, &d_shift.layout);
        run::<T>(
            cuda,
            "norm_sums",
            way,
            [(2 * width).div_ceil(32), 1, 1],
            args,
        );
        return;
    }
    pull(
        cuda,
        shape,
        way,
        way.grid(rows)[0],
        x,
        stats,
        by,
        ct,
        out,
        Arg::Address(0),
    );
    // The sums over images and the entries of a channel.
    assert_eq!(rows % groups, 0, "rows of all groups");
    let channels = groups * per_group;
    let all = |layout: &Layout| {
        Layout::dense(Dims::new(&[rows / groups, channels, inner])).at(layout.offset())
    };
    let (x, z) = (
        View {
            layout: all(&x.layout),
            ..x
        },
        View {
            layout: all(&ct.layout),
            ..ct
        },
    );
    let of_rows = (first(stats.buf, &stats.layout), Layout::dense(Dims::SCALAR));
    let second = first(&*d_shift.buf, &d_shift.layout);
    let given = Given {
        z: Some(z),
        a: Some(of_rows),
        second: Some(second),
        flag: width as i32,
        ..Given::default()
    };
    let to = Layout::dense(Dims::new(&[1, channels, 1])).at(d_scale.layout.offset());
    fold_to(cuda, Fold::NormSums, x, given, (&*d_scale.buf, to));
}

pub(super) fn norm_pushforward<T: Float>(
    cuda: &Cuda,
    shape: &NormShape,
    x: View<'_, T, Cuda>,
    stats: View<'_, T, Cuda>,
    t: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    if out.layout.numel() == 0 {
        return;
    }
    let way = Way::new::<T>(
        shape.width,
        [&x.layout, &t.layout, &out.layout]
            .into_iter()
            .all(fits::<T>),
    );
    let (none, to) = (Arg::Address(0), (&*out.buf, out.layout));
    pull(
        cuda,
        shape,
        way,
        way.grid(shape.rows)[0],
        x,
        stats,
        none,
        t,
        to,
        none,
    );
}

pub(super) fn channel_affine<T: Float>(
    cuda: &Cuda,
    sizes: [usize; 3],
    x: View<'_, T, Cuda>,
    centre: View<'_, T, Cuda>,
    scale: View<'_, T, Cuda>,
    shift: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let [_, channels, inner] = sizes;
    let len = out.layout.numel();
    let packed = inner % pack::<T>() == 0 && fits::<T>(&x.layout) && fits::<T>(&out.layout);
    let args = Args::default()
        .dense(x.buf, &x.layout)
        .dense(centre.buf, &centre.layout);
    let args = args
        .dense(scale.buf, &scale.layout)
        .dense(shift.buf, &shift.layout)
        .dense(&*out.buf, &out.layout);
    let args = args.size(len).size(channels).size(inner);
    let key = Key::new::<T>("channels", Of::Kind(u64::from(packed)));
    let text = || format!("#define PACKED {}\n{GROUP}{CHANNELS}", u8::from(packed));
    cuda.run(
        key,
        "channel_affine",
        text,
        len / if packed { pack::<T>() } else { 1 },
        args,
    );
}

pub(super) fn channel_moments<T: Float>(
    cuda: &Cuda,
    sizes: [usize; 3],
    x: View<'_, T, Cuda>,
    centre: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let dense = |dims: [usize; 3], layout: &Layout| {
        assert!(layout.is_contiguous(), "this operand is dense");
        Layout::dense(Dims::new(&dims)).at(layout.offset())
    };
    let of_channels = [1, sizes[1], 1];
    let (x, z) = (
        View {
            layout: dense(sizes, &x.layout),
            ..x
        },
        View {
            layout: dense(sizes, &ct.layout),
            ..ct
        },
    );
    let centre = (
        centre.buf.memory().into(),
        dense(of_channels, &centre.layout),
    );
    let given = Given {
        z: Some(z),
        a: Some(centre),
        ..Given::default()
    };
    fold_to(
        cuda,
        Fold::Moments,
        x,
        given,
        (&*out.buf, dense(of_channels, &out.layout)),
    );
}
