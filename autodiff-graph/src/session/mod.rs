//! Runs of what was recorded.

mod feeds;
mod fetch;
mod saved;

pub use feeds::Feeds;
#[doc(hidden)]
pub use fetch::Wanted;
pub use fetch::{Fetch, Gradient, Whole};

use crate::Graph;
use crate::execute::{Execution, Part, cut};
use crate::passes::{BudgetError, Memory, Passes, fold};
use crate::recording::{Noted, Optimizers, Place, Recorded, Recording, Step, Train, Variable};
use autodiff_core::device::record::{AnyBuffer, GraphError, Origin, Plan, Recorder};
use autodiff_core::device::{Device, Elem, Layout};
use autodiff_core::nn::Module;
use autodiff_core::optim::Optimizer;
use autodiff_core::shape::Shape;
use autodiff_core::tensor::{Raw, Tensor};
use std::collections::HashMap;
use std::sync::Arc;

/// A graph on a device, with the contents of its variables and what optimisers remember.
///
/// The numbers are those of the program that was recorded, bit for bit: the same kernels run in the same order.
#[derive(Debug)]
pub struct Session {
    recorder: Recorder,
    noted: Noted,
    graph: Graph,
    device: Device,
    parallel: bool,
    variables: HashMap<usize, AnyBuffer>,
    constants: HashMap<usize, AnyBuffer>,
    optimizers: Optimizers,
    plans: HashMap<Asked, Arc<Plan>>,
    /// How to plan the runs that fetch some values, where not by default.
    prepared: HashMap<Vec<usize>, Passes>,
    /// Graphs in which values that operations make are inputs.
    partial: HashMap<Vec<usize>, Graph>,
}

/// What is fetched, and which values that operations make are given.
type Asked = (Vec<usize>, Vec<usize>);

impl Session {
    /// What was recorded until now, on a device; variables begin with their first contents.
    pub fn new(recording: &Recording, device: &Device) -> Self {
        let mut session = Session {
            recorder: recording.recorder().clone(),
            noted: recording.noted().clone(),
            graph: recording.graph(),
            device: device.clone(),
            parallel: false,
            variables: HashMap::new(),
            constants: HashMap::new(),
            optimizers: HashMap::new(),
            plans: HashMap::new(),
            prepared: HashMap::new(),
            partial: HashMap::new(),
        };
        session.know_variables();
        session
    }

    /// Whether nodes that do not depend on one another run at the same time. The numbers are the same; it pays where a graph
    /// has branches whose operations are too small to use all cores.
    pub fn parallel(mut self, parallel: bool) -> Self {
        self.parallel = parallel;
        self
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The variables with their contents, and the device that they are on.
    #[doc(hidden)]
    pub fn contents(&self) -> (&Device, Vec<(usize, AnyBuffer)>) {
        let all = self.variables.iter();
        let all = all.map(|(v, buffer)| (*v, Arc::clone(buffer)));
        (&self.device, all.collect())
    }

    /// Where it runs.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Gives all variables their first contents, and forgets what optimisers remember.
    pub fn reset(&mut self) {
        self.variables.clear();
        self.optimizers.clear();
        self.know_variables();
    }

    /// Gives variables that it does not know their first contents.
    fn know_variables(&mut self) {
        let all: Vec<Variable> = {
            let noted = self.noted.lock();
            let unknown = noted.variables.iter();
            unknown
                .filter(|v| !self.variables.contains_key(&v.value))
                .cloned()
                .collect()
        };
        for variable in all {
            let contents = (variable.first)(&variable.contents, &self.device);
            self.variables.insert(variable.value, contents);
        }
    }

    /// Takes what was recorded since.
    fn refresh(&mut self) {
        self.graph = Graph::new(self.recorder.graph());
        self.partial.clear();
        // Plans are as long as the graph.
        self.plans.clear();
        self.know_variables();
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
        let recorder = self.recorder.clone();
        let mut wanted = Wanted::new(&recorder);
        fetch.ask(&mut wanted);
        let within = |given: &feeds::Given| given.place.within(&recorder, "what is given");
        let given: Vec<usize> = feeds.given.iter().map(within).collect();
        let Wanted {
            values: wanted,
            assigned,
            steps,
            ..
        } = wanted;
        let all = self.graph.values().len();
        if wanted.iter().chain(&given).any(|&value| value >= all) {
            self.refresh();
        }
        self.check_feeds(&given, feeds)?;
        self.check_assigned(&assigned, &steps)?;
        let (graph, plan) = self.planned(wanted, &given)?;
        fold(&graph, &plan, &self.device, &mut self.constants)?;
        let mut buffers = HashMap::new();
        for &value in plan.given() {
            let buffer = match given.iter().position(|v| *v == value) {
                Some(at) => Some((feeds.given[at].bring)(&self.device)),
                None => {
                    let kept = self
                        .variables
                        .get(&value)
                        .or_else(|| self.constants.get(&value));
                    kept.map(Arc::clone)
                }
            };
            buffers.extend(buffer.map(|b| (value, b)));
        }
        let placed = self.noted.lock().placed.clone();
        let execution = Execution {
            graph: &graph,
            plan: &plan,
            device: &self.device,
            draw: feeds.seed,
            parallel: self.parallel,
            placed: &placed,
        };
        let mut run = execution.run(buffers)?;
        let out = fetch.take(&mut run, &self.device);
        let after: Vec<_> = assigned
            .into_iter()
            .map(|(variable, value)| (variable, run.any_buffer(value)))
            .collect();
        let gradients: Vec<HashMap<usize, AnyBuffer>> = steps
            .iter()
            .map(|s| {
                s.gradients()
                    .iter()
                    .map(|&v| (v, run.any_buffer(v)))
                    .collect()
            })
            .collect();
        self.constants.extend(run.constants());
        drop(run);
        self.take_steps(&steps, gradients)?;
        self.variables.extend(after);
        Ok(out)
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
        let recorder = self.recorder.clone();
        let mut wanted = Wanted::new(&recorder);
        fetch.ask(&mut wanted);
        if wanted
            .values
            .iter()
            .any(|&v| v >= self.graph.values().len())
        {
            self.refresh();
        }
        let (graph, plan) = self.planned(wanted.values, &[])?;
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
            if given_for.dims.as_slice() != value.dims().as_slice() {
                return Err(GraphError::Sizes {
                    name,
                    expected: value.kind(),
                    found: format!("{:?}", given_for.dims.as_slice()),
                });
            }
        }
        Ok(())
    }

