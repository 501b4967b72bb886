//! Elements picked by number, and the reverse. An index out of range is an error of the next reading.

use super::flat::{Copied, place};
use super::sequence::radix_sort;
use super::*;
use differentiable_gpu::Pattern;
use differentiable_gpu::text::{INDEX, ORDER};

/// Numbers that one block sorts.
const FEW: usize = 2048;

/// Several `i64`, and `Fault *`.
fn sized<'a>(args: Args<'a>, sizes: &[usize]) -> Args<'a> {
    sizes.iter().fold(args, |args, n| args.size(*n)).fault()
}

fn run<T: Elem, I: Index>(cuda: &Cuda, kernel: &'static str, threads: usize, args: Args<'_>) {
    let key = Key::pair::<T, I>("index", Of::All);
    cuda.run(key, kernel, || [ORDER, INDEX].concat(), threads, args);
}

/// The product of the sizes before an axis, and of those behind it.
fn around(dims: &Dims, axis: usize) -> [usize; 2] {
    [
        dims[..axis].iter().product(),
        dims[axis + 1..].iter().product(),
    ]
}

/// Whether an axis has no entry at all. The first number is then reported.
fn refused<T: Elem, I: Index>(
    cuda: &Cuda,
    operation: &str,
    index: View<'_, I, Cuda>,
    n: usize,
) -> bool {
    if n == 0 && index.layout.numel() != 0 {
        let first = place(index.buf, index.layout.offset());
        let args = Args::default()
            .push(launch::number_of(operation))
            .push(first)
            .fault();
        run::<T, I>(cuda, "refuse", 1, args);
    }
    n == 0
}

/// `out[.., i, ..] ← x[.., index[i], ..]`
fn pick_entries<T: Elem, I: Index>(
    cuda: &Cuda,
    operation: &'static str,
    axis: usize,
    x: View<'_, T, Cuda>,
    index: View<'_, I, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let (dims, n) = (*out.layout.dims(), x.layout.dims()[axis]);
    if refused::<T, I>(cuda, operation, index, n) {
        return elementwise::fill(cuda, T::default(), out);
    }
    if dims.numel() == 0 {
        return;
    }
    let index = Copied::dense(cuda, index);
    let (count, [outer, inner]) = (dims[axis], around(&dims, axis));
    let index_place = place(index.buf(), index.layout.offset());
    let args = Args::default().push(launch::number_of(operation));
    if let Some([step, outer_step]) = entry_steps(&x.layout, axis) {
        // Pieces of 16 bytes, if all of it is made of such.
        let size = size_of::<T>();
        let places = [
            x.layout.offset(),
            out.layout.offset(),
            inner,
            step,
            outer_step,
        ];
        let addresses = x.buf.memory().address() | out.buf.memory().address();
        if addresses.is_multiple_of(16) && places.iter().all(|n| (n * size).is_multiple_of(16)) {
            let pieces = |n: usize| n * size / 16;
            let len = outer * count * pieces(inner);
            let x_place = place(x.buf, x.layout.offset());
            let args = args
                .push(index_place)
                .size(1)
                .push(x_place)
                .dense(out.buf, &out.layout);
            let sizes = [
                len,
                n,
                count,
                pieces(inner),
                pieces(step),
                pieces(outer_step),
            ];
            return run::<T, I>(cuda, "pick_entries", len, sized(args, &sizes));
        }
    }
    let rank = dims.rank();
    let along = Layout::dense(Dims::new(&[count])).at(index.layout.offset());
    let along = (axis + 1..rank).fold(along, |l, _| l.unsqueeze(l.dims().rank()));
    let (step, first) = (x.layout.strides()[axis], x.layout.slice(axis, 0, 1));
    let args = args
        .operand(index.buf(), along)
        .operand(x.buf, first)
        .dense(out.buf, &out.layout);
    let args = sized(args, &[n, step, inner, count]).nest(&dims);
    run::<T, I>(cuda, "pick", dims.numel(), args);
}

/// The steps from entry to entry along an axis, and from one of the entries before it to the next, if each entry is in one
/// piece.
fn entry_steps(layout: &Layout, axis: usize) -> Option<[usize; 2]> {
    let [outer, inner] = around(layout.dims(), axis);
    let outer_step = match outer {
        1 => 0,
        _ if layout.is_contiguous() => layout.dims()[axis] * inner,
        _ => return None,
    };
    let entry = (0..=axis).fold(*layout, |l, a| l.slice(a, 0, 1));
    entry
        .is_contiguous()
        .then(|| [layout.strides()[axis], outer_step])
}

