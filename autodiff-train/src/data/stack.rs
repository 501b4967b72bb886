//! Rows of one kind, joined to a batch.

use super::{DataError, Digest};
use autodiff_nn::device::Elem;
use autodiff_nn::shape::{Dim, Insert};
use autodiff_nn::tensor::Tensor;

/// A row that is joined with others along a new first axis, the dimension `B`.
///
/// | a row | a batch |
/// |---|---|
/// | `Tensor![3, 4]`, of any element type | `Tensor![Batch, 3, 4]` |
/// | `f32`, `f64` | `Tensor![Batch]`, `Tensor![f64; Batch]` |
/// | an integer | `Tensor![i64; Batch]` |
/// | `bool` | `Tensor![bool; Batch]` |
/// | a tuple of up to four of them | the tuple of the batches |
///
/// ```
/// use differentiable::data::Stack;
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// let rows = vec![(tensor([1.0, 2.0]), 0), (tensor([3.0, 4.0]), 1)];
/// let (x, y): (Tensor![Batch, 2], Tensor![i64; Batch]) = Stack::stack(rows)?;
/// assert_eq!(x.to_vec(), [1.0, 2.0, 3.0, 4.0]);
/// assert_eq!(y.to_vec(), [0, 1]);
/// # Ok::<(), differentiable::data::DataError>(())
/// ```
///
/// A [`Loader`](super::Loader) does this with [`stack`](super::Loader::stack). Structs with named columns have
/// [`Collate`](super::Collate), and sequences of different lengths [`pad`](super::pad).
#[diagnostic::on_unimplemented(
    message = "rows of type `{Self}` cannot be joined to a batch",
    note = "rows are tensors, numbers, truth values and tuples of up to four of them; sequences of different lengths are joined by `data::pad`, anything else by a function: `loader.collate(|rows| ..)`"
)]
pub trait Stack<B: Dim>: Sized {
    /// The batch.
    type Batch;

    /// Joins rows.
    ///
    /// # Errors
    /// [`DataError::NoRows`] without rows, [`DataError::Ragged`] if the run-time sizes of tensors differ,
    /// [`DataError::Integer`] if an integer does not fit into an `i64`, [`DataError::Size`] if `B` has a fixed size and this
    /// is not the number of rows.
    fn stack(rows: Vec<Self>) -> Result<Self::Batch, DataError>;

    /// Adds the row to a checksum, by which a resumed run notices other data. Without an implementation rows are not
    /// compared.
    fn digest(&self, digest: &mut Digest) {
        digest.unknown();
    }
}

impl<B: Dim, S: Insert<0>, T: Elem> Stack<B> for Tensor<S, T> {
    type Batch = Tensor<S::Out<B>, T>;

    fn stack(rows: Vec<Self>) -> Result<Self::Batch, DataError> {
        let first = rows.first().ok_or(DataError::NoRows)?;
        for (row, other) in rows.iter().enumerate() {
            let same = first.check_same_shape(other);
            same.map_err(|cause| DataError::Ragged {
                row,
                cause: Box::new(cause),
            })?;
        }
        Ok(Tensor::stack_to::<0, B>(&rows, dim_of(rows.len())?))
    }

    fn digest(&self, digest: &mut Digest) {
        digest.tensor(self);
    }
}

/// The dimension of a size: a name of `dim!`, or a fixed size that is this one.
pub(super) fn dim_of<B: Dim>(size: usize) -> Result<B, DataError> {
    // A product of names asks for two sizes: it gets this one twice, and is refused below unless both are 1.
    let dim = B::take(&mut std::iter::repeat(size));
    match dim.size() == size {
        true => Ok(dim),
        false => Err(DataError::Size {
            dim: match B::NAME {
                "" => "of fixed size",
                name => name,
            },
            expected: dim.size(),
            found: size,
        }),
    }
}

/// A tensor of rank 1.
fn column<B: Dim, T: Elem>(values: Vec<T>) -> Result<Tensor<(B,), T>, DataError> {
    if values.is_empty() {
        return Err(DataError::NoRows);
    }
    let rows: B = dim_of(values.len())?;
    Tensor::from_vec_with((rows,), values).map_err(DataError::other)
}

