//! The device.

use crate::context::{Context, Event, Pinned, Stream};
use crate::counters::{Counters, MemoryCounters, MemoryUse, WorkCounters, add};
use crate::error::GpuError;
use crate::fault::FaultWord;
use crate::graph::Capture;
use crate::kernel::Modules;
use crate::load::{self, Driver};
use crate::memory::{MemoryMode, Pool, Staging};
use crate::product::Products;
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use std::collections::HashMap;
use std::fmt::{self, Debug, Formatter};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

/// An open GPU: one stream of work, its memory, its kernels.
///
/// Calls may come from several threads; their work is done in the order of the calls. What only queues work does not fail:
/// its error is kept, the first one wins, and it comes out of the next [`Gpu::download`] or [`Gpu::synchronise`].
pub struct Gpu {
    pub(crate) products: Products,
    pub(crate) modules: Modules,
    pub(crate) fault: FaultWord,
    pub(crate) pool: Arc<Pool>,
    pub(crate) work: Mutex<Work>,
    /// Tells threads that wait that a capture has ended.
    pub(crate) captured: Condvar,
    pub(crate) stream: Stream,
    pub(crate) memory_counters: Arc<MemoryCounters>,
    pub(crate) counters: WorkCounters,
    pub(crate) setup: Setup,
    properties: Properties,
    ordinal: usize,
    pub(crate) context: Arc<Context>,
}

/// How a device is opened.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Where the libraries of CUDA are: files, or folders that have them under their usual names. `None`: the paths in
    /// `DIFFERENTIABLE_CUDA` first, then what the system finds, toolkits, and Python's packages.
    pub libraries: Option<Vec<PathBuf>>,
    /// Where compiled kernels are kept from run to run; `None` for nowhere.
    pub cache: Option<PathBuf>,
    /// How memory is allocated.
    pub memory: MemoryMode,
    /// Waits for the device after each launch, so that errors come out of the call that makes them.
    pub synchronous: bool,
}

impl Default for Setup {
    /// What the environment says: `DIFFERENTIABLE_CUDA`, `XDG_CACHE_HOME`, `DIFFERENTIABLE_MEMORY=exact`,
    /// `DIFFERENTIABLE_SYNC=1`.
    fn default() -> Self {
        let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
        let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
        let cache = std::env::var_os("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
            .or_else(home);
        let memory = if is("DIFFERENTIABLE_MEMORY", "exact") {
            MemoryMode::Exact
        } else {
            MemoryMode::Segments
        };
        let cache = cache.map(|path| path.join("differentiable"));
        Self {
            libraries: None,
            cache,
            memory,
            synchronous: is("DIFFERENTIABLE_SYNC", "1"),
        }
    }
}

/// What a device is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Its name.
    pub name: String,
    /// Compute capability: 90 for 9.0.
    pub arch: u32,
    /// Bytes of memory.
    pub memory: usize,
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Bytes of shared memory that a block may have if it asks for them.
    pub shared_memory: u32,
    /// The CUDA version of the driver: 13000 for 13.0.
    pub driver: i32,
}

/// What is locked while work is queued.
#[derive(Default)]
pub(crate) struct Work {
    pub(crate) capture: Option<Capture>,
    /// The first error that nobody has been told.
    pub(crate) late: Option<GpuError>,
    /// The error after which the device is of no use.
    pub(crate) dead: Option<GpuError>,
    /// Kernels launched since the last wait, the oldest first.
    pub(crate) recent: Vec<Arc<str>>,
    /// Whether a kernel may have written the fault word.
    pub(crate) faults: bool,
    pub(crate) uploads: Staging,
    /// Pinned memory for downloads, and its event.
    pub(crate) downloads: Vec<(Pinned, Event)>,
}

static OPEN: LazyLock<Mutex<HashMap<usize, Weak<Gpu>>>> = LazyLock::new(Default::default);

fn initialised(given: Option<&[PathBuf]>) -> Result<(&'static Driver, usize), GpuError> {
    let driver = load::driver(given)?;
    let mut count = 0;
    // SAFETY: a number to write to.
    match unsafe { (driver.cuInit)(0) } {
        // No device.
        100 => return Ok((driver, 0)),
        code => driver.check(code, "starting the driver")?,
    }
    // SAFETY: as above.
    let code = unsafe { (driver.cuDeviceGetCount)(&mut count) };
    driver.check(code, "counting devices")?;
    Ok((driver, count as usize))
}

impl Gpu {
    /// The device of this number, as the environment says. It is the same one for all until the last drops it.
    pub fn open(ordinal: usize) -> Result<Arc<Gpu>, GpuError> {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(gpu) = open.get(&ordinal).and_then(Weak::upgrade) {
            return Ok(gpu);
        }
        let gpu = Setup::default().open(ordinal)?;
        open.insert(ordinal, Arc::downgrade(&gpu));
        Ok(gpu)
    }

    /// How many devices there are.
    pub fn count() -> Result<usize, GpuError> {
        Ok(initialised(None)?.1)
    }
}

