//! Files of the tests, and folders for damaged ones.

use differentiable::data::DataError;
use std::path::{Path, PathBuf};

/// A file beside the tests.
pub fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/files")
        .join(name)
}

/// A folder that is removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("data-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A file in it with these bytes.
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The one line of an error, with paths from the folder on.
    pub fn message<T>(&self, result: Result<T, DataError>) -> String {
        let text = result.err().expect("an error").to_string();
        assert_eq!(text.lines().count(), 1, "{text}");
        let folder = self.0.display().to_string();
        let text = text.replace(&format!("{folder}/"), "");
        text.replace(&folder, ".")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
