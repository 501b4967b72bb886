//! A sparse matrix from its products with a few directions.

use super::colour::{self, Colouring, NONE};
use super::pattern::offsets;
use super::run::{Directions, LANES};
use super::{Csr, Pattern, SparsityError};
use crate::ad::{Dual, Scalar};
use std::sync::OnceLock;

/// The entries that are read from one row of the products.
#[derive(Clone, Debug)]
struct Read {
    colour: u32,
    /// The number of the entry.
    entry: usize,
}

/// A pattern, the directions of its columns, and where each entry is read.
#[derive(Clone, Debug)]
pub(super) struct Compressed {
    pub pattern: Pattern,
    colouring: Colouring,
    /// Those of row `i` are `offsets[i]..offsets[i + 1]`.
    reads: Vec<Read>,
    offsets: Vec<usize>,
    /// Whether all entries of a row are read in it.
    in_rows: bool,
    /// The direction of the check, made when it is needed first.
    random: OnceLock<Box<[f64]>>,
    pub checked: bool,
}

/// A row whose product along the random direction is not that of the matrix.
struct Difference {
    row: usize,
    /// How large it is, and how large rounding can be.
    relative: f64,
    rounding: f64,
}

/// Runs the function along eight directions and gives the scalars of the result, in order.
pub(super) trait Sweep<S: Scalar> {
    fn run(&self, directions: &mut Directions<'_, S>, row: &mut dyn FnMut(Dual<S, LANES>));
}

impl Compressed {
    /// Each entry is read in its row.
    pub fn by_columns(pattern: Pattern) -> Self {
        let colouring = colour::columns(&pattern);
        let read = |(entry, column): (usize, &usize)| Read {
            colour: colouring.colours[*column],
            entry,
        };
        let reads = pattern.column_indices().iter().enumerate().map(read);
        Compressed {
            reads: reads.collect(),
            offsets: pattern.row_offsets().to_vec(),
            colouring,
            pattern,
            in_rows: true,
            random: OnceLock::new(),
            checked: true,
        }
    }

    /// Each entry of a symmetric matrix is read in its row, or in that of the entry across the diagonal.
    pub fn symmetric(pattern: Pattern) -> Self {
        let colouring = colour::star(&pattern);
        let colours = &colouring.colours;
        // The entry across the diagonal of each: the pattern is its own transposed one.
        let across = pattern.transposition().1;
        let mut reads: Vec<(usize, Read)> = Vec::with_capacity(pattern.len());
        // Of how many columns of a colour the row has entries, for the row in turn.
        let mut counts = vec![0_usize; colouring.count as usize];
        for row in 0..pattern.rows() {
            for column in pattern.row(row) {
                counts[colours[*column] as usize] += 1;
            }
            for (entry, &column) in pattern.range(row).zip(pattern.row(row)) {
                let colour = colours[column];
                // On the diagonal it is alone: neighbours have other colours.
                if counts[colour as usize] > 1 && row != column {
                    continue;
                }
                reads.push((row, Read { colour, entry }));
                let entry = across[entry];
                reads.push((row, Read { colour, entry }));
            }
            for column in pattern.row(row) {
                counts[colours[*column] as usize] = 0;
            }
        }
        // An entry that can be read in both places is read in one.
        let mut seen = vec![false; pattern.len()];
        reads.retain(|(_, read)| !core::mem::replace(&mut seen[read.entry], true));
        debug_assert!(seen.iter().all(|s| *s), "a star colouring");
        Compressed {
            offsets: offsets(pattern.rows(), reads.iter().map(|(row, _)| *row)),
            reads: reads.into_iter().map(|(_, read)| read).collect(),
            colouring,
            pattern,
            in_rows: false,
            random: OnceLock::new(),
            checked: true,
        }
    }

    /// How many directions there are.
    pub fn colours(&self) -> usize {
        self.colouring.count as usize
    }

    /// The matrix, into the memory of `to`.
    pub fn evaluate<S: Scalar>(
        &self,
        sweep: &impl Sweep<S>,
        to: &mut Csr<S>,
    ) -> Result<(), SparsityError> {
        to.reshape(&self.pattern);
        let values = &mut to.values;
        let colours = self.colours();
        // The random direction is the last one.
        let directions = colours + usize::from(self.checked);
        let random = match self.checked {
            true => self.random(),
            false => &[],
        };
        // Where an entry comes with a later row, the products are compared when all are there.
        let (mut differ, mut products) = (Vec::new(), Vec::new());
        if self.checked && !self.in_rows {
            products.resize(self.pattern.rows(), S::ZERO);
        }
        let mut first = 0;
        loop {
            let last = first + LANES >= directions;
            let check = (self.checked && last).then(|| colours - first);
            let along = |column: usize| {
                let mut direction = [S::ZERO; LANES];
                let Some(colour) = self.colouring.colours.get(column) else {
                    return direction;
                };
                if *colour != NONE {
                    let lane = (*colour as usize).wrapping_sub(first);
                    if lane < LANES {
                        direction[lane] = S::ONE;
                    }
                }
                if let Some(lane) = check {
                    direction[lane] = S::lit(random[column]);
                }
                direction
            };
            self.sweep(sweep, &along, |row, dual| {
                for read in &self.reads[self.offsets[row]..self.offsets[row + 1]] {
                    let lane = (read.colour as usize).wrapping_sub(first);
                    if lane < LANES {
                        values[read.entry] = dual.tangents[lane];
                    }
                }
                let Some(product) = check.map(|lane| dual.tangents[lane]) else {
                    return;
                };
                match self.in_rows {
                    true => differ.extend(self.difference(row, product, values, random)),
                    false => products[row] = product,
                }
            })?;
            first += LANES;
            if last {
                break;
            }
        }
        for (row, product) in products.iter().enumerate() {
            differ.extend(self.difference(row, *product, values, random));
        }
        self.look_into(sweep, differ)
    }

