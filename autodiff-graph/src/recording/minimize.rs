//! Steps of optimisers, as sessions take them.

use super::{Place, Recording};
use crate::any::{each_tangent, map_tangent};
use autodiff_core::device::record::{AnyBuffer, Recorder};
use autodiff_core::device::{Backend, Device, Float, Layout};
use autodiff_core::nn::{Module, Path, Visitor, VisitorMut};
use autodiff_core::optim::{Optimizer, OptimizerError, OptimizerState, OptimizerStateError};
use autodiff_core::tensor::Raw;
use core::any::Any;
use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// A step of an optimiser, which a session takes when it runs this: what [`minimize`](Recording::minimize) returns.
#[must_use = "no step is taken until a session runs it"]
pub struct Train<M: Module, O>(Arc<Inner<M, O>>);

struct Inner<M: Module, O> {
    /// Which of all that there are.
    id: usize,
    recorder: Recorder,
    net: M,
    gradient: M::Tangent,
    /// As it is before the first step.
    optimizer: O,
    /// The recorded step.
    after: Option<M>,
    variables: Vec<usize>,
    gradients: Vec<usize>,
}

impl<M: Module, O> Clone for Train<M, O> {
    fn clone(&self) -> Self {
        Train(Arc::clone(&self.0))
    }
}

impl<M: Module, O> fmt::Debug for Train<M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Train")
            .field("variables", &self.0.variables)
            .finish_non_exhaustive()
    }
}

impl<M: Module, O> fmt::Debug for Inner<M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step")
            .field("variables", &self.variables)
            .finish_non_exhaustive()
    }
}

impl<M: Module, O> Train<M, O> {
    /// The parameters after a first step, as nodes: to be named as outputs, so that texts and pictures show the step. A
    /// session that runs the [`Train`] does not run these nodes, in which rate and step count are fixed.
    ///
    /// `None` for an optimiser whose steps read a number of the gradient, as those with
    /// [`skip_non_finite`](autodiff_core::optim::Descent::skip_non_finite) do.
    pub fn after(&self) -> Option<&M> {
        self.0.after.as_ref()
    }

    pub(crate) fn id(&self) -> usize {
        self.0.id
    }

    pub(crate) fn recorder(&self) -> &Recorder {
        &self.0.recorder
    }

    /// The optimiser before its first step.
    pub(crate) fn first(&self) -> &O {
        &self.0.optimizer
    }
}

impl<M, O> Train<M, O>
where
    M: Module + Clone + Send + Sync + 'static,
    M::Tangent: Send + Sync,
    O: Optimizer + Clone + Send + Sync + 'static,
{
    pub(crate) fn step(&self) -> Arc<dyn Step> {
        Arc::clone(&self.0) as Arc<dyn Step>
    }
}

impl Recording {
    /// The step of an optimiser on the variables of a module from [`module`](Recording::module), by a gradient that is
    /// recorded. A session that runs the result computes the gradient with its graph, and lets an optimiser of its own take
    /// the step: with its schedule, step count, moments, clipping and groups, by the kernels of eager code, and so with its
    /// bits. Several variables are a tuple of them.
    ///
    /// ```
    /// use differentiable::graph::{Feeds, Recording, Session};
    /// use differentiable::optim::{AdamW, Optimizer, cosine};
    /// use differentiable::prelude::*;
    ///
    /// #[differentiable]
    /// fn loss(w: &Tensor![3], #[constant] x: &Tensor![3]) -> Tensor![] {
    ///     ((w * x).sum() - 1.0).square()
    /// }
    ///
    /// let recording = Recording::new();
    /// let w = recording.variable("w", &Tensor::<shape![3]>::zeros());
    /// let x = recording.input("x", Default::default());
    /// let (value, gradient) = recording.scope(|| loss::value_and_grad(&w, &x));
    /// let adam = AdamW::new(0.1).schedule(cosine(100, 0.1));
    /// let train = recording.minimize(&w, &gradient, adam);
    ///
    /// let mut session = Session::new(&recording, &Device::cpu());
    /// let feeds = Feeds::new().with(&x, &tensor([1.0, 2.0, 0.5]));
    /// for _ in 0..100 {
    ///     session.run((&value, &train), &feeds)?;
    /// }
    /// assert!(session.run(&value, &feeds)?.item() < 1e-3);
    /// assert_eq!(session.optimizer(&train).steps(), 100);
    /// # Ok::<(), differentiable::graph::GraphError>(())
    /// ```
    ///
    /// # Panics
    /// If a parameter is no variable of this recording, if the gradient is not recorded here, or if the optimiser has a
    /// group whose pattern matches no parameter.
    #[track_caller]
    pub fn minimize<M, O>(&self, net: &M, gradient: &M::Tangent, optimizer: O) -> Train<M, O>
    where
        M: Module + Clone + Send + Sync + 'static,
        M::Tangent: Send + Sync,
        O: Optimizer + Clone + Send + Sync + 'static,
    {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let mut variables = Variables(self, Vec::new());
        net.visit(&mut Path::default(), &mut variables);
        let variables = variables.1;
        let recorder = self.recorder.clone();
        let gradients = each_tangent(gradient, move |x| {
            Place::of(x, "the gradient").within(&recorder, "the gradient")
        });
        assert_eq!(
            variables.len(),
            gradients.len(),
            "the parameters of the module, and the tensors of its gradient"
        );
        let mut after = net.clone();
        let mut once = optimizer.clone();
        let taken = self.named("minimize", || once.try_step(&mut after, gradient));
        let after = match taken {
            Ok(_) => Some(after),
            Err(OptimizerError::OnDevice(_)) => None,
            Err(error) => panic!("{error}"),
        };
        let train = Train(Arc::new(Inner {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            recorder: self.recorder.clone(),
            net: net.clone(),
            gradient: gradient.clone(),
            optimizer,
            after,
            variables,
            gradients,
        }));
        self.noted.lock().steps.push(train.step());
        train
    }
}

