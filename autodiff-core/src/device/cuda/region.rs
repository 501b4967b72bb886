//! Fused regions: printed formulas, with the loops around them.
//!
//! A region is a few kernels for each type of elements: `value`, `pushforward`, and a `pullback` for each set of operands whose
//! cotangents are wanted. Their text is printed the first time they are asked for.
//!
//! **Sums.** The cotangent of an operand that lacks leading axes is a sum over them. `P` threads, a multiple of the operand's
//! size `m`, go through the elements with the step `P`, so each of them meets one element of the operand only, and neighbours
//! read neighbours. Each keeps its sum, and a second kernel adds the `P/m` sums of each element in their order. The result
//! does not depend on how the threads run.

use super::launch::{Key, Args};
use super::*;
use crate::device::symbolic::{Formula, RegionFormulas};
use core::any::TypeId;
use std::fmt::Write as _;

/// How many threads sum up, about.
const SUMS: usize = 1 << 15;

/// What a kernel of a region does besides its formula.
struct Text {
    kernel: &'static str,
    formula: Formula,
    parameters: String,
    /// `T`s that the formula takes, in its order.
    inputs: Vec<String>,
    before: String,
    /// What is done with the results `y`.
    then: String,
    after: String,
    /// Operands of the nest.
    operands: usize,
}

impl Text {
    fn new(kernel: &'static str, formula: Formula) -> Self {
        Text {
            kernel,
            formula,
            parameters: String::new(),
            inputs: Vec::new(),
            before: String::new(),
            then: String::new(),
            after: String::new(),
            operands: 0,
        }
    }

    /// One more operand of the nest, which the formula takes.
    fn operand(&mut self, name: &str) {
        let k = self.operands;
        self.operands += 1;
        self.parameters.push_str(&format!("Operand<T> {name}, "));
        self.inputs.push(format!("{name}.at(nest, {k}, i)"));
    }

    /// A number that the formula takes and does not read.
    fn unread(&mut self) {
        self.inputs.push("T(0)".into());
    }

    /// Result `y[k]`, written to its place.
    fn result(&mut self, name: &str, k: usize) {
        let at = self.operands;
        self.operands += 1;
        self.parameters.push_str(&format!("T *{name}, "));
        writeln!(self.then, "    {name}[nest.at({at}, i)] = y[{k}];").expect("a string takes all text");
    }

    /// Result `y[k]`, summed up by each thread.
    fn sum(&mut self, name: &str, k: usize) {
        self.parameters.push_str(&format!("T *{name}, "));
        writeln!(self.before, "  T {name}_sum = T(0);").expect("a string takes all text");
        writeln!(self.then, "    {name}_sum += y[{k}];").expect("a string takes all text");
        writeln!(self.after, "  if (thread < threads) {name}[thread] = {name}_sum;").expect("a string takes all text");
    }

    fn print(&self) -> String {
        let Text { kernel, parameters, before, then, after, .. } = self;
        let formula = &self.formula;
        let (inputs, outputs) = (formula.inputs.max(1), formula.outputs);
        let given = match &self.inputs[..] {
            [] => "T(0)".to_owned(),
            inputs => inputs.join(", "),
        };
        let (printed, name) = (formula.cuda(), &formula.name);
        format!(
            "{printed}\nextern \"C\" __global__ void {kernel}({parameters}i64 threads, Nest<{nest}> nest) {{
  const i64 thread = i64(blockIdx.x) * blockDim.x + threadIdx.x;
{before}  if (thread < threads) for (i64 i = thread; i < nest.len; i += threads) {{
    const T x[{inputs}] = {{{given}}};
    T y[{outputs}];
    {name}_of::{name}<T>(x, y);
{then}  }}
{after}}}\n",
            nest = self.operands,
        )
    }
}

pub(super) fn region<R: Region<N>, T: Float, const N: usize>(
    cuda: &Cuda,
    _: R,
    x: [Operand<'_, T, Cuda>; N],
    out: ViewMut<'_, T, Cuda>,
) {
    let dims = *out.layout.dims();
    let at = out.place();
    let mut args = Args::default();
    let mut layouts = Vec::with_capacity(N + 1);
    for x in &x {
        layouts.push(args.operand(x, at));
    }
    layouts.push(args.result(at));
    let text = || {
        let mut text = Text::new("value", RegionFormulas::of::<R, N>().value);
        (0..N).for_each(|k| text.operand(&format!("a{k}")));
        text.result("out", 0);
        text.print()
    };
    run::<T>(cuda, key::<R, T>("region", 0), "value", text, args, &dims, &layouts, None);
}
