use super::{HostTensor, Kind, Module, Path, Visitor, VisitorMut};
use crate::device::{Backend, Float};
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
    /// An enum is of another variant.
    #[error("`{name}` is of the variant `{found}`, expected `{expected}`")]
    Variant {
        /// The enum: the fields that lead to it, or nothing for the model itself.
        name: String,
        /// The variant that the model has.
        expected: String,
        /// The one that was saved.
        found: String,
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
        fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
            self.0.insert(name.to_string(), HostTensor::download(value));
        }
        fn variant(&mut self, name: &Path, variant: &'static str) {
            self.0
                .insert(tag(name.as_str(), variant), HostTensor::empty());
        }
    }
    let mut copy = Copy(State::new());
    module.visit(&mut Path::default(), &mut copy);
    module.visit_buffers(false, &mut Path::default(), &mut copy);
    copy.0
}

struct Kinds(BTreeMap<String, Kind>);

impl Visitor for Kinds {
    fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
        self.0.insert(name.to_string(), Kind::of(value));
    }
    fn variant(&mut self, name: &Path, variant: &'static str) {
        let empty = HostTensor::empty().kind();
        self.0.insert(tag(name.as_str(), variant), empty);
    }
}

/// Marks the variant of an enum in a state: a tensor without elements has this name.
const TAG: &str = "variant=";

/// The name of the tensor that says which variant an enum is of.
pub(crate) fn tag(name: &str, variant: &str) -> String {
    let dot = if name.is_empty() { "" } else { "." };
    format!("{name}{dot}{TAG}{variant}")
}

/// The enum and its variant, if a name is that of a tag.
pub(crate) fn tagged(name: &str) -> Option<(&str, &str)> {
    let (path, variant) = name.rsplit_once(TAG)?;
    (path.is_empty() || path.ends_with('.')).then(|| (path.trim_end_matches('.'), variant))
}

/// Whether the enums have the variants that are expected.
fn check_variants(expected: &BTreeMap<String, Kind>, found: &State) -> Result<(), StateError> {
    let variants: BTreeMap<&str, &str> = found.keys().filter_map(|n| tagged(n)).collect();
    for (name, expected) in expected.keys().filter_map(|n| tagged(n)) {
        if let Some(found) = variants.get(name).filter(|found| **found != expected) {
            return Err(StateError::Variant {
                name: name.to_string(),
                expected: expected.to_string(),
                found: found.to_string(),
            });
        }
    }
    Ok(())
}

/// Element type and sizes of all parameters.
pub(crate) fn kinds<M: Module + ?Sized>(module: &M) -> BTreeMap<String, Kind> {
    let mut kinds = Kinds(BTreeMap::new());
    module.visit(&mut Path::default(), &mut kinds);
    kinds.0
}

/// Whether tensors have exactly the names, element types and sizes that are expected.
pub(crate) fn check(expected: &BTreeMap<String, Kind>, found: &State) -> Result<(), StateError> {
    check_variants(expected, found)?;
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
        fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &mut Raw<T, D>) {
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
