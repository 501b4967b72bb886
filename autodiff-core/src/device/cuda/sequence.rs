//! Running sums and products, sorting, triangles, whole numbers.

use super::flat::Copied;
use super::*;
use differentiable_gpu::Arg;
use differentiable_gpu::text::{INTEGER, ORDER, RADIX, SCAN, SCAN_LONG, SORT, TRIANGLE};

/// Blocks that keep a card busy.
const BUSY: usize = 1024;

/// Blocks of a launch at most; each goes on with the next part.
const MOST: usize = 1 << 20;

/// The beginnings of rows, which are the last axis; the size of a row, and the step inside.
fn rows(layout: &Layout) -> (Layout, usize, usize) {
    let last = layout.dims().rank() - 1;
    (
        layout.slice(last, 0, 1),
        layout.dims()[last],
        layout.strides()[last],
    )
}

/// Sorts each row by the lowest `bits` of its keys, which are `u32` or `i64` taken without a sign: the keys in order, and
/// their positions. Equal keys keep their order.
pub(super) fn radix_sort<K: Elem>(
    cuda: &Cuda,
    keys: CudaBuf<K>,
    rows: usize,
    width: usize,
    bits: u32,
) -> (CudaBuf<K>, CudaBuf<u32>) {
    let (tiles, lists) = (width.div_ceil(2048), 256 * rows);
    let all = rows * tiles;
    let (counts, totals) = (
        CudaBuf::<u32>::new(cuda, 256 * all),
        CudaBuf::<u32>::new(cuda, lists),
    );
    let run = |kernel, blocks: usize, args: Args<'_>| {
        let key = Key::new::<K>("radix", Of::All);
        cuda.run_blocks(
            key,
            kernel,
            || RADIX.to_owned(),
            [blocks.min(MOST), 1, 1],
            launch::BLOCK,
            args,
        );
    };
    let (mut keys, mut positions) = (keys, None);
    for shift in (0..bits.max(1) as i32).step_by(8) {
        let args = Args::default().buffer(&keys).buffer(&counts);
        run(
            "radix_count",
            all,
            args.size(all).size(tiles).size(width).push(shift),
        );
        let args = Args::default()
            .buffer(&counts)
            .buffer(&totals)
            .size(lists)
            .size(tiles);
        match tiles {
            0..16 => run("radix_sums_few", lists.div_ceil(256), args),
            _ => run("radix_sums", lists.div_ceil(8), args),
        }
        let (to, moved) = (
            CudaBuf::new(cuda, rows * width),
            CudaBuf::new(cuda, rows * width),
        );
        let args = Args::default().buffer(&keys);
        let args = match &positions {
            Some(positions) => args.buffer(positions),
            None => args.push(Arg::Address(0)),
        };
        let args = args
            .buffer(&to)
            .buffer(&moved)
            .buffer(&counts)
            .buffer(&totals);
        run(
            "radix_move",
            all,
            args.size(all).size(tiles).size(width).push(shift),
        );
        (keys, positions) = (to, Some(moved));
    }
    (keys, positions.expect("a pass"))
}

pub(super) fn argsort<T: Elem>(
    cuda: &Cuda,
    order: SortOrder,
    x: View<'_, T, Cuda>,
    out: ViewMut<'_, i64, Cuda>,
) {
    if out.layout.numel() == 0 {
        return;
    }
    let (heads, width, step) = rows(&x.layout);
    let keep = out.layout.dims()[out.layout.dims().rank() - 1];
    assert!(
        u32::try_from(width).is_ok(),
        "at most 2³² elements are sorted"
    );
    let descending = u8::from(order == SortOrder::Descending);
    if width > 2048 {
        return match T::DTYPE {
            DType::F64 | DType::I64 => sort_long::<T, i64>(cuda, descending, x, out, 64),
            DType::U8 | DType::Bool => sort_long::<T, u32>(cuda, descending, x, out, 8),
            _ => sort_long::<T, u32>(cuda, descending, x, out, 32),
        };
    }
    let piece = width.next_power_of_two().max(2);
    let chunk = piece.max(512);
    let blocks = heads.numel().div_ceil(chunk / piece);
    let args = Args::default()
        .operand(x.buf, heads)
        .dense(out.buf, &out.layout)
        .size(width)
        .size(step)
        .size(keep);
    let args = args
        .push(piece as u32)
        .push(chunk as u32)
        .push(descending)
        .nest(heads.dims());
    let (key, text) = (Key::new::<T>("sort", Of::All), || [ORDER, SORT].concat());
    cuda.run_blocks(
        key,
        "sort_rows",
        text,
        [blocks.min(MOST), 1, 1],
        launch::BLOCK,
        args,
    );
}

