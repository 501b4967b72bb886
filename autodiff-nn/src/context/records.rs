//! Activations under names: `ctx.record("hidden", &h)` inside of a function, `ctx.recorded("hidden")` outside.

use super::Ctx;
use autodiff_core::device::{Backend, Elem};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::Tensor;
use core::any::Any;
use core::fmt;
use std::sync::Arc;

/// A tensor under its name.
#[derive(Clone)]
pub(super) struct Record {
    name: String,
    ty: &'static str,
    value: Arc<dyn Any + Send + Sync>,
    /// Looks for an infinite number or NaN in the value.
    not_finite: fn(&(dyn Any + Send + Sync)) -> Option<(usize, f64)>,
}

/// The first infinite number or NaN of a `Tensor<S, T, D>`, with its place. Integers and masks have none.
fn not_finite<S: Shape, T: Elem, D: Backend>(
    value: &(dyn Any + Send + Sync),
) -> Option<(usize, f64)> {
    let value = value.downcast_ref::<Tensor<S, T, D>>()?;
    let mut elements = value.to_vec().into_iter().map(T::to_f64).enumerate();
    elements.find(|(_, x)| !x.is_finite())
}

/// Why there is no such record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordError {
    /// Nothing was recorded under the name.
    Missing {
        /// The name.
        name: String,
        /// What there is.
        recorded: Vec<String>,
    },
    /// The record has another type.
    Type {
        /// The name.
        name: String,
        /// The type that was recorded.
        found: &'static str,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Missing { name, recorded } => {
                write!(
                    f,
                    "nothing is recorded under `{name}`, only [{}]",
                    recorded.join(", ")
                )
            }
            RecordError::Type { name, found } => write!(f, "the record `{name}` is a {found}"),
        }
    }
}

impl core::error::Error for RecordError {}

impl Ctx {
    /// Keeps a tensor under a name, to look at it after the pass. A later record of the same name replaces it; inside of
    /// loops, put the position into the name. It has no derivative, and shares the tensor's memory.
    pub fn record<S: Shape, T: Elem, D: Backend>(&mut self, name: &str, x: &Tensor<S, T, D>) {
        let record = Record {
            name: name.to_string(),
            ty: core::any::type_name::<Tensor<S, T, D>>(),
            value: Arc::new(x.clone()),
            not_finite: not_finite::<S, T, D>,
        };
        match self.records.iter_mut().find(|r| r.name == name) {
            Some(old) => *old = record,
            None => self.records.push(record),
        }
    }

    /// A recorded tensor: `let h: Tensor![Batch, 64] = ctx.recorded("hidden")?`.
    ///
    /// # Errors
    /// If nothing was recorded under the name, or a tensor of another type.
    pub fn recorded<S: Shape, T: Elem, D: Backend>(
        &self,
        name: &str,
    ) -> Result<Tensor<S, T, D>, RecordError> {
        let Some(record) = self.records.iter().find(|r| r.name == name) else {
            return Err(RecordError::Missing {
                name: name.to_string(),
                recorded: self.recorded_names().map(String::from).collect(),
            });
        };
        let value = record.value.downcast_ref::<Tensor<S, T, D>>();
        value.cloned().ok_or_else(|| RecordError::Type {
            name: name.to_string(),
            found: record.ty,
        })
    }

    /// The names under which something was recorded, in the order of the first time.
    pub fn recorded_names(&self) -> impl Iterator<Item = &str> {
        self.records.iter().map(|r| r.name.as_str())
    }

    /// The first record that holds an infinite number or NaN: its name, the index of the number in row-major order, and
    /// the number. Where a loss is not finite, this tells how far the pass went well.
    ///
    /// On a device whose memory the host does not see, this copies the records up to that one.
    pub fn first_not_finite(&self) -> Option<(&str, usize, f64)> {
        self.records.iter().find_map(|r| {
            let (index, number) = (r.not_finite)(&*r.value)?;
            Some((r.name.as_str(), index, number))
        })
    }

    /// Throws the records away, and lets go of their memory.
    pub fn clear_records(&mut self) {
        self.records.clear();
    }
}
