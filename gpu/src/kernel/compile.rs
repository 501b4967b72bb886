//! From text to a module of the device.

use super::cache::Entry;
use super::{Code, Source};
use crate::context::Context;
use crate::error::GpuError;
use crate::load::Nvrtc;
use cudarc::driver::sys::CUjit_option;
use std::ffi::{CString, c_void};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::Arc;

pub(super) struct Compiler<'a> {
    pub(super) nvrtc: &'static Nvrtc,
    pub(super) context: &'a Arc<Context>,
    pub(super) arch: u32,
    pub(super) driver: i32,
}

/// What NVRTC compiles to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// Code of this architecture.
    Cubin(u32),
    /// PTX of this one, which the driver translates for a card that NVRTC does not know.
    Ptx(u32),
}

impl Target {
    fn option(self) -> String {
        match self {
            Self::Cubin(arch) => format!("--gpu-architecture=sm_{arch}"),
            Self::Ptx(arch) => format!("--gpu-architecture=compute_{arch}"),
        }
    }
}

impl Compiler<'_> {
    /// The module, and whether it had to be compiled.
    pub(super) fn module(
        &self,
        source: &Source,
        cache: Option<&Path>,
    ) -> Result<(Code, bool), GpuError> {
        let target = self.target();
        let mut options = vec![
            target.option(),
            "--std=c++17".to_owned(),
            "--diag-suppress=177".to_owned(),
        ];
        options.extend(source.options.iter().cloned());
        let (major, minor) = self.nvrtc.version();
        let version = format!("{major}.{minor}");
        let joined = options.join("\0");
        let entry = cache.map(|folder| {
            Entry::new(
                folder,
                &[
                    source.text.as_bytes(),
                    joined.as_bytes(),
                    version.as_bytes(),
                ],
            )
        });
        // An entry that the driver does not take is compiled anew, as if it were damaged.
        if let Some(image) = entry.as_ref().and_then(Entry::read)
            && let Ok(code) = self.load(source, &image)
        {
            return Ok((code, false));
        }
        let image = self.compile(source, &options, target)?;
        let code = self.load(source, &image)?;
        if let Some(entry) = entry {
            entry.write(&image);
        }
        Ok((code, true))
    }

    fn target(&self) -> Target {
        let mut count = 0;
        // SAFETY: a number to write to, then room for as many numbers.
        let archs = unsafe {
            if (self.nvrtc.nvrtcGetNumSupportedArchs)(&mut count) != 0 {
                return Target::Cubin(self.arch);
            }
            let mut archs = vec![0i32; count.max(0) as usize];
            if (self.nvrtc.nvrtcGetSupportedArchs)(archs.as_mut_ptr()) != 0 {
                return Target::Cubin(self.arch);
            }
            archs
        };
        let known = archs
            .into_iter()
            .map(|arch| arch as u32)
            .filter(|arch| *arch <= self.arch)
            .max();
        match known {
            Some(arch) if arch == self.arch => Target::Cubin(arch),
            // Code of an architecture runs on later ones of the same major version.
            Some(arch) if arch / 10 == self.arch / 10 => Target::Cubin(arch),
            Some(arch) => Target::Ptx(arch),
            None => Target::Cubin(self.arch),
        }
    }

    fn compile(
        &self,
        source: &Source,
        options: &[String],
        target: Target,
    ) -> Result<Vec<u8>, GpuError> {
        let failed = |log: String| GpuError::Kernel {
            name: source.name.clone(),
            log,
        };
        let zero = |text: &str| {
            CString::new(text).map_err(|_| failed("the text has a zero byte".to_owned()))
        };
        let (text, name) = (zero(&source.text)?, zero(&source.name)?);
        let options = options
            .iter()
            .map(|option| zero(option))
            .collect::<Result<Vec<_>, _>>()?;
        let options: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
        let nvrtc = self.nvrtc;
        let mut program = Program {
            nvrtc,
            raw: null_mut(),
        };
        let no_headers = std::ptr::null();
        // SAFETY: texts that end with a zero, a handle to write to; sizes are asked for before the bytes.
        unsafe {
            let code = (nvrtc.nvrtcCreateProgram)(
                &mut program.raw,
                text.as_ptr(),
                name.as_ptr(),
                0,
                no_headers,
                no_headers,
            );
            if code != 0 {
                return Err(failed(format!("NVRTC: code {code}")));
            }
            let code =
                (nvrtc.nvrtcCompileProgram)(program.raw, options.len() as i32, options.as_ptr());
            if code != 0 {
                let log = program
                    .bytes(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog)
                    .unwrap_or_default();
                let log = String::from_utf8_lossy(&log)
                    .trim_end_matches('\0')
                    .trim_end()
                    .to_owned();
                return Err(failed(if log.is_empty() {
                    format!("NVRTC: code {code}")
                } else {
                    log
                }));
            }
            let (size, get) = match target {
                Target::Cubin(_) => (nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN),
                Target::Ptx(_) => (nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX),
            };
            program
                .bytes(size, get)
                .map_err(|code| failed(format!("NVRTC: code {code}")))
        }
    }

    fn load(&self, source: &Source, image: &[u8]) -> Result<Code, GpuError> {
        self.context.bind()?;
        let driver = self.context.driver;
        let mut raw = null_mut();
        let mut log = vec![0u8; 8 << 10];
        let mut keys = [
            CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ];
        // The size stands in the place of a pointer.
        let mut values: [*mut c_void; 2] = [
            log.as_mut_ptr().cast(),
            std::ptr::without_provenance_mut(log.len()),
        ];
        // SAFETY: the image is what NVRTC wrote, or a whole copy of it; there is a handle to write to, and room for the log.
        let code = self.context.relaxed(|| unsafe {
            (driver.cuModuleLoadDataEx)(
                &mut raw,
                image.as_ptr().cast(),
                2,
                keys.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        });
        if code == 0 {
            return Ok(Code {
                context: self.context.clone(),
                raw,
            });
        }
        let end = log.iter().position(|byte| *byte == 0).unwrap_or(log.len());
        let (major, minor) = self.nvrtc.version();
        let log = format!(
            "the driver, for CUDA {}.{}, does not load what NVRTC {major}.{minor} compiled for sm_{}: {} ({code}) {}",
            self.driver / 1000,
            self.driver % 1000 / 10,
            self.arch,
            driver.name(code),
            String::from_utf8_lossy(&log[..end]),
        );
        Err(GpuError::Kernel {
            name: source.name.clone(),
            log: log.trim_end().to_owned(),
        })
    }
}

type Size = unsafe extern "C" fn(cudarc::nvrtc::sys::nvrtcProgram, *mut usize) -> u32;
type Get = unsafe extern "C" fn(cudarc::nvrtc::sys::nvrtcProgram, *mut std::ffi::c_char) -> u32;

/// A program of NVRTC.
struct Program {
    nvrtc: &'static Nvrtc,
    raw: cudarc::nvrtc::sys::nvrtcProgram,
}

impl Program {
    /// # Safety
    /// The functions belong together: the size of something, and its bytes.
    unsafe fn bytes(&self, size: Size, get: Get) -> Result<Vec<u8>, u32> {
        let mut count = 0;
        // SAFETY: the program is alive; then there is room for as many bytes as the first function says.
        unsafe {
            match size(self.raw, &mut count) {
                0 => {}
                code => return Err(code),
            }
            let mut bytes = vec![0u8; count];
            match get(self.raw, bytes.as_mut_ptr().cast()) {
                0 => Ok(bytes),
                code => Err(code),
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if !self.raw.is_null() {
            // SAFETY: created by the same library.
            unsafe { (self.nvrtc.nvrtcDestroyProgram)(&mut self.raw) };
        }
    }
}
