//! The state of all ranks as that of one, for checkpoints.

use super::layout::Entry;
use super::states::{Zero, device_of};
use crate::dist::{CommError, Number, Numbers};
use crate::nn::{HostData, HostTensor, Module, State};
use crate::optim::{Optimizer, OptimizerState, OptimizerStateError};

impl<O: Optimizer> Zero<O> {
    /// The whole state of the optimiser, which all ranks collect together: the same on each.
    ///
    /// # Errors
    /// If a rank ended or did not come in time.
    pub fn try_state(&self) -> Result<OptimizerState, CommError> {
        let mut state = self.optimizer.state();
        let Some(layout) = &self.layout else {
            return Ok(state);
        };
        let mut whole = State::new();
        // Parts of all parameters are there, the empty ones too, so the names are the same on all ranks.
        for (name, part) in std::mem::take(&mut state.tensors) {
            let entry = layout.entries.iter().find(|e| slot_of(&name, e).is_some());
            let Some(entry) = entry else {
                whole.insert(name, part);
                continue;
            };
            let all = match numbers(part.data()) {
                Numbers::F64(x) => join::<f64>(self.ranks().gather_all(&x)?),
                Numbers::F32(x) => join::<f32>(self.ranks().gather_all(&x)?),
                _ => return Err(CommError::Elements { index: 0 }),
            };
            debug_assert_eq!(all.len(), entry.whole);
            let tensor =
                HostTensor::new(entry.dims.clone(), all).ok_or(CommError::Elements { index: 0 })?;
            whole.insert(name, tensor);
        }
        state.tensors = whole;
        Ok(state)
    }

    pub(super) fn load<M: Module>(
        &mut self,
        model: &M,
        mut state: OptimizerState,
    ) -> Result<(), OptimizerStateError> {
        let algorithm = state.algorithm.clone();
        let failed = |_| OptimizerStateError::Algorithm {
            expected: "an optimiser of f32 and f64 parameters",
            found: algorithm.clone(),
        };
        let layout = self.layout(model).map_err(failed)?;
        let share = self
            .share(&layout, model, &device_of(model))
            .map_err(failed)?;
        let mut parts = State::new();
        for (name, whole) in std::mem::take(&mut state.tensors) {
            let entry = layout.entries.iter().find(|e| slot_of(&name, e).is_some());
            let fits = entry.filter(|e| e.whole == whole.data().len());
            let part = match fits {
                Some(e) => HostTensor::new(vec![e.len], part(whole.data(), e)).unwrap_or(whole),
                // What does not fit the model is named by the optimiser.
                None => whole,
            };
            parts.insert(name, part);
        }
        state.tensors = parts;
        self.optimizer.load_state(&share, state)?;
        Ok(())
    }
}

/// The slot of a tensor of a saved state, `SLOT.PARAMETER`, if it belongs to a parameter.
fn slot_of<'n>(name: &'n str, entry: &Entry) -> Option<&'n str> {
    let slot = name.strip_suffix(&*entry.name)?.strip_suffix('.')?;
    (!slot.contains('.')).then_some(slot)
}

fn numbers(data: &HostData) -> Numbers {
    match data {
        HostData::F32(x) => Numbers::F32(x.clone()),
        HostData::F64(x) => Numbers::F64(x.clone()),
        _ => Numbers::U8(Vec::new()),
    }
}

fn join<T: Number>(all: Vec<Vec<T>>) -> HostData {
    let mut whole = Numbers::zeros(T::KIND, 0);
    for part in all {
        whole.append(&T::wrap(part));
    }
    match whole {
        Numbers::F64(x) => HostData::F64(x),
        Numbers::F32(x) => HostData::F32(x),
        _ => HostData::F32(Vec::new()),
    }
}

fn part(data: &HostData, entry: &Entry) -> HostData {
    let range = entry.at..entry.at + entry.len;
    match data {
        HostData::F64(x) => HostData::F64(x[range].to_vec()),
        HostData::F32(x) => HostData::F32(x[range].to_vec()),
        other => other.clone(),
    }
}