pub(super) fn gather<T: Elem, I: Index>(
    cuda: &Cuda,
    x: View<'_, T, Cuda>,
    index: View<'_, I, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) -> Result<(), IndexError> {
    pick_entries(cuda, "gather", 0, x, index, out);
    Ok(())
}

pub(super) fn select_axis<T: Elem, I: Index>(
    cuda: &Cuda,
    axis: usize,
    x: View<'_, T, Cuda>,
    index: View<'_, I, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) -> Result<(), IndexError> {
    pick_entries(cuda, "select_axis", axis, x, index, out);
    Ok(())
}

pub(super) fn take_along<T: Elem, I: Index>(
    cuda: &Cuda,
    axis: usize,
    x: View<'_, T, Cuda>,
    index: View<'_, I, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) -> Result<(), IndexError> {
    let (dims, n) = (*out.layout.dims(), x.layout.dims()[axis]);
    if refused::<T, I>(cuda, "take_along", index, n) {
        elementwise::fill(cuda, T::default(), out);
    } else if dims.numel() != 0 {
        let (step, first) = (x.layout.strides()[axis], x.layout.slice(axis, 0, 1));
        let args = Args::default()
            .push(launch::number_of("take_along"))
            .operand(index.buf, index.layout);
        let args = args.operand(x.buf, first).dense(out.buf, &out.layout);
        let args = sized(args, &[n, step, 1, dims.numel()]).nest(&dims);
        run::<T, I>(cuda, "pick", dims.numel(), args);
    }
    Ok(())
}

/// The elements of `below` that numbers name, in order, each with the position of the number. `sizes` are those of the axis, of
/// the index, and of an entry.
fn in_order<T: Elem, I: Index>(
    cuda: &Cuda,
    operation: &str,
    index: &Copied<'_, I>,
    below: usize,
    sizes: [usize; 3],
) -> (CudaBuf<u32>, CudaBuf<u32>) {
    let len = index.layout.numel();
    assert!(
        len.max(below) <= u32::MAX as usize,
        "{operation}: at most 2³² elements are sorted"
    );
    let keys = CudaBuf::new(cuda, len);
    let args = Args::default()
        .push(launch::number_of(operation))
        .dense(index.buf(), &index.layout)
        .buffer(&keys);
    let sizes = [len, sizes[0], sizes[1], sizes[2]];
    if len > FEW {
        run::<T, I>(cuda, "targets", len, sized(args, &sizes));
        return radix_sort(
            cuda,
            keys,
            1,
            len,
            usize::BITS - (below - 1).max(1).leading_zeros(),
        );
    }
    let (order, room) = (CudaBuf::new(cuda, len), len.next_power_of_two().max(2));
    let args = sized(args.buffer(&order).push(room as u32), &sizes);
    let (key, text) = (Key::pair::<T, I>("index", Of::All), || {
        [ORDER, INDEX].concat()
    });
    cuda.run_blocks(
        key,
        "few_targets",
        text,
        [1, 1, 1],
        (room as u32 / 2).clamp(32, 1024),
        args,
    );
    (keys, order)
}

/// `out[.., index[i], ..] += x[.., i, ..]`, in the order of `i`.
fn add_entries<T: Float, I: Index>(
    cuda: &Cuda,
    operation: &'static str,
    axis: usize,
    x: View<'_, T, Cuda>,
    index: View<'_, I, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let dims = *out.layout.dims();
    let (n, count, [outer, inner]) = (dims[axis], index.layout.numel(), around(&dims, axis));
    if refused::<T, I>(cuda, operation, index, n) || count * outer * inner == 0 {
        return;
    }
    let index = Copied::dense(cuda, index);
    let (keys, order) = in_order::<T, I>(cuda, operation, &index, n, [n, count, 1]);
    let steps = entry_steps(&x.layout, axis);
    let copied = steps.is_none().then(|| Copied::dense(cuda, x));
    let (buf, offset) = match &copied {
        Some(x) => (x.buf(), x.layout.offset()),
        None => (x.buf, x.layout.offset()),
    };
    let [step, outer_step] = steps.unwrap_or([inner, count * inner]);
    let args = Args::default()
        .buffer(&keys)
        .buffer(&order)
        .push(place(buf, offset));
    let args = args
        .dense(out.buf, &out.layout)
        .size(outer * count * inner)
        .size(n)
        .size(count)
        .size(inner);
    run::<T, I>(
        cuda,
        "add_stretches",
        outer * count * inner,
        args.size(step).size(outer_step),
    );
}

