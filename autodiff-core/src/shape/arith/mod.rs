//! Arithmetic on static sizes, computed in types: literal → hex digits (table) → bits → operation →
//! hex digits → literal (table).
//!
//! The canonical form of a size is always [`Sz<N>`](super::Sz), so that computed and written sizes
//! unify; digits and bits never appear in a type that users see. Operations on bits are total
//! generic associated types without where clauses: the compiler only normalises, it never searches.

mod bits;
mod size;
mod table;

pub use size::{DivExact, HalfPlusOne, Least, Minus, Plus, Times, Unwindow, Window};
pub use table::{Known, Size};
