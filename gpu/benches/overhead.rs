//! What the host spends on each call: `cargo bench -p differentiable-gpu --bench overhead`.
//!
//! It runs on the emulator, or on a card with `DIFFERENTIABLE_TEST_GPU=1`. The emulator only queues what is measured here;
//! it runs when the program waits, outside the measurement.

#[path = "../tests/support/mod.rs"]
mod support;

use differentiable_gpu::{Element, Launch, MemoryMode, Product, Setup};
use std::time::{Duration, Instant};

fn main() {
    let Some(setup) = support::setup() else {
        return;
    };
    let gpu = Setup {
        memory: MemoryMode::Segments,
        ..setup
    }
    .open(0)
    .unwrap();
    println!("{}, sm_{}", gpu.properties().name, gpu.properties().arch);
    let start = Instant::now();
    let kernel = support::kernel(&gpu, "saxpy");
    println!(
        "{:32} {:>10.1} ms",
        "a module compiled or found",
        start.elapsed().as_secs_f64() * 1e3
    );
    let (x, y) = (gpu.alloc(4096).unwrap(), gpu.alloc(4096).unwrap());
    gpu.upload(&x, &[0; 4096]);
    gpu.upload(&y, &[0; 4096]);
    let arguments = [1f32.into(), (&x).into(), (&y).into(), 1024u32.into()];
    // SAFETY: the arguments are those of the kernel.
    let launch = || unsafe { gpu.launch(&kernel, Launch::over(1024, 256), &arguments) };
    let product = Product::new(Element::F32, 32, 32, 32);
    let (graph, ()) = gpu.capture(|| (0..100).for_each(|_| launch())).unwrap();

    let measure = |name: &str, count: u32, f: &dyn Fn()| {
        let mut best = Duration::MAX;
        for _ in 0..20 {
            let start = Instant::now();
            (0..count).for_each(|_| f());
            best = best.min(start.elapsed() / count);
            gpu.synchronise().unwrap();
        }
        println!("{name:32} {:>10.3} us", best.as_secs_f64() * 1e6);
    };
    measure("alloc and drop, 4 KB", 1000, &|| {
        drop(gpu.alloc(4096).unwrap())
    });
    measure("alloc and drop, 4 MB", 1000, &|| {
        drop(gpu.alloc(4 << 20).unwrap())
    });
    measure("launch", 100, &launch);
    measure("product of 32 by 32", 10, &|| {
        gpu.product(&product, &x, &x, &y)
    });
    measure("upload, 64 bytes", 100, &|| gpu.upload(&x, &[0; 64]));
    measure("copy, 4 KB", 100, &|| gpu.copy(&y, &x, 4096));
    measure("replay of 100 launches", 1, &|| graph.replay());
    measure("download, 4 bytes", 1, &|| {
        gpu.download(&x, &mut [0; 4]).unwrap()
    });
    let start = Instant::now();
    (0..100).for_each(|_| launch());
    gpu.synchronise().unwrap();
    println!(
        "{:32} {:>10.3} us",
        "launch of 4 x 256 threads, run",
        start.elapsed().as_secs_f64() * 1e4
    );
}
