//! Steps of optimisers. Within [`together`], tensors that take the same step share a launch.

use super::capture::Captive;
use super::*;
use crate::tensor::raw::Raw;
use differentiable_gpu::text::OPTIM;
use differentiable_gpu::{Arg, Buffer as Memory};
use std::cell::RefCell;
use std::collections::HashSet;

/// Tensors of a launch at most, and the elements of a chunk, as in optim.cu.
const MOST: usize = 48;
const CHUNK: usize = 4096;

/// Blocks of a launch at most; each goes on with the next chunk.
const BLOCKS: usize = 1 << 14;

/// Blocks that sum up squares. Each has a sum.
const SUMS: usize = 1024;

/// A tensor and what belongs to it: dense parts of as many elements of several buffers.
pub struct Job {
    len: usize,
    /// The buffers and the bytes in front.
    at: Vec<(Memory, usize)>,
}

impl Job {
    pub(super) fn new<T: Elem>(parts: &[View<'_, T, Cuda>]) -> Self {
        let len = parts[0].layout.numel();
        let part = |x: &View<'_, T, Cuda>| {
            let fits = x.layout.is_contiguous() && x.layout.numel() == len;
            assert!(fits, "operands are dense, and of one size");
            (x.buf.memory().shared(), x.layout.offset() * size_of::<T>())
        };
        Job {
            len,
            at: parts.iter().map(part).collect(),
        }
    }

    /// Memory that could not be had is an error that the next reading tells.
    fn is_there(&self) -> bool {
        self.len > 0 && !self.at.iter().any(|(memory, _)| memory.is_missing())
    }
}

/// `Tensors<K>`, and the number of chunks.
fn table(jobs: &[&Job]) -> (Vec<u8>, usize) {
    let mut bytes = [jobs.len() as u32, 0].map(u32::to_ne_bytes).concat();
    let mut chunks = 0;
    for k in 0..MOST + 2 {
        bytes.extend((chunks as u32).to_ne_bytes());
        chunks += jobs.get(k).map_or(0, |x| x.len.div_ceil(CHUNK));
    }
    let mut number = |n: u64| bytes.extend(n.to_ne_bytes());
    (0..MOST).for_each(|k| number(jobs.get(k).map_or(0, |x| x.len as u64)));
    for operand in 0..jobs[0].at.len() {
        for k in 0..MOST {
            let at = |x: &&Job| x.at[operand].0.address() + x.at[operand].1 as u64;
            number(jobs.get(k).map_or(0, at));
        }
    }
    (bytes, chunks)
}

/// A step that several tensors take: the kernel, and the numbers of the step.
struct Step {
    cuda: Cuda,
    key: Key,
    kernel: &'static str,
    numbers: Vec<u8>,
    /// What gradients are multiplied by.
    factor: Option<Arc<Memory>>,
}

impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        let factor = |step: &Self| step.factor.as_ref().map(|memory| memory.address());
        (&self.cuda, self.key, self.kernel, &self.numbers)
            == (&other.cuda, other.key, other.kernel, &other.numbers)
            && factor(self) == factor(other)
    }
}

impl Step {
    fn of<T: Float>(cuda: &Cuda, kernel: &'static str, numbers: &[f64]) -> Self {
        Step {
            cuda: cuda.clone(),
            key: Key::new::<T>("optim", Of::All),
            kernel,
            numbers: numbers.iter().flat_map(|x| x.to_ne_bytes()).collect(),
            factor: FACTOR.with_borrow(|factor| {
                let (_, memory) = factor.as_ref().filter(|(of, _)| of == cuda)?;
                Some(Arc::clone(memory))
            }),
        }
    }

    /// Takes it for as many tensors at once as a kernel takes.
    fn take(&self, jobs: &[Job]) {
        let there: Vec<_> = jobs.iter().filter(|x| x.is_there()).collect();
        for jobs in there.chunks(MOST) {
            let memory = jobs.iter().flat_map(|x| &x.at);
            memory.for_each(|(memory, _)| self.cuda.gpu.hold(memory));
            let (table, chunks) = table(jobs);
            let args = Args::default().push(Arg::Bytes(&self.numbers));
            let args = match &self.factor {
                Some(factor) => args.push(&**factor),
                None => args.push(Arg::Address(0)),
            };
            let args = args.push(Arg::Bytes(&table));
            let grid = [chunks.min(BLOCKS), 1, 1];
            let text = || OPTIM.to_owned();
            self.cuda
                .run_blocks(self.key, self.kernel, text, grid, launch::BLOCK, args);
        }
    }

