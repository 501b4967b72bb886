//! Sparse Jacobians and Hessians: their patterns, and few runs for many columns.
//!
//! Most entries of a large Jacobian are zero: each output depends on a few inputs. Two columns that have no row in
//! common can be computed along one direction, as their sum, whose entries are those of the one or of the other
//! (Curtis, Powell and Reid 1974). To share directions among many columns is to colour a graph:
//!
//! | | two columns share a colour where | entries are read |
//! |---|---|---|
//! | Jacobian | they have no row in common: a colouring at distance 2 of the bipartite graph of rows and columns | each in its row |
//! | Hessian | every path of four vertices has three colours: a star colouring of the graph of the matrix | in their row, or that of the entry across the diagonal |
//!
//! A tridiagonal Jacobian needs three directions, whatever its size; the Hessian of an arrow (one row, one column
//! and the diagonal) two. Both colourings are greedy: A. H. Gebremedhin, F. Manne, A. Pothen, "What color is your
//! Jacobian? Graph coloring for computing derivatives", SIAM Review 47 (2005).
//!
//! For `#[differentiable(higher_order)] fn f` whose value is no scalar there are
//!
//! | | |
//! |---|---|
//! | `f::sparsity(args..)` | the [`Pattern`] of the Jacobian |
//! | `f::sparse_jacobian_plan(args..)` | a [`JacobianPlan`]: pattern and colours, found once |
//! | `f::sparse_jacobian(&plan, args..)` | the Jacobian as a [`Csr`], or a [`SparsityError`] |
//! | `f::sparse_jacobian_into(&plan, &mut csr, args..)` | the same into the memory of a `Csr` |
//! | `f::jacobian_into(&mut values, args..)` | the dense Jacobian, row by row, as blocks of an [`Assembly`] |
//!
//! and instead, where it is a scalar, `f::hessian_sparsity`, `f::sparse_hessian_plan`, `f::sparse_hessian`,
//! `f::sparse_hessian_into`. Rows are the scalars of the output, columns those of the arguments that have a
//! gradient, in order; the fields of structs in the order of their declaration.
//!
//! # When a pattern is wrong
//!
//! A pattern that lacks an entry would give wrong numbers in other places. It can lack one if it was given by hand, and
//! if the function takes another branch than where it was found. So every evaluation computes the product with
//! one more direction, a random one, and compares it with that of the result. A difference above the
//! rounding is looked into with products that tell the row and the column (of the 64 rows that differ most), and is a
//! [`SparsityError::Missing`]. The direction is one of eight that a run carries, so it takes a run only where the
//! colours are a multiple of eight; the comparison takes a pass over the entries. [`JacobianPlan::unchecked`] leaves it
//! out. Not seen are entries below `2¹²` roundings (`10⁻¹²` in `f64`, `5·10⁻⁴` in `f32`) of their row, and rows with
//! infinities or NaN.

mod assembly;
mod colour;
mod compressed;
mod csr;
mod error;
#[cfg(feature = "linalg")]
mod faer;
mod pattern;
mod plan;
mod run;

pub use assembly::Assembly;
pub use csr::Csr;
pub use error::SparsityError;
pub use pattern::Pattern;
pub use plan::{HessianPlan, JacobianPlan};
#[doc(hidden)]
pub use run::{
    Directions, hessian_plan, hessian_sparsity, jacobian_plan, sparse_hessian, sparse_jacobian,
    sparsity,
};
