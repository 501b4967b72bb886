//! Sums, extremes and other folds over any axes, and their pullbacks.
//!
//! A fold goes in one or two launches: see `gpu/kernels/reduce.cu`. How it is divided depends on sizes and strides alone, so its
//! result has the same bits on every card.

use super::*;
use differentiable_gpu::Arg;
use differentiable_gpu::text::{FOLD, FOLD_AGAIN, FOLD_OTHERS, FOLD_PULLBACK, GROUP, REDUCE};

/// The folds, in the order of `gpu/kernels/fold.cuh`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fold {
    Sum,
    Mean,
    Max,
    Min,
    Prod,
    MeanAbout,
    Variance,
    Rest,
    Norm1,
    Norm2,
    NormP,
    LogSumExp,
    Exponentials,
    Hits,
    Moments,
    NormSums,
    ArgMax,
    ArgMin,
    Count,
    IntegerSum,
}

impl Fold {
    fn head(self) -> String {
        format!("#define OP {}\n{GROUP}{FOLD}", self as u64)
    }

    fn text(self) -> String {
        let again = if matches!(self, Fold::Norm2 | Fold::NormP) {
            FOLD_AGAIN
        } else {
            ""
        };
        self.head() + REDUCE + again
    }

    fn pullback_text(self) -> String {
        let others = if self == Fold::Prod { FOLD_OTHERS } else { "" };
        self.head() + FOLD_PULLBACK + others
    }

    /// At most the bytes of what a thread has found.
    fn state(self, element: usize) -> usize {
        use Fold::*;
        match self {
            Variance | LogSumExp | Exponentials | NormSums => 2 * element,
            ArgMax | ArgMin => 16,
            Count | IntegerSum => 8,
            _ => element,
        }
    }
}

/// What a fold takes beside the elements; operands have the sizes of the output.
pub(super) struct Given<'a, T: Elem> {
    /// A second operand at the places of the first: both are dense.
    pub z: Option<View<'a, T, Cuda>>,
    pub a: Option<(Arg<'a>, Layout)>,
    pub b: Option<(Arg<'a>, Layout)>,
    /// A second output, dense.
    pub second: Option<Arg<'a>>,
    pub free: f64,
    pub p: f64,
    pub flag: i32,
}

impl<T: Elem> Default for Given<'_, T> {
    fn default() -> Self {
        Given {
            z: None,
            a: None,
            b: None,
            second: None,
            free: 1.0,
            p: 1.0,
            flag: 0,
        }
    }
}

/// An operand from its buffer's first element on.
fn whole<'a, T: Elem>(x: View<'a, T, Cuda>) -> (Arg<'a>, Layout) {
    (x.buf.memory().into(), x.layout)
}

/// The address of a dense operand's first element.
pub(super) fn first<'a, T: Elem>(buf: &'a CudaBuf<T>, layout: &Layout) -> Arg<'a> {
    assert!(layout.is_contiguous(), "this operand is dense");
    flat::place(buf, layout.offset()).into()
}

/// The axes of `x` in two groups: those that `out` keeps and those that are reduced, from 0, the
/// smallest step last.
fn split(x: &Layout, out: &Dims) -> (Layout, Layout) {
    let rank = out.rank();
    assert_eq!(x.dims().rank(), rank, "a reduction keeps the rank");
    let is_kept = |axis: usize| out[axis] == x.dims()[axis];
    let (mut kept, mut reduced) = (*x, *x);
    let one = |layout: Layout, axis: usize| match layout.dims()[axis] {
        // Nothing is read.
        0 => Layout::dense(layout.dims().with(axis, 1)),
        _ => layout.slice(axis, 0, 1),
    };
    for axis in 0..rank {
        if is_kept(axis) {
            reduced = one(reduced, axis);
        } else {
            assert_eq!(out[axis], 1, "reducing {:?} to {out:?}", x.dims());
            kept = one(kept, axis);
        }
    }
    let mut order: Vec<usize> = (0..rank).collect();
    order.sort_by_key(|&axis| core::cmp::Reverse(reduced.strides()[axis].wrapping_sub(1)));
    (kept, reduced.permute(&order).at(0))
}

/// How a fold is divided.
#[derive(Debug, PartialEq)]
struct Division {
    rows: bool,
    /// Threads of a group, or outputs side by side.
    side: usize,
    parts: usize,
    /// Elements of a part.
    part: usize,
}

/// As many blocks as a large card needs, about.
const BLOCKS: usize = 1024;

