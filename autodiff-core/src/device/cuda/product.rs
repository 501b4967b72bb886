//! Products of matrices, by cuBLAS; those of numbers with tangents by a kernel.

use super::flat::{Copied, Flat, as_factors, output, place};
use super::*;
use differentiable_gpu::text::PRODUCT_OF_DUALS;
use differentiable_gpu::{Arg, Element, Matrix, Product};
use half::{bf16, f16};

/// How the last two axes lie, if the library can read it so.
fn matrix(layout: &Layout) -> Option<Matrix> {
    let (rank, dims, strides) = (layout.dims().rank(), layout.dims(), layout.strides());
    let ([rows, columns], [down, right]) = (
        [dims[rank - 2], dims[rank - 1]],
        [strides[rank - 2], strides[rank - 1]],
    );
    // Along an axis of one entry there is no step.
    let lies = |outer: usize, step: usize, inner: usize, unit: usize| {
        ((unit == 1 || inner <= 1) && (step >= inner || outer <= 1)).then(|| step.max(inner).max(1))
    };
    let straight = lies(rows, down, columns, right).map(|leading| (false, leading));
    let (transposed, leading) =
        straight.or_else(|| lies(columns, right, rows, down).map(|leading| (true, leading)))?;
    Some(Matrix {
        transposed,
        leading,
        stride: 0,
    })
}

/// The batch as one axis, with its step; or one batch axis after another.
fn batch(layouts: [Layout; 3]) -> Option<(usize, [usize; 3])> {
    let leading = layouts[0].dims().rank() - 2;
    if leading == 0 {
        return Some((1, [0; 3]));
    }
    let merged = layouts.map(|l| l.merge(0, leading));
    let [Some(a), Some(b), Some(c)] = merged else {
        return None;
    };
    Some((a.dims()[0], [a, b, c].map(|l| l.strides()[0])))
}

pub(super) fn gemm<T: Float>(
    cuda: &Cuda,
    beta: T,
    a: View<'_, T, Cuda>,
    b: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    match T::DTYPE {
        DType::Dual => of_duals(cuda, beta, a, b, out),
        DType::F64 => multiply(cuda, Element::F64, beta, a, b, out),
        DType::MixedBf16 => {
            let (a, b) = (rounded::<T, bf16>(cuda, a), rounded::<T, bf16>(cuda, b));
            multiply(cuda, Element::Bf16, beta, a.view(), b.view(), out);
        }
        DType::MixedF16 => {
            let (a, b) = (rounded::<T, f16>(cuda, a), rounded::<T, f16>(cuda, b));
            multiply(cuda, Element::F16, beta, a.view(), b.view(), out);
        }
        _ => multiply(cuda, Element::F32, beta, a, b, out),
    }
}

pub(super) fn affine<T: Float>(
    cuda: &Cuda,
    x: View<'_, T, Cuda>,
    weight: View<'_, T, Cuda>,
    bias: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let dense = |layout: &Layout| layout.is_contiguous() && layout.numel() > 0;
    let possible = T::DTYPE != DType::Dual
        && [&x.layout, &weight.layout, &bias.layout, &out.layout]
            .into_iter()
            .all(dense);
    let (buf, layout) = (out.buf, out.layout);
    if !possible || !as_factors!(T: add_bias(cuda, x, weight, bias, (&*buf, &layout))) {
        super::super::composite::affine(cuda, x, weight, bias, ViewMut { buf, layout });
    }
}

fn of_duals<T: Float>(
    cuda: &Cuda,
    beta: T,
    a: View<'_, T, Cuda>,
    b: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    if out.layout.numel() == 0 {
        return;
    }
    let inner = |l: &Layout| {
        let last = l.dims().rank() - 1;
        (
            [l.dims()[last - 1], l.dims()[last]],
            [l.strides()[last - 1], l.strides()[last]],
        )
    };
    let [([rows, depth], of_a), ([_, columns], of_b), (_, of_out)] =
        [&a.layout, &b.layout, &out.layout].map(inner);
    // The first elements of the matrices; where there is nothing to sum up, none is read.
    let heads = |l: &Layout| {
        let first = |l: Layout, axis: usize| match l.dims()[axis] {
            0 => Layout::dense(l.dims().with(axis, 1)),
            _ => l.slice(axis, 0, 1),
        };
        let rank = l.dims().rank();
        first(first(*l, rank - 2), rank - 1)
    };
    let steps = |s: [usize; 2]| s.map(|n| (n as u64).to_ne_bytes()).concat();
    let [of_a, of_b, of_out] = [of_a, of_b, of_out].map(steps);
    let add = !Real::stays_zero(beta);
    let batch = heads(&out.layout);
    let args = Args::default()
        .operand(a.buf, heads(&a.layout))
        .operand(b.buf, heads(&b.layout))
        .operand(&*out.buf, batch)
        .value(beta)
        .push(i32::from(add));
    let args = args.size(rows).size(depth).size(columns);
    let args = [&of_a, &of_b, &of_out]
        .into_iter()
        .fold(args, |args, steps| args.push(Arg::Bytes(steps)));
    let factor = match T::MAKE.number {
        DType::MixedBf16 => "bf16",
        DType::MixedF16 => "f16",
        DType::F64 => "double",
        _ => "float",
    };
    let tiles = batch.numel() * rows.div_ceil(16) * columns.div_ceil(16);
    let text = || format!("#define FACTOR {factor}\n{PRODUCT_OF_DUALS}");
    cuda.run_blocks(
        Key::new::<T>("product_of_duals", Of::All),
        "product",
        text,
        [tiles.min(1 << 20), 1, 1],
        launch::BLOCK,
        args.nest(batch.dims()),
    );
}