macro_rules! as_they_are {
    ($($t:ty),*) => { $(
        impl<B: Dim> Stack<B> for $t {
            type Batch = Tensor<(B,), $t>;

            fn stack(rows: Vec<Self>) -> Result<Self::Batch, DataError> {
                column(rows)
            }

            fn digest(&self, digest: &mut Digest) {
                digest.numbers(&[*self]);
            }
        }
    )* };
}
as_they_are!(f32, f64, i64, bool);

macro_rules! integers {
    ($($t:ty),*) => { $(
        impl<B: Dim> Stack<B> for $t {
            type Batch = Tensor<(B,), i64>;

            fn stack(rows: Vec<Self>) -> Result<Self::Batch, DataError> {
                let values = rows.into_iter().enumerate().map(|(row, found)| {
                    i64::try_from(found).map_err(|_| DataError::Integer { row, found: found as u64 })
                });
                column(values.collect::<Result<_, _>>()?)
            }

            fn digest(&self, digest: &mut Digest) {
                digest.bytes(&self.to_le_bytes());
            }
        }
    )* };
}
integers!(i8, i16, i32, u8, u16, u32, u64, usize, isize);

macro_rules! tuples {
    ($($($name:ident $rows:ident),+;)*) => { $(
        impl<B: Dim, $($name: Stack<B>),+> Stack<B> for ($($name,)+) {
            type Batch = ($($name::Batch,)+);

            fn stack(rows: Vec<Self>) -> Result<Self::Batch, DataError> {
                $( let mut $rows = Vec::with_capacity(rows.len()); )+
                for row in rows {
                    #[allow(non_snake_case)] // The parts have the names of their types.
                    let ($($name,)+) = row;
                    $( $rows.push($name); )+
                }
                Ok(($($name::stack($rows)?,)+))
            }

            fn digest(&self, digest: &mut Digest) {
                let ($($rows,)+) = self;
                $( $rows.digest(digest); )+
            }
        }
    )* };
}
tuples! {
    P a;
    P a, Q b;
    P a, Q b, R c;
    P a, Q b, R c, S d;
}

#[cfg(test)]
mod tests {
    use super::*;
    use autodiff_nn::prelude::*;

    autodiff_nn::dim!(Batch, Time);

    #[test]
    fn each_kind_of_row_has_its_batch() {
        let rows = vec![(1.5_f32, -2.5_f64, 7_u8, true), (2.5, 3.5, 9, false)];
        let (a, b, c, d) = Stack::<Batch>::stack(rows).unwrap();
        let (a, b): (Tensor![Batch], Tensor![f64; Batch]) = (a, b);
        let (c, d): (Tensor![i64; Batch], Tensor![bool; Batch]) = (c, d);
        assert_eq!((a.to_vec(), b.to_vec()), (vec![1.5, 2.5], vec![-2.5, 3.5]));
        assert_eq!((c.to_vec(), d.to_vec()), (vec![7, 9], vec![true, false]));
        let scalar: Vec<Tensor![f64;]> = vec![Tensor::full(4.0), Tensor::full(5.0)];
        let joined: Tensor![f64; Batch] = Stack::stack(scalar).unwrap();
        assert_eq!(joined.to_vec(), [4.0, 5.0]);
    }

    #[test]
    fn a_fixed_batch_size_is_checked() {
        let row = || Tensor::<(Sz<2>,)>::ones();
        let pair: Tensor![2, 2] = Stack::stack(vec![row(), row()]).unwrap();
        assert_eq!(pair, Tensor::ones());
        let error = Stack::<Sz<3>>::stack(vec![row(), row()]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected 3 entries for a dimension of fixed size, found 2"
        );
        assert!(Stack::<Prod<Batch, Time>>::stack(vec![1, 2]).is_err());
    }

    #[test]
    fn rows_that_do_not_fit_together_are_an_error() {
        let row = |n: usize| Tensor::<(Time, Sz<2>)>::zeros_with((Time(n), Sz));
        let error = Stack::<Batch>::stack(vec![row(3), row(3), row(4)]).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("row 2 of the batch does not have the shape of the first:"),
            "{error}"
        );
        assert!(matches!(
            Stack::<Batch>::stack(Vec::<i64>::new()),
            Err(DataError::NoRows)
        ));
        assert_eq!(
            Stack::<Batch>::stack(vec![1, u64::MAX])
                .unwrap_err()
                .to_string(),
            "row 1 of the batch: expected an integer that fits into an i64, found 18446744073709551615"
        );
    }
}
