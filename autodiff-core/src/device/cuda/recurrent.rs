//! Recurrent layers: in each step a product with the weights of the state, and a kernel for what else the cell does.

use super::flat::{Flat, as_factors, output, place};
use super::*;
use differentiable_gpu::text::RECURRENT;
use differentiable_gpu::{Arg, Element, Matrix, Place, Product};

/// How many threads sum up a bias, about.
const THREADS: usize = 1 << 15;

/// The state after step `t` of `all`; before the first, `first`.
fn state<'a, T: Elem>(
    s: &Recurrence,
    all: &View<'a, T, Cuda>,
    first: &View<'a, T, Cuda>,
    t: Option<usize>,
) -> View<'a, T, Cuda> {
    let layout = Layout::dense(Dims::new(&[s.batch, s.hidden]));
    match t {
        Some(t) => View {
            buf: all.buf,
            layout: layout.at(all.layout.offset() + t * s.batch * s.hidden),
        },
        None => View {
            buf: first.buf,
            layout: layout.at(first.layout.offset()),
        },
    }
}

fn first<'a, T: Elem>(x: &View<'a, T, Cuda>) -> Place<'a> {
    place(x.buf, x.layout.offset())
}

/// Null without it.
fn maybe<'a, T: Elem>(x: Option<View<'a, T, Cuda>>) -> Arg<'a> {
    x.map_or(Arg::Address(0), |x| first(&x).into())
}

/// The state `c`; null for cells without.
fn memory<'a, T: Elem>(
    s: &Recurrence,
    all: &View<'a, T, Cuda>,
    start: &View<'a, T, Cuda>,
    t: Option<usize>,
) -> Arg<'a> {
    match s.cell.has_memory() {
        true => first(&state(s, all, start, t)).into(),
        false => Arg::Address(0),
    }
}

/// Runs a kernel of recurrent.cu for all units of all sequences; `args` begin with the sizes.
fn run<T: Float>(cuda: &Cuda, kernel: &'static str, threads: usize, args: Args<'_>) {
    cuda.run(
        Key::new::<T>("recurrent", Of::All),
        kernel,
        || RECURRENT.to_owned(),
        threads,
        args,
    );
}

fn sizes<'a>(s: &Recurrence) -> Args<'a> {
    Args::default()
        .push(s.cell as i32)
        .size(s.batch)
        .size(s.hidden)
}

/// `out ←` the product of a state with the weights: batch, recurrent slots and units.
fn multiply<T: Float, A: Elem>(
    cuda: &Cuda,
    s: &Recurrence,
    element: Element,
    state: View<'_, T, Cuda>,
    weights: &Flat<'_, T, A>,
    out: &CudaBuf<T>,
) {
    let columns = s.cell.recurrent() * s.hidden;
    let product = Product {
        output: output::<T>(),
        ..Product::new(element, s.batch, s.hidden, columns)
    };
    let state = Flat::<T, A>::new(cuda, state);
    cuda.product(&product, state.at(0), weights.at(0), place(out, 0));
}

#[allow(clippy::too_many_arguments, reason = "as the method of the seam")]
pub(super) fn recurrence<T: Float>(
    cuda: &Cuda,
    s: &Recurrence,
    weights: View<'_, T, Cuda>,
    bias: View<'_, T, Cuda>,
    h0: View<'_, T, Cuda>,
    c0: View<'_, T, Cuda>,
    slots: ViewMut<'_, T, Cuda>,
    memory: ViewMut<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    if out.layout.numel() > 0 {
        as_factors!(T: forward_as(cuda, s, weights, bias, h0, c0, slots, memory, out));
    }
}

