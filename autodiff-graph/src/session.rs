//! Runs of what was recorded.

use super::recording::{Assign, Place, Recording};
use crate::Graph;
use autodiff_core::device::record::{AnyBuffer, GraphError, Origin, Plan, Recorder, Run};
use autodiff_core::device::{Device, Dims, Elem, Layout};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::{Raw, Tensor};
use core::fmt;
use std::collections::HashMap;
use std::sync::Arc;

/// A graph on a device, with the contents of its variables.
///
/// The numbers are those of the program that was recorded, bit for bit: the same kernels run in the same order.
#[derive(Debug)]
pub struct Session {
    recorder: Recorder,
    graph: Graph,
    device: Device,
    variables: HashMap<usize, AnyBuffer>,
    constants: HashMap<usize, AnyBuffer>,
    plans: HashMap<Vec<usize>, Arc<Plan>>,
}

/// The elements of inputs for a run. A tensor of another shape than its input does not compile.
#[derive(Default)]
pub struct Feeds {
    given: Vec<Given>,
    seed: Option<u64>,
}

/// The elements of an input.
struct Given {
    place: Place,
    dims: Dims,
    /// Brings them to a device.
    bring: Box<dyn Fn(&Device) -> AnyBuffer>,
}

impl fmt::Debug for Feeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feeds")
            .field("inputs", &self.given.len())
            .finish()
    }
}

impl Feeds {
    /// None.
    pub fn new() -> Self {
        Feeds::default()
    }

    /// What the run draws (dropout, random tensors) depends on `seed`: the same numbers for the same seed. Without one, each
    /// run draws the numbers that eager code with the recorded seeds has.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// The elements of an input, or of a variable for this run alone. Where sizes are known at run time only, the run
    /// compares them.
    ///
    /// # Panics
    /// If `input` is not recorded, or only a view of what was.
    #[must_use]
    #[track_caller]
    pub fn with<S: Shape, T: Elem>(
        mut self,
        input: &Tensor<S, T>,
        elements: &Tensor<S, T>,
    ) -> Self {
        let elements = elements.raw().clone();
        self.given.push(Given {
            place: Place::whole(input.raw(), "the input"),
            dims: *elements.dims(),
            bring: Box::new(move |device| elements.to(device).alone()),
        });
        self
    }
}

