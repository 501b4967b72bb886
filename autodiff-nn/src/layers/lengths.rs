//! The lengths of sequences in one batch.

use autodiff_core::prelude::*;

/// The number of steps of each sequence of a padded batch: what follows is padding.
///
/// ```
/// use differentiable::nn::Lengths;
/// let lengths = Lengths::from([5, 3, 4]);
/// assert_eq!(lengths.steps(), [5, 3, 4]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lengths(Vec<i64>);

autodiff_core::__discrete!([] Lengths);

impl Lengths {
    /// The steps of each example.
    pub fn steps(&self) -> &[i64] {
        &self.0
    }
}

impl From<Vec<i64>> for Lengths {
    fn from(steps: Vec<i64>) -> Self {
        Lengths(steps)
    }
}

impl<const N: usize> From<[i64; N]> for Lengths {
    fn from(steps: [i64; N]) -> Self {
        Lengths(steps.to_vec())
    }
}

impl From<&Lengths> for Lengths {
    fn from(lengths: &Lengths) -> Self {
        lengths.clone()
    }
}

impl<B: Dim> From<&Tensor<(B,), i64>> for Lengths {
    fn from(steps: &Tensor<(B,), i64>) -> Self {
        Lengths(steps.to_vec())
    }
}
