use super::{HostTensor, Kind, Module, Path, Visitor, VisitorMut};
use crate::device::{Device, Float};
use crate::tensor::raw::Raw;
use std::collections::BTreeMap;
use thiserror::Error;

/// Parameters and buffers by name.
pub type State = BTreeMap<String, HostTensor>;

/// Why parameters do not fit a module.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StateError {
    /// The module has a parameter that is not there.
    #[error("tensor `{name}` is missing, expected {expected}")]
    Missing {
        /// The parameter.
        name: String,
        /// What it should be.
        expected: Kind,
    },
    /// There is a tensor that the module has no parameter for.
    #[error("tensor `{name}` ({found}) is not expected: the model has no such parameter")]
    Surplus {
        /// The tensor.
        name: String,
        /// What it is.
        found: Kind,
    },
    /// A tensor has another element type or other sizes than the parameter.
    #[error("tensor `{name}` is {found}, expected {expected}")]
    Mismatch {
        /// The parameter.
        name: String,
        /// What it should be.
        expected: Kind,
        /// What it is.
        found: Kind,
    },
}

/// A copy of all parameters and buffers.
pub fn state<M: Module + ?Sized>(module: &M) -> State {
    struct Copy(State);
    impl Visitor for Copy {
        fn param<T: Float, D: Device>(&mut self, name: &Path, value: &Raw<T, D>) {
            self.0.insert(name.to_string(), HostTensor::download(value));
        }
    }
    let mut copy = Copy(State::new());
    module.visit(&mut Path::default(), &mut copy);
    module.visit_buffers(false, &mut Path::default(), &mut copy);
    copy.0
}

struct Kinds(BTreeMap<String, Kind>);

impl Visitor for Kinds {
    fn param<T: Float, D: Device>(&mut self, name: &Path, value: &Raw<T, D>) {
        self.0.insert(name.to_string(), Kind::of(value));
    }
}

/// Element type and sizes of all parameters.
pub(crate) fn kinds<M: Module + ?Sized>(module: &M) -> BTreeMap<String, Kind> {
    let mut kinds = Kinds(BTreeMap::new());
    module.visit(&mut Path::default(), &mut kinds);
    kinds.0
}

/// Whether tensors have exactly the names, element types and sizes that are expected.
pub(crate) fn check(expected: &BTreeMap<String, Kind>, found: &State) -> Result<(), StateError> {
    for (name, expected) in expected {
        let (name, expected) = (name.clone(), expected.clone());
        match found.get(&name).map(HostTensor::kind) {
            None => return Err(StateError::Missing { name, expected }),
            Some(found) if found != expected => {
                return Err(StateError::Mismatch {
                    name,
                    expected,
                    found,
                });
            }
            Some(_) => {}
        }
    }
    match found.iter().find(|(name, _)| !expected.contains_key(*name)) {
        Some((name, tensor)) => Err(StateError::Surplus {
            name: name.clone(),
            found: tensor.kind(),
        }),
        None => Ok(()),
    }
}

/// Sets all parameters and buffers. Names, element types and sizes must agree exactly; if they don't, nothing
/// is changed.
pub fn load_state<M: Module + ?Sized>(module: &mut M, state: &State) -> Result<(), StateError> {
    struct Set<'a>(&'a State);
    impl VisitorMut for Set<'_> {
        fn param<T: Float, D: Device>(&mut self, name: &Path, value: &mut Raw<T, D>) {
            let stored = self.0[name.as_str()].upload(value.device());
            *value = stored.expect("element type and sizes were checked");
        }
    }
    let mut all = Kinds(kinds(module));
    module.visit_buffers(false, &mut Path::default(), &mut all);
    check(&all.0, state)?;
    module.visit_mut(&mut Path::default(), &mut Set(state));
    module.visit_buffers_mut(false, &mut Path::default(), &mut Set(state));
    Ok(())
}
