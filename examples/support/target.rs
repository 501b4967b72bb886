//! Where examples write pictures that no argument names.

use std::path::{Path, PathBuf};

/// A file in the folder `target` of the workspace, which is made if it is missing.
pub fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("target");
    // If this fails, writing the file reports it.
    std::fs::create_dir_all(&folder).ok();
    folder.join(name)
}