    /// The direction of the check.
    fn random(&self) -> &[f64] {
        let all = || (0..self.pattern.columns()).map(random_entry).collect();
        self.random.get_or_init(all)
    }

    /// One run; the shapes must be those of the pattern.
    fn sweep<S: Scalar>(
        &self,
        sweep: &impl Sweep<S>,
        along: &dyn Fn(usize) -> [S; LANES],
        mut row: impl FnMut(usize, Dual<S, LANES>),
    ) -> Result<(), SparsityError> {
        let (mut rows, mut directions) = (0, Directions::new(along));
        let expected = self.pattern.rows();
        sweep.run(&mut directions, &mut |dual| {
            if rows < expected {
                row(rows, dual);
            }
            rows += 1;
        });
        let (columns, expected_columns) = (directions.count(), self.pattern.columns());
        if (rows, columns) == (expected, expected_columns) {
            return Ok(());
        }
        Err(SparsityError::Shape {
            expected_rows: expected,
            expected_columns,
            rows,
            columns,
        })
    }

    /// Compares the product of a row along the random direction with that of the matrix.
    #[inline]
    fn difference<S: Scalar>(
        &self,
        row: usize,
        product: S,
        values: &[S],
        random: &[f64],
    ) -> Option<Difference> {
        let (mut sum, mut size) = (S::ZERO, product.to_f64().abs());
        for (value, column) in values[self.pattern.range(row)]
            .iter()
            .zip(self.pattern.row(row))
        {
            let term = *value * S::lit(random[*column]);
            sum += term;
            size += term.to_f64().abs();
        }
        let difference = (product - sum).to_f64().abs();
        let rounding = (S::ONE.next_up() - S::ONE).to_f64() * f64::from(1 << 12) * size;
        (difference > rounding).then(|| Difference {
            row,
            relative: difference / size,
            rounding,
        })
    }

    /// Whether the pattern lacks an entry in one of the rows. A sum can be off by more than its rounding where
    /// terms inside of the function cancel, so each is looked into: along what it does not have, its product is zero.
    fn look_into<S: Scalar>(
        &self,
        sweep: &impl Sweep<S>,
        mut differ: Vec<Difference>,
    ) -> Result<(), SparsityError> {
        let random = match differ.is_empty() {
            true => return Ok(()),
            false => self.random(),
        };
        differ.sort_by(|a, b| b.relative.total_cmp(&a.relative));
        for few in differ.chunks(LANES).take(8) {
            let along = |column: usize| {
                let mut direction = [S::ZERO; LANES];
                for (lane, of) in few.iter().enumerate() {
                    if !self.pattern.contains(of.row, column) {
                        direction[lane] = S::lit(random[column]);
                    }
                }
                direction
            };
            let mut missing = None;
            self.sweep(sweep, &along, |row, dual| {
                let lane = few.iter().position(|of| of.row == row);
                let is_there =
                    |lane: &usize| dual.tangents[*lane].to_f64().abs() > few[*lane].rounding;
                missing = missing.or(lane.filter(is_there).map(|_| row));
            })?;
            if let Some(row) = missing {
                let column = self.locate(sweep, row)?;
                return Err(SparsityError::Missing { row, column });
            }
        }
        Ok(())
    }

    /// The column of an entry that the row lacks: of eight parts the one with the largest product.
    fn locate<S: Scalar>(&self, sweep: &impl Sweep<S>, row: usize) -> Result<usize, SparsityError> {
        let (mut from, mut to) = (0, self.pattern.columns());
        while to - from > 1 {
            let part = (to - from).div_ceil(LANES);
            let along = |column: usize| {
                let mut direction = [S::ZERO; LANES];
                if (from..to).contains(&column) && !self.pattern.contains(row, column) {
                    direction[(column - from) / part] = S::lit(random_entry(column));
                }
                direction
            };
            let mut largest = (0, -1.0);
            self.sweep(sweep, &along, |r, dual| {
                if r == row {
                    for (lane, t) in dual.tangents.iter().enumerate() {
                        let size = t.to_f64().abs();
                        if size > largest.1 {
                            largest = (lane, size);
                        }
                    }
                }
            })?;
            from += largest.0 * part;
            to = to.min(from + part);
        }
        Ok(from)
    }
}

/// The random direction: between 1/2 and 3/2, of either sign, from the number of the column (splitmix64).
fn random_entry(column: usize) -> f64 {
    let mut z = (column as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    let size = 0.5 + (z >> 11) as f64 / (1_u64 << 53) as f64;
    // The sign without a branch, which nobody could predict.
    f64::from_bits(size.to_bits() | z << 63)
}
