//! Kernels: compiled, launched, and what a device says of their mistakes.

mod support;

use differentiable_gpu::{Arg, Gpu, GpuError, Key, Launch, Pattern, Plain, Setup, Source};
use std::sync::Arc;
use support::{child, get, gpu, is_child, kernel, put, set_order, text};

#[test]
fn maps_and_reductions() {
    let Some(gpu) = gpu() else { return };
    let n = 10_000usize;
    let x: Vec<f32> = (0..n).map(|i| (i % 17) as f32).collect();
    let (xd, yd, sums) = (
        put(&gpu, &x),
        put(&gpu, &vec![1f32; n]),
        gpu.alloc(4 * 16).unwrap(),
    );
    // SAFETY: the arguments are those of the kernels, here and below.
    unsafe {
        gpu.launch(
            &kernel(&gpu, "saxpy"),
            Launch::over(n, 256),
            &[2f32.into(), (&xd).into(), (&yd).into(), (n as u32).into()],
        );
        let launch = Launch {
            grid: [16, 1, 1],
            block: [256, 1, 1],
            shared: 0,
        };
        gpu.launch(
            &kernel(&gpu, "block_sums"),
            launch,
            &[(&yd).into(), (&sums).into(), (n as u32).into()],
        );
    }
    let y: Vec<f32> = x.iter().map(|x| 2.0 * x + 1.0).collect();
    assert_eq!(get::<f32>(&gpu, &yd), y);
    assert_eq!(
        get::<f32>(&gpu, &sums).iter().sum::<f32>(),
        y.iter().sum::<f32>()
    );
    let counters = gpu.counters();
    assert_eq!(
        (
            counters.launches,
            counters.uploads,
            counters.downloads,
            counters.host_waits
        ),
        (2, 2, 2, 2)
    );
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Layout {
    rank: u32,
    size: [u32; 6],
    unused: u32,
    step: [i64; 6],
    scale: f64,
}
// SAFETY: numbers without gaps.
unsafe impl Plain for Layout {}

#[test]
fn structs_and_numbers_of_all_widths_by_value() {
    let Some(gpu) = gpu() else { return };
    // A transposed matrix of 3 by 5.
    let x: Vec<f32> = (0..15).map(|i| i as f32).collect();
    let (xd, yd) = (put(&gpu, &x), gpu.alloc(60).unwrap());
    let layout = Layout {
        rank: 2,
        size: [5, 3, 1, 1, 1, 1],
        unused: 0,
        step: [1, 5, 0, 0, 0, 0],
        scale: 2.0,
    };
    // SAFETY: see above.
    unsafe {
        let arguments = [
            (&xd).into(),
            (&yd).into(),
            Arg::Bytes(layout.bytes()),
            15u32.into(),
        ];
        gpu.launch(&kernel(&gpu, "strided"), Launch::over(15, 32), &arguments);
    }
    let expected: Vec<f32> = (0..15).map(|i| 2.0 * x[i % 3 * 5 + i / 3]).collect();
    assert_eq!(get::<f32>(&gpu, &yd), expected);

    let yd = gpu.alloc(64).unwrap();
    let numbers = [
        1u8.into(),
        2u16.into(),
        3u32.into(),
        (-4i32).into(),
        5u64.into(),
        (-6i64).into(),
        7.5f32.into(),
        8.5f64.into(),
    ];
    // SAFETY: see above.
    unsafe {
        gpu.launch(
            &kernel(&gpu, "all_numbers"),
            Launch::over(1, 1),
            &[&[Arg::from(&yd)], &numbers[..]].concat(),
        )
    };
    assert_eq!(
        get::<f64>(&gpu, &yd),
        [1.0, 2.0, 3.0, -4.0, 5.0, -6.0, 7.5, 8.5]
    );
}

#[test]
fn what_warps_and_blocks_do_together() {
    let Some(gpu) = gpu() else { return };
    let y = put(&gpu, &[0u32; 16]);
    // SAFETY: see above.
    unsafe {
        gpu.launch(
            &kernel(&gpu, "together"),
            Launch::over(64, 64),
            &[(&y).into()],
        )
    };
    let (odd, low, same) = (0xaaaa_aaaa, 0xff + 3, 0xffff);
    let expected = [
        2016, 5, 63, 1, 10, 1, odd, low, same, 32, 41, 7, 16, 31, 63, 64,
    ];
    assert_eq!(get::<u32>(&gpu, &y), expected);
}

#[test]
fn other_arguments_are_an_error() {
    let Some(gpu) = gpu() else { return };
    let x = put(&gpu, &[1f32; 8]);
    // SAFETY: the launch is refused.
    unsafe { gpu.launch(&kernel(&gpu, "behind"), Launch::over(1, 1), &[(&x).into()]) };
    let expected = GpuError::Arguments {
        kernel: "behind".into(),
        expected: vec![8, 4],
        found: vec![8],
    };
    assert_eq!(gpu.synchronise(), Err(expected));
    assert_eq!(gpu.synchronise(), Ok(()));
    // SAFETY: the launch is refused.
    unsafe {
        gpu.launch(
            &kernel(&gpu, "behind"),
            Launch::over(1, 2048),
            &[(&x).into(), 0u32.into()],
        )
    };
    let error = gpu.synchronise().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("launching kernel `behind`: CUDA_ERROR_INVALID_VALUE"),
        "{error}"
    );
    assert_eq!(get::<f32>(&gpu, &x), [1.0; 8]);
}

