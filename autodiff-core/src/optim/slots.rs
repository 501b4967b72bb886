//! What optimisers remember for each parameter.

use super::part::Part;
use super::{OptimizerError, OptimizerStateError, Slot};
use crate::device::{AnyStorage, Backend, Dims, Float, ToDevice};
use crate::nn::{HostTensor, Kind, State, check, tag, tagged};
use crate::tensor::raw::Raw;
use std::any::Any;
use std::collections::BTreeMap;

/// Tensors for each parameter, and the steps that were done.
#[derive(Clone, Default)]
pub(super) struct Slots {
    pub(super) steps: u64,
    of_param: BTreeMap<String, Memory>,
    /// The variant of each enum.
    variants: BTreeMap<String, String>,
}

/// What is remembered of one parameter.
struct Memory {
    /// The steps that were done before the parameter was first changed.
    begun: u64,
    names: Vec<&'static str>,
    tensors: Tensors,
}

enum Tensors {
    /// Loaded from a file; go to the parameter's device when the parameter is first seen.
    Loaded(Vec<HostTensor>),
    /// In use.
    Live(Box<dyn Live>),
}

/// The tensors of a parameter, and what it is itself.
#[derive(Clone)]
struct Of<T: Float, D: Backend> {
    param: Dims,
    tensors: Vec<Raw<T, D>>,
}

/// [`Of`] for some element type and device.
trait Live: Any + Send + Sync {
    fn download(&self) -> Vec<HostTensor>;
    fn copy(&self) -> Box<dyn Live>;
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage));
    fn param(&self) -> Kind;
}

impl<T: Float, D: Backend> Live for Of<T, D> {
    fn download(&self) -> Vec<HostTensor> {
        self.tensors.iter().map(HostTensor::download).collect()
    }
    fn copy(&self) -> Box<dyn Live> {
        Box::new(self.clone())
    }
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        self.tensors
            .iter_mut()
            .filter_map(Part::storage)
            .for_each(each);
    }
    fn param(&self) -> Kind {
        Kind::live::<T>(&self.param)
    }
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        Memory {
            begun: self.begun,
            names: self.names.clone(),
            tensors: match &self.tensors {
                Tensors::Loaded(tensors) => Tensors::Loaded(tensors.clone()),
                Tensors::Live(live) => Tensors::Live((**live).copy()),
            },
        }
    }
}

impl ToDevice for Slots {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        for memory in self.of_param.values_mut() {
            // What is loaded goes to the parameter's device.
            if let Tensors::Live(live) = &mut memory.tensors {
                (**live).each_storage(each);
            }
        }
    }
}

/// What begins the name of the number of steps before a parameter was first changed.
const BEGUN: &str = "begun.";

impl Slots {
    /// Counts a step.
    pub(super) fn count(&mut self) {
        // No training counts this far, but a damaged checkpoint may say that it did.
        self.steps = self.steps.saturating_add(1);
    }

    /// Notes the variant of an enum.
    pub(super) fn note_variant(&mut self, name: &str, found: &str) -> Result<(), OptimizerError> {
        match self.variants.get(name) {
            Some(expected) if expected != found => Err(OptimizerError::Variant {
                name: name.to_string(),
                expected: expected.clone(),
                found: found.to_string(),
            }),
            Some(_) => Ok(()),
            None => {
                self.variants.insert(name.to_string(), found.to_string());
                Ok(())
            }
        }
    }

    /// Forgets a parameter.
    pub(super) fn forget(&mut self, name: &str) {
        self.of_param.remove(name);
    }

    /// Makes sure that the tensors of a parameter are there, and looks whether it is still what it was.
    pub(super) fn ready<T: Float, D: Backend>(
        &mut self,
        name: &str,
        param: &Raw<T, D>,
        slots: &dyn Fn() -> Vec<Slot>,
    ) -> Result<(), OptimizerError> {
        let changed = |expected| OptimizerError::Changed {
            name: name.to_string(),
            expected,
            found: Kind::live::<T>(param.dims()),
        };
        match self.of_param.get_mut(name) {
            Some(memory) => match &mut memory.tensors {
                Tensors::Live(live) => match live_of::<T, D>(&mut **live) {
                    Some(of) if of.param == *param.dims() => {
                        // The model may have been brought to another device.
                        let elsewhere = |t: &&mut Raw<T, D>| t.device() != param.device();
                        for tensor in of.tensors.iter_mut().filter(elsewhere) {
                            *tensor = tensor.to(param.device());
                        }
                        Ok(())
                    }
                    _ => Err(changed(live.param())),
                },
                Tensors::Loaded(host) => {
                    let there = host.iter().map(|t| t.upload(param.device()));
                    let Some(tensors) = there.collect() else {
                        return Err(changed(host[0].kind()));
                    };
                    memory.tensors = live(param, tensors);
                    Ok(())
                }
            },
            None => {
                let slots = slots();
                let zeros = slots.iter();
                let tensors = zeros.map(|s| Raw::full(param.device(), s.dims, T::lit(s.initial)));
                let memory = Memory {
                    begun: self.steps,
                    names: slots.iter().map(|s| s.name).collect(),
                    tensors: live(param, tensors.collect()),
                };
                self.of_param.insert(name.to_string(), memory);
                Ok(())
            }
        }
    }