impl Division {
    fn new(kept: &Layout, inside: &Layout) -> Self {
        // The step of the last axis, and its size.
        let inner = |layout: &Layout| {
            let axis = (0..layout.dims().rank())
                .rev()
                .find(|&axis| layout.dims()[axis] > 1);
            axis.map(|axis| (layout.strides()[axis].wrapping_sub(1), layout.dims()[axis]))
        };
        let (outputs, count) = (kept.numel(), inside.numel());
        let ((beside, _), (below, run)) = (
            inner(kept).unwrap_or((usize::MAX, 1)),
            inner(inside).unwrap_or((usize::MAX, 1)),
        );
        // Short runs of elements are no better than outputs that are nearly neighbours.
        let short = run < 8 && run < count && beside < 8;
        let rows = outputs == 1 || count > 1 && !short && below <= beside;
        let (side, tall, tiles, least) = if rows {
            let alone = count > 1024 || count > 128 && outputs < 512;
            let side = if alone {
                256
            } else {
                count.next_power_of_two().min(32)
            };
            (side, side, outputs.div_ceil(256 / side), 4096)
        } else {
            let tall = (count.div_ceil(8).next_power_of_two()).min(8);
            let side = (256 / tall).min(outputs.next_power_of_two());
            (side, 256 / side, outputs.div_ceil(side), 256 / side * 16)
        };
        let wanted = if rows && side < 256 {
            1
        } else {
            (BLOCKS / tiles.max(1)).min(count / least).max(1)
        };
        let part = count
            .div_ceil(wanted)
            .next_multiple_of(if rows { 1024 } else { tall });
        Division {
            rows,
            side,
            parts: count.div_ceil(part.max(1)).max(1),
            part,
        }
    }
}

/// `out ← fold of x`, which has the rank of `x` and size 1 along reduced axes.
pub(super) fn fold_to<T: Elem, R: Elem>(
    cuda: &Cuda,
    op: Fold,
    x: View<'_, T, Cuda>,
    given: Given<'_, T>,
    out: (&CudaBuf<R>, Layout),
) {
    let dims = *out.1.dims();
    let outputs = dims.numel();
    if outputs == 0 {
        return;
    }
    let (mut kept, inside) = split(&x.layout, &dims);
    let (mut at_x, mut at_z): (Arg<'_>, _) = (x.buf.memory().into(), Arg::Address(0));
    if let Some(z) = given.z {
        (at_x, at_z) = (first(x.buf, &x.layout), first(z.buf, &z.layout));
        kept = kept.at(0);
    }
    let scalar = (Arg::Address(0), Layout::dense(Dims::SCALAR));
    let (a, b) = (given.a.unwrap_or(scalar), given.b.unwrap_or(scalar));
    let kept_bytes = nest::nest(&dims, &[kept, a.1, b.1, out.1]);
    let inside_bytes = nest::nest(inside.dims(), &[inside]);
    let Division {
        rows,
        side,
        parts,
        part,
    } = Division::new(&kept, &inside);
    let size = if parts > 1 {
        parts * outputs * op.state(size_of::<T>())
    } else {
        0
    };
    let partial = CudaBuf::<u8>::new(cuda, size);
    let launch = |kernel: &'static str, side: usize, grid: [usize; 3]| {
        let args = Args::default()
            .push(at_x)
            .push(at_z)
            .push(a.0)
            .push(b.0)
            .buffer(out.0);
        let args = args.push(given.second.unwrap_or(Arg::Address(0)));
        let args = args.push(if parts > 1 {
            partial.memory().into()
        } else {
            Arg::Address(0)
        });
        let args = args
            .push(Arg::Bytes(&kept_bytes))
            .push(Arg::Bytes(&inside_bytes));
        let args = args.size(parts).size(part).push(side as i32);
        let args = args
            .push(inside.numel() as f64)
            .push(given.free)
            .push(given.p)
            .push(given.flag);
        let key = Key::new::<T>("reduce", Of::Kind(op as u64));
        cuda.run_blocks(key, kernel, || op.text(), grid, launch::BLOCK, args);
    };
    let tiles = |wide: usize| outputs.div_ceil(wide).min(1 << 20);
    if rows {
        launch("fold_rows", side, [tiles(256 / side), parts, 1]);
    } else {
        launch("fold_columns", side, [tiles(side), parts, 1]);
    }
    if parts > 1 {
        let wide = outputs.next_power_of_two().min(32);
        launch("fold_parts", wide, [tiles(wide), 1, 1]);
    }
    if matches!(op, Fold::Norm2 | Fold::NormP) && given.p > 0.0 {
        launch("fold_again", 256, [tiles(256), 1, 1]);
    }
}