#[test]
fn an_index_out_of_range_comes_with_the_next_reading() {
    let Some(gpu) = gpu() else { return };
    let (x, y) = (put(&gpu, &[1f32, 2.0, 3.0]), gpu.alloc(16).unwrap());
    let gather = |index: [i64; 4]| {
        let index = put(&gpu, &index);
        let arguments = [
            (&x).into(),
            (&index).into(),
            (&y).into(),
            4u32.into(),
            3u32.into(),
            Arg::Fault,
        ];
        // SAFETY: see above.
        unsafe { gpu.launch(&kernel(&gpu, "gather"), Launch::over(4, 1), &arguments) };
    };
    gather([0, 2, 1, 0]);
    assert_eq!(get::<f32>(&gpu, &y), [1.0, 3.0, 2.0, 1.0]);
    gather([0, 1, -5, 2]);
    gather([0, 1, 2, 2]);
    let mut bytes = [0; 16];
    let expected = GpuError::Index {
        operation: 7,
        position: 2,
        found: -5,
        len: 3,
    };
    assert_eq!(
        expected.to_string(),
        "operation 7, position 2: index -5 out of range for length 3"
    );
    assert_eq!(gpu.download(&y, &mut bytes), Err(expected));
    // It was told once.
    assert_eq!(get::<f32>(&gpu, &y), [1.0, 2.0, 3.0, 3.0]);
}

#[test]
fn errors_of_the_compiler_have_its_log() {
    let Some(gpu) = gpu() else { return };
    let source = "extern \"C\" __global__ void k(float* a) {\n  a[0] = missing;\n}";
    let compile = || gpu.module(Key::of("wrong"), || Source::new("wrong", source));
    let Err(GpuError::Kernel { name, log }) = compile() else {
        panic!("it compiles")
    };
    assert_eq!(name, "wrong");
    assert!(log.contains("missing") && log.contains('2'), "{log}");
    assert!(compile().is_err());
    let Err(GpuError::Kernel { log, .. }) = support::module(&gpu).kernel("nothing") else {
        panic!("it is there")
    };
    assert!(log.contains("no kernel `nothing`"), "{log}");
}

#[test]
fn options_and_keys_tell_modules_apart() {
    let Some(gpu) = gpu() else { return };
    let y = gpu.alloc(4).unwrap();
    for n in [3u32, 4] {
        let text = "extern \"C\" __global__ void k(unsigned* y) { *y = N; }";
        let source = || Source {
            name: "n".into(),
            text: text.into(),
            options: vec![format!("-DN={n}")],
        };
        let kernel = gpu
            .module(Key::of(("n", n)), source)
            .unwrap()
            .kernel("k")
            .unwrap();
        // SAFETY: see above.
        unsafe { gpu.launch(&kernel, Launch::over(1, 1), &[(&y).into()]) };
        assert_eq!(get::<u32>(&gpu, &y), [n]);
    }
    assert_eq!(gpu.counters().compiled, 2);
}

// What the emulator finds.

fn reversed(name: &str, gpu: &Arc<Gpu>) -> bool {
    let x: Vec<f32> = (0..256).map(|i| i as f32).collect();
    let buffer = put(gpu, &x);
    let launch = Launch {
        grid: [1; 3],
        block: [256, 1, 1],
        shared: 1024,
    };
    // SAFETY: see above.
    unsafe {
        gpu.launch(
            &kernel(gpu, name),
            launch,
            &[(&buffer).into(), 256u32.into()],
        )
    };
    get::<f32>(gpu, &buffer).iter().eq(x.iter().rev())
}

#[test]
fn a_missing_barrier_shows_in_another_order() {
    if !is_child() {
        let output = child("a_missing_barrier_shows_in_another_order", &[]);
        return assert!(output.status.success(), "{}", text(&output));
    }
    let Some(gpu) = emulated() else { return };
    let right = |name: &str| {
        [0, 1, 2].map(|order| {
            set_order(order);
            reversed(name, &gpu)
        })
    };
    assert_eq!(right("reverse"), [true; 3]);
    // Without a barrier threads read what others have not written yet, whatever the order: NaN.
    assert_eq!(right("reverse_without_barrier"), [false; 3]);
}

