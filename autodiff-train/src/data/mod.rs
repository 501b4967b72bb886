//! Data sets and mini-batches.
//!
//! [`Labelled`] is a table of features with one class label a row: it is read from CSV, split into
//! a training and a test part, and cut into mini-batches by [`Batches`], which deals in row indices
//! only and so serves any data set.

mod csv;
mod error;
mod labelled;
mod loader;
mod source;

pub use csv::read_labelled_csv;
pub use error::DataError;
pub use labelled::{Labelled, Split};
pub use loader::{Batches, Epoch};
pub use source::Source;
