//! Opening devices: what is missing is an error that names what was tried.

#![cfg(unix)]

mod support;

use differentiable_gpu::{Gpu, GpuError, Key, Setup, Source};
use std::process::Command;
use support::{Folder, child, is_child, setup, text};

/// A setup that looks in one folder alone.
fn only(folder: &Folder) -> Setup {
    Setup {
        libraries: Some(vec![folder.0.clone()]),
        cache: None,
        ..Setup::default()
    }
}

#[test]
fn no_driver() {
    let folder = Folder::new("no-driver");
    let Err(GpuError::NoDriver { tried }) = only(&folder).open(0) else {
        panic!("there is a driver in an empty folder")
    };
    assert_eq!(
        tried[0],
        folder.0.join("libcuda.so.1").display().to_string()
    );
    // A file that is no library is named with the reason.
    std::fs::write(folder.0.join("libcuda.so.1"), "no library").unwrap();
    let Err(GpuError::NoDriver { tried }) = only(&folder).open(0) else {
        panic!("there is a driver in a text")
    };
    assert!(
        tried[0].contains("libcuda.so.1 (") && tried[0].ends_with(')'),
        "{}",
        tried[0]
    );
}

#[test]
fn no_driver_on_the_machine() {
    if !is_child() {
        let output = child(
            "no_driver_on_the_machine",
            &[("PATH", ""), ("DIFFERENTIABLE_CUDA", "/nowhere")],
        );
        return assert!(output.status.success(), "{}", text(&output));
    }
    // On a machine with a driver there is nothing to see.
    if let Err(error) = Gpu::open(0) {
        let GpuError::NoDriver { tried } = &error else {
            panic!("{error}")
        };
        assert!(
            tried.iter().any(|path| path == "/nowhere/libcuda.so.1")
                && tried.iter().any(|path| path == "libcuda.so.1")
        );
        assert!(
            error
                .to_string()
                .starts_with("no NVIDIA driver: tried /nowhere/libcuda.so.1, "),
            "{error}"
        );
        assert_eq!(Gpu::count(), Err(error));
    }
}

#[test]
fn no_device() {
    let Some(setup) = setup() else { return };
    let Err(GpuError::NoDevice { asked: 99, found }) = setup.open(99) else {
        panic!("there is a device 99");
    };
    if is_child() {
        return assert_eq!(found, 0);
    }
    assert!(found >= 1);
    if !support::real() {
        let output = child("no_device", &[("EMULATOR_DEVICES", "0")]);
        assert!(output.status.success(), "{}", text(&output));
    }
}

#[test]
fn devices_by_the_environment_are_shared() {
    if support::real() {
        return;
    }
    let Some(setup) = setup() else { return };
    if !is_child() {
        let library = setup.libraries.unwrap()[0].display().to_string();
        let output = child(
            "devices_by_the_environment_are_shared",
            &[("DIFFERENTIABLE_CUDA", &library), ("EMULATOR_DEVICES", "2")],
        );
        return assert!(output.status.success(), "{}", text(&output));
    }
    assert_eq!(Gpu::count(), Ok(2));
    let (zero, again, one) = (
        Gpu::open(0).unwrap(),
        Gpu::open(0).unwrap(),
        Gpu::open(1).unwrap(),
    );
    assert!(std::sync::Arc::ptr_eq(&zero, &again) && one.ordinal() == 1);
    assert_eq!(
        (
            format!("{one:?}"),
            one.properties().name.as_str(),
            one.properties().arch
        ),
        ("cuda:1".into(), "Emulated GPU", 90)
    );
    // A buffer of one device is none of the other.
    let x = zero.alloc(4).unwrap();
    one.upload(&x, &[0; 4]);
    assert_eq!(
        one.synchronise(),
        Err(GpuError::Elsewhere { what: "upload" })
    );
}

