//! Convolutions: products with the matrix of the windows, which is written for some images at a time.

use super::*;
use differentiable_gpu::text::CONV;
use differentiable_gpu::{Element, Matrix, Place, Product};
use flat::{Flat, as_factors, output, place};

/// Bytes of windows that are written out at a time.
const ROOM: usize = 256 << 20;

/// Channels of the output for each of the input up to which nothing is written out, if channels do not see one another.
const DIRECT: usize = 4;

/// `Conv` of conv.cu.
fn conv_fields(s: &ConvShape) -> Fields {
    let fields = windows(
        &s.windows,
        Fields::default().sizes(&[s.channels, s.out_channels]),
    );
    fields.sizes(&s.input).sizes(&s.output)
}

/// Runs a kernel of conv.cu with so many threads. Products take elements of type `A`.
fn conv_kernel<T: Elem, A: Elem>(
    cuda: &Cuda,
    kernel: &'static str,
    threads: usize,
    args: Args<'_>,
) {
    cuda.run(
        Key::pair::<T, A>("conv", Of::All),
        kernel,
        || [WINDOWS, CONV].concat(),
        threads,
        args,
    );
}

/// Whether the sums are written out.
fn is_direct(s: &ConvShape) -> bool {
    s.channels == s.groups && s.out_channels <= DIRECT * s.groups
}

/// The sizes of the products of one group.
struct Group {
    /// Entries of a window of all its channels.
    inner: usize,
    out_channels: usize,
    columns: usize,
    /// Entries of an image, and of what becomes of it.
    image: usize,
    result: usize,
}

impl Group {
    fn of(s: &ConvShape) -> Self {
        let columns = s.output_len();
        Group {
            inner: s.channels / s.groups * s.windows.volume(),
            out_channels: s.out_channels / s.groups,
            columns,
            image: s.channels * s.input_len(),
            result: s.out_channels * columns,
        }
    }

    /// Entries of the windows of a group, of its outputs, and of its weights.
    fn lens(&self) -> [usize; 3] {
        [
            self.inner * self.columns,
            self.out_channels * self.columns,
            self.out_channels * self.inner,
        ]
    }
}

/// Calls `f(first image, how many)` for as many images as have room, with `bytes` for each.
fn some_images(s: &ConvShape, bytes: usize, mut f: impl FnMut(usize, usize)) {
    let most = (ROOM / bytes.max(1)).clamp(1, s.images.max(1));
    for first in (0..s.images).step_by(most) {
        f(first, most.min(s.images - first));
    }
}

/// Calls `f(image, group, products, steps)` until there is a product for each group of each image. `steps` are those from
/// one product to the next in images, in groups.
fn all_groups(images: usize, groups: usize, mut f: impl FnMut(usize, usize, usize, [usize; 2])) {
    if images >= groups {
        (0..groups).for_each(|k| f(0, k, images, [1, 0]));
    } else {
        (0..images).for_each(|n| f(n, 0, groups, [0, 1]));
    }
}

/// A matrix stored by rows of `leading` elements.
fn by_rows(leading: usize, stride: usize, transposed: bool) -> Matrix {
    Matrix {
        transposed,
        leading: leading.max(1),
        stride,
    }
}

pub(in crate::device::cuda) fn conv<T: Float>(
    cuda: &Cuda,
    s: &ConvShape,
    x: View<'_, T, Cuda>,
    w: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let g = Group::of(s);
    if g.image == 0 || s.windows.volume() == 0 {
        // Without channels, empty sums.
        return elementwise::fill(cuda, T::ZERO, out);
    }
    if is_direct(s) {
        let fields = conv_fields(s);
        let args = Args::default()
            .push(fields.arg())
            .dense(x.buf, &x.layout)
            .dense(w.buf, &w.layout);
        let args = args.size(s.images).dense(out.buf, &out.layout);
        return conv_kernel::<T, T>(cuda, "conv_depthwise", s.images * g.result, args);
    }
    as_factors!(T: conv_as(cuda, s, x, w, out))
}