pub(super) fn reduce<T: Float>(
    cuda: &Cuda,
    op: ReduceOp,
    x: View<'_, T, Cuda>,
    write: Write,
    out: ViewMut<'_, T, Cuda>,
) {
    let op = match op {
        ReduceOp::Sum => Fold::Sum,
        ReduceOp::Mean => Fold::Mean,
        ReduceOp::Max => Fold::Max,
        ReduceOp::Min => Fold::Min,
    };
    let add = write == Write::Add;
    assert!(
        !add || matches!(op, Fold::Sum | Fold::Mean),
        "an extreme cannot be accumulated"
    );
    let given = Given {
        flag: i32::from(add),
        ..Given::default()
    };
    fold_to(cuda, op, x, given, (out.buf, out.layout));
}

/// Numbers of each output, dense.
struct Small<T: Elem>(CudaBuf<T>, Layout);

impl<T: Elem> Small<T> {
    fn new(cuda: &Cuda, dims: &Dims) -> Self {
        Small(CudaBuf::new(cuda, dims.numel()), Layout::dense(*dims))
    }
    fn folded(
        cuda: &Cuda,
        op: Fold,
        x: View<'_, T, Cuda>,
        given: Given<'_, T>,
        dims: &Dims,
    ) -> Self {
        let small = Small::new(cuda, dims);
        fold_to(cuda, op, x, given, (&small.0, small.1));
        small
    }
    fn view(&self) -> View<'_, T, Cuda> {
        View {
            buf: &self.0,
            layout: self.1,
        }
    }
}

/// The count less the correction.
fn freedom(correction: f64, x: &Layout, out: &Dims) -> f64 {
    let count = x.numel().checked_div(out.numel()).unwrap_or(0);
    (count as f64 - correction).max(0.0)
}

pub(super) fn fold<T: Float>(
    cuda: &Cuda,
    op: FoldOp,
    x: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let dims = *out.layout.dims();
    let to = (&*out.buf, out.layout);
    let small = |p: f64| (Elem::to_f64(T::MIN_POSITIVE) * 1e20).powf(1.0 / p);
    match op {
        FoldOp::Prod => fold_to(cuda, Fold::Prod, x, Given::default(), to),
        FoldOp::Var(c) | FoldOp::Std(c) => {
            let mean = Small::folded(cuda, Fold::MeanAbout, x, Given::default(), &dims);
            let flag = i32::from(matches!(op, FoldOp::Std(_)));
            let free = freedom(c, &x.layout, &dims);
            fold_to(
                cuda,
                Fold::Variance,
                x,
                Given {
                    a: Some(whole(mean.view())),
                    free,
                    flag,
                    ..Given::default()
                },
                to,
            );
        }
        FoldOp::Norm(1.0) => fold_to(cuda, Fold::Norm1, x, Given::default(), to),
        FoldOp::Norm(2.0) => fold_to(
            cuda,
            Fold::Norm2,
            x,
            Given {
                p: 2.0,
                free: small(2.0),
                ..Given::default()
            },
            to,
        ),
        FoldOp::Norm(p) => fold_to(
            cuda,
            Fold::NormP,
            x,
            Given {
                p,
                free: small(p),
                ..Given::default()
            },
            to,
        ),
        FoldOp::LogSumExp => fold_to(cuda, Fold::LogSumExp, x, Given::default(), to),
    }
}

