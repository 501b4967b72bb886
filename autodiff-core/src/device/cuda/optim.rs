//! Steps of optimisers, of one tensor or of many at once, and what clipping needs.
//!
//! What changes from step to step can be in the device's memory, so that a captured graph does not keep the numbers of its
//! capture: see [`adam_numbers`] and [`sgd_numbers`].

use super::*;
use differentiable_gpu::text::OPTIM;
use differentiable_gpu::{Arg, Buffer as Memory};

/// Tensors of a launch at most, and the elements of a chunk, as in optim.cu.
const MOST: usize = 48;
const CHUNK: usize = 4096;

/// Blocks of a launch at most; each goes on with the next chunk.
const BLOCKS: usize = 1 << 14;

/// A part of several buffers: `K` operands of one tensor.
struct Operands<'a, T: Elem, const K: usize> {
    len: usize,
    at: [(&'a CudaBuf<T>, usize); K],
}

impl<'a, T: Elem, const K: usize> Operands<'a, T, K> {
    fn new(views: [View<'a, T, Cuda>; K]) -> Self {
        let len = views[0].layout.numel();
        let at = views.map(|x| {
            assert!(
                x.layout.is_contiguous() && x.layout.numel() == len,
                "operands are dense, and of one size"
            );
            (x.buf, x.layout.offset())
        });
        Operands { len, at }
    }
}

/// What is written is read as well.
fn shared<'a, T: Elem>(x: &'a ViewMut<'_, T, Cuda>) -> View<'a, T, Cuda> {
    View {
        buf: &*x.buf,
        layout: x.layout,
    }
}

/// `Tensors<K>`, and the number of chunks.
fn table<T: Elem, const K: usize>(tensors: &[&Operands<'_, T, K>]) -> (Vec<u8>, usize) {
    let mut bytes = [tensors.len() as u32, 0].map(u32::to_ne_bytes).concat();
    let mut chunks = 0;
    for k in 0..MOST + 2 {
        bytes.extend((chunks as u32).to_ne_bytes());
        chunks += tensors.get(k).map_or(0, |x| x.len.div_ceil(CHUNK));
    }
    let mut number = |n: u64| bytes.extend(n.to_ne_bytes());
    (0..MOST).for_each(|k| number(tensors.get(k).map_or(0, |x| x.len as u64)));
    for operand in 0..K {
        for k in 0..MOST {
            let at = |x: &&Operands<'_, T, K>| {
                let (buf, offset) = x.at[operand];
                buf.memory().address() + (offset * size_of::<T>()) as u64
            };
            number(tensors.get(k).map_or(0, at));
        }
    }
    (bytes, chunks)
}

/// Runs a kernel over tensors, as many at once as it takes. `args` are its arguments before the table, of a launch with so many
/// blocks.
fn run<'a, T: Elem, const K: usize>(
    cuda: &Cuda,
    kernel: &'static str,
    tensors: &[Operands<'_, T, K>],
    most: usize,
    mut args: impl FnMut(usize) -> Args<'a>,
) {
    // Memory that could not be had is an error that the next reading tells.
    let is_there = |x: &Operands<'_, T, K>| {
        x.len > 0 && !x.at.iter().any(|(buf, _)| buf.memory().is_missing())
    };
    let there: Vec<_> = tensors.iter().filter(|x| is_there(x)).collect();
    for group in there.chunks(MOST) {
        group
            .iter()
            .flat_map(|x| &x.at)
            .for_each(|(buf, _)| cuda.gpu.hold(buf.memory()));
        let (bytes, chunks) = table(group);
        let blocks = chunks.min(most);
        let key = Key::new::<T>("optim", Of::All);
        let args = args(blocks);
        cuda.run_blocks(
            key,
            kernel,
            || OPTIM.to_owned(),
            [blocks, 1, 1],
            launch::BLOCK,
            with_table(args, &bytes),
        );
    }
}

/// The arguments, for as long as the table is there.
fn with_table<'t>(args: Args<'t>, table: &'t [u8]) -> Args<'t> {
    args.push(Arg::Bytes(table))
}

/// The numbers of a step by value and on the device, and the factor of gradients on the device.
fn numbers<'a>(
    given: &'a [u8],
    on_device: Option<&'a Memory>,
    factor: Option<View<'a, f64, Cuda>>,
) -> Args<'a> {
    let args = Args::default().push(Arg::Bytes(given));
    let args = match on_device {
        Some(memory) => args.push(memory),
        None => args.push(Arg::Address(0)),
    };
    match factor {
        Some(factor) => args.dense(factor.buf, &factor.layout),
        None => args.push(Arg::Address(0)),
    }
}

