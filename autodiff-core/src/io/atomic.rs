use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf, is_separator};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file so that at every moment, also after a crash or a power cut, `path` holds either
/// its old contents or the complete new ones.
///
/// The data goes to a temporary file in the same directory, is forced to the disk, and takes its
/// name in one step. A process that is killed in between leaves a file `.NAME.*.tmp` behind, which the next one to write
/// here removes, and [`remove_stale`].
///
/// An error if `path` is a directory, a device or a pipe: a file that takes its name would remove it.
pub fn write_atomically(path: &Path, contents: &[u8]) -> io::Result<()> {
    check_replaceable(path)?;
    remove_stale(path);
    let (temporary, file) = create_beside(path)?;
    let written = write_synced(file, contents, || fs::rename(&temporary, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written?;
    sync_directory(directory(path))
}

/// Removes the temporary files that processes which were killed while they wrote `path` have left beside it. Those of
/// processes at work stay, which hold a lock on them; where the file system has no locks, all stay. Files that cannot be
/// removed stay as well: nobody needs them, and nobody is harmed by them.
pub fn remove_stale(path: &Path) {
    let Some(name) = path.file_name() else { return };
    let Ok(entries) = fs::read_dir(directory(path)) else {
        return;
    };
    for entry in entries.flatten() {
        if !is_temporary_of(name, &entry.file_name()) {
            continue;
        }
        let Ok(file) = OpenOptions::new().write(true).open(entry.path()) else {
            continue;
        };
        // The lock is held during the removal: who has made the file and waits for its lock finds out by it.
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// An error if [`write_atomically`] cannot write here, for programs that work for long before they
/// write. Makes and removes a temporary file; a file that is there stays as it is.
pub fn check_writable(path: &Path) -> io::Result<()> {
    check_replaceable(path)?;
    let (temporary, _file) = create_beside(path)?;
    fs::remove_file(&temporary)
}

fn check_replaceable(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Err(invalid("it is not a regular file")),
        // What else can be wrong shows when the temporary file is made.
        _ => Ok(()),
    }
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

/// The lock is held until the file has its name: a temporary file without one is nobody's.
fn write_synced(
    mut file: File,
    contents: &[u8],
    rename: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    file.write_all(contents)?;
    file.sync_all()?;
    rename()
}

/// A new temporary file beside `path`, under a lock.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        let temporary = temporary_beside(path)?;
        let file = match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temporary)
        {
            // Of a process with this number that was killed.
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
            made => made?,
        };
        match file.try_lock() {
            // Without locks on this file system nobody removes what is stale.
            Ok(()) | Err(TryLockError::Error(_)) if temporary.exists() => {
                return Ok((temporary, file));
            }
            // Another process took it for stale before it had its lock, and removes it.
            _ => drop(file),
        }
    }
}

/// A name no other thread or process writes to at the same time.
fn temporary_beside(path: &Path) -> io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let text = path.as_os_str().as_encoded_bytes();
    let name = path
        .file_name()
        .filter(|_| !text.last().is_some_and(|&b| is_separator(b.into())))
        .ok_or_else(|| invalid("the path does not name a file"))?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    temporary.push(format!(".{}-{count}.tmp", std::process::id()));
    Ok(directory(path).join(temporary))
}

/// Whether [`temporary_beside`] gives a file of the name `name` this one.
fn is_temporary_of(name: &OsStr, temporary: &OsStr) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let numbers = || {
        let rest = temporary.as_encoded_bytes().strip_prefix(b".")?;
        let rest = rest.strip_prefix(name.as_encoded_bytes())?;
        let rest = rest.strip_prefix(b".")?.strip_suffix(b".tmp")?;
        str::from_utf8(rest).ok()?.split_once('-')
    };
    numbers().is_some_and(|(process, count)| is_number(process) && is_number(count))
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

    #[test]
    fn a_check_finds_what_writing_would_and_changes_nothing() {
        let directory = fresh_directory("check");
        let path = directory.join("a");
        check_writable(&path).unwrap();
        assert!(files(&directory).is_empty());
        write_atomically(&path, b"contents").unwrap();
        check_writable(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"contents");
        for bad in ["", "missing/b", "a/b", "new/", "..", &"long".repeat(100)] {
            let bad = directory.join(bad);
            assert!(check_writable(&bad).is_err(), "{}", bad.display());
            assert!(write_atomically(&bad, b"x").is_err(), "{}", bad.display());
        }
        assert_eq!(files(&directory), ["a"]);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_nothing_else() {
        let directory = fresh_directory("stale");
        let path = directory.join("a.safetensors");
        let others = [
            ".a.safetensors.12.tmp",
            ".a.safetensors.12-3-4.tmp",
            ".a.safetensors.12-x.tmp",
            ".a.safetensors.-3.tmp",
            ".a.safetensors.bak.12-3.tmp",
            ".b.safetensors.12-3.tmp",
            "a.safetensors.12-3.tmp",
        ];
        for name in others {
            fs::write(directory.join(name), "of another").unwrap();
        }
        let stale = [
            directory.join(".a.safetensors.4194305-0.tmp"),
            directory.join(format!(".a.safetensors.{}-0.tmp", std::process::id())),
        ];
        let leave = || stale.iter().for_each(|s| fs::write(s, "half").unwrap());
        let live = directory.join(".a.safetensors.4194306-7.tmp");
        let at_work = File::create(&live).unwrap();
        at_work.lock().unwrap();
        for clean in [
            (|path| write_atomically(path, b"whole").unwrap()) as fn(&Path),
            remove_stale,
        ] {
            leave();
            clean(&path);
            assert!(stale.iter().all(|s| !s.exists()), "{:?}", files(&directory));
            assert!(live.exists());
        }
        drop(at_work);
        remove_stale(&path);
        assert_eq!(files(&directory).len(), others.len() + 1);
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn many_write_and_clean_at_once() {
        let directory = fresh_directory("race");
        let path = directory.join("a");
        std::thread::scope(|scope| {
            for thread in 0..4_u8 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..40 {
                        check_writable(path).unwrap();
                        write_atomically(path, &[thread; 1000]).unwrap();
                        remove_stale(path);
                        let found = fs::read(path).unwrap();
                        assert!(found.len() == 1000 && found.iter().all(|b| *b == found[0]));
                    }
                });
            }
        });
        assert_eq!(files(&directory), ["a"]);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_replaced_by_one() {
        use std::os::unix::fs::FileTypeExt;
        let directory = fresh_directory("socket");
        let path = directory.join("s");
        let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
        assert!(check_writable(&path).is_err());
        assert!(write_atomically(&path, b"x").is_err());
        assert!(fs::metadata(&path).unwrap().file_type().is_socket());
        fs::remove_dir_all(&directory).unwrap();
    }
}