    /// Whether no variable changes twice.
    fn check_assigned(
        &self,
        assigned: &[(usize, usize)],
        steps: &[Arc<dyn Step>],
    ) -> Result<(), GraphError> {
        let stepped = steps.iter().flat_map(|s| s.variables()).copied();
        let mut changed: Vec<usize> = assigned.iter().map(|(v, _)| *v).chain(stepped).collect();
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

    /// The graph, in which values that operations make may be given, and its plan.
    fn planned(
        &mut self,
        wanted: Vec<usize>,
        given: &[usize],
    ) -> Result<(Graph, Arc<Plan>), GraphError> {
        let made = |&&v: &&usize| matches!(self.graph.values()[v].origin(), Origin::Node(_));
        let mut made: Vec<usize> = given.iter().filter(made).copied().collect();
        made.sort_unstable();
        let graph = if made.is_empty() {
            self.graph.clone()
        } else {
            let partial = self.partial.entry(made.clone());
            partial
                .or_insert_with_key(|made| Graph::new(self.graph.given(made)))
                .clone()
        };
        let asked = (wanted, made);
        if let Some(plan) = self.plans.get(&asked) {
            return Ok((graph, Arc::clone(plan)));
        }
        let passes = self.prepared.get(&asked.0).cloned().unwrap_or_default();
        let passes = match self.noted.lock().placed.is_empty() {
            true => passes,
            // What is placed stays where it is placed.
            false => passes.placed(),
        };
        let plan = graph.plan_with(&asked.0, &passes);
        let plan = Arc::new(plan.map_err(|e| GraphError::Budget {
            error: e.to_string(),
        })?);
        self.plans.insert(asked, Arc::clone(&plan));
        Ok((graph, plan))
    }

    /// Plans the runs that fetch this: from now on they run as these passes say. The answer is the memory that they need.
    ///
    /// ```
    /// use differentiable::graph::{Feeds, Passes, Recording, Session};
    /// use differentiable::prelude::*;
    ///
    /// let recording = Recording::new();
    /// let x: Tensor![256] = recording.input("x", Default::default()); // a kilobyte
    /// // Both factors are recorded before the first product is.
    /// let (a, b) = (x.exp(), x.tanh());
    /// let y = (&a * 2.0_f32).sum() + (&b * 2.0_f32).sum();
    ///
    /// let mut session = Session::new(&recording, &Device::cpu());
    /// let as_recorded = session.prepare(&y, &Passes::none())?;
    /// let reordered = session.prepare(&y, &Passes::default().reorder(true))?;
    /// assert!(reordered.peak() < as_recorded.peak());
    /// let error = session.prepare(&y, &Passes::default().within(1000)).unwrap_err();
    /// assert!(error.smallest > 1000);
    /// let y = session.run(&y, &Feeds::new().with(&x, &Tensor::zeros()))?; // as it was planned last
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a budget is given that cannot be met; runs stay as they were planned before.
    ///
    /// # Panics
    /// If something is fetched that belongs to another recording.
    #[track_caller]
    pub fn prepare<F: Fetch>(&mut self, fetch: F, passes: &Passes) -> Result<Memory, BudgetError> {
        let recorder = self.recorder.clone();
        let mut wanted = Wanted::new(&recorder);
        fetch.ask(&mut wanted);
        let wanted = wanted.values;
        if wanted.iter().any(|&v| v >= self.graph.values().len()) {
            self.refresh();
        }
        let plan = self.graph.plan_with(&wanted, passes)?;
        let memory = self.graph.memory(&plan);
        self.plans.retain(|(fetched, _), _| *fetched != wanted);
        self.prepared.insert(wanted, passes.clone());
        Ok(memory)
    }

    /// Takes the steps of optimisers, all or none.
    fn take_steps(
        &mut self,
        steps: &[Arc<dyn Step>],
        gradients: Vec<HashMap<usize, AnyBuffer>>,
    ) -> Result<(), GraphError> {
        // A single step leaves everything as it was if it fails; of several, the first may have to be undone.
        let keeps = steps.len() > 1;
        let mut done = Vec::new();
        for (step, gradient) in steps.iter().zip(gradients) {
            let before = keeps.then(|| {
                let own = step.variables().iter();
                let contents: Vec<_> = own.map(|&v| (v, Arc::clone(&self.variables[&v]))).collect();
                (Arc::clone(step), contents, step.kept(&self.optimizers))
            });
            done.extend(before);
            let taken = step.step(
                &mut self.optimizers,
                &self.device,
                &mut self.variables,
                gradient,
            );
            if let Err(error) = taken {
                for (step, contents, kept) in done {
                    self.variables.extend(contents);
                    step.restore(&mut self.optimizers, kept);
                }
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// Computes what bears a name: an input, a variable, an output, or what [`name`](Recording::name) named.
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
        struct Named<S, T>(usize, S, core::marker::PhantomData<T>);
        impl<S: Shape, T: Elem> Fetch for Named<S, T> {
            type Out = Tensor<S, T>;
            fn ask(&self, wanted: &mut Wanted<'_>) {
                wanted.values.push(self.0);
            }
            fn take(
                &self,
                run: &mut autodiff_core::device::record::Run<'_>,
                device: &Device,
            ) -> Tensor<S, T> {
                let layout = Layout::dense(self.1.dims());
                Tensor::new(self.1, Raw::from_shared(device, run.buffer(self.0), layout))
            }
        }
        let value = {
            let noted = self.noted.lock();
            let value = noted.names.value(name);
            value.ok_or_else(|| GraphError::Unnamed {
                name: name.to_owned(),
                known: noted.names.known(),
            })?
        };
        if value >= self.graph.values().len() {
            self.refresh();
        }
        let expected = format!("{} {:?}", T::DTYPE, shape.dims().as_slice());
        let found = self.graph.values()[value].kind();
        if expected != found {
            let name = name.to_owned();
            return Err(GraphError::Kind {
                name,
                expected,
                found,
            });
        }
        self.run(Named(value, shape, core::marker::PhantomData), feeds)
    }

    /// The contents of a variable.
    ///
    /// # Panics
    /// If it is no variable of the recording, or one that was made after the session's last run.
    #[must_use]
    #[track_caller]
    pub fn variable<V: Recorded>(&self, variable: &V) -> Tensor<V::Shape, V::Elem> {
        let variable = variable.tensor();
        let place = Place::whole(variable.raw(), "the variable");
        let buffer = self
            .variables
            .get(&place.within(&self.recorder, "the variable"));
        let buffer = Arc::clone(buffer.expect("a variable of this recording"));
        let layout = Layout::dense(variable.dims());
        let raw = Raw::from_shared(&self.device, crate::any::typed(buffer), layout);
        Tensor::new(variable.shape(), raw)
    }

    /// Gives a variable contents from outside.
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
        let name = known.expect("a variable of this recording").name.clone();
        if variable.dims() != contents.dims() {
            return Err(GraphError::Sizes {
                name,
                expected: format!("{} {:?}", V::Elem::DTYPE, variable.dims().as_slice()),
                found: format!("{:?}", contents.dims().as_slice()),
            });
        }
        drop(noted);
        let contents = contents.raw().to(&self.device).alone();
        self.variables.insert(value, contents);
        Ok(())
    }

    /// The module with what its variables hold now, to be used by eager code.
    ///
    /// # Panics
    /// If a parameter is no variable of the recording.
    #[must_use]
    #[track_caller]
    pub fn module<M: Module + Clone>(&self, net: &M) -> M {
        fetch::contents(
            net,
            &|value| self.variables.get(&value).map(Arc::clone),
            &self.device,
        )
    }

    /// The optimiser of a [`Train`], as it is after the steps of this session.
    #[must_use]
    pub fn optimizer<'s, M, O>(&'s self, train: &'s Train<M, O>) -> &'s O
    where
        M: Module,
        O: Optimizer + 'static,
    {
        let own = self.optimizers.get(&train.id());
        own.map_or(train.first(), |own| {
            own.downcast_ref().expect("the optimiser of this step")
        })
    }

    /// The same, to change it: its learning rate, for example, or what its plateau observes.
    #[must_use]
    pub fn optimizer_mut<M, O>(&mut self, train: &Train<M, O>) -> &mut O
    where
        M: Module,
        O: Optimizer + Clone + Send + Sync + 'static,
    {
        let own = self.optimizers.entry(train.id());
        let own = own.or_insert_with(|| Box::new(train.first().clone()));
        own.downcast_mut().expect("the optimiser of this step")
    }
}