    /// Takes it for a tensor: now, or with others.
    fn of_one(self, job: Job) {
        // A tensor that has two names takes its steps one after the other. The gradient, which is only read, comes second.
        let written = job.at.iter().enumerate().filter(|(k, _)| *k != 1);
        settle(written.map(|(_, (memory, _))| memory.address()));
        let alone = PENDING.with_borrow_mut(|pending| match pending {
            Some(pending) => {
                pending.push(self, job);
                None
            }
            None => Some((self, job)),
        });
        if let Some((step, job)) = alone {
            step.take(&[job]);
        }
    }
}

/// Steps that are put off, each with the tensors that take it.
#[derive(Default)]
struct Pending {
    steps: Vec<(Step, Vec<Job>)>,
    /// Where what they are about lies.
    addresses: HashSet<u64>,
}

impl Pending {
    fn push(&mut self, step: Step, job: Job) {
        let addresses = job.at.iter().map(|(memory, _)| memory.address());
        self.addresses.extend(addresses);
        match self.steps.iter_mut().find(|(other, _)| *other == step) {
            Some((_, jobs)) => jobs.push(job),
            None => self.steps.push((step, vec![job])),
        }
    }

    fn take(self) {
        for (step, jobs) in self.steps {
            step.take(&jobs);
        }
    }
}

thread_local! {
    /// Steps that are put off, within `together`.
    static PENDING: RefCell<Option<Pending>> = const { RefCell::new(None) };
    /// What the gradients of these steps are multiplied by.
    static FACTOR: RefCell<Option<(Cuda, Arc<Memory>)>> = const { RefCell::new(None) };
}

/// Takes the steps of an optimiser for many tensors: those of one kind share launches. What else is done meanwhile with a
/// tensor comes after its step.
pub(crate) fn together<R>(factor: Option<&Raw<f64, Device>>, f: impl FnOnce() -> R) -> R {
    /// Takes the steps, also when `f` panics: parameters and what belongs to them stay in step with each other.
    struct Taking(Option<Pending>, Option<(Cuda, Arc<Memory>)>);
    impl Drop for Taking {
        fn drop(&mut self) {
            if let Some(pending) = PENDING.replace(self.0.take()) {
                pending.take();
            }
            FACTOR.replace(self.1.take());
        }
    }
    let factor = factor.and_then(|factor| match factor.view().buf {
        DeviceBuf::Cuda(buf) => Some((buf.device().clone(), Arc::new(buf.memory().shared()))),
        _ => None,
    });
    let _taking = Taking(
        PENDING.replace(Some(Pending::default())),
        FACTOR.replace(factor),
    );
    f()
}

/// Takes the steps that are put off, if one of them is about memory at these addresses.
pub(super) fn settle(mut addresses: impl Iterator<Item = u64>) {
    let is_about =
        |pending: &Pending| addresses.any(|address| pending.addresses.contains(&address));
    if PENDING.with_borrow(|pending| pending.as_ref().is_some_and(is_about)) {
        settle_all();
    }
}

/// Takes all steps that are put off.
pub(super) fn settle_all() {
    let pending = PENDING.with_borrow_mut(|pending| pending.as_mut().map(core::mem::take));
    if let Some(pending) = pending {
        pending.take();
    }
}

/// `Sgd` of optim.cu.
fn sgd_numbers(s: &SgdStep) -> [f64; 5] {
    [
        s.lr,
        s.weight_decay,
        s.momentum,
        1.0 - s.dampening,
        f64::from(u8::from(s.nesterov)),
    ]
}