#[allow(clippy::too_many_arguments, reason = "as the method of the seam")]
fn forward_as<T: Float, A: Elem>(
    element: Element,
    cuda: &Cuda,
    s: &Recurrence,
    weights: View<'_, T, Cuda>,
    bias: View<'_, T, Cuda>,
    h0: View<'_, T, Cuda>,
    c0: View<'_, T, Cuda>,
    slots: ViewMut<'_, T, Cuda>,
    to_c: ViewMut<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let weights = Flat::<T, A>::new(cuda, weights);
    let each = s.batch * s.cell.slots() * s.hidden;
    let p = CudaBuf::<T>::new(cuda, s.batch * s.cell.recurrent() * s.hidden);
    let all = View {
        buf: &*out.buf,
        layout: out.layout,
    };
    let all_c = View {
        buf: &*to_c.buf,
        layout: to_c.layout,
    };
    for t in 0..s.steps {
        let h = state(s, &all, &h0, t.checked_sub(1));
        multiply(cuda, s, element, h, &weights, &p);
        let args = sizes(s).buffer(&p).push(first(&bias)).push(first(&h));
        let args = args.push(memory(s, &all_c, &c0, t.checked_sub(1)));
        let args = args.push(place(slots.buf, slots.layout.offset() + t * each));
        let args =
            args.push(first(&state(s, &all, &h0, Some(t))))
                .push(memory(s, &all_c, &c0, Some(t)));
        run::<T>(cuda, "cell_forward", s.batch * s.hidden, args);
    }
}

/// Copies a cotangent; none is zeros.
fn passed<T: Float>(cuda: &Cuda, ct: Option<View<'_, T, Cuda>>, out: ViewMut<'_, T, Cuda>) {
    match ct {
        Some(ct) => elementwise::copy(cuda, ct, out),
        None => elementwise::fill(cuda, T::ZERO, out),
    }
}

pub(super) fn recurrence_pullback<T: Float>(
    cuda: &Cuda,
    s: &Recurrence,
    weights: View<'_, T, Cuda>,
    ran: Recurred<'_, T, Cuda>,
    ct: RecurrentCotangents<'_, T, Cuda>,
    into: RecurrentGradients<'_, T, Cuda>,
) {
    if into.slots.layout.numel() == 0 {
        elementwise::fill(cuda, T::ZERO, into.bias);
        passed(cuda, ct.h, into.h0);
        if s.cell.has_memory() {
            passed(cuda, ct.c, into.c0);
        }
        return;
    }
    as_factors!(T: backward_as(cuda, s, weights, ran, ct, into))
}

/// The gradients of the first states are those of the state before the step that was the last.
fn backward_as<T: Float, A: Elem>(
    element: Element,
    cuda: &Cuda,
    s: &Recurrence,
    weights: View<'_, T, Cuda>,
    ran: Recurred<'_, T, Cuda>,
    ct: RecurrentCotangents<'_, T, Cuda>,
    into: RecurrentGradients<'_, T, Cuda>,
) {
    let (width, rows) = (s.cell.slots() * s.hidden, s.cell.recurrent() * s.hidden);
    let weights = Flat::<T, A>::new(cuda, weights);
    let h0 = place(into.h0.buf, into.h0.layout.offset());
    let c0 = match s.cell.has_memory() {
        true => place(into.c0.buf, into.c0.layout.offset()).into(),
        false => Arg::Address(0),
    };
    let gru = s.cell == Cell::Gru;
    let slots = View {
        buf: &*into.slots.buf,
        layout: into.slots.layout,
    };
    for t in (0..s.steps).rev() {
        let last = t + 1 == s.steps;
        let args = sizes(s).push(maybe(ct.out.map(|out| state(s, &out, &out, Some(t)))));
        let args = args
            .push(if last { maybe(ct.h) } else { h0.into() })
            .push(if last { maybe(ct.c) } else { c0 });
        let args = args.push(first(&state(s, &ran.out, &ran.h0, t.checked_sub(1))));
        let args = args.push(memory(s, &ran.memory, &ran.c0, t.checked_sub(1)));
        let args = args.push(memory(s, &ran.memory, &ran.c0, Some(t)));
        let layout = Layout::dense(Dims::new(&[s.batch, width]))
            .at(slots.layout.offset() + t * s.batch * width);
        let step = View {
            buf: slots.buf,
            layout,
        };
        let args = args
            .push(first(&step))
            .push(if gru { h0.into() } else { c0 });
        run::<T>(cuda, "cell_backward", s.batch * s.hidden, args);
        // What a GRU passes on besides is there already.
        let product = Product {
            output: output::<T>(),
            a: Matrix {
                transposed: false,
                leading: width,
                stride: 0,
            },
            beta: if gru { 1.0 } else { 0.0 },
            ..Product::new(element, s.batch, rows, s.hidden)
        };
        cuda.product(
            &product,
            Flat::<T, A>::new(cuda, step).at(0),
            weights.at(0),
            h0,
        );
    }
    column_sums(cuda, slots, s.steps * s.batch, width, into.bias);
}