fn sort_long<T: Elem, K: Elem>(
    cuda: &Cuda,
    descending: u8,
    x: View<'_, T, Cuda>,
    out: ViewMut<'_, i64, Cuda>,
    bits: u32,
) {
    let (dims, len) = (*x.layout.dims(), out.layout.numel());
    let (width, keep) = (dims[dims.rank() - 1], out.layout.dims()[dims.rank() - 1]);
    let keys = CudaBuf::<K>::new(cuda, dims.numel());
    let run = |kernel, threads, args: Args<'_>| {
        let key = Key::new::<T>("sort", Of::All);
        cuda.run(key, kernel, || [ORDER, SORT].concat(), threads, args);
    };
    let args = Args::default()
        .operand(x.buf, x.layout)
        .buffer(&keys)
        .push(descending);
    run("sort_keys", dims.numel(), args.nest(&dims));
    let (_, positions) = radix_sort(cuda, keys, dims.numel() / width, width, bits);
    let args = Args::default()
        .buffer(&positions)
        .dense(out.buf, &out.layout);
    run("sort_first", len, args.size(len).size(width).size(keep));
}

/// The logarithm of how many elements a tile of a walk has: three of them fit into shared memory.
fn tile_log<T: Elem>() -> u32 {
    match size_of::<T>() {
        0..=8 => 10,
        9..=16 => 9,
        17..=32 => 8,
        _ => 7,
    }
}

fn scan_text<T: Elem>() -> String {
    let long = if T::DTYPE == DType::Dual {
        ""
    } else {
        SCAN_LONG
    };
    format!("#define TILE_LOG {}\n{SCAN}{long}", tile_log::<T>())
}

