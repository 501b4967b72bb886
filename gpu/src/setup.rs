//! How devices are opened.

use crate::context::Context;
use crate::counters::{MemoryCounters, WorkCounters};
use crate::error::GpuError;
use crate::fault::FaultWord;
use crate::gpu::Gpu;
use crate::kernel::Modules;
use crate::load::{self, Driver};
use crate::memory::{MemoryMode, Pool};
use crate::product::Products;
use crate::stream::Stream;
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, LazyLock, Mutex, PoisonError, Weak};

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
