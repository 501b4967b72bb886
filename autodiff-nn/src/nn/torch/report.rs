//! What an import did.

use std::fmt;

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The parameters and buffers that were set, as the module calls them.
    pub loaded: Vec<String>,
    /// Those that the file does not have: they are as before. Only [`partial`](super::Import::partial) allows them.
    pub kept: Vec<String>,
    /// Tensors of the file that were left out: what [`ignore`](super::Import::ignore) named, and integers that the module
    /// has no place for, such as `num_batches_tracked`.
    pub skipped: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} loaded", self.loaded.len())?;
        for (names, what) in [
            (&self.kept, "kept as they were"),
            (&self.skipped, "of the file skipped"),
        ] {
            if !names.is_empty() {
                write!(f, ", {} {what} ({})", names.len(), names.join(", "))?;
            }
        }
        Ok(())
    }
}