/// `Adam` of optim.cu.
fn adam_numbers(s: &AdamStep) -> [f64; 9] {
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

/// What is written is read as well.
fn shared<'a, T: Elem>(x: &'a ViewMut<'_, T, Cuda>) -> View<'a, T, Cuda> {
    View {
        buf: &*x.buf,
        layout: x.layout,
    }
}

pub(super) fn sgd<T: Float>(
    cuda: &Cuda,
    step: &SgdStep,
    param: ViewMut<'_, T, Cuda>,
    grad: View<'_, T, Cuda>,
    velocity: Option<ViewMut<'_, T, Cuda>>,
) {
    let (kernel, job) = match &velocity {
        None => ("sgd", Job::new(&[shared(&param), grad])),
        Some(velocity) => (
            "sgd_momentum",
            Job::new(&[shared(&param), grad, shared(velocity)]),
        ),
    };
    Step::of::<T>(cuda, kernel, &sgd_numbers(step)).of_one(job);
    for x in [Some(param), velocity].into_iter().flatten() {
        x.buf.forget_mirror();
    }
}

pub(super) fn adam<T: Float>(
    cuda: &Cuda,
    step: &AdamStep,
    param: ViewMut<'_, T, Cuda>,
    grad: View<'_, T, Cuda>,
    first: ViewMut<'_, T, Cuda>,
    second: ViewMut<'_, T, Cuda>,
) {
    let job = Job::new(&[shared(&param), grad, shared(&first), shared(&second)]);
    Step::of::<T>(cuda, "adam", &adam_numbers(step)).of_one(job);
    for x in [param, first, second] {
        x.buf.forget_mirror();
    }
}

/// A tensor on a card as one of many whose squares are summed up, if there is a kernel for its elements.
pub(crate) fn of_many<T: Float>(x: &Raw<T, Device>) -> Option<Box<dyn Captive>> {
    let has_kernel = matches!(
        T::DTYPE,
        DType::F32 | DType::F64 | DType::MixedBf16 | DType::MixedF16
    );
    (has_kernel && matches!(x.device(), Device::Cuda(_))).then(|| x.boxed())
}

/// The sum of the squares of all elements of many tensors, for each device and type of elements.
pub(crate) fn squares(tensors: &[Box<dyn Captive>]) -> Vec<Raw<f64, Device>> {
    let mut groups: Vec<(Cuda, Key, Vec<Job>)> = Vec::new();
    for (cuda, key, job) in tensors.iter().filter_map(|x| x.squared()) {
        match groups.iter_mut().find(|(c, k, _)| *c == cuda && *k == key) {
            Some((_, _, jobs)) => jobs.push(job),
            None => groups.push((cuda, key, vec![job])),
        }
    }
    let sums = groups
        .iter()
        .map(|(cuda, key, jobs)| sum_of_squares(cuda, *key, jobs));
    sums.collect()
}

fn sum_of_squares(cuda: &Cuda, key: Key, jobs: &[Job]) -> Raw<f64, Device> {
    let there: Vec<_> = jobs.iter().filter(|x| x.is_there()).collect();
    let sums = CudaBuf::<f64>::new(cuda, SUMS * there.len().div_ceil(MOST).max(1));
    let mut count = 0;
    for jobs in there.chunks(MOST) {
        let memory = jobs.iter().flat_map(|x| &x.at);
        memory.for_each(|(memory, _)| cuda.gpu.hold(memory));
        let (table, chunks) = table(jobs);
        let blocks = chunks.min(SUMS);
        let args = Args::default()
            .push(sums.memory().at(count * size_of::<f64>()))
            .push(Arg::Bytes(&table));
        cuda.run_blocks(
            key,
            "squares",
            || OPTIM.to_owned(),
            [blocks, 1, 1],
            launch::BLOCK,
            args,
        );
        count += blocks;
    }
    let out = CudaBuf::<f64>::new(cuda, 1);
    let args = Args::default().buffer(&sums).size(count).buffer(&out);
    cuda.run_blocks(
        key,
        "squares_sum",
        || OPTIM.to_owned(),
        [1, 1, 1],
        launch::BLOCK,
        args,
    );
    scalar(cuda, out)
}

fn scalar(cuda: &Cuda, buf: CudaBuf<f64>) -> Raw<f64, Device> {
    let layout = Layout::dense(Dims::SCALAR);
    Raw::from_shared(
        &Device::Cuda(cuda.clone()),
        Arc::new(DeviceBuf::Cuda(buf)),
        layout,
    )
}

/// From a norm on a card, what a gradient is multiplied by for one of at most `most`.
pub(crate) fn clip_factor(norm: &Raw<f64, Device>, most: f64) -> Option<Raw<f64, Device>> {
    let (Device::Cuda(cuda), DeviceBuf::Cuda(buf)) = (norm.device(), norm.view().buf) else {
        return None;
    };
    let factor = CudaBuf::<f64>::new(cuda, 1);
    let args = Args::default()
        .dense(buf, norm.layout())
        .push(most)
        .buffer(&factor);
    let key = Key::new::<f64>("optim", Of::All);
    cuda.run_blocks(key, "clip_factor", || OPTIM.to_owned(), [1, 1, 1], 32, args);
    Some(scalar(cuda, factor))
}
