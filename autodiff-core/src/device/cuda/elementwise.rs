//! Elementwise operations, copies and conversions.

use super::*;
use crate::device::symbolic::{Formula, PRELUDE};
use differentiable_gpu::text::MAP;
use std::fmt::Write as _;

fn map<T: Elem, U: Elem>(kernel: &'static str, dims: &Dims, cuda: &Cuda, args: Args<'_>) {
    let key = Key::pair::<T, U>("map", Of::All);
    cuda.run(
        key,
        kernel,
        || MAP.to_owned(),
        dims.numel(),
        args.nest(dims),
    );
}

pub(super) fn fill<T: Elem>(cuda: &Cuda, value: T, out: ViewMut<'_, T, Cuda>) {
    fill_at(cuda, value, out.buf, out.layout);
}

pub(super) fn fill_at<T: Elem>(cuda: &Cuda, value: T, buf: &CudaBuf<T>, layout: Layout) {
    let args = Args::default().value(value).operand(buf, layout);
    map::<T, T>("fill", layout.dims(), cuda, args);
}

pub(super) fn copy<T: Elem>(cuda: &Cuda, x: View<'_, T, Cuda>, out: ViewMut<'_, T, Cuda>) {
    cast(cuda, x, out);
}

pub(super) fn cast<T: Elem, U: Elem>(cuda: &Cuda, x: View<'_, T, Cuda>, out: ViewMut<'_, U, Cuda>) {
    cast_to(cuda, x, out.buf, out.layout);
}

/// The same to a buffer that others may have, too.
pub(super) fn cast_to<T: Elem, U: Elem>(
    cuda: &Cuda,
    x: View<'_, T, Cuda>,
    out: &CudaBuf<U>,
    layout: Layout,
) {
    let args = Args::default()
        .operand(x.buf, x.layout)
        .operand(out, layout);
    map::<T, U>("cast", layout.dims(), cuda, args);
}

pub(super) fn compare<T: Elem>(
    cuda: &Cuda,
    op: CompareOp,
    a: View<'_, T, Cuda>,
    b: View<'_, T, Cuda>,
    out: ViewMut<'_, bool, Cuda>,
) {
    let args = Args::default()
        .push(op as i32)
        .operand(a.buf, a.layout)
        .operand(b.buf, b.layout);
    map::<T, T>(
        "compare",
        out.layout.dims(),
        cuda,
        args.operand(out.buf, out.layout),
    );
}

pub(super) fn select<T: Elem>(
    cuda: &Cuda,
    mask: View<'_, bool, Cuda>,
    a: Operand<'_, T, Cuda>,
    b: Operand<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let (buf, layout) = (&*out.buf, out.layout);
    let args = Args::default().operand(mask.buf, mask.layout);
    let args = args
        .element(&a, (buf, layout))
        .element(&b, (buf, layout))
        .operand(buf, layout);
    map::<T, T>("select", layout.dims(), cuda, args);
}

pub(super) fn add_scaled<T: Float>(
    cuda: &Cuda,
    alpha: T,
    x: View<'_, T, Cuda>,
    y: ViewMut<'_, T, Cuda>,
) {
    let args = Args::default()
        .value(alpha)
        .operand(x.buf, x.layout)
        .operand(y.buf, y.layout);
    map::<T, T>("add_scaled", y.layout.dims(), cuda, args);
}

/// `void apply(int add, operands, constants, T *out, Nest)`: a formula of one value, whose last inputs are the same for all
/// elements.
fn text(formula: &Formula, constants: usize) -> String {
    let n = formula.inputs - constants;
    let mut text = format!(
        "{PRELUDE}\n{}\nextern \"C\" __global__ void apply(int add, ",
        formula.cuda()
    );
    for k in 0..n {
        write!(text, "DZ_OPERAND(a{k}), ").expect("a string takes all text");
    }
    for k in 0..constants {
        write!(text, "T c{k}, ").expect("a string takes all text");
    }
    let elements = (0..n).map(|k| format!("DZ_AT(a{k}, {k}, i)"));
    let elements: Vec<String> = elements
        .chain((0..constants).map(|k| format!("c{k}")))
        .collect();
    let (elements, name) = (elements.join(", "), &formula.name);
    write!(
        text,
        "T *out, DZ_BY_VALUE Nest<{}> nest) {{
  DZ_FOR(i, nest.len) {{
    const T x[] = {{{elements}}};
    T y;
    {name}_of::{name}<T>(x, &y);
    T &o = out[nest.at({n}, i)];
    o = add ? o + y : y;
  }}
}}
",
        n + 1,
    )
    .expect("a string takes all text");
    text
}

