//! Random numbers and dropout.

use super::*;
use differentiable_gpu::text::RANDOM;

fn run<T: Float>(cuda: &Cuda, kernel: &'static str, threads: usize, args: Args<'_>) {
    cuda.run(
        Key::new::<T>("random", Of::All),
        kernel,
        || RANDOM.to_owned(),
        threads,
        args,
    );
}

pub(super) fn random<T: Float>(
    cuda: &Cuda,
    law: Random,
    seed: u64,
    stream: u64,
    out: ViewMut<'_, T, Cuda>,
) {
    let len = out.layout.numel();
    let (law, a, b) = match law {
        Random::Uniform { low, high } => (0, low, high),
        Random::Normal { mean, std } => (1, mean, std),
    };
    let shift = cuda.shift();
    let args = Args::default()
        .push(law)
        .push(a)
        .push(b)
        .push(seed)
        .shift(shift.as_deref())
        .push(stream);
    // A thread for each 16 bytes.
    let threads = len.div_ceil(64) * (4 * size_of::<T>());
    run::<T>(
        cuda,
        "draw",
        threads,
        args.dense(out.buf, &out.layout).size(len),
    );
}

pub(super) fn dropout<T: Float>(
    cuda: &Cuda,
    p: f64,
    seed: u64,
    x: Operand<'_, T, Cuda>,
    out: ViewMut<'_, T, Cuda>,
) {
    let len = out.layout.numel();
    let shift = cuda.shift();
    let limit = (p * 4_294_967_296.0).round() as u64;
    let args = Args::default()
        .push(limit)
        .value(T::lit(1.0 / (1.0 - p)))
        .push(seed)
        .shift(shift.as_deref());
    let args = match x {
        Operand::Output => args.dense(&*out.buf, &out.layout),
        Operand::View(x) => args.dense(x.buf, &x.layout),
        Operand::Scalar(_) => panic!("dropout is made of elements"),
    };
    run::<T>(
        cuda,
        "dropout",
        len.div_ceil(4),
        args.dense(&*out.buf, &out.layout).size(len),
    );
}

impl Cuda {
    /// What is added to seeds on the card, while this thread captures a function.
    pub(super) fn shift(&self) -> Option<Arc<Numbers<u64>>> {
        if !crate::device::draws::is_capturing() {
            return None;
        }
        let mut state = self.state();
        let draws = state.draws.as_mut()?;
        draws.used = true;
        Some(Arc::clone(&draws.shift))
    }
}
