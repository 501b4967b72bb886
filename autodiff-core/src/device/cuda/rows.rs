//! Softmax and cross entropy. A group of threads has a row: see `gpu/kernels/row.cuh`.

use super::reduce::{Fold, Given, first, fold_to};
use super::*;
pub(super) use differentiable_gpu::text::{CROSS_ENTROPY, GROUP, ROW, ROWS};

/// How rows of some width are divided among threads: each width has its own module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way {
    /// Threads of a row.
    pub group: usize,
    /// Elements that a thread keeps; 0 if the row is read again.
    pub per: usize,
    /// Whether elements come by sixteen bytes.
    packed: bool,
}

/// Elements of sixteen bytes; 1 of those that do not fill them.
pub(super) fn pack<T: Elem>() -> usize {
    let size = size_of::<T>();
    if 16 % size == 0 { 16 / size } else { 1 }
}

impl Way {
    /// `aligned` says that all rows begin at multiples of [`pack`].
    pub fn new<T: Elem>(width: usize, aligned: bool) -> Self {
        let packed = aligned && width.is_multiple_of(pack::<T>());
        let one = if packed { pack::<T>() } else { 1 };
        let pieces = width / one;
        let group = if width <= 1024 {
            pieces.next_power_of_two().min(32)
        } else {
            256
        };
        let per = pieces.div_ceil(group) * one;
        Way {
            group,
            // As much as registers have room for.
            per: if per <= 32 && per * size_of::<T>() <= 256 {
                per
            } else {
                0
            },
            packed,
        }
    }

    pub fn of(self) -> Of {
        Of::Kind((self.group << 16 | self.per << 1 | usize::from(self.packed)) as u64)
    }

    pub fn head(self) -> String {
        let Way { group, per, packed } = self;
        format!(
            "#define GROUP {group}\n#define PER {per}\n#define PACKED {}\n{GROUP}{ROW}",
            u8::from(packed)
        )
    }

    /// The blocks that take each row once.
    pub fn tiles(self, rows: usize) -> usize {
        rows.div_ceil(256 / self.group)
    }

    pub fn grid(self, rows: usize) -> [usize; 3] {
        [self.tiles(rows).min(1 << 20), 1, 1]
    }
}

/// Whether the rows of an operand begin at multiples of [`pack`] and have no gaps.
pub(super) fn aligned<T: Elem>(layout: &Layout) -> bool {
    let last = layout.dims().rank() - 1;
    let axes = layout
        .dims()
        .iter()
        .zip(layout.strides())
        .enumerate()
        .filter(|(_, (size, _))| **size != 1);
    let mut steps = axes.map(|(axis, (_, step))| {
        if axis == last {
            *step == 1
        } else {
            step % pack::<T>() == 0
        }
    });
    layout.offset().is_multiple_of(pack::<T>()) && steps.all(|fits| fits)
}

/// The first elements of rows.
fn heads(layout: Layout) -> Layout {
    let last = layout.dims().rank() - 1;
    match layout.dims()[last] {
        0 => Layout::dense(layout.dims().with(last, 1)),
        _ => layout.slice(last, 0, 1),
    }
}

/// Rows, their width, and the step inside.
fn sizes(layout: &Layout) -> (usize, usize, i64) {
    let last = layout.dims().rank() - 1;
    let width = layout.dims()[last];
    (heads(*layout).numel(), width, layout.strides()[last] as i64)
}

/// `int`
fn int(n: usize) -> i32 {
    i32::try_from(n).expect("a row is shorter than 2³¹")
}

pub(super) fn softmax<T: Float>(
    cuda: &Cuda,
    op: SoftmaxOp,
    x: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    if out.layout.numel() == 0 {
        return;
    }
    let (rows, width, step) = sizes(&x.layout);
    let way = Way::new::<T>(width, aligned::<T>(&x.layout) && aligned::<T>(&out.layout));
    let logarithm = i32::from(op == SoftmaxOp::LogSoftmax);
    let args = Args::default()
        .operand(x.buf, heads(x.layout))
        .dense(&*out.buf, &out.layout);
    let args = args
        .size(rows)
        .push(int(width))
        .push(step)
        .push(logarithm)
        .nest(heads(x.layout).dims());
    let key = Key::new::<T>("softmax", way.of());
    cuda.run_blocks(
        key,
        "softmax",
        || way.head() + ROWS,
        way.grid(rows),
        launch::BLOCK,
        args,
    );
}

