//! The contents of variables.

use super::Session;
use crate::any::{AnyTensor, kind, map_module, typed};
use crate::recording::{Place, Recorded, Variable};
use autodiff_core::device::record::{AnyBuffer, GraphError, Origin};
use autodiff_core::device::{Device, Elem, Layout};
use autodiff_core::nn::Module;
use autodiff_core::tensor::{Raw, Tensor};
use std::sync::Arc;

impl Session {
    /// The variables with their contents, and the device that they are on.
    #[doc(hidden)]
    pub fn contents(&self) -> (&Device, Vec<(usize, AnyBuffer)>) {
        let all = self.variables.iter();
        let all = all.map(|(v, buffer)| (*v, Arc::clone(buffer)));
        (&self.device, all.collect())
    }

    /// Gives variables that it does not know their first contents.
    pub(super) fn know_variables(&mut self) {
        let noted = self.noted.clone();
        for variable in &noted.lock().variables {
            if self.is_here(variable.value) {
                let held = self.held(variable);
                self.variables.insert(variable.value, held);
            }
        }
    }

    /// Whether it is a session over ranks.
    pub(super) fn is_over_ranks(&self) -> bool {
        #[cfg(feature = "dist")]
        return self.over.is_some();
        #[cfg(not(feature = "dist"))]
        false
    }

    /// The other rank that has a variable, in a session over ranks.
    fn elsewhere(&self, variable: usize) -> Option<usize> {
        #[cfg(feature = "dist")]
        return self.over.as_ref()?.elsewhere(variable);
        #[cfg(not(feature = "dist"))]
        {
            let _ = variable;
            None
        }
    }

    /// Whether the session has the contents of a variable, and not another rank.
    pub(super) fn is_here(&self, variable: usize) -> bool {
        self.elsewhere(variable).is_none()
    }

    /// What a variable holds: what it was given last, or its first contents.
    pub(super) fn held(&self, variable: &Variable) -> AnyBuffer {
        let known = self.variables.get(&variable.value).cloned();
        known.unwrap_or_else(|| (variable.first)(&variable.contents, &self.device))
    }

    /// The same, by the number of the value; none if it is no variable.
    #[track_caller]
    fn held_by(&self, value: usize) -> Option<AnyBuffer> {
        if let Some(rank) = self.elsewhere(value) {
            panic!(
                "the variable is on rank {rank}: fetch it in a run, which brings it to all ranks"
            );
        }
        self.variables.get(&value).cloned().or_else(|| {
            let noted = self.noted.lock();
            let variable = noted.variables.iter().find(|v| v.value == value);
            variable.map(|variable| self.held(variable))
        })
    }

    /// The contents of a variable.
    ///
    /// # Panics
    /// If it is no variable of the recording, or on another rank.
    #[must_use]
    #[track_caller]
    pub fn variable<V: Recorded>(&self, variable: &V) -> Tensor<V::Shape, V::Elem> {
        const WHAT: &str = "the variable";
        let variable = variable.tensor();
        let place = Place::whole(variable.raw(), WHAT);
        let buffer = self.held_by(place.within(&self.recorder, WHAT));
        let buffer = buffer.expect("a variable of this recording");
        let layout = Layout::dense(variable.dims());
        let raw = Raw::from_shared(&self.device, typed(buffer), layout);
        Tensor::new(variable.shape(), raw)
    }

    /// Gives a variable contents from outside. Over ranks, all do so, and the one that has the variable takes them.
    ///
    /// # Errors
    /// If its sizes, which are known at run time only, are others.
    ///
    /// # Panics
    /// If it is no variable of the recording.
    #[track_caller]
    pub fn set_variable<V: Recorded>(
        &mut self,
        variable: &V,
        contents: &Tensor<V::Shape, V::Elem>,
    ) -> Result<(), GraphError> {
        let variable = variable.tensor();
        let place = Place::whole(variable.raw(), "the variable");
        let value = place.within(&self.recorder, "the variable");
        let noted = self.noted.lock();
        let known = noted.variables.iter().find(|v| v.value == value);
        let Some(name) = known.map(|v| v.name.clone()) else {
            let value = self.recorder.graph().values()[value].clone();
            match value.origin() {
                Origin::Input(name) => panic!("`{name}` is an input: only variables keep contents"),
                _ => panic!("{} is computed: only variables keep contents", value.kind()),
            }
        };
        if variable.dims() != contents.dims() {
            return Err(GraphError::Sizes {
                name,
                expected: kind(V::Elem::DTYPE, &variable.dims()),
                found: format!("{:?}", contents.dims().as_slice()),
            });
        }
        drop(noted);
        if self.is_here(value) {
            let contents = contents.raw().to(&self.device).alone();
            self.variables.insert(value, contents);
        }
        Ok(())
    }

    /// The module with what its variables hold now, to be used by eager code.
    ///
    /// # Panics
    /// If a parameter is no variable of the recording, or on another rank: [`Whole`](crate::Whole) brings it from there.
    #[must_use]
    #[track_caller]
    pub fn module<M: Module + Clone>(&self, net: &M) -> M {
        map_module(net, &mut |name, x: &mut dyn AnyTensor| {
            let name = format!("`{name}`");
            let value = Place::of(x, &name).within(&self.recorder, &name);
            let buffer = self.held_by(value);
            let buffer =
                buffer.unwrap_or_else(|| panic!("{name} is no variable of this recording"));
            x.take(&self.device, buffer);
        })
    }
}
