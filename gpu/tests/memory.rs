//! Memory: used again, counted, given back; transfers and fills.

mod support;

use differentiable_gpu::{Gpu, GpuError, MemoryMode, MemoryUse, Pattern, Setup};
use std::sync::Arc;
use support::{child, get, gpu, is_child, put, setup, text};

fn segments() -> Option<Arc<Gpu>> {
    Some(
        Setup {
            memory: MemoryMode::Segments,
            ..setup()?
        }
        .open(0)
        .unwrap(),
    )
}

#[test]
fn blocks_are_used_again() {
    let Some(gpu) = segments() else { return };
    let first = gpu.alloc(10_000).unwrap();
    let (address, used) = (first.address(), gpu.memory_use());
    assert_eq!(
        used,
        MemoryUse {
            buffers: 1,
            bytes: 10_240,
            peak_bytes: 10_240,
            segments: 1,
            segment_bytes: 2 << 20
        }
    );
    drop(first);
    for _ in 0..100 {
        let next = gpu.alloc(10_000).unwrap();
        assert_eq!((next.address(), next.address() % 256), (address, 0));
    }
    let many: Vec<_> = (0..100).map(|_| gpu.alloc(10_000).unwrap()).collect();
    assert_eq!(
        (gpu.memory_use().segments, gpu.memory_use().bytes),
        (1, 1_024_000)
    );
    // Large blocks have segments of their own.
    let large = gpu.alloc(3 << 20).unwrap();
    assert_eq!(gpu.memory_use().segments, 2);
    drop((many, large));
    let left = MemoryUse {
        buffers: 0,
        bytes: 0,
        ..gpu.memory_use()
    };
    assert_eq!(gpu.memory_use(), left);
    gpu.trim().unwrap();
    assert_eq!(
        (gpu.memory_use().segments, gpu.memory_use().segment_bytes),
        (0, 0)
    );
}

#[test]
fn freed_memory_goes_to_later_work_in_the_order_of_the_stream() {
    let Some(gpu) = segments() else { return };
    let result = gpu.alloc(4 << 10).unwrap();
    let expected: Vec<f32> = (0..1024).map(|i| i as f32).collect();
    let first = put(&gpu, &expected);
    let address = first.address();
    gpu.copy(&result, &first, 4 << 10);
    drop(first);
    // The same memory, written while the copy has not run yet.
    let second = put(&gpu, &[0f32; 1024]);
    assert_eq!(second.address(), address);
    assert_eq!(get::<f32>(&gpu, &result), expected);
}

#[test]
fn transfers_of_all_sizes() {
    let Some(gpu) = gpu() else { return };
    // The stages of uploads and downloads have four megabytes each.
    for n in [0usize, 1, 3, 1000, 4 << 20, (4 << 20) + 1, (9 << 20) + 5] {
        let bytes: Vec<u8> = (0..n).map(|i| (i * 31 % 251) as u8).collect();
        let buffer = gpu.alloc(n + 7).unwrap();
        gpu.upload(buffer.at(3), &bytes);
        let mut back = vec![0; n];
        gpu.download(buffer.at(3), &mut back).unwrap();
        assert!(back == bytes, "{n}");
    }
    // Many small ones, more than a stage holds.
    let buffer = gpu.alloc(100).unwrap();
    for round in 0..100_000u32 {
        gpu.upload(buffer.at(4 * (round as usize % 25)), &round.to_ne_bytes());
    }
    assert_eq!(
        get::<u32>(&gpu, &buffer),
        (99_975..100_000).collect::<Vec<u32>>()
    );
}

#[test]
fn fills_and_copies() {
    let Some(gpu) = gpu() else { return };
    let x = gpu.alloc(64).unwrap();
    for (pattern, expected) in [
        (Pattern::Byte(7), 0x0707_0707_0707_0707u64),
        (Pattern::Half(0x1234), 0x1234_1234_1234_1234),
        (Pattern::Word(1.5f32.to_bits()), 0x3fc0_0000_3fc0_0000),
        (
            Pattern::Double(std::f64::consts::PI.to_bits()),
            std::f64::consts::PI.to_bits(),
        ),
        (Pattern::Double(0), 0),
    ] {
        gpu.fill(&x, 64, pattern);
        assert_eq!(get::<u64>(&gpu, &x), [expected; 8]);
    }
    let y = put(&gpu, &[1u64, 2, 3, 4]);
    gpu.copy(x.at(8), y.at(16), 16);
    assert_eq!(get::<u64>(&gpu, &x), [0, 3, 4, 0, 0, 0, 0, 0]);
    let counters = gpu.counters();
    assert_eq!(
        (counters.fills, counters.copies, counters.downloads),
        (5, 1, 6)
    );
}

