//! Which tensors of a file are not those of a module, all in one error.

use autodiff_core::nn::edit_distance;
use std::fmt;
use std::path::PathBuf;

/// How the tensors of a file differ from those of a module. `Display` lists all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The file, its index or its directory.
    pub path: PathBuf,
    /// Tensors that the file does not have.
    pub missing: Vec<Missing>,
    /// Tensors that the module does not have.
    pub unused: Vec<Unused>,
    /// Tensors of other sizes.
    pub shapes: Vec<WrongShape>,
    /// Tensors of element types that no parameter has, such as numbers of 8 bits: their names and types.
    pub types: Vec<(String, String)>,
    /// Names that two tensors of the file get by renaming: the new name, and the two.
    pub clashes: Vec<(String, [String; 2])>,
}

/// A tensor that a file does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Missing {
    /// Its name as PyTorch would have it.
    pub name: String,
    /// Its sizes there.
    pub dims: Vec<usize>,
    /// The names that would do as well, all of them together.
    pub instead: Vec<String>,
    /// Tensors of the file that nobody uses and whose names are nearest.
    pub nearest: Vec<String>,
}

/// A tensor that a module does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unused {
    /// Its name in the file.
    pub name: String,
    /// That after renaming.
    pub renamed: String,
    /// Its element type.
    pub dtype: String,
    /// Its sizes.
    pub dims: Vec<usize>,
    /// Names of the module that are nearest: of tensors that the file does not have, if there are some.
    pub nearest: Vec<String>,
}

/// A tensor that has other sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongShape {
    /// Its name in the file.
    pub name: String,
    /// Its sizes there.
    pub found: Vec<usize>,
    /// Those that it should have.
    pub expected: Vec<usize>,
    /// The parameter, as the module calls it.
    pub parameter: String,
}

impl Mismatch {
    pub(super) fn is_empty(&self) -> bool {
        let Mismatch {
            path: _,
            missing,
            unused,
            shapes,
            types,
            clashes,
        } = self;
        missing.is_empty()
            && unused.is_empty()
            && shapes.is_empty()
            && types.is_empty()
            && clashes.is_empty()
    }

    /// Finds the nearest names; `all` are those of the module. With hundreds of names, those of the first ones show the
    /// pattern.
    pub(super) fn advise(&mut self, all: &[(&str, &[usize])]) {
        const SHOWN: usize = 50;
        let spare = self.unused.iter();
        let spare: Vec<_> = spare.map(|u| (u.renamed.as_str(), &u.dims[..])).collect();
        let missing = self.missing.iter();
        let missing: Vec<_> = missing.map(|m| (m.name.as_str(), &m.dims[..])).collect();
        let wanted = if missing.is_empty() { all } else { &missing };
        let original = |at: usize| self.unused[at].name.clone();
        let for_missing: Vec<Vec<String>> = missing
            .iter()
            .take(SHOWN)
            .map(|m| nearest(*m, &spare).into_iter().map(original).collect())
            .collect();
        let name = |at: usize| wanted[at].0.to_string();
        let for_unused: Vec<Vec<String>> = spare
            .iter()
            .take(SHOWN)
            .map(|u| nearest(*u, wanted).into_iter().map(name).collect())
            .collect();
        for (missing, nearest) in self.missing.iter_mut().zip(for_missing) {
            missing.nearest = nearest;
        }
        for (unused, nearest) in self.unused.iter_mut().zip(for_unused) {
            unused.nearest = nearest;
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.missing.len(), "missing"),
            (self.unused.len(), "unused"),
            (self.shapes.len(), "of another shape"),
            (self.types.len(), "of an element type that cannot be read"),
            (self.clashes.len(), "of one name after renaming"),
        ];
        let counts = counts.iter().filter(|(n, _)| *n > 0);
        let counts: Vec<String> = counts.map(|(n, what)| format!("{n} {what}")).collect();
        write!(
            f,
            "{}: the tensors are not those of the module: {}",
            self.path.display(),
            counts.join(", ")
        )?;
        for m in &self.missing {
            write!(f, "\n  missing `{}` {:?}", m.name, m.dims)?;
            if !m.instead.is_empty() {
                write!(f, " (or {})", quoted(&m.instead))?;
            }
            near(f, "nearest unused", &m.nearest)?;
        }
        for u in &self.unused {
            write!(f, "\n  unused `{}` {} {:?}", u.name, u.dtype, u.dims)?;
            if u.name != u.renamed {
                write!(f, ", renamed `{}`", u.renamed)?;
            }
            let what = match self.missing.is_empty() {
                true => "nearest of the module",
                false => "nearest missing",
            };
            near(f, what, &u.nearest)?;
        }
        for s in &self.shapes {
            write!(
                f,
                "\n  `{}` has the shape {:?}, expected {:?} for `{}`",
                s.name, s.found, s.expected, s.parameter
            )?;
        }
        for (name, ty) in &self.types {
            write!(
                f,
                "\n  `{name}` is of the type {ty}, expected floats or integers of at most 64 bits"
            )?;
        }
        for (name, [a, b]) in &self.clashes {
            write!(f, "\n  `{a}` and `{b}` are both renamed `{name}`")?;
        }
        if !self.missing.is_empty() || !self.unused.is_empty() {
            write!(
                f,
                "\n  cures: `Import::new()` with `.rename(\"theirs\", \"ours\")`; `.ignore(\"theirs\")` leaves a tensor of the file out; \
                 `.partial()` keeps what is missing as it is"
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for Mismatch {}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    names.join(", ")
}

fn near(f: &mut fmt::Formatter<'_>, what: &str, names: &[String]) -> fmt::Result {
    match names {
        [] => Ok(()),
        names => write!(f, ", {what} {}", quoted(names)),
    }
}

/// Where the two nearest tensors are that are not too far, the nearest first. Sizes that differ count as a few letters.
fn nearest((name, dims): (&str, &[usize]), others: &[(&str, &[usize])]) -> Vec<usize> {
    const SIZES: usize = 4;
    let measured = others.iter().enumerate().map(|(at, (other, sizes))| {
        let letters = distance(name, other);
        let longer = name.len().max(other.len());
        let further = if *sizes == dims { 0 } else { SIZES };
        (letters + further, at, 5 * letters <= 3 * longer)
    });
    let mut near: Vec<_> = measured.filter(|(_, _, is_near)| *is_near).collect();
    near.sort_unstable();
    near.into_iter().take(2).map(|(_, at, _)| at).collect()
}

/// The number of letters to add, to remove and to replace.
fn distance(a: &str, b: &str) -> usize {
    edit_distance(a, b, |_| false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_letters() {
        for (a, b, d) in [
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("a.ln.weight", "a.norm.weight", 4),
            ("same", "same", 0),
        ] {
            assert_eq!(distance(a, b), d, "{a} {b}");
            assert_eq!(distance(b, a), d, "{b} {a}");
        }
    }

    #[test]
    fn names_that_are_too_far_are_not_shown_and_sizes_count() {
        let names = [
            ("fc1.weight", &[3, 2][..]),
            ("fc2.weight", &[2, 2]),
            ("entirely_different.gamma", &[2, 2]),
        ];
        assert_eq!(nearest(("fc1.weights", &[3, 2]), &names), [0, 1]);
        assert_eq!(nearest(("fc1.weights", &[2, 2]), &names), [1, 0]);
        assert!(nearest(("zzz", &[2, 2]), &names).is_empty());
    }
}
