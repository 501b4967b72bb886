//! Attention.

mod tensor;

use super::flat::{Fields, place};
use super::*;
use differentiable_gpu::Arg;
use differentiable_gpu::text::{
    ATTENTION, ATTENTION_PULLBACK, ATTENTION_PUSHFORWARD, ATTENTION_SHARED,
};

/// Rows and columns of the scores that a block has at a time: `SIDE` of attention.cuh.
fn side<T: Elem>() -> usize {
    256 / size_of::<T>()
}

/// How many times [`side`] columns of a matrix a block has: a power of two; of wider ones, a part.
fn times<T: Elem>(width: usize) -> usize {
    width
        .div_ceil(side::<T>())
        .next_power_of_two()
        .min(256 / side::<T>())
}

/// How many blocks have all columns.
fn parts<T: Elem>(width: usize) -> usize {
    width.div_ceil(times::<T>(width) * side::<T>())
}

/// `Heads` of attention.cuh.
fn heads(fields: Fields, layout: &Layout) -> Fields {
    let (leading, strides) = (layout.dims().rank() - 2, layout.strides());
    let padded = |of: &[usize]| {
        let mut all = [0; MAX_RANK - 2];
        all[..leading].copy_from_slice(&of[..leading]);
        all
    };
    let fields = fields
        .sizes(&[leading])
        .sizes(&padded(layout.dims().as_slice()))
        .sizes(&padded(strides));
    fields.sizes(&[layout.offset(), strides[leading], strides[leading + 1]])
}

/// No matrices.
fn no_heads(fields: Fields) -> Fields {
    fields.sizes(&[0; 2 * (MAX_RANK - 2) + 4])
}

/// `Attention` of attention.cuh.
fn fields<T: Float>(input: &AttentionInput<'_, T, Cuda>) -> Fields {
    let s = input.shape;
    let lengths = match &input.mask {
        AttentionMask::Lengths(n) => [n.layout.numel(), n.layout.strides()[0]],
        _ => [1, 0],
    };
    let (rate, seed) = s.dropout.unwrap_or((0.0, 0));
    let sizes = [
        s.heads,
        s.group,
        s.queries,
        s.keys,
        s.width,
        s.value_width,
        usize::from(s.causal),
        s.biases,
    ];
    let limit = (rate * 4_294_967_296.0).round() as usize;
    let fields = Fields::default().sizes(&sizes).sizes(&lengths);
    // Whoever captures keeps the number.
    let more = input.q.buf.device().shift();
    let more = more.filter(|_| s.dropout.is_some());
    let more = more.map_or(0, |shift| {
        input.q.buf.device().gpu.hold(shift.buffer());
        shift.buffer().address() as usize
    });
    let fields = fields.sizes(&[usize::from(s.dropout.is_some()), limit, seed as usize, more]);
    let fields = fields.real(s.scale).real(1.0 / (1.0 - rate));
    let fields = [&input.q, &input.k, &input.v]
        .into_iter()
        .fold(fields, |f, x| heads(f, &x.layout));
    match &input.mask {
        AttentionMask::Visible(m) => heads(fields, &m.layout),
        AttentionMask::Bias(b) => heads(fields, &b.layout),
        AttentionMask::None | AttentionMask::Lengths(_) => no_heads(fields),
    }
}

const NULL: Arg<'static> = Arg::Address(0);

/// `DZ_OPERANDS` of attention.cuh.
fn operands<'a, T: Float>(args: Args<'a>, input: &AttentionInput<'a, T, Cuda>) -> Args<'a> {
    let args = args
        .buffer(input.q.buf)
        .buffer(input.k.buf)
        .buffer(input.v.buf);
    match input.mask {
        AttentionMask::None => args.push(NULL).push(NULL).push(NULL),
        AttentionMask::Visible(m) => args.buffer(m.buf).push(NULL).push(NULL),
        AttentionMask::Bias(b) => args.push(NULL).buffer(b.buf).push(NULL),
        AttentionMask::Lengths(n) => args
            .push(NULL)
            .push(NULL)
            .push(place(n.buf, n.layout.offset())),
    }
}

