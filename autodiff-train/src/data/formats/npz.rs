//! NPZ, what `numpy.savez` and `numpy.savez_compressed` write: an archive of NPY files.

use super::{Array, FormatError, npy};
use crate::data::DataError;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use zip::ZipArchive;
use zip::result::ZipError;

/// An archive of arrays, which are read when they are asked for. With the feature `npz`.
///
/// ```no_run
/// use differentiable::data::Npz;
/// use differentiable::prelude::*;
///
/// dim!(Rows);
///
/// let mut file = Npz::open("mnist.npz")?;
/// let images: Tensor![Rows, 28, 28] = file.get("x_train")?.tensor()?;
/// let labels = file.get("y_train")?.labels::<Rows>(10)?;
/// # Ok::<(), differentiable::data::DataError>(())
/// ```
pub struct Npz {
    path: PathBuf,
    archive: ZipArchive<BufReader<File>>,
    names: Vec<String>,
}

impl std::fmt::Debug for Npz {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Npz");
        shown.field("path", &self.path).field("names", &self.names);
        shown.finish()
    }
}

impl Npz {
    /// Opens an archive.
    ///
    /// # Errors
    /// If the file cannot be read or is no archive.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, DataError> {
        let path = path.as_ref().to_path_buf();
        let file = File::open(&path).map_err(|error| DataError::Open {
            path: path.clone(),
            error,
        })?;
        let archive = ZipArchive::new(BufReader::new(file)).map_err(|e| damaged(&path, e))?;
        let names: Result<Vec<_>, _> = archive.file_names().collect();
        let names = names.map_err(|e| damaged(&path, e))?;
        let names = names.iter().map(|n| array_name(n).to_string()).collect();
        Ok(Npz {
            path,
            archive,
            names,
        })
    }

    /// The names of the arrays.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Reads an array.
    ///
    /// # Errors
    /// [`FormatError::NoArray`]; and as [`read_npy`](super::read_npy), with the path `FILE.npz/NAME`.
    pub fn get(&mut self, name: &str) -> Result<Array, DataError> {
        if !self.names.iter().any(|n| n == name) {
            let problem = FormatError::NoArray {
                name: name.into(),
                names: self.names.clone(),
            };
            return Err(DataError::format(&self.path, problem));
        }
        let entry = match self.archive.index_for_name(&format!("{name}.npy")) {
            Some(index) => self.archive.by_index(index),
            None => self.archive.by_name(name),
        };
        let place = self.path.join(name);
        let mut entry = entry.map_err(|e| damaged(&self.path, e))?;
        let mut bytes = Vec::new();
        let read = entry.read_to_end(&mut bytes);
        read.map_err(|error| DataError::Bytes {
            path: place.clone(),
            error,
        })?;
        npy::parse(&place, &bytes)
    }
}

/// Arrays are stored as files with this ending.
fn array_name(file: &str) -> &str {
    file.strip_suffix(".npy").unwrap_or(file)
}

fn damaged(path: &Path, error: ZipError) -> DataError {
    match error {
        ZipError::Io(error) => DataError::Bytes {
            path: path.into(),
            error,
        },
        other => DataError::format(
            path,
            FormatError::Container {
                expected: "a zip archive of arrays",
                reason: other.to_string(),
            },
        ),
    }
}