pub(super) fn scatter_add<T: Float, I: Index>(
    cuda: &Cuda,
    x: View<'_, T, Cuda>,
    index: View<'_, I, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) -> Result<(), IndexError> {
    add_entries(cuda, "scatter_add", 0, x, index, out);
    Ok(())
}

pub(super) fn add_axis<T: Float, I: Index>(
    cuda: &Cuda,
    axis: usize,
    x: View<'_, T, Cuda>,
    index: View<'_, I, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) -> Result<(), IndexError> {
    add_entries(cuda, "add_axis", axis, x, index, out);
    Ok(())
}

pub(super) fn add_along<T: Float, I: Index>(
    cuda: &Cuda,
    axis: usize,
    x: View<'_, T, Cuda>,
    index: View<'_, I, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) -> Result<(), IndexError> {
    let dims = *out.layout.dims();
    let (n, count, [outer, inner]) = (dims[axis], index.layout.dims()[axis], around(&dims, axis));
    let (all, lines) = (outer * count * inner, outer * inner);
    if refused::<T, I>(cuda, "add_along", index, n) || all == 0 {
        return Ok(());
    }
    let index = Copied::dense(cuda, index);
    // Few long lines are not enough for a card.
    if lines < 512 && count > 64 && all.max(dims.numel()) <= u32::MAX as usize {
        let (keys, order) =
            in_order::<T, I>(cuda, "add_along", &index, dims.numel(), [n, count, inner]);
        let args = Args::default()
            .buffer(&keys)
            .buffer(&order)
            .dense(x.buf, &x.layout)
            .dense(out.buf, &out.layout);
        let args = [all, dims.numel(), all, 1, 1, 0]
            .iter()
            .fold(args, |args, n| args.size(*n));
        run::<T, I>(cuda, "add_stretches", all, args);
        return Ok(());
    }
    let args = Args::default()
        .push(launch::number_of("add_along"))
        .dense(index.buf(), &index.layout);
    let args = args
        .dense(x.buf, &x.layout)
        .dense(out.buf, &out.layout)
        .size(lines)
        .size(n)
        .size(count);
    if inner == 1 && count >= 8 {
        run::<T, I>(cuda, "add_rows", 32 * lines, args.fault());
    } else {
        run::<T, I>(cuda, "add_lines", lines, args.size(inner).fault());
    }
    Ok(())
}

pub(super) fn put_along<T: Elem, I: Index>(
    cuda: &Cuda,
    axis: usize,
    x: View<'_, T, Cuda>,
    index: View<'_, I, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) -> Result<(), IndexError> {
    let dims = *out.layout.dims();
    let (n, count, [outer, inner]) = (dims[axis], index.layout.dims()[axis], around(&dims, axis));
    let all = outer * count * inner;
    if refused::<T, I>(cuda, "put_along", index, n) || all == 0 {
        return Ok(());
    }
    let index = Copied::dense(cuda, index);
    let args = || {
        Args::default()
            .push(launch::number_of("put_along"))
            .dense(index.buf(), &index.layout)
    };
    let sizes = [all, n, count, inner];
    // Of one number for each line no two are the same.
    let owner = (count > 1).then(|| CudaBuf::<u32>::new(cuda, dims.numel()));
    let args_of_put = match &owner {
        Some(owner) => {
            cuda.gpu
                .fill(owner.memory(), 4 * dims.numel(), Pattern::Byte(0));
            run::<T, I>(cuda, "own", all, sized(args().buffer(owner), &sizes));
            args().buffer(owner)
        }
        None => args().push(differentiable_gpu::Arg::Address(0)),
    };
    let args = args_of_put
        .dense(x.buf, &x.layout)
        .dense(out.buf, &out.layout);
    run::<T, I>(cuda, "put", all, sized(args, &sizes));
    Ok(())
}