fn apply<T: Float, const N: usize>(
    cuda: &Cuda,
    key: Key,
    formula: impl FnOnce() -> Formula,
    x: [Operand<'_, T, Cuda>; N],
    constants: &[f64],
    write: Write,
    out: ViewMut<'_, T, Cuda>,
) {
    let (buf, layout) = (&*out.buf, out.layout);
    let add = i32::from(write == Write::Add);
    let args = x.iter().fold(Args::default().push(add), |args, x| {
        args.element(x, (buf, layout))
    });
    let args = constants
        .iter()
        .fold(args, |args, c| args.value(<T as Real>::lit(*c)));
    let args = args.operand(buf, layout).nest(layout.dims());
    let text = || text(&formula(), constants.len());
    cuda.run(key, "apply", text, layout.numel(), args);
}

/// The kernel of a function of one element: numbers that its kind leaves open are arguments.
fn of_unary(op: UnaryOp) -> Of {
    let kind = match op {
        UnaryOp::Powi(n) => n,
        _ => 0,
    };
    Of::Unary(core::mem::discriminant(&op), kind)
}

pub(super) fn unary<T: Float>(
    cuda: &Cuda,
    op: UnaryOp,
    x: Operand<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let key = Key::new::<T>("unary", of_unary(op));
    if T::DTYPE == DType::Dual && !matches!(op, UnaryOp::CeluByAlpha(_)) {
        return unary_of_duals(cuda, key, op, x, out);
    }
    match op.constants() {
        Some(c) => apply(cuda, key, || op.formula_of_kind(), [x], &c, Write::Set, out),
        None => apply(cuda, key, || op.formula(), [x], &[], Write::Set, out),
    }
}

/// A function of numbers with tangents, as in `kernel/chained.rs`: the value by the function of numbers, and each tangent by its
/// pullback, which for a function of one number is its pushforward too.
const CHAINED: &str = "
template <typename A> struct Chained {
  static __device__ A of(A x, double c0, double c1) {
    const A in[] = {x, A(c0), A(c1)};
    A y;
    unary_of::unary<A>(in, &y);
    return y;
  }
};
template <typename V, int K> struct Chained<Dual<V, K>> {
  static __device__ Dual<V, K> of(Dual<V, K> x, double c0, double c1) {
    Dual<V, K> y;
    y.value = Chained<V>::of(x.value, c0, c1);
    for (int k = 0; k < K; k++) {
      const V t = x.tangent[k], in[] = {SAVED, t, V(c0), V(c1)};
      V pushed;
      unary_pullback_of::unary_pullback<V>(in, &pushed);
      y.tangent[k] = dz::unless_zero(t, pushed);
    }
    return y;
  }
};
extern \"C\" __global__ void apply(DZ_OPERAND(a), double c0, double c1, T *out, DZ_BY_VALUE Nest<2> nest) {
  DZ_FOR(i, nest.len) out[nest.at(1, i)] = Chained<T>::of(DZ_AT(a, 0, i), c0, c1);
}
";

fn unary_of_duals<T: Float>(
    cuda: &Cuda,
    key: Key,
    op: UnaryOp,
    x: Operand<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let constants = op.constants();
    let text = || {
        let (value, pullback) = match constants {
            Some(_) => (op.formula_of_kind(), op.pullback_formula_of_kind()),
            None => (op.formula(), op.pullback_formula()),
        };
        let saved = match op.saves() {
            Saves::Output => "y.value",
            Saves::Input | Saves::Nothing => "x.value",
        };
        let chained = CHAINED.replace("SAVED", saved);
        format!(
            "{PRELUDE}\n{}\n{}\n{chained}",
            value.cuda(),
            pullback.cuda()
        )
    };
    let (buf, layout) = (&*out.buf, out.layout);
    let [a, b] = constants.unwrap_or([0.0; 2]);
    let args = Args::default().element(&x, (buf, layout)).push(a).push(b);
    let args = args.operand(buf, layout).nest(layout.dims());
    cuda.run(key, "apply", text, layout.numel(), args);
}

pub(super) fn unary_pullback<T: Float>(
    cuda: &Cuda,
    op: UnaryOp,
    saved: Operand<'_, T, Cuda>,
    ct: Operand<'_, T, Cuda>,
    write: Write,
    out: ViewMut<'_, T, Cuda>,
) {
    let key = Key::new::<T>("unary_pullback", of_unary(op));
    let x = [saved, ct];
    match op.constants() {
        Some(c) => apply(
            cuda,
            key,
            || op.pullback_formula_of_kind(),
            x,
            &c,
            write,
            out,
        ),
        None => apply(cuda, key, || op.pullback_formula(), x, &[], write, out),
    }
}

pub(super) fn binary<T: Float>(
    cuda: &Cuda,
    op: BinaryOp,
    a: Operand<'_, T, Cuda>,
    b: Operand<'_, T, Cuda>,
    write: Write,
    out: ViewMut<'_, T, Cuda>,
) {
    let key = Key::new::<T>("binary", Of::Binary(op, None));
    apply(cuda, key, || op.formula(), [a, b], &[], write, out);
}

#[allow(clippy::too_many_arguments, reason = "operands are views of buffers")]
pub(super) fn binary_pullback<T: Float>(
    cuda: &Cuda,
    op: BinaryOp,
    side: Side,
    a: Operand<'_, T, Cuda>,
    b: Operand<'_, T, Cuda>,
    ct: Operand<'_, T, Cuda>,
    write: Write,
    out: ViewMut<'_, T, Cuda>,
) {
    let key = Key::new::<T>("binary_pullback", Of::Binary(op, Some(side)));
    apply(
        cuda,
        key,
        || op.pullback_formula(side),
        [a, b, ct],
        &[],
        write,
        out,
    );
}
