//! Fused regions: printed formulas, with the loops around them.
//!
//! A region is a few kernels for each type of elements: its value, its pushforward, and a pullback for each set of operands
//! whose cotangents are wanted. Their text is printed the first time they are asked for.
//!
//! **Sums.** The cotangent of an operand that lacks leading axes is a sum over them. `P` threads, a multiple of the operand's
//! size `m`, go through the elements with the step `P`, so each of them meets one element of the operand only, and neighbours
//! read neighbours. Each keeps its sum, and a second kernel adds the `P/m` sums of each element in their order. The result
//! does not depend on how the threads run.

use super::*;
use crate::device::symbolic::{PRELUDE, RegionFormulas};
use core::any::TypeId;
use differentiable_gpu::text::SUMS;
use std::fmt::Write as _;

/// How many threads sum up: at least, and at most.
const SUMMING: [usize; 2] = [1 << 15, 1 << 17];

/// How many elements each of them has, about, where there are between these.
const EACH: usize = 256;

/// How many threads there are at most where nothing is summed up; each goes on with the next element.
const MOST: usize = 1 << 24;

/// The text of a kernel: parameters, numbers `x` of each element, and results `y`.
#[derive(Default)]
struct Text {
    parameters: String,
    inputs: Vec<String>,
    before: String,
    then: String,
    after: String,
    /// Operands of the nest.
    operands: usize,
}

macro_rules! line {
    ($to:expr, $($text:tt)*) => {
        write!($to, $($text)*).expect("a string takes all text")
    };
}

impl Text {
    fn next(&mut self) -> usize {
        self.operands += 1;
        self.operands - 1
    }

    /// One more operand of the nest.
    fn operand(mut self) -> Self {
        let k = self.next();
        line!(self.parameters, "DZ_OPERAND(a{k}), ");
        self.inputs.push(format!("DZ_AT(a{k}, {k}, i)"));
        self
    }

    /// A number that is not read.
    fn unread(mut self) -> Self {
        self.inputs.push("T(0)".into());
        self
    }

    /// The number 1.
    fn one(mut self) -> Self {
        self.inputs.push("T(1)".into());
        self
    }

    /// Result `y[k]`, written to its place, or summed up by each thread.
    fn result(mut self, k: usize, whole: bool) -> Self {
        line!(self.parameters, "T *y{k}, ");
        if whole {
            let at = self.next();
            line!(self.then, "    y{k}[nest.at({at}, i)] = y[{k}];\n");
        } else {
            line!(self.before, "  T sum{k} = T(0);\n");
            line!(self.then, "    sum{k} += y[{k}];\n");
            line!(self.after, "  y{k}[thread] = sum{k};\n");
        }
        self
    }

    /// The kernel, with what makes `y` of `x`.
    fn print(self, formulas: &str, compute: &str) -> String {
        let Text {
            parameters,
            mut inputs,
            before,
            then,
            after,
            operands,
        } = self;
        if inputs.is_empty() {
            inputs.push("T(0)".into());
        }
        let inputs = inputs.join(", ");
        format!(
            "{PRELUDE}\n{formulas}\nextern \"C\" __global__ void region({parameters}i64 threads, DZ_BY_VALUE Nest<{operands}> nest) {{
  const i64 thread = i64(blockIdx.x) * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
{before}  for (i64 i = thread; i < nest.len; i += threads) {{
    T x[] = {{{inputs}}};
    {compute}
{then}  }}
{after}}}\n"
        )
    }
}

/// A result: a buffer, where it begins, and how many elements it has.
struct Out<'a, T: Elem> {
    buf: &'a CudaBuf<T>,
    offset: usize,
    len: usize,
}

impl<'a, T: Elem> Out<'a, T> {
    fn of(out: ViewMut<'a, T, Cuda>) -> Self {
        assert!(out.layout.is_contiguous(), "outputs are dense");
        Out {
            buf: out.buf,
            offset: out.layout.offset(),
            len: out.layout.numel(),
        }
    }
}

/// A bit for each that is.
fn bits(which: impl IntoIterator<Item = bool>) -> u64 {
    which
        .into_iter()
        .enumerate()
        .fold(0, |bits, (k, is)| bits | u64::from(is) << k)
}

fn key<R: Region<N>, T: Float, const N: usize>(family: &'static str, wanted: u64) -> Key {
    Key::new::<T>(family, Of::Region(TypeId::of::<R>(), wanted))
}

/// The threads that go through the elements where the largest operand that is summed up has `m`.
fn threads(len: usize, m: Option<usize>) -> usize {
    let summing = (len / EACH).clamp(SUMMING[0], SUMMING[1]);
    m.map_or(len.min(MOST), |m| {
        m * (summing / m).clamp(1, len.div_ceil(m))
    })
}