/// Windows of some images as columns, from row to row `row_step` elements, from image to image `image_step`.
fn unfold<T: Float, A: Elem>(
    cuda: &Cuda,
    s: &ConvShape,
    x: Place<'_>,
    images: usize,
    out: Place<'_>,
    [image_step, row_step]: [usize; 2],
) {
    let fields = conv_fields(s);
    let args = Args::default()
        .push(fields.arg())
        .push(x)
        .size(images)
        .push(out);
    let args = args.size(image_step).size(row_step);
    conv_kernel::<T, A>(cuda, "unfold", images * s.channels * s.output_len(), args);
}

fn conv_as<T: Float, A: Elem>(
    element: Element,
    cuda: &Cuda,
    s: &ConvShape,
    x: View<'_, T, Cuda>,
    w: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let (g, from) = (Group::of(s), out.layout.offset());
    let [unfolded, outputs, weights] = g.lens();
    let w = Flat::<T, A>::new(cuda, w);
    let same = s.windows.is_identity().then(|| Flat::<T, A>::new(cuda, x));
    some_images(s, s.groups * unfolded * size_of::<A>(), |first, images| {
        let matrix = CudaBuf::<A>::new(
            cuda,
            if same.is_some() {
                0
            } else {
                images * s.groups * unfolded
            },
        );
        if same.is_none() {
            let x = place(x.buf, x.layout.offset() + first * g.image);
            unfold::<T, A>(
                cuda,
                s,
                x,
                images,
                place(&matrix, 0),
                [s.groups * unfolded, g.columns],
            );
        }
        all_groups(images, s.groups, |n, k, batch, [image, group]| {
            let product = Product {
                output: output::<T>(),
                batch,
                a: by_rows(g.inner, group * weights, false),
                b: by_rows(g.columns, (image * s.groups + group) * unfolded, false),
                c: by_rows(g.columns, (image * s.groups + group) * outputs, false),
                ..Product::new(element, g.out_channels, g.inner, g.columns)
            };
            let b = match &same {
                Some(x) => x.at(((first + n) * s.groups + k) * unfolded),
                None => place(&matrix, (n * s.groups + k) * unfolded),
            };
            let c = place(out.buf, from + ((first + n) * s.groups + k) * outputs);
            cuda.product(&product, w.at(k * weights), b, c);
        });
    });
}

pub(in crate::device::cuda) fn conv_input<T: Float>(
    cuda: &Cuda,
    s: &ConvShape,
    w: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let g = Group::of(s);
    if g.result == 0 {
        return elementwise::fill(cuda, T::ZERO, out);
    }
    if is_direct(s) {
        let fields = conv_fields(s);
        let args = Args::default()
            .push(fields.arg())
            .dense(w.buf, &w.layout)
            .dense(ct.buf, &ct.layout);
        let args = args.size(s.images).dense(out.buf, &out.layout);
        return conv_kernel::<T, T>(cuda, "conv_input_depthwise", s.images * g.image, args);
    }
    as_factors!(T: conv_input_as(cuda, s, w, ct, out))
}

fn conv_input_as<T: Float, A: Elem>(
    element: Element,
    cuda: &Cuda,
    s: &ConvShape,
    w: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let (g, to) = (Group::of(s), out.layout.offset());
    let [unfolded, outputs, weights] = g.lens();
    let (w, ct) = (Flat::<T, A>::new(cuda, w), Flat::<T, A>::new(cuda, ct));
    let same = s.windows.is_identity();
    some_images(s, s.groups * unfolded * size_of::<T>(), |first, images| {
        let matrix = CudaBuf::<T>::new(
            cuda,
            if same {
                0
            } else {
                images * s.groups * unfolded
            },
        );
        all_groups(images, s.groups, |n, k, batch, [image, group]| {
            let product = Product {
                output: output::<T>(),
                batch,
                a: by_rows(g.inner, group * weights, true),
                b: by_rows(g.columns, (image * s.groups + group) * outputs, false),
                c: by_rows(g.columns, (image * s.groups + group) * unfolded, false),
                ..Product::new(element, g.inner, g.out_channels, g.columns)
            };
            let c = match same {
                true => place(out.buf, to + ((first + n) * s.groups + k) * unfolded),
                false => place(&matrix, (n * s.groups + k) * unfolded),
            };
            cuda.product(
                &product,
                w.at(k * weights),
                ct.at(((first + n) * s.groups + k) * outputs),
                c,
            );
        });
        if !same {
            fold::<T>(
                cuda,
                s,
                place(&matrix, 0),
                images,
                place(out.buf, to + first * g.image),
            );
        }
    });
}

