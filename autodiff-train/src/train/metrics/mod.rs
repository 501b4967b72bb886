//! What a module is judged by.
//!
//! A metric is a function `fn(&M, &Batch) -> f64`, averaged over rows, or a type that implements [`Metric`]. Those of the
//! library ask the module for what it [predicts](Predict), and work on the host.
//!
//! ```
//! use differentiable::nn::*;
//! use differentiable::prelude::*;
//! use differentiable::train::metrics::{Averaging, Confusion};
//! use differentiable::train::{Predict, accuracy};
//!
//! dim!(Batch);
//! type Rows = (Tensor![Batch, 2], Tensor![i64; Batch]);
//!
//! /// Class 1 where the first number is larger.
//! #[module]
//! struct Larger {}
//!
//! impl Predict<Rows> for Larger {
//!     type Output = Tensor![Batch, 2];
//!     type Target = Tensor![i64; Batch];
//!     fn predict(&self, (x, y): &Rows, _: &mut Ctx) -> (Tensor![Batch, 2], Tensor![i64; Batch]) {
//!         (x.flip::<1>(), y.clone())
//!     }
//! }
//!
//! let x = Tensor::from_vec_with((Batch(3), Sz), vec![1.0, 0.0, 0.0, 1.0, 2.0, 3.0])?;
//! let y = Tensor::from_vec_with((Batch(3),), vec![1, 0, 1])?;
//! let batch = (x, y);
//! assert_eq!(accuracy(&Larger {}, &batch), 2.0 / 3.0);
//!
//! let (scores, labels) = Larger {}.predict(&batch, &mut Ctx::eval());
//! let mut confusion = Confusion::new(2);
//! confusion.add(&scores, &labels);
//! assert_eq!(confusion.count(1, 0), 1); // of class 1, taken for class 0
//! assert_eq!(confusion.recall(Averaging::Macro), 0.75);
//! # Ok::<(), ShapeError>(())
//! ```

mod classes;
mod confusion;
mod function;
mod numbers;
mod predict;

pub use classes::{Perplexity, TopK, accuracy, perplexity, top_k};
pub use confusion::{Averaging, Confusion, OfConfusion, f1, precision, recall};
pub use function::Named;
pub use numbers::{RSquared, mean_absolute_error, mean_squared_error, r_squared};
pub use predict::{Labels, Numbers, Predict, Scores};

/// Values that a module comes to over the rows of a source.
///
/// A function `fn(&M, &B) -> f64` is a metric: its values are averaged, weighted by the rows of the batches, and its name
/// is that of the function.
pub trait Metric<M: ?Sized, B: ?Sized> {
    /// The names of the values.
    fn names(&self) -> Vec<String>;

    /// Before the first batch.
    fn start(&self) -> Box<dyn Tally<M, B> + '_>;
}

/// A [`Metric`] while the batches pass.
pub trait Tally<M: ?Sized, B: ?Sized> {
    /// Adds a batch of so many rows.
    fn add(&mut self, net: &M, batch: &B, rows: usize);

    /// The values over all batches, in the order of [`Metric::names`].
    fn values(&self) -> Vec<f64>;

    /// What the values are computed from, as numbers: with [`join`](Tally::join), the rows can be divided among ranks. `None`, if
    /// not implemented: each rank then goes through all rows.
    fn parts(&self) -> Option<Vec<f64>> {
        None
    }

    /// Adds the [`parts`](Tally::parts) of a tally of other rows.
    fn join(&mut self, parts: &[f64]) {
        let _ = parts;
    }
}
