//! What is found once and used for many evaluations.

use super::compressed::Compressed;
use super::{Pattern, SparsityError};

macro_rules! plan {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name(pub(super) Compressed);

        impl $name {
            /// The pattern.
            pub fn pattern(&self) -> &Pattern {
                &self.0.pattern
            }

            /// How many directions do for all columns. An evaluation takes one more, for the check, and
            /// eight in one run.
            pub fn colours(&self) -> usize {
                self.0.colours()
            }

            /// Without the check of each evaluation: an entry that the pattern lacks is added to others, or
            /// left out, and nobody is told.
            #[must_use]
            pub fn unchecked(mut self) -> Self {
                self.0.checked = false;
                self
            }
        }
    };
}

plan! {
    /// The pattern of a Jacobian and a direction for each column.
    ///
    /// Made by `f::sparse_jacobian_plan(args..)`, or from a pattern that is known:
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// use differentiable::sparse::{JacobianPlan, Pattern, SparsityError};
    ///
    /// #[differentiable(higher_order)]
    /// fn slopes(x: &[f64]) -> Vec<f64> {
    ///     (1..x.len()).map(|i| (x[i] - x[i - 1]) * x[i]).collect()
    /// }
    ///
    /// let pattern = Pattern::from_entries((3, 4), (0..3).flat_map(|i| [(i, i), (i, i + 1)]))?;
    /// let plan = JacobianPlan::from_pattern(pattern);
    /// assert_eq!(plan.colours(), 2);
    /// let jacobian = slopes::sparse_jacobian(&plan, &[1.0, 2.0, 4.0, 8.0])?;
    /// assert_eq!(jacobian.row(0), (&[0, 1][..], &[-2.0, 3.0][..]));
    ///
    /// let diagonal = Pattern::from_entries((3, 4), (0..3).map(|i| (i, i)))?;
    /// let wrong = slopes::sparse_jacobian(&JacobianPlan::from_pattern(diagonal), &[1.0, 2.0, 4.0, 8.0]);
    /// assert!(matches!(wrong, Err(SparsityError::Missing { .. })));
    /// # Ok::<(), SparsityError>(())
    /// ```
    JacobianPlan
}

plan! {
    /// The pattern of a Hessian and a direction for each column.
    HessianPlan
}

impl JacobianPlan {
    /// A plan for a pattern that is known. It may have more entries than the Jacobian; if it has fewer,
    /// evaluations are errors.
    pub fn from_pattern(pattern: Pattern) -> Self {
        JacobianPlan(Compressed::by_columns(pattern))
    }
}

impl HessianPlan {
    /// A plan for a pattern that is known. It may have more entries than the Hessian; if it has fewer,
    /// evaluations are errors.
    ///
    /// # Errors
    /// If the pattern is not symmetric.
    pub fn from_pattern(pattern: Pattern) -> Result<Self, SparsityError> {
        if pattern.rows() != pattern.columns() {
            return Err(SparsityError::Shape {
                expected_rows: pattern.rows(),
                expected_columns: pattern.columns(),
                rows: pattern.columns(),
                columns: pattern.columns(),
            });
        }
        let lonely = pattern.entries().find(|(i, j)| !pattern.contains(*j, *i));
        match lonely {
            Some((row, column)) => Err(SparsityError::NotSymmetric { row, column }),
            None => Ok(HessianPlan(Compressed::symmetric(pattern))),
        }
    }
}