/// The transpose of [`unfold`], of a dense matrix.
fn fold<T: Float>(cuda: &Cuda, s: &ConvShape, matrix: Place<'_>, images: usize, out: Place<'_>) {
    let fields = conv_fields(s);
    let args = Args::default()
        .push(fields.arg())
        .push(matrix)
        .size(images)
        .push(out);
    conv_kernel::<T, T>(cuda, "fold", images * s.channels * s.input_len(), args);
}

pub(in crate::device::cuda) fn conv_weight<T: Float>(
    cuda: &Cuda,
    s: &ConvShape,
    x: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let g = Group::of(s);
    if s.images == 0 || g.columns == 0 || g.image == 0 {
        return elementwise::fill(cuda, T::ZERO, out);
    }
    if is_direct(s) {
        let (fields, text) = (conv_fields(s), || [WINDOWS, CONV].concat());
        let blocks = (s.out_channels * s.windows.volume()).min(1 << 20);
        let args = Args::default()
            .push(fields.arg())
            .dense(x.buf, &x.layout)
            .dense(ct.buf, &ct.layout);
        let args = args.size(s.images).dense(out.buf, &out.layout);
        let key = Key::pair::<T, T>("conv", Of::All);
        return cuda.run_blocks(
            key,
            "conv_weight_depthwise",
            text,
            [blocks, 1, 1],
            launch::BLOCK,
            args,
        );
    }
    as_factors!(T: conv_weight_as(cuda, s, x, ct, out))
}

/// The images of a chunk lie side by side in the rows of both matrices, so that one product sums over them.
fn conv_weight_as<T: Float, A: Elem>(
    element: Element,
    cuda: &Cuda,
    s: &ConvShape,
    x: View<'_, T, Cuda>,
    ct: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let (g, to) = (Group::of(s), out.layout.offset());
    let [unfolded, outputs, weights] = g.lens();
    let all =
        Layout::dense(Dims::new(&[s.images, s.out_channels, g.columns])).at(ct.layout.offset());
    some_images(
        s,
        s.groups * (unfolded + outputs) * size_of::<A>(),
        |first, images| {
            let matrix = CudaBuf::<A>::new(cuda, images * s.groups * unfolded);
            let columns = images * g.columns;
            let from = place(x.buf, x.layout.offset() + first * g.image);
            unfold::<T, A>(
                cuda,
                s,
                from,
                images,
                place(&matrix, 0),
                [g.columns, columns],
            );
            let mut turned = CudaBuf::<A>::new(cuda, images * g.result);
            let layout = all.slice(0, first, images).permute(&[1, 0, 2]);
            let dense = ViewMut {
                buf: &mut turned,
                layout: Layout::dense(*layout.dims()),
            };
            elementwise::cast(
                cuda,
                View {
                    buf: ct.buf,
                    layout,
                },
                dense,
            );
            let product = Product {
                output: output::<T>(),
                batch: s.groups,
                a: by_rows(columns, g.out_channels * columns, false),
                b: by_rows(columns, g.inner * columns, true),
                c: by_rows(g.inner, weights, false),
                beta: if first == 0 { 0.0 } else { 1.0 },
                ..Product::new(element, g.out_channels, columns, g.inner)
            };
            cuda.product(
                &product,
                place(&turned, 0),
                place(&matrix, 0),
                place(out.buf, to),
            );
        },
    );
}

pub(in crate::device::cuda) fn unfold_windows<T: Float>(
    cuda: &Cuda,
    s: &ConvShape,
    x: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let columns = s.output_len();
    let steps = [s.channels * s.windows.volume() * columns, columns];
    let (x, out) = (
        place(x.buf, x.layout.offset()),
        place(out.buf, out.layout.offset()),
    );
    unfold::<T, T>(cuda, s, x, s.images, out, steps);
}

pub(in crate::device::cuda) fn fold_windows<T: Float>(
    cuda: &Cuda,
    s: &ConvShape,
    matrix: View<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let (matrix, out) = (
        place(matrix.buf, matrix.layout.offset()),
        place(out.buf, out.layout.offset()),
    );
    fold::<T>(cuda, s, matrix, s.images, out);
}
