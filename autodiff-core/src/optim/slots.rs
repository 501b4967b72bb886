//! What optimisers remember for each parameter.

use crate::device::{Backend, Device, Float, ToDevice};
use crate::nn::{HostTensor, Kind, Module, State, StateError, check, kinds, tag, tagged};
use crate::tensor::raw::Raw;
use std::any::Any;
use std::collections::BTreeMap;
use thiserror::Error;

/// What an optimiser remembers between steps, in a form that can be saved.
#[derive(Clone, Debug, PartialEq)]
pub struct OptimizerState {
    /// Which optimiser.
    pub algorithm: String,
    /// The number of steps done.
    pub steps: u64,
    /// `SLOT.PARAMETER`, for example `first_moment.hidden.weight`.
    pub tensors: State,
}

/// Why a saved state does not fit an optimiser.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OptimizerStateError {
    /// It was saved by another optimiser.
    #[error("it was saved by the optimiser `{found}`, expected `{expected}`")]
    Algorithm {
        /// This optimiser.
        expected: &'static str,
        /// The one that saved it.
        found: String,
    },
    /// It was saved for another model, or with another kind of momentum.
    #[error(transparent)]
    Tensors(#[from] StateError),
}

/// `N` tensors for each parameter, zero at first.
pub(super) struct Slots<const N: usize> {
    algorithm: &'static str,
    names: [&'static str; N],
    steps: u64,
    of_param: BTreeMap<String, Slot<N>>,
    /// The variant of each enum.
    variants: BTreeMap<String, String>,
}

enum Slot<const N: usize> {
    /// Loaded from a file; goes to the parameter's device when the parameter is first seen.
    Loaded([HostTensor; N]),
    /// In use.
    Live(Box<dyn Live<N>>),
}

/// `[Raw<T, D>; N]` for some element type and device.
trait Live<const N: usize>: Any + Send + Sync {
    fn download(&self) -> [HostTensor; N];
    fn copy(&self) -> Box<dyn Live<N>>;
    fn move_to(&mut self, device: &Device);
}

impl<const N: usize, T: Float, D: Backend> Live<N> for [Raw<T, D>; N] {
    fn download(&self) -> [HostTensor; N] {
        self.each_ref().map(HostTensor::download)
    }
    fn copy(&self) -> Box<dyn Live<N>> {
        Box::new(self.clone())
    }
    fn move_to(&mut self, device: &Device) {
        if let Some(tensors) = (self as &mut dyn Any).downcast_mut::<[Raw<T, Device>; N]>() {
            *tensors = tensors.each_ref().map(|x| x.to(device));
        }
    }
}

impl<const N: usize> Clone for Slot<N> {
    fn clone(&self) -> Self {
        match self {
            Slot::Loaded(tensors) => Slot::Loaded(tensors.clone()),
            Slot::Live(live) => Slot::Live((**live).copy()),
        }
    }
}

impl<const N: usize> Clone for Slots<N> {
    fn clone(&self) -> Self {
        Slots {
            of_param: self.of_param.clone(),
            variants: self.variants.clone(),
            ..*self
        }
    }
}

impl<const N: usize> ToDevice for Slots<N> {
    fn move_to(&mut self, device: &Device) {
        for slot in self.of_param.values_mut() {
            // What is loaded goes to the parameter's device.
            if let Slot::Live(live) = slot {
                (**live).move_to(device);
            }
        }
    }
}

impl<const N: usize> Slots<N> {
    pub(super) fn new(algorithm: &'static str, names: [&'static str; N]) -> Self {
        Slots {
            algorithm,
            names,
            steps: 0,
            of_param: BTreeMap::new(),
            variants: BTreeMap::new(),
        }
    }

    /// Counts a step and returns its number, from 1.
    pub(super) fn begin_step(&mut self) -> u64 {
        // No training counts this far, but a damaged checkpoint may say that it did.
        self.steps = self.steps.saturating_add(1);
        self.steps
    }

    /// Notes the variant of an enum.
    ///
    /// # Panics
    /// When it was another one before.
    pub(super) fn note_variant(&mut self, name: &str, variant: &str) {
        match self.variants.get(name) {
            Some(before) if before != variant => panic!(
                "`{name}` is now of the variant `{variant}` and was `{before}`: an optimiser serves one model"
            ),
            Some(_) => {}
            None => {
                self.variants.insert(name.to_string(), variant.to_string());
            }
        }
    }

