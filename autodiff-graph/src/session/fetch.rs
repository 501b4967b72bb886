//! What a run gives.

use crate::any::{AnyTensor, each_tangent, map_module, map_tangent};
use crate::recording::{Assign, Place, Step, Train};
use crate::tuples::each_tuple;
use autodiff_core::ad::Tangent;
use autodiff_core::device::record::{Recorder, Run};
use autodiff_core::device::{Backend, Device, Elem, Float};
use autodiff_core::nn::{Module, Path, Visitor};
use autodiff_core::optim::Optimizer;
use autodiff_core::shape::Shape;
use autodiff_core::tensor::{Raw, Tensor};
use autodiff_tape::Var;
use core::any::Any;
use std::sync::Arc;

/// What a run gives: recorded tensors, an [`Assign`], a [`Train`], and tuples, arrays, slices and `Vec`s of these, also inside
/// of one another. [`Whole`] fetches all tensors of a module.
pub trait Fetch {
    /// What comes back.
    type Out;
    /// Says what it needs and assigns.
    #[doc(hidden)]
    #[track_caller]
    fn ask(&self, wanted: &mut Wanted);
    /// Takes it from a run.
    #[doc(hidden)]
    fn take(&self, run: &mut Run<'_>, device: &Device) -> Self::Out;
}

/// The values that are fetched and assigned in a run.
#[doc(hidden)]
#[derive(Debug)]
pub struct Wanted {
    pub(crate) recorder: Recorder,
    pub(crate) values: Vec<usize>,
    /// Variables, and the values that they get.
    pub(super) assigned: Vec<(usize, usize)>,
    pub(super) steps: Vec<Arc<dyn Step>>,
}

const WHAT: &str = "what is fetched";

impl Wanted {
    /// Nothing yet.
    pub(super) fn new(recorder: &Recorder) -> Self {
        Wanted {
            recorder: recorder.clone(),
            values: Vec::new(),
            assigned: Vec::new(),
            steps: Vec::new(),
        }
    }

    #[track_caller]
    fn tensor(&mut self, x: &dyn AnyTensor) {
        self.values
            .push(Place::of(x, WHAT).within(&self.recorder, WHAT));
    }

    /// The values that come back: not those that are assigned, nor gradients of steps.
    #[cfg(feature = "dist")]
    pub(super) fn fetched(&self) -> Vec<usize> {
        let mut fetched = self.values.clone();
        let assigned = self.assigned.iter().map(|(_, value)| *value);
        let gradients = self.steps.iter().flat_map(|s| s.gradients()).copied();
        for other in assigned.chain(gradients) {
            // Each stands among the values once for itself.
            if let Some(at) = fetched.iter().position(|v| *v == other) {
                fetched.swap_remove(at);
            }
        }
        fetched.sort_unstable();
        fetched
    }

