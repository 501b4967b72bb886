//! The compiler, run on programs with the library that this test is linked with: nothing is built a second time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

/// What the compiler writes.
#[derive(Clone, Copy)]
pub enum Emit {
    /// Nothing that runs: faster, but assertions that depend on generic arguments are not evaluated.
    Metadata,
    /// Machine code.
    Object,
    /// A program.
    Program,
}

/// The compiler and the library that programs are compiled against.
pub struct Compiler {
    deps: PathBuf,
    library: PathBuf,
    scratch: PathBuf,
}

impl Compiler {
    /// Takes the library beside this test: the newest, where several sets of features were built.
    pub fn new() -> Self {
        let test = env::current_exe().expect("the path of this test");
        let deps = test.parent().expect("a folder").to_owned();
        static COMPILERS: AtomicUsize = AtomicUsize::new(0);
        let number = COMPILERS.fetch_add(1, Ordering::Relaxed);
        let scratch = env::temp_dir().join(format!("compiled-{}-{number}", std::process::id()));
        fs::create_dir_all(&scratch).expect("a folder for what is compiled");
        let library = newest(&deps, "differentiable");
        Compiler {
            deps,
            library,
            scratch,
        }
    }

    /// Where the result of [`Compiler::run`] lies.
    pub fn output(&self, program: &Path) -> PathBuf {
        let name = program.file_stem().expect("the name of a file");
        self.scratch.join(name)
    }

    /// Compiles a program, given by its path in this package. Returns what the compiler says, or an error that holds it.
    pub fn run(&self, program: &Path, emit: Emit) -> Result<String, String> {
        let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.current_dir(env!("CARGO_MANIFEST_DIR"));
        rustc.args(["--edition", "2024", "--color", "never"]);
        rustc.args(["--emit", emit.name(), "-o"]);
        rustc.arg(self.output(program));
        rustc.arg("-L").arg(dependency(&self.deps));
        rustc
            .arg("--extern")
            .arg(external("differentiable", &self.library));
        let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(program));
        let source = source.expect("the program is there");
        for other in ["ndarray"] {
            if source.contains(&format!("use {other}::")) {
                let library = newest(&self.deps, other);
                rustc.arg("--extern").arg(external(other, &library));
            }
        }
        match emit {
            Emit::Metadata => rustc.args(["-A", "warnings"]),
            // Long types are written out, and not to files.
            Emit::Object => rustc.args(["-A", "warnings", "--verbose"]),
            Emit::Program => &mut rustc,
        };
        let output = rustc.arg(program).output().expect("rustc runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let unloaded = ["error[E0463]", "error[E0460]"];
        assert!(
            !unloaded.iter().any(|e| said.contains(e)),
            "the library does not load:\n{said}"
        );
        match output.status.success() {
            true => Ok(said),
            false => Err(said),
        }
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        // What is left in the folder for temporary files does no harm.
        let _ = fs::remove_dir_all(&self.scratch);
    }
}

impl Emit {
    fn name(self) -> &'static str {
        match self {
            Emit::Metadata => "metadata",
            Emit::Object => "obj",
            Emit::Program => "link",
        }
    }
}

fn dependency(folder: &Path) -> String {
    format!("dependency={}", folder.display())
}

fn external(name: &str, library: &Path) -> String {
    format!("{name}={}", library.display())
}

/// The newest build of a library.
fn newest(deps: &Path, library: &str) -> PathBuf {
    let start = format!("lib{library}-");
    let named = |p: &PathBuf| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(&start) && name.ends_with(".rlib")
    };
    fs::read_dir(deps)
        .expect("the folder of the built crates")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(named)
        .max_by_key(|p| fs::metadata(p).and_then(|m| m.modified()).ok())
        .expect("the library is built before its tests")
}

/// The programs of a folder, as paths in this package.
pub fn programs(folder: &str) -> Vec<PathBuf> {
    let listed = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let listed = listed.expect("the folder of the programs");
    let mut programs: Vec<PathBuf> = listed
        .filter_map(|entry| Some(Path::new(folder).join(entry.ok()?.file_name())))
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        .collect();
    programs.sort();
    programs
}

/// Does something with each program, on all cores; the results by the programs' names.
pub fn each<T: Send>(programs: &[PathBuf], f: impl Fn(&Path) -> T + Sync) -> BTreeMap<PathBuf, T> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let workers = thread::available_parallelism().map_or(2, |n| n.get());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(p) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = f(p);
                    results.lock().unwrap().insert(p.clone(), result);
                }
            });
        }
    });
    results.into_inner().unwrap()
}