/// The values of the parameters of a module.
struct Variables<'r>(&'r Recording, Vec<usize>);

impl Visitor for Variables<'_> {
    fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
        let what = match name.as_str() {
            "" => "what is trained".to_owned(),
            name => format!("`{name}`"),
        };
        let Some(raw) = (value as &dyn Any).downcast_ref::<Raw<T, Device>>() else {
            panic!("{what} is a number, expected a tensor: a number is no variable");
        };
        let value = Place::whole(raw, &what).within(&self.0.recorder, &what);
        assert!(
            self.0.is_variable(value),
            "{what} is no variable of this recording"
        );
        self.1.push(value);
    }
}

/// The optimisers of a session, by the number of their [`Train`].
pub(crate) type Optimizers = HashMap<usize, Box<dyn Any + Send + Sync>>;

/// The step of an optimiser, for code that knows neither its type nor that of the module.
pub(crate) trait Step: fmt::Debug + Send + Sync {
    /// The variables that it changes.
    fn variables(&self) -> &[usize];
    /// The values of the gradient.
    fn gradients(&self) -> &[usize];
    /// Takes the step. The buffers of the variables are those of a device, and come back changed, unless there is an error:
    /// then as they were. With a `share` it is taken with those variables alone that the share has.
    fn step(
        &self,
        optimizers: &mut Optimizers,
        device: &Device,
        variables: &mut HashMap<usize, AnyBuffer>,
        gradients: HashMap<usize, AnyBuffer>,
        share: Option<&dyn Share>,
    ) -> Result<(), OptimizerError>;
    /// A copy of its optimiser, to come back to.
    fn kept(&self, optimizers: &Optimizers) -> Option<Box<dyn Any + Send + Sync>>;
    /// Brings back a copy.
    fn restore(&self, optimizers: &mut Optimizers, kept: Option<Box<dyn Any + Send + Sync>>);
    /// What its optimiser remembers.
    fn state(&self, optimizers: &Optimizers) -> OptimizerState;
    /// Goes on from what was saved.
    fn load(
        &self,
        optimizers: &mut Optimizers,
        state: OptimizerState,
    ) -> Result<(), OptimizerStateError>;
}

/// The variables of a rank, of several that take a step together.
pub(crate) trait Share {
    /// Whether a variable is one of them.
    fn has(&self, variable: usize) -> bool;
    /// The sum of a number over all ranks.
    fn sum(&self, x: f64) -> Result<f64, OptimizerError>;
}

/// Puts buffers of a run into the places of recorded parameters, or takes them out again.
struct Exchange<'x> {
    device: &'x Device,
    buffers: &'x mut HashMap<usize, AnyBuffer>,
    values: core::slice::Iter<'x, usize>,
    share: Option<&'x dyn Share>,
    back: bool,
}