    /// The tensors of a parameter that is [`ready`](Slots::ready), and the steps before it was first changed.
    pub(super) fn of<T: Float, D: Backend>(&mut self, name: &str) -> (&mut [Raw<T, D>], u64) {
        let memory = self.of_param.get_mut(name).expect("made ready");
        let Tensors::Live(live) = &mut memory.tensors else {
            unreachable!("made ready")
        };
        let of = live_of::<T, D>(&mut **live).expect("made ready");
        (&mut of.tensors, memory.begun)
    }

    /// The tensors by name, and the numbers that belong to them.
    pub(super) fn state(&self, numbers: &mut BTreeMap<String, f64>) -> State {
        let mut tensors = State::new();
        // Steps that were skipped have made tensors ready, which hold nothing yet.
        if self.steps == 0 {
            return tensors;
        }
        for (param, memory) in &self.of_param {
            if memory.begun > 0 {
                numbers.insert(format!("{BEGUN}{param}"), memory.begun as f64);
            }
            let host = match &memory.tensors {
                Tensors::Loaded(host) => host.clone(),
                Tensors::Live(live) => live.download(),
            };
            for (name, tensor) in memory.names.iter().zip(host) {
                tensors.insert(format!("{name}.{param}"), tensor);
            }
        }
        for (name, variant) in &self.variants {
            tensors.insert(tag(name, variant), HostTensor::empty());
        }
        tensors
    }

    /// What a state holds: `kinds` are the parameters and the tags of the model. Takes the numbers that belong to it.
    pub(super) fn loaded(
        steps: u64,
        kinds: BTreeMap<String, Kind>,
        slots: &mut dyn FnMut(&str, &Dims) -> Option<Vec<Slot>>,
        mut tensors: State,
        numbers: &mut BTreeMap<String, f64>,
    ) -> Result<Slots, OptimizerStateError> {
        let (tags, params): (BTreeMap<_, _>, BTreeMap<_, _>) = kinds
            .into_iter()
            .partition(|(name, _)| tagged(name).is_some());
        let mut expected = tags.clone();
        let mut of_param = BTreeMap::new();
        for (param, kind) in params {
            let Some(slots) = slots(&param, &Dims::new(&kind.dims)) else {
                continue;
            };
            for slot in &slots {
                let dtype = kind.dtype;
                let dims = slot.dims.to_vec();
                expected.insert(format!("{}.{param}", slot.name), Kind { dtype, dims });
            }
            of_param.insert(param, slots);
        }
        check(&expected, &tensors)?;
        let mut memories = BTreeMap::new();
        for (param, slots) in of_param {
            let key = format!("{BEGUN}{param}");
            let begun = numbers.remove(&key).unwrap_or(0.0);
            let whole = begun >= 0.0 && begun <= steps as f64 && begun.fract() == 0.0;
            if !whole {
                return Err(OptimizerStateError::Number {
                    name: key,
                    expected: "a number of steps that were done",
                    found: begun.to_string(),
                });
            }
            let take = |slot: &Slot| {
                let tensor = tensors.remove(&format!("{}.{param}", slot.name));
                tensor.expect("checked above")
            };
            let memory = Memory {
                begun: begun as u64,
                names: slots.iter().map(|s| s.name).collect(),
                tensors: Tensors::Loaded(slots.iter().map(take).collect()),
            };
            memories.insert(param, memory);
        }
        let variants = tags.keys().filter_map(|name| tagged(name));
        Ok(Slots {
            steps,
            of_param: memories,
            variants: variants
                .map(|(name, variant)| (name.to_string(), variant.to_string()))
                .collect(),
        })
    }
}

fn live<T: Float, D: Backend>(param: &Raw<T, D>, tensors: Vec<Raw<T, D>>) -> Tensors {
    let param = *param.dims();
    Tensors::Live(Box::new(Of { param, tensors }))
}

/// Behind any reference, what borrows nothing.
type AnyLive = dyn Live;

fn live_of<T: Float, D: Backend>(live: &mut AnyLive) -> Option<&mut Of<T, D>> {
    (live as &mut dyn Any).downcast_mut()
}