/// Goes through rows one element after the other. `op` is the first argument of the kernel, if it has one.
fn walk<T: Float, const N: usize>(
    cuda: &Cuda,
    kernel: &'static str,
    op: Option<i32>,
    x: [View<'_, T, Cuda>; N],
    out: ViewMut<'_, T, Cuda>,
) {
    if out.layout.numel() == 0 {
        return;
    }
    let all = x.map(|x| rows(&x.layout));
    let (dims, width) = (*all[0].0.dims(), all[0].1);
    let count = dims.numel();
    // Rows together: as many as keep the card busy, or more where they are short.
    let log = |n: usize| n.max(1).ilog2().min(5);
    let log = log(count / 256)
        .max(log((1 << tile_log::<T>()) / width.next_power_of_two()))
        .min(log(count.next_power_of_two()));
    // Neighbouring rows are neighbours in memory where the axis before the last has step 1.
    let beside = |l: &Layout| {
        let axes = l.dims().iter().zip(l.strides());
        axes.rev()
            .find(|(size, _)| **size > 1)
            .is_some_and(|(_, step)| *step == 1)
    };
    let fast = all
        .iter()
        .enumerate()
        .fold(0, |bits, (k, (heads, _, step))| {
            bits | u32::from(*step != 1 && beside(heads)) << k
        });
    let mut fields = (width as u64).to_ne_bytes().to_vec();
    fields.extend([log, fast].map(u32::to_ne_bytes).concat());
    all.iter()
        .for_each(|(_, _, step)| fields.extend((*step as u64).to_ne_bytes()));
    let args = op
        .into_iter()
        .fold(Args::default(), |args, op| args.push(op));
    let args = x
        .iter()
        .zip(&all)
        .fold(args, |args, (x, (heads, ..))| args.operand(x.buf, *heads));
    let args = args
        .dense(out.buf, &out.layout)
        .push(Arg::Bytes(&fields))
        .nest(&dims);
    let (key, blocks) = (
        Key::new::<T>("scan", Of::All),
        count.div_ceil(1 << log).min(MOST),
    );
    cuda.run_blocks(
        key,
        kernel,
        scan_text::<T>,
        [blocks, 1, 1],
        launch::BLOCK,
        args,
    );
}

pub(super) fn scan<T: Float>(
    cuda: &Cuda,
    op: ScanOp,
    x: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let number = match op {
        ScanOp::Sum => 0,
        ScanOp::SumFromEnd => 1,
        ScanOp::Prod => 2,
    };
    if out.layout.numel() == 0 {
        return;
    }
    let (heads, width, step) = rows(&x.layout);
    if op == ScanOp::Prod || width < 256 || T::DTYPE == DType::Dual {
        return walk(cuda, "walk_rows", Some(number), [x], out);
    }
    let copied = (step != 1).then(|| Copied::dense(cuda, x));
    let (buf, heads) = copied
        .as_ref()
        .map_or((x.buf, heads), |x| (x.buf(), rows(&x.layout).0));
    let count = heads.numel();
    let tiles = width.div_ceil(2048);
    let each = tiles.div_ceil((BUSY / count).clamp(1, tiles));
    let parts = tiles.div_ceil(each);
    let run = |kernel, args: Args<'_>| {
        let key = Key::new::<T>("scan", Of::All);
        let args = args.size(width).size(parts).size(each).nest(heads.dims());
        let grid = [(count * parts).min(MOST), 1, 1];
        cuda.run_blocks(key, kernel, scan_text::<T>, grid, launch::BLOCK, args);
    };
    let args = || {
        Args::default()
            .push(u8::from(op == ScanOp::SumFromEnd))
            .operand(buf, heads)
    };
    let sums = (parts > 1).then(|| CudaBuf::<T>::new(cuda, count * parts));
    let args_of_scan = match &sums {
        Some(sums) => {
            run("scan_parts", args().buffer(sums));
            args().buffer(sums)
        }
        None => args().push(Arg::Address(0)),
    };
    run("scan_rows", args_of_scan.dense(out.buf, &out.layout));
}

pub(super) fn cumprod_pullback<T: Float>(
    cuda: &Cuda,
    x: View<'_, T, Cuda>,
    y: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    walk(cuda, "walk_product_pullback", None, [x, y, ct], out);
}

pub(super) fn cumprod_pushforward<T: Float>(
    cuda: &Cuda,
    x: View<'_, T, Cuda>,
    y: View<'_, T, Cuda>,
    t: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    walk(cuda, "walk_product_pushforward", None, [x, y, t], out);
}

pub(super) fn triangle<T: Elem>(cuda: &Cuda, upper: bool, k: isize, out: ViewMut<'_, T, Cuda>) {
    let (dims, len) = (*out.layout.dims(), out.layout.numel());
    let [rows, columns] = [dims[dims.rank() - 2], dims[dims.rank() - 1]];
    let most = (rows + columns) as i64;
    let args = Args::default()
        .push(u8::from(upper))
        .push((k as i64).clamp(-most, most));
    let args = args
        .dense(out.buf, &out.layout)
        .size(len)
        .size(rows)
        .size(columns);
    cuda.run(
        Key::new::<T>("triangle", Of::All),
        "triangle",
        || TRIANGLE.to_owned(),
        len,
        args,
    );
}

pub(super) fn integer<T: Integer>(
    cuda: &Cuda,
    op: IntegerOp,
    a: View<'_, T, Cuda>,
    b: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let dims = *out.layout.dims();
    let args = Args::default()
        .push(op as i32)
        .push(launch::DIVISION)
        .operand(a.buf, a.layout)
        .operand(b.buf, b.layout);
    let args = args.operand(out.buf, out.layout).fault().nest(&dims);
    cuda.run(
        Key::new::<T>("integer", Of::All),
        "integer",
        || INTEGER.to_owned(),
        dims.numel(),
        args,
    );
}