impl VisitorMut for Exchange<'_> {
    fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &mut Raw<T, D>) {
        let raw = (value as &mut dyn Any).downcast_mut::<Raw<T, Device>>();
        let (raw, at) = raw
            .zip(self.values.next())
            .expect("the parameters of before");
        if self.share.is_some_and(|share| !share.has(*at)) {
            return;
        }
        if self.back {
            self.buffers.insert(*at, raw.alone());
            return;
        }
        // The only owner, so that the step works in place.
        let buffer = self.buffers.remove(at).expect("a variable of the session");
        let dims = *raw.dims();
        *raw = Raw::from_shared(self.device, crate::any::typed(buffer), Layout::dense(dims));
    }
}

impl<M, O> Inner<M, O>
where
    M: Module,
    O: Optimizer + Clone + Send + Sync + 'static,
{
    /// The names of the parameters whose variables `has` accepts.
    fn names(&self, has: impl Fn(usize) -> bool) -> BTreeSet<String> {
        let names = self.net.param_names().into_iter().zip(&self.variables);
        let own = names.filter(|(_, variable)| has(**variable));
        own.map(|(name, _)| name).collect()
    }

    fn optimizer<'o>(&self, optimizers: &'o mut Optimizers) -> &'o mut O {
        let own = optimizers
            .entry(self.id)
            .or_insert_with(|| Box::new(self.optimizer.clone()));
        own.downcast_mut().expect("the optimiser of this step")
    }

    fn of<'o>(&'o self, optimizers: &'o Optimizers) -> &'o O {
        let own = optimizers.get(&self.id);
        own.map_or(&self.optimizer, |own| {
            own.downcast_ref().expect("the optimiser of this step")
        })
    }
}

impl<M, O> Step for Inner<M, O>
where
    M: Module + Clone + Send + Sync + 'static,
    M::Tangent: Send + Sync,
    O: Optimizer + Clone + Send + Sync + 'static,
{
    fn variables(&self) -> &[usize] {
        &self.variables
    }

    fn gradients(&self) -> &[usize] {
        &self.gradients
    }

    fn step(
        &self,
        optimizers: &mut Optimizers,
        device: &Device,
        variables: &mut HashMap<usize, AnyBuffer>,
        gradients: HashMap<usize, AnyBuffer>,
        share: Option<&dyn Share>,
    ) -> Result<(), OptimizerError> {
        let there = device.clone();
        let gradient = map_tangent(self.gradient.clone(), move |x| {
            let value = x.value().expect("a recorded gradient");
            // Of a share, some are elsewhere.
            if let Some(buffer) = gradients.get(&value) {
                x.take(&there, Arc::clone(buffer));
            }
        });
        let mut net = self.net.clone();
        let mut exchange = |net: &mut M, back| {
            let mut exchange = Exchange {
                device,
                buffers: variables,
                values: self.variables.iter(),
                share,
                back,
            };
            net.visit_mut(&mut Path::default(), &mut exchange);
        };
        exchange(&mut net, false);
        let optimizer = self.optimizer(optimizers);
        let step = AssertUnwindSafe(|| match share {
            None => optimizer.try_step(&mut net, &gradient),
            Some(share) => {
                let own = self.names(|variable| share.has(variable));
                let owns = |name: &str| own.contains(name);
                optimizer.try_step_of_some(&mut net, &gradient, &owns, &|x| share.sum(x))
            }
        });
        let taken = catch_unwind(step);
        // Also after a panic, so that the session keeps its variables.
        exchange(&mut net, true);
        match taken {
            Ok(taken) => taken.map(|_| ()),
            Err(panic) => resume_unwind(panic),
        }
    }

    fn kept(&self, optimizers: &Optimizers) -> Option<Box<dyn Any + Send + Sync>> {
        optimizers.contains_key(&self.id).then(|| {
            let copy: Box<dyn Any + Send + Sync> = Box::new(self.of(optimizers).clone());
            copy
        })
    }

    fn restore(&self, optimizers: &mut Optimizers, kept: Option<Box<dyn Any + Send + Sync>>) {
        match kept {
            Some(kept) => optimizers.insert(self.id, kept),
            None => optimizers.remove(&self.id),
        };
    }

    fn state(&self, optimizers: &Optimizers) -> OptimizerState {
        self.of(optimizers).state()
    }

    fn load(
        &self,
        optimizers: &mut Optimizers,
        state: OptimizerState,
    ) -> Result<(), OptimizerStateError> {
        let mut own = self.of(optimizers).clone();
        own.load_state(&self.net, state)?;
        optimizers.insert(self.id, Box::new(own));
        Ok(())
    }
}
