use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file so that at every moment, also after a crash or a power cut, `path` holds either
/// its old contents or the complete new ones.
///
/// The data goes to a temporary file in the same directory, is forced to the disk, and takes its
/// name in one step. A process that is killed in between leaves a file `.NAME.*.tmp` behind.
pub fn write_atomically(path: &Path, contents: &[u8]) -> io::Result<()> {
    let temporary = temporary_beside(path)?;
    let written = write_synced(&temporary, contents).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written?;
    sync_directory(directory(path))
}

fn write_synced(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(contents)?;
    file.sync_all()
}

/// A name no other thread or process writes to at the same time.
fn temporary_beside(path: &Path) -> io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file")
    })?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    temporary.push(format!(".{}-{count}.tmp", std::process::id()));
    Ok(directory(path).join(temporary))
}

fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The new name is an entry of the directory, which has to reach the disk too.
#[cfg(unix)]
fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh_directory(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("atomic-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn files(directory: &Path) -> Vec<OsString> {
        let mut names: Vec<_> = fs::read_dir(directory)
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn replaces_the_file_and_leaves_nothing_else() {
        let directory = fresh_directory("replace");
        let path = directory.join("a");
        write_atomically(&path, b"old contents").unwrap();
        write_atomically(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(files(&directory), ["a"]);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn a_failed_write_leaves_no_temporary_file() {
        let directory = fresh_directory("fail");
        // A directory cannot be replaced by a file, so the rename fails.
        let path = directory.join("a");
        fs::create_dir(&path).unwrap();
        assert!(write_atomically(&path, b"x").is_err());
        assert_eq!(files(&directory), ["a"]);
        assert!(write_atomically(&directory.join("missing/b"), b"x").is_err());
        assert!(write_atomically(Path::new("/"), b"x").is_err());
        fs::remove_dir_all(&directory).unwrap();
    }
}
