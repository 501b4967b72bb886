//! Sequences of different lengths in one batch.

use super::DataError;
use super::stack::dim_of;
use autodiff_nn::device::Elem;
use autodiff_nn::nn::Lengths;
use autodiff_nn::shape::Dim;
use autodiff_nn::tensor::Tensor;

/// Joins sequences to a batch as long as the longest of them, with `value` behind the shorter ones, and returns it with
/// the length of each, as layers take them. `time` makes the dimension of the steps.
///
/// ```
/// use differentiable::data::pad;
/// use differentiable::nn::Lengths;
/// use differentiable::prelude::*;
///
/// dim!(Batch, Time);
///
/// let rows = [vec![5, 6, 7], vec![8]];
/// let (ids, lengths): (Tensor![i64; Batch, Time], Lengths) = pad(&rows, Time, 0)?;
/// assert_eq!(ids, Tensor::from_vec_with((Batch(2), Time(3)), vec![5, 6, 7, 8, 0, 0])?);
/// assert_eq!(lengths.steps(), [3, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`DataError::NoRows`] without sequences, [`DataError::Size`] if a dimension has a fixed size that is another. An empty sequence has the length 0.
pub fn pad<B: Dim, L: Dim, T: Elem>(
    rows: &[impl AsRef<[T]>],
    time: impl Fn(usize) -> L,
    value: T,
) -> Result<(Tensor<(B, L), T>, Lengths), DataError> {
    let lengths: Vec<usize> = rows.iter().map(|r| r.as_ref().len()).collect();
    let longest = lengths.iter().copied().max().ok_or(DataError::NoRows)?;
    let mut values = Vec::with_capacity(rows.len() * longest);
    for row in rows {
        let end = values.len() + longest;
        values.extend_from_slice(row.as_ref());
        values.resize(end, value);
    }
    let shape = (dim_of::<B>(rows.len())?, time(longest));
    let padded = Tensor::from_vec_with(shape, values).map_err(|_| DataError::Size {
        dim: "of the steps",
        expected: shape.1.size(),
        found: longest,
    })?;
    let lengths: Vec<i64> = lengths.into_iter().map(|n| n as i64).collect();
    Ok((padded, lengths.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    autodiff_nn::dim!(Batch, Time);

    #[test]
    fn padding_stands_behind_each_sequence() {
        let rows: [&[i64]; 4] = [&[1, 2], &[], &[3, 4, 5], &[6]];
        let (ids, lengths) = pad::<Batch, _, _>(&rows, Time, -1).unwrap();
        assert_eq!(ids.dims().as_slice(), [4, 3]);
        assert_eq!(ids.to_vec(), [1, 2, -1, -1, -1, -1, 3, 4, 5, 6, -1, -1]);
        assert_eq!(lengths.steps(), [2, 0, 3, 1]);
    }

    #[test]
    fn batches_without_steps_and_without_rows() {
        let (ids, lengths) = pad::<Batch, _, _>(&[[0.0_f32; 0]; 2], Time, 0.0).unwrap();
        assert_eq!(ids.dims().as_slice(), [2, 0]);
        assert_eq!(lengths.steps(), [0, 0]);
        let none: [Vec<i64>; 0] = [];
        let fixed = pad::<Batch, _, _>(&[[1_i64], [2]], |_| autodiff_nn::shape::Sz::<3>, 0);
        assert_eq!(
            fixed.unwrap_err().to_string(),
            "expected 3 entries for a dimension of the steps, found 1"
        );
        assert!(matches!(
            pad::<Batch, _, _>(&none, Time, 0),
            Err(DataError::NoRows)
        ));
    }
}