pub(super) fn softmax_pullback<T: Float>(
    cuda: &Cuda,
    op: SoftmaxOp,
    y: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    write: Write,
    out: ViewMut<'_, T, Cuda>,
) {
    if out.layout.numel() == 0 {
        return;
    }
    let ((rows, width, step_y), (.., step_ct)) = (sizes(&y.layout), sizes(&ct.layout));
    let way = Way::new::<T>(
        width,
        [y.layout, ct.layout, out.layout].iter().all(aligned::<T>),
    );
    let args = Args::default()
        .operand(y.buf, heads(y.layout))
        .operand(ct.buf, heads(ct.layout));
    let args = args
        .dense(&*out.buf, &out.layout)
        .size(rows)
        .push(int(width))
        .push(step_y)
        .push(step_ct);
    let args = args
        .push(i32::from(op == SoftmaxOp::LogSoftmax))
        .push(i32::from(write == Write::Add));
    let key = Key::new::<T>("softmax", way.of());
    let args = args.nest(heads(y.layout).dims());
    cuda.run_blocks(
        key,
        "softmax_pullback",
        || way.head() + ROWS,
        way.grid(rows),
        launch::BLOCK,
        args,
    );
}

fn of_classes<T: Float, I: Index>(
    cuda: &Cuda,
    kernel: &'static str,
    way: Way,
    rows: usize,
    args: Args<'_>,
) {
    let key = Key::pair::<T, I>("cross_entropy", way.of());
    let args = args
        .fault()
        .push(launch::number_of("cross_entropy"))
        .nest(&Dims::new(&[rows, 1]));
    cuda.run_blocks(
        key,
        kernel,
        || way.head() + CROSS_ENTROPY,
        way.grid(rows),
        launch::BLOCK,
        args,
    );
}

pub(super) fn cross_entropy<T: Float, I: Index>(
    cuda: &Cuda,
    x: View<'_, T, Cuda>,
    targets: View<'_, I, Cuda>,
    lse: ViewMut<'_, T, Cuda>,
    loss: ViewMut<'_, T, Cuda>,
) -> Result<(), IndexError> {
    let (rows, width, step) = sizes(&x.layout);
    let way = Way::new::<T>(width, aligned::<T>(&x.layout));
    let losses = CudaBuf::<T>::new(cuda, rows);
    let args = Args::default()
        .operand(x.buf, heads(x.layout))
        .operand(targets.buf, targets.layout.unsqueeze(1));
    let args = args
        .operand(&*lse.buf, lse.layout.unsqueeze(1))
        .buffer(&losses);
    of_classes::<T, I>(
        cuda,
        "cross_entropy",
        way,
        rows,
        args.size(rows).push(int(width)).push(step),
    );
    let losses = View {
        buf: &losses,
        layout: Layout::dense(Dims::new(&[rows])),
    };
    fold_to(
        cuda,
        Fold::Mean,
        losses,
        Given::default(),
        (&*loss.buf, loss.layout.unsqueeze(0)),
    );
    Ok(())
}

pub(super) fn cross_entropy_pullback<T: Float, I: Index>(
    cuda: &Cuda,
    x: View<'_, T, Cuda>,
    targets: View<'_, I, Cuda>,
    lse: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    write: Write,
    out: ViewMut<'_, T, Cuda>,
) {
    if out.layout.numel() == 0 {
        return;
    }
    let (rows, width, step) = sizes(&x.layout);
    let way = Way::new::<T>(width, aligned::<T>(&x.layout) && aligned::<T>(&out.layout));
    let args = Args::default()
        .operand(x.buf, heads(x.layout))
        .operand(targets.buf, targets.layout.unsqueeze(1));
    let args = args
        .operand(lse.buf, lse.layout.unsqueeze(1))
        .dense(&*out.buf, &out.layout);
    let args = args
        .push(first(ct.buf, &ct.layout))
        .size(rows)
        .push(int(width))
        .push(step);
    of_classes::<T, I>(
        cuda,
        "cross_entropy_pullback",
        way,
        rows,
        args.push(i32::from(write == Write::Add)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_divided_by_their_width() {
        let way = |width, aligned| {
            let Way { group, per, packed } = Way::new::<f32>(width, aligned);
            (group, per, packed)
        };
        assert_eq!(way(1, true), (1, 1, false));
        assert_eq!(way(10, true), (16, 1, false));
        assert_eq!(way(12, true), (4, 4, true));
        assert_eq!(way(768, true), (32, 24, true));
        assert_eq!(way(768, false), (32, 24, false));
        assert_eq!(way(1000, true), (32, 32, true));
        assert_eq!(way(4096, true), (256, 16, true));
        assert_eq!(way(8192, true), (256, 32, true));
        assert_eq!(way(8193, true), (256, 0, false));
        assert_eq!(way(50304, true), (256, 0, true));
    }
}