/// `out ←` the sums over the rows of a dense matrix.
fn column_sums<T: Float>(
    cuda: &Cuda,
    x: View<'_, T, Cuda>,
    rows: usize,
    m: usize,
    out: ViewMut<'_, T, Cuda>,
) {
    let parts = (THREADS / m).clamp(1, rows);
    let sums = CudaBuf::<T>::new(cuda, parts * m);
    let args = Args::default()
        .dense(x.buf, &x.layout)
        .size(rows)
        .size(m)
        .size(parts)
        .buffer(&sums);
    run::<T>(cuda, "column_parts", parts * m, args);
    region::add_rows(cuda, &sums, parts, out.buf, &out.layout);
}

#[allow(clippy::too_many_arguments, reason = "as the method of the seam")]
pub(super) fn recurrence_pushforward<T: Float>(
    cuda: &Cuda,
    s: &Recurrence,
    weights: View<'_, T, Cuda>,
    ran: Recurred<'_, T, Cuda>,
    slots: View<'_, T, Cuda>,
    t_slots: View<'_, T, Cuda>,
    t_h0: View<'_, T, Cuda>,
    t_c: ViewMut<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    if out.layout.numel() > 0 {
        as_factors!(T: tangent_as(cuda, s, weights, ran, slots, t_slots, t_h0, t_c, out));
    }
}

#[allow(clippy::too_many_arguments, reason = "as the method of the seam")]
fn tangent_as<T: Float, A: Elem>(
    element: Element,
    cuda: &Cuda,
    s: &Recurrence,
    weights: View<'_, T, Cuda>,
    ran: Recurred<'_, T, Cuda>,
    slots: View<'_, T, Cuda>,
    t_slots: View<'_, T, Cuda>,
    t_h0: View<'_, T, Cuda>,
    t_c: ViewMut<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let weights = Flat::<T, A>::new(cuda, weights);
    let each = s.batch * s.cell.slots() * s.hidden;
    let p = CudaBuf::<T>::new(cuda, s.batch * s.cell.recurrent() * s.hidden);
    let all = View {
        buf: &*out.buf,
        layout: out.layout,
    };
    let t_c = match s.cell.has_memory() {
        true => place(t_c.buf, t_c.layout.offset()).into(),
        false => Arg::Address(0),
    };
    for t in 0..s.steps {
        let before = t.checked_sub(1);
        let th = state(s, &all, &t_h0, before);
        multiply(cuda, s, element, th, &weights, &p);
        let of = |x: &View<'_, T, Cuda>| x.layout.offset() + t * each;
        let args = sizes(s)
            .push(place(slots.buf, of(&slots)))
            .push(place(t_slots.buf, of(&t_slots)))
            .buffer(&p);
        let args = args.push(first(&state(s, &ran.out, &ran.h0, before)));
        let args = args
            .push(memory(s, &ran.memory, &ran.c0, before))
            .push(memory(s, &ran.memory, &ran.c0, Some(t)));
        let args = args
            .push(first(&th))
            .push(t_c)
            .push(first(&state(s, &all, &t_h0, Some(t))))
            .push(t_c);
        run::<T>(cuda, "cell_tangent", s.batch * s.hidden, args);
    }
}
