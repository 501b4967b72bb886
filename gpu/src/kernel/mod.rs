//! Kernels: text in CUDA C++, compiled at run time, launched with arguments by value.

mod cache;
mod compile;
mod key;
mod launch;

use crate::context::Context;
use crate::counters::add;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::load::Nvrtc;
use compile::Compiler;
use cudarc::driver::sys::{CUfunction, CUmodule};
pub use key::Key;
pub use launch::{Arg, Launch, Plain};
use std::collections::HashMap;
use std::ffi::CString;
use std::ptr::null_mut;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Kernels in CUDA C++, without headers: NVRTC knows the language and its mathematics alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// What errors call it.
    pub name: String,
    /// The text. Kernels are `extern "C" __global__ void` functions.
    pub text: String,
    /// Further options of NVRTC, such as `-DN=4`.
    pub options: Vec<String>,
}

impl Source {
    /// A text without options.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            options: Vec::new(),
        }
    }
}

type Slot = Arc<OnceLock<Result<Module, GpuError>>>;

/// The modules of a device.
#[derive(Default)]
pub(crate) struct Modules {
    slots: Mutex<HashMap<Key, Slot>>,
    compiler: OnceLock<Result<&'static Nvrtc, GpuError>>,
}

/// Compiled kernels, loaded into a device.
#[derive(Clone)]
pub struct Module {
    inner: Arc<Loaded>,
}

struct Loaded {
    code: Arc<Code>,
    name: String,
    kernels: Mutex<HashMap<String, Kernel>>,
}

/// The driver's module. Kernels keep it.
pub(super) struct Code {
    context: Arc<Context>,
    raw: CUmodule,
}

// SAFETY: modules belong to their context, and the driver locks its data.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: loaded by the compiler; no kernel refers to it.
            self.context
                .relaxed(|| unsafe { (self.context.driver.cuModuleUnload)(self.raw) });
        }
    }
}

/// A function that a device runs in many threads.
#[derive(Clone)]
pub struct Kernel {
    inner: Arc<Function>,
}

struct Function {
    raw: CUfunction,
    name: Arc<str>,
    /// Sizes of the parameters, where the driver tells them.
    parameters: Option<Vec<usize>>,
    /// The dynamic shared memory that the function may have.
    shared: AtomicU32,
    code: Arc<Code>,
}

// SAFETY: as for modules.
unsafe impl Send for Function {}
// SAFETY: as for modules.
unsafe impl Sync for Function {}

impl Gpu {
    /// The module of a key. The first time, `source` is compiled, or the result is read from the cache on disk.
    ///
    /// Threads that ask for the same key at the same time compile it once.
    pub fn module(&self, key: Key, source: impl FnOnce() -> Source) -> Result<Module, GpuError> {
        let slot = {
            let mut slots = self
                .modules
                .slots
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            slots.entry(key).or_default().clone()
        };
        slot.get_or_init(|| self.load(source())).clone()
    }

    fn load(&self, source: Source) -> Result<Module, GpuError> {
        let properties = self.properties();
        let given = self.setup.libraries.as_deref();
        let nvrtc = self
            .modules
            .compiler
            .get_or_init(|| crate::load::nvrtc(given, properties.driver / 1000))
            .clone()?;
        let compiler = Compiler {
            nvrtc,
            context: &self.context,
            arch: properties.arch,
            driver: properties.driver,
        };
        let (code, compiled) = compiler.module(&source, self.setup.cache.as_deref())?;
        add(
            if compiled {
                &self.counters.compiled
            } else {
                &self.counters.cached
            },
            1,
        );
        Ok(Module {
            inner: Arc::new(Loaded {
                code: Arc::new(code),
                name: source.name,
                kernels: Mutex::default(),
            }),
        })
    }
}

impl Module {
    /// A kernel of the module.
    pub fn kernel(&self, name: &str) -> Result<Kernel, GpuError> {
        let mut kernels = self
            .inner
            .kernels
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = kernels.get(name) {
            return Ok(kernel.clone());
        }
        let kernel = self.find(name)?;
        kernels.insert(name.to_owned(), kernel.clone());
        Ok(kernel)
    }

    fn find(&self, name: &str) -> Result<Kernel, GpuError> {
        let Loaded {
            code, name: source, ..
        } = &*self.inner;
        let Code {
            context,
            raw: module,
        } = &**code;
        let driver = context.driver;
        context.bind()?;
        let mut raw = null_mut();
        let lacks = |log: String| GpuError::Kernel {
            name: source.clone(),
            log,
        };
        let symbol = CString::new(name).map_err(|_| lacks(format!("`{name:?}` is no name")))?;
        // SAFETY: the module is alive, the name ends with a zero, and there is a handle to write to.
        let found = context.relaxed(|| unsafe {
            (driver.cuModuleGetFunction)(&mut raw, *module, symbol.as_ptr())
        });
        if found != 0 {
            return Err(lacks(format!(
                "there is no kernel `{name}` ({})",
                driver.name(found)
            )));
        }
        if let Some(load) = driver.cuFuncLoad {
            // Now and not at the first launch, which a graph may be capturing.
            // SAFETY: the function is alive.
            let loaded = context.relaxed(|| unsafe { load(raw) });
            driver.check(loaded, &format!("loading kernel `{name}`"))?;
        }
        let parameters = driver.cuFuncGetParamInfo.map(|info| {
            let (mut offset, mut size) = (0, 0);
            // SAFETY: the function is alive; the driver refuses the first index that there is not.
            let next = |at| (unsafe { info(raw, at, &mut offset, &mut size) } == 0).then_some(size);
            (0..).map_while(next).collect()
        });
        let (name, shared, code) = (name.into(), AtomicU32::new(0), code.clone());
        Ok(Kernel {
            inner: Arc::new(Function {
                raw,
                name,
                parameters,
                shared,
                code,
            }),
        })
    }
}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.inner.name
    }
}