    /// The variables that change, each as often as it does.
    pub(super) fn changed(&self) -> Vec<usize> {
        let assigned = self.assigned.iter().map(|(variable, _)| *variable);
        let stepped = self.steps.iter().flat_map(|s| s.variables()).copied();
        assigned.chain(stepped).collect()
    }
}

impl<S: Shape, T: Elem> Fetch for Tensor<S, T> {
    type Out = Tensor<S, T>;
    fn ask(&self, wanted: &mut Wanted) {
        wanted.tensor(self.raw());
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> Tensor<S, T> {
        let x = self.raw();
        let buffer = run.buffer::<T>(Place::of(x, WHAT).value);
        Tensor::new(self.shape(), Raw::from_shared(device, buffer, *x.layout()))
    }
}

impl<S: Shape, T: Elem> Fetch for Var<Tensor<S, T>> {
    type Out = Tensor<S, T>;
    fn ask(&self, wanted: &mut Wanted) {
        self.value().ask(wanted);
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> Tensor<S, T> {
        self.value().take(run, device)
    }
}

impl Fetch for Assign {
    type Out = ();
    fn ask(&self, wanted: &mut Wanted) {
        for (variable, contents) in &self.pairs {
            let variable = variable.within(&wanted.recorder, "what is assigned");
            wanted.values.push(contents.value);
            wanted.assigned.push((variable, contents.value));
        }
    }
    fn take(&self, _: &mut Run<'_>, _: &Device) {}
}

impl<M, O> Fetch for Train<M, O>
where
    M: Module + Clone + Send + Sync + 'static,
    M::Tangent: Send + Sync,
    O: Optimizer + Clone + Send + Sync + 'static,
{
    type Out = ();
    fn ask(&self, wanted: &mut Wanted) {
        assert!(
            *self.recorder() == wanted.recorder,
            "what is trained belongs to another recording"
        );
        let step = self.step();
        wanted.values.extend(step.gradients());
        wanted.steps.push(step);
    }
    fn take(&self, _: &mut Run<'_>, _: &Device) {}
}

impl<F: Fetch + ?Sized> Fetch for &F {
    type Out = F::Out;
    fn ask(&self, wanted: &mut Wanted) {
        (**self).ask(wanted);
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> F::Out {
        (**self).take(run, device)
    }
}

impl<F: Fetch> Fetch for [F] {
    type Out = Vec<F::Out>;
    fn ask(&self, wanted: &mut Wanted) {
        self.iter().for_each(|f| f.ask(wanted));
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> Vec<F::Out> {
        self.iter().map(|f| f.take(run, device)).collect()
    }
}

impl<F: Fetch> Fetch for Vec<F> {
    type Out = Vec<F::Out>;
    fn ask(&self, wanted: &mut Wanted) {
        (**self).ask(wanted);
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> Vec<F::Out> {
        (**self).take(run, device)
    }
}

impl<F: Fetch, const N: usize> Fetch for [F; N] {
    type Out = [F::Out; N];
    fn ask(&self, wanted: &mut Wanted) {
        self.iter().for_each(|f| f.ask(wanted));
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> [F::Out; N] {
        core::array::from_fn(|i| self[i].take(run, device))
    }
}

/// Fetches a module whole: with what its tensors are in the run.
///
/// ```
/// use differentiable::graph::{Feeds, Whole, Recording, Session};
/// use differentiable::prelude::*;
///
/// let recording = Recording::new();
/// let layer = recording.module(&Linear::<2, 3>::new(&mut Seeds::new(0)));
/// let mut session = Session::new(&recording, &Device::cpu());
/// let layer = session.run(Whole(&layer), &Feeds::new())?;
/// assert_eq!(layer.weight.dims().as_slice(), [2, 3]);
/// # Ok::<(), differentiable::graph::GraphError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Whole<'m, M>(pub &'m M);

impl<M: Module + Clone> Fetch for Whole<'_, M> {
    type Out = M;
    fn ask(&self, wanted: &mut Wanted) {
        struct Ask<'w>(&'w mut Wanted);
        impl Visitor for Ask<'_> {
            fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &Raw<T, D>) {
                if let Some(raw) = (value as &dyn Any).downcast_ref::<Raw<T, Device>>() {
                    self.0.tensor(raw);
                }
            }
        }
        let mut ask = Ask(wanted);
        self.0.visit(&mut Path::default(), &mut ask);
        self.0.visit_buffers(false, &mut Path::default(), &mut ask);
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> M {
        map_module(self.0, &mut |_, x| {
            let buffer = run.any_buffer(Place::of(x, WHAT).value);
            x.take(device, buffer);
        })
    }
}

macro_rules! tuple {
    ($($F:ident $i:tt),*) => {
        impl<$($F: Fetch),*> Fetch for ($($F,)*) {
            type Out = ($($F::Out,)*);
            #[allow(unused_variables, reason = "the empty tuple")]
            fn ask(&self, wanted: &mut Wanted) {
                $(self.$i.ask(wanted);)*
            }
            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple")]
            fn take(&self, run: &mut Run<'_>, device: &Device) -> Self::Out {
                ($(self.$i.take(run, device),)*)
            }
        }
    };
}
tuple! {}
each_tuple!(12 tuple);

/// Fetches a tangent whole, such as the gradient of a module: with what its tensors are in the run.
#[derive(Clone, Copy, Debug)]
pub struct Gradient<'m, A>(pub &'m A);

impl<A: Tangent> Fetch for Gradient<'_, A> {
    type Out = A;
    fn ask(&self, wanted: &mut Wanted) {
        let recorder = wanted.recorder.clone();
        let values = each_tangent(self.0, move |x| Place::of(x, WHAT).within(&recorder, WHAT));
        wanted.values.extend(values);
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> A {
        let values = each_tangent(self.0, |x| Place::of(x, WHAT).value);
        let buffers: Vec<_> = values.into_iter().map(|v| run.any_buffer(v)).collect();
        let (device, mut buffers) = (device.clone(), buffers.into_iter());
        map_tangent(self.0.clone(), move |x| {
            let buffer = buffers.next().expect("a buffer for each tensor");
            x.take(&device, buffer);
        })
    }
}
