//! Formulas as data: what is written over [`Real`](super::Real) and runs on numbers also runs on [`Sym`]s, which record
//! it.
//!
//! ```
//! use differentiable::device::symbolic::{Formula, Sym};
//! use differentiable::device::Real;
//!
//! fn softsign<T: Real>(x: T) -> T {
//!     x / (T::ONE + x.abs())
//! }
//!
//! let formula = Formula::record("softsign", |[x]: [Sym; 1]| vec![softsign(x)]);
//! assert_eq!(formula.eval(&[3.0]), [0.75]);           // the same steps on numbers
//! let cuda = formula.cuda();                          // the same steps as CUDA C++
//! assert!(cuda.contains("dz::abs(v0)"));
//! ```
//!
//! A formula is run until all its paths are known. A comparison of symbols has to answer `true` or `false`, so it takes one
//! way, and the formula runs again for the other; the two ways become an [`End::If`]. The same comparison has the same
//! answer in one run. Equal steps of a path are one step. A named formula ([`Real::formula`](super::Real::formula)) becomes
//! a [`NamedFormula`] that others call, so that the paths of several do not multiply.
//!
//! | what | by |
//! |---|---|
//! | the value, the pullback and the pushforward of a region | [`RegionFormulas`] |
//! | the functions of one and two elements, and their derivatives | [`UnaryOp::formula`](super::UnaryOp::formula) and its neighbours |
//! | CUDA C++ | [`Formula::cuda`], behind [`PRELUDE`], or [`dual`] where numbers have tangents |
//! | a list of steps without branches and calls, for graphs | [`Formula::straight`] |
//! | the numbers | [`Formula::eval`] |

mod cuda;
mod dual;
mod eval;
mod formula;
mod record;
mod straight;
mod sym;
mod text;

pub use cuda::PRELUDE;
pub use dual::dual;
pub use formula::{
    Block, End, Formula, NamedFormula, Operation, Order, RegionFormulas, Step, Value,
};
pub use record::MAX_PATHS;
pub use straight::{Straight, StraightStep};
pub use sym::Sym;