/// What a run gives: a recorded tensor, an [`Assign`], or a tuple of these.
pub trait Fetch {
    /// What comes back.
    type Out;
    /// Says what it needs and assigns.
    #[doc(hidden)]
    #[track_caller]
    fn ask(&self, wanted: &mut Wanted<'_>);
    /// Takes it from a run.
    #[doc(hidden)]
    fn take(&self, run: &mut Run<'_>, device: &Device) -> Self::Out;
}

/// The values that are fetched and assigned in a run.
#[doc(hidden)]
#[derive(Debug)]
pub struct Wanted<'s> {
    recorder: &'s Recorder,
    values: Vec<usize>,
    /// Variables, and the values that they get.
    assigned: Vec<(usize, usize)>,
}

impl<S: Shape, T: Elem> Fetch for &Tensor<S, T> {
    type Out = Tensor<S, T>;
    fn ask(&self, wanted: &mut Wanted<'_>) {
        let place = Place::of(self.raw(), "what is fetched");
        wanted
            .values
            .push(place.within(wanted.recorder, "what is fetched"));
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> Tensor<S, T> {
        let buffer = run.buffer::<T>(Place::of(self.raw(), "what is fetched").value);
        let raw = Raw::from_shared(device, buffer, *self.raw().layout());
        Tensor::new(self.shape(), raw)
    }
}

impl Fetch for &Assign {
    type Out = ();
    fn ask(&self, wanted: &mut Wanted<'_>) {
        for (variable, contents) in &self.pairs {
            let variable = variable.within(wanted.recorder, "what is assigned");
            wanted.values.push(contents.value);
            wanted.assigned.push((variable, contents.value));
        }
    }
    fn take(&self, _: &mut Run<'_>, _: &Device) {}
}

macro_rules! tuples {
    ($(($($F:ident $i:tt),+))*) => { $(
        impl<$($F: Fetch),+> Fetch for ($($F,)+) {
            type Out = ($($F::Out,)+);
            fn ask(&self, wanted: &mut Wanted<'_>) {
                $(self.$i.ask(wanted);)+
            }
            fn take(&self, run: &mut Run<'_>, device: &Device) -> Self::Out {
                ($(self.$i.take(run, device),)+)
            }
        }
    )* };
}
tuples! {
    (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4) (A 0, B 1, C 2, D 3, E 4, F 5)
}

impl Session {
    /// What was recorded until now, on a device; variables begin with their first contents.
    pub fn new(recording: &Recording, device: &Device) -> Self {
        let variables = recording.variables();
        Session {
            recorder: recording.recorder().clone(),
            graph: recording.graph(),
            variables: variables
                .iter()
                .map(|v| (v.value, (v.first)(&v.contents, device)))
                .collect(),
            device: device.clone(),
            constants: HashMap::new(),
            plans: HashMap::new(),
        }
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The variables with their contents, and the device that they are on.
    #[doc(hidden)]
    pub fn contents(&self) -> (&Device, Vec<(usize, AnyBuffer)>) {
        let all = self.variables.iter().map(|(v, buffer)| (*v, Arc::clone(buffer)));
        (&self.device, all.collect())
    }

    /// Computes what is fetched, and nothing that it does not need. Assignments take place when everything is computed.
    ///
    /// # Errors
    /// An input that is needed and not given, one given that is none or has other sizes, an index outside its range, a
    /// matrix that cannot be factorised. Variables stay as they are then.
    ///
    /// # Panics
    /// If something is fetched or given that belongs to another recording.
    #[track_caller]
    pub fn run<F: Fetch>(&mut self, fetch: F, feeds: &Feeds) -> Result<F::Out, GraphError> {
        let mut wanted = Wanted {
            recorder: &self.recorder,
            values: Vec::new(),
            assigned: Vec::new(),
        };
        fetch.ask(&mut wanted);
        let (wanted, assigned) = (wanted.values, wanted.assigned);
        let within = |given: &Given| given.place.within(&self.recorder, "what is given");
        let given: Vec<usize> = feeds.given.iter().map(within).collect();
        let all = self.graph.values().len();
        if wanted.iter().chain(&given).any(|&value| value >= all) {
            // Recorded since.
            self.graph = Graph::new(self.recorder.graph());
        }
        for (&value, given) in given.iter().zip(&feeds.given) {
            let value = &self.graph.values()[value];
            let Origin::Input(name) = value.origin() else {
                let found = value.kind();
                return Err(GraphError::NoInput { found });
            };
            if given.dims.as_slice() != value.dims().as_slice() {
                return Err(GraphError::Sizes {
                    name: name.to_string(),
                    expected: value.kind(),
                    found: format!("{:?}", given.dims.as_slice()),
                });
            }
        }
        let plan = self.plans.entry(wanted);
        let plan = plan.or_insert_with_key(|wanted| Arc::new(self.graph.plan(wanted)));
        let plan = Arc::clone(plan);
        let mut run = Run::new(&self.graph, &plan, &self.device);
        if let Some(seed) = feeds.seed {
            run.draw(seed);
        }
        for (value, buffer) in self.variables.iter().chain(&self.constants) {
            run.give(*value, Arc::clone(buffer));
        }
        for (value, given) in given.into_iter().zip(&feeds.given) {
            run.give(value, (given.bring)(&self.device));
        }
        run.run()?;
        let out = fetch.take(&mut run, &self.device);
        let assigned = assigned.into_iter();
        let after: Vec<_> = assigned
            .map(|(variable, value)| (variable, run.any_buffer(value)))
            .collect();
        self.constants.extend(run.constants());
        self.variables.extend(after);
        Ok(out)
    }

    /// The contents of a variable.
    ///
    /// # Panics
    /// If it is no variable of the recording, or one that was made after the session.
    #[must_use]
    #[track_caller]
    pub fn variable<S: Shape, T: Elem>(&self, variable: &Tensor<S, T>) -> Tensor<S, T> {
        let place = Place::whole(variable.raw(), "the variable");
        let buffer = self
            .variables
            .get(&place.within(&self.recorder, "the variable"));
        let buffer = Arc::clone(buffer.expect("a variable of this recording"));
        let buffer = buffer
            .downcast()
            .expect("a buffer of the type of the variable");
        let raw = Raw::from_shared(&self.device, buffer, Layout::dense(variable.dims()));
        Tensor::new(variable.shape(), raw)
    }
}
