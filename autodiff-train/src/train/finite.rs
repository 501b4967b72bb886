use crate::device::{Backend, Float};
use crate::nn::{Ctx, HostTensor, Module, Path, Visitor};
use crate::tensor::raw::Raw;
use std::fmt;

/// A loss that is not finite, and the first tensor in which that shows.
#[derive(Clone, Debug, PartialEq)]
pub struct NotFinite {
    /// The loss: infinite or NaN.
    pub loss: f64,
    /// The first parameter or buffer of the module that holds such a number, if there is one. Otherwise the first
    /// activation that [`Ctx::record`] kept.
    pub place: Option<Place>,
}

/// Where a number that is not finite stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// What kind of tensor it is.
    pub kind: PlaceKind,
    /// Its name.
    pub name: String,
    /// The index of the number in row-major order.
    pub index: usize,
    /// The number.
    pub found: f64,
}

/// What kind of tensor a [`Place`] is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// A parameter.
    Parameter,
    /// A buffer, such as a running mean.
    Buffer,
    /// A recorded activation.
    Record,
}

impl NotFinite {
    /// Looks for the place; the context is that of the pass which computed the loss.
    pub(super) fn find<M: Module + ?Sized>(loss: f64, net: &M, ctx: &Ctx) -> Self {
        let record = || {
            let (name, index, found) = ctx.first_not_finite()?;
            Some(Place {
                kind: PlaceKind::Record,
                name: name.to_string(),
                index,
                found,
            })
        };
        NotFinite {
            loss,
            place: in_module(net).or_else(record),
        }
    }
}

/// The first number of a module that is not finite, parameters before buffers.
fn in_module<M: Module + ?Sized>(net: &M) -> Option<Place> {
    struct Look {
        kind: PlaceKind,
        found: Option<Place>,
    }
    impl Visitor for Look {
        fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
            if self.found.is_some() {
                return;
            }
            let tensor = HostTensor::download(value);
            self.found = tensor
                .data()
                .first_not_finite()
                .map(|(index, found)| Place {
                    kind: self.kind,
                    name: name.to_string(),
                    index,
                    found,
                });
        }
    }
    let mut look = Look {
        kind: PlaceKind::Parameter,
        found: None,
    };
    net.visit(&mut Path::default(), &mut look);
    look.kind = PlaceKind::Buffer;
    net.visit_buffers(false, &mut Path::default(), &mut look);
    look.found
}

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the loss is {}, expected a finite number: ", self.loss)?;
        match &self.place {
            None => f.write_str("all parameters and recorded activations are finite"),
            Some(place) => {
                let what = match place.kind {
                    PlaceKind::Parameter => "parameter",
                    PlaceKind::Buffer => "all parameters are finite, but buffer",
                    PlaceKind::Record => "all parameters are finite, but activation",
                };
                let Place {
                    name, index, found, ..
                } = place;
                write!(f, "{what} `{name}` holds {found} at index {index}")
            }
        }
    }
}

impl std::error::Error for NotFinite {}