/// Says whether the library does it all, with dense operands.
fn add_bias<T: Float, A: Elem>(
    element: Element,
    cuda: &Cuda,
    x: View<'_, T, Cuda>,
    weight: View<'_, T, Cuda>,
    bias: View<'_, T, Cuda>,
    out: (&CudaBuf<T>, &Layout),
) -> bool {
    let (inner, columns) = (weight.layout.dims()[0], weight.layout.dims()[1]);
    let product = Product {
        output: output::<T>(),
        ..Product::new(element, x.layout.dims()[0], inner, columns)
    };
    let (x, weight) = (Flat::<T, A>::new(cuda, x), Flat::<T, A>::new(cuda, weight));
    optim::settle_all();
    cuda.gpu.product_with_bias(
        &product,
        x.at(0),
        weight.at(0),
        place(bias.buf, bias.layout.offset()),
        place(out.0, out.1.offset()),
    )
}

/// A dense copy of other elements.
struct Rounded<H: Elem> {
    buf: CudaBuf<H>,
    layout: Layout,
}

impl<H: Elem> Rounded<H> {
    fn view(&self) -> View<'_, H, Cuda> {
        View {
            buf: &self.buf,
            layout: self.layout,
        }
    }
}

fn rounded<T: Elem, H: Elem>(cuda: &Cuda, x: View<'_, T, Cuda>) -> Rounded<H> {
    let layout = Layout::dense(*x.layout.dims());
    let mut buf = CudaBuf::new(cuda, layout.numel());
    elementwise::cast(
        cuda,
        x,
        ViewMut {
            buf: &mut buf,
            layout,
        },
    );
    Rounded { buf, layout }
}

fn multiply<A: Elem, T: Float>(
    cuda: &Cuda,
    element: Element,
    beta: T,
    a: View<'_, A, Cuda>,
    b: View<'_, A, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let dims = *out.layout.dims();
    if dims.numel() == 0 {
        return;
    }
    if a.layout.numel() == 0 {
        // Sums of nothing.
        if beta == T::ZERO {
            elementwise::fill(cuda, T::ZERO, out);
        }
        return;
    }
    let (a, b) = (
        Copied::unless(cuda, a, matrix(&a.layout).is_some()),
        Copied::unless(cuda, b, matrix(&b.layout).is_some()),
    );
    let Some(c) = matrix(&out.layout).filter(|c| !c.transposed) else {
        let layout = Layout::dense(dims);
        let mut whole = CudaBuf::new(cuda, layout.numel());
        if beta != T::ZERO {
            let from = View {
                buf: &*out.buf,
                layout: out.layout,
            };
            elementwise::copy(
                cuda,
                from,
                ViewMut {
                    buf: &mut whole,
                    layout,
                },
            );
        }
        products(
            cuda,
            element,
            beta,
            &a,
            &b,
            &whole,
            layout,
            matrix(&layout).expect("it is dense"),
        );
        return elementwise::copy(
            cuda,
            View {
                buf: &whole,
                layout,
            },
            out,
        );
    };
    products(cuda, element, beta, &a, &b, out.buf, out.layout, c);
}

#[allow(clippy::too_many_arguments, reason = "three matrices and how they lie")]
fn products<A: Elem, T: Float>(
    cuda: &Cuda,
    element: Element,
    beta: T,
    a: &Copied<'_, A>,
    b: &Copied<'_, A>,
    out: &CudaBuf<T>,
    layout: Layout,
    c: Matrix,
) {
    let rank = layout.dims().rank();
    let layouts = [a.layout, b.layout, layout];
    let Some((count, steps)) = batch(layouts) else {
        // One entry of the first axis after another.
        for k in 0..layout.dims()[0] {
            let [of_a, of_b, of_c] = layouts.map(|l| l.slice(0, k, 1).squeeze(0));
            products(
                cuda,
                element,
                beta,
                &a.part(of_a),
                &b.part(of_b),
                out,
                of_c,
                c,
            );
        }
        return;
    };
    let of = |l: &Layout, stride| Matrix {
        stride,
        ..matrix(l).expect("it lies as a matrix")
    };
    let product = Product {
        output: output::<T>(),
        batch: count,
        a: of(&a.layout, steps[0]),
        b: of(&b.layout, steps[1]),
        c: Matrix {
            stride: steps[2],
            ..c
        },
        beta: beta.to_f64(),
        ..Product::new(
            element,
            layout.dims()[rank - 2],
            a.layout.dims()[rank - 1],
            layout.dims()[rank - 1],
        )
    };
    cuda.product(
        &product,
        place(a.buf(), a.layout.offset()),
        place(b.buf(), b.layout.offset()),
        place(out, layout.offset()),
    );
}