/// Runs a kernel of one of the files, in so many blocks.
fn run<T: Float>(
    cuda: &Cuda,
    s: &AttentionShape,
    [family, file]: [&'static str; 2],
    kernel: &'static str,
    blocks: usize,
    args: Args<'_>,
) {
    let (widths, values) = (times::<T>(s.width), times::<T>(s.value_width));
    // Only the pullback has columns of keys.
    let of = if family == "attention_pullback" {
        widths << 8 | values
    } else {
        values
    };
    let text = || {
        format!("#define DZ_WIDTHS {widths}\n#define DZ_VALUES {values}\n{ATTENTION_SHARED}{file}")
    };
    let key = Key::new::<T>(family, Of::Kind(of as u64));
    cuda.run_blocks(
        key,
        kernel,
        text,
        [blocks.min(1 << 30), 1, 1],
        launch::BLOCK,
        args,
    );
}

/// Blocks that have all queries.
fn query_blocks<T: Float>(s: &AttentionShape, width: usize) -> usize {
    s.heads * s.queries.div_ceil(side::<T>()) * parts::<T>(width)
}

pub(super) fn attention<T: Float>(
    cuda: &Cuda,
    input: AttentionInput<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
    stats: ViewMut<'_, T, Cuda>,
) -> Result<(), IndexError> {
    let (s, files) = (input.shape, ["attention", ATTENTION]);
    if let AttentionMask::Lengths(n) = input.mask {
        let (count, step) = (n.layout.numel(), n.layout.strides()[0]);
        let args = Args::default()
            .push(place(n.buf, n.layout.offset()))
            .size(count)
            .size(step)
            .size(s.keys);
        let args = args.fault().push(launch::number_of("attention"));
        run::<T>(
            cuda,
            s,
            files,
            "check_lengths",
            count.div_ceil(launch::BLOCK as usize),
            args,
        );
    }
    if out.layout.numel() == 0 {
        // Values without entries; the statistics are asked for by nobody.
        elementwise::fill(cuda, T::ZERO, stats);
        return Ok(());
    }
    let fields = fields(&input);
    let args = operands(Args::default().push(fields.arg()), &input);
    let args = args
        .dense(out.buf, &out.layout)
        .dense(stats.buf, &stats.layout);
    if tensor::takes(cuda, &input) {
        tensor::forward::<T>(cuda, s, args);
        return Ok(());
    }
    run::<T>(
        cuda,
        s,
        files,
        "attention",
        query_blocks::<T>(s, s.value_width),
        args,
    );
    Ok(())
}

pub(super) fn attention_pullback<T: Float>(
    cuda: &Cuda,
    input: AttentionInput<'_, T, Cuda>,
    saved: [View<'_, T, Cuda>; 2],
    ct: View<'_, T, Cuda>,
    into: AttentionGradients<'_, T, Cuda>,
) {
    let s = input.shape;
    let AttentionGradients { q, k, v, bias } = into;
    if ct.layout.numel() == 0 || s.keys == 0 {
        return [q, k, v, bias]
            .into_iter()
            .flatten()
            .for_each(|d| elementwise::fill(cuda, T::ZERO, d));
    }
    let run = |kernel, blocks, args: Args<'_>| {
        run::<T>(
            cuda,
            s,
            ["attention_pullback", ATTENTION_PULLBACK],
            kernel,
            blocks,
            args,
        );
    };
    let [out, stats] = saved;
    let rows = s.heads * s.queries;
    let delta = CudaBuf::<T>::new(cuda, rows);
    let args = Args::default()
        .dense(out.buf, &out.layout)
        .dense(ct.buf, &ct.layout);
    // A warp for each row.
    run(
        "attention_deltas",
        rows.div_ceil(8),
        args.size(s.value_width).size(rows).buffer(&delta),
    );

    let fields = fields(&input);
    let all = || {
        let args = operands(Args::default().push(fields.arg()), &input);
        args.dense(ct.buf, &ct.layout)
            .dense(stats.buf, &stats.layout)
            .buffer(&delta)
    };
    let by_tensor_cores = tensor::takes(cuda, &input);
    let key_tiles = s.keys.div_ceil(side::<T>());
    if let Some(q) = q {
        let args = all().dense(q.buf, &q.layout);
        match by_tensor_cores {
            true => tensor::queries::<T>(cuda, s, args),
            false => run("attention_queries", query_blocks::<T>(s, s.width), args),
        }
    }
    if k.is_some() || v.is_some() {
        let of = |d: &Option<_>, width| if d.is_some() { parts::<T>(width) } else { 0 };
        let parts = of(&k, s.width).max(of(&v, s.value_width));
        let args = [&k, &v].into_iter().fold(all(), |args, d| match d {
            Some(d) => args.dense(d.buf, &d.layout),
            None => args.push(NULL),
        });
        match by_tensor_cores {
            true => tensor::keys::<T>(cuda, s, args),
            false => run(
                "attention_keys",
                s.heads / s.group * key_tiles * parts,
                args,
            ),
        }
    }
    if let Some(bias) = bias {
        let blocks = s.biases * key_tiles * s.queries.div_ceil(side::<T>());
        run(
            "attention_bias",
            blocks,
            all().dense(bias.buf, &bias.layout),
        );
    }
}

pub(super) fn attention_pushforward<T: Float>(
    cuda: &Cuda,
    input: AttentionInput<'_, T, Cuda>,
    saved: [View<'_, T, Cuda>; 2],
    tangents: AttentionTangents<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    if out.layout.numel() == 0 {
        return;
    }
    let (s, [y, stats], t) = (input.shape, saved, tangents);
    let moved = [&t.q, &t.k, &t.v]
        .into_iter()
        .fold(Fields::default(), |f, x| heads(f, &x.layout));
    let moved = match &t.bias {
        Some(b) => heads(moved, &b.layout),
        None => no_heads(moved),
    };
    let fields = fields(&input);
    let args = operands(Args::default().push(fields.arg()), &input);
    let args = args
        .dense(y.buf, &y.layout)
        .dense(stats.buf, &stats.layout)
        .push(moved.arg());
    let args = args.buffer(t.q.buf).buffer(t.k.buf).buffer(t.v.buf);
    let args = match &t.bias {
        Some(b) => args.buffer(b.buf),
        None => args.push(NULL),
    };
    let files = ["attention_pushforward", ATTENTION_PUSHFORWARD];
    let blocks = query_blocks::<T>(s, s.value_width);
    run::<T>(
        cuda,
        s,
        files,
        "attention_pushforward",
        blocks,
        args.dense(out.buf, &out.layout),
    );
}
