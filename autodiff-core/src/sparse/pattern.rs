//! Which entries of a matrix can be other than zero.

use super::SparsityError;
use core::ops::Range;
use std::sync::Arc;

/// The places of the entries of a sparse matrix, row by row. A clone shares its memory: plans and the matrices
/// that they give have one pattern between them.
///
/// ```
/// use differentiable::sparse::Pattern;
///
/// let pattern = Pattern::from_entries((2, 3), [(1, 2), (0, 0), (1, 0)])?;
/// assert_eq!(pattern.row(1), [0, 2]);
/// assert!(pattern.contains(0, 0) && !pattern.contains(0, 1));
/// # Ok::<(), differentiable::sparse::SparsityError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Arc<Rows>);

/// A pattern that is being made, row by row.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rows {
    columns_of_matrix: usize,
    row_offsets: Vec<usize>,
    columns: Vec<usize>,
}

impl Rows {
    /// None yet, of a matrix with so many columns.
    pub fn new(columns: usize) -> Self {
        Rows {
            columns_of_matrix: columns,
            row_offsets: vec![0],
            columns: Vec::new(),
        }
    }

    /// Adds a row, whose columns `push` appends, sorted.
    pub fn push(&mut self, push: impl FnOnce(&mut Vec<usize>)) {
        push(&mut self.columns);
        self.row_offsets.push(self.columns.len());
    }

    pub fn into_pattern(self) -> Pattern {
        Pattern(Arc::new(self))
    }
}

/// That of a matrix without rows and columns.
impl Default for Pattern {
    fn default() -> Self {
        Rows::new(0).into_pattern()
    }
}

impl Pattern {
    /// A pattern by its rows: that of row `i` has the columns `columns[row_offsets[i]..row_offsets[i + 1]]`, which
    /// rise. `shape` is (rows, columns).
    ///
    /// # Errors
    /// If the offsets do not fit, columns do not rise, or lie outside.
    pub fn new(
        shape: (usize, usize),
        row_offsets: Vec<usize>,
        columns: Vec<usize>,
    ) -> Result<Self, SparsityError> {
        let pattern = Rows {
            columns_of_matrix: shape.1,
            row_offsets,
            columns,
        };
        let pattern = pattern.into_pattern();
        let malformed = |row, what| Err(SparsityError::Malformed { row, what });
        let offsets = pattern.row_offsets();
        if offsets.len() != shape.0 + 1 {
            return malformed(offsets.len(), "there is one offset more than rows");
        }
        if offsets[0] != 0 || offsets[shape.0] != pattern.len() {
            return malformed(shape.0, "the offsets go from 0 to the number of entries");
        }
        if let Some(row) = (0..shape.0).find(|i| offsets[*i] > offsets[*i + 1]) {
            return malformed(row, "the offsets fall");
        }
        for row in 0..shape.0 {
            let columns = pattern.row(row);
            if columns.windows(2).any(|w| w[0] >= w[1]) {
                return malformed(row, "its columns do not rise");
            }
            if let Some(column) = columns.last().filter(|c| **c >= shape.1) {
                return Err(outside((row, *column), shape));
            }
        }
        Ok(pattern)
    }

    /// A pattern by its entries, (row, column) each, in any order; the same one may come more than once.
    ///
    /// # Errors
    /// If one lies outside.
    pub fn from_entries(
        shape: (usize, usize),
        entries: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, SparsityError> {
        let mut entries: Vec<_> = entries.into_iter().collect();
        if let Some(entry) = entries.iter().find(|e| e.0 >= shape.0 || e.1 >= shape.1) {
            return Err(outside(*entry, shape));
        }
        entries.sort_unstable();
        entries.dedup();
        let rows = Rows {
            columns_of_matrix: shape.1,
            row_offsets: offsets(shape.0, entries.iter().map(|e| e.0)),
            columns: entries.into_iter().map(|e| e.1).collect(),
        };
        Ok(rows.into_pattern())
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.0.row_offsets.len() - 1
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.0.columns_of_matrix
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.0.columns.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.columns.is_empty()
    }

    /// The numbers of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows(), self.columns())
    }

    /// Where the entries of each row begin, and where the last ends.
    pub fn row_offsets(&self) -> &[usize] {
        &self.0.row_offsets
    }

    /// The columns of all entries, row by row.
    pub fn column_indices(&self) -> &[usize] {
        &self.0.columns
    }

    /// The row offsets and the columns, as owned memory: a copy if another pattern shares it.
    pub fn into_parts(self) -> (Vec<usize>, Vec<usize>) {
        match Arc::try_unwrap(self.0) {
            Ok(rows) => (rows.row_offsets, rows.columns),
            Err(shared) => (shared.row_offsets.clone(), shared.columns.clone()),
        }
    }

    /// The columns of the entries of a row, which rise.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> &[usize] {
        &self.0.columns[self.range(row)]
    }

    /// The numbers of the entries of a row.
    pub(super) fn range(&self, row: usize) -> Range<usize> {
        self.0.row_offsets[row]..self.0.row_offsets[row + 1]
    }

    /// Whether an entry is there.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn contains(&self, row: usize, column: usize) -> bool {
        self.position(row, column).is_some()
    }

    /// The number of an entry.
    pub(super) fn position(&self, row: usize, column: usize) -> Option<usize> {
        let at = self.row(row).binary_search(&column).ok()?;
        Some(self.0.row_offsets[row] + at)
    }

    /// All entries, (row, column) each, row by row.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.rows()).flat_map(|row| self.row(row).iter().map(move |column| (row, *column)))
    }

    /// The pattern of the transposed matrix.
    pub fn transposed(&self) -> Pattern {
        self.transposition().0
    }

    /// The pattern of the transposed matrix, and which entry of this one each of its entries is.
    pub(super) fn transposition(&self) -> (Pattern, Vec<usize>) {
        let row_offsets = offsets(self.columns(), self.column_indices().iter().copied());
        let mut next = row_offsets.clone();
        let (mut columns, mut from) = (vec![0; self.len()], vec![0; self.len()]);
        for row in 0..self.rows() {
            for (k, column) in self.range(row).zip(self.row(row)) {
                let place = &mut next[*column];
                (columns[*place], from[*place]) = (row, k);
                *place += 1;
            }
        }
        let rows = Rows {
            columns_of_matrix: self.rows(),
            row_offsets,
            columns,
        };
        (rows.into_pattern(), from)
    }

    /// The entries of this pattern and those across the diagonal.
    pub(super) fn symmetrized(&self) -> Pattern {
        let across = self.transposed();
        if across == *self {
            return across;
        }
        let both = self.entries().chain(across.entries());
        let shape = (self.rows(), self.0.columns_of_matrix);
        Pattern::from_entries(shape, both).expect("entries of this very shape")
    }
}

/// Where each row begins, and where the last ends, if the entries are in these rows.
pub(super) fn offsets(rows: usize, row_of: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut offsets = vec![0; rows + 1];
    row_of.for_each(|row| offsets[row + 1] += 1);
    for row in 0..rows {
        offsets[row + 1] += offsets[row];
    }
    offsets
}

pub(super) fn outside(
    (row, column): (usize, usize),
    (rows, columns): (usize, usize),
) -> SparsityError {
    SparsityError::Outside {
        row,
        column,
        rows,
        columns,
    }
}
