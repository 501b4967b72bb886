//! Captured graphs, and numbers that change.

mod support;

use differentiable_gpu::{
    Arg, Buffer, Element, Gpu, GpuError, Launch, MemoryMode, Numbers, Plain, Product, Setup,
};
use std::sync::Arc;
use support::{get, gpu, kernel, put, setup};

#[repr(C)]
#[derive(Clone, Copy)]
struct Step {
    rate: f32,
    count: u32,
}
// SAFETY: two numbers without a gap.
unsafe impl Plain for Step {}

fn saxpy(gpu: &Gpu, a: f32, x: &Buffer, y: &Buffer) {
    let n = (y.bytes() / 4) as u32;
    let arguments = [a.into(), x.into(), y.into(), n.into()];
    // SAFETY: the arguments are those of the kernel.
    unsafe {
        gpu.launch(
            &kernel(gpu, "saxpy"),
            Launch::over(n as usize, 32),
            &arguments,
        )
    };
}

fn both(test: impl Fn(Arc<Gpu>)) {
    for memory in [MemoryMode::Segments, MemoryMode::Exact] {
        let Some(setup) = setup() else { return };
        test(Setup { memory, ..setup }.open(0).unwrap());
    }
}

#[test]
fn a_captured_step_runs_again_with_other_numbers() {
    both(|gpu| {
        let (p, g) = (
            put(&gpu, &[10f32, 20.0, 30.0]),
            put(&gpu, &[1f32, 2.0, 3.0]),
        );
        let step = Numbers::new(
            &gpu,
            Step {
                rate: 0.0,
                count: 0,
            },
        )
        .unwrap();
        let descend = kernel(&gpu, "descend");
        let (graph, sum) = gpu
            .capture(|| {
                // Memory that the step needs for a while, and that it uses again.
                for _ in 0..3 {
                    let scratch = gpu.alloc(12).unwrap();
                    gpu.copy(&scratch, &p, 12);
                }
                // SAFETY: the arguments are those of the kernel.
                unsafe {
                    let arguments = [(&p).into(), (&g).into(), step.buffer().into(), 3u32.into()];
                    gpu.launch(&descend, Launch::over(3, 32), &arguments);
                }
                let sum = gpu.alloc(12).unwrap();
                gpu.copy(&sum, &p, 12);
                saxpy(&gpu, 1.0, &g, &sum);
                sum
            })
            .unwrap();
        assert_eq!((graph.launches(), gpu.counters().launches), (2, 2));
        // Nothing ran while it was captured.
        assert_eq!(get::<f32>(&gpu, &p), [10.0, 20.0, 30.0]);
        let before = gpu.counters();
        let mut expected = [10f32, 20.0, 30.0];
        for count in 1..=4u32 {
            step.set(Step {
                rate: count as f32,
                count,
            });
            graph.replay();
            // Memory that others ask for meanwhile is not that of the graph.
            let other = put(&gpu, &[f32::NAN; 3]);
            assert_ne!(other.address(), sum.address());
            for (x, g) in expected.iter_mut().zip([1f32, 2.0, 3.0]) {
                *x -= count as f32 * g + count as f32;
            }
        }
        let after = gpu.counters();
        assert_eq!((after.replays, after.launches - before.launches), (4, 8));
        assert_eq!(
            (after.host_waits, after.downloads),
            (before.host_waits, before.downloads)
        );
        assert_eq!(get::<f32>(&gpu, &p), expected);
        assert_eq!(
            get::<f32>(&gpu, &sum),
            [0, 1, 2].map(|i| expected[i] + (i + 1) as f32)
        );
    });
}

#[test]
fn a_graph_keeps_what_it_uses() {
    both(|gpu| {
        let (x, y) = (put(&gpu, &[1f32, 2.0]), put(&gpu, &[0f32; 2]));
        let (graph, ()) = gpu.capture(|| saxpy(&gpu, 1.0, &x, &y)).unwrap();
        drop(x);
        let others: Vec<Buffer> = (0..8).map(|_| put(&gpu, &[100f32; 2])).collect();
        graph.replay();
        graph.replay();
        assert_eq!(get::<f32>(&gpu, &y), [2.0, 4.0]);
        drop((graph, others));
        assert_eq!(gpu.memory_use().buffers, 1);
    });
}

#[test]
fn buffers_that_are_dropped_inside_are_kept_too() {
    both(|gpu| {
        let y = put(&gpu, &[0f32; 2]);
        let x = put(&gpu, &[1f32, 2.0]);
        let (graph, ()) = gpu
            .capture(|| {
                saxpy(&gpu, 1.0, &x, &y);
                drop(x);
            })
            .unwrap();
        let _others: Vec<Buffer> = (0..8).map(|_| put(&gpu, &[100f32; 2])).collect();
        graph.replay();
        assert_eq!(get::<f32>(&gpu, &y), [1.0, 2.0]);
    });
}