    /// The tensors that belong to a parameter.
    ///
    /// # Panics
    /// When the parameter has changed its element type, device or sizes.
    pub(super) fn of<T: Float, D: Backend>(
        &mut self,
        name: &str,
        param: &Raw<T, D>,
    ) -> &mut [Raw<T, D>; N] {
        if !matches!(self.of_param.get(name), Some(Slot::Live(_))) {
            self.make_live(name, param);
        }
        let Some(Slot::Live(live)) = self.of_param.get_mut(name) else {
            unreachable!("made live above")
        };
        let live: &mut dyn Any = &mut **live;
        let tensors = live.downcast_mut::<[Raw<T, D>; N]>();
        let tensors = tensors.filter(|t| t.iter().all(|x| x.dims() == param.dims()));
        let tensors = tensors.unwrap_or_else(|| {
            panic!(
                "parameter `{name}` is now {}: an optimiser serves one model",
                Kind::of(param)
            )
        });
        // The model may have been brought to another device.
        for tensor in tensors.iter_mut().filter(|t| t.device() != param.device()) {
            *tensor = tensor.to(param.device());
        }
        tensors
    }

    fn make_live<T: Float, D: Backend>(&mut self, name: &str, param: &Raw<T, D>) {
        let device = param.device();
        let tensors: [Raw<T, D>; N] = match self.of_param.remove(name) {
            Some(Slot::Loaded(host)) => host.map(|t| {
                t.upload(device).unwrap_or_else(|| {
                    panic!(
                        "the loaded state of `{name}` is {}: it serves one model",
                        t.kind()
                    )
                })
            }),
            _ => std::array::from_fn(|_| Raw::zeros(device, *param.dims())),
        };
        self.of_param
            .insert(name.to_string(), Slot::Live(Box::new(tensors)));
    }

    pub(super) fn state(&self) -> OptimizerState {
        let mut tensors = State::new();
        for (param, slot) in &self.of_param {
            let host = match slot {
                Slot::Loaded(host) => host.clone(),
                Slot::Live(live) => live.download(),
            };
            for (name, tensor) in self.names.iter().zip(host) {
                tensors.insert(format!("{name}.{param}"), tensor);
            }
        }
        for (name, variant) in &self.variants {
            tensors.insert(tag(name, variant), HostTensor::empty());
        }
        OptimizerState {
            algorithm: self.algorithm.to_string(),
            steps: self.steps,
            tensors,
        }
    }

    pub(super) fn load<M: Module>(
        &mut self,
        model: &M,
        state: OptimizerState,
    ) -> Result<(), OptimizerStateError> {
        self.load_of(&|| kinds(model), state)
    }

    /// [`Slots::load`] for parameters of these kinds. Compiled once, and not for each module.
    fn load_of(
        &mut self,
        kinds: &dyn Fn() -> BTreeMap<String, Kind>,
        mut state: OptimizerState,
    ) -> Result<(), OptimizerStateError> {
        if state.algorithm != self.algorithm {
            let (expected, found) = (self.algorithm, state.algorithm);
            return Err(OptimizerStateError::Algorithm { expected, found });
        }
        let params = if state.steps == 0 {
            BTreeMap::new()
        } else {
            kinds()
        };
        let (tags, params): (BTreeMap<_, _>, BTreeMap<_, _>) = params
            .into_iter()
            .partition(|(name, _)| tagged(name).is_some());
        let expected = params.iter().flat_map(|(param, kind)| {
            self.names
                .map(|name| (format!("{name}.{param}"), kind.clone()))
        });
        let variants = tags.keys().filter_map(|name| tagged(name));
        let variants = variants.map(|(name, variant)| (name.to_string(), variant.to_string()));
        let variants: BTreeMap<_, _> = variants.collect();
        check(&expected.chain(tags).collect(), &state.tensors)?;
        self.variants = variants;
        self.steps = state.steps;
        self.of_param = params
            .into_keys()
            .map(|param| {
                let tensors = self.names.map(|name| {
                    state
                        .tensors
                        .remove(&format!("{name}.{param}"))
                        .expect("checked above")
                });
                (param, Slot::Loaded(tensors))
            })
            .collect();
        Ok(())
    }
}
