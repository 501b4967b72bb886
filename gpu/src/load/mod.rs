//! The libraries of CUDA, opened at run time. None of them has to be there, and none that is missing is a panic.

mod find;
mod tables;

use crate::error::GpuError;
use find::{Places, candidates};
use libloading::Library;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
pub(crate) use tables::{Blas, BlasLt, Driver, Nvrtc};

/// A library as a table of functions.
pub(crate) trait Table: Sized + Send + Sync + 'static {
    /// The name without prefix and ending.
    const NAMES: &'static [&'static str];
    /// Libraries that it opens by name, and that may lie beside it where nobody would look for them.
    const BESIDE: &'static [&'static str];
    /// Finds all functions, or names one that is missing.
    fn resolve(library: Library) -> Result<Self, String>;
    /// Where the tables are that have been opened.
    fn opened() -> &'static Mutex<HashMap<PathBuf, &'static Self>>;
}

/// Opens one library. It stays open, since the driver is not made to be closed.
fn open<T: Table>(path: &Path) -> Result<&'static T, String> {
    let mut opened = T::opened().lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(table) = opened.get(path) {
        return Ok(table);
    }
    for beside in find::beside(path, T::BESIDE) {
        // SAFETY: a library of CUDA, whose initialisers do nothing but set up the library.
        if let Ok(library) = unsafe { Library::new(beside) } {
            std::mem::forget(library);
        }
    }
    // SAFETY: as above.
    let library = unsafe { Library::new(path) }.map_err(|error| reason(&error))?;
    let table: &'static T = Box::leak(Box::new(T::resolve(library)?));
    opened.insert(path.to_owned(), table);
    Ok(table)
}

/// The libraries that can be opened, in the order in which they are searched for, until `enough` says so. If there is none
/// that is enough, the first one is given.
fn search<T: Table>(
    given: Option<&[PathBuf]>,
    mut enough: impl FnMut(&T) -> bool,
) -> Result<&'static T, Vec<String>> {
    let mut tried = Vec::new();
    let mut first = None;
    for places in Places::ALL {
        for path in candidates(places, given, T::NAMES) {
            match open::<T>(&path) {
                Ok(table) if enough(table) => return Ok(table),
                Ok(table) => first = first.or(Some(table)),
                Err(reason) => tried.push(tried_path(&path, &reason)),
            }
        }
    }
    first.ok_or(tried)
}

/// What the loader of the system says.
fn reason(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

fn tried_path(path: &Path, reason: &str) -> String {
    let missing =
        reason.contains("cannot open shared object file") || reason.contains("GetProcAddress");
    if missing {
        path.display().to_string()
    } else {
        format!("{} ({reason})", path.display())
    }
}

/// The driver.
pub(crate) fn driver(given: Option<&[PathBuf]>) -> Result<&'static Driver, GpuError> {
    search(given, |_| true).map_err(|tried| GpuError::NoDriver { tried })
}

/// NVRTC, if possible one that is not newer than the driver, which would refuse what it compiles.
pub(crate) fn nvrtc(
    given: Option<&[PathBuf]>,
    driver_major: i32,
) -> Result<&'static Nvrtc, GpuError> {
    search(given, |nvrtc: &Nvrtc| nvrtc.version().0 <= driver_major)
        .map_err(|tried| GpuError::NoCompiler { tried })
}

/// cuBLASLt, and cuBLAS for what cuBLASLt has no algorithm for.
pub(crate) fn products(
    given: Option<&[PathBuf]>,
) -> Result<(&'static BlasLt, Option<&'static Blas>), GpuError> {
    let lt = search(given, |_| true).map_err(|tried| GpuError::NoProducts { tried })?;
    Ok((lt, search(given, |_| true).ok()))
}
