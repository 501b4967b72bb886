//! Runs of what was recorded.

use super::recording::{Assign, Recording, number};
use crate::device::record::{AnyBuffer, Graph, GraphError, Plan, Recorder, Run};
use crate::device::{Device, Elem, Layout};
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};
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

/// Brings the elements of an input to a device.
type Bring = Box<dyn Fn(&Device) -> AnyBuffer>;

/// The elements of inputs for a run. A tensor of another shape than its input does not compile.
#[derive(Default)]
pub struct Feeds {
    given: Vec<(usize, Bring)>,
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

    /// The elements of an input.
    ///
    /// # Panics
    /// If sizes that are known at run time only differ, or `input` is not recorded.
    #[must_use]
    #[track_caller]
    pub fn with<S: Shape, T: Elem>(
        mut self,
        input: &Tensor<S, T>,
        elements: &Tensor<S, T>,
    ) -> Self {
        assert_eq!(
            input.dims().as_slice(),
            elements.dims().as_slice(),
            "an input that was recorded with the sizes on the left is given those on the right"
        );
        let value = number(input.raw(), "the input");
        let elements = elements.raw().clone();
        self.given
            .push((value, Box::new(move |device| elements.to(device).alone())));
        self
    }
}

/// What a run gives: a recorded tensor, an [`Assign`], or a tuple of these.
pub trait Fetch {
    /// What comes back.
    type Out;
    /// Adds the values that it needs.
    fn wanted(&self, wanted: &mut Vec<usize>);
    /// Takes them from a run.
    fn fetch(&self, run: &mut Run<'_>, device: &Device) -> Self::Out;
    /// The variables that change afterwards, and the values that they get.
    fn assigned(&self, assigned: &mut Vec<(usize, usize)>) {
        let _ = assigned;
    }
}

impl<S: Shape, T: Elem> Fetch for &Tensor<S, T> {
    type Out = Tensor<S, T>;
    fn wanted(&self, wanted: &mut Vec<usize>) {
        wanted.push(number(self.raw(), "what is fetched"));
    }
    fn fetch(&self, run: &mut Run<'_>, device: &Device) -> Tensor<S, T> {
        let buffer = run.buffer::<T>(number(self.raw(), "what is fetched"));
        let raw = Raw::from_shared(device, buffer, *self.raw().layout());
        Tensor::new(self.shape(), raw)
    }
}

impl Fetch for &Assign {
    type Out = ();
    fn wanted(&self, wanted: &mut Vec<usize>) {
        wanted.extend(self.pairs.iter().map(|p| p.1));
    }
    fn fetch(&self, _: &mut Run<'_>, _: &Device) {}
    fn assigned(&self, assigned: &mut Vec<(usize, usize)>) {
        assigned.extend(&self.pairs);
    }
}

macro_rules! tuples {
    ($(($($F:ident $i:tt),+))*) => { $(
        impl<$($F: Fetch),+> Fetch for ($($F,)+) {
            type Out = ($($F::Out,)+);
            fn wanted(&self, wanted: &mut Vec<usize>) {
                $(self.$i.wanted(wanted);)+
            }
            fn fetch(&self, run: &mut Run<'_>, device: &Device) -> Self::Out {
                ($(self.$i.fetch(run, device),)+)
            }
            fn assigned(&self, assigned: &mut Vec<(usize, usize)>) {
                $(self.$i.assigned(assigned);)+
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

    /// Computes what is fetched, and nothing that it does not need. Assignments take place when everything is computed.
    ///
    /// # Errors
    /// An input that is needed and not given, an index outside its range, a matrix that cannot be factorised.
    pub fn run<F: Fetch>(&mut self, fetch: F, feeds: &Feeds) -> Result<F::Out, GraphError> {
        let mut wanted = Vec::new();
        fetch.wanted(&mut wanted);
        let given = feeds.given.iter().map(|(value, _)| value);
        let all = self.graph.values().len();
        if wanted.iter().chain(given).any(|&value| value >= all) {
            // Recorded since.
            self.graph = self.recorder.graph();
        }
        let plan = self.plans.entry(wanted);
        let plan = plan.or_insert_with_key(|wanted| Arc::new(self.graph.plan(wanted)));
        let plan = Arc::clone(plan);
        let mut run = Run::new(&self.graph, &plan, &self.device);
        for (value, buffer) in self.variables.iter().chain(&self.constants) {
            run.give(*value, Arc::clone(buffer));
        }
        for (value, bring) in &feeds.given {
            run.give(*value, bring(&self.device));
        }
        run.run()?;
        let out = fetch.fetch(&mut run, &self.device);
        let mut assigned = Vec::new();
        fetch.assigned(&mut assigned);
        let after: Vec<_> = assigned
            .into_iter()
            .map(|(variable, value)| (variable, run.any_buffer(value)))
            .collect();
        self.constants.extend(run.constants());
        self.variables.extend(after);
        Ok(out)
    }

    /// The contents of a variable.
    ///
    /// # Panics
    /// If it is no variable of the recording.
    #[must_use]
    pub fn variable<S: Shape, T: Elem>(&self, variable: &Tensor<S, T>) -> Tensor<S, T> {
        let buffer = self.variables.get(&number(variable.raw(), "the variable"));
        let buffer = Arc::clone(buffer.expect("a variable of this recording"));
        let buffer = buffer
            .downcast()
            .expect("a buffer of the type of the variable");
        let raw = Raw::from_shared(&self.device, buffer, Layout::dense(variable.dims()));
        Tensor::new(variable.shape(), raw)
    }
}
