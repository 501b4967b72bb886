//! The cache of compiled kernels on disk.

mod support;

use differentiable_gpu::{Gpu, Key, Setup, Source};
use std::path::Path;
use std::sync::Arc;
use support::{Folder, is_child, setup, text};

fn open(cache: &Path) -> Option<Arc<Gpu>> {
    Some(
        Setup {
            cache: Some(cache.to_owned()),
            ..setup()?
        }
        .open(0)
        .unwrap(),
    )
}

/// Compiles or loads a kernel, and says which: modules compiled and modules found.
fn load(gpu: &Gpu) -> (u64, u64) {
    let source = Source::new(
        "k",
        "extern \"C\" __global__ void k(float* x) { *x = 1.0f; }",
    );
    gpu.module(Key::of("k"), || source)
        .unwrap()
        .kernel("k")
        .unwrap();
    (gpu.counters().compiled, gpu.counters().cached)
}

fn entries(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    all.sort();
    all
}

#[test]
fn kernels_are_compiled_once() {
    let folder = Folder::new("cache");
    let Some(gpu) = open(&folder.0) else { return };
    assert_eq!(load(&gpu), (1, 0));
    // In memory, too.
    assert_eq!(load(&gpu), (1, 0));
    assert_eq!(load(&open(&folder.0).unwrap()), (0, 1));
    assert_eq!(entries(&folder.0).len(), 1);
}

#[test]
fn damaged_entries_are_compiled_anew() {
    let folder = Folder::new("damaged");
    let Some(gpu) = open(&folder.0) else { return };
    load(&gpu);
    let path = entries(&folder.0).remove(0);
    let whole = std::fs::read(&path).unwrap();
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for damaged in [&[][..], &whole[..20], &whole[..whole.len() - 1], &changed] {
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(load(&open(&folder.0).unwrap()), (1, 0));
        assert!(std::fs::read(&path).unwrap() == whole);
    }
    assert_eq!(entries(&folder.0), [path]);
}

#[test]
fn an_entry_that_the_driver_refuses_is_compiled_anew() {
    let folder = Folder::new("refused");
    let Some(gpu) = open(&folder.0) else { return };
    load(&gpu);
    // A whole entry whose image is none: that of another cache under this name.
    let other = Folder::new("refused-other");
    let path = entries(&folder.0).remove(0);
    support::write_entry(&path, b"no image of any kind, but long enough");
    assert_eq!(load(&open(&folder.0).unwrap()), (1, 0));
    assert_eq!(load(&open(&folder.0).unwrap()), (0, 1));
    drop(other);
}

#[test]
fn a_cache_that_cannot_be_written_is_no_error() {
    let folder = Folder::new("unwritable");
    std::fs::write(folder.0.join("file"), "").unwrap();
    for _ in 0..2 {
        let Some(gpu) = open(&folder.0.join("file").join("cache")) else {
            return;
        };
        assert_eq!(load(&gpu), (1, 0));
    }
}

#[test]
fn processes_share_a_cache() {
    if is_child() {
        let Some(gpu) = open(Path::new(&std::env::var("CACHE").unwrap())) else {
            return;
        };
        for round in 0..2 {
            let text = format!("extern \"C\" __global__ void k(float* x) {{ *x = {round}.0f; }}");
            gpu.module(Key::of(round), || Source::new("k", text))
                .unwrap()
                .kernel("k")
                .unwrap();
        }
        return;
    }
    let folder = Folder::new("processes");
    let children: Vec<_> = (0..3)
        .map(|_| {
            std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "processes_share_a_cache", "--nocapture"])
                .env("DIFFERENTIABLE_TEST_CHILD", "1")
                .env("CACHE", &folder.0)
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
    }
    if setup().is_some() {
        let entries = entries(&folder.0);
        assert_eq!(entries.len(), 2, "{entries:?}");
        assert!(
            entries
                .iter()
                .all(|path| path.extension().is_some_and(|ending| ending == "cubin"))
        );
    }
}

#[test]
fn threads_compile_a_module_once() {
    let folder = Folder::new("threads");
    let Some(gpu) = open(&folder.0) else { return };
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| load(&gpu));
        }
    });
    assert_eq!(load(&gpu), (1, 0));
}
