use core::fmt::{self, Display, Write};

/// The name of a parameter while a module is visited: the fields that lead to it, joined by dots.
#[derive(Clone, Debug, Default)]
pub struct Path(String);

impl Path {
    /// Visits a part of a module under its name.
    pub fn enter<R>(&mut self, name: impl Display, visit: impl FnOnce(&mut Path) -> R) -> R {
        let outer = self.push(&name);
        let result = visit(self);
        self.0.truncate(outer);
        result
    }

    /// Adds a part and returns the length before. Compiled once, and not in each module.
    fn push(&mut self, name: &dyn Display) -> usize {
        let outer = self.0.len();
        let dot = if outer == 0 { "" } else { "." };
        let _ = write!(self.0, "{dot}{name}"); // writing to a string cannot fail
        outer
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
