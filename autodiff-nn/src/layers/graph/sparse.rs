//! Sparse matrices of typed sizes.

use super::Edge;
use autodiff_core::prelude::*;
use std::error::Error;
use std::fmt;

/// An entry that lies outside its matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryError {
    /// The position of the entry among those given.
    pub position: usize,
    /// Its row and column.
    pub entry: (usize, usize),
    /// The rows and columns of the matrix.
    pub sizes: (usize, usize),
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let EntryError {
            position,
            entry: (row, column),
            sizes: (rows, columns),
        } = self;
        write!(
            f,
            "entry {position} is at row {row} and column {column}, counted from 0, of a matrix of {rows} rows and {columns} columns"
        )
    }
}

impl Error for EntryError {}

/// A sparse matrix `R` × `C`: the entries that are stored may differ from zero, and have derivatives.
///
/// The product with a dense matrix, `y = A·x`, has the pullback `dx = Aᵀ·dy` and `dA_ij = dy_i·x_j` for the stored entries.
///
/// ```
/// use differentiable::nn::Sparse;
/// use differentiable::prelude::*;
///
/// let a = Sparse::new((Sz::<2>, Sz::<3>), [(0, 1, 2.0), (1, 2, -1.0)])?;
/// let x = tensor([[1.0, 0.0], [2.0, 1.0], [3.0, 4.0]]);
/// assert_eq!(a.matmul(&x), tensor([[4.0, 2.0], [-3.0, -4.0]]));
/// # Ok::<(), differentiable::nn::EntryError>(())
/// ```
#[derive(Clone, Debug, Differentiable)]
pub struct Sparse<R: Dim, C: Dim, T: Float = f32> {
    #[constant]
    pub(super) shape: (R, C),
    #[constant]
    pub(super) rows: Tensor<(Edge,), i64>,
    #[constant]
    pub(super) columns: Tensor<(Edge,), i64>,
    /// The stored entries.
    pub values: Tensor<(Edge,), T>,
}

impl<R: Dim, C: Dim, T: Float> Sparse<R, C, T> {
    /// A matrix from entries `(row, column, value)`, of which several at one place add up.
    ///
    /// # Errors
    /// If an entry lies outside the matrix.
    pub fn new(
        shape: (R, C),
        entries: impl IntoIterator<Item = (usize, usize, T)>,
    ) -> Result<Self, EntryError> {
        let mut entries: Vec<_> = entries.into_iter().collect();
        let sizes = (shape.0.size(), shape.1.size());
        let outside = |&(i, j, _): &(usize, usize, T)| i >= sizes.0 || j >= sizes.1;
        if let Some(position) = entries.iter().position(outside) {
            let (row, column, _) = entries[position];
            return Err(EntryError {
                position,
                entry: (row, column),
                sizes,
            });
        }
        entries.sort_by_key(|&(i, j, _)| (i, j));
        entries.dedup_by(|b, a| {
            let same = (a.0, a.1) == (b.0, b.1);
            if same {
                a.2 = a.2 + b.2;
            }
            same
        });
        let count = (Edge(entries.len()),);
        Ok(Sparse {
            shape,
            rows: Tensor::from_fn_with(count, |e| entries[e].0 as i64),
            columns: Tensor::from_fn_with(count, |e| entries[e].1 as i64),
            values: Tensor::from_fn_with(count, |e| entries[e].2),
        })
    }

    /// The number of stored entries.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no entry is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same matrix with all entries.
    pub fn to_dense(&self) -> Tensor<(R, C), T> {
        let width = self.shape.1.size();
        let mut all = vec![T::ZERO; self.shape.0.size() * width];
        let places = self.rows.to_vec().into_iter().zip(self.columns.to_vec());
        for ((i, j), v) in places.zip(self.values.to_vec()) {
            all[i as usize * width + j as usize] = v;
        }
        Tensor::from_fn_with(self.shape, |at| all[at]).to(self.values.device())
    }
}

#[differentiable]
impl<R: Dim, C: Dim, T: Float> Sparse<R, C, T> {
    /// The product with a dense matrix: `[C, F]` gives `[R, F]`.
    ///
    /// # Panics
    /// If `x` has not as many rows as the matrix has columns.
    pub fn matmul<F: Dim>(&self, x: &Tensor<(C, F), T>) -> Tensor<(R, F), T> {
        no_grad!(agree(
            x.dims()[0],
            self.shape.1.size(),
            "columns of the matrix"
        ));
        let features: F = no_grad!(x.shape().1);
        let zeros: Tensor<(R, F), T> =
            no_grad!(Tensor::<(R, F), T>::zeros_with((self.shape.0, features)).to(x.device()));
        let picked = x.index_select::<0, _, _>(&self.columns);
        let parts = picked * self.values.unsqueeze::<1>().expand::<1, _>(features);
        zeros.index_add::<0, _, _>(&self.rows, &parts)
    }
}

/// Sizes that are known when the program runs are equal.
#[track_caller]
pub(super) fn agree(rows: usize, expected: usize, what: &str) {
    assert!(
        rows == expected,
        "{rows} rows of features for {expected} {what}"
    );
}
