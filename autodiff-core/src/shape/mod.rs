//! Typed shapes.
//!
//! A shape is a tuple of up to six [dimensions](Dim). A dimension is a size known at compile time,
//! [`Sz<784>`](Sz), or a name declared by [`dim!`](crate::dim) whose size is known at run time.
//!
//! ```
//! use differentiable::prelude::*;
//! dim!(Batch);
//! let x: Tensor![Batch, 784] = Tensor::zeros_with((Batch(32), Sz));
//! let w: Tensor![784, 10] = Tensor::zeros();
//! let y: Tensor![Batch, 10] = x.matmul(&w);
//! ```
//!
//! Two dimensions of different name, or of different static size, never unify: that is a compile
//! error. Equal names with different sizes are found at run time ([`ShapeError`]).
//!
//! | module | what it holds |
//! |---|---|
//! | `dim` | one axis |
//! | `attend` | what the operands of attention share |
//! | `along` | what a tensor and an index along an axis share |
//! | `axis` | operations that name an axis: reduce, insert, swap, concatenate |
//! | `classes` | what the scores of classes and the targets of a loss must share |
//! | `contract` | what two operands that are summed over several axes must share |
//! | `pair` | what two operands must share: elementwise, matrix product |
//! | `regroup` | flatten, split and merge of axes, reshape to a stated shape |
//! | `matrix` | the last two axes as a matrix, square or not; the smaller of two dimensions |
//! | `spectrum` | the frequencies of a real signal |
//! | `window` | windows that slide over axes |
//! | `subscripts` | the letters of `einsum!` |
//! | [`arith`] | sums, products, quotients and windows of static sizes, computed in types |
//! | `generated` | what must be spelled out for each rank, and the table of sizes (`gen/*.py`) |

mod along;
pub mod arith;
mod attend;
mod axis;
mod classes;
mod contract;
mod dim;
mod error;
mod layout;
mod macros;
mod matrix;
mod pair;
mod regroup;
mod spectrum;
mod subscripts;
mod text;
mod window;

pub use along::{IndexRest, SameIndexed};
pub(crate) use attend::check_attend;
pub use attend::{Attend, AttendGrouped, Attending};
pub use axis::{
    Affine, Axes2, Axes3, Axes4, Axes5, Axes6, AxesOf, Axis, AxisSet, Concat, Insert, Last,
    Permutation, SameRest, Shape, StaticShape, Swap, UnitAxis,
};
pub use classes::{Classes, TargetsOf};
pub use contract::{Contract, Contracted, SummedDim};
pub use dim::{Dim, Prod, Product, StaticDim, Sz};
pub use error::ShapeError;
pub(crate) use error::{check_same, same};
pub use layout::{Dims, Layout, MAX_RANK};
pub use matrix::{
    Agree, Matrices, Min, SameRows, SameSystems, Smaller, Square, System, VectorSystem,
};
pub use pair::{Broadcast, MatMul, Paired, Same, SameBatch, SameInner};
pub use regroup::{Flatten, MergeLast, Renamed, Reshape, SameNames, SplitLast};
pub use spectrum::{Frequencies, SameFrequencies, Spectral, Spectrum};
#[doc(hidden)]
pub use subscripts::{
    Einsum, Letter, LetterDim, Lettered, Letters, Of, Operand, Pick, Picks, Rank, SameLetter,
    Subscripts,
};
pub use window::{
    Channels, Groups, OutputPad, Positions, Slide, Spread, Step, Steps2, Steps3, Stretched, Win,
};