/// A parameter and what belongs to it.
pub(super) struct SgdSlot<'a, T: Float> {
    pub param: ViewMut<'a, T, Cuda>,
    pub grad: View<'a, T, Cuda>,
    /// With momentum.
    pub velocity: Option<ViewMut<'a, T, Cuda>>,
}

/// A parameter and what belongs to it.
pub(super) struct AdamSlot<'a, T: Float> {
    pub param: ViewMut<'a, T, Cuda>,
    pub grad: View<'a, T, Cuda>,
    pub first: ViewMut<'a, T, Cuda>,
    pub second: ViewMut<'a, T, Cuda>,
}

/// `Sgd` of optim.cu, for the device's memory as well.
pub(super) fn sgd_numbers(s: &SgdStep) -> [f64; 5] {
    [
        s.lr,
        s.weight_decay,
        s.momentum,
        1.0 - s.dampening,
        f64::from(u8::from(s.nesterov)),
    ]
}

/// `Adam` of optim.cu, for the device's memory as well.
pub(super) fn adam_numbers(s: &AdamStep) -> [f64; 9] {
    assert!(s.step > 0, "Adam counts its steps from 1");
    let t = s.step as f64;
    let (c1, c2) = (1.0 - s.beta1.powf(t), 1.0 - s.beta2.powf(t));
    let (coupled, keep) = match s.decay {
        Decay::Coupled => (s.weight_decay, 1.0),
        Decay::Decoupled => (0.0, 1.0 - s.lr * s.weight_decay),
    };
    let (d1, d2) = (1.0 - s.beta1, 1.0 - s.beta2);
    [
        s.lr / c1,
        1.0 / c2.sqrt(),
        s.eps,
        s.beta1,
        s.beta2,
        d1,
        d2,
        coupled,
        keep,
    ]
}

/// A step of many tensors. Its numbers are read from `on_device` if that is given, and gradients are multiplied by `factor`.
pub(super) fn sgd_many<T: Float>(
    cuda: &Cuda,
    step: &SgdStep,
    on_device: Option<&Memory>,
    factor: Option<View<'_, f64, Cuda>>,
    slots: &mut [SgdSlot<'_, T>],
) {
    let given = sgd_numbers(step).map(f64::to_ne_bytes).concat();
    let args = |_| numbers(&given, on_device, factor);
    let plain = slots.iter().filter(|s| s.velocity.is_none());
    let plain: Vec<_> = plain
        .map(|s| Operands::new([shared(&s.param), s.grad]))
        .collect();
    run(cuda, "sgd", &plain, BLOCKS, args);
    let moving = slots.iter().filter_map(|s| {
        let velocity = s.velocity.as_ref()?;
        Some(Operands::new([shared(&s.param), s.grad, shared(velocity)]))
    });
    run(
        cuda,
        "sgd_momentum",
        &moving.collect::<Vec<_>>(),
        BLOCKS,
        args,
    );
    for slot in slots {
        slot.param.buf.forget_mirror();
        slot.velocity.iter_mut().for_each(|v| v.buf.forget_mirror());
    }
}

/// A step of many tensors. Its numbers are read from `on_device` if that is given, and gradients are multiplied by `factor`.
pub(super) fn adam_many<T: Float>(
    cuda: &Cuda,
    step: &AdamStep,
    on_device: Option<&Memory>,
    factor: Option<View<'_, f64, Cuda>>,
    slots: &mut [AdamSlot<'_, T>],
) {
    let given = adam_numbers(step).map(f64::to_ne_bytes).concat();
    let all = slots.iter().map(|s| {
        Operands::new([
            shared(&s.param),
            s.grad,
            shared(&s.first),
            shared(&s.second),
        ])
    });
    run(cuda, "adam", &all.collect::<Vec<_>>(), BLOCKS, |_| {
        numbers(&given, on_device, factor)
    });
    for slot in slots {
        for x in [&mut slot.param, &mut slot.first, &mut slot.second] {
            x.buf.forget_mirror();
        }
    }
}

pub(super) fn sgd<T: Float>(
    cuda: &Cuda,
    step: &SgdStep,
    param: ViewMut<'_, T, Cuda>,
    grad: View<'_, T, Cuda>,
    velocity: Option<ViewMut<'_, T, Cuda>>,
) {
    sgd_many(
        cuda,
        step,
        None,
        None,
        &mut [SgdSlot {
            param,
            grad,
            velocity,
        }],
    );
}

pub(super) fn adam<T: Float>(
    cuda: &Cuda,
    step: &AdamStep,
    param: ViewMut<'_, T, Cuda>,
    grad: View<'_, T, Cuda>,
    first: ViewMut<'_, T, Cuda>,
    second: ViewMut<'_, T, Cuda>,
) {
    adam_many(
        cuda,
        step,
        None,
        None,
        &mut [AdamSlot {
            param,
            grad,
            first,
            second,
        }],
    );
}