#[test]
fn what_a_graph_cannot_do_is_an_error() {
    let Some(gpu) = gpu() else { return };
    let y = put(&gpu, &[0f32; 2]);
    let refused = |what: &'static str, f: &dyn Fn()| {
        let error = gpu.capture(f).err().unwrap();
        assert_eq!(error, GpuError::Capturing { what });
        // The device goes on.
        assert_eq!(gpu.synchronise(), Ok(()));
    };
    refused("upload", &|| gpu.upload(&y, &[0; 8]));
    refused("waiting for the device", &|| {
        assert!(gpu.download(&y, &mut [0; 8]).is_err())
    });
    refused("waiting for the device", &|| {
        assert!(gpu.synchronise().is_err())
    });
    refused("a capture", &|| assert!(gpu.capture(|| ()).is_err()));
    let (graph, ()) = gpu.capture(|| saxpy(&gpu, 1.0, &y, &y)).unwrap();
    refused("a replay", &|| graph.replay());
    // A kernel may be compiled, and other errors come out as well.
    let error = gpu.capture(|| gpu.copy(&y, y.at(4), 8)).err().unwrap();
    assert_eq!(
        error,
        GpuError::Range {
            what: "copy",
            at: 4,
            bytes: 8,
            len: 8
        }
    );
    assert_eq!(get::<f32>(&gpu, &y), [0.0; 2]);
}

#[test]
fn kernels_and_products_may_be_new_to_a_capture() {
    both(|gpu| {
        let (x, y) = (put(&gpu, &[2f32; 16]), put(&gpu, &[1f32; 16]));
        let product = Product {
            beta: 1.0,
            ..Product::new(Element::F32, 4, 4, 4)
        };
        let (graph, ()) = gpu
            .capture(|| {
                gpu.product(&product, &x, &x, &y);
                saxpy(&gpu, 0.5, &x, &y);
            })
            .unwrap();
        graph.replay();
        graph.replay();
        assert_eq!(get::<f32>(&gpu, &y), [1.0 + 2.0 * 17.0; 16]);
    });
}

#[test]
fn a_panic_ends_a_capture() {
    let Some(gpu) = gpu() else { return };
    let y = put(&gpu, &[3f32; 2]);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = gpu.capture(|| {
            saxpy(&gpu, 1.0, &y, &y);
            panic!("on purpose");
        });
    }));
    assert!(panicked.is_err());
    assert_eq!(get::<f32>(&gpu, &y), [3.0; 2]);
    assert!(gpu.capture(|| saxpy(&gpu, 1.0, &y, &y)).is_ok());
}

#[test]
fn other_threads_wait_for_the_end_of_a_capture() {
    let Some(gpu) = gpu() else { return };
    let (x, y) = (put(&gpu, &[1f32; 2]), put(&gpu, &[0f32; 2]));
    kernel(&gpu, "saxpy");
    let (graph, thread) = gpu
        .capture(|| {
            let (gpu_, x, y) = (gpu.clone(), put_outside(&x), put_outside(&y));
            let thread = std::thread::spawn(move || {
                let arguments = [10f32.into(), Arg::Address(x), Arg::Address(y), 2u32.into()];
                // SAFETY: the pointers are those of living buffers.
                unsafe { gpu_.launch(&kernel(&gpu_, "saxpy"), Launch::over(2, 32), &arguments) };
            });
            std::thread::sleep(std::time::Duration::from_millis(50));
            assert!(!thread.is_finished());
            thread
        })
        .unwrap();
    thread.join().unwrap();
    assert_eq!(graph.launches(), 0);
    assert_eq!(get::<f32>(&gpu, &y), [10.0; 2]);
}

fn put_outside(buffer: &Buffer) -> u64 {
    buffer.address()
}

#[test]
fn indices_are_checked_in_replays() {
    let Some(gpu) = gpu() else { return };
    let (x, y, index) = (
        put(&gpu, &[1f32, 2.0]),
        gpu.alloc(4).unwrap(),
        put(&gpu, &[0i64]),
    );
    let gather = kernel(&gpu, "gather");
    let arguments = [
        (&x).into(),
        (&index).into(),
        (&y).into(),
        1u32.into(),
        2u32.into(),
        Arg::Fault,
    ];
    // SAFETY: the arguments are those of the kernel.
    let (graph, ()) = gpu
        .capture(|| unsafe { gpu.launch(&gather, Launch::over(1, 1), &arguments) })
        .unwrap();
    for (at, expected) in [(1i64, None), (2, Some(2)), (0, None)] {
        gpu.upload(&index, &at.to_ne_bytes());
        graph.replay();
        let found = expected.map(|found| GpuError::Index {
            operation: 7,
            position: 0,
            found,
            len: 2,
        });
        assert_eq!(gpu.synchronise().err(), found);
    }
}