impl Setup {
    /// Opens a device that shares nothing with others but the card itself.
    pub fn open(self, ordinal: usize) -> Result<Arc<Gpu>, GpuError> {
        let (driver, found) = initialised(self.libraries.as_deref())?;
        if ordinal >= found {
            return Err(GpuError::NoDevice {
                asked: ordinal,
                found,
            });
        }
        let mut device = 0;
        // SAFETY: a number to write to.
        let code = unsafe { (driver.cuDeviceGet)(&mut device, ordinal as i32) };
        driver.check(code, "finding the device")?;
        let context = Context::new(driver, device)?;
        let properties = Properties::read(&context)?;
        let memory_counters = Arc::new(MemoryCounters::default());
        let stream = Stream::new(&context)?;
        Ok(Arc::new(Gpu {
            products: Products::default(),
            modules: Modules::default(),
            fault: FaultWord::new(&context, &stream)?,
            pool: Pool::new(&context, self.memory, false, &memory_counters),
            work: Mutex::default(),
            captured: Condvar::new(),
            stream,
            memory_counters,
            counters: WorkCounters::default(),
            setup: self,
            properties,
            ordinal,
            context,
        }))
    }
}

impl Properties {
    fn read(context: &Context) -> Result<Self, GpuError> {
        let driver = context.driver;
        let mut name = [0 as std::ffi::c_char; 256];
        let (mut memory, mut version) = (0, 0);
        // SAFETY: room for a name, and numbers to write to.
        unsafe {
            driver.check(
                (driver.cuDeviceGetName)(name.as_mut_ptr(), 255, context.device),
                "asking for the name",
            )?;
            driver.check(
                (driver.cuDeviceTotalMem_v2)(&mut memory, context.device),
                "asking for the memory",
            )?;
            driver.check(
                (driver.cuDriverGetVersion)(&mut version),
                "asking for the version",
            )?;
        }
        let bytes: Vec<u8> = name
            .iter()
            .take_while(|c| **c != 0)
            .map(|c| *c as u8)
            .collect();
        let number = |attribute| context.attribute(attribute).map(|value| value as u32);
        Ok(Self {
            name: String::from_utf8_lossy(&bytes).into_owned(),
            arch: number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)? * 10
                + number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            memory,
            multiprocessors: number(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            shared_memory: number(
                Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
            )?,
            driver: version,
        })
    }
}

/// The lock on the work of a device.
pub(crate) type Locked<'a> = MutexGuard<'a, Work>;

impl Gpu {
    /// Its number.
    pub fn ordinal(&self) -> usize {
        self.ordinal
    }

    /// What it is.
    pub fn properties(&self) -> &Properties {
        &self.properties
    }

    /// What it has been asked to do.
    pub fn counters(&self) -> Counters {
        self.counters.snapshot()
    }

    /// The memory that its buffers use.
    pub fn memory_use(&self) -> MemoryUse {
        self.memory_counters.snapshot()
    }

    pub(crate) fn driver(&self) -> &'static Driver {
        self.context.driver
    }

    pub(crate) fn lock(&self) -> Locked<'_> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lock for work that is queued. Waits while another thread captures a graph.
    pub(crate) fn enter(&self) -> Result<Locked<'_>, GpuError> {
        let mut work = self.lock();
        while work
            .capture
            .as_ref()
            .is_some_and(|capture| !capture.is_mine())
        {
            work = self
                .captured
                .wait(work)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(dead) = &work.dead {
            return Err(dead.clone());
        }
        self.context.bind()?;
        Ok(work)
    }

    /// As `enter`, for what a graph cannot do.
    pub(crate) fn enter_outside_capture(&self, what: &'static str) -> Result<Locked<'_>, GpuError> {
        let mut work = self.enter()?;
        match &mut work.capture {
            None => Ok(work),
            Some(capture) => {
                let error = GpuError::Capturing { what };
                capture.refused.get_or_insert(error.clone());
                Err(error)
            }
        }
    }

    /// Queues work, and keeps an error for later.
    pub(crate) fn queue(&self, f: impl FnOnce(&mut Work) -> Result<(), GpuError>) {
        match self.enter() {
            Ok(mut work) => {
                if let Err(error) = f(&mut work) {
                    work.keep(error);
                }
            }
            Err(error) => self.keep_error(error),
        }
    }

    pub(crate) fn keep_error(&self, error: GpuError) {
        self.lock().keep(error);
    }

    /// Waits until all work is done, and leaves errors that are kept for those who read.
    pub(crate) fn settle(&self) -> Result<(), GpuError> {
        let mut work = self.enter_outside_capture("waiting for the device")?;
        self.count_wait();
        // SAFETY: the stream is alive.
        let code = unsafe { (self.driver().cuStreamSynchronize)(self.stream.raw) };
        self.sort(&mut work, code, "waiting for the device")?;
        work.recent.clear();
        Ok(())
    }

    /// The pool of the graph that this thread captures, or that of the device.
    pub(crate) fn pool_of_thread(&self) -> Result<Arc<Pool>, GpuError> {
        let work = self.lock();
        if let Some(dead) = &work.dead {
            return Err(dead.clone());
        }
        let capture = work.capture.as_ref().filter(|capture| capture.is_mine());
        Ok(capture.map_or(&self.pool, |capture| &capture.pool).clone())
    }

    pub(crate) fn count_wait(&self) {
        add(&self.counters.host_waits, 1);
    }
}

impl Work {
    /// Keeps the first error.
    pub(crate) fn keep(&mut self, error: GpuError) {
        if let Some(capture) = self.capture.as_mut().filter(|capture| capture.is_mine()) {
            capture.refused.get_or_insert(error);
        } else {
            self.late.get_or_insert(error);
        }
    }
}

impl Debug for Gpu {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "cuda:{}", self.ordinal)
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // Copies may still read pinned memory, kernels buffers.
        let _ = self.context.synchronise();
    }
}