#[test]
fn ranges_outside_a_buffer_are_errors() {
    let Some(gpu) = gpu() else { return };
    let x = put(&gpu, &[1u32, 2]);
    let range = |what, at, bytes| {
        Err(GpuError::Range {
            what,
            at,
            bytes,
            len: 8,
        })
    };
    assert_eq!(gpu.download(x.at(4), &mut [0; 8]), range("download", 4, 8));
    gpu.upload(x.at(usize::MAX), &[0; 4]);
    assert_eq!(gpu.synchronise(), range("upload", usize::MAX, 4));
    gpu.copy(x.at(8), &x, 1);
    gpu.fill(&x, 9, Pattern::Byte(0));
    // The first one comes out; the others are forgotten with it.
    assert_eq!(gpu.synchronise(), range("copy", 8, 1));
    assert_eq!(gpu.synchronise(), Ok(()));
    gpu.fill(x.at(2), 4, Pattern::Word(0));
    assert!(gpu.synchronise().is_err());
    assert_eq!(get::<u32>(&gpu, &x), [1, 2]);
}

#[test]
fn memory_that_runs_out() {
    if support::real() {
        return;
    }
    if !is_child() {
        let output = child("memory_that_runs_out", &[("EMULATOR_MEMORY", "33554432")]);
        return assert!(output.status.success(), "{}", text(&output));
    }
    let Some(gpu) = segments() else { return };
    let total = 32 << 20;
    let first = gpu.alloc(20 << 20).unwrap();
    let error = gpu.alloc(20 << 20).unwrap_err();
    let GpuError::OutOfMemory {
        asked,
        used,
        total: all,
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!((asked, all), (20 << 20, total));
    assert!((20 << 20..total).contains(&used), "{used}");
    // What is free goes back to the driver before an allocation fails.
    drop(first);
    let small = put(&gpu, &[7u32]);
    let second = gpu.alloc(24 << 20).unwrap();
    // For callers that cannot fail: what uses the buffer does nothing, and the reader is told.
    let missing = gpu.alloc_late(24 << 20);
    assert!(missing.is_missing() && !second.is_missing());
    gpu.copy(&small, &missing, 4);
    let told = gpu.synchronise().unwrap_err();
    assert!(
        matches!(
            told,
            GpuError::OutOfMemory {
                asked: 0x180_0000,
                ..
            }
        ),
        "{told}"
    );
    assert_eq!(get::<u32>(&gpu, &small), [7]);
    gpu.copy(&small, &missing, 4);
    assert_eq!(gpu.download(&small, &mut [0; 4]), Err(told));
    drop((second, missing));
    assert!(gpu.alloc(24 << 20).is_ok());
}

#[test]
fn nothing_is_left() {
    if support::real() {
        return;
    }
    if !is_child() {
        let output = child("nothing_is_left", &[]);
        return assert!(output.status.success(), "{}", text(&output));
    }
    for memory in [MemoryMode::Segments, MemoryMode::Exact] {
        let Some(setup) = setup() else { return };
        let gpu = Setup { memory, ..setup }.open(0).unwrap();
        let x = put(&gpu, &[1f32; 1000]);
        let y = gpu.alloc(4000).unwrap();
        let product =
            differentiable_gpu::Product::new(differentiable_gpu::Element::F32, 10, 10, 10);
        gpu.product(&product, &x, &x, &y);
        let kernel = support::kernel(&gpu, "saxpy");
        let arguments = [1f32.into(), (&x).into(), (&y).into(), 1000u32.into()];
        let work = || {
            let z = gpu.alloc(4000).unwrap();
            gpu.copy(&z, &y, 4000);
            // SAFETY: the arguments are those of the kernel.
            unsafe {
                gpu.launch(
                    &kernel,
                    differentiable_gpu::Launch::over(1000, 256),
                    &arguments,
                )
            };
            z
        };
        let (graph, z) = gpu.capture(work).unwrap();
        graph.replay();
        gpu.upload_beside(&x, &[0; 4000]);
        gpu.join_uploads();
        get::<f32>(&gpu, &z);
        assert!(support::live().allocations > 0 && support::live().graphs > 0);
        drop((graph, z, x, y));
        assert_eq!((gpu.memory_use().buffers, gpu.memory_use().bytes), (0, 0));
        drop(kernel);
        drop(gpu);
        assert_eq!(support::live(), support::Live::default());
    }
}
