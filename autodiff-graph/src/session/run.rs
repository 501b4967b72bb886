//! Runs: what is asked for, what is given, and what comes back.

use super::{Feeds, Fetch, Session, Wanted, feeds};
use crate::Graph;
use crate::any::kind;
use crate::execute::{Execution, Part, begun, cut};
use crate::passes::fold;
use autodiff_core::device::record::{AnyBuffer, GraphError, Origin, Plan, Run};
use autodiff_core::device::{Device, Elem, Layout};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::{Raw, Tensor};
use core::marker::PhantomData;
use std::collections::HashMap;

/// What a run is given, and the values that it is given for.
pub(super) struct Given<'f> {
    pub values: Vec<usize>,
    pub feeds: &'f Feeds,
}

impl Session {
    /// What a run needs and changes that fetches this.
    #[track_caller]
    pub(super) fn ask(&mut self, fetch: &impl Fetch) -> Wanted {
        let mut wanted = Wanted::new(&self.recorder);
        fetch.ask(&mut wanted);
        self.know(&wanted.values);
        self.know(&wanted.changed());
        wanted
    }

    /// Computes what is fetched, and nothing that it does not need. Assignments and steps of optimisers take place when
    /// everything is computed.
    ///
    /// # Errors
    /// An input that is needed and not given, one given twice or in other sizes, an index outside its range, a
    /// matrix that cannot be factorised, a step that an optimiser cannot take, a variable that is to change twice. Variables
    /// stay as they are then.
    ///
    /// # Panics
    /// If something is fetched or given that belongs to another recording.
    #[track_caller]
    pub fn run<F: Fetch>(&mut self, fetch: F, feeds: &Feeds) -> Result<F::Out, GraphError> {
        let asked = self.ask(&fetch);
        let within = |given: &feeds::Given| given.place.within(&self.recorder, "what is given");
        let values: Vec<usize> = feeds.given.iter().map(within).collect();
        self.know(&values);
        let given = Given { values, feeds };
        self.check_changed(asked.changed())?;
        let (graph, plan) = self.planned(asked.values.clone(), &given.values)?;
        let mut run = self.computed(&graph, &plan, &asked, &given)?;
        let out = fetch.take(&mut run, &self.device);
        let assigned = asked.assigned.iter().filter(|(v, _)| self.is_here(*v));
        let after = assigned.map(|(variable, value)| (*variable, run.any_buffer(*value)));
        let after: Vec<_> = after.collect();
        let mut gradients = Vec::new();
        for step in &asked.steps {
            let here = step.gradients().iter().filter(|v| run.has(**v));
            let here: Vec<usize> = here.copied().collect();
            let gradient = here.into_iter().map(|v| (v, run.any_buffer(v)));
            gradients.push(gradient.collect());
        }
        self.constants.extend(run.constants());
        drop(run);
        self.take_steps(&asked.steps, gradients)?;
        self.variables.extend(after);
        Ok(out)
    }

