//! Sparse matrices made of small dense blocks.

use super::pattern::{self, Rows, outside};
use super::{Csr, Pattern, SparsityError};
use crate::ad::Scalar;

/// Where the entries of dense blocks go in a sparse matrix, which is their sum.
///
/// In bundle adjustment a block is the Jacobian of one observation, by the parameters of its camera and its
/// point; in finite elements the matrix of one element, whose unknowns it shares with its neighbours. The index
/// lists of the blocks give the pattern, once; `f::jacobian_into` gives their entries.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::sparse::Assembly;
///
/// #[differentiable(higher_order)]
/// fn squared_distance(a: [f64; 2], b: [f64; 2]) -> [f64; 1] {
///     [(a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)]
/// }
///
/// let points = [[0.0, 0.0], [3.0, 4.0], [3.0, 0.0]];
/// let pairs = [[0, 1], [1, 2]];
/// // A row for each pair; its columns are the coordinates of the two points.
/// let blocks = pairs.iter().enumerate().map(|(row, [a, b])| {
///     ([row], [2 * a, 2 * a + 1, 2 * b, 2 * b + 1])
/// });
/// let assembly = Assembly::new((2, 6), blocks)?;
/// let jacobian = assembly.assemble(|i, block: &mut [f64]| {
///     let [a, b] = pairs[i];
///     squared_distance::jacobian_into(block, points[a], points[b])
/// });
/// assert_eq!(jacobian.to_dense()[0], [-6.0, -8.0, 6.0, 8.0, 0.0, 0.0]);
/// # Ok::<(), differentiable::sparse::SparsityError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Assembly {
    pattern: Pattern,
    /// Where the entries of each block begin among those of all blocks, and where the last ends.
    offsets: Vec<usize>,
    /// The entry of the matrix for each entry of the blocks; none if it is the same one.
    places: Option<Vec<usize>>,
}

impl Assembly {
    /// The sum of blocks, each with its rows and its columns in the matrix of `shape` (rows, columns). An index
    /// may come more than once, in a block and in several: what meets is added.
    ///
    /// # Errors
    /// If an index lies outside.
    pub fn new<R: AsRef<[usize]>, C: AsRef<[usize]>>(
        shape: (usize, usize),
        blocks: impl IntoIterator<Item = (R, C)>,
    ) -> Result<Self, SparsityError> {
        let (mut entries, mut offsets) = (Vec::new(), vec![0]);
        for (rows, columns) in blocks {
            let (rows, columns) = (rows.as_ref(), columns.as_ref());
            for &row in rows {
                for &column in columns {
                    if row >= shape.0 || column >= shape.1 {
                        return Err(outside((row, column), shape));
                    }
                    entries.push((row, column));
                }
            }
            offsets.push(entries.len());
        }
        let row_offsets = pattern::offsets(shape.0, entries.iter().map(|e| e.0));
        // The entries of each row, with their numbers.
        let (mut next, mut by_row) = (row_offsets.clone(), vec![(0, 0); entries.len()]);
        for (k, (row, column)) in entries.iter().enumerate() {
            by_row[next[*row]] = (*column, k);
            next[*row] += 1;
        }
        let mut rows = Rows::new(shape.1);
        let mut places = vec![0; entries.len()];
        let mut entry = 0;
        for row in 0..shape.0 {
            let all = &mut by_row[row_offsets[row]..row_offsets[row + 1]];
            all.sort_unstable();
            rows.push(|columns| {
                let mut last = None;
                for (column, k) in all.iter() {
                    if last != Some(*column) {
                        columns.push(*column);
                        entry += 1;
                    }
                    last = Some(*column);
                    places[*k] = entry - 1;
                }
            });
        }
        let pattern = rows.into_pattern();
        // As many entries as places: nothing is added to another.
        let same = pattern.len() == places.len() && places.iter().enumerate().all(|(k, p)| k == *p);
        Ok(Assembly {
            pattern,
            offsets,
            places: (!same).then_some(places),
        })
    }

    /// The pattern of the matrix.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The matrix: `block` writes the entries of the block with this number into a slice of zeros, row by row.
    pub fn assemble<S: Scalar>(&self, block: impl FnMut(usize, &mut [S])) -> Csr<S> {
        let mut to = Csr::zeros(&self.pattern);
        self.write(&mut to.values, block, |_| ());
        to
    }

    /// The same into the memory of a matrix.
    pub fn assemble_into<S: Scalar>(&self, to: &mut Csr<S>, block: impl FnMut(usize, &mut [S])) {
        to.reshape(&self.pattern);
        self.assemble_values(&mut to.values, block);
    }

    /// The entries alone, in the order of the pattern.
    ///
    /// # Panics
    /// If the slice has another length than the pattern.
    pub fn assemble_values<S: Scalar>(&self, values: &mut [S], block: impl FnMut(usize, &mut [S])) {
        assert_eq!(
            values.len(),
            self.pattern.len(),
            "a value for each entry of the pattern"
        );
        self.write(values, block, |entries| entries.fill(S::ZERO));
    }

    /// The blocks, into slices that `clear` sets to zero, unless they are.
    #[inline(always)]
    fn write<S: Scalar>(
        &self,
        values: &mut [S],
        mut block: impl FnMut(usize, &mut [S]),
        clear: impl Fn(&mut [S]),
    ) {
        let ranges = self.offsets.windows(2).map(|w| w[0]..w[1]).enumerate();
        let Some(places) = &self.places else {
            // Where nothing is shared, blocks are written in place.
            return ranges.for_each(|(i, range)| {
                let entries = &mut values[range];
                clear(entries);
                block(i, entries);
            });
        };
        clear(values);
        let mut entries = Vec::new();
        for (i, range) in ranges {
            entries.clear();
            entries.resize(range.len(), S::ZERO);
            block(i, &mut entries);
            for (place, entry) in places[range].iter().zip(&entries) {
                values[*place] += *entry;
            }
        }
    }
}
