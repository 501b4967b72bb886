//! What rows go through before they are a batch.

mod image;
mod normalize;

pub use image::{random_crop, random_flip, random_shift};
pub use normalize::Normalize;

use super::DataError;
use autodiff_nn::device::Elem;
use autodiff_nn::shape::Sz;
use autodiff_nn::tensor::Tensor;

/// A class as a row of zeros with a one in its place.
///
/// ```
/// use differentiable::data::one_hot;
/// use differentiable::prelude::*;
///
/// let y: Tensor![4] = one_hot(2)?;
/// assert_eq!(y.to_vec(), [0.0, 0.0, 1.0, 0.0]);
/// assert_eq!(one_hot::<4, f32>(4).unwrap_err().to_string(), "expected a class from 0 to 3, found 4");
/// # Ok::<(), differentiable::data::DataError>(())
/// ```
///
/// # Errors
/// [`DataError::Class`] if the class is not below `N`.
pub fn one_hot<const N: usize, T: Elem>(class: i64) -> Result<Tensor<(Sz<N>,), T>, DataError> {
    let at = usize::try_from(class).ok().filter(|&c| c < N);
    let at = at.ok_or(DataError::Class {
        classes: N,
        found: class,
    })?;
    Ok(Tensor::from_fn(
        |i| if i == at { T::ONE } else { T::default() },
    ))
}
