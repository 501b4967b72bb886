//! Compiled kernels on disk: one file each, which is whole or is not used.
//!
//! Processes share the folder. A file is written beside its place and then renamed, so that nobody reads a part of it. Length and
//! checksum tell files that are damaged; those are written anew. A folder that cannot be written is no error: kernels are
//! then compiled each time.

use super::key::Fnv;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const MAGIC: &[u8; 8] = b"DIFFGPU1";
const HEADER: usize = 8 + 8 + 16;

/// The place of one compiled module.
pub(super) struct Entry {
    path: PathBuf,
}

impl Entry {
    /// The entry of what is compiled from these parts: source, options, versions.
    pub(super) fn new(folder: &Path, parts: &[&[u8]]) -> Self {
        let hash = parts
            .iter()
            .fold(Fnv::new(), |hash, part| hash.add(part))
            .finish();
        Self {
            path: folder.join(format!("{hash:032x}.cubin")),
        }
    }

    /// What was stored, if it is there and whole.
    pub(super) fn read(&self) -> Option<Vec<u8>> {
        let mut bytes = fs::read(&self.path).ok()?;
        let (header, image) = bytes.split_at_checked(HEADER)?;
        let length = u64::from_le_bytes(header[8..16].try_into().ok()?);
        let sum = u128::from_le_bytes(header[16..].try_into().ok()?);
        if &header[..8] != MAGIC || length != image.len() as u64 || sum != checksum(image) {
            return None;
        }
        bytes.drain(..HEADER);
        Some(bytes)
    }

    /// Stores an image. What goes wrong is not told: the image is there anyhow.
    pub(super) fn write(&self, image: &[u8]) {
        let _ = self.try_write(image);
    }

    fn try_write(&self, image: &[u8]) -> io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let own = format!(
            "{}-{}.part",
            std::process::id(),
            COUNT.fetch_add(1, Relaxed)
        );
        let part = self.path.with_extension(own);
        let written = (|| {
            let mut file = File::create(&part)?;
            file.write_all(MAGIC)?;
            file.write_all(&(image.len() as u64).to_le_bytes())?;
            file.write_all(&checksum(image).to_le_bytes())?;
            file.write_all(image)?;
            file.sync_all()?;
            fs::rename(&part, &self.path)
        })();
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        written
    }
}

fn checksum(image: &[u8]) -> u128 {
    Fnv::new().add(image).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_entries_are_not_read() {
        let folder =
            std::env::temp_dir().join(format!("differentiable-cache-{}", std::process::id()));
        let entry = Entry::new(&folder, &[b"source", b"sm_90"]);
        assert_eq!(entry.read(), None);
        entry.write(b"an image");
        assert_eq!(entry.read().as_deref(), Some(&b"an image"[..]));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        let whole = fs::read(&entry.path).unwrap();
        for damaged in [
            &whole[..10],
            &whole[..whole.len() - 1],
            &[],
            &[&whole[..], b"!"].concat(),
            &[&whole[..HEADER], b"AN IMAGE"].concat(),
        ] {
            fs::write(&entry.path, damaged).unwrap();
            assert_eq!(entry.read(), None);
        }
        entry.write(b"an image");
        assert!(entry.read().is_some());
        assert_ne!(
            Entry::new(&folder, &[b"sources", b"m_90"]).path,
            Entry::new(&folder, &[b"source", b"sm_90"]).path
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_error() {
        let entry = Entry::new(Path::new("/dev/null/folder"), &[b"source"]);
        entry.write(b"an image");
        assert_eq!(entry.read(), None);
    }
}