/// Runs the kernel of a region with results that are as large as it or sums over leading axes; `args` are the operands.
fn run<T: Float>(
    cuda: &Cuda,
    key: Key,
    text: impl FnOnce() -> String,
    dims: &Dims,
    args: Args<'_>,
    results: &[Out<'_, T>],
) {
    let len = dims.numel();
    if len == 0 {
        for out in results {
            let layout = Layout::dense(Dims::new(&[out.len])).at(out.offset);
            elementwise::fill_at(cuda, T::ZERO, out.buf, layout);
        }
        return;
    }
    let summed = || results.iter().filter(|out| out.len != len);
    let threads = threads(len, summed().map(|out| out.len).max());
    let sums: Vec<CudaBuf<T>> = summed().map(|_| CudaBuf::new(cuda, threads)).collect();
    let mut of_threads = sums.iter();
    let args = results.iter().fold(args, |args, out| match out.len == len {
        true => args.operand(out.buf, Layout::dense(*dims).at(out.offset)),
        false => args.buffer(of_threads.next().expect("one for each sum")),
    });
    cuda.run(key, "region", text, threads, args.size(threads).nest(dims));
    for (out, sums) in summed().zip(&sums) {
        let rows = threads / out.len;
        let layout = Layout::dense(Dims::new(&[out.len])).at(out.offset);
        add_rows(cuda, sums, rows, out.buf, &layout);
    }
}

/// The second step of sums: the rows of a matrix are added in their order, to a dense result.
pub(super) fn add_rows<T: Elem>(
    cuda: &Cuda,
    sums: &CudaBuf<T>,
    rows: usize,
    out: &CudaBuf<T>,
    layout: &Layout,
) {
    let columns = layout.numel();
    let args = Args::default()
        .buffer(sums)
        .size(rows)
        .size(columns)
        .dense(out, layout);
    let (key, text) = (Key::new::<T>("sums", Of::All), || SUMS.to_owned());
    if rows >= 64 {
        let grid = [columns.min(1 << 20), 1, 1];
        cuda.run_blocks(key, "columns_by_blocks", text, grid, launch::BLOCK, args);
    } else {
        cuda.run(key, "columns", text, columns, args);
    }
}

pub(super) fn region<R: Region<N>, T: Float, const N: usize>(
    cuda: &Cuda,
    _: R,
    x: [Operand<'_, T, Cuda>; N],
    out: ViewMut<'_, T, Cuda>,
) {
    let text = || {
        let text = (0..N)
            .fold(Text::default(), |text, _| text.operand())
            .result(0, true);
        text.print(
            &RegionFormulas::of::<R, N>().value.cuda(),
            "T y[1]; value_of::value<T>(x, y);",
        )
    };
    let (dims, at) = (*out.layout.dims(), out.layout);
    let out = Out::of(out);
    let args = x
        .iter()
        .fold(Args::default(), |args, x| args.element(x, (out.buf, at)));
    run(cuda, key::<R, T, N>("region", 0), text, &dims, args, &[out]);
}

pub(super) fn region_pushforward<R: Region<N>, T: Float, const N: usize>(
    cuda: &Cuda,
    _: R,
    x: [Operand<'_, T, Cuda>; N],
    t: [Operand<'_, T, Cuda>; N],
    out: ViewMut<'_, T, Cuda>,
) {
    let text = || {
        let text = (0..2 * N)
            .fold(Text::default(), |text, _| text.operand())
            .result(0, true);
        let formula = RegionFormulas::of::<R, N>().pushforward.cuda();
        text.print(&formula, "T y[1]; pushforward_of::pushforward<T>(x, y);")
    };
    let (dims, at) = (*out.layout.dims(), out.layout);
    let out = Out::of(out);
    let args = x
        .iter()
        .chain(&t)
        .fold(Args::default(), |args, x| args.element(x, (out.buf, at)));
    run(
        cuda,
        key::<R, T, N>("region_pushforward", 0),
        text,
        &dims,
        args,
        &[out],
    );
}

#[allow(clippy::too_many_arguments, reason = "operands are views of buffers")]
pub(super) fn region_pullback<R: Region<N>, T: Float, const N: usize>(
    cuda: &Cuda,
    _: R,
    dims: &Dims,
    x: [Operand<'_, T, Cuda>; N],
    y: Option<View<'_, T, Cuda>>,
    ct: Operand<'_, T, Cuda>,
    cts: [Option<ViewMut<'_, T, Cuda>>; N],
) {
    let len = dims.numel();
    let wanted = bits(cts.each_ref().map(Option::is_some));
    let outs = cts.map(|ct| ct.map(Out::of));
    let whole = bits(
        outs.each_ref()
            .map(|out| out.as_ref().is_some_and(|out| out.len == len)),
    );
    let text = || {
        let mut text = Text::default();
        for reads in R::READS {
            text = if reads { text.operand() } else { text.unread() };
        }
        text = if R::READS_VALUE {
            text.operand()
        } else {
            text.unread()
        };
        text = text.operand();
        for k in (0..N).filter(|k| wanted >> k & 1 == 1) {
            text = text.result(k, whole >> k & 1 == 1);
        }
        let formula = RegionFormulas::of::<R, N>().pullback.cuda();
        text.print(
            &formula,
            &format!("T y[{}]; pullback_of::pullback<T>(x, y);", N.max(1)),
        )
    };
    let outs: Vec<Out<'_, T>> = outs.into_iter().flatten().collect();
    // What is computed in place is in the first of this size.
    let place = outs.iter().find(|out| out.len == len).or(outs.first());
    let Some(place) = place.map(|out| (out.buf, Layout::dense(*dims).at(out.offset))) else {
        return;
    };
    let read = x.iter().zip(R::READS).filter(|(_, reads)| *reads);
    let mut args = read.fold(Args::default(), |args, (x, _)| args.element(x, place));
    if R::READS_VALUE {
        let y = y.expect("the value of a region whose pullback reads it");
        args = args.element(&Operand::View(y), place);
    }
    let args = args.element(&ct, place);
    let key = key::<R, T, N>("region_pullback", wanted | whole << 32);
    run(cuda, key, text, dims, args, &outs);
}

pub(super) fn region_sum<R: Region<N>, T: Float, const N: usize>(
    cuda: &Cuda,
    _: R,
    dims: &Dims,
    x: [Operand<'_, T, Cuda>; N],
    sum: ViewMut<'_, T, Cuda>,
    slopes: [Option<ViewMut<'_, T, Cuda>>; N],
) {
    let len = dims.numel();
    let wanted = bits(slopes.each_ref().map(Option::is_some));
    let outs = slopes.map(|slope| slope.map(Out::of));
    let whole = bits(
        outs.each_ref()
            .map(|out| out.as_ref().is_some_and(|out| out.len == len)),
    );
    let text = || {
        let mut text = (0..N)
            .fold(Text::default(), |text, _| text.operand())
            .unread()
            .one();
        text = text.result(0, len == 1);
        for k in (0..N).filter(|k| wanted >> k & 1 == 1) {
            text = text.result(k + 1, whole >> k & 1 == 1);
        }
        let RegionFormulas {
            value, pullback, ..
        } = RegionFormulas::of::<R, N>();
        let compute = format!("T y[{}]; value_of::value<T>(x, y); x[{N}] = y[0];", N + 1);
        match wanted {
            0 => text.print(&value.cuda(), &compute),
            _ => {
                let both = value.cuda() + &pullback.cuda();
                text.print(&both, &(compute + " pullback_of::pullback<T>(x, y + 1);"))
            }
        }
    };
    let outs: Vec<Out<'_, T>> = core::iter::once(Out::of(sum))
        .chain(outs.into_iter().flatten())
        .collect();
    let place = (outs[0].buf, Layout::dense(*dims));
    let args = x
        .iter()
        .fold(Args::default(), |args, x| args.element(x, place));
    let key = key::<R, T, N>(
        "region_sum",
        wanted | whole << 32 | u64::from(len == 1) << 63,
    );
    run(cuda, key, text, dims, args, &outs);
}

/// An axis comes first.
fn first(layout: Layout, axis: usize) -> Layout {
    let rank = layout.dims().rank();
    let order: Vec<usize> = core::iter::once(axis)
        .chain((0..rank).filter(|&k| k != axis))
        .collect();
    layout.permute(&order)
}

pub(super) fn region_along<R: Region<N>, T: Float, const N: usize>(
    cuda: &Cuda,
    _: R,
    dims: &Dims,
    x: [Operand<'_, T, Cuda>; N],
    axis: usize,
    out: ViewMut<'_, T, Cuda>,
) {
    let summed = dims[axis] != 1;
    let text = || {
        let text = (0..N)
            .fold(Text::default(), |text, _| text.operand())
            .result(0, !summed);
        text.print(
            &RegionFormulas::of::<R, N>().value.cuda(),
            "T y[1]; value_of::value<T>(x, y);",
        )
    };
    let out = Out::of(out);
    let args = x.iter().fold(Args::default(), |args, x| {
        let x = match x {
            Operand::View(x) => Operand::View(View {
                buf: x.buf,
                layout: first(x.layout.expand(dims), axis),
            }),
            x => *x,
        };
        args.element(&x, (out.buf, Layout::dense(Dims::SCALAR)))
    });
    let dims = *first(Layout::dense(*dims), axis).dims();
    run(
        cuda,
        key::<R, T, N>("region_along", u64::from(summed)),
        text,
        &dims,
        args,
        &[out],
    );
}