#[test]
fn a_barrier_in_a_branch_fails_with_the_name_of_the_kernel_for_good() {
    for name in ["barrier_in_a_branch", "two_barriers"] {
        if !is_child() {
            let this = "a_barrier_in_a_branch_fails_with_the_name_of_the_kernel_for_good";
            let output = child(this, &[("KERNEL", name)]);
            assert!(output.status.success(), "{}", text(&output));
            if emulated().is_some() {
                assert!(
                    text(&output).contains(&format!(
                        "kernel `{name}`, block [0, 0, 0]: threads wait for each other"
                    )),
                    "{}",
                    text(&output)
                );
            }
            continue;
        }
        if std::env::var("KERNEL").unwrap() != name {
            continue;
        }
        let Some(gpu) = emulated() else { return };
        let x = put(&gpu, &[0f32; 64]);
        // SAFETY: see above.
        unsafe { gpu.launch(&kernel(&gpu, name), Launch::over(64, 64), &[(&x).into()]) };
        let failed = GpuError::Launch {
            kernels: vec![name.into()],
            code: 719,
            error: "CUDA_ERROR_LAUNCH_FAILED".into(),
        };
        assert_eq!(gpu.synchronise(), Err(failed.clone()));
        assert_eq!(
            failed.to_string(),
            format!("kernel `{name}` failed: CUDA_ERROR_LAUNCH_FAILED (719)")
        );
        // Every later call says the same.
        assert_eq!(gpu.download(&x, &mut [0; 4]), Err(failed.clone()));
        gpu.upload(&x, &[0; 4]);
        assert_eq!(gpu.synchronise(), Err(failed.clone()));
        assert_eq!(gpu.alloc(16).unwrap_err(), failed);
    }
}

#[test]
fn a_failure_names_the_kernels_since_the_last_wait_or_the_one() {
    let this = "a_failure_names_the_kernels_since_the_last_wait_or_the_one";
    if !is_child() {
        for sync in ["0", "1"] {
            let output = child(this, &[("DIFFERENTIABLE_SYNC", sync)]);
            assert!(output.status.success(), "{}", text(&output));
        }
        return;
    }
    let Some(setup) = support::setup().filter(|_| !support::real()) else {
        return;
    };
    let synchronous = std::env::var("DIFFERENTIABLE_SYNC").unwrap() == "1";
    let gpu = Setup {
        synchronous,
        ..setup
    }
    .open(0)
    .unwrap();
    let x = put(&gpu, &[0f32; 64]);
    let n = 64u32;
    // SAFETY: see above.
    unsafe {
        gpu.launch(
            &kernel(&gpu, "add_to"),
            Launch::over(64, 64),
            &[(&x).into(), (&x).into(), n.into()],
        );
        gpu.launch(
            &kernel(&gpu, "two_barriers"),
            Launch::over(64, 64),
            &[(&x).into()],
        );
        gpu.launch(
            &kernel(&gpu, "add_to"),
            Launch::over(64, 64),
            &[(&x).into(), (&x).into(), n.into()],
        );
    }
    let Err(GpuError::Launch { kernels, .. }) = gpu.synchronise() else {
        panic!("no failure");
    };
    let all = ["add_to", "two_barriers", "add_to"];
    assert_eq!(kernels, if synchronous { &all[1..2] } else { &all[..] });
}

#[test]
fn a_write_behind_a_buffer_ends_the_process() {
    let this = "a_write_behind_a_buffer_ends_the_process";
    if !is_child() {
        if emulated().is_some() {
            let output = child(this, &[]);
            assert!(
                !output.status.success() && text(&output).contains("before the launch"),
                "{}",
                text(&output)
            );
            assert!(
                !text(&output).contains("after the launch"),
                "{}",
                text(&output)
            );
        }
        return;
    }
    let Some(gpu) = emulated() else { return };
    let x = put(&gpu, &[0f32; 1000]);
    eprintln!("before the launch");
    // SAFETY: none: the process is expected to die.
    unsafe {
        gpu.launch(
            &kernel(&gpu, "behind"),
            Launch::over(64, 64),
            &[(&x).into(), 1000u32.into()],
        )
    };
    let _ = gpu.synchronise();
    eprintln!("after the launch");
}

#[test]
fn a_write_in_front_of_a_buffer_is_reported() {
    if !is_child() {
        let output = child("a_write_in_front_of_a_buffer_is_reported", &[]);
        return assert!(output.status.success(), "{}", text(&output));
    }
    let Some(gpu) = emulated() else { return };
    let x = put(&gpu, &[0f32; 16]);
    // SAFETY: the byte in front belongs to the page of the buffer.
    unsafe {
        gpu.launch(
            &kernel(&gpu, "in_front"),
            Launch::over(1, 1),
            &[(&x).into()],
        )
    };
    drop(x);
    assert_eq!(gpu.synchronise(), Ok(()));
    assert!(gpu.synchronise().is_err());
}

#[test]
fn memory_that_nobody_wrote_is_not_a_number() {
    let Some(gpu) = emulated() else { return };
    let x = gpu.alloc(128).unwrap();
    assert!(get::<f32>(&gpu, &x).iter().all(|x| x.is_nan()));
    gpu.fill(&x, 128, Pattern::Byte(0));
    // SAFETY: see above.
    unsafe {
        gpu.launch(
            &kernel(&gpu, "unwritten_shared"),
            Launch::over(32, 32),
            &[(&x).into()],
        )
    };
    assert!(get::<f32>(&gpu, &x).iter().all(|x| x.is_nan()));
}

/// The emulator; nothing on a card.
fn emulated() -> Option<Arc<Gpu>> {
    if support::real() { None } else { gpu() }
}
