//! What is recorded: inputs, variables, outputs, assignments, steps of optimisers.

mod assign;
mod minimize;
mod names;
mod on;
#[cfg(feature = "dist")]
mod on_rank;
mod place;
mod recorded;
mod variable;

pub use assign::Assign;
pub use minimize::Train;
pub(crate) use minimize::{Optimizers, Share, Step};
use names::{Bearer, Names};
pub(crate) use place::Place;
pub use recorded::Recorded;
pub(crate) use variable::Variable;

use crate::Graph;
use crate::execute::Placed;
use autodiff_core::device::record::{Origin, RecordedBuf, Recorder, Scope};
use autodiff_core::device::{Device, DeviceBuf, Dims, Elem, Layout, View};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::{Raw, Tensor};
use std::sync::{Arc, Mutex, MutexGuard};

/// A program that is recorded.
///
/// Inputs, variables and outputs have names, and no two of them the same one.
#[derive(Debug)]
pub struct Recording {
    recorder: Recorder,
    device: Device,
    noted: Noted,
}

/// What is noted beside the graph, which sessions read too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Noted(Arc<Mutex<Notes>>);

#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub variables: Vec<Variable>,
    pub names: Names,
    /// In the order in which they were recorded.
    pub steps: Vec<Arc<dyn Step>>,
    pub placed: Placed,
    #[cfg(feature = "dist")]
    pub ranked: Placed<usize>,
}

impl Noted {
    pub fn lock(&self) -> MutexGuard<'_, Notes> {
        // What was noted before a panic is still noted.
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Default for Recording {
    fn default() -> Self {
        Recording::new()
    }
}

impl Recording {
    /// An empty one.
    pub fn new() -> Self {
        let recorder = Recorder::new();
        Recording {
            device: Device::Recorder(recorder.clone()),
            recorder,
            noted: Noted::default(),
        }
    }

    /// The device whose operations are recorded.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Runs `f`, in which new tensors (`Tensor::zeros()`, `Linear::new(..)`) are recorded.
    pub fn scope<R>(&self, f: impl FnOnce() -> R) -> R {
        self.device.scope(f)
    }

    /// Runs `f`, and gives a name to what it records: `name/..` in texts and pictures. Annotated functions have the scopes
    /// that bear their names.
    pub fn named<R>(&self, name: &str, f: impl FnOnce() -> R) -> R {
        let _scope = Scope::enter(name.to_owned());
        self.scope(f)
    }

    /// A tensor whose elements each run is given.
    ///
    /// # Panics
    /// If the name is empty, or the name of something else.
    #[must_use]
    #[track_caller]
    pub fn input<S: Shape, T: Elem>(&self, name: &str, shape: S) -> Tensor<S, T> {
        Tensor::new(shape, self.raw_input(name, shape.dims(), Bearer::Input))
    }

    /// A tensor that is known, such as a table or a matrix of coefficients: its elements are a part of the graph.
    #[must_use]
    #[track_caller]
    pub fn constant<S: Shape, T: Elem>(&self, contents: &Tensor<S, T>) -> Tensor<S, T> {
        Tensor::new(contents.shape(), contents.raw().to(&self.device))
    }

    /// What a value is, for the error of those who expect a variable.
    fn what_it_is(&self, value: usize) -> String {
        let value = self.recorder.graph().values()[value].clone();
        match value.origin() {
            Origin::Input(name) => format!("`{name}` is an input"),
            _ => format!("{} is computed", value.kind()),
        }
    }

    #[track_caller]
    fn raw_input<T: Elem>(&self, name: &str, dims: Dims, bearer: Bearer) -> Raw<T, Device> {
        self.noted.lock().names.check(name, bearer);
        let buffer: RecordedBuf<T> = self.recorder.input(name, dims);
        let layout = Layout::dense(dims);
        let value = buffer.value();
        self.noted.lock().names.give(name, bearer, value, layout);
        let buffer = Arc::new(DeviceBuf::Recorded(buffer));
        Raw::from_shared(&self.device, buffer, Layout::dense(dims))
    }

    /// Names a tensor. Texts, pictures and exported files show what the outputs of a graph need.
    ///
    /// # Panics
    /// If it is not recorded here, or the name is empty or the name of something else.
    #[track_caller]
    pub fn output(&self, name: &str, x: &impl Recorded) {
        self.raw_output(name, x.tensor().raw());
    }

    #[track_caller]
    fn raw_output<T: Elem>(&self, name: &str, x: &Raw<T, Device>) {
        let value = self.give_name(name, Bearer::Output, x);
        let buf = &self.recorder.buffer::<T>(value);
        let layout = *x.layout();
        self.recorder.output(name, View { buf, layout });
    }

    /// Gives a name to a recorded tensor; the number of its value.
    #[track_caller]
    fn give_name<T: Elem>(&self, name: &str, bearer: Bearer, x: &Raw<T, Device>) -> usize {
        let what = format!("`{name}`");
        let value = Place::of(x, &what).within(&self.recorder, &what);
        let names = &mut self.noted.lock().names;
        names.give(name, bearer, value, *x.layout());
        value
    }

    /// Names a tensor in the middle, for runs that ask for it by its name
    /// ([`run_named`](crate::Session::run_named)). It does not become an output.
    ///
    /// ```
    /// use differentiable::graph::{Feeds, Recording, Session};
    /// use differentiable::prelude::*;
    ///
    /// let recording = Recording::new();
    /// let (a, b): (Tensor![], Tensor![]) = recording.scope(|| (tensor(15.0), tensor(5.0)));
    /// recording.name("Multiply", &(&a * &b));
    /// let mut session = Session::new(&recording, &Device::cpu());
    /// let product: Tensor![] = session.run_named("Multiply", (), &Feeds::new())?;
    /// assert_eq!(product.item(), 75.0);
    /// # Ok::<(), differentiable::graph::GraphError>(())
    /// ```
    ///
    /// # Panics
    /// As [`output`](Recording::output).
    #[track_caller]
    pub fn name(&self, name: &str, x: &impl Recorded) {
        self.give_name(name, Bearer::Value, x.tensor().raw());
    }

    /// What was recorded until now.
    pub fn graph(&self) -> Graph {
        Graph::new(self.recorder.graph())
    }

    pub(crate) fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    pub(crate) fn noted(&self) -> &Noted {
        &self.noted
    }

    fn is_variable(&self, value: usize) -> bool {
        self.noted.lock().variables.iter().any(|v| v.value == value)
    }
}