#[test]
fn a_driver_without_compiler_and_without_products() {
    if support::real() {
        return;
    }
    let Some(emulator) = setup().and_then(|setup| setup.libraries) else {
        return;
    };
    // The folder has a library under the driver's name alone.
    let folder = Folder::new("driver-alone");
    std::os::unix::fs::symlink(&emulator[0], folder.0.join("libcuda.so.1")).unwrap();
    let gpu = only(&folder).open(0).unwrap();
    let module = gpu.module(Key::of(0), || {
        Source::new("k", "extern \"C\" __global__ void k() {}")
    });
    let Err(error @ GpuError::NoCompiler { .. }) = module else {
        panic!("something compiles")
    };
    assert!(
        error.to_string().contains("pip install nvidia-cuda-nvrtc"),
        "{error}"
    );
    let x = gpu.alloc(4).unwrap();
    gpu.product(
        &differentiable_gpu::Product::new(differentiable_gpu::Element::F32, 1, 1, 1),
        &x,
        &x,
        &x,
    );
    let Err(GpuError::NoProducts { tried }) = gpu.synchronise() else {
        panic!("something multiplies")
    };
    assert!(tried[0].ends_with("libcublasLt.so"), "{tried:?}");
    // All else works.
    gpu.upload(&x, &[1, 2, 3, 4]);
    let mut bytes = [0; 4];
    gpu.download(&x, &mut bytes).unwrap();
    assert_eq!(bytes, [1, 2, 3, 4]);
}

#[test]
fn an_old_compiler_makes_ptx_and_a_library_without_a_function_is_named() {
    if support::real() {
        return;
    }
    // sm_120 is newer than what the emulator's compiler knows.
    if !is_child() {
        let this = "an_old_compiler_makes_ptx_and_a_library_without_a_function_is_named";
        let output = child(this, &[("EMULATOR_ARCH", "120")]);
        return assert!(output.status.success(), "{}", text(&output));
    }
    let Some(gpu) = support::gpu() else { return };
    assert_eq!(gpu.properties().arch, 120);
    support::module(&gpu);
    let folder = Folder::new("half-a-driver");
    std::fs::write(
        folder.0.join("half.c"),
        "int cuInit(unsigned flags) { return 0; }",
    )
    .unwrap();
    let path = folder.0.join("libcuda.so.1");
    let built = Command::new("gcc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&path)
        .arg(folder.0.join("half.c"))
        .output()
        .unwrap();
    assert!(built.status.success());
    let Err(GpuError::NoDriver { tried }) = only(&folder).open(0) else {
        panic!("half a driver is one")
    };
    assert_eq!(
        tried[0],
        format!("{} (lacks `cuDriverGetVersion`)", path.display())
    );
}

/// NVRTC of the Python environment that `DIFFERENTIABLE_TEST_NVRTC` names, found as users have it.
#[test]
fn the_compiler_of_a_python_package_is_found() {
    let this = "the_compiler_of_a_python_package_is_found";
    let (Some(environment), Some(setup)) = (std::env::var_os("DIFFERENTIABLE_TEST_NVRTC"), setup())
    else {
        eprintln!("DIFFERENTIABLE_TEST_NVRTC names no environment: skipped");
        return;
    };
    if support::real() {
        return;
    }
    if !is_child() {
        let folder = Folder::new("python-package");
        let emulator = setup.libraries.unwrap().remove(0);
        std::os::unix::fs::symlink(emulator, folder.0.join("libcuda.so.1")).unwrap();
        let (cuda, environment) = (
            folder.0.display().to_string(),
            environment.into_string().unwrap(),
        );
        let output = child(
            this,
            &[
                ("DIFFERENTIABLE_CUDA", &cuda),
                ("VIRTUAL_ENV", &environment),
            ],
        );
        return assert!(output.status.success(), "{}", text(&output));
    }
    let gpu = Setup {
        cache: None,
        ..Setup::default()
    }
    .open(0)
    .unwrap();
    // The real compiler says what is wrong with a text; what it compiles is nothing for the emulator.
    let compile = |text: &str| {
        gpu.module(Key::of(text), || Source::new("k", text))
            .err()
            .unwrap()
            .to_string()
    };
    let log = compile("extern \"C\" __global__ void k(float* x) { *x = missing; }");
    assert!(log.contains("identifier \"missing\" is undefined"), "{log}");
    let log = compile("extern \"C\" __global__ void k(float* x) { *x = 1; }");
    assert!(
        log.contains("the driver, for CUDA 13.0, does not load what NVRTC 13."),
        "{log}"
    );
}
