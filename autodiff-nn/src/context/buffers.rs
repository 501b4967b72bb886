//! What buffers become: `ctx.update(&self.mean, value)` while a function runs, `ctx.commit(&mut net)` after it.
//!
//! A buffer is known by its storage, which clones of a module share, so a copy that a derivative works on counts as the
//! model. Where two buffers share a storage, as in clones of one layer, the address of the field decides.

use super::Ctx;
use autodiff_core::device::{Backend, Float};
use autodiff_core::nn::{Module, Path, Visitor, VisitorMut};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::Tensor;
use autodiff_core::tensor::raw::Raw;
use core::any::Any;
use std::sync::Arc;

/// A buffer of the model.
#[derive(Clone)]
pub(super) struct Known {
    name: String,
    storage: usize,
    field: usize,
    /// Keeps the storage alive, so that no other one gets its address.
    _kept: Arc<dyn Any + Send + Sync>,
}

impl Known {
    fn of<T: Float, D: Backend>(name: String, value: &Raw<T, D>) -> Self {
        Known {
            name,
            storage: value.storage_id(),
            field: field_of(value),
            _kept: Arc::new(value.clone()),
        }
    }
}

/// What a buffer becomes.
#[derive(Clone)]
pub(super) struct Update {
    /// Which of the known.
    at: usize,
    /// A `Raw` of the element type and the device of the buffer.
    value: Arc<dyn Any + Send + Sync>,
}

fn field_of<T: Float, D: Backend>(raw: &Raw<T, D>) -> usize {
    core::ptr::from_ref(raw).addr()
}

pub(super) fn known<M: Module + ?Sized>(module: &M) -> Vec<Known> {
    struct Walk(Vec<Known>);
    impl Visitor for Walk {
        fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
            self.0.push(Known::of(name.to_string(), value));
        }
    }
    let mut walk = Walk(Vec::new());
    module.visit_buffers(false, &mut Path::default(), &mut walk);
    walk.0
}

impl Ctx {
    /// Says what a buffer becomes when the step is [committed](Ctx::commit): `ctx.update(&self.mean, mean)`. A later
    /// update of the same buffer replaces it. The value has no derivative.
    ///
    /// # Panics
    /// If the context is one for inference, the tensor is no buffer of the module that it was made for, or the value is one of several
    /// examples of `vmap!(#[batched] ..)`.
    #[track_caller]
    pub fn update<S: Shape, T: Float, D: Backend>(
        &mut self,
        buffer: &Tensor<S, T, D>,
        value: Tensor<S, T, D>,
    ) {
        assert!(
            self.is_train,
            "`ctx.update` in inference: only a context of `Ctx::train` changes buffers; ask `ctx.is_train()` before"
        );
        if self.takes_any_buffer && self.position(buffer).is_none() {
            Arc::make_mut(&mut self.known).push(Known::of(String::new(), buffer.raw()));
        }
        let Some(at) = self.position(buffer) else {
            let names: Vec<&str> = self.known.iter().map(|k| k.name.as_str()).collect();
            panic!(
                "`ctx.update` of a tensor of shape {:?} that is no buffer of the module given to `Ctx::train`, whose buffers are [{}]: \
                 mark the field `#[buffer]`, and make the context from the module that runs, `Ctx::train(&net, seed)`",
                buffer.dims(),
                names.join(", ")
            )
        };
        assert!(
            value.raw().examples().is_none(),
            "`ctx.update` inside `vmap!(#[batched] ..)` of a value that differs between the examples: a buffer has one value, so update \
             it after the call, or leave out `#[batched]`"
        );
        let value: Arc<dyn Any + Send + Sync> = Arc::new(value.into_raw());
        match self.updates.iter_mut().find(|u| u.at == at) {
            Some(update) => update.value = value,
            None => self.updates.push(Update { at, value }),
        }
    }

    /// What a buffer is at this point of the step: the last update, or the buffer itself.
    pub fn current<S: Shape, T: Float, D: Backend>(
        &self,
        buffer: &Tensor<S, T, D>,
    ) -> Tensor<S, T, D> {
        let at = self.position(buffer);
        let update = self.updates.iter().find(|u| Some(u.at) == at);
        let raw = update.and_then(|u| u.value.downcast_ref::<Raw<T, D>>());
        match raw {
            Some(raw) => {
                let mut current = buffer.clone();
                *current.raw_mut() = raw.clone();
                current
            }
            None => buffer.clone(),
        }
    }

    fn position<S: Shape, T: Float, D: Backend>(&self, buffer: &Tensor<S, T, D>) -> Option<usize> {
        let (storage, field) = (buffer.raw().storage_id(), field_of(buffer.raw()));
        let all = || {
            self.known
                .iter()
                .enumerate()
                .filter(|(_, k)| k.storage == storage)
        };
        match all().count() {
            0 | 1 => all().next().map(|(i, _)| i),
            _ => all().find(|(_, k)| k.field == field).map(|(i, _)| i),
        }
    }

    /// Writes the new buffers into the module: the end of a training step.
    ///
    /// # Panics
    /// If the module has no buffer of the name, or one of another element type or other sizes.
    #[track_caller]
    pub fn commit<M: Module + ?Sized>(&mut self, module: &mut M) {
        struct Write<'a>(&'a [Known], Vec<Update>);
        impl VisitorMut for Write<'_> {
            #[track_caller]
            fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &mut Raw<T, D>) {
                let Some(at) = self
                    .1
                    .iter()
                    .position(|u| self.0[u.at].name == name.as_str())
                else {
                    return;
                };
                let update = self.1.swap_remove(at);
                match update.value.downcast_ref::<Raw<T, D>>() {
                    Some(new) if new.dims() == value.dims() => *value = new.clone(),
                    _ => panic!(
                        "`ctx.commit`: the buffer `{name}` has another element type, device or size than its update: commit to the module that ran"
                    ),
                }
            }
        }
        let known_before = Arc::clone(&self.known);
        let mut write = Write(&known_before, core::mem::take(&mut self.updates));
        if write.1.is_empty() {
            return;
        }
        module.visit_buffers_mut(false, &mut Path::default(), &mut write);
        if let Some(update) = write.1.first() {
            panic!(
                "`ctx.commit`: the module has no buffer `{}`: commit to the one given to `Ctx::train`",
                known_before[update.at].name
            );
        }
        self.known = Arc::new(known(module));
    }

    /// Throws the new buffers away.
    pub fn discard(&mut self) {
        self.updates.clear();
    }

    /// The names of the buffers that have a new value which is not committed.
    pub fn names_of_updates(&self) -> Vec<&str> {
        self.updates
            .iter()
            .map(|u| self.known[u.at].name.as_str())
            .collect()
    }
}
