//! Who has what.
//!
//! The parameters of one kind of numbers stand in a row, which is cut into as many equal parts as there are ranks. So a rank has parts
//! of a few parameters, all of most of them, and nothing of the others; and no rank has more than another but for the last, which may
//! have less.

use crate::device::{Backend, Float};
use crate::dist::flat::{KINDS, leaf, read_kept};
use crate::dist::{CommError, Kind, Numbers};
use crate::nn::{Module, Path, Visitor};
use crate::tensor::Raw;

/// A parameter, and the part of it that this rank has: `len` numbers from `at` on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) whole: usize,
    pub(super) dims: Vec<usize>,
    pub(super) at: usize,
    pub(super) len: usize,
}

/// The parameters of a module, in the order of its fields.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) entries: Vec<Entry>,
    size: usize,
}

impl Layout {
    pub(super) fn of<M: Module>(model: &M, rank: usize, size: usize) -> Result<Self, CommError> {
        struct Look(Vec<(String, Vec<usize>, Option<(Kind, usize)>)>);
        impl Visitor for Look {
            fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
                let found = leaf(value).map(|x| (x.kind(), x.len()));
                self.0
                    .push((name.to_string(), value.dims().to_vec(), found));
            }
        }
        let mut look = Look(Vec::new());
        model.visit(&mut Path::default(), &mut look);
        let mut entries = Vec::new();
        for (index, (name, dims, found)) in look.0.into_iter().enumerate() {
            let (kind, whole) = found.ok_or(CommError::Elements { index })?;
            entries.push(Entry {
                name,
                kind,
                whole,
                dims,
                at: 0,
                len: 0,
            });
        }
        let mut layout = Layout { entries, size };
        layout.cut(rank);
        Ok(layout)
    }

    /// Notes the parts of a rank.
    fn cut(&mut self, rank: usize) {
        for kind in KINDS {
            let share = self.share(kind);
            let (from, to) = (rank * share, (rank + 1) * share);
            let mut begin = 0;
            for entry in self.entries.iter_mut().filter(|e| e.kind == kind) {
                let end = begin + entry.whole;
                let (low, high) = (from.clamp(begin, end), to.clamp(begin, end));
                (entry.at, entry.len) = (low - begin, high - low);
                begin = end;
            }
        }
    }

    /// The numbers of a kind that each rank has, with what fills the last part up.
    pub(super) fn share(&self, kind: Kind) -> usize {
        self.total(kind).div_ceil(self.size)
    }

    pub(super) fn total(&self, kind: Kind) -> usize {
        self.of_kind(kind).map(|e| e.whole).sum()
    }

    pub(super) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |e| e.kind == kind)
    }

    /// The numbers of this rank, of each kind in a row that is filled up.
    pub(super) fn own<M: Module>(&self, model: &M) -> Result<Vec<(Kind, Numbers)>, CommError> {
        struct Read<'l> {
            entries: core::iter::Enumerate<core::slice::Iter<'l, Entry>>,
            rows: Vec<(Kind, Numbers)>,
            error: Option<CommError>,
        }
        impl Visitor for Read<'_> {
            fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &Raw<T, D>) {
                let Some((index, entry)) = self.entries.next() else {
                    return;
                };
                // Most parameters are those of other ranks.
                if entry.len == 0 {
                    return;
                }
                let row = self.rows.iter_mut().find(|(kind, _)| *kind == entry.kind);
                match (row, read_kept(Some(value), index)) {
                    (Some((_, row)), Ok(x)) => drop(row.append(&x.part(entry.at, entry.len))),
                    (_, Err(error)) => self.error = Some(error),
                    (None, Ok(_)) => {}
                }
            }
        }
        let mut read = Read {
            entries: self.entries.iter().enumerate(),
            rows: self
                .kinds()
                .map(|kind| (kind, Numbers::zeros(kind, 0)))
                .collect(),
            error: None,
        };
        model.visit(&mut Path::default(), &mut read);
        for (kind, row) in &mut read.rows {
            row.append(&Numbers::zeros(*kind, self.share(*kind) - row.len()));
        }
        read.error.map_or(Ok(read.rows), Err)
    }

    /// Whether these are numbers for each parameter.
    pub(super) fn fits(&self, all: &[Numbers]) -> bool {
        let same = |(e, x): (&Entry, &Numbers)| e.kind == x.kind() && e.whole == x.len();
        all.len() == self.entries.len() && self.entries.iter().zip(all).all(same)
    }

    /// All numbers of a kind in a row, filled up so that all ranks have as many. `all` are those of each parameter.
    pub(super) fn row(&self, kind: Kind, all: &[Numbers]) -> Numbers {
        let mut row = Numbers::zeros(kind, 0);
        for (entry, x) in self.entries.iter().zip(all) {
            if entry.kind == kind {
                row.append(x);
            }
        }
        let fill = self.share(kind) * self.size - row.len();
        row.append(&Numbers::zeros(kind, fill));
        row
    }

    /// The numbers of each parameter, from the rows of the kinds.
    pub(super) fn unrow(&self, rows: &[(Kind, Numbers)]) -> Vec<Numbers> {
        let mut at = rows.iter().map(|_| 0).collect::<Vec<_>>();
        let part = |entry: &Entry| {
            let row = rows.iter().position(|(kind, _)| *kind == entry.kind);
            let row = row.expect("there is a row of each kind");
            let begin = at[row];
            at[row] += entry.whole;
            rows[row].1.part(begin, entry.whole)
        };
        self.entries.iter().map(part).collect()
    }

    /// The kinds that the module has.
    pub(super) fn kinds(&self) -> impl Iterator<Item = Kind> {
        KINDS.into_iter().filter(|kind| self.total(*kind) > 0)
    }
}