    /// Computes what is asked for: on this device, on several, or over ranks.
    fn computed<'x>(
        &mut self,
        graph: &'x Graph,
        plan: &'x Plan,
        asked: &Wanted,
        given: &Given<'_>,
    ) -> Result<Run<'x>, GraphError> {
        let ready = self.check_feeds(&given.values, given.feeds);
        let ready = ready.and_then(|()| fold(graph, plan, &self.device, &mut self.constants));
        #[cfg(feature = "dist")]
        if self.over.is_some() {
            return self.run_part(graph, plan, asked, given, ready);
        }
        let _ = asked;
        ready?;
        let placed = self.noted.lock().placed.clone();
        let execution = Execution {
            graph,
            plan,
            device: &self.device,
            draw: given.feeds.seed,
            parallel: self.parallel,
            placed: &placed,
        };
        let buffers = self.buffers(plan, given);
        let mut run = begun((graph, plan), &self.device, given.feeds.seed, buffers);
        execution.run(&mut run)?;
        Ok(run)
    }

    /// What is there before a run: what it is given, variables and constants.
    pub(super) fn buffers(&self, plan: &Plan, given: &Given<'_>) -> HashMap<usize, AnyBuffer> {
        let buffer = |value: usize| match given.values.iter().position(|v| *v == value) {
            Some(at) => Some((given.feeds.given[at].bring)(&self.device)),
            None => {
                let variable = self.variables.get(&value);
                variable.or_else(|| self.constants.get(&value)).cloned()
            }
        };
        let buffers = plan.given().iter();
        let buffers = buffers.filter_map(|&value| Some((value, buffer(value)?)));
        buffers.collect()
    }

    /// The parts into which a run is cut that fetches this, one for each device on which something of it is placed; the first
    /// is on the device of the session.
    ///
    /// # Errors
    /// If something is placed where it cannot run.
    ///
    /// # Panics
    /// As [`run`](Session::run).
    #[track_caller]
    pub fn parts<F: Fetch>(&mut self, fetch: F) -> Result<Vec<Part>, GraphError> {
        let wanted = self.ask(&fetch).values;
        let (graph, plan) = self.planned(wanted, &[])?;
        let placed = self.noted.lock().placed.clone();
        cut(&graph, &plan, &self.device, &placed)
    }

    /// Whether what is given can be given.
    fn check_feeds(&self, given: &[usize], feeds: &Feeds) -> Result<(), GraphError> {
        for (at, (&number, given_for)) in given.iter().zip(&feeds.given).enumerate() {
            let value = &self.graph.values()[number];
            let name = match value.origin() {
                Origin::Input(name) => name.to_string(),
                Origin::Constant(_) => {
                    let found = format!("the constant {}", value.kind());
                    return Err(GraphError::NoInput { found });
                }
                _ => value.kind(),
            };
            if given[..at].contains(&number) {
                return Err(GraphError::Twice { name });
            }
            if given_for.dims != given_for.expected {
                return Err(GraphError::Sizes {
                    name,
                    expected: kind(value.dtype(), &given_for.expected),
                    found: format!("{:?}", given_for.dims.as_slice()),
                });
            }
        }
        Ok(())
    }

    /// Whether no variable changes twice.
    fn check_changed(&self, mut changed: Vec<usize>) -> Result<(), GraphError> {
        changed.sort_unstable();
        match changed.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                let noted = self.noted.lock();
                let variable = noted.variables.iter().find(|v| v.value == pair[0]);
                let name = variable.map_or_else(String::new, |v| v.name.clone());
                Err(GraphError::AssignedTwice { name })
            }
            None => Ok(()),
        }
    }

    /// Computes what bears a name: an input, a variable, an output, or what [`name`](crate::Recording::name) named.
    ///
    /// # Errors
    /// If nothing has the name, or it has elements of another type or other sizes; as [`run`](Session::run).
    #[track_caller]
    pub fn run_named<S: Shape, T: Elem>(
        &mut self,
        name: &str,
        shape: S,
        feeds: &Feeds,
    ) -> Result<Tensor<S, T>, GraphError> {
        struct Named<S, T>(usize, Layout, S, PhantomData<T>);
        impl<S: Shape, T: Elem> Fetch for Named<S, T> {
            type Out = Tensor<S, T>;
            fn ask(&self, wanted: &mut Wanted) {
                wanted.values.push(self.0);
            }
            fn take(&self, run: &mut Run<'_>, device: &Device) -> Tensor<S, T> {
                let raw = Raw::from_shared(device, run.buffer(self.0), self.1);
                Tensor::new(self.2, raw)
            }
        }
        let (value, layout) = {
            let noted = self.noted.lock();
            let value = noted.names.value(name);
            value.ok_or_else(|| GraphError::Unnamed {
                name: name.to_owned(),
                known: noted.names.known(),
            })?
        };
        self.know(&[value]);
        let expected = kind(T::DTYPE, &shape.dims());
        let found = kind(self.graph.values()[value].dtype(), layout.dims());
        if expected != found {
            let name = name.to_owned();
            return Err(GraphError::Kind {
                name,
                expected,
                found,
            });
        }
        self.run(Named(value, layout, shape, PhantomData), feeds)
    }
}