/// One pass over the elements with numbers of each output: see `gpu/kernels/fold_pullback.cu`.
fn pull<T: Float>(
    cuda: &Cuda,
    op: Fold,
    x: View<'_, T, Cuda>,
    [a, b, c, d]: [View<'_, T, Cuda>; 4],
    (n, p, flag): (f64, f64, bool),
    out: (&CudaBuf<T>, Layout),
) {
    let args = [x, a, b, c, d]
        .into_iter()
        .fold(Args::default(), |args, v| args.operand(v.buf, v.layout));
    let args = args
        .operand(out.0, out.1)
        .push(n)
        .push(p)
        .push(i32::from(flag))
        .nest(x.layout.dims());
    let key = Key::new::<T>("fold_pullback", Of::Kind(op as u64));
    cuda.run(
        key,
        "fold_pull",
        || op.pullback_text(),
        x.layout.numel(),
        args,
    );
}

pub(super) fn extreme_pullback<T: Float>(
    cuda: &Cuda,
    x: View<'_, T, Cuda>,
    y: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    write: Write,
    out: ViewMut<'_, T, Cuda>,
) {
    let given = Given {
        a: Some(whole(y)),
        b: Some(whole(ct)),
        ..Given::default()
    };
    let share = Small::folded(cuda, Fold::Hits, x, given, y.layout.dims());
    let numbers = (0.0, 0.0, write == Write::Add);
    pull(
        cuda,
        Fold::Hits,
        x,
        [y, share.view(), y, y],
        numbers,
        (out.buf, out.layout),
    );
}

pub(super) fn fold_pullback<T: Float>(
    cuda: &Cuda,
    op: FoldOp,
    x: View<'_, T, Cuda>,
    y: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let kept = *y.layout.dims();
    let out = (&*out.buf, out.layout);
    let none = (0.0, 0.0, false);
    match op {
        FoldOp::Prod => {
            pull(cuda, Fold::Prod, x, [y, ct, y, y], none, out);
            others(cuda, x, y, ct, out);
        }
        FoldOp::Var(c) | FoldOp::Std(c) => {
            let is_std = matches!(op, FoldOp::Std(_));
            let mean = Small::folded(cuda, Fold::MeanAbout, x, Given::default(), &kept);
            let given = Given {
                a: Some(whole(mean.view())),
                b: Some(whole(y)),
                flag: i32::from(is_std),
                ..Given::default()
            };
            let rest = Small::folded(cuda, Fold::Rest, x, given, &kept);
            let numbers = (freedom(c, &x.layout, &kept), 0.0, is_std);
            pull(
                cuda,
                Fold::Variance,
                x,
                [y, ct, mean.view(), rest.view()],
                numbers,
                out,
            );
        }
        FoldOp::Norm(1.0) => pull(cuda, Fold::Norm1, x, [y, ct, y, y], none, out),
        FoldOp::Norm(2.0) => pull(cuda, Fold::Norm2, x, [y, ct, y, y], none, out),
        FoldOp::Norm(p) => pull(cuda, Fold::NormP, x, [y, ct, y, y], (0.0, p, false), out),
        FoldOp::LogSumExp => {
            // Beside a large maximum the result has lost the digits of the sum: both are taken anew.
            let sums = Small::new(cuda, &kept);
            let given = Given {
                second: Some(first(&sums.0, &sums.1)),
                ..Given::default()
            };
            let largest = Small::folded(cuda, Fold::Exponentials, x, given, &kept);
            pull(
                cuda,
                Fold::LogSumExp,
                x,
                [y, ct, largest.view(), sums.view()],
                none,
                out,
            );
        }
    }
}

/// The products of the other elements, of outputs whose quotient by an element does not say them.
fn others<T: Float>(
    cuda: &Cuda,
    x: View<'_, T, Cuda>,
    y: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    out: (&CudaBuf<T>, Layout),
) {
    let dims = *y.layout.dims();
    if x.layout.numel() == 0 {
        return;
    }
    let ((kept, inside), (kept_out, within)) = (
        split_in_order(&x.layout, &dims),
        split_in_order(&out.1, &dims),
    );
    let kept = nest::nest(&dims, &[kept, y.layout, ct.layout, kept_out]);
    let (inside, within) = (
        nest::nest(inside.dims(), &[inside]),
        nest::nest(within.dims(), &[within]),
    );
    let args = Args::default()
        .buffer(x.buf)
        .buffer(y.buf)
        .buffer(ct.buf)
        .buffer(out.0);
    let args = args
        .push(Arg::Bytes(&kept))
        .push(Arg::Bytes(&inside))
        .push(Arg::Bytes(&within));
    let key = Key::new::<T>("fold_pullback", Of::Kind(Fold::Prod as u64));
    let grid = [dims.numel().div_ceil(256).min(1 << 20), 1, 1];
    cuda.run_blocks(
        key,
        "fold_others",
        || Fold::Prod.pullback_text(),
        grid,
        launch::BLOCK,
        args,
    );
}

/// As [`split`], in the order of the axes.
fn split_in_order(x: &Layout, out: &Dims) -> (Layout, Layout) {
    let (kept, _) = split(x, out);
    let reduced = (0..out.rank()).filter(|&axis| out[axis] == x.dims()[axis]);
    (
        kept,
        reduced
            .fold(*x, |layout, axis| layout.slice(axis, 0, 1))
            .at(0),
    )
}

pub(super) fn arg_reduce<T: Elem>(
    cuda: &Cuda,
    op: ArgOp,
    x: View<'_, T, Cuda>,
    out: ViewMut<'_, i64, Cuda>,
) {
    let empty = out.layout.numel() > 0 && x.layout.numel() == 0;
    assert!(!empty, "no extreme element along an axis of size 0");
    let op = match op {
        ArgOp::Max => Fold::ArgMax,
        ArgOp::Min => Fold::ArgMin,
    };
    fold_to(cuda, op, x, Given::default(), (out.buf, out.layout));
}

pub(super) fn count(cuda: &Cuda, x: View<'_, bool, Cuda>, out: ViewMut<'_, i64, Cuda>) {
    fold_to(
        cuda,
        Fold::Count,
        x,
        Given::default(),
        (out.buf, out.layout),
    );
}

pub(super) fn integer_sum(cuda: &Cuda, x: View<'_, i64, Cuda>, out: ViewMut<'_, i64, Cuda>) {
    fold_to(
        cuda,
        Fold::IntegerSum,
        x,
        Given::default(),
        (out.buf, out.layout),
    );
}
