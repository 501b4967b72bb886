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
use crate::device::symbolic::{Formula, PRELUDE, RegionFormulas};
use core::any::TypeId;
use std::fmt::Write as _;

/// How many threads sum up, about.
const SUMS: usize = 1 << 15;

/// The text of a kernel around a formula.
struct Text {
    formula: Formula,
    parameters: String,
    /// What the formula takes, in its order.
    inputs: Vec<String>,
    before: String,
    /// What is done with the results `y`.
    then: String,
    after: String,
    /// Operands of the nest.
    operands: usize,
}

impl Text {
    fn new(formula: Formula) -> Self {
        Text {
            formula,
            parameters: String::new(),
            inputs: Vec::new(),
            before: String::new(),
            then: String::new(),
            after: String::new(),
            operands: 0,
        }
    }

    fn next(&mut self) -> usize {
        self.operands += 1;
        self.operands - 1
    }

    /// One more operand of the nest, which the formula takes.
    fn operand(&mut self, name: &str) {
        let k = self.next();
        line(&mut self.parameters, format_args!("DZ_OPERAND({name}), "));
        self.inputs.push(format!("DZ_AT({name}, {k}, i)"));
    }

    /// A number that the formula takes and does not read.
    fn unread(&mut self) {
        self.inputs.push("T(0)".into());
    }

    /// Result `y[k]`, written to its place.
    fn result(&mut self, k: usize) {
        let at = self.next();
        line(&mut self.parameters, format_args!("T *y{k}, "));
        line(&mut self.then, format_args!("    y{k}[nest.at({at}, i)] = y[{k}];\n"));
    }

    /// Result `y[k]`, summed up by each thread.
    fn sum(&mut self, k: usize) {
        line(&mut self.parameters, format_args!("T *y{k}, "));
        line(&mut self.before, format_args!("  T sum{k} = T(0);\n"));
        line(&mut self.then, format_args!("    sum{k} += y[{k}];\n"));
        line(&mut self.after, format_args!("  y{k}[thread] = sum{k};\n"));
    }

    fn print(self) -> String {
        let Text { formula, parameters, inputs, before, then, after, operands } = self;
        let inputs = if inputs.is_empty() { "T(0)".to_owned() } else { inputs.join(", ") };
        let (printed, name, outputs) = (formula.cuda(), &formula.name, formula.outputs);
        format!(
            "{PRELUDE}\n{printed}\nextern \"C\" __global__ void region({parameters}i64 threads, Nest<{operands}> nest) {{
  const i64 thread = i64(blockIdx.x) * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
{before}  for (i64 i = thread; i < nest.len; i += threads) {{
    const T x[] = {{{inputs}}};
    T y[{outputs}];
    {name}_of::{name}<T>(x, y);
{then}  }}
{after}}}\n"
        )
    }
}

fn line(to: &mut String, text: core::fmt::Arguments<'_>) {
    to.write_fmt(text).expect("a string takes all text");
}

/// The second step of sums, and sums along axes.
const SUMS_TEXT: &str = include_str!("../../../../gpu/kernels/sums.cu");

fn key<R: Region<N>, T: Float, const N: usize>(family: &'static str, wanted: u64) -> Key {
    Key::new::<T>(family, Of::Region(TypeId::of::<R>(), wanted))
}

pub(super) fn region<R: Region<N>, T: Float, const N: usize>(
    cuda: &Cuda,
    _: R,
    x: [Operand<'_, T, Cuda>; N],
    out: ViewMut<'_, T, Cuda>,
) {
    let text = || {
        let mut text = Text::new(RegionFormulas::of::<R, N>().value);
        (0..N).for_each(|k| text.operand(&format!("a{k}")));
        text.result(0);
        text.print()
    };
    elementwise(cuda, key::<R, T, N>("region", 0), text, &x, out);
}

pub(super) fn region_pushforward<R: Region<N>, T: Float, const N: usize>(
    cuda: &Cuda,
    _: R,
    x: [Operand<'_, T, Cuda>; N],
    t: [Operand<'_, T, Cuda>; N],
    out: ViewMut<'_, T, Cuda>,
) {
    let text = || {
        let mut text = Text::new(RegionFormulas::of::<R, N>().pushforward);
        (0..2 * N).for_each(|k| text.operand(&format!("a{k}")));
        text.result(0);
        text.print()
    };
    let all: Vec<_> = x.into_iter().chain(t).collect();
    elementwise(cuda, key::<R, T, N>("region_pushforward", 0), text, &all, out);
}

fn elementwise<T: Float>(
    cuda: &Cuda,
    key: Key,
    text: impl FnOnce() -> String,
    x: &[Operand<'_, T, Cuda>],
    out: ViewMut<'_, T, Cuda>,
) {
    let (buf, layout) = (&*out.buf, out.layout);
    let args = x.iter().fold(Args::default(), |args, x| args.element(x, (buf, layout)));
    let threads = layout.numel().min(1 << 24);
    let args = args.operand(buf, layout).size(threads).nest(layout.dims());
    cuda.run(key, "region", text, threads, args);
}

/// A cotangent that is wanted.
enum Result<'a, T: Elem> {
    /// Of the sizes of the region.
    Whole(&'a CudaBuf<T>, Layout),
    /// Summed up over leading axes: the buffer of the sums of the threads, and where they go.
    Summed(CudaBuf<T>, ViewMut<'a, T, Cuda>),
}

/// The threads that go through the elements where operands of these sizes are summed up.
fn threads(len: usize, sizes: impl Iterator<Item = usize>) -> usize {
    // Each is a suffix of the largest.
    match sizes.max() {
        None => len.min(1 << 24),
        Some(m) => m * (SUMS / m.max(1)).clamp(1, len.div_ceil(m.max(1)).max(1)),
    }
}

/// Whether an operand of these sizes lacks leading axes alone.
fn is_suffix(own: &Dims, dims: &Dims) -> bool {
    let own: Vec<usize> = own.iter().copied().skip_while(|&n| n == 1).collect();
    dims.ends_with(&own)
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
    let _ = (cuda, dims, x, y, ct, cts, is_suffix, threads, SUMS_TEXT);
}
