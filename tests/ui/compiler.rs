//! The compiler, run on programs with the library that this test is linked with: nothing is built a second time.

#[path = "../support/cargo.rs"]
mod cargo;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
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

/// A library's name and its file.
type Library = (&'static str, PathBuf);

/// The compiler and the libraries that programs are compiled against.
pub struct Compiler {
    /// Where the crates lie that the libraries use.
    deps: PathBuf,
    libraries: &'static [Library],
    scratch: PathBuf,
}

impl Compiler {
    /// Takes the libraries that this test is linked with.
    pub fn new() -> Self {
        let deps = cargo::profile().join("deps");
        static COMPILERS: AtomicUsize = AtomicUsize::new(0);
        let number = COMPILERS.fetch_add(1, Ordering::Relaxed);
        let scratch = env::temp_dir().join(format!("compiled-{}-{number}", std::process::id()));
        fs::create_dir_all(&scratch).expect("a folder for what is compiled");
        static LIBRARIES: OnceLock<Vec<Library>> = OnceLock::new();
        let libraries = LIBRARIES.get_or_init(|| libraries(&["differentiable", "ndarray"]));
        Compiler {
            deps,
            libraries,
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
        for (name, library) in self.libraries {
            rustc.arg("--extern").arg(external(name, library));
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

/// The files of libraries that this test is linked with. Several builds may lie in the folder, with other features:
/// cargo, asked to build the test that it has built, says which one belongs to it.
fn libraries(names: &[&'static str]) -> Vec<Library> {
    let mut cargo = cargo::cargo("test");
    cargo.args(["--no-run", "--message-format=json", "--test", "ui"]);
    let output = cargo.stderr(Stdio::inherit()).output().expect("cargo runs");
    assert!(
        output.status.success(),
        "cargo does not find what it has built"
    );
    let built = String::from_utf8_lossy(&output.stdout).into_owned();
    let built: Vec<Value> = built
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let file = |name: &str| {
        let artifact = built.iter().find(|m| {
            m["reason"] == "compiler-artifact"
                && m["target"]["name"] == name
                && m["target"]["kind"][0] == "lib"
        });
        let files = artifact.and_then(|m| m["filenames"].as_array());
        let mut files = files.into_iter().flatten().filter_map(Value::as_str);
        let file = files.find(|f| f.ends_with(".rlib"));
        PathBuf::from(file.unwrap_or_else(|| panic!("no file of the library {name}")))
    };
    names.iter().map(|name| (*name, file(name))).collect()
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
