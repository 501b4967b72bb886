//! Training steps whose loss is read after each of them, or after many; and what a GPU did in one.

use crate::report::measured;
use differentiable::prelude::*;
use std::fmt::Write;
use std::time::Instant;

/// Runs a step many times, and prints what [`crate::report::report`] does. With `PEERS_READ=end` more steps follow, whose loss is not
/// read, as in training on a GPU: `end_us` is their mean time, with one wait for the device at their end.
pub fn report<T: Float>(start: Instant, seconds: f64, mut step: impl FnMut() -> Tensor<(), T>) {
    let mut line = measured(start, seconds, || step().item().to_f64());
    if std::env::var("PEERS_READ").is_ok_and(|read| read == "end") {
        line += &unread(seconds, step);
    }
    println!("{{{line}}}");
}

fn unread<T: Float>(seconds: f64, mut step: impl FnMut() -> Tensor<(), T>) -> String {
    let device = Device::current();
    let mut run = |steps: usize| {
        let begin = Instant::now();
        for _ in 0..steps {
            std::hint::black_box(step());
        }
        device.synchronise().unwrap_or_else(|e| panic!("{e}"));
        begin.elapsed().as_secs_f64() / steps as f64
    };
    // The first one begins with an idle device.
    let one = run(1).min(run(2));
    let steps = ((seconds / 2.0 / one) as usize).clamp(2, 100_000);
    let before = Did::of(&device);
    let best = run(steps).min(run(steps));
    let after = Did::of(&device);
    let mut line = format!(
        ", \"end_us\": {:.1}, \"end_steps\": {}",
        best * 1e6,
        2 * steps
    );
    for (name, number) in after.iter().flat_map(|after| &after.counts) {
        let before = before.as_ref().and_then(|b| b.get(name)).unwrap_or(0);
        let each = (number - before) as f64 / (2 * steps) as f64;
        write!(line, ", \"{name}\": {each}").expect("a string takes all text");
    }
    if let Device::Cuda(cuda) = &device {
        let memory = cuda.gpu().memory_use();
        let [peak, held] = [memory.peak_bytes, memory.segment_bytes].map(|b| b as f64 / 1e6);
        write!(line, ", \"device_mb\": {peak}, \"device_held_mb\": {held}")
            .expect("a string takes all text");
    }
    line
}

/// What a GPU has done: names and numbers.
struct Did {
    counts: Vec<(String, u64)>,
}

impl Did {
    fn of(device: &Device) -> Option<Did> {
        let Device::Cuda(cuda) = device else {
            return None;
        };
        let c = cuda.gpu().counters();
        let counts = [
            ("launches", c.launches),
            ("products", c.products),
            ("copies", c.copies),
            ("fills", c.fills),
            ("uploads", c.uploads),
            ("uploaded_bytes", c.uploaded_bytes),
            ("downloads", c.downloads),
            ("host_waits", c.host_waits),
            ("replays", c.replays),
            ("compiled", c.compiled),
        ];
        let counts = counts.into_iter().map(|(name, n)| (name.to_owned(), n));
        let by_host = cuda.via_host();
        let by_host = by_host
            .iter()
            .map(|(name, n)| (format!("via_host.{name}"), *n as u64));
        Some(Did {
            counts: counts.chain(by_host).collect(),
        })
    }

    fn get(&self, name: &str) -> Option<u64> {
        self.counts.iter().find(|c| c.0 == name).map(|c| c.1)
    }
}
