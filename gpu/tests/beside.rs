//! Batches that arrive beside the computation, and threads that end before their work does.

mod support;

use differentiable_gpu::{Buffer, Gpu, GpuError, Launch, MemoryMode, Setup};
use std::cell::RefCell;
use std::sync::Arc;
use support::{get, kernel, put, setup};

/// `y ← y + x`.
fn add(gpu: &Gpu, x: &Buffer, y: &Buffer) {
    let n = (y.bytes() / 4) as u32;
    let arguments = [1f32.into(), x.into(), y.into(), n.into()];
    let launch = Launch::over(n as usize, 32);
    // SAFETY: the arguments are those of the kernel.
    unsafe { gpu.launch(&kernel(gpu, "saxpy"), launch, &arguments) };
}

fn both(test: impl Fn(Arc<Gpu>)) {
    for memory in [MemoryMode::Segments, MemoryMode::Exact] {
        let Some(setup) = setup() else { return };
        test(Setup { memory, ..setup }.open(0).unwrap());
    }
}

fn bytes(i: usize) -> Vec<u8> {
    [i as f32, 2.0 * i as f32].map(f32::to_ne_bytes).concat()
}

/// Memory goes back to the pool after each batch, so it is used again while work that reads it is queued.
#[test]
fn batches_arrive_beside_the_computation() {
    both(|gpu| {
        let sum = put(&gpu, &[0f32; 2]);
        let send = |i| {
            let batch = gpu.alloc(8).unwrap();
            gpu.upload_beside(&batch, &bytes(i));
            batch
        };
        let mut next = send(1);
        for i in 2..=50 {
            gpu.join_uploads();
            let batch = std::mem::replace(&mut next, send(i));
            add(&gpu, &batch, &sum);
        }
        gpu.join_uploads();
        add(&gpu, &next, &sum);
        assert_eq!(get::<f32>(&gpu, &sum), [1275.0, 2550.0]);
    });
}

/// More than the pinned memory holds.
#[test]
fn a_large_batch_arrives_whole() {
    both(|gpu| {
        let all: Vec<u32> = (0..(11 << 20) / 4).collect();
        let raw: Vec<u8> = all.iter().flat_map(|x| x.to_ne_bytes()).collect();
        let batch = gpu.alloc(raw.len()).unwrap();
        gpu.upload_beside(&batch, &raw);
        gpu.join_uploads();
        assert_eq!(get::<u32>(&gpu, &batch), all);
    });
}

#[test]
fn no_batch_arrives_in_a_captured_graph() {
    both(|gpu| {
        let batch = gpu.alloc(8).unwrap();
        let captured = gpu.capture(|| gpu.upload_beside(&batch, &bytes(1)));
        assert!(matches!(captured.err(), Some(GpuError::Capturing { .. })));
        gpu.upload_beside(&batch, &[0; 9]);
        assert!(matches!(gpu.synchronise(), Err(GpuError::Range { .. })));
    });
}

/// What the thread owns is dropped while its work is queued, after other things of the thread.
#[test]
fn a_thread_ends_before_its_work() {
    thread_local!(static LAST: RefCell<Option<(Buffer, Arc<Gpu>)>> = const { RefCell::new(None) });
    let Some(setup) = setup() else { return };
    std::thread::spawn(move || {
        LAST.set(None);
        let gpu = setup.open(0).unwrap();
        let (x, sum) = (put(&gpu, &[1f32; 2]), put(&gpu, &[0f32; 2]));
        add(&gpu, &x, &sum);
        get::<f32>(&gpu, &sum);
        add(&gpu, &x, &sum);
        LAST.set(Some((sum, gpu)));
    })
    .join()
    .unwrap();
}
